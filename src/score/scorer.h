/* scorer.h - the interface between transitions and whatever scores them
 *
 *     learner:  score, update, score, update, .. -> average into a section of the model file
 *     frozen:   map that section -> score, score, ..
 *
 * Nothing outside src/learn knows which scorer is behind it. Scores are whole numbers, in units of
 * the scorer, so that sums do not depend on their order: the same model gives the same tree on
 * every machine and in every thread. */
#ifndef DODONA_SCORE_SCORER_H
#define DODONA_SCORE_SCORER_H

#include "core/buffer.h"
#include "features/extract.h"
#include "learn/linear/freeze.h"

/* A class, and the move that it is chosen for: its index among the moves of the configuration. */
typedef struct dd_pick {
    int class_id, move;
} dd_pick;

typedef struct dd_scorer {
    const char *name; /* kept in the model file */

    /* A learner knows `classes` classes of transitions; all weights start at 0. */
    dd_status (*learner_new)(void **out, const dd_templates *templates, int classes,
                             dd_error *error);
    void (*learner_free)(void *learner);
    /* scores[classes]; the learner remembers the configuration for `update`. */
    void (*learner_score)(void *learner, const dd_config *config, const dd_tokens *tokens,
                          int32_t *scores);
    /* scores[classes] to be added for the move of that index in the configuration scored last; only
     * where the templates have features of moves. False: memory is out. */
    bool (*learner_score_move)(void *learner, const dd_config *config, const dd_tokens *tokens,
                               int move, dd_candidate candidate, int32_t *scores);
    /* Averages count the weights once a step: call it before the updates of each. */
    void (*learner_step)(void *learner);
    /* Adds to the weights of a class for a configuration and the arc that the move would build, if
     * any; no configuration is remembered afterwards. False: memory is out. */
    bool (*learner_change)(void *learner, const dd_config *config, const dd_tokens *tokens,
                           dd_candidate candidate, int class_id, int change);
    /* Towards `good` and away from `bad` in the configuration scored last. False: memory is out. */
    bool (*learner_update)(void *learner, dd_pick good, dd_pick bad);
    /* Forgets the features that matter least, so that a section of about so many bytes is left, and
     * learns with the others from now on. False: memory is out. */
    bool (*learner_narrow)(void *learner, size_t bytes);
    /* The averaged weights as a section of a model file. False: memory is out. */
    bool (*learner_average)(const void *learner, dd_freezing how, dd_buffer *section);

    /* Weights in a mapped section, which must outlive them; shared by threads. */
    dd_status (*frozen_map)(void **out, dd_text section, const dd_templates *templates, int classes,
                            dd_error *error);
    void (*frozen_free)(void *frozen);
    /* What one thread needs to score. */
    dd_status (*space_new)(void **out, const void *frozen, dd_error *error);
    void (*space_free)(void *space);
    void (*frozen_score)(const void *frozen, void *space, const dd_config *config,
                         const dd_tokens *tokens, int32_t *scores);
    void (*frozen_score_move)(const void *frozen, void *space, const dd_config *config,
                              const dd_tokens *tokens, dd_candidate candidate, int32_t *scores);
    /* For tests and benchmarks: scores with these instead of the best that the processor has; the
     * scores are the same. */
    void (*choose_kernels)(void *frozen, const dd_kernels *kernels);
    /* What a score of 1 is worth. */
    double (*unit)(const void *frozen);
} dd_scorer;

extern const dd_scorer dd_perceptron;

/* NULL if there is none of that name. */
const dd_scorer *dd_scorer_find(dd_text name);

#endif
