#include "core/strings.h"

#include "core/memory.h"

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- buffers ------------------------------------------------------------------------------ */

void dd_buffer_free(dd_buffer *buffer)
{
    if (!buffer) return;
    free(buffer->data);
    *buffer = (dd_buffer){0};
}

bool dd_buffer_reserve(dd_buffer *buffer, size_t extra)
{
    if (extra > SIZE_MAX - buffer->size) return false;
    return DD_RESERVE(&buffer->data, &buffer->capacity, buffer->size + extra);
}

bool dd_buffer_append(dd_buffer *buffer, const void *data, size_t size)
{
    if (size == 0) return true;
    if (!dd_buffer_reserve(buffer, size)) return false;
    memcpy(buffer->data + buffer->size, data, size);
    buffer->size += size;
    return true;
}

bool dd_buffer_text(dd_buffer *buffer, const char *text)
{
    return dd_buffer_append(buffer, text, strlen(text));
}

bool dd_buffer_printf(dd_buffer *buffer, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int need = vsnprintf(NULL, 0, format, args);
    va_end(args);
    bool ok = need >= 0 && dd_buffer_reserve(buffer, (size_t)need + 1);
    if (ok) {
        vsnprintf(buffer->data + buffer->size, (size_t)need + 1, format, again);
        buffer->size += (size_t)need;
    }
    va_end(again);
    return ok;
}

static bool is_of_number(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+';
}

/* The program may have set a locale whose decimal point is a comma or has several bytes; files must
 * not depend on it. */
bool dd_buffer_real(dd_buffer *buffer, const char *format, double value)
{
    char text[400]; /* the largest double has 309 digits */
    char *to = text;
    int size = snprintf(text, sizeof text, format, value);
    if (size < 0 || (size_t)size >= sizeof text) return false;
    for (const char *at = text; *at; at++) {
        if (is_of_number(*at))
            *to++ = *at;
        else if (to > text && to[-1] != '.')
            *to++ = '.';
    }
    return dd_buffer_append(buffer, text, (size_t)(to - text));
}

/* strtod looks for the point of the locale that the program around the library has chosen. */
static bool localise(const char *text, char *out, size_t room)
{
    char sample[16]; /* "0.5" */
    size_t point = (size_t)snprintf(sample, sizeof sample, "%.1f", 0.5) - 2, size = 0;
    for (; *text; text++) {
        const char *bytes = *text == '.' ? sample + 1 : text;
        size_t count = *text == '.' ? point : 1;
        if (size + count >= room) return false;
        memcpy(out + size, bytes, count);
        size += count;
    }
    out[size] = '\0';
    return true;
}

bool dd_read_real(const char *text, double *out)
{
    char local[416], *end = local;
    /* strtod also accepts hexadecimal numbers, infinities and blanks, which are not wanted here. */
    bool digits = *text && strspn(text, "+-.eE0123456789") == strlen(text);
    if (digits && localise(text, local, sizeof local)) *out = strtod(local, &end);
    return end > local && !*end;
}

/* ---- vocabularies ------------------------------------------------------------------------- */

void dd_vocab_free(dd_vocab *vocab)
{
    free(vocab->bytes);
    free(vocab->starts);
    free(vocab->slots);
    *vocab = (dd_vocab){0};
}

dd_text dd_vocab_text(const dd_vocab *vocab, int id)
{
    uint32_t start = vocab->starts[id];
    return (dd_text){vocab->bytes + start, vocab->starts[id + 1] - start};
}

/* The slot that holds the string, or the free one where it would go. */
static size_t slot_of(const dd_vocab *vocab, dd_text text)
{
    size_t mask = vocab->slot_count - 1;
    size_t slot = (size_t)XXH3_64bits(text.data, text.size) & mask;
    while (vocab->slots[slot]) {
        dd_text held = dd_vocab_text(vocab, (int)vocab->slots[slot] - 1);
        if (dd_text_same(held, text)) break;
        slot = (slot + 1) & mask;
    }
    return slot;
}

int dd_vocab_find(const dd_vocab *vocab, dd_text text)
{
    if (vocab->count == 0) return -1;
    return (int)vocab->slots[slot_of(vocab, text)] - 1;
}

static void fill_slots(dd_vocab *vocab)
{
    for (int id = 0; id < vocab->count; id++)
        vocab->slots[slot_of(vocab, dd_vocab_text(vocab, id))] = (uint32_t)id + 1;
}

void dd_vocab_cut(dd_vocab *vocab, int count)
{
    if (count >= vocab->count) return;
    vocab->bytes_size = vocab->starts[count];
    vocab->count = count;
    memset(vocab->slots, 0, vocab->slot_count * sizeof *vocab->slots);
    fill_slots(vocab);
}

static bool grow_slots(dd_vocab *vocab)
{
    size_t count = vocab->slot_count ? vocab->slot_count * 2 : 64;
    uint32_t *slots = dd_calloc(count, sizeof *slots);
    if (!slots) return false;
    free(vocab->slots);
    vocab->slots = slots;
    vocab->slot_count = count;
    fill_slots(vocab);
    return true;
}

int dd_vocab_add(dd_vocab *vocab, dd_text text)
{
    int found = dd_vocab_find(vocab, text);
    if (found >= 0) return found;
    if (vocab->count == INT_MAX - 1 || text.size > UINT32_MAX - vocab->bytes_size) return -1;
    size_t count = (size_t)vocab->count;
    if (2 * (count + 1) > vocab->slot_count && !grow_slots(vocab)) return -1;
    if (!DD_RESERVE(&vocab->starts, &vocab->starts_capacity, count + 2)) return -1;
    if (!DD_RESERVE(&vocab->bytes, &vocab->bytes_capacity, vocab->bytes_size + text.size))
        return -1;
    size_t slot = slot_of(vocab, text);
    if (text.size) memcpy(vocab->bytes + vocab->bytes_size, text.data, text.size);
    vocab->starts[count] = (uint32_t)vocab->bytes_size;
    vocab->bytes_size += text.size;
    vocab->starts[count + 1] = (uint32_t)vocab->bytes_size;
    vocab->slots[slot] = (uint32_t)count + 1;
    return vocab->count++;
}
