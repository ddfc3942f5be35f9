/* oracle.h - which transitions an oracle allows along a derivation, labels included */
#ifndef DODONA_TRANSITION_ORACLE_H
#define DODONA_TRANSITION_ORACLE_H

#include "transition/soft.h"

#include <dodona.h>

typedef enum dd_oracle_kind {
    DD_ORACLE_STATIC = 0, /* one canonical transition, gold path only */
    DD_ORACLE_NONDET,     /* every transition of cost 0 (see docs/oracles.md), gold path only */
    DD_ORACLE_DYNAMIC,    /* the same in any configuration */
    DD_ORACLE_AUTO,       /* the default: dynamic, and static with a beam */
} dd_oracle_kind;

/* The state of an oracle along one derivation. It follows the loss from configuration to
 * configuration, so that few tables have to be filled. */
typedef struct dd_oracle_state {
    dd_oracle_kind kind;
    const dd_system *system;
    bool takes_whole; /* gold trees may be such that the system, which has `best`, cannot build;
                         losses are then counted against all their arcs */
    dd_loss_space space;
    const dd_gold *gold;
    int ahead;         /* wrong arcs that cannot be avoided any more; -1: not known */
    bool on_gold_path; /* the loss is 0 */
    dd_soft soft;
    enum {
        DD_BUILDABLE_UNKNOWN = 0,
        DD_BUILDABLE,
        DD_NOT_BUILDABLE
    } buildable; /* whether the system can build the gold tree, and no other arcs are weighed, so
                    that `soft` is not needed */
    /* the current configuration */
    const dd_config *config;
    const dd_move *moves;
    int n_moves;
    int *costs;  /* [n_moves] filled by dd_oracle_state_costs: 0, or anything above 0 */
    int *losses; /* [n_moves] as the system gives them, where known */
    bool costs_known;
    double *shares; /* [n_moves] filled by dd_oracle_state_weigh */
    int *weighed;   /* [2 * n_moves] costs, without and with weights */
    size_t costs_capacity, losses_capacity, shares_capacity, weighed_capacity;
} dd_oracle_state;

void dd_oracle_state_free(dd_oracle_state *oracle);
/* A new derivation. */
void dd_oracle_state_begin(dd_oracle_state *oracle, const dd_gold *gold);
/* The configuration that the following calls are about. False if allocation fails. */
bool dd_oracle_state_enter(dd_oracle_state *oracle, const dd_config *config, const dd_move *moves,
                           int n_moves);
/* Whether moves[m] has cost 0, with as little work as possible. False if allocation fails. */
bool dd_oracle_state_is_free(dd_oracle_state *oracle, int m, bool *free);
/* All costs, for dd_decoder_best. False if allocation fails. */
bool dd_oracle_state_costs(dd_oracle_state *oracle);
/* The same, but only moves worth learning are free; see dd_system_oracle.puts_off_shift. */
bool dd_oracle_state_targets(dd_oracle_state *oracle);
/* With weights [n + 1] of the gold arcs, or gold->soft and costs that are known: shares of what a
 * lost arc costs, for each move the mean weight of those that it loses, above 0 and at most 1; 1
 * where it loses none. Which moves are free does not depend on weights. The system must weigh arcs.
 * False if allocation fails. */
bool dd_oracle_state_weigh(dd_oracle_state *oracle, const int32_t *weights);
/* moves[m] is about to be made; whether it is free must have been asked. */
void dd_oracle_state_follow(dd_oracle_state *oracle, int m);

/* The loss and the cost of every move by definition, for display: with an approximate loss no move
 * may have cost 0. `next` is working memory. False if allocation fails. */
bool dd_oracle_true_costs(const dd_system *system, dd_loss_space *space, const dd_config *config,
                          dd_config *next, const dd_gold *gold, const dd_move *moves, int n_moves,
                          int *loss, int *costs);

/* Costs in a configuration of loss 0: exact where they are 0, elsewhere only above 0. The loss of
 * the space's variant must be exact. False if allocation fails. */
bool dd_oracle_zero_costs(const dd_system *system, dd_loss_space *space, const dd_config *config,
                          const dd_gold *gold, const dd_move *moves, int n_moves, int *costs);

/* The index of the move that leads along the gold tree: the static oracle's; where heads are
 * unknown, of those with the smallest cost the first that builds a known arc, or else the first. */
int dd_oracle_gold_move(const dd_system *system, const dd_config *config, const dd_gold *gold,
                        const dd_move *moves, int n_moves, const int *costs);

/* Label loss, the same for all systems: 1 for a gold arc with another label than the known one, 0
 * for any other arc or none. */
static inline int dd_label_cost(const dd_gold *gold, dd_arc arc, int label)
{
    return arc.dependent != DD_NONE && gold->heads[arc.dependent] == arc.head &&
           gold->labels[arc.dependent] != label && gold->labels[arc.dependent] >= 0;
}

#endif
