/* strings.h - texts, which are views of bytes and need not end in a NUL; buffers, which own bytes
 * and grow; vocabularies, which number strings from 0 in the order in which they were first added
 */
#ifndef DODONA_CORE_STRINGS_H
#define DODONA_CORE_STRINGS_H

#include "core/status.h"

#include <dodona.h>
#include <string.h>

static inline bool dd_text_same(dd_text a, dd_text b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static inline bool dd_text_is(dd_text text, const char *word)
{
    return dd_text_same(text, (dd_text){word, strlen(word)});
}

static inline bool dd_ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), tail = strlen(end);
    return size >= tail && memcmp(text + size - tail, end, tail) == 0;
}

static inline bool dd_text_begins(dd_text text, const char *start)
{
    size_t size = strlen(start);
    return text.size >= size && dd_text_same((dd_text){text.data, size}, (dd_text){start, size});
}

/* The name of a file without its folders, for messages and models that others will read. */
static inline const char *dd_last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* What is left without the first `size` bytes. */
static inline dd_text dd_text_skip(dd_text text, size_t size)
{
    return (dd_text){text.data + size, text.size - size};
}

static inline bool dd_is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* The text without blanks and tabs at both ends. */
static inline dd_text dd_text_trim(dd_text text)
{
    while (text.size && dd_is_blank(text.data[0])) text.data++, text.size--;
    while (text.size && dd_is_blank(text.data[text.size - 1])) text.size--;
    return text;
}

/* Cuts the text at the first mark: *before is the part in front of it, and *rest the part behind
 * it. Returns false and cuts nothing if there is no mark. */
static inline bool dd_text_cut_at(dd_text *rest, char mark, dd_text *before)
{
    const char *at = rest->size ? memchr(rest->data, mark, rest->size) : NULL;
    if (!at) return false;
    *before = (dd_text){rest->data, (size_t)(at - rest->data)};
    *rest = dd_text_skip(*rest, before->size + 1);
    return true;
}

/* The same; without a mark *rest becomes empty and the whole text is returned. */
static inline dd_text dd_text_cut(dd_text *rest, char mark)
{
    dd_text before = *rest;
    if (!dd_text_cut_at(rest, mark, &before)) *rest = dd_text_skip(*rest, rest->size);
    return before;
}

/* ---- buffers ------------------------------------------------------------------------------ */

/* All return false, and leave the buffer as it was, if allocation fails. */
bool dd_buffer_reserve(dd_buffer *buffer, size_t extra);
bool dd_buffer_append(dd_buffer *buffer, const void *data, size_t size);
bool dd_buffer_text(dd_buffer *buffer, const char *text);
bool dd_buffer_printf(dd_buffer *buffer, const char *format, ...) DD_PRINTF(2, 3);
/* Appends a number in a format such as "%.2f", with a decimal point in every locale. */
bool dd_buffer_real(dd_buffer *buffer, const char *format, double value);
/* Reads a decimal number, with a decimal point in every locale; false if the text is not a number,
 * or is very long. */
bool dd_read_real(const char *text, double *out);

/* ---- vocabularies ------------------------------------------------------------------------- */

typedef struct dd_vocab {
    char *bytes; /* the strings, one behind the other */
    size_t bytes_size, bytes_capacity;
    uint32_t *starts; /* [count + 1] offsets in bytes */
    size_t starts_capacity;
    uint32_t *slots; /* [slot_count] id + 1, 0 = free; slot_count is a power of two */
    size_t slot_count;
    int count;
} dd_vocab; /* {0} is empty and valid */

void dd_vocab_free(dd_vocab *vocab);
/* The string's number, added if new; -1 if allocation fails. */
int dd_vocab_add(dd_vocab *vocab, dd_text text);
/* The string's number, -1 if it is not there. */
int dd_vocab_find(const dd_vocab *vocab, dd_text text);
dd_text dd_vocab_text(const dd_vocab *vocab, int id);
/* Keeps the first `count` strings and removes the others. */
void dd_vocab_cut(dd_vocab *vocab, int count);

#endif
