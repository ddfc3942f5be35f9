/* newfile.h - a file that is written beside its target and takes its place when it is whole
 *
 *     NAME.RANDOM.part -> sync -> rename to NAME -> sync the folder
 *
 * So a reader of the target finds either the old file or the new one, and a failure leaves the old
 * file as it was. Symbolic links are followed and stay: the file that they lead to is replaced, in
 * its own folder. The new file gets the mode of the old one. What cannot be renamed over (a device,
 * a pipe, the file that standard output already writes to) is written directly. Nothing is
 * allocated.
 *
 * The .part file is locked while it is written, so that it can be told from one whose process was
 * killed. */
#ifndef DODONA_CORE_NEWFILE_H
#define DODONA_CORE_NEWFILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct dd_newfile {
    int file;   /* descriptor to write to */
    int folder; /* descriptor; -1: the target is written directly */
    char name[NAME_MAX + 1], beside[NAME_MAX + 1]; /* in the folder */
} dd_newfile;

/* Both return false with errno on failure, and leave no file behind. */
bool dd_newfile_open(dd_newfile *new, const char *path);
/* Replaces the target by the file. */
bool dd_newfile_finish(dd_newfile *new);

/* Closes and removes the file. Keeps errno. */
void dd_newfile_drop(dd_newfile *new);

/* Removes a NAME.RANDOM.part in the folder, a descriptor, if no process writes to it any more;
 * false if it stays. Where the file system has no locks, it stays. */
bool dd_newfile_sweep(int folder, const char *name);

/* Writes all bytes, in as many calls of write() as it takes. */
bool dd_write_all(int file, const char *data, size_t size);

#endif
