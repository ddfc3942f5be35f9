/* catalogue.c - models by name: the folders in which they are looked for, and the files there
 *
 *     $DODONA_MODELS, the user's folder, the caller's, the installed one -> NAME.dodona */
#include "core/memory.h"
#include "core/status.h"
#include "core/strings.h"
#include "model/model.h"
#include "text/rules.h"
#include "text/utf8.h"

#include <dirent.h>
#include <dodona_tools.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

struct dd_catalogue {
    char **folders; /* [n_folders] each once, whether it exists or not */
    size_t n_folders, folders_capacity;
    char *usual;                /* the model that $DODONA_MODEL names; NULL: none */
    size_t users;               /* index of the user's own folder; SIZE_MAX: there is none */
    dd_catalogue_model *models; /* [n_models] by folder, then by name; their texts are owned */
    size_t n_models, models_capacity;
};

/* ---- where models are looked for ---------------------------------------------------------- */

/* A folder that is reached in two ways is looked into once. */
static bool is_same(const char *one, const char *other)
{
    struct stat a, b;
    if (strcmp(one, other) == 0) return true;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* Takes ownership of the path (NULL if it could not be allocated). Returns its index, or SIZE_MAX
 * if allocation fails. */
static size_t add_folder(dd_catalogue *c, char *path)
{
    if (!path || !DD_RESERVE(&c->folders, &c->folders_capacity, c->n_folders + 1)) {
        free(path);
        return SIZE_MAX;
    }
    for (size_t size = strlen(path); size > 1 && path[size - 1] == '/';) path[--size] = '\0';
    for (size_t i = 0; i < c->n_folders; i++) {
        if (!is_same(c->folders[i], path)) continue;
        free(path);
        return i;
    }
    c->folders[c->n_folders] = path;
    return c->n_folders++;
}

static char *join(const char *folder, const char *below)
{
    size_t room = strlen(folder) + strlen(below) + 1;
    char *path = malloc(room);
    if (path) snprintf(path, room, "%s%s", folder, below);
    return path;
}

static bool add_list(dd_catalogue *c, const char *list)
{
    dd_text rest = {list, strlen(list)};
    while (rest.size > 0) {
        dd_text one = dd_text_cut(&rest, ':');
        if (one.size > 0 && add_folder(c, dd_copy_text(one.data, one.size)) == SIZE_MAX)
            return false;
    }
    return true;
}

/* Follows the XDG Base Directory Specification, which says to ignore relative paths. */
static bool add_users(dd_catalogue *c)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && data[0] == '/')
        c->users = add_folder(c, join(data, "/dodona/models"));
    else if (home && home[0] == '/')
        c->users = add_folder(c, join(home, "/.local/share/dodona/models"));
    else
        return true;
    return c->users != SIZE_MAX;
}

/* Fills in the folders; false if allocation fails. */
static bool add_folders(dd_catalogue *c, const char *const *more, size_t n_more)
{
    const char *listed = getenv("DODONA_MODELS");
    c->users = SIZE_MAX;
    if (listed && !add_list(c, listed)) return false;
    if (!add_users(c)) return false;
    for (size_t i = 0; i < n_more; i++)
        if (add_folder(c, join(more[i], "")) == SIZE_MAX) return false;
    return add_folder(c, join(DODONA_MODELS, "")) != SIZE_MAX;
}

static const char ending[] = ".dodona";
enum { ENDING = sizeof ending - 1 };

/* ---- what there is ------------------------------------------------------------------------ */

/* Bytes of the file's name before the ending; 0: it is no model. */
static size_t size_of_name(const char *file)
{
    size_t size = strlen(file);
    bool named = size > ENDING && file[0] != '.' && strcmp(file + size - ENDING, ending) == 0;
    return named ? size - ENDING : 0;
}

static bool add_model(dd_catalogue *c, size_t folder, const char *file)
{
    if (!DD_RESERVE(&c->models, &c->models_capacity, c->n_models + 1)) return false;
    dd_buffer path = {0};
    char *name = dd_copy_text(file, size_of_name(file));
    bool made = name && dd_buffer_printf(&path, "%s/%s", c->folders[folder], file) &&
                dd_buffer_append(&path, "", 1);
    c->models[c->n_models++] = (dd_catalogue_model){name, path.data, folder};
    return made;
}

