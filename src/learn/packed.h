/* packed.h - averaged weights as they lie in the model file, and scoring with them
 *
 *     header | slots [slot_count] | cells [cell_count]
 *
 * A feature's key picks a slot (low bits, linear probing) and is checked by its high 32 bits; the
 * slot names the feature's row in cells: one cell with the number of weights, then the weights,
 * each with its class. A row with many weights is dense: one weight for each class in order, filled
 * up to groups of lanes (lanes.h).
 * Little-endian, 64-byte aligned, read in place. */
#ifndef DODONA_LEARN_PACKED_H
#define DODONA_LEARN_PACKED_H

#include "learn/lanes.h"
#include "learn/scorer.h"

typedef struct dd_packed_header {
    uint32_t classes;
    uint32_t templates;  /* of both kinds */
    uint64_t slot_count; /* a power of two */
    uint64_t cell_count;
    uint64_t feature_count;
    double unit; /* what a weight of 1 is worth */
    uint8_t reserved[24];
} dd_packed_header;

_Static_assert(sizeof(dd_packed_header) == 64, "the slots start on a cache line");

typedef struct dd_packed_slot {
    uint32_t check; /* high half of the key */
    uint32_t row;   /* index in cells; 0: the slot is free */
} dd_packed_slot;

typedef union dd_packed_cell {
    struct {
        uint16_t class_id;
        int16_t weight;
    };
    int16_t weights[2]; /* in a dense row */
    uint32_t count;     /* in the first cell of a row, or DD_PACKED_DENSE */
} dd_packed_cell;

#define DD_PACKED_DENSE UINT32_MAX

/* Where a row has a sixth of all weights, adding all is about as fast as picking. */
static inline bool dd_packed_is_dense(uint32_t weights, uint32_t classes)
{
    return weights > classes / 6;
}

static inline uint32_t dd_packed_dense_cells(uint32_t classes)
{
    return dd_lanes_for(classes) / 2;
}

/* Cells of a row behind its first. */
static inline uint32_t dd_packed_row_cells(uint32_t weights, uint32_t classes)
{
    return dd_packed_is_dense(weights, classes) ? dd_packed_dense_cells(classes) : weights;
}

dd_status dd_packed_map(void **out, dd_text section, const dd_templates *templates, int classes,
                        dd_error *error);
void dd_packed_free(void *frozen);
dd_status dd_packed_space_new(void **out, const void *frozen, dd_error *error);
void dd_packed_space_free(void *space);
void dd_packed_score(const void *frozen, void *space, const dd_config *config,
                     const dd_tokens *tokens, int32_t *scores);
void dd_packed_score_move(const void *frozen, void *space, const dd_config *config,
                          const dd_tokens *tokens, dd_candidate candidate, int32_t *scores);
double dd_packed_unit(const void *frozen);

#endif
