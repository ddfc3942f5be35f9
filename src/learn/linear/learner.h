/* learner.h - the averaged perceptron while it learns (see scorer.h) */
#ifndef DODONA_LEARN_LINEAR_LEARNER_H
#define DODONA_LEARN_LINEAR_LEARNER_H

#include "score/scorer.h"

dd_status dd_learner_new(void **out, const dd_templates *templates, int classes, dd_error *error);
void dd_learner_free(void *learner);
void dd_learner_score(void *learner, const dd_config *config, const dd_tokens *tokens,
                      int32_t *scores);
bool dd_learner_score_move(void *learner, const dd_config *config, const dd_tokens *tokens,
                           int move, dd_candidate candidate, int32_t *scores);
void dd_learner_step(void *learner);
bool dd_learner_change(void *learner, const dd_config *config, const dd_tokens *tokens,
                       dd_candidate candidate, int class_id, int change);
bool dd_learner_update(void *learner, dd_pick good, dd_pick bad);
bool dd_learner_narrow(void *learner, size_t bytes);
bool dd_learner_average(const void *learner, dd_freezing how, dd_buffer *section);

#endif
