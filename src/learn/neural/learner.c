#include "core/memory.h"
#include "learn/loss.h"
#include "learn/neural/freeze.h"
#include "learn/neural/neural.h"
#include "learn/neural/neural_parts.h"
#include "learn/neural/shard_parts.h"
#include "score/neural/neural.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Scores are whole numbers of this. */
#define UNIT (1.0 / 4096)

static void free_learner(void *state)
{
    dd_neural *l = state;
    if (!l) return;
    dd_slots_free(&l->slots);
    dd_coder_free(&l->coder);
    dd_vectors_free(&l->vectors);
    dd_codes_free(&l->codes);
    free(l->weights);
    dd_adam_free(&l->adam);
    for (int i = 0; i < DD_SHARDS; i++) {
        free(l->shards[i].by.space);
        dd_shard_free(&l->shards[i]);
    }
    free(l->places);
    free(l->coded);
    free(l->gold);
    free(l->moves);
    free(l);
}

/* In the order of their names in learn/setting_rows.c. */
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
    l->how = &options->network;
    l->inputs = choose_inputs(l->how->inputs);
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
    const dd_neural *l = state;
    return dd_coder_columns(l->inputs) | (l->how->vectors ? 1u << DD_FORM : 0);
}

static bool by_move(const void *state)
{
    return ((const dd_neural *)state)->slots.heads > 0;
}

static int batch_words(const void *state)
{
    return ((const dd_neural *)state)->how->batch_words;
}

/* ---- threads ------------------------------------------------------------------------------ */

typedef struct work {
    dd_neural *l;
    bool (*run)(dd_neural *l, int shard);
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
        if (shard >= DD_SHARDS) return NULL;
        if (w->run(w->l, shard)) continue;
        pthread_mutex_lock(&w->lock);
        w->ok = false;
        pthread_mutex_unlock(&w->lock);
    }
}

static bool for_shards(dd_neural *l, bool (*run)(dd_neural *l, int shard))
{
    work w = {.l = l, .run = run, .ok = true};
    pthread_t helpers[DD_SHARDS];
    int started = 0;
    pthread_mutex_init(&w.lock, NULL);
    while (started < l->options->threads - 1 && started < DD_SHARDS - 1 &&
           pthread_create(&helpers[started], NULL, run_shards, &w) == 0)
        started++;
    run_shards(&w);
    for (int i = 0; i < started; i++) pthread_join(helpers[i], NULL);
    pthread_mutex_destroy(&w.lock);
    return w.ok;
}

/* ---- a minibatch -------------------------------------------------------------------------- */

static bool forward(dd_neural *l, int shard)
{
    int from = l->first[shard], count = l->first[shard + 1] - from;
    return count == 0 || dd_shard_forward(&l->shards[shard], l->coded + from, count,
                                          &l->codes.spellings, &l->dropouts);
}

/* Shards get about as many words each. */
static void split(dd_neural *l, const uint32_t *sentences, int count)
{
    int done = 0, shard = 0;
    l->words = 0;
    for (int i = 0; i < count; i++) l->words += l->codes.sentences[sentences[i]].n;
    l->first[0] = 0;
    for (int i = 0; i < count; i++) {
        while (shard < DD_SHARDS - 1 &&
               (int64_t)done * DD_SHARDS >= (int64_t)l->words * (shard + 1))
            l->first[++shard] = i;
        l->places[i] = (dd_shard_place){shard, i - l->first[shard]};
        l->coded[i] = &l->codes.sentences[sentences[i]];
        l->gold[i] = (dd_shard_gold){l->lessons.gold[sentences[i]]->heads,
                                     l->lessons.gold[sentences[i]]->labels};
        done += l->coded[i]->n;
    }
    while (shard < DD_SHARDS) l->first[++shard] = count;
}

static bool prepare(void *state, const uint32_t *sentences, int count)
{
    dd_neural *l = state;
    size_t need = (size_t)count;
    if (!DD_RESERVE(&l->places, &l->places_capacity, need) ||
        !DD_RESERVE(&l->coded, &l->coded_capacity, need) ||
        !DD_RESERVE(&l->gold, &l->gold_capacity, need))
        return false;
    split(l, sentences, count);
    return for_shards(l, forward);
}

/* ---- configurations ----------------------------------------------------------------------- */

static bool settle(dd_neural *l)
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
    dd_shard_label(&l->shards[l->at.shard], l->at.number, arc.dependent, arc.head, labels);
    for (int i = 0; i < list.count; i++) {
        int label = l->inventory->classes[list.first + i].label;
        if (labels[label] > best) best = labels[label];
    }
    for (int i = 0; i < list.count; i++)
        row[list.first + i] =
            whole(score + labels[l->inventory->classes[list.first + i].label] - best);
}

