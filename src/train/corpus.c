#include "train/corpus.h"

#include "core/memory.h"
#include "core/status.h"
#include "text/rules.h"
#include "text/sentence.h"
#include "transition/annotations.h"

#include <stdlib.h>

/* ---- sentences ------------------------------------------------------------------------------- */

dd_status dd_treebank_new(dd_treebank **out, dd_error *error)
{
    dd_treebank *treebank = dd_calloc(1, sizeof *treebank);
    if (!treebank) return dd_fail_memory(error);
    treebank->hash = XXH3_createState();
    if (!treebank->hash) {
        dd_treebank_free(treebank);
        return dd_fail_memory(error);
    }
    XXH3_64bits_reset(treebank->hash);
    *out = treebank;
    return DD_OK;
}

void dd_treebank_free(dd_treebank *treebank)
{
    if (!treebank) return;
    for (size_t i = 0; i < treebank->count; i++) dd_sentence_free(treebank->sentences[i]);
    free(treebank->sentences);
    free(treebank->ends);
    free(treebank->paths);
    XXH3_freeState(treebank->hash);
    free(treebank);
}

/* Reads one sentence; one that is passed over leaves the treebank as it was. */
static dd_status read_sentence(dd_treebank *treebank, dd_reader *reader,
                               const dd_train_options *options, dd_error *error)
{
    dd_error why;
    dd_sentence *sentence = NULL;
    if (!DD_RESERVE(&treebank->sentences, &treebank->capacity, treebank->count + 1))
        return dd_fail_memory(error);
    dd_status status = dd_sentence_new(&sentence, error);
    if (status != DD_OK) return status;
    status = dd_reader_next(reader, sentence, &why);
    if (status == DD_OK) {
        treebank->sentences[treebank->count++] = sentence;
        treebank->words += (uint64_t)sentence->n;
        dd_text raw = dd_sentence_raw(sentence);
        XXH3_64bits_update(treebank->hash, raw.data, raw.size);
        return DD_OK;
    }
    dd_sentence_free(sentence);
    if (status != DD_ERROR_FORMAT || !options->skip_bad) {
        if (error && status != DD_END) *error = why;
        return status;
    }
    treebank->bad++;
    if (options->bad) options->bad(options->user, &why);
    return DD_OK;
}

dd_status dd_treebank_read_some(dd_treebank *treebank, dd_reader *reader, const char *path,
                                size_t most, uint64_t words, const dd_train_options *options,
                                dd_error *error)
{
    dd_status status = DD_OK;
    size_t before = treebank->count;
    uint64_t words_before = treebank->words;
    if (!DD_RESERVE(&treebank->ends, &treebank->ends_capacity, treebank->files + 1) ||
        !DD_RESERVE(&treebank->paths, &treebank->paths_capacity, treebank->files + 1))
        return dd_fail_memory(error);
    while (status == DD_OK && treebank->count - before < most &&
           treebank->words - words_before < words)
        status = read_sentence(treebank, reader, options, error);
    if (status != DD_OK && status != DD_END) return status;
    treebank->paths[treebank->files] = path;
    treebank->ends[treebank->files++] = treebank->count;
    return status;
}

dd_status dd_treebank_read(dd_treebank *treebank, const char *path, const dd_train_options *options,
                           dd_error *error)
{
    dd_reader *reader = NULL;
    dd_status status = dd_reader_open(&reader, path, options->format, error);
    if (status == DD_OK)
        status =
            dd_treebank_read_some(treebank, reader, path, SIZE_MAX, UINT64_MAX, options, error);
    dd_reader_close(reader);
    return status == DD_END ? DD_OK : status;
}

/* ---- gold trees ------------------------------------------------------------------------------ */

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
    for (size_t i = 0; i < corpus->count; i++) {
        dd_gold_free(&corpus->items[i].gold);
        free(corpus->items[i].soft);
    }
    free(corpus->items);
    dd_vocab_free(&corpus->labels);
    XXH3_freeState(corpus->hash);
    free(corpus);
}

