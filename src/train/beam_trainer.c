/* beam_trainer.c - the structured perceptron with a beam
 *
 * A sentence is parsed with the beam. If the best derivation is wrong it is compared with the best
 * right one, both cut at the same moment; the weights of the right one's features grow, those of
 * the other's shrink. Where they are cut is what makes learning with an inexact search converge:
 * the wrong one must lead there (Huang, Fayong and Guo 2012).
 *
 * For the static oracle one derivation is right, the canonical one. For the others every derivation
 * of transitions of cost 0 is, and a beam of its own, as wide as the first, finds the best one. It
 * holds all right derivations that the first beam holds, so a right one never counts as wrong. */
#include "train/trainer.h"

#include "core/memory.h"

#include <string.h>

/* A sentence that is being learnt. */
typedef struct lesson {
    dd_trainer *trainer;
    const dd_gold *gold;
    int number; /* in the mini-batch */
} lesson;

static bool score(void *user, dd_decoder *const *decoders, int count)
{
    return dd_trainer_score(((lesson *)user)->trainer, decoders, count);
}

/* Puts the margin on every transition that builds a wrong arc or a wrong label: to win, the right
 * derivation must lead by it (Taskar, Guestrin and Koller 2003). Where moves of a kind differ only
 * in their number, classes cannot tell them apart. */
static bool add_margin(const lesson *l, dd_decoder *decoder)
{
    const dd_gold *gold = l->gold;
    const dd_inventory *inventory = l->trainer->inventory;
    const dd_view *view = &decoder->view;
    if (inventory->system->moves.most && !dd_decoder_part_moves(decoder)) return false;
    for (int m = 0; m < view->n_moves; m++) {
        dd_arc arc = {view->arcs[m].head, view->arcs[m].dependent};
        if (arc.dependent == DD_NONE) continue;
        int32_t *scores = dd_decoder_scores(decoder, m);
        bool wrong_head = dd_gold_rejects(gold, arc.head, arc.dependent);
        dd_class_list list = dd_decoder_classes(decoder, m);
        for (int id = list.first; id < list.first + list.count; id++)
            if (wrong_head || dd_label_cost(gold, arc, inventory->classes[id].label))
                scores[id] += l->trainer->margin;
    }
    return true;
}

static bool score_with_margin(void *user, dd_decoder *const *decoders, int count)
{
    if (!score(user, decoders, count)) return false;
    for (int i = 0; i < count; i++)
        if (!add_margin(user, decoders[i])) return false;
    return true;
}

/* Every configuration is on the gold path, so the oracle has nothing to follow. */
static bool costs(void *user, const dd_decoder *decoder, const int **out)
{
    dd_oracle_state *oracle = &((lesson *)user)->trainer->oracle;
    if (!dd_oracle_state_enter(oracle, &decoder->config, decoder->view.moves,
                               decoder->view.n_moves) ||
        !dd_oracle_state_targets(oracle))
        return false;
    *out = oracle->costs;
    return true;
}

static bool is_static(const dd_trainer *trainer)
{
    return trainer->oracle.kind == DD_ORACLE_STATIC;
}

static bool search(lesson *l, dd_beam *beam, bool right)
{
    dd_trainer *trainer = l->trainer;
    dd_beam_search how = {
        .inventory = trainer->inventory,
        .n = l->gold->n,
        .sentence = l->number,
        .single_root = trainer->single_root,
        .width = right && is_static(trainer) ? 1 : trainer->beam,
        .remember = true,
        .user = l,
        .score = right || trainer->margin == 0 ? score : score_with_margin,
        .gold = right ? l->gold : NULL,
        .costs = costs,
    };
    if (right) dd_oracle_state_begin(&trainer->oracle, l->gold);
    return dd_beam_run(beam, &how);
}

/* Words without a head will depend on 0. */
static bool is_gold_tree(const dd_config *config, const dd_gold *gold)
{
    for (int word = 1; word <= gold->n; word++) {
        const dd_node *node = &config->nodes[word];
        int head = node->head == DD_NONE ? 0 : node->head;
        if (dd_gold_rejects(gold, head, word)) return false;
        if (node->head != DD_NONE && dd_label_cost(gold, (dd_arc){head, word}, node->label))
            return false;
    }
    return true;
}

