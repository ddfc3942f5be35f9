#include "core/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *dd_version(void)
{
    return DODONA_VERSION;
}

/* A message cut at the end of its room must not end within a UTF-8 character. */
static void trim_partial_character(char *text)
{
    size_t size = strlen(text);
    size_t start = size;
    while (start > 0 && size - start < 4 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0) return;
    unsigned char lead = (unsigned char)text[start - 1];
    size_t want = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (size - (start - 1) < want) text[start - 1] = '\0';
}

static dd_status set(dd_error *error, dd_status status, uint64_t line, int column,
                     const char *prefix, const char *format, va_list args)
{
    if (!error) return status;
    error->status = status;
    error->line = line;
    error->column = column;
    size_t used = strlen(prefix);
    memcpy(error->message, prefix, used + 1);
    vsnprintf(error->message + used, sizeof error->message - used, format, args);
    trim_partial_character(error->message);
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
    snprintf(prefix, sizeof prefix, "%.300s:%llu: %s", file, (unsigned long long)line, place);
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