/* Working memory of one pass over a file. */
typedef struct pass {
    const char *path;
    bool whole;            /* every head must be known */
    bool soft;             /* probabilities are read */
    dd_sentence *sentence; /* the one at hand */
    dd_tree_space space;
    int32_t *labels;
    size_t labels_capacity;
    dd_annotations annotations;
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
    uint64_t line = word > 0 ? dd_word_line(sentence, word) : dd_sentence_line(sentence);
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
            return dd_fail_at(error, DD_ERROR_DATA, p->path, dd_word_line(sentence, word),
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

/* Sentences that are too long for it are learnt from their heads alone. */
static bool is_soft(const pass *p)
{
    return p->soft && p->sentence->n <= DD_SOFT_MAX_WORDS && dd_annotations_has(p->sentence);
}

static dd_status check_annotations(pass *p, dd_error *error)
{
    dd_error why;
    const dd_sentence *sentence = p->sentence;
    if (!is_soft(p)) return DD_OK;
    dd_status status = dd_annotations_set(&p->annotations, &sentence, 1, &why);
    if (status == DD_ERROR_DATA)
        return dd_fail_at(error, status, p->path, dd_sentence_line(sentence), 0, "%s", why.message);
    return status == DD_OK ? DD_OK : dd_fail_memory(error);
}

static bool keep_annotations(dd_corpus *corpus, const pass *p, dd_item *item)
{
    if (!is_soft(p)) return true;
    item->soft = dd_annotations_list(&p->annotations, &item->gold.n_soft);
    if (item->gold.n_soft > 0) item->gold.soft = item->soft;
    corpus->soft += item->gold.n_soft > 0;
    return item->soft;
}

static dd_status add_sentence(dd_corpus *corpus, pass *p, dd_error *error)
{
    dd_sentence *sentence = p->sentence;
    dd_item item = {.sentence = sentence, .file = p->path};
    if (!number_labels(corpus, p) ||
        !DD_RESERVE(&corpus->items, &corpus->capacity, corpus->count + 1) ||
        !dd_gold_set(&item.gold, sentence->gold, p->labels, sentence->n) ||
        !keep_annotations(corpus, p, &item)) {
        dd_gold_free(&item.gold);
        return dd_fail_memory(error);
    }
    dd_tree_space_free(&item.gold.space);
    corpus->items[corpus->count++] = item;
    corpus->heads += (uint64_t)(sentence->n - item.gold.unknown);
    corpus->one_root &= item.gold.roots == 1 || (item.gold.roots == 0 && item.gold.unknown > 0);
    corpus->present |= dd_sentence_columns(sentence, ~corpus->present);
    dd_text raw = dd_sentence_raw(sentence);
    XXH3_64bits_update(corpus->hash, raw.data, raw.size);
    return DD_OK;
}

/* Adds a sentence if it is a tree. */
static dd_status take_sentence(dd_corpus *corpus, pass *p, const dd_train_options *options,
                               dd_error *error)
{
    dd_error why;
    dd_status status = check_tree(p, &why);
    if (status == DD_OK) status = check_labels(p, &why);
    if (status == DD_OK) status = check_annotations(p, &why);
    if (status == DD_OK) return add_sentence(corpus, p, error);
    if (status != DD_ERROR_DATA || !options->skip_bad) {
        if (error) *error = why;
        return status;
    }
    corpus->bad++;
    if (options->bad) options->bad(options->user, &why);
    return DD_OK;
}

dd_status dd_corpus_take(dd_corpus *corpus, const dd_treebank *treebank, bool whole, bool soft,
                         const dd_train_options *options, dd_error *error)
{
    dd_status status = DD_OK;
    pass p = {.whole = whole, .soft = soft};
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
    dd_annotations_free(&p.annotations);
    return status;
}
