/* hash.h - numbers for features; the same on every machine, as model files hold them */
#ifndef DODONA_TAG_HASH_H
#define DODONA_TAG_HASH_H

#include <stdint.h>

static inline uint64_t dd_hash_mix(uint64_t hash)
{
    hash ^= hash >> 32;
    hash *= UINT64_C(0xD6E8FEB86659FD93);
    hash ^= hash >> 32;
    return hash;
}

/* One character more. */
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

#endif
