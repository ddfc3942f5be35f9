/* printable.h - what a terminal may be sent: text of others without the characters that command it.
 * Controls (C0, DEL, C1), marks of direction, which can make a line read otherwise than it is, and
 * separators of lines become \u001b, as JSON has it; bytes that are no UTF-8 become \x9b. */
#ifndef TOOLS_PRINTABLE_H
#define TOOLS_PRINTABLE_H

#include "dodona_tools.h"

enum { PRINTABLE_ESCAPE = 8 };

/* Bytes of the character at the start of the text, which is not empty; `escape` is what to show in
 * its place, or "". Tabs are shown, and newlines as well where they end lines. */
size_t printable_next(dd_text text, bool lines, char escape[PRINTABLE_ESCAPE]);
/* One line, cut to the room. */
void printable_copy(char *out, size_t room, const char *text);

#endif
