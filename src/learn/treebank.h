/* treebank.h - the sentences of training files in memory, for what is learnt from their text */
#ifndef DODONA_LEARN_TREEBANK_H
#define DODONA_LEARN_TREEBANK_H

#include "learn/options.h"
#include "text/sentence.h"

#include <xxhash.h>

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
/* Likewise adds at most so many sentences, which are then a file of that path. DD_END: these are
 * the last. */
dd_status dd_treebank_read_some(dd_treebank *treebank, dd_reader *reader, const char *path,
                                size_t most, const dd_train_options *options, dd_error *error);

#endif
