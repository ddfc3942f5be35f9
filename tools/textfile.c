#include "textfile.h"

#include <errno.h>
#include <limits.h>
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

/* What a link leads to, from where the link is; to be freed. NULL with errno. */
static char *follow(const char *path)
{
    char link[PATH_MAX];
    ssize_t size = readlink(path, link, sizeof link);
    if (size < 0) return NULL;
    const char *slash = strrchr(path, '/');
    int before = slash && link[0] != '/' ? (int)(slash - path) + 1 : 0;
    size_t room = (size_t)before + (size_t)size + 1;
    char *target = malloc(room);
    if (target) snprintf(target, room, "%.*s%.*s", before, path, (int)size, link);
    return target;
}

static const char *folder_problem(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = strndup(slash ? path : "./", slash ? (size_t)(slash - path) + 1 : 2);
    bool writable = folder && access(folder, W_OK | X_OK) == 0;
    const char *problem = writable ? NULL : strerror(errno);
    free(folder);
    return problem;
}

/* There is nothing at the end of the links, of which there may be so many more. */
static const char *new_problem(const char *path, int links)
{
    char *target = follow(path);
    if (!target) return errno == ENOENT || errno == EINVAL ? folder_problem(path) : strerror(errno);
    const char *problem = links > 0 ? new_problem(target, links - 1) : strerror(ELOOP);
    free(target);
    return problem;
}

const char *path_problem(const char *path)
{
    enum { MOST_LINKS = 40 };
    struct stat now;
    if (stat(path, &now) != 0)
        return errno == ENOENT ? new_problem(path, MOST_LINKS) : strerror(errno);
    if (S_ISDIR(now.st_mode)) return strerror(EISDIR);
    /* Renaming a file over a device or pipe would destroy it. */
    if (!S_ISREG(now.st_mode)) return "Not a regular file";
    if (access(path, W_OK) != 0) return strerror(errno);
    char *real = realpath(path, NULL);
    const char *problem = real ? folder_problem(real) : strerror(errno);
    free(real);
    return problem;
}
