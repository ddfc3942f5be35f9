/* keys.h - hashing values into keys: groups of templates side by side
 *
 * A key is the sum of the template's values, each times a factor of its own. Each template has a
 * lane, and DD_KEY_LANES of them are a group. */
#ifndef DODONA_KERNELS_KEYS_H
#define DODONA_KERNELS_KEYS_H

#include <stdint.h>

enum {
    DD_MAX_TEMPLATES = 1024,
    DD_MAX_ITEMS = 8, /* in a template */
    DD_MAX_TERMS = DD_MAX_TEMPLATES * DD_MAX_ITEMS + DD_MAX_TEMPLATES,
    DD_KEY_LANES = 8, /* templates hashed side by side */
    DD_MAX_GROUPS = DD_MAX_TEMPLATES / DD_KEY_LANES,
};

/* A set of templates, by their lanes. */
typedef struct dd_lane_set {
    uint64_t words[DD_MAX_TEMPLATES / 64];
} dd_lane_set;

/* Values times factors, to be added to the keys of a group of templates. */
typedef struct dd_terms {
    uint16_t first[DD_MAX_GROUPS + 2]; /* terms of the i-th group start here; an even number */
    uint16_t places[DD_MAX_TERMS];     /* in the values */
    uint32_t factors[DD_MAX_TERMS][DD_KEY_LANES]; /* 0 where the template lacks the value */
} dd_terms;

/* Makes the keys of the lanes in `present`, in order, without gaps, and returns how many. `base`:
 * what is added to the key of each lane, or NULL. keys has room for a group beyond the last. */
typedef int dd_hash_keys(const dd_terms *terms, int n_groups, const uint32_t *values,
                         const uint32_t *base, const dd_lane_set *present, uint32_t *keys);

dd_hash_keys dd_hash_keys_plain, dd_hash_keys_avx2;

#endif
