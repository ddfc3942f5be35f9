/* neural_continue.c - learning that continues: from a checkpoint, as if it had not been
 * interrupted; or from a model, whose symbols and network it takes over to fine-tune them. A model
 * has only the averaged weights: the last weights and the state of Adam are not in it. */
#include "neural/neural_learner.h"

#include "core/sections.h"
#include "neural/network.h"
#include "neural/shard.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

/* ---- checkpoints ----------------------------------------------------------------------------- */

/* Numbers that are not weights: steps, then the state of each shard's random numbers. */
enum { COUNTERS = 1 + DD_SHARDS };

/* In their order. */
enum { ARRAYS = 4 };

static void list_arrays(const dd_network_trainer *d, dd_real *arrays[ARRAYS])
{
    arrays[0] = d->weights;
    arrays[1] = d->adam.first;
    arrays[2] = d->adam.second;
    arrays[3] = d->adam.average;
}

bool dd_neural_save(const void *state, dd_buffer *out)
{
    const dd_network_trainer *d = &((const dd_neural *)state)->trainer;
    uint64_t counters[COUNTERS] = {d->adam.steps};
    dd_real *arrays[ARRAYS];
    size_t bytes = d->network.tensors.size * sizeof **arrays;
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
    dd_network_trainer *d = &((dd_neural *)state)->trainer;
    size_t size = d->network.tensors.size, count;
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
    const dd_network_trainer *d = &((const dd_neural *)state)->trainer;
    const dd_vocab *words = &d->coder.symbols[DD_INPUT_VECTOR];
    size_t count = d->network.tensors.whole - d->network.tensors.size;
    if (count == 0) return dd_buffer_text(out, "word vectors\tnone\n");
    uint64_t numbers =
        XXH3_64bits(d->weights + d->network.tensors.size, count * sizeof *d->weights);
    return dd_buffer_printf(
        out, "word vectors\t%016llx\n",
        (unsigned long long)XXH3_64bits_withSeed(words->bytes, words->bytes_size, numbers));
}

/* ---- fine-tuning ----------------------------------------------------------------------------- */

/* A model of an older version may look at other nodes than the system's do now. */
static dd_status take_slots(dd_neural *l, const dd_sections *from, dd_error *error)
{
    if (!dd_sections_find(from, "slots", &l->slot_names))
        return dd_fail(error, DD_ERROR_MODEL, "a section is missing");
    dd_slots_free(&l->slots);
    return dd_slots_read(&l->slots, l->slot_names, error);
}

/* The network and its symbols. The model's scorer has looked at them when it was loaded. */
static dd_status take_over(dd_neural *l, const dd_network_plan *plan, const dd_sections *from,
                           dd_frozen *frozen, dd_error *error)
{
    const dd_network_names names = {"network", "symbols"};
    dd_network_trainer *d = &l->trainer;
    dd_status status = take_slots(l, from, error);
    if (status == DD_OK)
        status = dd_frozen_find(frozen, &d->coder, from, &names, plan->columns, error);
    if (status != DD_OK) return status;
    bool ok = dd_codes_set(&d->codes, &d->coder, plan->sentences, plan->count);
    return ok ? DD_OK : dd_fail_memory(error);
}

enum { LARGEST = 1024 /* what settings allow, and vectors.h */ };

static bool is_small(const dd_frozen_header *h)
{
    const uint32_t sizes[] = {h->char_width, h->width, h->hidden, h->label_hidden, h->pairs};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] > LARGEST) return false;
    for (int i = 0; i < DD_INPUTS; i++)
        if (h->size[i] > LARGEST) return false;
    return true;
}

static dd_status take_sizes(dd_neural *l, const dd_frozen_header *header, dd_network_shape *shape,
                            dd_error *error)
{
    if (!is_small(header))
        return dd_fail(error, DD_ERROR_ARGUMENT, "start-from: the network is too large");
    dd_frozen_shape(header, shape);
    shape->labels = l->inventory->labels.count;
    l->own.encoder = shape->encoder->name;
    l->own.layers = shape->layers;
    l->own.width = shape->width;
    l->own.hidden = shape->hidden;
    return DD_OK;
}

dd_status dd_neural_fine_tune(dd_neural *l, const dd_network_plan *plan, const dd_sections *from,
                              dd_error *error)
{
    dd_frozen frozen;
    dd_network_shape shape;
    dd_network_trainer *d = &l->trainer;
    dd_status status = take_over(l, plan, from, &frozen, error);
    if (status == DD_OK) status = take_sizes(l, &frozen.header, &shape, error);
    if (status == DD_OK) status = dd_neural_check_labels(&shape, error);
    if (status == DD_OK) status = dd_network_trainer_start(d, plan, &shape, &l->vectors, error);
    if (status != DD_OK) return status;
    if (!dd_network_thaw(&d->network, &frozen, d->weights)) return dd_fail_memory(error);
    memcpy(d->adam.average, d->weights, d->network.tensors.whole * sizeof *d->weights);
    return DD_OK;
}
