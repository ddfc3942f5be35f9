/* message.h - what the program says on standard error. Each call writes one whole line. */
#ifndef TOOLS_MESSAGE_H
#define TOOLS_MESSAGE_H

#include "dodona_tools.h"

#include <stdarg.h>

#if defined(__GNUC__) || defined(__clang__)
#define MESSAGE_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define MESSAGE_FORMAT(text, first)
#endif

void say(const char *format, ...) MESSAGE_FORMAT(1, 2);         /* dodona: ... */
void say_warning(const char *format, ...) MESSAGE_FORMAT(1, 2); /* dodona: warning: ... */
/* dodona COMMAND: ...; returns STATUS_USAGE. */
int say_usage(const char *who, const char *format, ...) MESSAGE_FORMAT(2, 3);
/* Says what a call of the library reported; returns the exit status that fits. */
int say_error(const dd_error *error);

/* vsnprintf, which cuts between UTF-8 characters. */
void message_format(char *out, size_t room, const char *format, va_list args) MESSAGE_FORMAT(3, 0);

#endif
