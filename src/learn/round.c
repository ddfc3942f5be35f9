/* round.c - what an iteration goes through: all of the treebank, and silver sentences among them */
#include "core/memory.h"
#include "learn/training.h"

#include <string.h>

/* Silver sentences are anywhere among the others, so that minibatches have both. */
static bool mix_silver_in(dd_training *t, int k)
{
    size_t own = t->n_round;
    if (!dd_silver_draw(&t->silver, dd_silver_due(t->options, t->words, k), &t->round, &t->n_round,
                        &t->round_capacity))
        return false;
    for (size_t i = own; i < t->n_round; i++) t->round[i] += (uint32_t)t->corpus->count;
    dd_trainer_shuffle(&t->trainer, t->round, t->n_round);
    return true;
}

bool dd_training_begin_round(dd_training *t, int k)
{
    dd_trainer_shuffle(&t->trainer, t->order, t->n_order);
    if (!DD_RESERVE(&t->round, &t->round_capacity, t->n_order)) return false;
    memcpy(t->round, t->order, t->n_order * sizeof *t->round);
    t->n_round = t->n_order;
    return t->silver.count == 0 || mix_silver_in(t, k);
}

static bool is_silver(const dd_training *t, uint32_t sentence)
{
    return sentence >= t->corpus->count;
}

static int length_of(const dd_training *t, uint32_t sentence)
{
    return is_silver(t, sentence) ? dd_silver_length(&t->silver, sentence - t->corpus->count)
                                  : t->corpus->items[sentence].gold.n;
}

size_t dd_training_end_of_batch(const dd_training *t, size_t from)
{
    const dd_trainer *trainer = &t->trainer;
    int words = 0;
    int most = trainer->learner->batch_words ? trainer->learner->batch_words(trainer->state) : 1;
    size_t end = from;
    while (end < t->n_round && words < most) words += length_of(t, t->round[end++]);
    return end;
}

static const dd_gold *tree_of(dd_training *t, uint32_t sentence, size_t place)
{
    return is_silver(t, sentence) ? dd_silver_tree(&t->silver, sentence - t->corpus->count, place)
                                  : &t->corpus->items[sentence].gold;
}

bool dd_training_learn(dd_training *t, const uint32_t *sentences, int count)
{
    size_t need = (size_t)count;
    if (!DD_RESERVE(&t->examples, &t->examples_capacity, need) ||
        (t->silver.count > 0 && !dd_silver_reserve(&t->silver, need)))
        return false;
    for (size_t i = 0; i < need; i++) {
        dd_example *example = &t->examples[i];
        *example =
            (dd_example){sentences[i], tree_of(t, sentences[i], i), is_silver(t, sentences[i])};
        if (!example->gold) return false;
    }
    return dd_trainer_learn(&t->trainer, t->examples, count);
}
