/* segment_network_train.c - learns the network of a segmenter
 *
 *     treebank -> the linear segmenter
 *              -> folds, each scored by a linear segmenter of the others -> units -> network
 *
 * The network must not trust the linear segmenter more than it deserves on new text, and so learns
 * from what one that has not seen the text says of it. */
#include "core/learning.h"
#include "core/memory.h"
#include "neural/network_trainer.h"
#include "segment/segment_network.h"
#include "segment/treebank_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FOLDS = 5, BLOCKS = 50, LEAST_SENTENCES = 50 /* for folds */ };
enum { HIDDEN = 32 };
enum { NOT_TAUGHT = DD_UNIT_ENDS };
/* How often a symbol must occur in the treebank to be learnt; in the order of dd_unit_inputs. */
static const uint32_t least_seen[DD_UNIT_TABLES] = {2, 4, 1, 4, 3};
static const int sizes[DD_UNIT_TABLES] = {48, 32, 24, 48, 32};
/* Features are added up, and must not leave a byte: they begin small. */
static const double feature_share = 0.3;

typedef struct learner {
    const dd_segmenter_options *options;
    dd_network_options how; /* with the units of a mini-batch */
    dd_draft *sections;
    dd_segmenter *linear; /* of the whole treebank */
    uint32_t *words;      /* [n_words] hashes of those of the treebank, which ascend */
    size_t n_words, words_capacity;
    dd_hash_table known;            /* the same, with the values of dd_unit_maker */
    uint32_t *kept[DD_UNIT_TABLES]; /* [n_kept] hashes of symbols, which ascend */
    size_t n_kept[DD_UNIT_TABLES];
    dd_unit_text text;
    dd_window_room room;
    uint8_t *gold;   /* dd_unit_end of all nodes of all windows, or NOT_TAUGHT */
    uint8_t *spaced; /* of the same */
    size_t *starts;  /* [windows] first node of each */
    size_t n_gold, gold_capacity, spaced_capacity, starts_capacity;
    uint64_t copies; /* of each sentence: 2 if the treebank has paragraphs */
    dd_network_trainer trainer;
    uint64_t asked[DD_SHARDS], right[DD_SHARDS];
    uint32_t *batch; /* [in_batch] windows that the next step is made of */
    int in_batch, units;
    size_t batch_capacity;
    dd_tally tally;
} learner;

static void free_learner(learner *l)
{
    dd_segmenter_free(l->linear);
    free(l->words);
    dd_hash_table_free(&l->known);
    for (int t = 0; t < DD_UNIT_TABLES; t++) free(l->kept[t]);
    dd_unit_text_free(&l->text);
    free(l->room.nodes);
    free(l->gold);
    free(l->spaced);
    free(l->starts);
    dd_network_trainer_free(&l->trainer);
    free(l->batch);
}

/* ---- words of the treebank ------------------------------------------------------------------ */

