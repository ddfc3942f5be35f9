#include "train/training.h"

#include "core/memory.h"
#include "core/status.h"
#include "model/image.h"
#include "train/checkpoint.h"
#include "train/corpus.h"

#include <stdlib.h>
#include <string.h>

void dd_training_free(dd_training *t)
{
    dd_components_free(&t->components);
    dd_trainer_free(&t->trainer);
    dd_inventory_free(&t->inventory);
    dd_unlift_free(&t->unlift);
    dd_corpus_free(t->corpus);
    dd_corpus_free(t->dev);
    dd_model_free(t->best);
    dd_model_free(t->start);
    free(t->dev_labels);
    free(t->order);
    dd_silver_free(&t->silver);
    free(t->round);
    free(t->examples);
    free(t->verdicts);
}

static dd_status take(dd_corpus **out, const dd_treebank *treebank, bool whole, bool soft,
                      const dd_train_options *options, const char *what_for, dd_error *error)
{
    dd_status status = dd_corpus_new(out, error);
    if (status == DD_OK) status = dd_corpus_take(*out, treebank, whole, soft, options, error);
    if (status == DD_OK && (*out)->count == 0)
        return dd_fail(error, DD_ERROR_DATA, "%.200s: no sentences to %s on", treebank->paths[0],
                       what_for);
    if (status == DD_OK && (*out)->heads == 0)
        return dd_fail(error, DD_ERROR_DATA, "%.200s: no heads to %s on", treebank->paths[0],
                       what_for);
    return status;
}

static dd_status take_data(dd_training *t, dd_error *error)
{
    const dd_components *from = &t->components;
    bool whole = t->oracle == DD_ORACLE_STATIC;
    dd_status status =
        take(&t->corpus, from->treebank, whole, t->options->soft, t->options, "train", error);
    if (status == DD_OK && from->dev)
        status = take(&t->dev, from->dev, false, false, t->options, "evaluate", error);
    return status;
}

/* What the dev file never has will not be there when parsing either, and would be leaned on in
 * vain. Some treebanks have XPOS in one of their files only. */
static void choose_columns(dd_training *t)
{
    if (t->start) {
        t->columns = t->start->columns;
        return;
    }
    t->columns = t->corpus->present & t->trainer.learner->columns(t->trainer.state);
    if (t->dev) t->left_out = t->columns & ~t->dev->present;
    t->columns &= ~t->left_out;
}

static bool wants_single_root(const dd_training *t)
{
    dd_single_root wanted = t->options->single_root;
    if (wanted == DD_SINGLE_ROOT_AUTO && t->start) return t->start->single_root;
    return wanted == DD_SINGLE_ROOT_YES || (wanted == DD_SINGLE_ROOT_AUTO && t->corpus->one_root);
}

static bool is_too_long(const dd_training *t, const dd_item *item)
{
    return t->max_words > 0 && item->gold.n > t->max_words;
}

static void tell_skipped(const dd_training *t, const dd_item *item, const char *reason)
{
    const dd_train_options *options = t->options;
    if (options->skipped)
        options->skipped(options->user, item->file, dd_sentence_line(item->sentence),
                         dd_sentence_id(item->sentence), reason);
}

static int choose_max_words(const dd_training *t)
{
    if (t->options->max_words >= 0) return t->options->max_words;
    return t->oracle == DD_ORACLE_STATIC ? 0 : t->system->oracle.max_words;
}

bool dd_training_takes_whole(const dd_training *t, const dd_gold *gold)
{
    return t->takes_whole && gold->n <= DD_SOFT_MAX_WORDS;
}

const char *dd_training_judge(const dd_training *t, const dd_item *item)
{
    const char *refused = NULL;
    if (is_too_long(t, item))
        refused = "it has more words than max-words allows";
    else if (!item->gold.soft && !dd_training_takes_whole(t, &item->gold))
        refused = t->system->oracle.refuses(&item->gold, t->single_root);
    if (refused) tell_skipped(t, item, refused);
    return refused;
}

static void take_item(dd_training *t, size_t i)
{
    const dd_gold *gold = &t->corpus->items[i].gold;
    t->order[t->n_order++] = (uint32_t)i;
    t->words += (uint64_t)gold->n;
    t->unknown_heads += (uint64_t)gold->unknown;
}

