#include "train/trainer.h"

#include <stdlib.h>

void dd_trainer_free(dd_trainer *trainer)
{
    if (trainer->state) trainer->learner->free(trainer->state);
    dd_decoder_free(&trainer->decoder);
    dd_oracle_state_free(&trainer->oracle);
    dd_beam_free(&trainer->found);
    dd_beam_free(&trainer->right);
    free(trainer->found_way);
    free(trainer->right_way);
    *trainer = (dd_trainer){0};
}

void dd_trainer_shuffle(dd_trainer *trainer, uint32_t *order, size_t count)
{
    dd_shuffle(&trainer->random, order, count);
}

/* EXPLORE of Algorithm 2, line 11. */
static bool explores(dd_trainer *trainer)
{
    if (trainer->oracle.kind != DD_ORACLE_DYNAMIC || trainer->explore <= 0) return false;
    return trainer->explore >= 1 || dd_random_unit(&trainer->random) < trainer->explore;
}

bool dd_trainer_score(dd_trainer *trainer, dd_decoder *const *decoders, int count)
{
    dd_view *views[DD_SCORED_TOGETHER];
    return dd_decoders_list_views(decoders, count, trainer->by_move, views) &&
           trainer->learner->score(trainer->state, views, count);
}

/* Lines 7 to 11 of Algorithm 2: predict, compare with the oracle, update, choose the way on. */
static bool learn_step(dd_trainer *trainer, const dd_gold *gold, dd_choice *next)
{
    dd_decoder *decoder = &trainer->decoder;
    dd_oracle_state *oracle = &trainer->oracle;
    const dd_learner *learner = trainer->learner;
    dd_choice best;
    bool right;
    dd_view *view;
    if (!dd_decoders_list_views(&decoder, 1, trainer->by_move, &view)) return false;
    view->best_only = true;
    if (!learner->score(trainer->state, &view, 1)) return false;
    *next = dd_decoder_best(decoder);
    if (!dd_oracle_state_enter(oracle, &decoder->config, decoder->view.moves,
                               decoder->view.n_moves) ||
        !dd_oracle_state_is_free(oracle, next->move, &right))
        return false;
    right = right && !dd_decoder_label_cost(decoder, gold, *next);
    trainer->tally.asked++;
    trainer->tally.right += right;
    if (!dd_trainer_lose(trainer, gold, *next, right, &best)) return false;
    if (learner->online && !learner->step(trainer->state)) return false;
    if (!right && !explores(trainer)) *next = best;
    return true;
}

static bool learn_greedily(dd_trainer *trainer, const dd_gold *gold, int number)
{
    dd_decoder *decoder = &trainer->decoder;
    if (!dd_decoder_begin(decoder, trainer->inventory, gold->n, trainer->single_root)) return false;
    decoder->view.sentence = number;
    dd_oracle_state_begin(&trainer->oracle, gold);
    while (dd_decoder_ready(decoder)) {
        dd_choice next;
        if (!dd_decoder_idles(decoder, &next)) {
            if (!learn_step(trainer, gold, &next)) return false;
            dd_oracle_state_follow(&trainer->oracle, next.move);
        }
        dd_decoder_apply(decoder, next);
    }
    return true;
}

bool dd_trainer_learn(dd_trainer *trainer, const dd_example *examples, int count)
{
    const dd_learner *learner = trainer->learner;
    bool greedy = trainer->beam == 1;
    if (!learner->prepare(trainer->state, examples, count)) return false;
    for (int i = 0; i < count; i++) {
        dd_tally before = trainer->tally;
        trainer->weights = examples[i].weights;
        if (!(greedy ? learn_greedily : dd_trainer_learn_beam)(trainer, examples[i].gold, i))
            return false;
        if (examples[i].added) trainer->tally = before;
    }
    return (greedy && learner->online) || learner->step(trainer->state);
}
