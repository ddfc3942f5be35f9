#include "message.h"

#include "cmd.h"
#include "output.h"
#include "printable.h"

#include <stdio.h>

void message_format(char *out, size_t room, const char *format, va_list args)
{
    int need = vsnprintf(out, room, format, args);
    if (need < 0 || (size_t)need < room) return;
    size_t size = room - 1, start = size;
    do start--;
    while (start > 0 && size - start < 4 && ((unsigned char)out[start] & 0xC0) == 0x80);
    if (output_utf8((const unsigned char *)out + start, size - start) == 0) out[start] = '\0';
}

/* One write a line, so that lines of several processes in a pipeline do not mix. Names of files and
 * what stands in them may be anybody's, and messages are read on terminals. */
static void say_line(const char *prefix, const char *middle, const char *format, va_list args)
{
    char line[2 * DD_MESSAGE_SIZE], shown[4 * DD_MESSAGE_SIZE];
    int used = snprintf(line, sizeof line, "%s%s: ", prefix, middle);
    if (used < 0 || (size_t)used >= sizeof line) used = 0;
    message_format(line + used, sizeof line - (size_t)used, format, args);
    printable_copy(shown, sizeof shown, line);
    fprintf(stderr, "%s\n", shown);
}

void say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say_line("dodona", "", format, args);
    va_end(args);
}

void say_warning(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say_line("dodona: ", "warning", format, args);
    va_end(args);
}

int say_usage(const char *who, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say_line("dodona ", who, format, args);
    va_end(args);
    return STATUS_USAGE;
}

int say_error(const dd_error *error)
{
    say("%s", *error->message ? error->message : dd_status_name(error->status));
    return error->status == DD_ERROR_ARGUMENT ? STATUS_USAGE : STATUS_PROBLEM;
}
