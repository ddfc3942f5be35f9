/* textfile.h - small files as a whole, and whether a path can be written. */
#ifndef TOOLS_TEXTFILE_H
#define TOOLS_TEXTFILE_H

#include <stdbool.h>

/* The file's bytes, ended by NUL, for the caller to free; NULL with errno on failure. */
char *textfile_read(const char *path);
/* Whether a file can be put at `path` by renaming; false with errno. */
bool path_is_writable(const char *path);

#endif
