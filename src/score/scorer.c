#include "score/scorer.h"

#include "learn/linear/learner.h"
#include "score/linear/packed.h"

#include <string.h>

const dd_scorer dd_perceptron = {
    .name = "averaged-perceptron",
    .learner_new = dd_learner_new,
    .learner_free = dd_learner_free,
    .learner_score = dd_learner_score,
    .learner_score_move = dd_learner_score_move,
    .learner_step = dd_learner_step,
    .learner_change = dd_learner_change,
    .learner_update = dd_learner_update,
    .learner_narrow = dd_learner_narrow,
    .learner_average = dd_learner_average,
    .frozen_map = dd_packed_map,
    .frozen_free = dd_packed_free,
    .space_new = dd_packed_space_new,
    .space_free = dd_packed_space_free,
    .frozen_score = dd_packed_score,
    .frozen_score_move = dd_packed_score_move,
    .choose_kernels = dd_packed_choose_kernels,
    .unit = dd_packed_unit,
};

static const dd_scorer *const scorers[] = {&dd_perceptron};

const dd_scorer *dd_scorer_find(dd_text name)
{
    for (size_t i = 0; i < sizeof scorers / sizeof *scorers; i++)
        if (strlen(scorers[i]->name) == name.size &&
            memcmp(scorers[i]->name, name.data, name.size) == 0)
            return scorers[i];
    return NULL;
}
