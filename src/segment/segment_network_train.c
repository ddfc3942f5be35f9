/* segment_network_train.c - learns the network of a segmenter, and its linear segmenter */
#include "core/learning.h"
#include "core/memory.h"
#include "neural/network_trainer.h"
#include "segment/segment_examples.h"
#include "segment/segment_network.h"

#include <math.h>
#include <stdlib.h>

enum { HIDDEN = 32 };
/* Of embeddings, in the order of dd_unit_inputs. */
static const int sizes[DD_UNIT_TABLES] = {48, 32, 24, 48, 32};
/* Features are added up, and must not leave a byte: they begin small. */
static const double feature_share = 0.3;

typedef struct learner {
    const dd_segmenter_options *options;
    dd_network_options how; /* with the units of a mini-batch */
    dd_draft *sections;
    dd_segment_examples examples; /* but for their codes, which are the trainer's */
    dd_network_trainer trainer;
    dd_learning_part part; /* that is learnt */
    uint64_t asked[DD_SHARDS], right[DD_SHARDS];
    uint32_t *batch; /* [in_batch] windows that the next step is made of */
    int in_batch, units;
    int batch_units; /* that a step has at least */
    size_t batch_capacity;
    dd_tally tally;
} learner;

static void free_learner(learner *l)
{
    dd_segment_examples_free(&l->examples);
    dd_network_trainer_free(&l->trainer);
    free(l->batch);
}

/* ---- the network ---------------------------------------------------------------------------- */

/* Steps of an iteration, about: a window is often longer than a mini-batch was to be. The learning
 * rate must fall over as many as there will be, or it is still high in the end. */
static uint64_t count_steps(const learner *l)
{
    uint64_t steps = 1;
    int units = 0;
    for (size_t i = 0; i < l->trainer.codes.count; i++) {
        units += l->trainer.codes.sentences[i].n;
        if (units < l->batch_units) continue;
        units = 0;
        steps++;
    }
    return steps;
}

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
        shape.vocabulary[dd_unit_inputs[t]] = (int)l->examples.n_kept[t] + DD_SYMBOL_ROOT + 1;
        shape.size[dd_unit_inputs[t]] = sizes[t];
    }
    dd_network_plan plan = {.how = &l->how,
                            .iterations = l->options->iterations,
                            .threads = l->options->threads,
                            .seed = l->options->seed};
    for (size_t i = 0; i < d->codes.count; i++) plan.words += (uint64_t)d->codes.sentences[i].n;
    l->batch_units = dd_network_batch_words(&l->how, plan.words);
    l->how.batch_words = (int)(plan.words / count_steps(l)) + 1;
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
    int first = l->examples.spaced[at] ? DD_UNIT_TOKEN : DD_UNIT_INSIDE, best = first;
    dd_real sum = 0;
    dd_shard_score(shard, window, &node, scores);
    for (int end = first; end < DD_UNIT_ENDS; end++)
        if (scores[end] > scores[best]) best = end;
    l->asked[shard_number]++;
    l->right[shard_number] += best == l->examples.gold[at];
    dd_real most = scores[best];
    for (int end = 0; end < DD_UNIT_ENDS; end++)
        sum += scores[end] = end < first ? 0 : (dd_real)exp((double)(scores[end] - most));
    for (int end = 0; end < DD_UNIT_ENDS; end++)
        scores[end] = scores[end] / sum - (end == l->examples.gold[at]);
    return dd_shard_decide(shard, window, &node, scores);
}

