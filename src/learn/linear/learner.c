#include "learn/linear/learner.h"

#include "core/memory.h"
#include "kernels/kernels.h"
#include "learn/linear/freeze.h"
#include "learn/linear/weights.h"

#include <stdlib.h>
#include <string.h>

typedef struct learner {
    const dd_templates *templates;
    const dd_kernels *kernels;
    dd_weights weights;
    dd_extraction extraction;
    int32_t *scores; /* [lanes] of the features summed last */
    uint32_t *rows;  /* [templates] rows of the features at hand, 0 if there is none */
    /* Of the configuration scored last, and of its moves: */
    int n_keys;
    uint32_t *keys; /* [dd_keys_room] */
    dd_lane_set present;
    uint32_t *move_keys;       /* [moves * dd_keys_room] */
    int *n_move_keys;          /* [moves] */
    dd_lane_set *move_present; /* [moves] */
    size_t move_keys_capacity, n_move_keys_capacity, move_present_capacity;
} learner;

void dd_learner_free(void *handle)
{
    learner *l = handle;
    if (!l) return;
    dd_weights_free(&l->weights);
    free(l->scores);
    free(l->rows);
    free(l->keys);
    free(l->move_keys);
    free(l->n_move_keys);
    free(l->move_present);
    free(l);
}

dd_status dd_learner_new(void **out, const dd_templates *templates, int classes, dd_error *error)
{
    learner *l = dd_calloc(1, sizeof *l);
    if (!l) return dd_fail_memory(error);
    l->templates = templates;
    l->kernels = dd_kernels_best();
    l->scores = dd_calloc(dd_lanes_for((uint32_t)classes), sizeof *l->scores);
    l->rows = dd_calloc((size_t)dd_templates_count(templates), sizeof *l->rows);
    l->keys = dd_calloc(dd_keys_room(templates), sizeof *l->keys);
    if (!dd_weights_start(&l->weights, classes) || !l->scores || !l->rows || !l->keys) {
        dd_learner_free(l);
        return dd_fail_memory(error);
    }
    *out = l;
    return DD_OK;
}

/* Three passes, so that the memory behind all features is on its way before the first is used; a
 * small row may lie across two cache lines. */
static void sum(learner *l, const uint32_t *keys, int n, int32_t *scores)
{
    const dd_weights *w = &l->weights;
    for (int t = 0; t < n; t++) __builtin_prefetch(&w->slots[dd_weights_start_of(w, keys[t])]);
    for (int t = 0; t < n; t++) {
        l->rows[t] = dd_weights_find(w, keys[t])->row;
        if (l->rows[t]) {
            __builtin_prefetch(&w->cells[l->rows[t]]);
            __builtin_prefetch(&w->cells[l->rows[t] + DD_MIN_ROW]);
        }
    }
    uint32_t lanes = dd_lanes_for((uint32_t)w->classes);
    memset(l->scores, 0, lanes * sizeof *l->scores);
    for (int t = 0; t < n; t++) {
        if (!l->rows[t]) continue;
        const dd_weight_cell *head = &w->cells[l->rows[t]];
        if (head->count == DD_DENSE_ROW)
            l->kernels->add_lanes(l->scores, dd_dense_row(w, l->rows[t]), lanes);
        else
            for (uint32_t i = 1; i <= head->count; i++)
                l->scores[head[i].class_id] += head[i].weight;
    }
    memcpy(scores, l->scores, (size_t)w->classes * sizeof *scores);
}

void dd_learner_score(void *handle, const dd_config *config, const dd_tokens *tokens,
                      int32_t *scores)
{
    learner *l = handle;
    l->n_keys = dd_extract(l->templates, config, tokens, &l->extraction, l->keys);
    l->present = l->extraction.present;
    sum(l, l->keys, l->n_keys, scores);
}

bool dd_learner_score_move(void *handle, const dd_config *config, const dd_tokens *tokens, int move,
                           dd_candidate candidate, int32_t *scores)
{
    learner *l = handle;
    size_t room = dd_keys_room(l->templates), at = (size_t)move;
    if (!DD_RESERVE(&l->n_move_keys, &l->n_move_keys_capacity, at + 1) ||
        !DD_RESERVE(&l->move_present, &l->move_present_capacity, at + 1) ||
        !DD_RESERVE(&l->move_keys, &l->move_keys_capacity, (at + 1) * room))
        return false;
    uint32_t *keys = l->move_keys + at * room;
    l->n_move_keys[move] =
        dd_extract_move(l->templates, config, tokens, candidate, &l->extraction, keys);
    l->move_present[move] = l->extraction.present;
    sum(l, keys, l->n_move_keys[move], scores);
    return true;
}

/* The next lane that is present, from `lane` on. */
static int next_lane(const dd_lane_set *present, int lane)
{
    while (!(present->words[lane / 64] >> lane % 64 & 1)) lane++;
    return lane;
}

/* `keys` are those of the lanes that are present, in order. */
static bool change_features(learner *l, const dd_layout *layout, const uint32_t *keys, int n,
                            const dd_lane_set *present, int class_id, int change)
{
    int lane = 0;
    for (int t = 0; t < n; t++, lane++) {
        lane = next_lane(present, lane);
        if (!dd_weights_change(&l->weights, keys[t], layout->templates[lane], class_id, change))
            return false;
    }
    return true;
}

static bool change_pick(learner *l, dd_pick pick, int change)
{
    size_t at = (size_t)pick.move;
    if (!change_features(l, &l->templates->of_configuration, l->keys, l->n_keys, &l->present,
                         pick.class_id, change))
        return false;
    if (l->templates->n_move_templates == 0) return true;
    return change_features(l, &l->templates->of_moves,
                           l->move_keys + at * dd_keys_room(l->templates), l->n_move_keys[at],
                           &l->move_present[at], pick.class_id, change);
}

bool dd_learner_update(void *handle, dd_pick good, dd_pick bad)
{
    return change_pick(handle, good, 1) && change_pick(handle, bad, -1);
}

void dd_learner_step(void *handle)
{
    ((learner *)handle)->weights.steps++;
}

bool dd_learner_change(void *handle, const dd_config *config, const dd_tokens *tokens,
                       dd_candidate candidate, int class_id, int change)
{
    learner *l = handle;
    dd_extraction *x = &l->extraction;
    int n = dd_extract(l->templates, config, tokens, x, l->keys);
    if (!change_features(l, &l->templates->of_configuration, l->keys, n, &x->present, class_id,
                         change))
        return false;
    if (l->templates->n_move_templates == 0 || candidate.dependent == DD_NONE) return true;
    n = dd_extract_move(l->templates, config, tokens, candidate, x, l->keys);
    return change_features(l, &l->templates->of_moves, l->keys, n, &x->present, class_id, change);
}

bool dd_learner_narrow(void *handle, size_t bytes)
{
    learner *l = handle;
    double least;
    if (!dd_freeze_threshold(&l->weights, bytes, &least)) return false;
    return least == 0 || dd_weights_close(&l->weights, least);
}

bool dd_learner_average(const void *handle, dd_freezing how, dd_buffer *section)
{
    const learner *l = handle;
    return dd_freeze(&l->weights, dd_templates_count(l->templates), how, section);
}
