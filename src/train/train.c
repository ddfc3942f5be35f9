/* train.c - dd_train: from treebank files to a model */
#include "core/learning.h"
#include "core/memory.h"
#include "core/status.h"
#include "parse/parser.h"
#include "train/checkpoint.h"
#include "train/trainer.h"
#include "train/training.h"

#include <math.h>
#include <string.h>
#include <time.h>

static double processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A model of what the learner has frozen, with the facts as they stand now. Confidence without
 * points is left out. */
static dd_status make_model(const dd_training *t, const dd_draft *frozen,
                            const dd_confidence *confidence, dd_model **out, dd_error *error)
{
    dd_buffer facts = {0}, labels = {0};
    char *image = NULL;
    size_t size = 0;
    dd_status status = DD_ERROR_MEMORY;
    if (dd_facts_write(t, &facts) && dd_inventory_write(&t->inventory, &labels)) {
        dd_sections sections = {0};
        dd_sections_add(&sections, "facts", (dd_text){facts.data, facts.size});
        dd_sections_add(&sections, "labels", (dd_text){labels.data, labels.size});
        dd_draft_list(frozen, &sections);
        if (confidence->count > 0)
            dd_sections_add(&sections, "confidence",
                            (dd_text){(const char *)confidence, sizeof *confidence});
        dd_components_list(&t->components, &sections);
        status = dd_model_assemble(&image, &size, &sections, error);
    } else {
        dd_fail_memory(error);
    }
    dd_buffer_free(&facts);
    dd_buffer_free(&labels);
    return status == DD_OK
               ? dd_model_from_image(out, "model", image, size, DD_IMAGE_ALLOCATED, error)
               : status;
}

static dd_status freeze(const dd_training *t, dd_draft *frozen, dd_error *error)
{
    bool ok = t->trainer.learner->freeze(t->trainer.state, frozen);
    return ok ? DD_OK : dd_fail_memory(error);
}

/* Words with the right head, and with the right label too; full labels, punctuation counted. Words
 * whose head is not known count for nothing; where only the label is not known, any is right. */
static bool count_right(dd_training *t, const dd_parser *parser, const dd_gold *gold,
                        uint64_t *heads, uint64_t *labels)
{
    const float *margins = parser->trees[0].margins;
    if (!DD_RESERVE(&t->verdicts, &t->verdicts_capacity, t->n_verdicts + (size_t)gold->n))
        return false;
    for (int word = 1; word <= gold->n; word++) {
        bool head = parser->heads[word] == gold->heads[word];
        int label = gold->labels[word];
        bool both = head && (label == DD_NONE || parser->labels[word] == t->dev_labels[label]);
        *heads += head;
        *labels += both;
        if (gold->heads[word] != DD_HEAD_UNKNOWN && margins[word] > -INFINITY)
            t->verdicts[t->n_verdicts++] = (dd_verdict){margins[word], both};
    }
    return true;
}

enum { PARSED_TOGETHER = 64 };

/* Parses some dev sentences. False if allocation fails. */
static bool parse_dev(dd_training *t, dd_parser *parser, const dd_item *items, int count,
                      uint64_t *heads, uint64_t *labels)
{
    const dd_sentence *sentences[PARSED_TOGETHER];
    for (int i = 0; i < count; i++) sentences[i] = items[i].sentence;
    if (!dd_parser_prepare(parser, sentences, (size_t)count)) return false;
    for (int i = 0; i < count; i++) {
        if (!dd_parser_run(parser, i, items[i].gold.n, NULL, t->options->beam, 1) ||
            !count_right(t, parser, &items[i].gold, heads, labels))
            return false;
    }
    return true;
}

static dd_status evaluate(dd_training *t, const dd_model *model, dd_train_progress *progress,
                          dd_error *error)
{
    dd_parser *parser;
    dd_status status = dd_parser_new(&parser, model, error);
    if (status != DD_OK) return status;
    uint64_t heads = 0, labels = 0;
    t->n_verdicts = 0;
    for (size_t i = 0; i < t->dev->count && status == DD_OK; i += PARSED_TOGETHER) {
        size_t left = t->dev->count - i;
        int count = left < PARSED_TOGETHER ? (int)left : PARSED_TOGETHER;
        if (!parse_dev(t, parser, &t->dev->items[i], count, &heads, &labels))
            status = dd_fail_memory(error);
    }
    dd_parser_free(parser);
    progress->has_dev = true;
    progress->dev_uas = 100.0 * (double)heads / (double)t->dev->heads;
    progress->dev_las = 100.0 * (double)labels / (double)t->dev->heads;
    return status;
}

