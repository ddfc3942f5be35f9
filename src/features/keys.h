/* keys.h - hashing values into keys: groups of templates side by side
 *
 * There is a plain version and one for processors with AVX2; both give the same keys. */
#ifndef DODONA_FEATURES_KEYS_H
#define DODONA_FEATURES_KEYS_H

#include "features/templates.h"

/* A dd_hash_keys makes the keys of the lanes in `present`, in order, without gaps, and returns how
 * many. `base`: what is added to the key of each lane, or NULL. keys has room for a group beyond
 * the last. */

/* The fastest that this processor has. */
dd_hash_keys *dd_keys_hasher(void);
/* For tests: those that it has, the plain one first; NULL beyond the last. */
dd_hash_keys *dd_keys_version(int version);

#endif
