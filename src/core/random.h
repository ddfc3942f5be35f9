/* random.h - seeded random numbers: the same seed gives the same sequence on every machine.
 * SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators"). */
#ifndef DODONA_CORE_RANDOM_H
#define DODONA_CORE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef struct dd_random {
    uint64_t state;
} dd_random;

static inline uint64_t dd_random_next(dd_random *random)
{
    uint64_t z = (random->state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Uniform in 0..bound-1 without bias; bound > 0. */
static inline uint32_t dd_random_below(dd_random *random, uint32_t bound)
{
    uint32_t reject = (uint32_t)(-bound) % bound;
    for (;;) {
        uint32_t draw = (uint32_t)(dd_random_next(random) >> 32);
        if (draw >= reject) return draw % bound;
    }
}

/* Uniform in [0, 1). */
static inline double dd_random_unit(dd_random *random)
{
    return (double)(dd_random_next(random) >> 11) * 0x1p-53;
}

/* Shuffles the numbers; every order is equally likely (Fisher and Yates). */
static inline void dd_shuffle(dd_random *random, uint32_t *numbers, size_t count)
{
    for (size_t left = count; left > 1; left--) {
        uint32_t pick = dd_random_below(random, (uint32_t)left), held = numbers[pick];
        numbers[pick] = numbers[left - 1];
        numbers[left - 1] = held;
    }
}

#endif
