/* strings.h - comparing and cutting texts, which need not end in a NUL */
#ifndef DODONA_CORE_STRINGS_H
#define DODONA_CORE_STRINGS_H

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

static inline bool dd_text_begins(dd_text text, const char *start)
{
    size_t size = strlen(start);
    return text.size >= size && dd_text_same((dd_text){text.data, size}, (dd_text){start, size});
}

/* A file's name alone: where it was is nobody's business. */
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

/* Cuts the text at the first mark: `before` is what stands before it, what follows stays. False,
 * with nothing cut, if there is no mark. */
static inline bool dd_text_cut_at(dd_text *rest, char mark, dd_text *before)
{
    const char *at = rest->size ? memchr(rest->data, mark, rest->size) : NULL;
    if (!at) return false;
    *before = (dd_text){rest->data, (size_t)(at - rest->data)};
    *rest = dd_text_skip(*rest, before->size + 1);
    return true;
}

/* The same; where there is no mark all is cut off. */
static inline dd_text dd_text_cut(dd_text *rest, char mark)
{
    dd_text before = *rest;
    if (!dd_text_cut_at(rest, mark, &before)) *rest = dd_text_skip(*rest, rest->size);
    return before;
}

#endif
