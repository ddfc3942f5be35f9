#include "learn/corpus.h"

#include "core/memory.h"
#include "core/status.h"
#include "text/rules.h"
#include "text/sentence.h"

#include <stdlib.h>

dd_status dd_corpus_new(dd_corpus **out, dd_error *error)
{
    dd_corpus *corpus = dd_calloc(1, sizeof *corpus);
    if (!corpus) return dd_fail_memory(error);
    corpus->one_root = true;
    corpus->hash = XXH3_createState();
    if (!corpus->hash) {
        dd_corpus_free(corpus);
        return dd_fail_memory(error);
    }
    XXH3_64bits_reset(corpus->hash);
    *out = corpus;
    return DD_OK;
}

void dd_corpus_free(dd_corpus *corpus)
{
    if (!corpus) return;
    for (size_t i = 0; i < corpus->count; i++) dd_gold_free(&corpus->items[i].gold);
    free(corpus->items);
    dd_vocab_free(&corpus->labels);
    XXH3_freeState(corpus->hash);
    free(corpus);
}

/* Working memory of one pass over a file. */
typedef struct pass {
    const char *path;
    bool whole;            /* every head must be known */
    dd_sentence *sentence; /* the one at hand */
    dd_tree_space space;
    int32_t *labels;
    size_t labels_capacity;
} pass;

static dd_status check_tree(pass *p, dd_error *error)
{
    dd_tree_fault fault;
    int word = 0;
    const dd_sentence *sentence = p->sentence;
    if (!(p->whole ? dd_tree_check : dd_tree_check_partial)(&p->space, sentence->gold, sentence->n,
                                                            &fault, &word))
        return dd_fail_memory(error);
    if (fault == DD_TREE_OK || fault == DD_TREE_NO_HEADS) return DD_OK;
    uint64_t line = sentence->line + (word > 0 ? sentence->lines[word] : 0);
    return dd_fail_at(error, DD_ERROR_DATA, p->path, line, word > 0 ? 7 : 0, "%s%s",
                      dd_tree_fault_text(fault),
                      fault == DD_TREE_HEAD_MISSING
                          ? "; the static oracle needs whole trees, the dynamic one does not"
                          : "");
}

/* A label that no parser could write must not get into a model. */
static dd_status check_labels(const pass *p, dd_error *error)
{
    const dd_sentence *sentence = p->sentence;
    for (int word = 1; word <= sentence->n; word++)
        if (!dd_rule_label(dd_cell(sentence, word, DD_DEPREL)))
            return dd_fail_at(error, DD_ERROR_DATA, p->path, sentence->line + sentence->lines[word],
                              DD_DEPREL + 1, "control character");
    return DD_OK;
}

static bool number_labels(dd_corpus *corpus, pass *p)
{
    int n = p->sentence->n;
    if (!DD_RESERVE(&p->labels, &p->labels_capacity, (size_t)n + 1)) return false;
    p->labels[0] = DD_NONE;
    for (int word = 1; word <= n; word++) {
        dd_text label = dd_cell(p->sentence, word, DD_DEPREL);
        p->labels[word] = DD_NONE;
        if (p->sentence->gold[word] == DD_HEAD_UNKNOWN || dd_is_missing(label)) continue;
        p->labels[word] = dd_vocab_add(&corpus->labels, label);
        if (p->labels[word] < 0) return false;
        corpus->labelled = true;
    }
    return true;
}

static dd_status add_sentence(dd_corpus *corpus, pass *p, dd_error *error)
{
    dd_sentence *sentence = p->sentence;
    dd_item item = {.sentence = sentence, .file = p->path};
    if (!number_labels(corpus, p) ||
        !DD_RESERVE(&corpus->items, &corpus->capacity, corpus->count + 1) ||
        !dd_gold_set(&item.gold, sentence->gold, p->labels, sentence->n)) {
        dd_gold_free(&item.gold);
        return dd_fail_memory(error);
    }
    dd_tree_space_free(&item.gold.space);
    corpus->items[corpus->count++] = item;
    corpus->heads += (uint64_t)(sentence->n - item.gold.unknown);
    corpus->one_root &= item.gold.roots == 1 || (item.gold.roots == 0 && item.gold.unknown > 0);
    corpus->present |= dd_sentence_columns(sentence, ~corpus->present);
    XXH3_64bits_update(corpus->hash, sentence->raw.data, sentence->raw.size);
    return DD_OK;
}

/* Adds a sentence if it is a tree. */
static dd_status take_sentence(dd_corpus *corpus, pass *p, const dd_train_options *options,
                               dd_error *error)
{
    dd_error why;
    dd_status status = check_tree(p, &why);
    if (status == DD_OK) status = check_labels(p, &why);
    if (status == DD_OK) return add_sentence(corpus, p, error);
    if (status != DD_ERROR_DATA || !options->skip_bad) {
        if (error) *error = why;
        return status;
    }
    corpus->bad++;
    if (options->bad) options->bad(options->user, &why);
    return DD_OK;
}

dd_status dd_corpus_take(dd_corpus *corpus, const dd_treebank *treebank, bool whole,
                         const dd_train_options *options, dd_error *error)
{
    dd_status status = DD_OK;
    pass p = {.whole = whole};
    size_t at = 0;
    corpus->bad += treebank->bad;
    for (size_t file = 0; file < treebank->files; file++) {
        p.path = treebank->paths[file];
        for (; at < treebank->ends[file] && status == DD_OK; at++) {
            p.sentence = treebank->sentences[at];
            status = take_sentence(corpus, &p, options, error);
        }
    }
    dd_tree_space_free(&p.space);
    free(p.labels);
    return status;
}
