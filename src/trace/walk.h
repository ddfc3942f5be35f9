/* walk.h - what a dd_oracle is: a system, the gold tree that it was given last, and room for walks
 * and derivations through it */
#ifndef DODONA_TRACE_WALK_H
#define DODONA_TRACE_WALK_H

#include "core/random.h"
#include "transition/optimal.h"

#include <dodona.h>

struct dd_oracle {
    const dd_system *system;
    dd_walk walk;
    bool single_root, partial;
    dd_cancel *cancel;
    dd_ticker ticker; /* of the call in hand */
    dd_random random;
    dd_gold gold;
    dd_tree_space tree_space;
    dd_loss_space loss_space;
    dd_config config, next;
    const char *refused; /* as in dd_oracle_step, and so are the words left out */
    int32_t *heads;      /* [n + 1] of the part that is walked */
    int32_t *left_out;   /* [n] */
    int arcs_left_out;
    size_t heads_capacity, left_out_capacity;
    char **numbered; /* names of moves that carry a number, by number and kind */
    size_t numbered_capacity;
    /* the current configuration */
    dd_move *moves;     /* [n_moves] */
    int *costs;         /* [n_moves] */
    const char **names; /* [n_moves] */
    int n_moves;
    const char **history; /* transitions taken */
    int steps;
    size_t moves_capacity, costs_capacity, names_capacity, history_capacity;
    /* the derivations of a tree */
    dd_optimal optimal;
    dd_oracle_total total;
    char *digits; /* what total says */
};

/* Takes the sentence's tree, or the largest part of it if that is asked for. DD_ERROR_DATA: there
 * is none. */
dd_status dd_oracle_take_tree(dd_oracle *oracle, const dd_sentence *sentence, dd_error *error);
/* The name of a move, kept for the life of the oracle; NULL: allocation failed. */
const char *dd_oracle_move_name(dd_oracle *oracle, dd_move move);

#endif
