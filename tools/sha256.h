/* sha256.h - SHA-256 (FIPS 180-4), by which a downloaded file is compared with what was offered. It
 * takes a seventh of a second for the largest model, of 14 MB; libcrypto, which takes a third of
 * that, is 4.7 MB that nothing else here needs. */
#ifndef TOOLS_SHA256_H
#define TOOLS_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sha256 {
    uint32_t state[8];
    uint64_t size; /* bytes so far */
    unsigned char block[64];
} sha256;

enum { SHA256_TEXT = 65 /* 64 hexadecimal digits and NUL */ };

void sha256_start(sha256 *hash);
void sha256_add(sha256 *hash, const void *data, size_t size);
/* In lower case. The hash must be started again before it is used again. */
void sha256_finish(sha256 *hash, char text[SHA256_TEXT]);

/* Of a whole file; false with errno where it cannot be read. */
bool sha256_file(const char *path, char text[SHA256_TEXT]);

#endif