/* Lists the sentences that the system can build and tells the caller of the others. */
static dd_status select_items(dd_training *t, dd_error *error)
{
    const char *reason = NULL;
    t->max_words = choose_max_words(t);
    t->order = dd_calloc(t->corpus->count, sizeof *t->order);
    if (!t->order) return dd_fail_memory(error);
    for (size_t i = 0; i < t->corpus->count; i++) {
        const dd_item *item = &t->corpus->items[i];
        bool has_heads = item->gold.unknown < item->gold.n;
        const char *refused = has_heads ? dd_training_judge(t, item) : NULL;
        t->without_heads += !has_heads;
        if (has_heads && !refused) take_item(t, i);
        if (!refused) continue;
        reason = refused;
        t->too_long += is_too_long(t, item);
    }
    t->unknown_heads -= t->corpus->arcs_left_out;
    if (t->n_order > 0) return DD_OK;
    return dd_fail(error, DD_ERROR_DATA, "%s can %s none of the %zu training sentences (%s)",
                   t->system->name, t->too_long > 0 ? "learn from" : "build",
                   t->corpus->count - (size_t)t->without_heads, reason);
}

size_t dd_training_skipped(const dd_training *training)
{
    return training->corpus->count - training->n_order - (size_t)training->without_heads -
           (size_t)training->too_long;
}

/* Those of the model that training starts from keep their numbers, and the places where they were
 * seen. */
static bool take_over_labels(dd_training *t)
{
    const dd_inventory *from = &t->start->inventory;
    for (int id = 0; id < from->labels.count; id++)
        if (dd_inventory_see(&t->inventory, dd_vocab_text(&from->labels, id), from->seen[id]) < 0)
            return false;
    return true;
}

/* The corpus numbers labels as it reads them; training uses the inventory's numbers. Where a word
 * has a head but no label any label will do, unless there are no labels at all. */
static dd_status number_labels(dd_training *t, dd_error *error)
{
    bool labelled = t->corpus->labelled || t->start;
    if (t->start && !take_over_labels(t)) return dd_fail_memory(error);
    for (size_t i = 0; i < t->n_order; i++) {
        dd_gold *gold = &t->corpus->items[t->order[i]].gold;
        for (int word = 1; word <= gold->n; word++) {
            if (gold->heads[word] == DD_NONE) continue;
            dd_text label = {"_", 1};
            if (gold->labels[word] != DD_NONE)
                label = dd_vocab_text(&t->corpus->labels, gold->labels[word]);
            else if (labelled)
                continue;
            gold->labels[word] = dd_inventory_see(
                &t->inventory, label, dd_inventory_place(t->system, gold->heads[word], word));
            if (gold->labels[word] < 0) return dd_fail_memory(error);
        }
    }
    return dd_inventory_close(&t->inventory, t->system, error);
}

static dd_status match_dev_labels(dd_training *t, dd_error *error)
{
    const dd_vocab *labels = &t->inventory.labels;
    if (!t->dev) return DD_OK;
    if (t->scheme != DD_PSEUDO_PROJECTIVE_NONE) {
        if (!dd_unlift_set(&t->unlift, t->scheme, labels)) return dd_fail_memory(error);
        labels = &t->unlift.names;
    }
    t->dev_labels = dd_calloc((size_t)t->dev->labels.count, sizeof *t->dev_labels);
    if (!t->dev_labels) return dd_fail_memory(error);
    for (int id = 0; id < t->dev->labels.count; id++)
        t->dev_labels[id] = dd_vocab_find(labels, dd_vocab_text(&t->dev->labels, id));
    return DD_OK;
}

static dd_status make_trainer(dd_training *t, dd_error *error)
{
    t->trainer = (dd_trainer){
        .inventory = &t->inventory,
        .learner = dd_learner_find(t->options->scorer),
        .oracle = {.kind = t->oracle,
                   .system = t->system,
                   .takes_whole = t->takes_whole,
                   .space = {.variant = dd_system_find_loss(t->system, t->options->loss)}},
        .random = {t->options->seed},
        .beam = t->options->beam,
        .update = t->options->update,
        .margin = t->options->margin,
    };
    return t->trainer.learner->open(&t->trainer.state, t->options, t->system, error);
}