/* ---- the two derivations ------------------------------------------------------------------ */

/* The steps that lead to `last`, in order, without the first, which makes no transition. Returns
 * how many; SIZE_MAX: allocation failed. */
static size_t trace_back(const dd_beam *beam, int32_t last, dd_beam_step **way, size_t *capacity)
{
    size_t count = 0;
    for (int32_t at = last; beam->steps[at].before != DD_NONE; at = beam->steps[at].before) count++;
    if (!DD_RESERVE(way, capacity, count)) return SIZE_MAX;
    size_t left = count;
    for (int32_t at = last; left > 0; at = beam->steps[at].before) (*way)[--left] = beam->steps[at];
    return count;
}

static bool same_step(const dd_beam_step *one, const dd_beam_step *other)
{
    return one->class_id == other->class_id && dd_same_move(one->move, other->move);
}

static const dd_beam_round *found_at(const dd_trainer *t, dd_cut cut)
{
    return &t->found.rounds[cut.found - 1];
}

static const dd_beam_round *right_at(const dd_trainer *t, dd_cut cut)
{
    return &t->right.rounds[cut.right - 1];
}

static bool any_scored(const dd_beam_step *way, size_t from, size_t count)
{
    for (size_t i = from; i < count; i++)
        if (way[i].scored) return true;
    return false;
}

/* The derivations that were best at a moment: how many steps they have in common, and whether there
 * is anything to learn from the others. */
typedef struct difference {
    size_t same;
    bool any;
} difference;

static bool compare(dd_trainer *t, dd_cut cut, difference *out)
{
    t->compared = cut;
    t->found_count =
        trace_back(&t->found, found_at(t, cut)->best, &t->found_way, &t->found_capacity);
    t->right_count =
        trace_back(&t->right, right_at(t, cut)->best, &t->right_way, &t->right_capacity);
    if (t->found_count == SIZE_MAX || t->right_count == SIZE_MAX) return false;
    size_t same = 0;
    while (same < t->found_count && same < t->right_count &&
           same_step(&t->found_way[same], &t->right_way[same]))
        same++;
    *out = (difference){same, any_scored(t->found_way, same, t->found_count) ||
                                  any_scored(t->right_way, same, t->right_count)};
    return true;
}

/* ---- where to cut ------------------------------------------------------------------------- */

static int64_t next_progress(const dd_beam *beam, size_t rounds)
{
    return rounds < beam->n_rounds ? beam->rounds[rounds].progress : INT64_MAX;
}

/* Lets the search make its next round that is behind, or both if neither is; one that has finished
 * stays as it is. The first round is the same in both. False at the end. */
static bool next_cut(const dd_trainer *t, dd_cut *cut)
{
    int64_t found = next_progress(&t->found, cut->found);
    int64_t right = next_progress(&t->right, cut->right);
    if (found == INT64_MAX && right == INT64_MAX) return false;
    cut->found += found <= right;
    cut->right += right <= found;
    return true;
}

static dd_cut last_cut(const dd_trainer *t)
{
    return (dd_cut){t->found.n_rounds, t->right.n_rounds};
}

static int64_t violation_at(const dd_trainer *t, dd_cut cut)
{
    return found_at(t, cut)->best_score - right_at(t, cut)->best_score;
}

/* Ties to the last, where both have most to say. */
static dd_cut largest_violation(const dd_trainer *t)
{
    dd_cut best = {0, 0}, cut = {0, 0};
    int64_t largest = INT64_MIN;
    while (next_cut(t, &cut)) {
        if (violation_at(t, cut) < largest) continue;
        largest = violation_at(t, cut);
        best = cut;
    }
    return best;
}

/* The first moment with no right derivation left in the beam: the worst item is as good as all of
 * them, and the best one is not right. The last moment if there is none. */
static bool first_without_right(dd_trainer *t, dd_cut *out)
{
    *out = (dd_cut){0, 0};
    while (next_cut(t, out)) {
        const dd_beam_round *found = found_at(t, *out);
        difference between;
        if (!found->full || found->worst_score < right_at(t, *out)->best_score) continue;
        if (!compare(t, *out, &between)) return false;
        if (between.any) return true;
    }
    return true;
}

