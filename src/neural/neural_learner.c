#include "neural/neural_learner.h"
#include "core/memory.h"
#include "core/strings.h"
#include "neural/network.h"
#include "neural/neural.h"
#include "neural/shard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Scores are whole numbers of this. */
#define UNIT (1.0 / 4096)

enum { LABEL_HIDDEN = 128, PAIRS = 128 };

static void free_learner(void *state)
{
    dd_neural *l = state;
    if (!l) return;
    dd_slots_free(&l->slots);
    dd_network_trainer_free(&l->trainer);
    dd_vectors_free(&l->vectors);
    free(l->sentences);
    free(l->moves);
    free(l);
}

/* In the order of their names in train/setting_rows.c. */
static uint32_t choose_inputs(uint32_t named)
{
    static const dd_input_kind kinds[] = {DD_INPUT_FORM, DD_INPUT_CHARS, DD_INPUT_LEMMA,
                                          DD_INPUT_UPOS, DD_INPUT_XPOS,  DD_INPUT_FEATS};
    uint32_t inputs = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (named >> i & 1) inputs |= 1u << kinds[i];
    return inputs;
}

static dd_status open_learner(void **out, const dd_train_options *options, const dd_system *system,
                              dd_error *error)
{
    dd_neural *l = dd_calloc(1, sizeof *l);
    if (!l) return dd_fail_memory(error);
    l->options = options;
    l->system = system;
    l->own = options->network;
    l->inputs = choose_inputs(l->own.inputs);
    l->slot_names = (dd_text){system->features.slots, strlen(system->features.slots)};
    dd_status status = dd_slots_read(&l->slots, l->slot_names, error);
    if (status == DD_OK)
        *out = l;
    else
        free_learner(l);
    return status;
}

static uint32_t columns(const void *state)
{
    const dd_neural *l = state;
    return dd_coder_columns(l->inputs) | (l->own.vectors ? 1u << DD_FORM : 0);
}

static bool add(void *state, const dd_sentence *sentence)
{
    dd_neural *l = state;
    return dd_codes_add(&l->trainer.codes, &l->trainer.coder, sentence);
}

static void forget(void *state, size_t count)
{
    dd_codes_forget(&((dd_neural *)state)->trainer.codes, count);
}

static bool by_move(const void *state)
{
    return ((const dd_neural *)state)->slots.heads > 0;
}

static int batch_words(const void *state)
{
    return ((const dd_neural *)state)->own.batch_words;
}

/* Sizes that are not of words. */
static void set_shape(const dd_neural *l, dd_network_shape *shape)
{
    *shape = (dd_network_shape){.encoder = dd_encoder_find(l->own.encoder),
                                .layers = l->own.layers,
                                .width = (l->own.width + 7) / 8 * 8,
                                .slots = l->slots.count,
                                .hidden = (l->own.hidden + 15) / 16 * 16,
                                .outputs = l->system->n_rules,
                                .pairs = l->system->features.products ? PAIRS : 0,
                                .label_hidden = LABEL_HIDDEN,
                                .labels = l->inventory->labels.count};
}

dd_status dd_neural_check_labels(const dd_network_shape *shape, dd_error *error)
{
    if (shape->outputs <= DD_MOST_OUTPUTS && shape->labels <= DD_MOST_LABELS) return DD_OK;
    return dd_fail(error, DD_ERROR_DATA, "too many labels: %d", shape->labels);
}

static dd_status start_from_scratch(dd_neural *l, const dd_network_plan *plan, dd_error *error)
{
    dd_network_shape shape;
    dd_status status = dd_network_trainer_code(&l->trainer, plan, &l->vectors, error);
    if (status != DD_OK) return status;
    set_shape(l, &shape);
    dd_network_trainer_shape(&l->trainer, &l->vectors, &shape);
    status = dd_neural_check_labels(&shape, error);
    if (status != DD_OK) return status;
    return dd_network_trainer_start(&l->trainer, plan, &shape, &l->vectors, error);
}

static dd_status start(void *state, const dd_lessons *lessons, dd_error *error)
{
    dd_neural *l = state;
    uint64_t words = lessons->words + lessons->added_words;
    l->inventory = lessons->inventory;
    l->own.batch_words = dd_network_batch_words(&l->own, words);
    dd_network_plan plan = {.how = &l->own,
                            .sentences = lessons->sentences,
                            .count = lessons->count,
                            .words = words,
                            .columns = lessons->columns,
                            .inputs = l->inputs,
                            .iterations = l->options->iterations,
                            .threads = l->options->threads,
                            .seed = l->options->seed};
    return lessons->from ? dd_neural_fine_tune(l, &plan, lessons->from, error)
                         : start_from_scratch(l, &plan, error);
}

