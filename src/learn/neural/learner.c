#include "core/memory.h"
#include "learn/loss.h"
#include "learn/neural/adam.h"
#include "learn/neural/freeze.h"
#include "learn/neural/neural.h"
#include "learn/neural/shard.h"
#include "score/neural/neural.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A minibatch is always cut into so many parts, whatever the number of threads, so that sums are
 * made in the same order. */
enum { SHARDS = 4 };
enum { MOST_OUTPUTS = 16, MOST_LABELS = 4096 };
enum { WARM_UP = 100 /* steps */, LABEL_HIDDEN = 128, CHAR_WIDTH = 48 };

/* Scores are whole numbers of this. */
#define UNIT (1.0 / 4096)

typedef struct place {
    int shard, number;
} place;

typedef struct learner {
    const dd_train_options *options;
    const dd_system *system;
    const dd_inventory *inventory;
    dd_lessons lessons;
    dd_slots slots;
    dd_coder coder;
    dd_codes codes; /* of all sentences */
    dd_network network;
    dd_real *weights;
    dd_adam adam;
    dd_dropouts dropouts;
    const dd_network_options *how;
    uint64_t steps_in_all;
    dd_shard shards[SHARDS];
    /* the minibatch */
    place *places;          /* [sentences] */
    const dd_coded **coded; /* [sentences] by shards */
    dd_shard_gold *gold;    /* likewise */
    int first[SHARDS + 1];  /* sentences of each shard, in coded and gold */
    int words;
    size_t places_capacity, coded_capacity, gold_capacity;
    /* the view scored last */
    bool pending; /* it has slopes */
    place at;
    int nodes[DD_MAX_SLOTS];
    dd_real slopes[MOST_OUTPUTS];
} learner;

static void free_learner(void *state)
{
    learner *l = state;
    if (!l) return;
    dd_slots_free(&l->slots);
    dd_coder_free(&l->coder);
    dd_codes_free(&l->codes);
    free(l->weights);
    dd_adam_free(&l->adam);
    for (int i = 0; i < SHARDS; i++) {
        free(l->shards[i].by.space);
        dd_shard_free(&l->shards[i]);
    }
    free(l->places);
    free(l->coded);
    free(l->gold);
    free(l);
}

static dd_status open_learner(void **out, const dd_train_options *options, const dd_system *system,
                              dd_error *error)
{
    learner *l = dd_calloc(1, sizeof *l);
    if (!l) return dd_fail_memory(error);
    l->options = options;
    l->system = system;
    l->how = &options->network;
    l->dropouts = (dd_dropouts){l->how->input_dropout, l->how->dropout};
    dd_status status =
        dd_slots_read(&l->slots, (dd_text){system->slots, strlen(system->slots)}, error);
    if (status == DD_OK)
        *out = l;
    else
        free_learner(l);
    return status;
}

static uint32_t columns(const void *state)
{
    (void)state;
    return 1u << DD_FORM | 1u << DD_LEMMA | 1u << DD_UPOS | 1u << DD_XPOS | 1u << DD_FEATS;
}

/* ---- start -------------------------------------------------------------------------------- */

static bool make_coder(learner *l)
{
    const uint32_t least[DD_INPUTS] = {2, 2, 1, 1, 1, 2};
    dd_census census = {0};
    bool ok = true;
    for (size_t i = 0; i < l->lessons.count && ok; i++)
        ok = dd_census_add(&census, l->lessons.sentences[i], l->lessons.columns);
    ok = ok && dd_coder_set(&l->coder, &census, l->lessons.columns, least);
    dd_census_free(&census);
    return ok && dd_codes_set(&l->codes, &l->coder, l->lessons.sentences, l->lessons.count);
}

static void draw(dd_real *weights, dd_tensor tensor, double range, dd_random *random)
{
    for (size_t i = 0; i < tensor.rows * tensor.columns; i++)
        weights[tensor.at + i] = (dd_real)(range * (2 * dd_random_unit(random) - 1));
}

static void draw_lstm(dd_real *weights, const dd_lstm_tensors *tensors, dd_random *random)
{
    double range = 1 / sqrt((double)tensors->from_state.rows);
    draw(weights, tensors->from_input, range, random);
    draw(weights, tensors->from_state, range, random);
    draw(weights, tensors->bias, range, random);
}