/* ---- updates ------------------------------------------------------------------------------ */

static int index_of(const dd_view *view, dd_move move)
{
    int m = 0;
    while (!dd_same_move(view->moves[m], move)) m++;
    return m;
}

/* Tells the learner what the transition has added to its derivation's score: `derivative` times
 * that is added to the loss. */
static bool change_step(dd_trainer *t, const dd_beam_step *step, float derivative)
{
    const dd_learner *learner = t->learner;
    dd_view view = t->decoder.view, *one = &view;
    dd_pick pick = {step->class_id, index_of(&view, step->move)};
    dd_pick going_on = {t->inventory->going_on, DD_NONE};
    if (!step->scored) return true;
    view.scores = NULL;
    return learner->score(t->state, &one, 1) &&
           learner->gradient(t->state, one, pick, derivative) &&
           (going_on.class_id == DD_NONE ||
            learner->gradient(t->state, one, going_on, -derivative));
}

/* Goes the way again and learns from its steps, those before `from` left out. */
static bool change_way(lesson *l, const dd_beam_step *way, size_t count, size_t from,
                       float derivative)
{
    dd_trainer *trainer = l->trainer;
    dd_decoder *decoder = &trainer->decoder;
    if (!dd_decoder_begin(decoder, trainer->inventory, l->gold->n, trainer->single_root))
        return false;
    decoder->view.sentence = l->number;
    for (size_t i = 0; i < count; i++) {
        if (i >= from) {
            dd_decoder_ready(decoder);
            if (!change_step(trainer, &way[i], derivative)) return false;
        }
        dd_decoder_make(trainer->inventory, NULL, &decoder->config, way[i].move, way[i].class_id);
    }
    return true;
}

/* Learns from what the derivations do not have in common at their start; where there is nothing, at
 * another moment. Where the right one leads, the search has lost it by a tie, and there is nothing
 * to learn. */
static bool update(lesson *l, dd_cut cut, dd_cut other)
{
    dd_trainer *t = l->trainer;
    difference between;
    if (!compare(t, cut, &between)) return false;
    if (!between.any && !compare(t, other, &between)) return false;
    if (!between.any || violation_at(t, t->compared) < 0) {
        t->compared = (dd_cut){0, 0};
        return true;
    }
    return change_way(l, t->right_way, t->right_count, between.same, -1) &&
           change_way(l, t->found_way, t->found_count, between.same, 1);
}

/* Whether the best derivation is a right one; looks for the right ones where it needs them. */
static bool judge(lesson *l, bool *right)
{
    dd_trainer *t = l->trainer;
    *right = is_gold_tree(&dd_beam_at(&t->found, 0)->config, l->gold);
    if (*right && !is_static(t)) return true;
    if (!search(l, &t->right, true)) return false;
    if (!*right || t->found.n_rounds == 0 || t->right.n_rounds == 0) return true;
    difference between;
    if (!compare(t, last_cut(t), &between)) return false;
    *right = !between.any;
    return true;
}

/* Of the transitions those count as predicted well that came before the last right derivation left
 * the beam. */
bool dd_trainer_learn_beam(dd_trainer *trainer, const dd_gold *gold, int number)
{
    lesson l = {trainer, gold, number};
    bool right;
    dd_cut cut;
    if (!search(&l, &trainer->found, false) || !judge(&l, &right)) return false;
    trainer->compared = (dd_cut){0, 0};
    if (right) {
        trainer->tally.asked += trainer->found.n_rounds;
        trainer->tally.right += trainer->found.n_rounds;
        return true;
    }
    if (trainer->found.n_rounds == 0 || trainer->right.n_rounds == 0) return true;
    if (!first_without_right(trainer, &cut)) return false;
    trainer->tally.asked += trainer->found.n_rounds;
    trainer->tally.right += cut.found - 1;
    if (trainer->update == DD_UPDATE_EARLY) return update(&l, cut, last_cut(trainer));
    return update(&l, largest_violation(trainer), cut);
}