/* ---- a mini-batch -------------------------------------------------------------------------- */

static bool prepare(void *state, const dd_example *examples, int count)
{
    dd_neural *l = state;
    if (!DD_RESERVE(&l->sentences, &l->sentences_capacity, (size_t)count)) return false;
    for (int i = 0; i < count; i++) l->sentences[i] = examples[i].sentence;
    if (!dd_network_trainer_prepare(&l->trainer, l->sentences, count)) return false;
    for (int i = 0; i < count; i++)
        l->trainer.gold[i] = (dd_shard_gold){examples[i].gold->heads, examples[i].gold->labels,
                                             examples[i].label_weights};
    return true;
}

/* ---- configurations ----------------------------------------------------------------------- */

static bool settle(dd_neural *l)
{
    if (!l->pending) return true;
    l->pending = false;
    return dd_shard_decide(&l->trainer.shards[l->at.shard], l->at.number, l->nodes, l->derivatives);
}

static int32_t whole(dd_real score)
{
    double number = (double)score / UNIT;
    return number > 1e9 ? 1000000000 : number < -1e9 ? -1000000000 : (int32_t)lrint(number);
}

/* The classes of a move: the best label adds nothing. */
static void score_classes(const dd_neural *l, const dd_view *view, int move, dd_real score,
                          bool with_labels)
{
    dd_candidate arc = view->arcs[move];
    dd_class_list list = dd_classes_of(l->inventory, view->moves[move].kind,
                                       dd_use_of((dd_arc){arc.head, arc.dependent}));
    dd_real labels[DD_MOST_LABELS], best = -INFINITY;
    int32_t *row = dd_view_row(view, move, l->inventory->n_classes);
    if (arc.dependent == DD_NONE || !with_labels) {
        for (int i = 0; i < list.count; i++) row[list.first + i] = whole(score);
        return;
    }
    dd_shard_label(&l->trainer.shards[l->at.shard], l->at.number, arc.dependent, arc.head, labels);
    for (int i = 0; i < list.count; i++) {
        int label = l->inventory->classes[list.first + i].label;
        if (labels[label] > best) best = labels[label];
    }
    for (int i = 0; i < list.count; i++)
        row[list.first + i] =
            whole(score + labels[l->inventory->classes[list.first + i].label] - best);
}

/* What counts for a move are the products of its arc and, against it, of the arc that it replaces.
 * Scores and derivatives go by the same table. */
enum { PRODUCTS = 2 };
static const dd_real product_signs[PRODUCTS] = {1, -1};

static int product_head(const dd_view *view, int move, int i)
{
    return i == 0 ? view->arcs[move].head : dd_view_old_head(view, move);
}

static dd_real score_arc(const dd_neural *l, const dd_view *view, int move)
{
    const dd_shard *shard = &l->trainer.shards[l->at.shard];
    int dependent = view->arcs[move].dependent;
    dd_real sum = 0;
    for (int i = 0; i < PRODUCTS; i++)
        sum += product_signs[i] *
               dd_shard_pair(shard, l->at.number, dependent, product_head(view, move, i));
    return sum;
}

static bool decide_arc(dd_neural *l, const dd_view *view, int move, dd_real derivative)
{
    dd_shard *shard = &l->trainer.shards[l->at.shard];
    int dependent = view->arcs[move].dependent;
    bool ok = true;
    for (int i = 0; ok && i < PRODUCTS; i++)
        ok = dd_shard_decide_pair(shard, l->at.number, dependent, product_head(view, move, i),
                                  product_signs[i] * derivative);
    return ok;
}

static bool score_view(dd_neural *l, const dd_view *view)
{
    const dd_shard *shard = &l->trainer.shards[l->at.shard];
    int going_on = l->inventory->going_on, nodes[DD_MAX_SLOTS], best = 0;
    dd_real scores[DD_MOST_OUTPUTS];
    if (!DD_RESERVE(&l->moves, &l->moves_capacity, (size_t)view->n_moves)) return false;
    dd_shard_score(shard, l->at.number, l->nodes, scores);
    if (going_on != DD_NONE)
        view->scores[going_on] = whole(scores[l->inventory->classes[going_on].kind]);
    memcpy(nodes, l->nodes, sizeof nodes);
    for (int m = 0; m < view->n_moves; m++) {
        if (l->slots.heads > 0) {
            dd_slots_take_move(&l->slots, view->arcs[m], nodes);
            dd_shard_score(shard, l->at.number, nodes, scores);
        }
        l->moves[m] = scores[view->moves[m].kind] + score_arc(l, view, m);
        if (l->moves[m] > l->moves[best]) best = m;
    }
    for (int m = 0; m < view->n_moves; m++)
        score_classes(l, view, m, l->moves[m], !view->best_only || m == best);
    return true;
}

