#include "self.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *called_by;

void self_is_called(const char *name)
{
    called_by = name;
}

/* Cuts the name of the file off. */
static bool keep_folder(char folder[SELF_ROOM], size_t size)
{
    while (size > 0 && folder[size - 1] != '/') size--;
    folder[size] = '\0';
    return size > 0;
}

/* Where links are followed to the file itself. */
static bool resolve(const char *path, char folder[SELF_ROOM])
{
    char *file = access(path, X_OK) == 0 ? realpath(path, NULL) : NULL;
    size_t size = file ? strlen(file) : SELF_ROOM;
    bool fits = size < SELF_ROOM;
    if (fits) memcpy(folder, file, size + 1);
    free(file);
    return fits && keep_folder(folder, size);
}

bool self_find(const char *called, const char *folders, char folder[SELF_ROOM])
{
    char path[2 * SELF_ROOM];
    if (!called || !*called) return false;
    if (strchr(called, '/')) return resolve(called, folder);
    while (folders && *folders) {
        size_t size = strcspn(folders, ":");
        if (size > 0 && size < SELF_ROOM && strlen(called) < SELF_ROOM - 1) {
            snprintf(path, sizeof path, "%.*s/%s", (int)size, folders, called);
            if (resolve(path, folder)) return true;
        }
        folders += size + (folders[size] == ':');
    }
    return false;
}

bool self_folder(char folder[SELF_ROOM])
{
    /* Of Linux, FreeBSD and NetBSD. */
    static const char *const links[] = {"/proc/self/exe", "/proc/curproc/file",
                                        "/proc/curproc/exe"};
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        ssize_t size = readlink(links[i], folder, SELF_ROOM - 1);
        if (size > 0 && keep_folder(folder, (size_t)size)) return true;
    }
    return self_find(called_by, getenv("PATH"), folder);
}
