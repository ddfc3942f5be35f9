#include "parse/decode.h"

#include "constraints/constraints.h"
#include "core/memory.h"
#include "transition/oracle.h"

#include <stdlib.h>
#include <string.h>

void dd_decoder_free(dd_decoder *decoder)
{
    dd_config_free(&decoder->config);
    free(decoder->view.moves);
    free(decoder->view.arcs);
    free(decoder->view.scores);
    *decoder = (dd_decoder){0};
}

bool dd_decoder_reserve(dd_decoder *decoder, const dd_inventory *inventory, int n)
{
    size_t moves = (size_t)dd_system_max_moves(inventory->system, n);
    decoder->inventory = inventory;
    decoder->constraints = NULL;
    return DD_RESERVE(&decoder->view.moves, &decoder->moves_capacity, moves) &&
           DD_RESERVE(&decoder->view.arcs, &decoder->arcs_capacity, moves);
}

bool dd_decoder_begin(dd_decoder *decoder, const dd_inventory *inventory, int n, bool single_root)
{
    return dd_decoder_reserve(decoder, inventory, n) &&
           dd_system_begin(inventory->system, &decoder->config, n, single_root);
}

static dd_arc arc_of(const dd_decoder *decoder, int move)
{
    return (dd_arc){decoder->view.arcs[move].head, decoder->view.arcs[move].dependent};
}

/* Constraints that are only leaves are checked at once, by the arcs that are known by now. */
static void keep_leaves(dd_decoder *decoder)
{
    dd_view *view = &decoder->view;
    int kept = 0;
    for (int m = 0; m < view->n_moves; m++) {
        if (!dd_leaves_allow(decoder->constraints, &decoder->config, view->moves[m],
                             arc_of(decoder, m)))
            continue;
        view->moves[kept] = view->moves[m];
        view->arcs[kept++] = view->arcs[m];
    }
    view->n_moves = kept;
}

bool dd_decoder_ready(dd_decoder *decoder)
{
    const dd_system *system = decoder->inventory->system;
    dd_view *view = &decoder->view;
    bool only_leaves = dd_decoder_has_only_leaves(decoder);
    view->config = &decoder->config;
    view->n_moves = dd_system_permissible(system, &decoder->config, view->moves);
    if (decoder->constraints && !decoder->asks_late && !only_leaves)
        view->n_moves = dd_constraints_filter(decoder->constraints, &decoder->config, view->moves,
                                              view->n_moves);
    dd_system_candidates(system, &decoder->config, view->moves, view->n_moves, view->arcs);
    if (only_leaves) keep_leaves(decoder);
    return view->n_moves > 0;
}

dd_class_list dd_decoder_classes(const dd_decoder *decoder, int move)
{
    const dd_inventory *inventory = decoder->inventory;
    dd_arc arc = arc_of(decoder, move);
    dd_class_list list = dd_classes_of(inventory, decoder->view.moves[move].kind, dd_use_of(arc));
    int label = decoder->constraints ? dd_required_label(decoder->constraints, arc) : DD_NONE;
    for (int i = 0; label != DD_NONE && i < list.count; i++)
        if (inventory->classes[list.first + i].label == label)
            return (dd_class_list){list.first + i, 1};
    return list;
}

static int idle_move(const dd_decoder *decoder)
{
    const dd_system *system = decoder->inventory->system;
    if (decoder->view.n_moves == 1) return 0;
    int kind = system->search.idle ? system->search.idle(&decoder->config) : DD_NONE;
    for (int m = 0; kind != DD_NONE && m < decoder->view.n_moves; m++)
        if (decoder->view.moves[m].kind == kind) return m;
    return DD_NONE;
}

bool dd_decoder_idles(const dd_decoder *decoder, dd_choice *choice)
{
    int m = idle_move(decoder);
    if (m == DD_NONE || decoder->view.arcs[m].dependent != DD_NONE) return false;
    int id = dd_decoder_classes(decoder, m).first;
    *choice = (dd_choice){.move = m, .class_id = id, .margin = INT64_MAX};
    return true;
}

static bool reserve_scores(dd_decoder *decoder, bool by_move)
{
    size_t rows = by_move ? (size_t)decoder->view.n_moves + 1 : 1;
    return DD_RESERVE(&decoder->view.scores, &decoder->scores_capacity,
                      rows * (size_t)decoder->inventory->n_classes);
}

bool dd_decoders_list_views(dd_decoder *const *decoders, int count, bool by_move, dd_view **views)
{
    for (int i = 0; i < count; i++) {
        if (!reserve_scores(decoders[i], by_move)) return false;
        views[i] = &decoders[i]->view;
        views[i]->by_move = by_move;
        views[i]->best_only = false;
    }
    return true;
}

bool dd_decoder_clear_scores(dd_decoder *decoder)
{
    dd_view *view = &decoder->view;
    if (!reserve_scores(decoder, false)) return false;
    view->by_move = false;
    memset(view->scores, 0, (size_t)decoder->inventory->n_classes * sizeof *view->scores);
    return true;
}

bool dd_decoder_part_moves(dd_decoder *decoder)
{
    dd_view *view = &decoder->view;
    size_t classes = (size_t)decoder->inventory->n_classes;
    if (view->by_move) return true;
    if (!reserve_scores(decoder, true)) return false;
    view->by_move = true;
    for (int m = 0; m < view->n_moves; m++)
        memcpy(dd_decoder_scores(decoder, m), view->scores, classes * sizeof *view->scores);
    return true;
}

