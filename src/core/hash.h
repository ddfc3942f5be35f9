/* hash.h - numbers for features; the same on every machine, as model files hold them
 *
 * Each component has mixers of its own: another one would change what its models hold. */
#ifndef DODONA_CORE_HASH_H
#define DODONA_CORE_HASH_H

#include <stdint.h>

/* ---- tagger and lemmatizer: 64 bits ---- */

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

/* ---- tokenizer: one value after the other, and 32 bits of all in the end ---- */

static inline uint64_t dd_hash_join(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static inline uint32_t dd_hash_finish(uint64_t hash)
{
    return (uint32_t)(hash * UINT64_C(0xBF58476D1CE4E5B9) >> 32);
}

/* ---- parser: 32 bits ---- */

/* Hashes a small number; equal numbers of different kinds differ. */
static inline uint32_t dd_hash_number(uint64_t number, uint64_t kind)
{
    uint64_t mixed = (number + (kind << 56) + 1) * UINT64_C(0xD6E8FEB86659FD93);
    return (uint32_t)(mixed >> 32) ^ (uint32_t)mixed;
}

#endif
