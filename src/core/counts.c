#include "core/counts.h"

#include "core/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 18 };
static const uint64_t base = UINT64_C(1000000000000000000);

void dd_counts_free(dd_counts *counts)
{
    free(counts->limbs);
    *counts = (dd_counts){0};
}

void dd_counts_clear(dd_counts *counts)
{
    counts->size = 0;
    counts->width = 1;
}

bool dd_counts_append(dd_counts *counts, uint64_t value)
{
    size_t at = counts->size * counts->width;
    if (!DD_RESERVE(&counts->limbs, &counts->capacity, at + counts->width)) return false;
    memset(counts->limbs + at, 0, counts->width * sizeof *counts->limbs);
    counts->limbs[at] = value;
    counts->size++;
    return true;
}

/* One limb more for each number. */
static bool widen(dd_counts *counts)
{
    size_t old = counts->width, width = old + 1;
    if (!DD_RESERVE(&counts->limbs, &counts->capacity, counts->size * width)) return false;
    for (size_t i = counts->size; i-- > 0;) {
        memmove(counts->limbs + i * width, counts->limbs + i * old, old * sizeof *counts->limbs);
        counts->limbs[i * width + old] = 0;
    }
    counts->width = width;
    return true;
}

bool dd_counts_add(dd_counts *counts, size_t to, size_t from)
{
    uint64_t carry = 0;
    for (size_t limb = 0; limb < counts->width; limb++) {
        uint64_t *place = &counts->limbs[to * counts->width + limb];
        uint64_t sum = *place + counts->limbs[from * counts->width + limb] + carry;
        carry = sum >= base;
        *place = carry ? sum - base : sum;
    }
    if (!carry) return true;
    if (!widen(counts)) return false;
    counts->limbs[(to + 1) * counts->width - 1] = 1;
    return true;
}

char *dd_counts_text(const dd_counts *counts, size_t index)
{
    const uint64_t *limbs = counts->limbs + index * counts->width;
    size_t limb = counts->width - 1, room = counts->width * DIGITS + 1;
    char *text = dd_calloc(room, 1);
    if (!text) return NULL;
    while (limb > 0 && limbs[limb] == 0) limb--;
    size_t length = (size_t)snprintf(text, room, "%" PRIu64, limbs[limb]);
    while (limb-- > 0)
        length += (size_t)snprintf(text + length, room - length, "%018" PRIu64, limbs[limb]);
    return text;
}
