/* corpus.h - a treebank in memory
 *
 *     files -> sentences, for what is learnt from their text
 *           -> gold trees, which training and the dev evaluation go through again and again */
#ifndef DODONA_TRAIN_CORPUS_H
#define DODONA_TRAIN_CORPUS_H

#include "core/strings.h"
#include "score/train_options.h"
#include "text/sentence.h"
#include "transition/system.h"

#include <xxhash.h>

/* ---- sentences ---------------------------------------------------------------------------- */

typedef struct dd_treebank {
    dd_sentence **sentences; /* [count] of all files, in order */
    size_t count, capacity;
    size_t *ends;       /* [files] after the last sentence of each file */
    const char **paths; /* [files] as they were given */
    size_t files, ends_capacity, paths_capacity;
    uint64_t words;
    uint64_t bad;       /* sentences passed over */
    XXH3_state_t *hash; /* of all bytes read, malformed sentences left out */
} dd_treebank;

dd_status dd_treebank_new(dd_treebank **out, dd_error *error);
void dd_treebank_free(dd_treebank *treebank);
/* Adds a file, whose path must outlive the treebank. With options->skip_bad malformed sentences are
 * passed over, counted and told to options->bad. */
dd_status dd_treebank_read(dd_treebank *treebank, const char *path, const dd_train_options *options,
                           dd_error *error);
/* Adds the next sentences of a reader, at most `most` of them and up to the one that reaches
 * `words`, as a file of that path. DD_END: these are the last. */
dd_status dd_treebank_read_some(dd_treebank *treebank, dd_reader *reader, const char *path,
                                size_t most, uint64_t words, const dd_train_options *options,
                                dd_error *error);

/* ---- gold trees --------------------------------------------------------------------------- */

typedef struct dd_item {
    dd_sentence *sentence; /* the treebank's */
    dd_gold gold; /* labels are numbers in dd_corpus.labels; -1: no head, or DEPREL is `_` */
    dd_weighed_arc *soft; /* the gold tree's; NULL: MISC is not asked, or says nothing of heads */
    const char *file;     /* the path given by the caller */
} dd_item;

typedef struct dd_corpus {
    dd_item *items; /* [count] */
    size_t count, capacity;
    uint64_t heads;         /* words whose head is known */
    uint64_t bad;           /* sentences passed over */
    uint64_t lifted;        /* sentences made projective */
    uint64_t in_part;       /* sentences of which a part is kept */
    uint64_t arcs_left_out; /* of them */
    uint64_t whole;         /* sentences that the system cannot build, taken as they are */
    uint64_t soft;          /* sentences whose heads have probabilities that are learnt from */
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
 * and reported to options->bad. With `soft` probabilities of heads in MISC become gold->soft. */
dd_status dd_corpus_take(dd_corpus *corpus, const dd_treebank *treebank, bool whole, bool soft,
                         const dd_train_options *options, dd_error *error);

/* ---- trees that a system cannot build (unbuildable.c) ------------------------------------- */

/* Makes the whole trees projective that the system cannot build because they are not, and puts into
 * their labels how that was done. */
dd_status dd_corpus_lift(dd_corpus *corpus, const dd_system *system, bool single_root,
                         dd_pseudo_projective scheme, dd_error *error);
/* Leaves of each tree of more than `whole` words that the system cannot build the largest part that
 * it can; the other heads become unknown. Tells options->in_part. */
dd_status dd_corpus_keep_parts(dd_corpus *corpus, const dd_system *system, bool single_root,
                               int whole, const dd_train_options *options, dd_error *error);

#endif