static int compare(const void *a, const void *b)
{
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

static bool list_tokens(learner *l, const dd_marked_paragraph *p)
{
    for (int at = 0, start = 0; at < p->chars.count; at++) {
        if (p->chars.classes[at] == DD_CHAR_SPACE) start = at + 1;
        if (p->chars.classes[at] == DD_CHAR_SPACE || !(p->marks[at] & DD_TOKEN_END)) continue;
        int size = at + 1 - start;
        if (size > 1 && size <= DD_LONGEST_LISTED) {
            if (!DD_RESERVE(&l->words, &l->words_capacity, l->n_words + 1)) return false;
            l->words[l->n_words++] = dd_word_hash(&p->chars, start, at + 1);
        }
        start = at + 1;
    }
    return true;
}

/* Only where words are written without spaces. */
static bool list_words(learner *l, const dd_treebank_text *text)
{
    if (!dd_pairs_are_unspaced(l->linear->pairs)) return true;
    for (size_t i = 0; i < text->count; i++)
        if (!list_tokens(l, &text->paragraphs[i])) return false;
    if (l->n_words == 0) return true;
    qsort(l->words, l->n_words, sizeof *l->words, compare);
    uint8_t *often = dd_calloc(l->n_words, 1);
    size_t kept = 0;
    if (!often) return false;
    for (size_t i = 0, next; i < l->n_words; i = next) {
        for (next = i; next < l->n_words && l->words[next] == l->words[i];) next++;
        often[kept] = next - i > l->copies;
        l->words[kept++] = l->words[i];
    }
    l->n_words = kept;
    bool ok = dd_hash_table_set(&l->known, l->words, kept, 1);
    for (size_t at = 0; ok && at < l->known.size; at++)
        if (l->known.values[at]) l->known.values[at] = often[l->known.values[at] - 1] ? 2 : 1;
    free(often);
    return ok;
}

/* ---- windows -------------------------------------------------------------------------------- */

static uint8_t gold_of(const dd_marked_paragraph *p, const dd_unit *unit)
{
    uint8_t mark = p->marks[unit->end - 1];
    if (mark & DD_SENTENCE_END) return DD_UNIT_SENTENCE;
    return mark & DD_TOKEN_END || unit->spaced ? DD_UNIT_TOKEN : DD_UNIT_INSIDE;
}

static bool add_window(learner *l, const dd_marked_paragraph *p, int number)
{
    dd_codes *codes = &l->trainer.codes;
    dd_unit_window w = dd_unit_window_at(l->text.count, number);
    size_t nodes = (size_t)(w.behind - w.start) + 2;
    if (!DD_RESERVE(&l->gold, &l->gold_capacity, l->n_gold + nodes) ||
        !DD_RESERVE(&l->spaced, &l->spaced_capacity, l->n_gold + nodes) ||
        !DD_RESERVE(&l->starts, &l->starts_capacity, codes->count + 1))
        return false;
    l->starts[codes->count] = l->n_gold;
    memset(l->gold + l->n_gold, NOT_TAUGHT, nodes);
    for (int unit = w.first; unit < w.last && unit + 1 < l->text.count; unit++) {
        size_t at = l->n_gold + (size_t)dd_unit_node(&w, unit);
        l->gold[at] = gold_of(p, &l->text.units[unit]);
        l->spaced[at] = l->text.units[unit].spaced;
    }
    l->n_gold += nodes;
    return dd_codes_add_window(codes, &l->text, &w, &l->room);
}

static bool add_text(learner *l, const dd_treebank_text *text, const dd_segmenter *linear)
{
    for (size_t i = 0; i < text->count; i++) {
        const dd_marked_paragraph *p = &text->paragraphs[i];
        dd_unit_maker maker = {
            .linear = linear, .pairs = l->linear->pairs, .words = &l->known, .marks = p->marks};
        if (!dd_unit_text_make(&l->text, &maker, &p->chars, p->chars.count)) return false;
        for (int w = 0; w < dd_unit_windows(l->text.count); w++)
            if (!add_window(l, p, w)) return false;
    }
    return true;
}

/* Treebanks are often parts of different kinds in a row, so that a fold has blocks from everywhere:
 * a segmenter that has seen no text of a kind would say little of one that has. */
static size_t fold_of(size_t sentence, size_t count)
{
    return sentence * BLOCKS / count % FOLDS;
}

/* A linear segmenter of what is not in the fold reads the fold. */
static dd_status read_fold(learner *l, dd_sentence *const *fold, size_t in_fold,
                           dd_sentence *const *others, size_t n_others, dd_error *error)
{
    dd_segmenter *linear = NULL;
    dd_buffer section = {0};
    dd_treebank_text text = {0};
    dd_segmenter_options options = *l->options;
    options.iterations = dd_linear_segmenter.iterations;
    dd_status status = dd_segmenter_train(&section, others, n_others, &options, error);
    if (status == DD_OK)
        status = dd_segmenter_map(&linear, (dd_text){section.data, section.size}, error);
    if (status == DD_OK) status = dd_treebank_text_set(&text, fold, in_fold, error);
    if (status == DD_OK && !add_text(l, &text, linear)) status = dd_fail_memory(error);
    dd_treebank_text_free(&text);
    dd_segmenter_free(linear);
    dd_buffer_free(&section);
    return status;
}

static dd_status add_fold(learner *l, dd_sentence *const *sentences, size_t count, size_t fold,
                          dd_error *error)
{
    dd_sentence **sorted = dd_calloc(count, sizeof *sorted);
    size_t in_fold = 0, others = 0;
    if (!sorted) return dd_fail_memory(error);
    for (size_t i = 0; i < count; i++) in_fold += fold_of(i, count) == fold;
    for (size_t i = 0, inside = 0; i < count; i++)
        sorted[fold_of(i, count) == fold ? inside++ : in_fold + others++] = sentences[i];
    dd_status status = read_fold(l, sorted, in_fold, sorted + in_fold, others, error);
    free(sorted);
    return status;
}

static dd_status add_all(learner *l, dd_sentence *const *sentences, size_t count, dd_error *error)
{
    dd_treebank_text text;
    dd_status status = dd_treebank_text_set(&text, sentences, count, error);
    l->copies = text.joined_count ? 2 : 1;
    bool ok = status == DD_OK && dd_codes_begin(&l->trainer.codes) && list_words(l, &text);
    if (status == DD_OK && count < LEAST_SENTENCES) ok = ok && add_text(l, &text, l->linear);
    dd_treebank_text_free(&text);
    if (status == DD_OK && !ok) return dd_fail_memory(error);
    for (size_t fold = 0; fold < FOLDS && count >= LEAST_SENTENCES && status == DD_OK; fold++)
        status = add_fold(l, sentences, count, fold, error);
    return status;
}

/* ---- symbols -------------------------------------------------------------------------------- */

/* Adds a sequence's hashes for a table; where they are NULL they are only counted. */
static size_t add_hashes(const dd_coded *coded, int table, uint32_t *to)
{
    size_t nodes = (size_t)coded->n + 1;
    bool features = table == DD_UNIT_COLUMNS;
    size_t count = features ? coded->first_feature[nodes] : nodes;
    const uint32_t *from = features ? coded->features : coded->symbols[dd_unit_inputs[table]];
    if (to) memcpy(to, from, count * sizeof *to);
    if (table != DD_UNIT_PAIRS) return count;
    if (to) memcpy(to + count, coded->symbols[DD_UNIT_OTHERWISE], nodes * sizeof *to);
    return count + nodes;
}

/* Keeps those that are seen often enough, in their order; how many. */
static size_t keep_frequent(uint32_t *hashes, size_t count, uint64_t least)
{
    size_t kept = 0;
    qsort(hashes, count, sizeof *hashes, compare);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i; next < count && hashes[next] == hashes[i];) next++;
        if (next - i >= least && hashes[i] != 0) hashes[kept++] = hashes[i];
    }
    return kept;
}

