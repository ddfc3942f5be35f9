/* optimal.h - the optimal derivations of a gold tree: every transition has cost 0
 *
 * They are the derivations that end in the gold tree or, where heads are unknown, in a tree that
 * has the known arcs. Derivations that meet in a configuration have the same continuations, so they
 * are counted by dynamic programming over configurations, in the order of their progress. */
#ifndef DODONA_TRANSITION_OPTIMAL_H
#define DODONA_TRANSITION_OPTIMAL_H

#include "core/counts.h"
#include "transition/system.h"

/* At most so many configurations are visited, as there may be exponentially many. The searches for
 * exact losses visit at most DD_OPTIMAL_SEARCH_LIMIT, all together. */
enum { DD_OPTIMAL_LIMIT = 1 << 18, DD_OPTIMAL_SEARCH_LIMIT = 1 << 22 };

typedef enum dd_optimal_end {
    DD_OPTIMAL_DONE = 0,
    DD_OPTIMAL_STOPPED,  /* by the caller */
    DD_OPTIMAL_TOO_MANY, /* configurations */
    DD_OPTIMAL_UNPROVED, /* exact losses take too long, see dd_loss_space.unproved */
    DD_OPTIMAL_NO_MEMORY,
} dd_optimal_end;

/* One transition of the derivation that is being listed. */
typedef struct dd_optimal_step {
    dd_move move;
    int32_t other; /* the next free move in its configuration, DD_NONE: there is none */
} dd_optimal_step;

typedef struct dd_optimal {
    const dd_system *system;
    const dd_gold *gold;
    dd_loss_space space;
    dd_config config, next;
    dd_move *moves; /* [n_moves] */
    int *costs;     /* [n_moves] */
    int n_moves;
    /* configurations found, by number */
    int32_t *packed; /* [size * packed_size(n)] */
    int32_t *behind; /* [size] another one with the same progress, DD_NONE: none */
    size_t size;
    dd_counts counts; /* all derivations; [1 + number] those that lead to each configuration */
    int32_t *first;   /* [n_first] by progress: the first one, DD_NONE: none */
    size_t n_first;
    int32_t *slots; /* [n_slots] hash table of numbers, DD_NONE: free */
    size_t n_slots; /* a power of 2 */
    dd_optimal_step *steps;
    size_t n_steps;
    size_t moves_capacity, costs_capacity, packed_capacity, behind_capacity, first_capacity,
        slots_capacity, steps_capacity;
} dd_optimal; /* {0} is valid */

void dd_optimal_free(dd_optimal *optimal);
/* The system must be able to build the gold tree. False if allocation fails. */
bool dd_optimal_take(dd_optimal *optimal, const dd_system *system, const dd_gold *gold,
                     bool single_root);
/* Looks at no more than DD_OPTIMAL_LIMIT configurations. The caller frees *digits. */
dd_optimal_end dd_optimal_count(dd_optimal *optimal, char **digits);
/* Calls `derivation` with each, in the order of permissible moves, until it returns false. */
dd_optimal_end dd_optimal_list(dd_optimal *optimal,
                               bool (*derivation)(void *user, const dd_optimal_step *steps,
                                                  size_t n_steps),
                               void *user);

#endif
