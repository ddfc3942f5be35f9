/* witness.h - trees that satisfy the constraints of a sentence, kept from move to move
 *
 * A move is allowed if a witness can be reached behind it; as the witness that served the last
 * configuration mostly serves the next one, too, it is seldom necessary to look for a new one. */
#ifndef DODONA_CONSTRAINTS_WITNESS_H
#define DODONA_CONSTRAINTS_WITNESS_H

#include "constraints/constraints.h"

typedef struct dd_witnesses {
    size_t row;      /* numbers that are kept of each: heads[0..n], and what else a guard wants */
    int count, most; /* trees held, and how many there is room for */
    int32_t *heads;  /* [most * row] */
    int32_t *order;  /* [most] the one that served last stands first */
    /* [most] Each tree that is added gets a number that no other ever had, so that a configuration
     * can name the one that is known to be in its reach; 0: none. */
    uint64_t *numbers;
    uint64_t last_number;
    size_t heads_capacity, order_capacity, numbers_capacity;
} dd_witnesses; /* {0} is valid */

void dd_witnesses_free(dd_witnesses *witnesses);
/* None, with room for that many. False if allocation fails. */
bool dd_witnesses_reset(dd_witnesses *witnesses, size_t row, int most);

static inline const int32_t *dd_witness(const dd_witnesses *witnesses, int i)
{
    return witnesses->heads + (size_t)witnesses->order[i] * witnesses->row;
}

static inline uint64_t dd_witness_number(const dd_witnesses *witnesses, int i)
{
    return witnesses->numbers[witnesses->order[i]];
}

/* The tree of a number, NULL: it is not held. */
const int32_t *dd_witness_find(const dd_witnesses *witnesses, uint64_t number);
/* The i-th has served: it becomes the first. */
void dd_witness_served(dd_witnesses *witnesses, int i);
/* Room for a new first one, if need be in place of the one that has not served for longest. */
int32_t *dd_witness_add(dd_witnesses *witnesses);
/* Takes back the first one. */
void dd_witness_drop(dd_witnesses *witnesses);

#endif
