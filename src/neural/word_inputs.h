/* word_inputs.h - what words bring into the first layer
 *
 *     symbols and characters of a word -> bytes of its embeddings -> sums of the first layer's
 * gates
 *
 * The sums depend on nothing but the word and its tags, so that those of words met lately are kept:
 * in a text of any length they are most of its words. */
#ifndef DODONA_NEURAL_WORD_INPUTS_H
#define DODONA_NEURAL_WORD_INPUTS_H

#include "neural/cache.h"
#include "neural/run.h"

/* A node whose sums are not known. */
typedef struct dd_fresh_word {
    int place; /* in the cache */
    int sentence, node;
} dd_fresh_word;

/* One thread's workspace. */
typedef struct dd_words {
    const dd_frozen *frozen;
    dd_runner *runner;
    dd_cache cache;
    int32_t *sums; /* [places][forward, reverse][4 * width] */
    int *places;   /* [rows of steps] */
    dd_fresh_word *fresh;
    size_t n_fresh;
    /* spelling */
    uint32_t *types;    /* [n_types] forms of fresh words, as numbers in the spellings */
    int *type_number;   /* [all types] number among those, or -1 */
    int *type_sequence; /* [n_types] */
    size_t n_types;
    dd_steps steps;
    uint8_t *characters, *spelt; /* inputs and states of the LSTM over characters */
    uint8_t *inputs;             /* of some words */
    int32_t *made;               /* sums of some words */
    size_t sums_capacity, places_capacity, fresh_capacity, types_capacity, type_number_capacity,
        type_sequence_capacity, characters_capacity, spelt_capacity, inputs_capacity, made_capacity;
} dd_words; /* {0} is valid before dd_words_start */

void dd_words_start(dd_words *words, const dd_frozen *frozen, dd_runner *runner);
void dd_words_free(dd_words *words);
/* Sets places for the sentences' rows of steps, and sums there. False if allocation fails. */
bool dd_words_run(dd_words *words, const dd_codes *codes, const dd_steps *steps,
                  const int *sequence);

/* Numbers of a word's sums. */
static inline size_t dd_words_stride(const dd_words *words)
{
    return 2 * words->frozen->words[0][0].from_input.columns;
}

#endif
