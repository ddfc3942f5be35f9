#include "train/silver.h"

#include "core/memory.h"
#include "core/status.h"
#include "text/conll.h"
#include "text/sentence.h"

#include <stdlib.h>
#include <string.h>

dd_status dd_silver_open(dd_silver *silver, const dd_train_options *options, dd_error *error)
{
    if (!options->silver) return DD_OK;
    silver->weighs = options->silver_probabilities;
    dd_draws_seed(&silver->draws, options->seed);
    silver->hash = XXH3_createState();
    if (!silver->hash) return dd_fail_memory(error);
    XXH3_64bits_reset(silver->hash);
    return dd_windows_open(&silver->windows, options->silver, options->format,
                           options->silver_window, error);
}

void dd_silver_free(dd_silver *silver)
{
    dd_windows_close(&silver->windows);
    XXH3_freeState(silver->hash);
    free(silver->arcs);
    free(silver->starts);
    free(silver->weights);
    free(silver->soft);
    free(silver->soft_starts);
    dd_draws_free(&silver->draws);
    for (size_t i = 0; i < silver->places; i++) dd_gold_free(&silver->gold[i]);
    free(silver->gold);
    *silver = (dd_silver){0};
}

static bool add_soft(dd_silver *silver, const dd_gold *gold)
{
    size_t start = silver->count ? silver->soft_starts[silver->count] : 0;
    size_t size = gold->soft ? (size_t)gold->n_soft : 0;
    if (!DD_RESERVE(&silver->soft, &silver->soft_capacity, start + size) ||
        !DD_RESERVE(&silver->soft_starts, &silver->soft_starts_capacity, silver->count + 2))
        return false;
    if (size > 0) memcpy(silver->soft + start, gold->soft, size * sizeof *silver->soft);
    silver->soft_starts[silver->count] = start;
    silver->soft_starts[silver->count + 1] = start + size;
    return true;
}

bool dd_silver_add(dd_silver *silver, const dd_gold *gold)
{
    size_t count = silver->count, nodes = (size_t)gold->n + 1;
    size_t start = count ? silver->starts[count] : 0, size = dd_silver_columns(silver) * nodes;
    if (!DD_RESERVE(&silver->arcs, &silver->arcs_capacity, start + size) ||
        !DD_RESERVE(&silver->starts, &silver->starts_capacity, count + 2) ||
        !add_soft(silver, gold) || !dd_draws_add(&silver->draws, count))
        return false;
    memcpy(silver->arcs + start, gold->heads, nodes * sizeof *silver->arcs);
    memcpy(silver->arcs + start + nodes, gold->labels, nodes * sizeof *silver->arcs);
    if (silver->weighs)
        memcpy(silver->arcs + start + 2 * nodes, silver->weights, 2 * nodes * sizeof *silver->arcs);
    silver->starts[count] = start;
    silver->starts[count + 1] = start + size;
    silver->count++;
    return true;
}

void dd_silver_clear(dd_silver *silver)
{
    silver->count = silver->drawn_here = 0;
}

/* ---- probabilities ------------------------------------------------------------------------ */

/* The percentage that stands behind `key`, all if it is not there. False: it is none. */
static bool read_percentage(dd_text misc, const char *key, int32_t *percentage)
{
    dd_text value;
    *percentage = DD_WHOLE_WEIGHT;
    if (!dd_conll_misc(misc, key, &value)) return true;
    if (value.size == 0 || value.size > 3) return false;
    *percentage = 0;
    for (size_t i = 0; i < value.size; i++) {
        if (value.data[i] < '0' || value.data[i] > '9') return false;
        *percentage = 10 * *percentage + value.data[i] - '0';
    }
    return *percentage <= DD_WHOLE_WEIGHT;
}

/* No weight is 0: an arc that is in the tree is still better than one that is not. */
static int32_t weight_of(int32_t percentage)
{
    return percentage > 0 ? percentage : 1;
}

dd_status dd_silver_weigh(dd_silver *silver, const dd_sentence *sentence, const char *file,
                          dd_error *error)
{
    size_t nodes = (size_t)sentence->n + 1;
    if (!DD_RESERVE(&silver->weights, &silver->weights_capacity, 2 * nodes))
        return dd_fail_memory(error);
    int32_t *heads = silver->weights, *labels = heads + nodes;
    heads[0] = labels[0] = DD_WHOLE_WEIGHT;
    for (int word = 1; word <= sentence->n; word++) {
        int32_t head, label;
        dd_text misc = dd_cell(sentence, word, DD_MISC);
        bool head_fits = read_percentage(misc, "HeadProb=", &head);
        if (!head_fits || !read_percentage(misc, "DepProb=", &label))
            return dd_fail_at(error, DD_ERROR_DATA, file, dd_word_line(sentence, word), DD_MISC + 1,
                              "%s is not a whole number from 0 to 100",
                              head_fits ? "DepProb" : "HeadProb");
        heads[word] = weight_of(head);
        labels[word] = weight_of(head * label / DD_WHOLE_WEIGHT);
    }
    return DD_OK;
}

/* ---- what an iteration gets --------------------------------------------------------------- */

uint64_t dd_silver_due(const dd_train_options *options, uint64_t words, int k)
{
    return options->silver ? (uint64_t)(options->silver_weight * (double)words * k + 0.5) : 0;
}

static uint32_t next(dd_silver *silver)
{
    uint32_t sentence = dd_draws_next(&silver->draws, silver->count);
    silver->drawn_here++;
    silver->drawn += (uint64_t)dd_silver_length(silver, sentence);
    return sentence;
}

bool dd_silver_draw(dd_silver *silver, uint64_t words, uint32_t **list, size_t *count,
                    size_t *capacity)
{
    while (silver->drawn < words && !dd_silver_is_spent(silver)) {
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
    if (!dd_gold_set(gold, heads, heads + n + 1, n)) return NULL;
    gold->n_soft = (int)(silver->soft_starts[sentence + 1] - silver->soft_starts[sentence]);
    gold->soft = gold->n_soft > 0 ? silver->soft + silver->soft_starts[sentence] : NULL;
    return gold;
}