static bool score_view(dd_neural *l, const dd_view *view)
{
    const dd_shard *shard = &l->shards[l->at.shard];
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
        l->moves[m] = scores[view->moves[m].kind];
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
        l->at = l->places[views[i]->sentence];
        dd_slots_find(&l->slots, views[i]->config, l->nodes);
        memset(l->slopes, 0, sizeof l->slopes);
        if (views[i]->scores && !score_view(l, views[i])) return false;
    }
    return true;
}

/* Where moves have nodes of their own, each is a decision of its own. */
static bool gradient(void *state, const dd_view *view, dd_pick pick, float slope)
{
    dd_neural *l = state;
    l->slopes[l->inventory->classes[pick.class_id].kind] += (dd_real)slope;
    l->pending = true;
    if (l->slots.heads == 0 || pick.move == DD_NONE) return true;
    dd_slots_take_move(&l->slots, view->arcs[pick.move], l->nodes);
    bool ok = settle(l);
    memset(l->slopes, 0, sizeof l->slopes);
    return ok;
}

/* ---- steps -------------------------------------------------------------------------------- */

static bool backward(dd_neural *l, int shard)
{
    int from = l->first[shard];
    if (l->first[shard + 1] > from)
        dd_shard_backward(&l->shards[shard], &l->codes.spellings, l->gold + from, &l->dropouts,
                          (dd_real)1 / (dd_real)l->words);
    return true;
}

/* A quarter of the weights. */
static size_t part_of(const dd_neural *l, int part)
{
    return l->network.size * (size_t)part / DD_SHARDS;
}

/* The gradients of all shards are added in their order. */
static bool reduce(dd_neural *l, int part)
{
    size_t from = part_of(l, part), to = part_of(l, part + 1);
    dd_real *sum = l->shards[0].gradients;
    for (int shard = 1; shard < DD_SHARDS; shard++) {
        if (l->first[shard + 1] == l->first[shard]) continue;
        const dd_real *more = l->shards[shard].gradients;
        for (size_t i = from; i < to; i++) sum[i] += more[i];
    }
    l->squares[part] = (double)dd_dot(sum + from, sum + from, to - from);
    return true;
}

static double rate_now(const dd_neural *l)
{
    double share = (double)l->adam.steps / (double)l->steps_in_all;
    double warm = (double)l->adam.steps / l->warm_up;
    double rate = l->how->rate * (1 - 0.99 * (share < 1 ? share : 1));
    return warm < 1 ? rate * warm : rate;
}

/* Longer gradients are cut to this length. */
static double clip(const dd_neural *l)
{
    const double most = 5;
    double sum = 0;
    for (int part = 0; part < DD_SHARDS; part++) sum += l->squares[part];
    return sum > most * most ? most / sqrt(sum) : 1;
}

static bool change(dd_neural *l, int part)
{
    dd_adam_step(&l->adam, l->weights, l->shards[0].gradients, l->scale, rate_now(l),
                 part_of(l, part), part_of(l, part + 1));
    return true;
}

static bool step(void *state)
{
    dd_neural *l = state;
    if (!settle(l) || !for_shards(l, backward) || !for_shards(l, reduce)) return false;
    dd_adam_begin(&l->adam);
    l->scale = clip(l);
    return for_shards(l, change);
}

/* A file's name alone: where it was is nobody's business. */
static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool write_settings(const void *state, dd_buffer *out)
{
    const dd_network_options *how = ((const dd_neural *)state)->how;
    return dd_buffer_printf(out, "network\t%d x %d, hidden %d\n", how->layers, how->width,
                            how->hidden) &&
           dd_buffer_printf(out, "batch words\t%d\n", how->batch_words) &&
           dd_buffer_text(out, "rate\t") && dd_buffer_real(out, "%g", how->rate) &&
           dd_buffer_text(out, "\ndropout\t") && dd_buffer_real(out, "%g", how->dropout) &&
           dd_buffer_text(out, "\ninput dropout\t") &&
           dd_buffer_real(out, "%g", how->input_dropout) && dd_buffer_text(out, "\n") &&
           (!how->vectors || dd_buffer_printf(out, "vectors\t%s\n", last_part(how->vectors)));
}

static bool write_sizes(const void *state, dd_buffer *out)
{
    const dd_neural *l = state;
    return dd_buffer_printf(out, "weights\t%zu\n", l->network.size) &&
           (!l->how->vectors || dd_buffer_printf(out, "vector words\t%d\n",
                                                 l->coder.symbols[DD_INPUT_VECTOR].count - 2));
}

static bool freeze(const void *state, dd_draft *sections)
{
    const dd_neural *l = state;
    /* With a beam, whole derivations were compared, by scores as they are. Where scores are counted
     * from that of going on, they are added up already. Of arcs, each tree has one a word. */
    bool normal =
        l->options->beam == 1 && l->inventory->going_on == DD_NONE && !l->system->arc_factored;
    return dd_network_freeze(&l->network, l->adam.average, &l->coder, l->system->slots, normal,
                             sections);
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
    .start = dd_neural_start,
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
