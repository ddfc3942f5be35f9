/* vectors.h - pretrained word vectors, as word2vec, fastText and GloVe write them
 *
 *     [words size]                  the first line, which may be missing
 *     word number number ...
 *
 * Words are taken in lower case, the first of several that are the same. */
#ifndef DODONA_NEURAL_VECTORS_H
#define DODONA_NEURAL_VECTORS_H

#include "core/status.h"
#include "core/strings.h"
#include "text/io.h"

enum { DD_MAX_VECTOR = 1024 /* numbers */ };

typedef struct dd_vectors {
    dd_vocab words; /* the symbols of unknown words and of the root first */
    size_t size;    /* numbers of one; 0: there are none */
    float *numbers; /* [words.count][size]; zeros for those two */
    size_t numbers_capacity;
} dd_vectors; /* {0} is empty and valid */

void dd_vectors_free(dd_vectors *vectors);
/* The first words of a file, up to `most`, shifted so that their mean is 0, and scaled so that
 * their mean length is 3, which gives them about the weight of learnt embeddings. */
dd_status dd_vectors_read(dd_vectors *vectors, const char *path, size_t most, dd_error *error);
dd_status dd_vectors_read_from(dd_vectors *vectors, dd_source *source, size_t most,
                               dd_error *error);

#endif
