/* silver_read.c - the windows of the silver file: all once, to check and count them, and then each
 * when its turn comes */
#include "core/status.h"
#include "text/sentence.h"
#include "train/training.h"

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

/* `keep`: not only to be counted. */
static bool take_item(dd_training *t, const dd_vocab *labels, dd_item *item, bool keep)
{
    dd_silver_counts *counts = &t->silver.counts;
    bool has_heads = item->gold.unknown < item->gold.n;
    if (!has_heads || dd_training_judge(t, item)) {
        counts->skipped++;
        return true;
    }
    counts->unknown_labels += number_labels(t, labels, &item->gold);
    counts->sentences++;
    counts->soft += item->gold.soft ? 1 : 0;
    counts->words += (uint64_t)item->gold.n;
    if (!keep) return true;
    return dd_silver_add(&t->silver, &item->gold) &&
           t->trainer.learner->add(t->trainer.state, item->sentence);
}

/* DD_ERROR_DATA: its probabilities are none, and it is not to be passed over. */
static dd_status weigh_item(dd_training *t, const dd_item *item, bool *bad, dd_error *error)
{
    dd_error why;
    const dd_train_options *options = t->options;
    dd_status status = DD_OK;
    if (t->silver.weighs) status = dd_silver_weigh(&t->silver, item->sentence, item->file, &why);
    *bad = status == DD_ERROR_DATA && options->skip_bad;
    if (!*bad) {
        if (error && status != DD_OK) *error = why;
        return status;
    }
    t->silver.counts.bad++;
    if (options->bad) options->bad(options->user, &why);
    return DD_OK;
}

static void hash_item(dd_training *t, const dd_item *item)
{
    dd_text raw = dd_sentence_raw(item->sentence);
    if (!t->silver.windows.known) XXH3_64bits_update(t->silver.hash, raw.data, raw.size);
}

static dd_status take_items(dd_training *t, dd_corpus *some, bool keep, dd_error *error)
{
    for (size_t i = 0; i < some->count; i++) {
        bool bad;
        dd_status status = weigh_item(t, &some->items[i], &bad, error);
        if (status != DD_OK) return status;
        if (bad) continue;
        hash_item(t, &some->items[i]);
        if (!take_item(t, &some->labels, &some->items[i], keep)) return dd_fail_memory(error);
    }
    t->silver.counts.in_part += some->in_part;
    t->silver.counts.bad += some->bad;
    if (t->corpus->count + t->silver.count < UINT32_MAX) return DD_OK;
    return dd_fail(error, DD_ERROR_DATA, "%.200s: too many sentences", t->options->silver);
}

static dd_status take_some(dd_training *t, const dd_treebank *treebank, bool keep, dd_error *error)
{
    dd_corpus *some = NULL;
    dd_status status = dd_corpus_new(&some, error);
    if (status == DD_OK)
        status = dd_corpus_take(some, treebank, t->trainer.oracle.kind == DD_ORACLE_STATIC,
                                t->options->soft, t->options, error);
    if (status == DD_OK) some->labelled |= t->corpus->labelled;
    if (status == DD_OK) status = dd_training_change_unbuildable(t, some, error);
    if (status == DD_OK) status = take_items(t, some, keep, error);
    dd_corpus_free(some);
    return status;
}

/* DD_END: these were the last of the file. */
static dd_status read_some(dd_training *t, bool keep, dd_error *error)
{
    dd_windows *windows = &t->silver.windows;
    dd_treebank *treebank = NULL;
    dd_status taken = DD_OK, status = dd_treebank_new(&treebank, error);
    if (status == DD_OK)
        status =
            dd_treebank_read_some(treebank, windows->reader, t->options->silver, SENTENCES_AT_ONCE,
                                  dd_windows_left(windows), t->options, error);
    if (status == DD_OK || status == DD_END) {
        for (size_t i = 0; i < treebank->count; i++)
            dd_windows_note(windows, treebank->sentences[i]);
        taken = take_some(t, treebank, keep, error);
    }
    dd_treebank_free(treebank);
    return taken == DD_OK ? status : taken;
}

/* DD_END: it was the last. */
static dd_status read_window(dd_training *t, bool keep, dd_error *error)
{
    dd_windows *windows = &t->silver.windows;
    dd_status ended, status = DD_OK;
    while (status == DD_OK && dd_windows_left(windows) > 0) status = read_some(t, keep, error);
    if (status != DD_OK && status != DD_END) return status;
    ended = dd_windows_end(windows, status == DD_END, error);
    return ended == DD_OK ? status : ended;
}

/* Nothing is counted, or told to the caller, for a second time. */
static dd_status read_again(dd_training *t, dd_error *error)
{
    const dd_train_options *options = t->options;
    const dd_silver_counts counts = t->silver.counts;
    dd_train_options silent = *options;
    silent.bad = NULL;
    silent.skipped = NULL;
    silent.in_part = NULL;
    t->options = &silent;
    dd_silver_clear(&t->silver);
    t->trainer.learner->forget(t->trainer.state, t->corpus->count);
    dd_status status = read_window(t, true, error);
    t->options = options;
    t->silver.counts = counts;
    return status == DD_END ? DD_OK : status;
}

/* A window may have nothing to learn from. */
dd_status dd_training_next_silver(dd_training *t, dd_error *error)
{
    dd_status status;
    do {
        status = dd_windows_next(&t->silver.windows, error);
        if (status == DD_OK) status = read_again(t, error);
    } while (status == DD_OK && t->silver.count == 0);
    return status;
}

dd_status dd_training_seek_silver(dd_training *t, size_t window, dd_error *error)
{
    dd_windows *windows = &t->silver.windows;
    if (windows->count < 2) return DD_OK;
    dd_status status = dd_windows_seek(windows, window, error);
    return status == DD_OK ? read_again(t, error) : status;
}

/* The first window is kept. */
dd_status dd_training_read_silver(dd_training *t, dd_error *error)
{
    dd_windows *windows = &t->silver.windows;
    dd_status status;
    do status = read_window(t, windows->count == 0, error);
    while (status == DD_OK);
    if (status != DD_END) return status;
    if (t->silver.counts.sentences > 0) return DD_OK;
    return dd_fail(error, DD_ERROR_DATA, "%.200s: no silver trees to learn from",
                   t->options->silver);
}