static void draw_weights(learner *l)
{
    const dd_network *n = &l->network;
    const dd_network_shape *shape = &n->shape;
    dd_random random = {l->options->seed};
    for (int i = 0; i < DD_INPUTS; i++) draw(l->weights, n->embeddings[i], 1, &random);
    for (int d = 0; d < 2; d++)
        if (shape->vocabulary[DD_INPUT_CHARS]) draw_lstm(l->weights, &n->characters[d], &random);
    for (int layer = 0; layer < shape->layers; layer++)
        for (int d = 0; d < 2; d++) draw_lstm(l->weights, &n->words[layer][d], &random);
    draw(l->weights, n->slots, 1 / sqrt(2.0 * shape->width), &random);
    draw(l->weights, n->missing, 0.1, &random);
    draw(l->weights, n->moves, 1 / sqrt((double)shape->hidden), &random);
    draw(l->weights, n->labels, 1 / sqrt((double)shape->label_hidden), &random);
}

static void set_shape(const learner *l, dd_network_shape *shape)
{
    static const int sizes[DD_INPUTS] = {100, 100, 50, 50, 50, 48};
    *shape = (dd_network_shape){.char_width = CHAR_WIDTH,
                                .layers = l->how->layers,
                                .width = (l->how->width + 7) / 8 * 8,
                                .slots = l->slots.count,
                                .hidden = l->how->hidden,
                                .outputs = l->system->n_rules,
                                .label_hidden = LABEL_HIDDEN,
                                .labels = l->inventory->labels.count};
    for (int i = 0; i < DD_INPUTS; i++) {
        shape->vocabulary[i] = l->coder.symbols[i].count;
        shape->size[i] = sizes[i];
    }
}

static bool make_shards(learner *l)
{
    for (int i = 0; i < SHARDS; i++) {
        dd_shard *shard = &l->shards[i];
        shard->network = &l->network;
        shard->weights = l->weights;
        shard->random = (dd_random){l->options->seed * SHARDS + (uint64_t)i + 1};
        shard->by.kernels = dd_kernels_best();
        shard->by.space = dd_calloc(1, sizeof *shard->by.space);
        if (!shard->by.space) return false;
    }
    return true;
}

static dd_status start(void *state, const dd_lessons *lessons, dd_error *error)
{
    learner *l = state;
    dd_network_shape shape;
    l->lessons = *lessons;
    l->inventory = lessons->inventory;
    if (!make_coder(l)) return dd_fail_memory(error);
    set_shape(l, &shape);
    if (shape.outputs > MOST_OUTPUTS || shape.labels > MOST_LABELS)
        return dd_fail(error, DD_ERROR_DATA, "too many labels: %d", shape.labels);
    dd_network_set(&l->network, &shape);
    l->weights = dd_calloc(l->network.size, sizeof *l->weights);
    if (!l->weights || !dd_adam_start(&l->adam, l->network.size) || !make_shards(l))
        return dd_fail_memory(error);
    l->steps_in_all =
        (lessons->words / (uint64_t)l->how->batch_words + 1) * (uint64_t)l->options->iterations;
    draw_weights(l);
    return DD_OK;
}

static bool by_move(const void *state)
{
    return ((const learner *)state)->slots.heads > 0;
}

static int batch_words(const void *state)
{
    return ((const learner *)state)->how->batch_words;
}

/* ---- threads ------------------------------------------------------------------------------ */

typedef struct work {
    learner *l;
    bool (*run)(learner *l, int shard);
    int next;
    bool ok;
    pthread_mutex_t lock;
} work;

static void *run_shards(void *user)
{
    work *w = user;
    for (;;) {
        pthread_mutex_lock(&w->lock);
        int shard = w->next++;
        pthread_mutex_unlock(&w->lock);
        if (shard >= SHARDS) return NULL;
        if (w->run(w->l, shard)) continue;
        pthread_mutex_lock(&w->lock);
        w->ok = false;
        pthread_mutex_unlock(&w->lock);
    }
}

static bool for_shards(learner *l, bool (*run)(learner *l, int shard))
{
    work w = {.l = l, .run = run, .ok = true};
    pthread_t helpers[SHARDS];
    int started = 0;
    pthread_mutex_init(&w.lock, NULL);
    while (started < l->options->threads - 1 && started < SHARDS - 1 &&
           pthread_create(&helpers[started], NULL, run_shards, &w) == 0)
        started++;
    run_shards(&w);
    for (int i = 0; i < started; i++) pthread_join(helpers[i], NULL);
    pthread_mutex_destroy(&w.lock);
    return w.ok;
}

