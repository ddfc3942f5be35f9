/* beam_trainer.c - the structured perceptron with a beam
 *
 * A sentence is parsed with the beam. If the best derivation is wrong it is compared with the best
 * right one, both cut after the same number of transitions; the weights of the right one's features
 * grow, those of the other's shrink. Where they are cut is what makes learning with an inexact
 * search converge: the wrong one must lead there (Huang, Fayong and Guo 2012).
 *
 * For the static oracle one derivation is right, the canonical one. For the others every derivation
 * of transitions of cost 0 is, and a beam of its own, as wide as the first, finds the best one. It
 * holds all right derivations that the first beam holds, so a right one never counts as wrong. */
#include "learn/trainer.h"

#include "core/memory.h"

/* A sentence that is being learnt. */
typedef struct lesson {
    dd_trainer *trainer;
    const dd_item *item;
} lesson;

static bool score(void *user, dd_decoder *decoder)
{
    lesson *l = user;
    return dd_trainer_score(l->trainer, l->item, decoder);
}

/* Every configuration is on the gold path, so the guide has nothing to follow. */
static bool costs(void *user, const dd_decoder *decoder, const int **out)
{
    dd_guide *guide = &((lesson *)user)->trainer->guide;
    if (!dd_guide_enter(guide, &decoder->config, decoder->moves, decoder->n_moves) ||
        !dd_guide_targets(guide))
        return false;
    *out = guide->costs;
    return true;
}

static bool is_static(const dd_trainer *trainer)
{
    return trainer->guide.kind == DD_ORACLE_STATIC;
}

static bool search(lesson *l, dd_beam *beam, bool right)
{
    dd_trainer *trainer = l->trainer;
    dd_beam_search how = {
        .inventory = trainer->inventory,
        .n = l->item->gold.n,
        .single_root = trainer->single_root,
        .width = right && is_static(trainer) ? 1 : trainer->beam,
        .remember = true,
        .user = l,
        .score = score,
        .gold = right ? &l->item->gold : NULL,
        .costs = costs,
    };
    if (right) dd_guide_begin(&trainer->guide, &l->item->gold);
    return dd_beam_run(beam, &how);
}

/* Words without a head will depend on 0. */
static bool is_gold_tree(const dd_config *config, const dd_gold *gold)
{
    for (int word = 1; word <= gold->n; word++) {
        const dd_node *node = &config->nodes[word];
        if (node->head == DD_NONE && gold->heads[word] == 0) continue;
        if (node->head != gold->heads[word] || node->label != gold->labels[word]) return false;
    }
    return true;
}

/* ---- where to cut ------------------------------------------------------------------------- */

static size_t later(const dd_beam *one, const dd_beam *other)
{
    return one->n_rounds > other->n_rounds ? one->n_rounds : other->n_rounds;
}

/* The round after so many transitions; a beam whose items are finished stays as it is. */
static const dd_beam_round *round_at(const dd_beam *beam, size_t round)
{
    return &beam->rounds[round < beam->n_rounds ? round : beam->n_rounds - 1];
}

/* Ties to the last, where both have most to say. */
static size_t largest_violation(const dd_trainer *trainer)
{
    size_t best = 0;
    int64_t largest = INT64_MIN;
    for (size_t round = 0; round < later(&trainer->found, &trainer->right); round++) {
        int64_t violation = round_at(&trainer->found, round)->best_score -
                            round_at(&trainer->right, round)->best_score;
        if (violation < largest) continue;
        largest = violation;
        best = round;
    }
    return best;
}

/* The first round whose worst item is better than all that is right; the last if there is none. */
static size_t first_without_right(const dd_trainer *trainer)
{
    size_t rounds = later(&trainer->found, &trainer->right);
    for (size_t round = 0; round < rounds; round++) {
        const dd_beam_round *found = round_at(&trainer->found, round);
        if (found->full && found->worst_score > round_at(&trainer->right, round)->best_score)
            return round;
    }
    return rounds - 1;
}

/* ---- updates ------------------------------------------------------------------------------ */

/* The steps that lead to `last`, in order, without the first, which makes no transition. Returns how
 * many; SIZE_MAX: memory is out. */
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

static int index_of(const dd_decoder *decoder, dd_move move)
{
    int m = 0;
    while (!dd_same_move(decoder->moves[m], move)) m++;
    return m;
}

/* Goes the way again and changes the weights of its classes from step `from` on. */
static bool change_way(lesson *l, const dd_beam_step *way, size_t count, size_t from, int change)
{
    dd_trainer *trainer = l->trainer;
    dd_decoder *decoder = &trainer->decoder;
    if (!dd_decoder_begin(decoder, trainer->inventory, l->item->gold.n, trainer->single_root))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (i >= from) {
            dd_decoder_ready(decoder);
            dd_candidate arc = decoder->arcs[index_of(decoder, way[i].move)];
            if (!trainer->scorer->learner_change(trainer->learner, &decoder->config,
                                                 &l->item->tokens, arc, way[i].class_id, change))
                return false;
        }
        dd_decoder_make(trainer->inventory, &decoder->config, way[i].move, way[i].class_id);
    }
    return true;
}

/* The derivations that are best after a round; `same`: how many steps they have in common. */
typedef struct pair {
    size_t found, right, same;
} pair;

static bool compare(dd_trainer *t, size_t round, pair *out)
{
    size_t same = 0;
    size_t found =
        trace_back(&t->found, round_at(&t->found, round)->best, &t->found_way, &t->found_capacity);
    size_t right =
        trace_back(&t->right, round_at(&t->right, round)->best, &t->right_way, &t->right_capacity);
    if (found == SIZE_MAX || right == SIZE_MAX) return false;
    while (same < found && same < right && same_step(&t->found_way[same], &t->right_way[same]))
        same++;
    *out = (pair){found, right, same};
    return true;
}

/* What both have in common at their start cancels out. */
static bool update(lesson *l, size_t round)
{
    dd_trainer *t = l->trainer;
    pair ways;
    return compare(t, round, &ways) && change_way(l, t->right_way, ways.right, ways.same, 1) &&
           change_way(l, t->found_way, ways.found, ways.same, -1);
}

/* Transitions before the last right derivation left the beam count as predicted well. */
static void count(dd_trainer *trainer, bool right)
{
    size_t all = trainer->found.n_rounds;
    trainer->transitions += all;
    trainer->costless += right ? all : first_without_right(trainer);
}

/* Whether the best derivation is a right one; looks for the right ones where it needs them. */
static bool judge(lesson *l, bool *right)
{
    dd_trainer *t = l->trainer;
    *right = is_gold_tree(&dd_beam_at(&t->found, 0)->config, &l->item->gold);
    if (*right && !is_static(t)) return true;
    if (!search(l, &t->right, true)) return false;
    if (!*right || t->right.n_rounds == 0) return true;
    pair ways;
    if (!compare(t, later(&t->found, &t->right) - 1, &ways)) return false;
    *right = ways.same == ways.found && ways.same == ways.right;
    return true;
}

bool dd_trainer_learn_beam(dd_trainer *trainer, const dd_item *item)
{
    lesson l = {trainer, item};
    bool right;
    trainer->scorer->learner_step(trainer->learner);
    if (!search(&l, &trainer->found, false) || !judge(&l, &right)) return false;
    if (!right && trainer->right.n_rounds == 0) return true;
    count(trainer, right);
    if (right) return true;
    bool early = trainer->update == DD_UPDATE_EARLY;
    return update(&l, early ? first_without_right(trainer) : largest_violation(trainer));
}
