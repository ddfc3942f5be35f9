/* loss.c - losses of greedy training (dd_loss_kind), one configuration at a time */
#include "train/trainer.h"

#include <math.h>

static bool perceptron_loss(dd_trainer *trainer, const dd_gold *gold, dd_choice predicted,
                            bool right, dd_choice *best)
{
    const dd_learner *learner = trainer->learner;
    const dd_view *view = &trainer->decoder.view;
    *best = predicted;
    if (right) return true;
    if (!dd_oracle_state_targets(&trainer->oracle)) return false;
    *best = dd_decoder_best_free(&trainer->decoder, gold, trainer->oracle.costs);
    return learner->gradient(trainer->state, view, (dd_pick){best->class_id, best->move}, -1) &&
           learner->gradient(trainer->state, view, (dd_pick){predicted.class_id, predicted.move},
                             1);
}

/* A move with its best class. */
static dd_choice best_of_move(const dd_decoder *decoder, int move)
{
    dd_class_list list = dd_decoder_classes(decoder, move);
    const int32_t *scores = dd_decoder_scores(decoder, move);
    dd_choice best = {.move = list.count ? move : DD_NONE, .class_id = list.first};
    for (int id = list.first; id < list.first + list.count; id++)
        if (scores[id] > scores[best.class_id]) best.class_id = id;
    if (list.count) best.score = scores[best.class_id];
    return best;
}

/* Probabilities of the moves that have classes, in place of their weights; of all, and of those of
 * cost 0. */
static void sum_weights(const dd_decoder *decoder, const int *costs, double unit, int32_t most,
                        double *all, double *free)
{
    *all = *free = 0;
    for (int m = 0; m < decoder->view.n_moves; m++) {
        dd_choice choice = best_of_move(decoder, m);
        if (choice.move == DD_NONE) continue;
        double weight = exp((double)(choice.score - most) * unit);
        *all += weight;
        if (costs[m] == 0) *free += weight;
    }
}

/* Where gold arcs have weights, a wrong move is pushed down by no more than the share that the arcs
 * weigh which it loses, and the free moves are pushed up by as much, together: with f its share, p
 * the probabilities of wrong moves and q those of free ones,
 *
 *     wrong: f p        free: -q / sum(q) * sum(f p) = k (q - q / sum(q)), k = sum(f p) / sum(p)
 *
 * Where all wrong moves have the same share that is the gradient of f times the loss. In general it
 * is that of sum(f p (s - log sum exp(free scores))), s the scores of wrong moves, with p held. The
 * mean k is exactly 1 where all shares are. */
static double mean_share(const dd_decoder *decoder, const int *costs, const double *shares,
                         double unit, int32_t most)
{
    double weights = 0, shared = 0;
    for (int m = 0; m < decoder->view.n_moves; m++) {
        dd_choice choice = best_of_move(decoder, m);
        if (choice.move == DD_NONE || costs[m] == 0) continue;
        double weight = exp((double)(choice.score - most) * unit);
        weights += weight;
        shared += weight * shares[m];
    }
    return shared / weights;
}

static bool softmax_loss(dd_trainer *trainer, const dd_gold *gold, dd_choice predicted, bool right,
                         dd_choice *best)
{
    const dd_learner *learner = trainer->learner;
    const dd_decoder *decoder = &trainer->decoder;
    double all, free;
    *best = predicted;
    if (!dd_oracle_state_targets(&trainer->oracle)) return false;
    const int *costs = trainer->oracle.costs;
    if (!right) *best = dd_decoder_best_free(decoder, gold, costs);
    sum_weights(decoder, costs, learner->unit, predicted.score, &all, &free);
    if (free == all || free == 0) return true;
    const double *shares = NULL;
    double of_free = 1;
    if (trainer->weights || gold->soft) {
        if (!dd_oracle_state_weigh(&trainer->oracle, trainer->weights)) return false;
        shares = trainer->oracle.shares;
        of_free = mean_share(decoder, costs, shares, learner->unit, predicted.score);
    }
    for (int m = 0; m < decoder->view.n_moves; m++) {
        dd_choice choice = best_of_move(decoder, m);
        if (choice.move == DD_NONE) continue;
        double weight = exp((double)(choice.score - predicted.score) * learner->unit);
        double derivative = weight / all - (costs[m] == 0 ? weight / free : 0);
        if (shares) derivative *= costs[m] == 0 ? of_free : shares[m];
        if (!learner->gradient(trainer->state, &decoder->view, (dd_pick){choice.class_id, m},
                               (float)derivative))
            return false;
    }
    return true;
}

bool dd_trainer_lose(dd_trainer *trainer, const dd_gold *gold, dd_choice predicted, bool right,
                     dd_choice *best)
{
    switch (trainer->learner->loss) {
    case DD_LOSS_SOFTMAX: return softmax_loss(trainer, gold, predicted, right, best);
    default: return perceptron_loss(trainer, gold, predicted, right, best);
    }
}