/* ---- a minibatch -------------------------------------------------------------------------- */

static bool forward(learner *l, int shard)
{
    int from = l->first[shard], count = l->first[shard + 1] - from;
    return count == 0 || dd_shard_forward(&l->shards[shard], l->coded + from, count,
                                          &l->codes.spellings, &l->dropouts);
}

/* Shards get about as many words each. */
static void split(learner *l, const uint32_t *sentences, int count)
{
    int done = 0, shard = 0;
    l->words = 0;
    for (int i = 0; i < count; i++) l->words += l->codes.sentences[sentences[i]].n;
    l->first[0] = 0;
    for (int i = 0; i < count; i++) {
        while (shard < SHARDS - 1 && (int64_t)done * SHARDS >= (int64_t)l->words * (shard + 1))
            l->first[++shard] = i;
        l->places[i] = (place){shard, i - l->first[shard]};
        l->coded[i] = &l->codes.sentences[sentences[i]];
        l->gold[i] = (dd_shard_gold){l->lessons.gold[sentences[i]]->heads,
                                     l->lessons.gold[sentences[i]]->labels};
        done += l->coded[i]->n;
    }
    while (shard < SHARDS) l->first[++shard] = count;
}

static bool prepare(void *state, const uint32_t *sentences, int count)
{
    learner *l = state;
    size_t need = (size_t)count;
    if (!DD_RESERVE(&l->places, &l->places_capacity, need) ||
        !DD_RESERVE(&l->coded, &l->coded_capacity, need) ||
        !DD_RESERVE(&l->gold, &l->gold_capacity, need))
        return false;
    split(l, sentences, count);
    return for_shards(l, forward);
}

/* ---- configurations ----------------------------------------------------------------------- */

static bool settle(learner *l)
{
    if (!l->pending) return true;
    l->pending = false;
    return dd_shard_decide(&l->shards[l->at.shard], l->at.number, l->nodes, l->slopes);
}

static int32_t whole(dd_real score)
{
    double number = (double)score / UNIT;
    return number > 1e9 ? 1000000000 : number < -1e9 ? -1000000000 : (int32_t)lrint(number);
}

/* The classes of a move: the best label adds nothing. */
static void score_move(const learner *l, const dd_view *view, int move, dd_real score)
{
    dd_candidate arc = view->arcs[move];
    dd_class_list list = dd_classes_of(l->inventory, view->moves[move].kind,
                                       dd_use_of((dd_arc){arc.head, arc.dependent}));
    dd_real labels[MOST_LABELS], best = -INFINITY;
    int32_t *row = dd_view_row(view, move, l->inventory->n_classes);
    if (arc.dependent == DD_NONE) {
        for (int i = 0; i < list.count; i++) row[list.first + i] = whole(score);
        return;
    }
    dd_shard_label(&l->shards[l->at.shard], l->at.number, arc.dependent, arc.head, labels);
    for (int i = 0; i < list.count; i++) {
        int label = l->inventory->classes[list.first + i].label;
        if (labels[label] > best) best = labels[label];
    }
    for (int i = 0; i < list.count; i++)
        row[list.first + i] =
            whole(score + labels[l->inventory->classes[list.first + i].label] - best);
}

static void score_view(learner *l, const dd_view *view)
{
    const dd_shard *shard = &l->shards[l->at.shard];
    int going_on = l->inventory->going_on, nodes[DD_MAX_SLOTS];
    dd_real scores[MOST_OUTPUTS];
    dd_shard_score(shard, l->at.number, l->nodes, scores);
    if (going_on != DD_NONE)
        view->scores[going_on] = whole(scores[l->inventory->classes[going_on].kind]);
    memcpy(nodes, l->nodes, sizeof nodes);
    for (int m = 0; m < view->n_moves; m++) {
        if (l->slots.heads > 0) {
            dd_slots_take_move(&l->slots, view->arcs[m], nodes);
            dd_shard_score(shard, l->at.number, nodes, scores);
        }
        score_move(l, view, m, scores[view->moves[m].kind]);
    }
}

