#include "core/status.h"

#include <dodona_tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *dd_version(void)
{
    return DODONA_VERSION;
}

const char *dd_status_name(dd_status status)
{
    static const char *const names[] = {
        [DD_OK] = "success",
        [DD_END] = "end of input",
        [DD_INTERRUPTED] = "interrupted",
        [DD_ERROR_MEMORY] = "out of memory",
        [DD_ERROR_IO] = "input/output error",
        [DD_ERROR_FORMAT] = "malformed text",
        [DD_ERROR_DATA] = "unusable data",
        [DD_ERROR_MODEL] = "damaged model",
        [DD_ERROR_ARGUMENT] = "invalid argument",
    };
    bool known = (size_t)status < sizeof names / sizeof *names;
    return known ? names[status] : "unknown status";
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
    return is_within_character(text + size) ? most : size; /* otherwise the text is not UTF-8 */
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

/* Reduces the precision of a conversion, which stands between '%' and its letter. The number of
 * digits stays the same: a precision may begin with 0. */
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

/* Removes an incomplete character from the end of a text that was cut. */
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

dd_status dd_fail_io(dd_error *error, const char *name, int code)
{
    char reason[128];
    /* strerror() may share its buffer between threads. */
    if (strerror_r(code, reason, sizeof reason) != 0) memcpy(reason, "unknown error", 14);
    return dd_fail(error, DD_ERROR_IO, "%.300s: %s", name, reason);
}

/* ---- suggestions -------------------------------------------------------------------------- */

enum { LONGEST = 40 /* bytes; longer words get no suggestion */ };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, substitutions and swaps of neighbours (Damerau-Levenshtein, with no edit
 * of a swapped pair). Both sizes are at most LONGEST. */
static int distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
    int table[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= a_size; i++) table[i][0] = (int)i;
    for (size_t j = 0; j <= b_size; j++) table[0][j] = (int)j;
    for (size_t i = 1; i <= a_size; i++) {
        for (size_t j = 1; j <= b_size; j++) {
            int change = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            int best = least(change, least(table[i - 1][j], table[i][j - 1]) + 1);
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) best = least(best, table[i - 2][j - 2] + 1);
            table[i][j] = best;
        }
    }
    return table[a_size][b_size];
}

int dd_misspelling(const char *written, size_t size, const char *known)
{
    size_t known_size = strlen(known);
    if (size > LONGEST || known_size > LONGEST) return -1;
    /* A prefix of a word is not misspelt, but it is clear what was meant. */
    if (size >= 3 && size < known_size && strncmp(known, written, size) == 0) return 1;
    /* One error in three letters is still likely to be a misspelling; beyond that a guess misleads.
     */
    int slips = distance(written, size, known, known_size);
    return slips <= (int)(size + 2) / 3 ? slips : -1;
}

void dd_guess_consider(dd_guess *guess, const char *written, size_t size, const char *known)
{
    int slips = dd_misspelling(written, size, known);
    if (slips < 0 || (guess->word && slips >= guess->slips)) return;
    *guess = (dd_guess){known, slips};
}

dd_hint dd_guess_hint(dd_guess guess, const char *before)
{
    dd_hint hint = {""};
    if (guess.word)
        snprintf(hint.text, sizeof hint.text, "; did you mean %s'%s'?", before, guess.word);
    return hint;
}
