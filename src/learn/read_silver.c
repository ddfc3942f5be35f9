/* read_silver.c - silver trees into memory, some at a time: what the treebank's sentences go
 * through they go through too, but all that is kept is what the learner and the oracles need */
#include "core/status.h"
#include "learn/training.h"

enum { SENTENCES_AT_ONCE = 1000 };

/* Labels get the inventory's numbers. One that no transition gives to such an arc is unknown: any
 * is right. */
static uint64_t number_labels(const dd_training *t, const dd_vocab *labels, dd_gold *gold)
{
    uint64_t unknown = 0;
    for (int word = 1; word <= gold->n; word++) {
        if (gold->labels[word] == DD_NONE) continue;
        dd_text label = dd_vocab_text(labels, gold->labels[word]);
        gold->labels[word] = dd_inventory_find(&t->inventory, label, gold->heads[word], word);
        unknown += gold->labels[word] == DD_NONE;
    }
    return unknown;
}

static bool take_item(dd_training *t, const dd_vocab *labels, dd_item *item)
{
    bool has_heads = item->gold.unknown < item->gold.n;
    if (!has_heads || dd_training_judge(t, item)) {
        t->silver.skipped++;
        return true;
    }
    t->silver.unknown_labels += number_labels(t, labels, &item->gold);
    return dd_silver_add(&t->silver, &item->gold) &&
           t->trainer.learner->add(t->trainer.state, item->sentence);
}

static dd_status take_items(dd_training *t, dd_corpus *some, dd_error *error)
{
    for (size_t i = 0; i < some->count; i++) {
        const dd_buffer *raw = &some->items[i].sentence->raw;
        XXH3_64bits_update(t->silver.hash, raw->data, raw->size);
        if (!take_item(t, &some->labels, &some->items[i])) return dd_fail_memory(error);
    }
    t->silver.in_part += some->in_part;
    t->silver.bad += some->bad;
    if (t->corpus->count + t->silver.count < UINT32_MAX) return DD_OK;
    return dd_fail(error, DD_ERROR_DATA, "%.200s: too many sentences", t->options->silver);
}

static dd_status take_some(dd_training *t, const dd_treebank *treebank, dd_error *error)
{
    dd_corpus *some = NULL;
    dd_status status = dd_corpus_new(&some, error);
    if (status == DD_OK)
        status = dd_corpus_take(some, treebank, t->trainer.oracle.kind == DD_ORACLE_STATIC,
                                t->options, error);
    if (status == DD_OK) some->labelled |= t->corpus->labelled;
    if (status == DD_OK) status = dd_training_change_unbuildable(t, some, error);
    if (status == DD_OK) status = take_items(t, some, error);
    dd_corpus_free(some);
    return status;
}

/* DD_END: these were the last. */
static dd_status read_some(dd_training *t, dd_error *error)
{
    dd_treebank *treebank = NULL;
    dd_status taken = DD_OK, status = dd_treebank_new(&treebank, error);
    if (status == DD_OK)
        status = dd_treebank_read_some(treebank, t->silver.reader, t->options->silver,
                                       SENTENCES_AT_ONCE, t->options, error);
    if (status == DD_OK || status == DD_END) taken = take_some(t, treebank, error);
    dd_treebank_free(treebank);
    return taken == DD_OK ? status : taken;
}

dd_status dd_training_read_silver(dd_training *t, dd_error *error)
{
    dd_status status;
    do status = read_some(t, error);
    while (status == DD_OK);
    if (status != DD_END) return status;
    dd_reader_close(t->silver.reader);
    t->silver.reader = NULL;
    if (t->silver.count > 0) return DD_OK;
    return dd_fail(error, DD_ERROR_DATA, "%.200s: no silver trees to learn from",
                   t->options->silver);
}