static bool score(void *state, dd_view *const *views, int count)
{
    learner *l = state;
    for (int i = 0; i < count; i++) {
        if (!settle(l)) return false;
        l->at = l->places[views[i]->sentence];
        dd_slots_find(&l->slots, views[i]->config, l->nodes);
        memset(l->slopes, 0, sizeof l->slopes);
        if (views[i]->scores) score_view(l, views[i]);
    }
    return true;
}

/* Where moves have nodes of their own, each is a decision of its own. */
static bool gradient(void *state, const dd_view *view, dd_pick pick, float slope)
{
    learner *l = state;
    l->slopes[l->inventory->classes[pick.class_id].kind] += (dd_real)slope;
    l->pending = true;
    if (l->slots.heads == 0 || pick.move == DD_NONE) return true;
    dd_slots_take_move(&l->slots, view->arcs[pick.move], l->nodes);
    bool ok = settle(l);
    memset(l->slopes, 0, sizeof l->slopes);
    return ok;
}

/* ---- steps -------------------------------------------------------------------------------- */

static bool backward(learner *l, int shard)
{
    int from = l->first[shard];
    if (l->first[shard + 1] > from)
        dd_shard_backward(&l->shards[shard], &l->codes.spellings, l->gold + from, &l->dropouts,
                          (dd_real)1 / (dd_real)l->words);
    return true;
}

/* A quarter of the weights: the gradients of all shards are added in their order. */
static bool reduce(learner *l, int part)
{
    size_t from = l->network.size * (size_t)part / SHARDS;
    size_t to = l->network.size * (size_t)(part + 1) / SHARDS;
    dd_real *sum = l->shards[0].gradients;
    for (int shard = 1; shard < SHARDS; shard++) {
        if (l->first[shard + 1] == l->first[shard]) continue;
        const dd_real *more = l->shards[shard].gradients;
        for (size_t i = from; i < to; i++) sum[i] += more[i];
    }
    return true;
}

static double rate_now(const learner *l)
{
    double share = (double)l->adam.steps / (double)l->steps_in_all;
    double warm = (double)l->adam.steps / WARM_UP;
    double rate = l->how->rate * (1 - 0.99 * (share < 1 ? share : 1));
    return warm < 1 ? rate * warm : rate;
}

static double clip(const learner *l)
{
    const double most = 5;
    double sum = 0;
    for (size_t i = 0; i < l->network.size; i++)
        sum += (double)l->shards[0].gradients[i] * (double)l->shards[0].gradients[i];
    return sum > most * most ? most / sqrt(sum) : 1;
}

static bool step(void *state)
{
    learner *l = state;
    if (!settle(l) || !for_shards(l, backward) || !for_shards(l, reduce)) return false;
    dd_adam_begin(&l->adam);
    dd_adam_step(&l->adam, l->weights, l->shards[0].gradients, clip(l), rate_now(l), 0,
                 l->network.size);
    return true;
}

static bool write_settings(const void *state, dd_buffer *out)
{
    const dd_network_options *how = ((const learner *)state)->how;
    return dd_buffer_printf(out, "network\t%d x %d, hidden %d\n", how->layers, how->width,
                            how->hidden) &&
           dd_buffer_printf(out, "batch words\t%d\n", how->batch_words) &&
           dd_buffer_text(out, "rate\t") && dd_buffer_real(out, "%g", how->rate) &&
           dd_buffer_text(out, "\ndropout\t") && dd_buffer_real(out, "%g", how->dropout) &&
           dd_buffer_text(out, "\ninput dropout\t") &&
           dd_buffer_real(out, "%g", how->input_dropout) && dd_buffer_text(out, "\n");
}

static bool write_sizes(const void *state, dd_buffer *out)
{
    return dd_buffer_printf(out, "weights\t%zu\n", ((const learner *)state)->network.size);
}

static bool freeze(const void *state, dd_draft *sections)
{
    const learner *l = state;
    return dd_network_freeze(&l->network, l->weights, &l->coder, l->system->slots, sections);
}

const dd_learner dd_neural_learner = {
    .name = "neural",
    .scorer = &dd_neural_scorer,
    .loss = dd_softmax_loss,
    .unit = UNIT,
    .iterations = 40,
    .open = open_learner,
    .free = free_learner,
    .columns = columns,
    .start = start,
    .by_move = by_move,
    .batch_words = batch_words,
    .prepare = prepare,
    .score = score,
    .gradient = gradient,
    .step = step,
    .freeze = freeze,
    .write_settings = write_settings,
    .write_sizes = write_sizes,
};
