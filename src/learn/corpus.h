/* corpus.h - a treebank in memory: what training and the dev evaluation go through again and again
 */
#ifndef DODONA_LEARN_CORPUS_H
#define DODONA_LEARN_CORPUS_H

#include "core/vocab.h"
#include "features/extract.h"
#include "learn/treebank.h"
#include "transition/system.h"

#include <xxhash.h>

typedef struct dd_item {
    dd_tokens tokens;
    dd_gold gold;     /* labels are numbers in dd_corpus.labels; -1: no head, or DEPREL is `_` */
    uint64_t line;    /* where it stands in its file */
    const char *file; /* the path given by the caller */
    char *id;
} dd_item;

typedef struct dd_corpus {
    dd_item *items; /* [count] */
    size_t count, capacity;
    uint64_t heads;   /* words whose head is known */
    uint64_t bad;     /* sentences passed over */
    uint64_t lifted;  /* sentences made projective */
    bool one_root;    /* every sentence has exactly one root, or, with unknown heads, at most one */
    bool labelled;    /* some word has a head and a DEPREL that is not `_` */
    uint32_t present; /* bit c: column c, which the templates use, is not `_` in some word */
    dd_vocab labels;
    XXH3_state_t *hash; /* of all bytes read */
} dd_corpus;

dd_status dd_corpus_new(dd_corpus **out, dd_error *error);
void dd_corpus_free(dd_corpus *corpus);
/* Adds all sentences of a file; each must be a valid tree, or, unless `whole`, part of one. With
 * options->skip_bad those that are malformed or no tree are passed over, counted and told to
 * options->bad. */
dd_status dd_corpus_read(dd_corpus *corpus, const char *path, bool whole,
                         const dd_train_options *options, const dd_templates *templates,
                         dd_error *error);
/* The same from sentences in memory, whose files have these paths. */
dd_status dd_corpus_take(dd_corpus *corpus, const dd_treebank *treebank, const char *const *paths,
                         bool whole, const dd_train_options *options, const dd_templates *templates,
                         dd_error *error);

/* Makes the whole trees projective that the system cannot build because they are not, and puts into
 * their labels how that was done. */
dd_status dd_corpus_lift(dd_corpus *corpus, const dd_system *system, bool single_root,
                         dd_pseudo_projective scheme, dd_error *error);

#endif