static void estimate(const dd_training *t, dd_train_progress *progress)
{
    double done =
        progress->iteration - 1 + (double)progress->sentences / (double)progress->all_sentences;
    double spent = dd_seconds_now() - t->started, since = done - t->resumed_after;
    progress->seconds = dd_seconds_now() - t->iteration_started;
    progress->cpu_seconds = processor_seconds() - t->iteration_cpu_started;
    progress->seconds_left = since > 0 ? spent / since * (t->options->iterations - done) : 0;
    const dd_tally *tally = &t->trainer.tally;
    progress->accuracy = tally->asked ? (double)tally->right / (double)tally->asked : 0;
}

static bool report(dd_training *t, const dd_train_progress *progress)
{
    const dd_train_options *options = t->options;
    return !options->report || options->report(options->user, progress);
}

enum { SENTENCES_PER_REPORT = 64 };

static dd_status learn_batch(dd_training *t, size_t from, size_t to, dd_train_progress *progress,
                             dd_error *error)
{
    if (!dd_training_learn(t, t->round + from, (int)(to - from))) return dd_fail_memory(error);
    progress->sentences += to - from;
    for (size_t i = from; i < to; i++) progress->words += (uint64_t)t->examples[i - from].gold->n;
    return DD_OK;
}

/* In the whole iteration: how many silver sentences will be drawn is not known before the last leg.
 */
static uint64_t count_sentences(const dd_training *t, const dd_train_progress *progress)
{
    const dd_silver_counts *silver = &t->silver.counts;
    uint64_t so_far = progress->sentences + t->n_round;
    if (t->is_last_leg) return so_far;
    double words = (double)dd_silver_due(t->options, t->words, 1);
    uint64_t all =
        t->n_order + (uint64_t)(words * (double)silver->sentences / (double)silver->words);
    return all > so_far ? all : so_far;
}

static dd_status run_leg(dd_training *t, dd_train_progress *progress, dd_error *error)
{
    progress->all_sentences = count_sentences(t, progress);
    for (size_t from = 0, to; from < t->n_round; from = to) {
        uint64_t before = progress->sentences;
        to = dd_training_end_of_batch(t, from);
        dd_status status = learn_batch(t, from, to, progress, error);
        if (status != DD_OK) return status;
        if (progress->sentences / SENTENCES_PER_REPORT == before / SENTENCES_PER_REPORT) continue;
        estimate(t, progress);
        if (!report(t, progress))
            return dd_fail(error, DD_INTERRUPTED, "stopped in iteration %d", progress->iteration);
    }
    return DD_OK;
}

/* One pass over the data; DD_INTERRUPTED when the caller stopped it. */
static dd_status run_iteration(dd_training *t, dd_train_progress *progress, dd_error *error)
{
    dd_trainer *trainer = &t->trainer;
    trainer->explore = progress->iteration >= t->options->explore_from ? t->options->explore : 0;
    trainer->tally = (dd_tally){0};
    t->iteration_started = dd_seconds_now();
    t->iteration_cpu_started = processor_seconds();
    dd_status status = dd_training_begin_round(t, progress->iteration, error);
    while (status == DD_OK) {
        status = run_leg(t, progress, error);
        if (status == DD_OK) status = dd_training_next_leg(t, progress->iteration, error);
    }
    if (status != DD_END) return status;
    estimate(t, progress);
    return DD_OK;
}

/* The better of the best model so far and this one, which gets its scores written into it. */
static dd_status keep_best(dd_training *t, const dd_draft *frozen, dd_train_progress *progress,
                           dd_error *error)
{
    if (t->best && progress->dev_las <= t->best_las) return DD_OK;
    progress->best = true;
    t->best_las = progress->dev_las;
    t->best_uas = progress->dev_uas;
    dd_model_free(t->best);
    t->best = NULL;
    dd_confidence confidence;
    dd_confidence_fit(&confidence, t->verdicts, t->n_verdicts);
    return make_model(t, frozen, &confidence, &t->best, error);
}

