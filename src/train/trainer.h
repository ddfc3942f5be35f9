/* trainer.h - online training with an oracle: greedy (tabular-oracles-2014, Algorithm 2), or by
 * whole derivations with a beam */
#ifndef DODONA_TRAIN_TRAINER_H
#define DODONA_TRAIN_TRAINER_H

#include "core/learning.h"
#include "core/random.h"
#include "parse/beam.h"
#include "score/learner.h"
#include "transition/oracle.h"

/* A moment in the two searches: how many rounds each has made. */
typedef struct dd_cut {
    size_t found, right;
} dd_cut;

typedef struct dd_trainer {
    const dd_inventory *inventory;
    const dd_learner *learner;
    void *state;    /* the learner's */
    bool by_move;   /* what the learner says of it */
    double explore; /* probability of following a wrong prediction */
    bool single_root;
    dd_random random; /* order of sentences, exploration */
    dd_decoder decoder;
    dd_oracle_state oracle;
    const int32_t *weights; /* of the example's arcs; NULL: each counts 1 */
    int beam;               /* items, 1: greedy */
    dd_update update;
    int margin;           /* by which right derivations shall lead, for each wrong arc of another */
    dd_beam found, right; /* beams of all derivations and of right ones */
    dd_beam_step *found_way, *right_way; /* [found_count], [right_count] the two compared last */
    size_t found_count, right_count, found_capacity, right_capacity;
    dd_cut compared; /* when they were the best */
    dd_tally tally;  /* transitions predicted in this iteration, and of cost 0 */
} dd_trainer;

void dd_trainer_free(dd_trainer *trainer);
/* A mini-batch. False if allocation fails. */
bool dd_trainer_learn(dd_trainer *trainer, const dd_example *examples, int count);
/* One sentence of it with a beam, see beam_trainer.c. */
bool dd_trainer_learn_beam(dd_trainer *trainer, const dd_gold *gold, int number);
/* Scores the decoders' configurations. */
bool dd_trainer_score(dd_trainer *trainer, dd_decoder *const *decoders, int count);
/* A random order of 0..count-1 (Fisher and Yates). */
void dd_trainer_shuffle(dd_trainer *trainer, uint32_t *order, size_t count);

/* loss.c: what greedy training makes of a prediction in the trainer's configuration, which the
 * learner has scored last: tells the learner the derivatives of its loss. `right`: whether the
 * prediction is right; *best: the best choice that is. False if allocation fails. */
bool dd_trainer_lose(dd_trainer *trainer, const dd_gold *gold, dd_choice predicted, bool right,
                     dd_choice *best);

#endif
