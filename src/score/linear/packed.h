/* packed.h - scoring with averaged weights in place, as they lie in the model file
 * (kernels/packed_layout.h) */
#ifndef DODONA_SCORE_LINEAR_PACKED_H
#define DODONA_SCORE_LINEAR_PACKED_H

#include "kernels/kernels.h"
#include "score/scorer.h"

/* The frozen side of the scorer: what dd_packed_map makes. */
typedef struct dd_packed_scorer {
    const dd_templates *templates;
    const dd_kernels *kernels;
    dd_packed packed;
} dd_packed_scorer;

dd_status dd_packed_map(void **out, dd_text section, const dd_templates *templates, int classes,
                        dd_error *error);
void dd_packed_free(void *frozen);
dd_status dd_packed_space_new(void **out, const void *frozen, dd_error *error);
void dd_packed_space_free(void *space);
void dd_packed_score(const void *frozen, void *space, const dd_config *config,
                     const dd_tokens *tokens, int32_t *scores);
void dd_packed_score_move(const void *frozen, void *space, const dd_config *config,
                          const dd_tokens *tokens, dd_candidate candidate, int32_t *scores);
void dd_packed_choose_kernels(void *frozen, const dd_kernels *kernels);
double dd_packed_unit(const void *frozen);

#endif
