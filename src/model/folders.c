/* folders.c - where models are looked for by name */
#include "core/memory.h"
#include "core/strings.h"
#include "model/catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* A folder that is reached in two ways is looked into once. */
static bool is_same(const char *one, const char *other)
{
    struct stat a, b;
    if (strcmp(one, other) == 0) return true;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* Takes the path over, which is NULL where it could not be made; its index, or SIZE_MAX: out of
 * memory. */
static size_t add(dd_catalogue *c, char *path)
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

static char *joined(const char *folder, const char *below)
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
        if (one.size > 0 && add(c, dd_copy_text(one.data, one.size)) == SIZE_MAX) return false;
    }
    return true;
}

/* As the XDG Base Directory Specification has it, by which a relative path is to be ignored. */
static bool add_users(dd_catalogue *c)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && data[0] == '/')
        c->users = add(c, joined(data, "/dodona/models"));
    else if (home && home[0] == '/')
        c->users = add(c, joined(home, "/.local/share/dodona/models"));
    else
        return true;
    return c->users != SIZE_MAX;
}

bool dd_catalogue_add_folders(dd_catalogue *c, const char *const *more, size_t n_more)
{
    const char *listed = getenv("DODONA_MODELS");
    c->users = SIZE_MAX;
    if (listed && !add_list(c, listed)) return false;
    if (!add_users(c)) return false;
    for (size_t i = 0; i < n_more; i++)
        if (add(c, joined(more[i], "")) == SIZE_MAX) return false;
    return add(c, joined(DODONA_MODELS, "")) != SIZE_MAX;
}
