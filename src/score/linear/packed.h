/* packed.h - mapping averaged weights (kernels/sum.h) to be summed */
#ifndef DODONA_SCORE_LINEAR_PACKED_H
#define DODONA_SCORE_LINEAR_PACKED_H

#include "core/status.h"
#include "kernels/sum.h"

/* Checks a section, which must outlive what is mapped. */
dd_status dd_packed_map(dd_packed *packed, dd_text section, int templates, int classes,
                        dd_error *error);
/* Of all zeros; false if allocation fails, with what there is to be freed. */
bool dd_sum_space_make(dd_sum_space *space, const dd_packed *packed, size_t keys);
void dd_sum_space_free(dd_sum_space *space);

#endif
