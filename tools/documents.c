#include "documents.h"

#include "heap.h"
#include "message.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one name ----------------------------------------------------------------------------- */

static bool is_white(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* A name may be any bytes, and stands in a comment: `_` for what would not be shown, and for white
 * space if that may not be there. */
static char *clean(const char *name, size_t size, bool spaces)
{
    char *out = heap_zeroed(size + 1, 1);
    size_t used = 0;
    for (size_t at = 0; at < size;) {
        char escape[PRINTABLE_ESCAPE];
        size_t step = printable_next((dd_text){name + at, size - at}, false, escape);
        bool kept = !escape[0] && name[at] != '\t' && (spaces || !is_white(name[at]));
        if (kept) memcpy(out + used, name + at, step);
        if (!kept) out[used] = '_';
        used += kept ? step : 1;
        at += step;
    }
    return out;
}

static const char *shown(const char *path)
{
    return strcmp(path, "-") == 0 ? "stdin" : path;
}

/* Without its last ending; a name that is nothing but an ending keeps it. */
static size_t size_without_ending(const char *name, size_t size)
{
    size_t at = size;
    while (at > 0 && name[at - 1] != '.') at--;
    return at > 1 ? at - 1 : size;
}

/* "texts/a b.txt.gz" -> "a_b" */
static char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    size_t size = strlen(name);
    bool packed = (size > 3 && strcmp(name + size - 3, ".gz") == 0) ||
                  (size > 4 && strcmp(name + size - 4, ".zst") == 0);
    if (packed) size = size_without_ending(name, size);
    return clean(name, size_without_ending(name, size), false);
}

/* ---- no two the same ---------------------------------------------------------------------- */

/* The names so far, by their hashes; at most half of the places are taken. */
typedef struct known {
    const char **at; /* [size] */
    size_t size;     /* a power of 2 */
} known;

static size_t place_of(const known *names, const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (const char *c = name; *c; c++) hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    size_t place = (size_t)(hash ^ hash >> 32) & (names->size - 1);
    while (names->at[place] && strcmp(names->at[place], name) != 0)
        place = (place + 1) & (names->size - 1);
    return place;
}

/* Replaces a name that is known by NAME-2, NAME-3 .., whichever is not. */
static void make_new(known *names, char **name)
{
    size_t place = place_of(names, *name), room = strlen(*name) + 24;
    if (names->at[place]) {
        char *other = heap_zeroed(room, 1);
        for (unsigned long long number = 2; names->at[place]; number++) {
            snprintf(other, room, "%s-%llu", *name, number);
            place = place_of(names, other);
        }
        free(*name);
        *name = other;
    }
    names->at[place] = *name;
}

static void make_all_new(char **names, size_t count)
{
    known so_far = {.size = 2};
    while (so_far.size < 2 * count) so_far.size *= 2;
    so_far.at = heap_zeroed(so_far.size, sizeof *so_far.at);
    for (size_t i = 0; i < count; i++) make_new(&so_far, &names[i]);
    free(so_far.at);
}

void documents_name(documents *out, const operands *files)
{
    *out = (documents){0};
    if (files->count < 2) return;
    out->count = files->count;
    out->ids = heap_zeroed(out->count, sizeof *out->ids);
    out->prefixes = heap_zeroed(out->count, sizeof *out->prefixes);
    for (size_t i = 0; i < out->count; i++) {
        const char *name = shown(files->at[i]);
        out->ids[i] = clean(name, strlen(name), true);
        out->prefixes[i] = stem_of(name);
    }
    make_all_new(out->ids, out->count);
    make_all_new(out->prefixes, out->count);
}

void documents_free(documents *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->ids[i]);
        free(names->prefixes[i]);
    }
    free(names->ids);
    free(names->prefixes);
}
