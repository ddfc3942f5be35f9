/* run.h - sentences through a network of bytes, up to the slots of their words
 *
 *     symbols and characters of a word -> bytes of all that is known of it -> products with the
 *     matrices of the first layer -> layers -> slots
 *
 * The products depend only on the word and its tags, so those of recent words are cached: in a text
 * of any length most words are in the cache. */
#ifndef DODONA_NEURAL_RUN_H
#define DODONA_NEURAL_RUN_H

#include "neural/cache.h"
#include "neural/frozen.h"

/* A node whose products are not known. */
typedef struct dd_fresh_word {
    int place; /* in the cache */
    int sentence, node;
} dd_fresh_word;

/* The words' products with the matrices of the first layer that meet inputs. */
typedef struct dd_words {
    const dd_frozen_matrix *matrices[DD_MAX_LAYER_PARTS];
    int n_matrices;
    size_t stride; /* numbers of a word's products */
    dd_cache cache;
    int32_t *sums; /* [places][stride] */
    int *places;   /* [rows of steps] */
    dd_fresh_word *fresh;
    size_t n_fresh;
    /* spelling */
    uint32_t *types;    /* [n_types] forms of fresh words, as numbers in the spellings */
    int *type_number;   /* [all types] number among those, or -1 */
    int *type_sequence; /* [n_types] */
    size_t n_types;
    dd_steps steps;
    uint8_t *characters, *spelt; /* inputs and states of the layer over characters */
    uint8_t *inputs;             /* of some words */
    int32_t *made;               /* products of some words with one matrix */
    size_t sums_capacity, places_capacity, fresh_capacity, types_capacity, type_number_capacity,
        type_sequence_capacity, characters_capacity, spelt_capacity, inputs_capacity, made_capacity;
} dd_words;

/* One thread's workspace. */
typedef struct dd_network_run {
    const dd_frozen *frozen;
    const dd_kernels *kernels;
    dd_scratch scratch;
    dd_words words;
    int *sequence; /* [sentences] of each; sequences stand the longest first */
    dd_steps steps;
    uint8_t *states[2]; /* [rows][2 * width] of layers, in turn */
    int32_t *sums;      /* of some rows' slots */
    int16_t *slots;     /* [rows][columns of slots] */
    size_t sequence_capacity, states_capacity[2], sums_capacity, slots_capacity;
} dd_network_run;

void dd_network_run_start(dd_network_run *run, const dd_frozen *frozen, const dd_kernels *kernels);
void dd_network_run_free(dd_network_run *run);
/* False if allocation fails. */
bool dd_network_run_encode(dd_network_run *run, const dd_codes *codes);

static inline const int16_t *dd_network_run_slots(const dd_network_run *run, int sentence, int node)
{
    size_t row = dd_steps_row(&run->steps, run->sequence[sentence], node);
    return run->slots + row * run->frozen->slots.columns;
}

/* scores[outputs] of a configuration whose slots are these nodes, DD_NONE where there is none;
 * units: [hidden] room. */
void dd_network_run_outputs(const dd_network_run *run, int sentence, const int *nodes,
                            int16_t *units, int32_t *scores);

#endif
