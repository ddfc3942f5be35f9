/* segment_examples.h - what the network of a segmenter learns from
 *
 *     treebank -> folds, each scored by a linear segmenter of the others -> units -> windows of
 *     symbols, and the decision behind each unit
 *
 * The network must not trust the linear segmenter more than it deserves on new text, and so learns
 * from what one that has not seen the text says of it. */
#ifndef DODONA_SEGMENT_SEGMENT_EXAMPLES_H
#define DODONA_SEGMENT_SEGMENT_EXAMPLES_H

#include "segment/segment_network.h"
#include "segment/units.h"

/* Of a node that no decision is made about. */
enum { DD_NOT_DECIDED = DD_UNIT_ENDS };

typedef struct dd_segment_examples {
    const dd_segmenter_options *options; /* of linear segmenters */
    dd_learning_part *part;              /* which has ended; moved on to each fold */
    const dd_segmenter *linear;          /* of the whole treebank */
    dd_codes codes;                      /* a sequence for each window */
    uint8_t *gold;   /* dd_unit_end of all nodes of all windows, or DD_NOT_DECIDED */
    uint8_t *spaced; /* whether white space follows; of the same */
    size_t *starts;  /* [windows] first node of each */
    size_t n_gold;
    uint32_t *kept[DD_UNIT_TABLES]; /* [n_kept] hashes of symbols, which ascend */
    size_t n_kept[DD_UNIT_TABLES];
    uint32_t *words; /* [n_words] hashes of those of the treebank, which ascend */
    size_t n_words;
    /* while they are made */
    dd_hash_table known; /* the words, with the values of dd_unit_maker */
    uint64_t copies;     /* of each sentence: 2 if the treebank has paragraphs */
    dd_unit_text text;
    dd_window_room room;
    size_t words_capacity, gold_capacity, spaced_capacity, starts_capacity;
} dd_segment_examples; /* {0} with options and linear is valid */

/* To be freed, also on failure. */
dd_status dd_segment_examples_set(dd_segment_examples *examples,
                                  struct dd_sentence *const *sentences, size_t count,
                                  dd_error *error);
/* Linear segmenters that this trains. */
int dd_segment_examples_folds(size_t sentences);
void dd_segment_examples_free(dd_segment_examples *examples);

#endif