static dd_status finish_iteration(dd_training *t, dd_train_progress *progress, dd_error *error)
{
    const dd_trainer *trainer = &t->trainer;
    t->iterations_done = progress->iteration;
    if (trainer->learner->end_epoch &&
        !trainer->learner->end_epoch(trainer->state, progress->iteration, t->options->iterations))
        return dd_fail_memory(error);
    if (!t->dev) return DD_OK;
    dd_draft frozen = {0};
    dd_model *model = NULL;
    dd_status status = freeze(t, &frozen, error);
    if (status == DD_OK) status = make_model(t, &frozen, &(dd_confidence){0}, &model, error);
    if (status == DD_OK) status = evaluate(t, model, progress, error);
    dd_model_free(model);
    if (status == DD_OK) status = keep_best(t, &frozen, progress, error);
    dd_draft_free(&frozen);
    return status;
}

/* A disk that is full does not end what is still going well. */
static dd_status keep_place(const dd_training *t, dd_error *error)
{
    dd_error why;
    const dd_train_options *options = t->options;
    if (!options->checkpoint || t->iterations_done == options->iterations) return DD_OK;
    dd_status status = dd_checkpoint_save(t, &why);
    if (status == DD_ERROR_MEMORY) return dd_fail_memory(error);
    if (status != DD_OK && options->warn) options->warn(options->user, &why);
    return DD_OK;
}

static dd_status run_all(dd_training *t, dd_error *error)
{
    dd_status status = DD_OK;
    t->started = dd_seconds_now();
    t->resumed_after = t->iterations_done;
    for (int k = t->iterations_done + 1; k <= t->options->iterations && status == DD_OK; k++) {
        dd_train_progress progress = {.iteration = k, .iterations = t->options->iterations};
        status = run_iteration(t, &progress, error);
        if (status == DD_OK) status = finish_iteration(t, &progress, error);
        if (status == DD_OK) status = keep_place(t, error);
        if (status != DD_OK) break;
        progress.finished = true;
        bool last = k == t->options->iterations;
        if (!report(t, &progress) && !last)
            status = dd_fail(error, DD_INTERRUPTED, "stopped after iteration %d", k);
    }
    return status;
}

dd_status dd_training_hand_out(dd_training *t, dd_model **out, dd_error *error)
{
    if (t->best) {
        *out = t->best;
        t->best = NULL;
        return DD_OK;
    }
    dd_draft frozen = {0};
    dd_status status = freeze(t, &frozen, error);
    if (status == DD_OK) status = make_model(t, &frozen, &(dd_confidence){0}, out, error);
    dd_draft_free(&frozen);
    return status;
}

/* Before hours have passed. */
static dd_status check_shared(const dd_training *t, dd_error *error)
{
    dd_draft frozen = {0};
    if (!t->options->taken) return DD_OK;
    dd_status status = freeze(t, &frozen, error);
    if (status == DD_OK)
        status = dd_components_check_shared(&t->components, t->options, &frozen, error);
    dd_draft_free(&frozen);
    return status;
}

static dd_status train_parser(dd_training *t, dd_model **out, dd_error *error)
{
    dd_status status = dd_training_prepare(t, error);
    if (status == DD_OK) status = check_shared(t, error);
    if (status == DD_OK) status = run_all(t, error);
    if (status == DD_OK || status == DD_INTERRUPTED) {
        dd_status made = dd_training_hand_out(t, out, error);
        if (made != DD_OK) status = made;
    }
    if (status == DD_OK && t->options->checkpoint) dd_checkpoint_remove(t);
    return status;
}

