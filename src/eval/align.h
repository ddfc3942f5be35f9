/* align.h - which gold word is which word of the system's file */
#ifndef DODONA_EVAL_ALIGN_H
#define DODONA_EVAL_ALIGN_H

#include "eval/corpus.h"

typedef struct dd_eval_alignment {
    int32_t *system_of; /* [gold words] -1: none */
    int32_t *gold_of;   /* [system words] -1: none */
    size_t matched;
} dd_eval_alignment; /* {0} is valid */

/* CoNLL 2018: by characters, which must be the same in both files. */
dd_status dd_eval_align(dd_eval_alignment *alignment, const dd_eval_corpus *gold,
                        const dd_eval_corpus *system, dd_error *error);
/* CoNLL-X: word by word; sentences, words and FORMs must be the same. */
dd_status dd_eval_pair(dd_eval_alignment *alignment, const dd_vocab *vocab,
                       const dd_eval_corpus *gold, const dd_eval_corpus *system, dd_error *error);
void dd_eval_alignment_free(dd_eval_alignment *alignment);

#endif
