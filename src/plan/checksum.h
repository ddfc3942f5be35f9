/* checksum.h - XXH128 of bytes that come in pieces, as `xxh128sum` prints it. It tells accidents
 * apart, not malice. */
#ifndef DODONA_PLAN_CHECKSUM_H
#define DODONA_PLAN_CHECKSUM_H

#include "core/status.h"

#include <xxhash.h>

enum { DD_CHECKSUM_SIZE = 33 /* 32 hexadecimal digits and NUL */ };

typedef struct dd_checksum {
    XXH3_state_t *state;
    uint64_t bytes; /* so far */
} dd_checksum;

/* False: allocation failed. */
bool dd_checksum_start(dd_checksum *sum);
void dd_checksum_add(dd_checksum *sum, dd_text bytes);
/* Frees it; `text` may be NULL. */
void dd_checksum_end(dd_checksum *sum, char text[DD_CHECKSUM_SIZE]);

/* Of a whole file, as it is, and its size. */
dd_status dd_checksum_file(const char *path, uint64_t *bytes, char text[DD_CHECKSUM_SIZE],
                           dd_error *error);

#endif
