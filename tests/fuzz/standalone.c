/* Runs a fuzz target without libFuzzer:
 *
 *     fuzz_NAME                           a test: seeded mutations of the target's seeds
 *     fuzz_NAME FILE...                   these inputs
 *     fuzz_NAME --seeds FOLDER            writes the seeds as files, for libFuzzer to start from
 *     fuzz_NAME --longest                 how many bytes an input of libFuzzer may have
 *     fuzz_NAME --for SECONDS SEED FILE   mutations for that long; FILE holds the last input, which
 *                                         is the one that ended the program if one did */
#include "fuzz.h"

#include "core/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 20000, MOST_EDITS = 6, LONGEST_EDIT = 80, LEAST_ROOM = 60000 };

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
    uint32_t most = left < LONGEST_EDIT ? (uint32_t)left : LONGEST_EDIT;
    size_t stretch = left ? 1 + dd_random_below(random, most) : 0;
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

static size_t longest_seed(void)
{
    size_t longest = 0;
    for (size_t i = 0; fuzz_seed_at(i).data; i++)
        if (fuzz_seed_at(i).size > longest) longest = fuzz_seed_at(i).size;
    return longest;
}

/* For any seed, and what edits may add to it. */
static char *make_room(void)
{
    char *bytes = malloc(longest_seed() + MOST_EDITS * LONGEST_EDIT);
    if (!bytes) abort();
    return bytes;
}

static void run_mutations(void)
{
    char *bytes = make_room();
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
    FILE *file = fopen(path, "wb");
    if (!file) return fail(path);
    char *bytes = make_room();
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

/* libFuzzer cuts what is longer, also the seeds. */
static int print_longest(void)
{
    size_t longest = longest_seed() + longest_seed() / 4;
    printf("%zu\n", longest > LEAST_ROOM ? longest : LEAST_ROOM);
    return 0;
}

static int run_file(const char *path)
{
    struct stat facts;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &facts) != 0) return fail(path);
    size_t size = (size_t)facts.st_size;
    char *bytes = malloc(size + 1);
    if (!bytes || fread(bytes, 1, size, file) != size) return fail(path);
    run_exact(bytes, size);
    free(bytes);
    fclose(file);
    return 0;
}

int main(int count, char **arguments)
{
    if (count == 3 && strcmp(arguments[1], "--seeds") == 0) return write_seeds(arguments[2]);
    if (count == 2 && strcmp(arguments[1], "--longest") == 0) return print_longest();
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