static int compare_names(const void *a, const void *b)
{
    const dd_catalogue_model *one = a, *other = b;
    return strcmp(one->name, other->name);
}

/* False if allocation fails. */
static bool look_into(dd_catalogue *c, size_t folder)
{
    size_t first = c->n_models;
    bool made = true;
    DIR *listing = opendir(c->folders[folder]);
    if (!listing) return errno != ENOMEM;
    for (struct dirent *file; made && (file = readdir(listing));)
        if (size_of_name(file->d_name) > 0) made = add_model(c, folder, file->d_name);
    closedir(listing);
    size_t found = c->n_models - first;
    if (made && found > 1) qsort(c->models + first, found, sizeof *c->models, compare_names);
    return made;
}

/* Copies $DODONA_MODEL: the environment may change, the catalogue does not. */
static bool copy_usual(dd_catalogue *c)
{
    const char *named = getenv("DODONA_MODEL");
    if (!named || !*named) return true;
    c->usual = dd_copy_text(named, strlen(named));
    return c->usual != NULL;
}

dd_status dd_catalogue_new(dd_catalogue **out, const char *const *more, size_t n_more,
                           dd_error *error)
{
    dd_catalogue *c = dd_calloc(1, sizeof *c);
    bool made = c && copy_usual(c) && add_folders(c, more, n_more);
    for (size_t i = 0; made && i < c->n_folders; i++) made = look_into(c, i);
    if (!made) {
        dd_catalogue_free(c);
        return dd_fail_memory(error);
    }
    *out = c;
    return DD_OK;
}

void dd_catalogue_free(dd_catalogue *c)
{
    if (!c) return;
    for (size_t i = 0; i < c->n_models; i++) {
        free((char *)c->models[i].name);
        free((char *)c->models[i].path);
    }
    for (size_t i = 0; i < c->n_folders; i++) free(c->folders[i]);
    free(c->usual);
    free(c->models);
    free(c->folders);
    free(c);
}

const char *dd_catalogue_folder(const dd_catalogue *c, size_t index)
{
    return index < c->n_folders ? c->folders[index] : NULL;
}

const char *dd_catalogue_user_folder(const dd_catalogue *c)
{
    return dd_catalogue_folder(c, c->users);
}

const dd_catalogue_model *dd_catalogue_at(const dd_catalogue *c, size_t index)
{
    return index < c->n_models ? &c->models[index] : NULL;
}

/* ---- one of them -------------------------------------------------------------------------- */

static const dd_catalogue_model *find_name(const dd_catalogue *c, const char *name)
{
    for (size_t i = 0; i < c->n_models; i++)
        if (strcmp(c->models[i].name, name) == 0) return &c->models[i];
    return NULL;
}

/* How many words the model was trained on, at least 1, if it is of the language; 0 if it is of
 * another or cannot be read. */
static dd_status words_of(const char *path, const char *language, int *words, dd_error *error)
{
    dd_buffer facts = {0};
    dd_status status = dd_model_read_facts(&facts, path, error);
    dd_text all = {facts.data, facts.size};
    *words = 0;
    if (status == DD_OK && dd_text_is(dd_facts_find(all, "language"), language)) {
        int count = dd_rule_number(dd_facts_find(all, "words"));
        *words = count > 0 ? count : 1;
    }
    dd_buffer_free(&facts);
    return status == DD_ERROR_MEMORY ? status : DD_OK;
}

static dd_status find_language(const dd_catalogue *c, const char *language,
                               const dd_catalogue_model **out, dd_error *error)
{
    int most = 0, words;
    *out = NULL;
    for (size_t i = 0; i < c->n_models; i++) {
        if (*out && c->models[i].folder != (*out)->folder) break;
        if (words_of(c->models[i].path, language, &words, error) != DD_OK) return DD_ERROR_MEMORY;
        if (words <= most) continue;
        *out = &c->models[i];
        most = words;
    }
    return DD_OK;
}

