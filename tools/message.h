/* message.h - what the program says on standard error. Each call writes one whole line. */
#ifndef TOOLS_MESSAGE_H
#define TOOLS_MESSAGE_H

#include "dodona_tools.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define MESSAGE_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define MESSAGE_FORMAT(text, first)
#endif

void say(const char *format, ...) MESSAGE_FORMAT(1, 2);         /* dodona: ... */
void say_warning(const char *format, ...) MESSAGE_FORMAT(1, 2); /* dodona: warning: ... */
void say_note(const char *format, ...) MESSAGE_FORMAT(1, 2);    /* dodona: note: ... */
/* dodona COMMAND: ...; returns STATUS_USAGE. */
int say_usage(const char *who, const char *format, ...) MESSAGE_FORMAT(2, 3);
/* Says what a call of the library reported; returns the exit status that fits. */
int say_error(const dd_error *error);

/* vsnprintf, which cuts between UTF-8 characters. */
void message_format(char *out, size_t room, const char *format, va_list args) MESSAGE_FORMAT(3, 0);

/* Makes text from users and files safe for a terminal. Control characters (C0, DEL, C1), marks of
 * direction, which can change how a line reads, and line separators become \u001b, as in JSON;
 * bytes that are not UTF-8 become \x9b. */

enum { PRINTABLE_ESCAPE = 8 };

/* Bytes of the character at the start of the text, which is not empty; `escape` is what to show in
 * its place, or "". Tabs are shown, and newlines as well where they end lines. */
size_t printable_next(dd_text text, bool lines, char escape[PRINTABLE_ESCAPE]);
/* One line, cut to the room. */
void printable_copy(char *out, size_t room, const char *text);

/* ---- the nearest known word to a misspelt one ------------------------------------------------ */

typedef struct suggestion {
    const char *wanted;  /* what the user wrote */
    size_t size;         /* of it, in bytes */
    const char *nearest; /* NULL: nothing near enough so far */
    int slips;           /* typing mistakes between the two */
} suggestion;

suggestion suggest_for(const char *wanted, size_t size);
/* Takes `known` if it is nearer than all before it. */
void suggest_consider(suggestion *best, const char *known);

/* ---- columns of a treebank, for messages ----------------------------------------------------- */

typedef struct column_list {
    char text[128];
} column_list;

/* Bits of dd_column: "UPOS", "UPOS and FEATS", "LEMMA, UPOS and FEATS". */
column_list columns_listed(uint32_t columns);

#endif
