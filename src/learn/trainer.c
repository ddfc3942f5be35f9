#include "learn/trainer.h"

#include <stdlib.h>

void dd_trainer_free(dd_trainer *trainer)
{
    if (trainer->learner) trainer->scorer->learner_free(trainer->learner);
    dd_decoder_free(&trainer->decoder);
    dd_guide_free(&trainer->guide);
    dd_shape_counter_free(&trainer->shapes);
    dd_beam_free(&trainer->found);
    dd_beam_free(&trainer->right);
    free(trainer->found_way);
    free(trainer->right_way);
    *trainer = (dd_trainer){0};
}

void dd_trainer_shuffle(dd_trainer *trainer, uint32_t *order, size_t count)
{
    for (size_t left = count; left > 1; left--) {
        size_t pick = dd_random_below(&trainer->random, (uint32_t)left);
        uint32_t held = order[pick];
        order[pick] = order[left - 1];
        order[left - 1] = held;
    }
}

/* EXPLORE of Algorithm 2, line 11. */
static bool explores(dd_trainer *trainer)
{
    if (trainer->guide.kind != DD_ORACLE_DYNAMIC || trainer->explore <= 0) return false;
    return trainer->explore >= 1 || dd_random_unit(&trainer->random) < trainer->explore;
}

bool dd_trainer_score(dd_trainer *trainer, const dd_item *item, dd_decoder *decoder)
{
    const dd_scorer *scorer = trainer->scorer;
    scorer->learner_score(trainer->learner, &decoder->config, &item->tokens, decoder->scores);
    if (!trainer->scores_moves) return true;
    if (!dd_decoder_reserve_move_scores(decoder)) return false;
    for (int m = 0; m < decoder->n_moves; m++) {
        if (!scorer->learner_score_move(trainer->learner, &decoder->config, &item->tokens, m,
                                        decoder->arcs[m], dd_decoder_scores(decoder, m)))
            return false;
        dd_decoder_sum_move_scores(decoder, m);
    }
    return true;
}

static bool is_right(const dd_trainer *trainer, const dd_item *item, dd_choice choice, bool free)
{
    return free && !dd_decoder_label_cost(&trainer->decoder, &item->gold, choice);
}

/* Lines 7 to 11 of Algorithm 2: predict, compare with the oracle, update, choose the way on. */
static bool learn_step(dd_trainer *trainer, const dd_item *item, dd_choice *next)
{
    dd_decoder *decoder = &trainer->decoder;
    dd_guide *guide = &trainer->guide;
    bool free;
    if (!dd_trainer_score(trainer, item, decoder)) return false;
    trainer->scorer->learner_step(trainer->learner);
    *next = dd_decoder_best(decoder);
    if (!dd_guide_enter(guide, &decoder->config, decoder->moves, decoder->n_moves) ||
        !dd_guide_is_free(guide, next->move, &free))
        return false;
    trainer->transitions++;
    if (is_right(trainer, item, *next, free)) {
        trainer->costless++;
        return true;
    }
    if (!dd_guide_targets(guide)) return false;
    dd_choice right = dd_decoder_best_free(decoder, &item->gold, guide->costs);
    if (!trainer->scorer->learner_update(trainer->learner, (dd_pick){right.class_id, right.move},
                                         (dd_pick){next->class_id, next->move}))
        return false;
    if (!explores(trainer)) *next = right;
    return true;
}

bool dd_trainer_learn(dd_trainer *trainer, const dd_item *item)
{
    dd_decoder *decoder = &trainer->decoder;
    if (trainer->beam > 1) return dd_trainer_learn_beam(trainer, item);
    if (!dd_decoder_begin(decoder, trainer->inventory, item->gold.n, trainer->single_root))
        return false;
    dd_guide_begin(&trainer->guide, &item->gold);
    while (dd_decoder_ready(decoder)) {
        dd_choice next;
        if (!dd_shape_counter_add(&trainer->shapes, &decoder->config, &item->gold)) return false;
        if (!dd_decoder_idles(decoder, &next)) {
            if (!learn_step(trainer, item, &next)) return false;
            dd_guide_follow(&trainer->guide, next.move);
        }
        dd_decoder_apply(decoder, next);
    }
    return true;
}
