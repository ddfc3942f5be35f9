/* self.h - where the program's own file is, beside which there may be models */
#ifndef TOOLS_SELF_H
#define TOOLS_SELF_H

#include <stdbool.h>
#include <stddef.h>

enum { SELF_ROOM = 4096 };

/* To be told once, at the start: argv[0]. */
void self_is_called(const char *name);
/* The folder of the program, with the '/' at its end; false if it is not known. */
bool self_folder(char folder[SELF_ROOM]);
/* The same by what it was called and the folders of $PATH, NULL if there are none: for systems that
 * do not tell. */
bool self_find(const char *called, const char *folders, char folder[SELF_ROOM]);

#endif
