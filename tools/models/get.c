#include "models/get.h"

#include "cmd.h"
#include "heap.h"
#include "models/part.h"
#include "models/source.h"
#include "named_model.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- getting ------------------------------------------------------------------------------ */

static int tell(const part *p, const char *what)
{
    output out;
    const char *name = p->entry->name, *licence = p->entry->licence;
    if (output_open(&out, "-") == DD_OK) {
        out.report = true;
        output_format(&out, "%s: %s %s\n%s: licence: %s\n", name, what, p->target, name,
                      licence ? licence : "the index names none");
    }
    return output_close(&out);
}

static int bring(const source *s, part *p, bool quiet)
{
    char *place = source_place(s, p->entry->file);
    int status = part_open(p);
    if (status == STATUS_OK) status = source_fill(s, p, !quiet);
    if (status == STATUS_OK) status = part_finish(p, place);
    free(place);
    return status;
}

static int install(const source *s, const model_entry *entry, const char *folder, bool quiet)
{
    part p;
    int status = STATUS_OK;
    part_name(&p, folder, entry);
    bool there = part_is_there(&p);
    if (!there) status = bring(s, &p, quiet);
    if (status == STATUS_OK && !quiet)
        status = tell(&p, there ? "already installed as" : "installed as");
    part_close(&p);
    return status;
}

/* All names are looked for before anything is brought. */
static int install_all(const source *s, const model_list *offered, const char *const *names,
                       size_t count, const char *folder, bool quiet)
{
    int status = STATUS_OK;
    for (size_t i = 0; i < count; i++)
        if (!index_find(offered, names[i], s->index)) return STATUS_PROBLEM;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = install(s, index_find(offered, names[i], s->index), folder, quiet);
    return status;
}

static int get_into(const char *const *names, size_t count, const char *from, const char *folder,
                    bool quiet)
{
    source s;
    model_list offered = {0};
    int status = source_open(&s, from);
    if (status != STATUS_OK) return status;
    interrupt_catch();
    status = source_list(&s, &offered);
    if (status == STATUS_OK) status = install_all(&s, &offered, names, count, folder, quiet);
    model_list_free(&offered);
    source_close(&s);
    return status;
}

static int say_homeless(void)
{
    say("there is no folder for your models: neither XDG_DATA_HOME nor HOME is set");
    return STATUS_PROBLEM;
}

int models_get(const char *const *names, size_t count, const char *from, const char *folder,
               bool quiet)
{
    dd_catalogue *here;
    if (folder) return get_into(names, count, from, folder, quiet);
    int status = named_models(&here);
    if (status != STATUS_OK) return status;
    folder = dd_catalogue_user_folder(here);
    status = folder ? get_into(names, count, from, folder, quiet) : say_homeless();
    dd_catalogue_free(here);
    return status;
}

/* ---- removing ----------------------------------------------------------------------------- */

/* The first of that very name. */
static const dd_catalogue_model *find(const dd_catalogue *here, const char *name, bool users)
{
    const dd_catalogue_model *found;
    const char *own = dd_catalogue_user_folder(here);
    for (size_t i = 0; (found = dd_catalogue_at(here, i)); i++)
        if (strcmp(found->name, name) == 0 &&
            (!users || dd_catalogue_folder(here, found->folder) == own))
            return found;
    return NULL;
}

static int refuse(const dd_catalogue *here, const char *name)
{
    const dd_catalogue_model *found = find(here, name, false);
    dd_error error;
    if (!found && dd_catalogue_find(here, name, &found, &error) != DD_OK) return say_error(&error);
    if (strcmp(found->name, name) != 0)
        say("there is no model '%s'; did you mean '%s', %s?", name, found->name, found->path);
    else
        say("%s: is not in your own folder, so it was not removed", found->path);
    return STATUS_PROBLEM;
}

static int tell_removed(const char *name, const char *path)
{
    output out;
    if (output_open(&out, "-") == DD_OK) {
        out.report = true;
        output_format(&out, "%s: removed %s\n", name, path);
    }
    return output_close(&out);
}

static int delete_file(const char *name, const char *path, bool quiet)
{
    if (unlink(path) != 0) {
        say("%s: cannot be removed: %s", path, strerror(errno));
        return STATUS_PROBLEM;
    }
    return quiet ? STATUS_OK : tell_removed(name, path);
}

/* Whether the file is what part.c calls NAME.dodona.DIGEST.part. */
static bool is_part(const char *file, const char *name)
{
    size_t size = strlen(file), begun = strlen(name);
    return size > begun && strncmp(file, name, begun) == 0 &&
           strncmp(file + begun, ".dodona.", 8) == 0 && strcmp(file + size - 5, ".part") == 0;
}

static int remove_parts(const char *folder, const char *name, bool quiet, size_t *removed)
{
    int status = STATUS_OK;
    DIR *listing = opendir(folder);
    if (!listing) return STATUS_OK;
    for (struct dirent *file; (file = readdir(listing)) && status == STATUS_OK;) {
        if (!is_part(file->d_name, name)) continue;
        size_t room = strlen(folder) + strlen(file->d_name) + 2;
        char *path = heap_zeroed(room, 1);
        snprintf(path, room, "%s/%s", folder, file->d_name);
        status = delete_file(name, path, quiet);
        free(path);
        *removed += 1;
    }
    closedir(listing);
    return status;
}

static int remove_one(const dd_catalogue *here, const char *name, bool quiet)
{
    size_t parts = 0;
    const dd_catalogue_model *found = find(here, name, true);
    int status = remove_parts(dd_catalogue_user_folder(here), name, quiet, &parts);
    if (status == STATUS_OK && found) status = delete_file(name, found->path, quiet);
    if (status == STATUS_OK && !found && parts == 0) status = refuse(here, name);
    return status;
}

int models_remove(const char *const *names, size_t count, bool quiet)
{
    dd_catalogue *here;
    int status = named_models(&here);
    if (status != STATUS_OK) return status;
    if (!dd_catalogue_user_folder(here)) status = say_homeless();
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = remove_one(here, names[i], quiet);
    dd_catalogue_free(here);
    return status;
}
