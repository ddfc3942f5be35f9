/* status.h - filling a dd_error; every function returns the status it was given, so that a failure
 * is one line: return dd_fail(error, DD_ERROR_DATA, "..."). */
#ifndef DODONA_CORE_STATUS_H
#define DODONA_CORE_STATUS_H

#include <dodona.h>
#include <stdarg.h>

#if defined(__GNUC__)
#define DD_PRINTF(format_at, args_at) __attribute__((format(printf, format_at, args_at)))
#else
#define DD_PRINTF(format_at, args_at)
#endif

/* As vsnprintf, for messages: a text that is cut, for lack of room or by a precision such as
 * %.300s, is cut between UTF-8 characters. */
void dd_format_message(char *out, size_t room, const char *format, va_list args) DD_PRINTF(3, 0);
/* The same; returns the bytes that were written. */
size_t dd_print_message(char *out, size_t room, const char *format, ...) DD_PRINTF(3, 4);

/* "reason" */
dd_status dd_fail(dd_error *error, dd_status status, const char *format, ...) DD_PRINTF(3, 4);

/* "FILE:LINE: reason", or "FILE:LINE: column 7 (HEAD): reason" if column is not 0. */
dd_status dd_fail_at(dd_error *error, dd_status status, const char *file, uint64_t line, int column,
                     const char *format, ...) DD_PRINTF(6, 7);

/* "out of memory" */
dd_status dd_fail_memory(dd_error *error);
/* "NAME: what the errno value means" */
dd_status dd_fail_io(dd_error *error, const char *name, int code);

/* ---- suggestions: the nearest known word to a misspelt one -------------------------------- */

typedef struct dd_guess {
    const char *word; /* NULL: nothing near enough so far */
    int slips;
} dd_guess; /* {0} is empty */

/* Keeps `known` if it is nearer than all words before it. */
void dd_guess_consider(dd_guess *guess, const char *written, size_t size, const char *known);

typedef struct dd_hint {
    char text[80];
} dd_hint;

/* "; did you mean 'beam'?" for the end of a message, with "the set " or the like before the word;
 * nothing if there is no guess. */
dd_hint dd_guess_hint(dd_guess guess, const char *before);

#endif
