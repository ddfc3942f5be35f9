#include "message.h"

#include "cmd.h"
#include "dodona_tools.h"
#include "output.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- what a terminal may be shown ------------------------------------------------------------ */

/* Of well-formed UTF-8. */
static uint32_t decode(const unsigned char *at, size_t size)
{
    static const unsigned char lead[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t code = at[0] & lead[size];
    for (size_t i = 1; i < size; i++) code = code << 6 | (at[i] & 0x3Fu);
    return code;
}

static bool is_command(uint32_t code)
{
    bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    bool direction = code == 0x061C || code == 0x200E || code == 0x200F ||
                     (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return control || direction || code == 0x2028 || code == 0x2029;
}

size_t printable_next(dd_text text, bool lines, char escape[PRINTABLE_ESCAPE])
{
    const unsigned char *at = (const unsigned char *)text.data;
    size_t size = output_utf8(at, text.size);
    escape[0] = '\0';
    if (size == 0) {
        snprintf(escape, PRINTABLE_ESCAPE, "\\x%02x", at[0]);
        return 1;
    }
    uint32_t code = decode(at, size);
    bool plain = !is_command(code) || code == '\t' || (code == '\n' && lines);
    if (!plain) snprintf(escape, PRINTABLE_ESCAPE, "\\u%04x", (unsigned)code & 0xFFFF);
    return size;
}

void printable_copy(char *out, size_t room, const char *text)
{
    dd_text rest = {text, strlen(text)};
    size_t used = 0;
    while (rest.size > 0) {
        char escape[PRINTABLE_ESCAPE];
        size_t size = printable_next(rest, false, escape);
        size_t shown = escape[0] ? strlen(escape) : size;
        if (used + shown >= room) break;
        memcpy(out + used, escape[0] ? escape : rest.data, shown);
        used += shown;
        rest = (dd_text){rest.data + size, rest.size - size};
    }
    out[used] = '\0';
}

/* ---- what may have been meant ---------------------------------------------------------------- */

suggestion suggest_for(const char *wanted, size_t size)
{
    return (suggestion){wanted, size, NULL, INT_MAX};
}

void suggest_consider(suggestion *best, const char *known)
{
    int slips = dd_misspelling(best->wanted, best->size, known);
    if (slips < 0 || slips >= best->slips) return;
    best->nearest = known;
    best->slips = slips;
}

/* ---- names of columns ------------------------------------------------------------------------ */

column_list columns_listed(uint32_t columns)
{
    column_list list = {""};
    size_t used = 0;
    for (int c = 0; c < DD_COLUMNS; c++) {
        if (!(columns >> c & 1)) continue;
        bool last = columns >> c == 1;
        const char *before = used == 0 ? "" : last ? " and " : ", ";
        used += (size_t)snprintf(list.text + used, sizeof list.text - used, "%s%s", before,
                                 dd_column_name(c));
    }
    return list;
}

/* ---- messages -------------------------------------------------------------------------------- */

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

void say_note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say_line("dodona: ", "note", format, args);
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
