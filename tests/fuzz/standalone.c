/* Runs a fuzz target without libFuzzer:
 *
 *     fuzz_NAME                           a test: seeded mutations of the target's seeds
 *     fuzz_NAME FILE...                   these inputs
 *     fuzz_NAME --seeds FOLDER            writes the seeds as files, for libFuzzer to start from
 *     fuzz_NAME --for SECONDS SEED FILE   mutations for that long; FILE holds the last input, which
 *                                         is the one that ended the program if one did */
#include "fuzz.h"

#include "core/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

/* A seed with some edits; returns its size. */
static size_t mutate(dd_random *random, size_t round, size_t seeds, char *bytes)
{
    fuzz_seed seed = fuzz_seed_at(round % seeds);
    size_t size = seed.size;
    if (size + 100 * MOST_EDITS > ROOM) abort();
    memcpy(bytes, seed.data, size);
    uint32_t edits = dd_random_below(random, MOST_EDITS + 1);
    for (uint32_t i = 0; i < edits; i++) size = edit(random, bytes, size);
    return size;
}

static size_t count_seeds(void)
{
    size_t seeds = 0;
    while (fuzz_seed_at(seeds).data) seeds++;
    return seeds;
}

static void run_mutations(void)
{
    char *bytes = malloc(ROOM);
    if (!bytes) abort();
    size_t seeds = count_seeds();
    dd_random random = {1};
    for (size_t round = 0; round < ROUNDS; round++)
        run_exact(bytes, mutate(&random, round, seeds, bytes));
    free(bytes);
}

/* ---- a campaign ---------------------------------------------------------------------------- */

static int fail(const char *path)
{
    perror(path);
    return 1;
}

static int write_seeds(const char *folder)
{
    for (size_t i = 0; fuzz_seed_at(i).data; i++) {
        char path[4096];
        fuzz_seed seed = fuzz_seed_at(i);
        snprintf(path, sizeof path, "%s/seed-%zu", folder, i);
        FILE *file = fopen(path, "wb");
        if (!file || fwrite(seed.data, 1, seed.size, file) != seed.size || fclose(file) != 0)
            return fail(path);
    }
    return 0;
}

static int run_for(double seconds, uint64_t seed, const char *path)
{
    char *bytes = malloc(ROOM);
    FILE *file = fopen(path, "wb");
    if (!bytes || !file) return fail(path);
    size_t seeds = count_seeds(), round = 0;
    dd_random random = {seed};
    time_t start = time(NULL);
    for (; difftime(time(NULL), start) < seconds; round++) {
        size_t size = mutate(&random, round, seeds, bytes);
        if (pwrite(fileno(file), bytes, size, 0) != (ssize_t)size ||
            ftruncate(fileno(file), (off_t)size) != 0)
            return fail(path);
        run_exact(bytes, size);
    }
    fclose(file);
    free(bytes);
    printf("%zu mutations\n", round);
    return 0;
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
    if (count == 3 && strcmp(arguments[1], "--seeds") == 0) return write_seeds(arguments[2]);
    if (count == 5 && strcmp(arguments[1], "--for") == 0)
        return run_for(atof(arguments[2]), strtoull(arguments[3], NULL, 10), arguments[4]);
    int failed = 0;
    for (int i = 1; i < count; i++) failed |= run_file(arguments[i]);
    if (count > 1) return failed;
    puts("1..1");
    fflush(stdout); /* so that an abort behind it is seen as a missing test */
    run_mutations();
    printf("ok 1 - %d mutations\n", ROUNDS);
    return 0;
}
