/* textfile.h - small files as a whole, and whether a path can be written. */
#ifndef TOOLS_TEXTFILE_H
#define TOOLS_TEXTFILE_H

/* The file's bytes, ended by NUL, for the caller to free; NULL with errno on failure. */
char *textfile_read(const char *path);
/* Why no file can be put at `path` by renaming; NULL if it can. */
const char *path_problem(const char *path);

#endif