static bool learn_shard(dd_network_trainer *d, int shard, void *user)
{
    learner *l = user;
    for (int i = d->first[shard]; i < d->first[shard + 1]; i++) {
        size_t start = l->examples.starts[l->batch[i]];
        for (int node = 0; node <= d->coded[i]->n; node++)
            if (l->examples.gold[start + (size_t)node] != DD_NOT_DECIDED &&
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
    return l->units < l->batch_units || learn_batch(l);
}

static bool write_symbols(void *user, dd_buffer *section)
{
    const learner *l = user;
    const dd_network_names names = {DD_SEGMENT_NETWORK, NULL};
    const dd_freezing_options how = {.bits = l->how.bits};
    for (int t = 0; t < DD_UNIT_TABLES; t++)
        if (!dd_block_put(section, DD_ALIGN_NUMBERS, l->examples.kept[t],
                          l->examples.n_kept[t] * sizeof **l->examples.kept))
            return false;
    return dd_block_put(section, DD_ALIGN_NUMBERS, l->examples.words,
                        l->examples.n_words * sizeof *l->examples.words) &&
           dd_network_freeze(&l->trainer.network, l->trainer.adam.average, &l->trainer.coder,
                             &names, &how, l->sections);
}

/* `end`: share of the component's training that is done then. */
static dd_status learn_network(learner *l, dd_sentence *const *sentences, size_t count, double end,
                               dd_error *error)
{
    dd_status status = dd_segment_examples_set(&l->examples, sentences, count, error);
    l->part.part++;
    l->part.before += l->part.share;
    l->part.share = end - l->part.before;
    l->trainer.codes = l->examples.codes;
    l->examples.codes = (dd_codes){0};
    if (status == DD_OK) status = start(l, error);
    if (status != DD_OK) return status;
    dd_learning learning = {.component = DD_TOKENIZER,
                            .iterations = l->options->iterations,
                            .seed = l->options->seed,
                            .report = l->options->report,
                            .user = l->options->user,
                            .part = &l->part,
                            .examples = l->trainer.codes.count,
                            .tally = &l->tally,
                            .learner = l,
                            .learn = learn_window,
                            .write = write_symbols};
    return dd_learn(&learning, dd_draft_add(l->sections, DD_SEGMENT_SYMBOLS), error);
}

/* A linear segmenter of the whole treebank, those of folds, and the network. */
static int count_parts(size_t sentences)
{
    return 2 + dd_segment_examples_folds(sentences);
}

/* The first of the parts, of which `whole` has the numbers. */
static dd_learning_part first_part(const dd_learning_part *whole, size_t sentences, int iterations)
{
    dd_learning_part part = *whole;
    const dd_segmenter_kind *linear = &dd_linear_segmenter;
    part.share *= dd_segmenter_kind_cost(linear, sentences, linear->iterations) /
                  dd_segmenter_kind_cost(&dd_neural_segmenter, sentences, iterations);
    return part;
}

static dd_status train(dd_draft *sections, dd_sentence *const *sentences, size_t count,
                       const dd_segmenter_options *options, dd_error *error)
{
    dd_learning_part whole = {1, count_parts(count), 0, 1, dd_seconds_now()};
    if (options->part) whole = *options->part;
    learner l = {.options = options,
                 .how = *options->how,
                 .sections = sections,
                 .part = first_part(&whole, count, options->iterations)};
    dd_buffer *section = dd_draft_add(sections, "tokenizer");
    dd_segmenter_options classifiers = *options;
    dd_segmenter *linear = NULL;
    classifiers.iterations = dd_linear_segmenter.iterations;
    classifiers.advises = true;
    classifiers.part = l.examples.part = &l.part;
    dd_status status = dd_segmenter_train(section, sentences, count, &classifiers, error);
    if (status == DD_OK)
        status = dd_segmenter_map(&linear, (dd_text){section->data, section->size}, error);
    l.examples.options = &classifiers;
    l.examples.linear = linear;
    if (status == DD_OK)
        status = learn_network(&l, sentences, count, whole.before + whole.share, error);
    free_learner(&l);
    dd_segmenter_free(linear);
    return status;
}

const dd_segmenter_kind dd_neural_segmenter = {
    .name = "neural",
    .train = train,
    .parts = count_parts,
    .iterations = 12,
    .least_words = 800e3,
    .takes_network = true,
    .layers = 1,
    .width = 64,
    .pace = 60e3,
};
