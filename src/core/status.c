#include "core/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *dd_version(void)
{
    return DODONA_VERSION;
}

/* ---- cutting between characters ----------------------------------------------------------- */

enum { LONGEST_FORMAT = 256 };

typedef struct arguments {
    va_list list;
} arguments;

static bool is_within_character(const char *at)
{
    return ((unsigned char)*at & 0xC0) == 0x80;
}

/* How much of a text to show if there is room for `most` bytes. */
static size_t whole_characters(const char *text, size_t most)
{
    if (strnlen(text, most) < most) return most;
    size_t size = most;
    while (size > 0 && most - size < 3 && is_within_character(text + size)) size--;
    return is_within_character(text + size) ? most : size; /* else it is no UTF-8 */
}

/* A width or precision that is an argument of its own. */
static void skip_stars(const char *start, const char *end, arguments *args)
{
    for (; start < end; start++)
        if (*start == '*') (void)va_arg(args->list, int);
}

/* The argument of a conversion other than %s, whose letter is at `end`. */
static void skip_number(const char *end, arguments *args)
{
    if (*end == 'p')
        (void)va_arg(args->list, void *);
    else if (strchr("aAeEfFgG", *end))
        (void)va_arg(args->list, double);
    else if (end[-1] == 'z')
        (void)va_arg(args->list, size_t);
    else if (end[-1] == 'l' && end[-2] == 'l')
        (void)va_arg(args->list, long long);
    else if (end[-1] == 'l')
        (void)va_arg(args->list, long);
    else
        (void)va_arg(args->list, int);
}

/* Shortens the precision of a conversion, which stands between '%' and its letter. It keeps its
 * number of digits: a precision may begin with 0. */
static void fit_string(char *start, char *end, arguments *args)
{
    const char *text = va_arg(args->list, const char *);
    char *point = memchr(start, '.', (size_t)(end - start));
    if (!text || !point || point[1] == '*') return;
    size_t size = whole_characters(text, strtoul(point + 1, NULL, 10));
    for (char *digit = end - 1; digit > point; digit--, size /= 10)
        *digit = (char)('0' + size % 10);
}

/* In a copy of a format, lets precisions such as that of %.300s end between characters. */
static void fit_precisions(char *format, arguments *args)
{
    for (char *start = format; (start = strchr(start, '%'));) {
        char *end = start + 1 + strcspn(start + 1, "%aAcdeEfFgGiopsuxX");
        if (!*end) return;
        skip_stars(start, end, args);
        if (*end == 's')
            fit_string(start, end, args);
        else if (*end != '%')
            skip_number(end, args);
        start = end + 1;
    }
}

/* Of a text that was cut; only its end tells whether that was within a character. */
static void trim_end(char *text)
{
    size_t size = strlen(text), start = size;
    while (start > 0 && size - start < 3 && is_within_character(text + start - 1)) start--;
    if (start == 0) return;
    unsigned char lead = (unsigned char)text[--start];
    size_t want = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (size - start < want) text[start] = '\0';
}

void dd_format_message(char *out, size_t room, const char *format, va_list list)
{
    char own[LONGEST_FORMAT];
    arguments args;
    size_t size = strlen(format);
    if (size < sizeof own && strstr(format, "%.")) {
        memcpy(own, format, size + 1);
        va_copy(args.list, list);
        fit_precisions(own, &args);
        va_end(args.list);
        format = own;
    }
    int need = vsnprintf(out, room, format, list);
    if (need > 0 && (size_t)need >= room) trim_end(out);
}

size_t dd_print_message(char *out, size_t room, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    dd_format_message(out, room, format, args);
    va_end(args);
    return strlen(out);
}

/* ---- errors ------------------------------------------------------------------------------- */

static dd_status set(dd_error *error, dd_status status, uint64_t line, int column,
                     const char *prefix, const char *format, va_list args)
{
    if (!error) return status;
    error->status = status;
    error->line = line;
    error->column = column;
    size_t used = strlen(prefix);
    memcpy(error->message, prefix, used + 1);
    dd_format_message(error->message + used, sizeof error->message - used, format, args);
    return status;
}

dd_status dd_fail(dd_error *error, dd_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set(error, status, 0, 0, "", format, args);
    va_end(args);
    return status;
}

const char *dd_column_name(int column)
{
    static const char *const names[DD_COLUMNS] = {"ID",    "FORM", "LEMMA",  "UPOS", "XPOS",
                                                  "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"};
    return column >= 0 && column < DD_COLUMNS ? names[column] : NULL;
}

dd_status dd_fail_at(dd_error *error, dd_status status, const char *file, uint64_t line, int column,
                     const char *format, ...)
{
    char prefix[DD_MESSAGE_SIZE];
    char place[48] = "";
    const char *name = dd_column_name(column - 1);
    if (column > 0)
        snprintf(place, sizeof place, "column %d (%s): ", column, name ? name : "beyond the tenth");
    /* The file's name is cut so that the reason always has room. */
    dd_print_message(prefix, sizeof prefix, "%.300s:%llu: %s", file, (unsigned long long)line,
                     place);
    va_list args;
    va_start(args, format);
    set(error, status, line, column, prefix, format, args);
    va_end(args);
    return status;
}

dd_status dd_fail_memory(dd_error *error)
{
    return dd_fail(error, DD_ERROR_MEMORY, "out of memory");
}
