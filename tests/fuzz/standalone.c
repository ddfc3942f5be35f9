/* Runs a fuzz target without libFuzzer: on the files named, or on seeded mutations of its seeds. */
#include "fuzz.h"

#include "core/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20000, MOST_EDITS = 6, ROOM = 1 << 18 };

/* Bytes that mean something to some reader are tried more often than others. */
static char draw_byte(dd_random *random)
{
    static const char telling[] = "\t\t\n\n\r #|=:_-.0123456789\0\xC3\xE2\xED\xF4\x80\xBF\xFF";
    if (dd_random_below(random, 4) == 0) return (char)dd_random_below(random, 256);
    return telling[dd_random_below(random, sizeof telling - 1)];
}

/* Flips, inserts, deletes, or copies a stretch behind itself; returns the new size. */
static size_t edit(dd_random *random, char *bytes, size_t size)
{
    size_t at = dd_random_below(random, (uint32_t)size + 1), left = size - at;
    size_t stretch = left ? 1 + dd_random_below(random, left < 80 ? (uint32_t)left : 80) : 0;
    switch (dd_random_below(random, 5)) {
    case 0:
        if (left) bytes[at] = draw_byte(random);
        return size;
    case 1:
        memmove(bytes + at + 1, bytes + at, left);
        bytes[at] = draw_byte(random);
        return size + 1;
    case 2:
        if (left) memmove(bytes + at, bytes + at + 1, left - 1);
        return left ? size - 1 : size;
    case 3: memmove(bytes + at, bytes + at + stretch, left - stretch); return size - stretch;
    default: memmove(bytes + at + stretch, bytes + at, left); return size + stretch;
    }
}

static void run_exact(const char *bytes, size_t size)
{
    /* A block of just that size, so that a sanitizer sees every step beyond it. */
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) abort();
    memcpy(copy, bytes, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void run_mutations(void)
{
    char *bytes = malloc(ROOM);
    if (!bytes) abort();
    size_t seeds = 0;
    while (fuzz_seed_at(seeds).data) seeds++;
    dd_random random = {1};
    for (int round = 0; round < ROUNDS; round++) {
        fuzz_seed seed = fuzz_seed_at((size_t)round % seeds);
        size_t size = seed.size;
        if (size + 100 * MOST_EDITS > ROOM) abort();
        memcpy(bytes, seed.data, size);
        uint32_t edits = dd_random_below(&random, MOST_EDITS + 1);
        for (uint32_t i = 0; i < edits; i++) size = edit(&random, bytes, size);
        run_exact(bytes, size);
    }
    free(bytes);
}

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    char *bytes = malloc(ROOM);
    if (!bytes) abort();
    run_exact(bytes, fread(bytes, 1, ROOM, file));
    free(bytes);
    fclose(file);
    return 0;
}

int main(int count, char **arguments)
{
    int failed = 0;
    for (int i = 1; i < count; i++) failed |= run_file(arguments[i]);
    if (count > 1) return failed;
    puts("1..1");
    fflush(stdout); /* so that an abort behind it is seen as a missing test */
    run_mutations();
    printf("ok 1 - %d mutations\n", ROUNDS);
    return 0;
}
