/* bits.h - sets of small numbers, as arrays of 64-bit words */
#ifndef DODONA_CORE_BITS_H
#define DODONA_CORE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline size_t dd_bits_row(size_t numbers)
{
    return (numbers + 63) / 64;
}

static inline bool dd_bits_has(const uint64_t *set, int at)
{
    return set[at / 64] >> (at % 64) & 1;
}

static inline void dd_bits_add(uint64_t *set, int at)
{
    set[at / 64] |= UINT64_C(1) << (at % 64);
}

static inline void dd_bits_drop(uint64_t *set, int at)
{
    set[at / 64] &= ~(UINT64_C(1) << (at % 64));
}

static inline void dd_bits_clear(uint64_t *set, size_t row)
{
    memset(set, 0, row * sizeof *set);
}

/* Adds first..last; nothing if last < first. */
static inline void dd_bits_add_run(uint64_t *set, int first, int last)
{
    for (int at = first; at <= last;) {
        if (at % 64 == 0 && last - at >= 63) {
            set[at / 64] = UINT64_MAX;
            at += 64;
        } else {
            dd_bits_add(set, at++);
        }
    }
}

/* Whether two sets have a number in common in those 64-bit words that hold `from` to `to`, so
 * perhaps one just outside of these. */
static inline bool dd_bits_meet(const uint64_t *a, const uint64_t *b, int from, int to)
{
    for (int i = from / 64; i <= to / 64; i++)
        if (a[i] & b[i]) return true;
    return false;
}

/* The smallest number in a 64-bit word that is not 0. */
static inline int dd_bits_lowest(uint64_t word)
{
    int at = 0;
    for (int half = 32; half; half /= 2) {
        if (word & ((UINT64_C(1) << half) - 1)) continue;
        word >>= half;
        at += half;
    }
    return at;
}

#endif
