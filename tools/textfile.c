#include "textfile.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST = 1 << 24 /* bytes; a template file is a few thousand */ };

static char *read_all(FILE *file)
{
    size_t room = 1 << 14, used = 0;
    char *text = malloc(room);
    while (text) {
        used += fread(text + used, 1, room - used - 1, file);
        if (used < room - 1) break;
        char *larger = room < LARGEST ? realloc(text, 2 * room) : NULL;
        if (!larger) {
            free(text);
            errno = room < LARGEST ? ENOMEM : EFBIG;
            return NULL;
        }
        text = larger;
        room *= 2;
    }
    if (text) text[used] = '\0';
    return text;
}

char *textfile_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    char *text = read_all(file);
    if (text && ferror(file)) {
        free(text);
        text = NULL;
    }
    int problem = errno;
    fclose(file);
    errno = problem;
    return text;
}

static bool folder_is_writable(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash) return access(".", W_OK | X_OK) == 0;
    char *folder = strndup(path, (size_t)(slash - path) + 1);
    if (!folder) return false;
    bool writable = access(folder, W_OK | X_OK) == 0;
    int problem = errno;
    free(folder);
    errno = problem;
    return writable;
}

const char *path_problem(const char *path)
{
    struct stat now;
    bool exists = stat(path, &now) == 0;
    if (exists && S_ISDIR(now.st_mode)) return strerror(EISDIR);
    /* Renaming a file over a device or pipe would destroy it. */
    if (exists && !S_ISREG(now.st_mode)) return "Not a regular file";
    return folder_is_writable(path) ? NULL : strerror(errno);
}