static bool score(void *state, dd_view *const *views, int count)
{
    dd_neural *l = state;
    for (int i = 0; i < count; i++) {
        if (!settle(l)) return false;
        l->at = l->trainer.places[views[i]->sentence];
        dd_slots_find(&l->slots, views[i]->config, l->nodes);
        memset(l->derivatives, 0, sizeof l->derivatives);
        if (views[i]->scores && !score_view(l, views[i])) return false;
    }
    return true;
}

/* Where moves have nodes of their own, each is a decision of its own. */
static bool gradient(void *state, const dd_view *view, dd_pick pick, float derivative)
{
    dd_neural *l = state;
    l->derivatives[l->inventory->classes[pick.class_id].kind] += (dd_real)derivative;
    l->pending = true;
    if (pick.move == DD_NONE) return true;
    if (!decide_arc(l, view, pick.move, (dd_real)derivative)) return false;
    if (l->slots.heads == 0) return true;
    dd_slots_take_move(&l->slots, view->arcs[pick.move], l->nodes);
    bool ok = settle(l);
    memset(l->derivatives, 0, sizeof l->derivatives);
    return ok;
}

/* ---- steps and what is left of them -------------------------------------------------------- */

static bool step(void *state)
{
    dd_neural *l = state;
    return settle(l) && dd_network_trainer_step(&l->trainer);
}

static bool write_settings(const void *state, dd_buffer *out)
{
    const dd_network_options *how = &((const dd_neural *)state)->own;
    const dd_encoder *encoder = dd_encoder_find(how->encoder);
    bool usual = encoder == dd_encoder_find(NULL);
    return dd_buffer_printf(out, "network\t%d x %d, hidden %d\n", how->layers, how->width,
                            how->hidden) &&
           (usual || dd_buffer_printf(out, "encoder\t%s\n", encoder->name)) &&
           dd_buffer_printf(out, "batch words\t%d\n", how->batch_words) &&
           dd_buffer_text(out, "rate\t") && dd_buffer_real(out, "%g", how->rate) &&
           dd_buffer_text(out, "\ndropout\t") && dd_buffer_real(out, "%g", how->dropout) &&
           dd_buffer_text(out, "\ninput dropout\t") &&
           dd_buffer_real(out, "%g", how->input_dropout) && dd_buffer_text(out, "\n") &&
           (!how->vectors || dd_buffer_printf(out, "vectors\t%s\n", dd_last_part(how->vectors)));
}

static bool write_sizes(const void *state, dd_buffer *out)
{
    const dd_neural *l = state;
    int vectors = l->trainer.coder.symbols[DD_INPUT_VECTOR].count;
    return dd_buffer_printf(out, "weights\t%zu\n", l->trainer.network.tensors.size) &&
           (vectors == 0 || dd_buffer_printf(out, "vector words\t%d\n", vectors - 2));
}

static bool freeze(const void *state, dd_draft *sections)
{
    const dd_neural *l = state;
    /* With a beam, whole derivations were compared, by scores as they are. Where scores are counted
     * from that of going on, they are added up already. Of arcs, each tree has one a word. */
    bool normal =
        l->options->beam == 1 && l->inventory->going_on == DD_NONE && !l->system->arc_factored;
    const dd_network_names names = {"network", "symbols"};
    const dd_freezing_options how = {l->own.bits, normal};
    return dd_network_freeze(&l->trainer.network, l->trainer.adam.average, &l->trainer.coder,
                             &names, &how, sections) &&
           dd_buffer_append(dd_draft_add(sections, "slots"), l->slot_names.data,
                            l->slot_names.size);
}

static double pace(const dd_train_options *options, const dd_system *system, double words)
{
    const dd_network_options *how = &options->network;
    (void)system;
    return dd_network_pace(how, how->layers, how->width, words) * options->threads;
}

const dd_learner dd_neural_learner = {
    .name = "neural",
    .scorer = &dd_neural_scorer,
    .loss = DD_LOSS_SOFTMAX,
    .unit = UNIT,
    .iterations = 40,
    .fine_tunes = true,
    .takes_vectors = true,
    .scores_arcs = true,
    .tagger = "neural",
    .projective_system = "arc-hybrid",
    .nonprojective_system = "graph",
    .pace = pace,
    .open = open_learner,
    .free = free_learner,
    .columns = columns,
    .start = start,
    .add = add,
    .forget = forget,
    .by_move = by_move,
    .batch_words = batch_words,
    .prepare = prepare,
    .score = score,
    .gradient = gradient,
    .step = step,
    .freeze = freeze,
    .save = dd_neural_save,
    .restore = dd_neural_restore,
    .write_conditions = dd_neural_write_conditions,
    .write_settings = write_settings,
    .write_sizes = write_sizes,
};
