#include "learn/silver.h"

#include "core/memory.h"
#include "core/status.h"

#include <stdlib.h>
#include <string.h>

dd_status dd_silver_open(dd_silver *silver, const dd_train_options *options, dd_error *error)
{
    if (!options->silver) return DD_OK;
    dd_draws_seed(&silver->draws, options->seed);
    silver->hash = XXH3_createState();
    if (!silver->hash) return dd_fail_memory(error);
    XXH3_64bits_reset(silver->hash);
    return dd_reader_open(&silver->reader, options->silver, options->format, error);
}

void dd_silver_free(dd_silver *silver)
{
    dd_reader_close(silver->reader);
    XXH3_freeState(silver->hash);
    free(silver->arcs);
    free(silver->starts);
    dd_draws_free(&silver->draws);
    for (size_t i = 0; i < silver->places; i++) dd_gold_free(&silver->gold[i]);
    free(silver->gold);
    *silver = (dd_silver){0};
}

bool dd_silver_add(dd_silver *silver, const dd_gold *gold)
{
    size_t count = silver->count, nodes = (size_t)gold->n + 1;
    size_t start = count ? silver->starts[count] : 0;
    if (!DD_RESERVE(&silver->arcs, &silver->arcs_capacity, start + 2 * nodes) ||
        !DD_RESERVE(&silver->starts, &silver->starts_capacity, count + 2) ||
        !dd_draws_add(&silver->draws, count))
        return false;
    memcpy(silver->arcs + start, gold->heads, nodes * sizeof *silver->arcs);
    memcpy(silver->arcs + start + nodes, gold->labels, nodes * sizeof *silver->arcs);
    silver->starts[count] = start;
    silver->starts[count + 1] = start + 2 * nodes;
    silver->count++;
    silver->words += (uint64_t)gold->n;
    return true;
}

/* ---- what an iteration gets --------------------------------------------------------------- */

uint64_t dd_silver_due(const dd_train_options *options, uint64_t words, int k)
{
    return options->silver ? (uint64_t)(options->silver_weight * (double)words * k + 0.5) : 0;
}

static uint32_t next(dd_silver *silver)
{
    uint32_t sentence = dd_draws_next(&silver->draws, silver->count);
    silver->drawn += (uint64_t)dd_silver_length(silver, sentence);
    return sentence;
}

bool dd_silver_draw(dd_silver *silver, uint64_t words, uint32_t **list, size_t *count,
                    size_t *capacity)
{
    while (silver->drawn < words) {
        if (!DD_RESERVE(list, capacity, *count + 1)) return false;
        (*list)[(*count)++] = next(silver);
    }
    return true;
}

/* ---- trees -------------------------------------------------------------------------------- */

bool dd_silver_reserve(dd_silver *silver, size_t places)
{
    size_t before = silver->places;
    if (!DD_RESERVE(&silver->gold, &silver->places, places)) return false;
    for (size_t i = before; i < silver->places; i++) silver->gold[i] = (dd_gold){0};
    return true;
}

const dd_gold *dd_silver_tree(dd_silver *silver, size_t sentence, size_t place)
{
    const int32_t *heads = silver->arcs + silver->starts[sentence];
    int n = dd_silver_length(silver, sentence);
    dd_gold *gold = &silver->gold[place];
    return dd_gold_set(gold, heads, heads + n + 1, n) ? gold : NULL;
}