static bool list_symbols(learner *l, int table)
{
    const dd_codes *codes = &l->trainer.codes;
    size_t count = 0, used = 0;
    for (size_t i = 0; i < codes->count; i++)
        count += add_hashes(&codes->sentences[i], table, NULL);
    uint32_t *all = l->kept[table] = dd_calloc(count + 1, sizeof *all);
    if (!all) return false;
    for (size_t i = 0; i < codes->count; i++)
        used += add_hashes(&codes->sentences[i], table, all + used);
    l->n_kept[table] = keep_frequent(all, used, least_seen[table] * l->copies);
    return true;
}

static bool make_symbols(learner *l)
{
    dd_hash_table tables[DD_UNIT_TABLES] = {{0}};
    bool ok = true;
    for (int t = 0; t < DD_UNIT_TABLES && ok; t++)
        ok = list_symbols(l, t) &&
             dd_hash_table_set(&tables[t], l->kept[t], l->n_kept[t], DD_SYMBOL_ROOT + 1);
    if (ok) dd_codes_name_hashes(&l->trainer.codes, 0, tables);
    for (int t = 0; t < DD_UNIT_TABLES; t++) dd_hash_table_free(&tables[t]);
    return ok;
}

/* ---- the network ---------------------------------------------------------------------------- */

static dd_status start(learner *l, dd_error *error)
{
    dd_network_trainer *d = &l->trainer;
    dd_vectors none = {0};
    dd_network_shape shape = {.encoder = dd_encoder_find(l->how.encoder),
                              .layers = dd_neural_segmenter.layers,
                              .width = dd_neural_segmenter.width,
                              .slots = 1,
                              .hidden = HIDDEN,
                              .outputs = DD_UNIT_ENDS};
    for (int t = 0; t < DD_UNIT_TABLES; t++) {
        shape.vocabulary[dd_unit_inputs[t]] = (int)l->n_kept[t] + DD_SYMBOL_ROOT + 1;
        shape.size[dd_unit_inputs[t]] = sizes[t];
    }
    dd_network_plan plan = {.how = &l->how,
                            .iterations = l->options->iterations,
                            .threads = l->options->threads,
                            .seed = l->options->seed};
    for (size_t i = 0; i < d->codes.count; i++) plan.words += (uint64_t)d->codes.sentences[i].n;
    l->how.batch_words = dd_network_batch_words(&l->how, plan.words);
    dd_status status = dd_network_trainer_start(d, &plan, &shape, &none, error);
    if (status != DD_OK) return status;
    dd_tensor features = d->network.embeddings[DD_INPUT_FEATS];
    for (size_t i = 0; i < features.rows * features.columns; i++) {
        d->weights[features.at + i] *= (dd_real)feature_share;
        d->adam.average[features.at + i] = d->weights[features.at + i];
    }
    return DD_OK;
}

/* ---- learning ------------------------------------------------------------------------------- */