dd_status dd_train(dd_model **out, const dd_settings *settings, const dd_train_watch *watch,
                   const char *const *train_paths, size_t n_train, const char *dev_path,
                   dd_error *error)
{
    dd_train_options options;
    dd_training t = {.options = &options, .best_uas = -1, .best_las = -1};
    *out = NULL;
    dd_status status = dd_train_options_fill(&options, settings, watch, error);
    if (status == DD_OK && n_train == 0)
        status = dd_fail(error, DD_ERROR_ARGUMENT, "no training file");
    if (status == DD_OK)
        status = dd_components_read(&t.components, &options, train_paths, n_train, dev_path, error);
    if (status == DD_OK) status = dd_training_choose_components(&t, &options, error);
    if (status == DD_OK) status = dd_training_choose(&t, error);
    if (status == DD_OK) dd_training_tell_plan(&t);
    if (status == DD_OK) status = dd_components_train(&t.components, &options, error);
    if (status == DD_OK && options.components & DD_PARSER)
        status = train_parser(&t, out, error);
    else if (status == DD_OK)
        status = dd_components_make_model(&t.components, &options, out, error);
    dd_training_free(&t);
    dd_train_options_free(&options);
    return status;
}

/* ---- what an iteration goes through ---------------------------------------------------------- */

/* Where another leg follows, this one has as large a part of the treebank as of the silver words of
 * the iteration, so that all mini-batches have both. */
static void leave_for_others(dd_training *t, size_t own, int k)
{
    uint64_t before = dd_silver_due(t->options, t->words, k - 1),
             due = dd_silver_due(t->options, t->words, k), drawn = t->silver.drawn;
    double share = drawn > before ? (double)(drawn - before) / (double)(due - before) : 0;
    size_t up_to = (size_t)(share * (double)t->n_order);
    size_t kept = up_to > t->ordered ? up_to - t->ordered : 0;
    memmove(t->round + kept, t->round + own, (t->n_round - own) * sizeof *t->round);
    t->n_round -= own - kept;
    t->ordered += kept;
}

/* Silver sentences are anywhere among the others. */
static bool mix_silver_in(dd_training *t, int k)
{
    size_t own = t->n_round;
    uint64_t due = dd_silver_due(t->options, t->words, k);
    if (!dd_silver_draw(&t->silver, due, &t->round, &t->n_round, &t->round_capacity)) return false;
    for (size_t i = own; i < t->n_round; i++) t->round[i] += (uint32_t)t->corpus->count;
    t->is_last_leg = t->silver.drawn >= due;
    if (t->is_last_leg)
        t->ordered = t->n_order;
    else
        leave_for_others(t, own, k);
    dd_trainer_shuffle(&t->trainer, t->round, t->n_round);
    return true;
}

static dd_status make_leg(dd_training *t, int k, dd_error *error)
{
    size_t own = t->n_order - t->ordered;
    if (dd_silver_is_spent(&t->silver)) {
        dd_status status = dd_training_next_silver(t, error);
        if (status != DD_OK) return status;
    }
    if (!DD_RESERVE(&t->round, &t->round_capacity, own)) return dd_fail_memory(error);
    if (own > 0) memcpy(t->round, t->order + t->ordered, own * sizeof *t->round);
    t->n_round = own;
    t->is_last_leg = true;
    if (!t->options->silver) return DD_OK;
    return mix_silver_in(t, k) ? DD_OK : dd_fail_memory(error);
}

dd_status dd_training_begin_round(dd_training *t, int k, dd_error *error)
{
    dd_trainer_shuffle(&t->trainer, t->order, t->n_order);
    t->ordered = 0;
    return make_leg(t, k, error);
}

dd_status dd_training_next_leg(dd_training *t, int k, dd_error *error)
{
    return t->is_last_leg ? DD_END : make_leg(t, k, error);
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
        bool silver = is_silver(t, sentences[i]);
        size_t of_silver = sentences[i] - t->corpus->count;
        t->examples[i] = (dd_example){
            .sentence = sentences[i],
            .gold = tree_of(t, sentences[i], i),
            .added = silver,
            .weights = silver ? dd_silver_weights(&t->silver, of_silver, false) : NULL,
            .label_weights = silver ? dd_silver_weights(&t->silver, of_silver, true) : NULL,
        };
        if (!t->examples[i].gold) return false;
    }
    return dd_trainer_learn(&t->trainer, t->examples, count);
}
