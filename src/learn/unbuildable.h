/* unbuildable.h - what becomes of the trees of a corpus that a system cannot build, so that they
 * need not be skipped */
#ifndef DODONA_LEARN_UNBUILDABLE_H
#define DODONA_LEARN_UNBUILDABLE_H

#include "learn/corpus.h"

/* Makes the whole trees projective that the system cannot build because they are not, and puts into
 * their labels how that was done. */
dd_status dd_corpus_lift(dd_corpus *corpus, const dd_system *system, bool single_root,
                         dd_pseudo_projective scheme, dd_error *error);
/* Leaves of each tree that the system cannot build the largest part that it can; the other heads
 * become unknown. Tells options->in_part. */
dd_status dd_corpus_keep_parts(dd_corpus *corpus, const dd_system *system, bool single_root,
                               const dd_train_options *options, dd_error *error);

#endif