/* Softmax over the decisions that are possible. */
static bool learn_unit(learner *l, dd_shard *shard, int shard_number, int window, int node,
                       size_t at)
{
    dd_real scores[DD_UNIT_ENDS];
    int first = l->spaced[at] ? DD_UNIT_TOKEN : DD_UNIT_INSIDE, best = first;
    dd_real sum = 0;
    dd_shard_score(shard, window, &node, scores);
    for (int end = first; end < DD_UNIT_ENDS; end++)
        if (scores[end] > scores[best]) best = end;
    l->asked[shard_number]++;
    l->right[shard_number] += best == l->gold[at];
    dd_real most = scores[best];
    for (int end = 0; end < DD_UNIT_ENDS; end++)
        sum += scores[end] = end < first ? 0 : (dd_real)exp((double)(scores[end] - most));
    for (int end = 0; end < DD_UNIT_ENDS; end++)
        scores[end] = scores[end] / sum - (end == l->gold[at]);
    return dd_shard_decide(shard, window, &node, scores);
}

static bool learn_shard(dd_network_trainer *d, int shard, void *user)
{
    learner *l = user;
    for (int i = d->first[shard]; i < d->first[shard + 1]; i++) {
        size_t start = l->starts[l->batch[i]];
        for (int node = 0; node <= d->coded[i]->n; node++)
            if (l->gold[start + (size_t)node] != NOT_TAUGHT &&
                !learn_unit(l, &d->shards[shard], shard, i - d->first[shard], node,
                            start + (size_t)node))
                return false;
    }
    return true;
}

static bool learn_batch(learner *l)
{
    dd_network_trainer *d = &l->trainer;
    if (!dd_network_trainer_prepare(d, l->batch, l->in_batch) ||
        !dd_network_trainer_for_shards(d, learn_shard, l) || !dd_network_trainer_step(d))
        return false;
    for (int i = 0; i < DD_SHARDS; i++) {
        l->tally.asked += l->asked[i];
        l->tally.right += l->right[i];
        l->asked[i] = l->right[i] = 0;
    }
    l->in_batch = l->units = 0;
    return true;
}

/* What is left in the end of an iteration goes into the first step of the next. */
static bool learn_window(void *user, size_t window)
{
    learner *l = user;
    if (!DD_RESERVE(&l->batch, &l->batch_capacity, (size_t)l->in_batch + 1)) return false;
    l->batch[l->in_batch++] = (uint32_t)window;
    l->units += l->trainer.codes.sentences[window].n;
    return l->units < l->how.batch_words || learn_batch(l);
}

static bool write_symbols(void *user, dd_buffer *section)
{
    const learner *l = user;
    const dd_network_names names = {DD_SEGMENT_NETWORK, NULL};
    for (int t = 0; t < DD_UNIT_TABLES; t++)
        if (!dd_block_put(section, DD_ALIGN_NUMBERS, l->kept[t], l->n_kept[t] * sizeof **l->kept))
            return false;
    return dd_block_put(section, DD_ALIGN_NUMBERS, l->words, l->n_words * sizeof *l->words) &&
           dd_network_freeze(&l->trainer.network, l->trainer.adam.average, &l->trainer.coder,
                             &names, false, l->sections);
}

static dd_status learn_network(learner *l, dd_sentence *const *sentences, size_t count,
                               dd_error *error)
{
    dd_status status = add_all(l, sentences, count, error);
    if (status == DD_OK && !make_symbols(l)) status = dd_fail_memory(error);
    if (status == DD_OK) status = start(l, error);
    if (status != DD_OK) return status;
    dd_learning learning = {.component = DD_TOKENIZER,
                            .iterations = l->options->iterations,
                            .seed = l->options->seed,
                            .report = l->options->report,
                            .user = l->options->user,
                            .examples = l->trainer.codes.count,
                            .tally = &l->tally,
                            .learner = l,
                            .learn = learn_window,
                            .write = write_symbols};
    return dd_learn(&learning, dd_draft_add(l->sections, DD_SEGMENT_SYMBOLS), error);
}

static dd_status train(dd_draft *sections, dd_sentence *const *sentences, size_t count,
                       const dd_segmenter_options *options, dd_error *error)
{
    learner l = {.options = options, .how = *options->how, .sections = sections};
    dd_buffer *section = dd_draft_add(sections, "tokenizer");
    dd_segmenter_options linear = *options;
    linear.iterations = dd_linear_segmenter.iterations;
    dd_status status = dd_segmenter_train(section, sentences, count, &linear, error);
    if (status == DD_OK)
        status = dd_segmenter_map(&l.linear, (dd_text){section->data, section->size}, error);
    if (status == DD_OK) status = learn_network(&l, sentences, count, error);
    free_learner(&l);
    return status;
}

const dd_segmenter_kind dd_neural_segmenter = {
    .name = "neural",
    .train = train,
    .iterations = 12,
    .takes_network = true,
    .layers = 1,
    .width = 64,
    .pace = 60e3,
};
