/* keep.c - all that the neural learner must remember between iterations */
#include "core/sections.h"
#include "learn/neural/neural_parts.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

/* Numbers that are not weights: steps, then the state of each shard's random numbers. */
enum { COUNTERS = 1 + DD_SHARDS };

/* In their order. */
enum { ARRAYS = 4 };

static void list_arrays(const dd_descent *d, dd_real *arrays[ARRAYS])
{
    arrays[0] = d->weights;
    arrays[1] = d->adam.first;
    arrays[2] = d->adam.second;
    arrays[3] = d->adam.average;
}

bool dd_neural_save(const void *state, dd_buffer *out)
{
    const dd_descent *d = &((const dd_neural *)state)->descent;
    uint64_t counters[COUNTERS] = {d->adam.steps};
    dd_real *arrays[ARRAYS];
    size_t bytes = d->network.size * sizeof **arrays;
    for (int i = 0; i < DD_SHARDS; i++) counters[1 + i] = d->shards[i].random.state;
    list_arrays(d, arrays);
    bool ok = dd_buffer_reserve(out, ARRAYS * (bytes + 16)) &&
              dd_block_put(out, DD_ALIGN_NUMBERS, counters, sizeof counters);
    for (int i = 0; i < ARRAYS && ok; i++)
        ok = dd_block_put(out, DD_ALIGN_NUMBERS, arrays[i], bytes);
    return ok;
}

static bool are_numbers(const dd_real *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i])) return false;
    return true;
}

static bool are_positive(const dd_real *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (numbers[i] < 0) return false;
    return true;
}

/* Nothing is changed before all of it is there. */
bool dd_neural_restore(void *state, dd_cursor *from)
{
    dd_descent *d = &((dd_neural *)state)->descent;
    size_t size = d->network.size, count;
    dd_real *arrays[ARRAYS];
    const dd_real *kept[ARRAYS];
    const uint64_t *counters = dd_cursor_block(from, sizeof *counters, &count);
    if (count != COUNTERS) return false;
    for (int i = 0; i < ARRAYS; i++) {
        kept[i] = dd_cursor_block(from, sizeof **kept, &count);
        if (count != size || !are_numbers(kept[i], size)) return false;
    }
    if (!dd_cursor_ended(from) || !are_positive(kept[2], size)) return false;
    list_arrays(d, arrays);
    for (int i = 0; i < ARRAYS; i++) memcpy(arrays[i], kept[i], size * sizeof **arrays);
    d->adam.steps = counters[0];
    for (int i = 0; i < DD_SHARDS; i++) d->shards[i].random.state = counters[1 + i];
    return true;
}

/* Vectors are read again, and must be the same. */
bool dd_neural_write_conditions(const void *state, dd_buffer *out)
{
    const dd_descent *d = &((const dd_neural *)state)->descent;
    const dd_vocab *words = &d->coder.symbols[DD_INPUT_VECTOR];
    size_t count = d->network.whole - d->network.size;
    if (count == 0) return dd_buffer_text(out, "word vectors\tnone\n");
    uint64_t numbers = XXH3_64bits(d->weights + d->network.size, count * sizeof *d->weights);
    return dd_buffer_printf(
        out, "word vectors\t%016llx\n",
        (unsigned long long)XXH3_64bits_withSeed(words->bytes, words->bytes_size, numbers));
}
