/* fuzz.h - one fuzz target: whatever the bytes, it returns 0 or aborts.
 *
 * Built as it is into a plain test (standalone.c mutates the target's seeds), and with
 * clang -fsanitize=fuzzer, without standalone.c, into a libFuzzer program. */
#ifndef DODONA_TESTS_FUZZ_H
#define DODONA_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct fuzz_seed {
    const char *data;
    size_t size;
} fuzz_seed;

/* The i-th valid input to start from; data NULL behind the last. Each target defines it. */
fuzz_seed fuzz_seed_at(size_t index);

#endif