/* The largest score in a list besides that of one class. */
static int64_t largest_besides(const dd_decoder *decoder, const int32_t *scores, dd_class_list list,
                               int class_id)
{
    int before = class_id - list.first, behind = list.count - before - 1;
    dd_largest *largest = decoder->inventory->kernels->largest;
    int64_t most = INT64_MIN;
    if (before > 0) most = scores[list.first + largest(scores + list.first, before)];
    if (behind > 0) {
        int32_t other = scores[class_id + 1 + largest(scores + class_id + 1, behind)];
        if (other > most) most = other;
    }
    return most;
}

dd_choice dd_decoder_best(const dd_decoder *decoder)
{
    dd_choice best = {.move = DD_NONE};
    dd_class_list best_list = {0};
    int rival = DD_NONE;
    int64_t second = INT64_MIN;
    for (int m = 0; m < decoder->view.n_moves; m++) {
        dd_class_list list = dd_decoder_classes(decoder, m);
        const int32_t *scores = dd_decoder_scores(decoder, m);
        if (list.count == 0) continue;
        int id = list.first + decoder->inventory->kernels->largest(scores + list.first, list.count);
        if (best.move != DD_NONE && scores[id] <= best.score) {
            if (scores[id] > second || rival == DD_NONE) {
                second = scores[id];
                rival = m;
            }
            continue;
        }
        if (best.move != DD_NONE) {
            second = best.score;
            rival = best.move;
        }
        best = (dd_choice){.move = m, .class_id = id, .score = scores[id]};
        best_list = list;
    }
    if (best.move == DD_NONE) return best;
    best.gain = dd_decoder_gain(decoder, best.score);
    int64_t beside =
        largest_besides(decoder, dd_decoder_scores(decoder, best.move), best_list, best.class_id);
    best.rival = beside > second ? best.move : rival;
    if (beside > second) second = beside;
    best.margin = second == INT64_MIN ? INT64_MAX : best.score - second;
    return best;
}

static void drop_move(dd_decoder *decoder, int move)
{
    dd_view *view = &decoder->view;
    size_t classes = (size_t)decoder->inventory->n_classes;
    size_t behind = (size_t)(--view->n_moves - move);
    memmove(view->moves + move, view->moves + move + 1, behind * sizeof *view->moves);
    memmove(view->arcs + move, view->arcs + move + 1, behind * sizeof *view->arcs);
    if (view->by_move)
        memmove(dd_decoder_scores(decoder, move), dd_decoder_scores(decoder, move + 1),
                behind * classes * sizeof *view->scores);
}

static bool is_allowed(const dd_decoder *decoder, int move)
{
    return dd_constraints_allow(decoder->constraints, &decoder->config, decoder->view.moves[move]);
}

/* A move that decides the choice or its margin and is not allowed; DD_NONE: there is none. */
static int find_forbidden(const dd_decoder *decoder, dd_choice choice)
{
    if (choice.move == DD_NONE) return DD_NONE;
    if (!is_allowed(decoder, choice.move)) return choice.move;
    if (decoder->view.arcs[choice.move].dependent == DD_NONE) return DD_NONE;
    if (choice.rival == DD_NONE || choice.rival == choice.move) return DD_NONE;
    return is_allowed(decoder, choice.rival) ? DD_NONE : choice.rival;
}

dd_choice dd_decoder_best_allowed(dd_decoder *decoder)
{
    dd_choice best = dd_decoder_best(decoder);
    for (int move; (move = find_forbidden(decoder, best)) != DD_NONE;) {
        drop_move(decoder, move);
        best = dd_decoder_best(decoder);
    }
    return best;
}

dd_choice dd_decoder_best_free(const dd_decoder *decoder, const dd_gold *gold, const int *costs)
{
    const dd_inventory *inventory = decoder->inventory;
    dd_choice best = {.move = DD_NONE};
    for (int m = 0; m < decoder->view.n_moves; m++) {
        if (costs[m] != 0) continue;
        dd_arc arc = arc_of(decoder, m);
        dd_class_list list = dd_decoder_classes(decoder, m);
        for (int id = list.first; id < list.first + list.count; id++) {
            int32_t score = dd_decoder_score(decoder, m, id);
            if (best.move != DD_NONE && score <= best.score) continue;
            if (dd_label_cost(gold, arc, inventory->classes[id].label)) continue;
            best = (dd_choice){.move = m, .class_id = id, .score = score};
        }
    }
    return best;
}

int dd_decoder_label_cost(const dd_decoder *decoder, const dd_gold *gold, dd_choice choice)
{
    int label = decoder->inventory->classes[choice.class_id].label;
    return dd_label_cost(gold, arc_of(decoder, choice.move), label);
}

void dd_decoder_make(const dd_inventory *inventory, const dd_constraints *constraints,
                     dd_config *config, dd_move move, int class_id)
{
    int label = inventory->classes[class_id].label;
    if (constraints) {
        int required =
            dd_required_label(constraints, dd_system_arc(inventory->system, config, move));
        if (required != DD_NONE) label = required;
        dd_constraints_follow(constraints, config, move);
    }
    dd_system_apply(inventory->system, config, move, label);
}

void dd_decoder_apply(dd_decoder *decoder, dd_choice choice)
{
    dd_decoder_make(decoder->inventory, decoder->constraints, &decoder->config,
                    decoder->view.moves[choice.move], choice.class_id);
}
