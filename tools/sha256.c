#include "sha256.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64 };

/* Section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64
 * primes. */
static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t word, int by)
{
    return word >> by | word << (32 - by);
}

/* The message schedule, section 6.2.2, step 1. */
static void expand(const unsigned char block[BLOCK], uint32_t words[ROUNDS])
{
    for (int t = 0; t < 16; t++)
        words[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
                   (uint32_t)block[4 * t + 2] << 8 | (uint32_t)block[4 * t + 3];
    for (int t = 16; t < ROUNDS; t++) {
        uint32_t a = words[t - 15], b = words[t - 2];
        uint32_t small0 = rotate(a, 7) ^ rotate(a, 18) ^ a >> 3;
        uint32_t small1 = rotate(b, 17) ^ rotate(b, 19) ^ b >> 10;
        words[t] = words[t - 16] + small0 + words[t - 7] + small1;
    }
}

/* Steps 2 to 4; v holds a..h. */
static void mix(uint32_t state[8], const unsigned char block[BLOCK])
{
    uint32_t words[ROUNDS], v[8];
    expand(block, words);
    memcpy(v, state, sizeof v);
    for (int t = 0; t < ROUNDS; t++) {
        uint32_t large1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t one = v[7] + large1 + choice + constants[t] + words[t];
        uint32_t large0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
        uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one;
        v[0] = one + large0 + majority;
    }
    for (int i = 0; i < 8; i++) state[i] += v[i];
}

void sha256_start(sha256 *hash)
{
    static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(hash->state, first, sizeof first);
    hash->size = 0;
}

void sha256_add(sha256 *hash, const void *data, size_t size)
{
    const unsigned char *at = data;
    while (size > 0) {
        size_t used = hash->size % BLOCK, part = BLOCK - used < size ? BLOCK - used : size;
        memcpy(hash->block + used, at, part);
        hash->size += part;
        at += part;
        size -= part;
        if (hash->size % BLOCK == 0) mix(hash->state, hash->block);
    }
}

/* A bit 1, zeros, and the size in bits, so that the last block is full (section 5.1.1). */
void sha256_finish(sha256 *hash, char text[SHA256_TEXT])
{
    static const unsigned char padding[BLOCK] = {0x80};
    uint64_t bits = 8 * hash->size;
    size_t used = hash->size % BLOCK, gap = (used < 56 ? 56 : 56 + BLOCK) - used;
    unsigned char size[8];
    for (int i = 0; i < 8; i++) size[i] = (unsigned char)(bits >> (56 - 8 * i));
    sha256_add(hash, padding, gap);
    sha256_add(hash, size, sizeof size);
    for (int i = 0; i < 8; i++) snprintf(text + 8 * i, 9, "%08x", (unsigned)hash->state[i]);
}

bool sha256_file(const char *path, char text[SHA256_TEXT])
{
    unsigned char piece[1 << 14];
    sha256 hash;
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    sha256_start(&hash);
    for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;)
        sha256_add(&hash, piece, got);
    int problem = ferror(file) ? errno : 0;
    fclose(file);
    if (problem) {
        errno = problem;
        return false;
    }
    sha256_finish(&hash, text);
    return true;
}