/* ---- none of them ------------------------------------------------------------------------- */

/* A message has room for about so many bytes of a list. */
enum { OF_FOLDERS = 180, OF_NAMES = 120 };

static bool list_models(dd_buffer *out, size_t count, size_t room, const dd_catalogue *c,
                        const char *(*at)(const dd_catalogue *c, size_t index))
{
    size_t end = out->size + room;
    for (size_t i = 0; i < count; i++) {
        const char *item = at(c, i), *gap = i ? ", " : "";
        if (i > 0 && out->size + strlen(item) > end)
            return dd_buffer_printf(out, " and %zu more", count - i);
        if (!dd_buffer_printf(out, "%s%.*s", gap, (int)room, item)) return false;
    }
    return true;
}

static const char *name_at(const dd_catalogue *c, size_t index)
{
    return c->models[index].name;
}

static bool describe(const dd_catalogue *c, const char *name, dd_buffer *out)
{
    dd_guess guess = {0};
    for (size_t i = 0; i < c->n_models; i++)
        dd_guess_consider(&guess, name, strlen(name), c->models[i].name);
    dd_hint hint = dd_guess_hint(guess, "");
    const char *there = c->n_models == 0   ? ", nor any other; $DODONA_MODELS may name more folders"
                        : c->n_models == 1 ? "; there is "
                                           : "; there are ";
    dd_quote wanted = dd_quote_text((dd_text){name, strlen(name)});
    return dd_buffer_printf(out, "there is no model '%s' in ", wanted.text) &&
           list_models(out, c->n_folders, OF_FOLDERS, c, dd_catalogue_folder) &&
           dd_buffer_text(out, there) && list_models(out, c->n_models, OF_NAMES, c, name_at) &&
           dd_buffer_text(out, hint.text);
}

static dd_status fail_find(const dd_catalogue *c, const char *name, dd_error *error)
{
    dd_buffer text = {0};
    bool made = describe(c, name, &text);
    if (made) dd_fail(error, DD_ERROR_IO, "%.*s", (int)text.size, text.data);
    dd_buffer_free(&text);
    return made ? DD_ERROR_IO : dd_fail_memory(error);
}

dd_status dd_catalogue_find(const dd_catalogue *c, const char *name, const dd_catalogue_model **out,
                            dd_error *error)
{
    *out = find_name(c, name);
    if (*out) return DD_OK;
    dd_status status = find_language(c, name, out, error);
    if (status != DD_OK || *out) return status;
    return fail_find(c, name, error);
}

/* ---- what a user says --------------------------------------------------------------------- */

/* A folder that has the name of a language by chance is not meant. */
static bool is_path(const char *wanted)
{
    struct stat facts;
    return strchr(wanted, '/') || size_of_name(wanted) > 0 ||
           (stat(wanted, &facts) == 0 && !S_ISDIR(facts.st_mode));
}

const char *dd_catalogue_default(const dd_catalogue *c)
{
    return c->usual ? c->usual : "english";
}

dd_status dd_catalogue_path(const dd_catalogue *c, const char *wanted, const char **path,
                            dd_error *error)
{
    const dd_catalogue_model *found;
    /* The default name does not mean a file of that name in the current folder. */
    bool path_meant = wanted || c->usual;
    if (!wanted) wanted = dd_catalogue_default(c);
    *path = wanted;
    if (path_meant && is_path(wanted)) return DD_OK;
    dd_status status = dd_catalogue_find(c, wanted, &found, error);
    if (status == DD_OK) *path = found->path;
    return status;
}

dd_status dd_model_load_named(dd_model **out, const char *wanted, dd_error *error)
{
    dd_catalogue *c;
    const char *path;
    dd_status status = dd_catalogue_new(&c, NULL, 0, error);
    if (status != DD_OK) return status;
    status = dd_catalogue_path(c, wanted, &path, error);
    if (status == DD_OK) status = dd_model_load(out, path, error);
    dd_catalogue_free(c);
    return status;
}
