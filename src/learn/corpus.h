/* corpus.h - a treebank in memory: what training and the dev evaluation go through again and again
 */
#ifndef DODONA_LEARN_CORPUS_H
#define DODONA_LEARN_CORPUS_H

#include "core/vocab.h"
#include "learn/treebank.h"
#include "transition/system.h"

#include <xxhash.h>

typedef struct dd_item {
    dd_sentence *sentence; /* the treebank's */
    dd_gold gold;     /* labels are numbers in dd_corpus.labels; -1: no head, or DEPREL is `_` */
    const char *file; /* the path given by the caller */
} dd_item;

typedef struct dd_corpus {
    dd_item *items; /* [count] */
    size_t count, capacity;
    uint64_t heads;         /* words whose head is known */
    uint64_t bad;           /* sentences passed over */
    uint64_t lifted;        /* sentences made projective */
    uint64_t in_part;       /* sentences of which a part is kept */
    uint64_t arcs_left_out; /* of them */
    bool one_root;    /* every sentence has exactly one root, or, with unknown heads, at most one */
    bool labelled;    /* some word has a head and a DEPREL that is not `_` */
    uint32_t present; /* bit c: column c is not `_` in some word */
    dd_vocab labels;
    XXH3_state_t *hash; /* of all bytes read */
} dd_corpus;

dd_status dd_corpus_new(dd_corpus **out, dd_error *error);
void dd_corpus_free(dd_corpus *corpus);
/* Adds the sentences of a treebank, which must outlive the corpus; each must be a valid tree, or,
 * unless `whole`, part of one. With options->skip_bad those that are not are passed over, counted
 * and reported to options->bad. */
dd_status dd_corpus_take(dd_corpus *corpus, const dd_treebank *treebank, bool whole,
                         const dd_train_options *options, dd_error *error);

#endif