static dd_status start_learner(dd_training *t, dd_error *error)
{
    dd_trainer *trainer = &t->trainer;
    size_t count = t->corpus->count;
    const dd_sentence **sentences = dd_calloc(count, sizeof *sentences);
    if (!sentences) return dd_fail_memory(error);
    for (size_t i = 0; i < count; i++) sentences[i] = t->corpus->items[i].sentence;
    dd_sections from = {0};
    if (t->start) dd_image_list(t->start->image, &from);
    dd_lessons lessons = {.sentences = sentences,
                          .count = count,
                          .words = t->words,
                          .added_words = dd_silver_due(t->options, t->words, 1),
                          .inventory = &t->inventory,
                          .columns = t->columns,
                          .from = t->start ? &from : NULL};
    dd_status status = trainer->learner->start(trainer->state, &lessons, error);
    free(sentences);
    if (status != DD_OK) return status;
    trainer->single_root = t->single_root;
    trainer->by_move = trainer->learner->by_move(trainer->state);
    return DD_OK;
}

/* A misspelt name in MISC must not go unnoticed. */
static dd_status check_soft(const dd_training *t, dd_error *error)
{
    if (!t->options->soft || t->corpus->soft + t->silver.counts.soft > 0) return DD_OK;
    return dd_fail(error, DD_ERROR_DATA,
                   "no sentence has probabilities of heads (HeadProbs or HeadProb in MISC)");
}

static void announce(const dd_training *t)
{
    const dd_train_options *options = t->options;
    dd_train_data data = {
        .sentences = t->n_order,
        .words = t->words,
        .skipped = dd_training_skipped(t),
        .lifted = t->corpus->lifted,
        .bad = t->corpus->bad,
        .single_root = t->single_root,
        .labels = t->inventory.labels.count,
        .transitions = t->system->arc_factored ? 0 : t->inventory.n_classes,
        .unknown_heads = t->unknown_heads,
        .without_heads = t->without_heads,
        .system = t->system->name,
        .left_out = t->left_out,
        .in_part = t->corpus->in_part,
        .arcs_left_out = t->corpus->arcs_left_out,
        .whole = t->corpus->whole,
        .soft = t->corpus->soft + t->silver.counts.soft,
        .max_words = t->max_words,
        .too_long = t->too_long,
        .silver_sentences = t->silver.counts.sentences,
        .silver_words = t->silver.counts.words,
        .silver_skipped = t->silver.counts.skipped,
        .silver_in_part = t->silver.counts.in_part,
        .silver_bad = t->silver.counts.bad,
        .silver_unknown_labels = t->silver.counts.unknown_labels,
        .resumed_after = t->iterations_done,
    };
    if (options->data) options->data(options->user, &data);
}

dd_status dd_training_change_unbuildable(dd_training *t, dd_corpus *corpus, dd_error *error)
{
    dd_status status = DD_OK;
    if (t->scheme != DD_PSEUDO_PROJECTIVE_NONE)
        status = dd_corpus_lift(corpus, t->system, t->single_root, t->scheme, error);
    if (status == DD_OK && t->keeps_parts)
        status = dd_corpus_keep_parts(corpus, t->system, t->single_root,
                                      t->takes_whole ? DD_SOFT_MAX_WORDS : 0, t->options, error);
    return status;
}

dd_status dd_training_prepare(dd_training *t, dd_error *error)
{
    dd_status status = make_trainer(t, error);
    if (status == DD_OK) status = take_data(t, error);
    if (status != DD_OK) return status;
    choose_columns(t);
    t->single_root = wants_single_root(t);
    status = dd_training_change_unbuildable(t, t->corpus, error);
    if (status == DD_OK) status = select_items(t, error);
    if (status == DD_OK) status = number_labels(t, error);
    if (status == DD_OK) status = match_dev_labels(t, error);
    if (status == DD_OK) status = start_learner(t, error);
    if (status == DD_OK && t->options->silver) status = dd_training_read_silver(t, error);
    if (status == DD_OK) status = check_soft(t, error);
    if (status == DD_OK && t->options->resume) status = dd_checkpoint_load(t, error);
    if (status == DD_OK) announce(t);
    return status;
}
