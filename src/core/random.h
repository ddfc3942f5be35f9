/* random.h - numbers that look random and are the same on every machine: random numbers by seed,
 * and hashes, which model files hold
 *
 * Random numbers are SplitMix64's (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
 * generators"). Each component has hash functions of its own: others would change its models. */
#ifndef DODONA_CORE_RANDOM_H
#define DODONA_CORE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* ---- seeded random numbers ---------------------------------------------------------------- */

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

/* ---- hashes of features ------------------------------------------------------------------- */

/* tagger and lemmatizer: 64 bits */

static inline uint64_t dd_hash_mix(uint64_t hash)
{
    hash ^= hash >> 32;
    hash *= UINT64_C(0xD6E8FEB86659FD93);
    hash ^= hash >> 32;
    return hash;
}

/* Adds a character. */
static inline uint64_t dd_hash_step(uint64_t hash, uint32_t character)
{
    return (hash ^ character) * UINT64_C(0x9E3779B97F4A7C15) + 0x165667B1;
}

/* A feature: what it is about and two values. All bits depend on all of them. */
static inline uint64_t dd_hash_feature(uint64_t kind, uint64_t first, uint64_t second)
{
    uint64_t hash = first * UINT64_C(0xC2B2AE3D27D4EB4F) + second * UINT64_C(0x9FB21C651E98DF25) +
                    (kind + 1) * UINT64_C(0x9E3779B97F4A7C15);
    return dd_hash_mix(dd_hash_mix(hash) + (kind << 7));
}

/* tokenizer: one value after the other, and 32 bits of all in the end */

static inline uint64_t dd_hash_join(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static inline uint32_t dd_hash_finish(uint64_t hash)
{
    return (uint32_t)(hash * UINT64_C(0xBF58476D1CE4E5B9) >> 32);
}

/* parser: 32 bits */

/* Hashes a small number; equal numbers of different kinds differ. */
static inline uint32_t dd_hash_number(uint64_t number, uint64_t kind)
{
    uint64_t mixed = (number + (kind << 56) + 1) * UINT64_C(0xD6E8FEB86659FD93);
    return (uint32_t)(mixed >> 32) ^ (uint32_t)mixed;
}

#endif
