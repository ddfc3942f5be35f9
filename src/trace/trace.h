/* trace.h - inside a trace */
#ifndef DODONA_TRACE_TRACE_H
#define DODONA_TRACE_TRACE_H

#include "parse/parser.h"
#include "text/sentence.h"
#include "transition/oracle.h"

#include <dodona_tools.h>

enum { NO_SUCH_LABEL = INT32_MAX }; /* a gold label that the model cannot give */

/* A transition of the derivation that a beam found. */
typedef struct dd_trace_planned {
    dd_move move;
    int32_t class_id;
} dd_trace_planned;

struct dd_trace {
    dd_trace_options options;
    dd_ticker ticker; /* of the call in hand */
    const dd_system *system;
    bool single_root;
    const dd_inventory *inventory; /* the model's, or: */
    dd_inventory own;              /* of the sentence's labels, without a model */
    void *scorer_space;            /* with a model */
    dd_decoder decoder;
    dd_constraints constraints; /* of the sentence, with a model only */
    bool tidies;                /* with a model: as the parser would */
    dd_tidier tidier;
    dd_beam beam;           /* with one wider than 1 */
    dd_trace_planned *path; /* [steps] what it found */
    size_t path_capacity;
    dd_loss_space loss_space;
    dd_config next;
    dd_tree_space tree_space;
    dd_gold gold;        /* the tree that costs refer to, lifted if the model does that */
    const char *no_tree; /* why the sentence has no gold tree; NULL: it has */
    const char *refused; /* why there are no costs; NULL: there are */
    int32_t *heads, *labels, *words; /* [n + 1] and, for words, twice that */
    uint8_t *marks;                  /* [n + 1] */
    dd_trace_move *moves;            /* [n_moves] */
    int *costs;                      /* [n_moves] */
    size_t costs_capacity;
    size_t heads_capacity, labels_capacity, words_capacity, marks_capacity, moves_capacity;
    dd_buffer label;
    bool finished;      /* heads and labels are those of the finished tree */
    dd_trace_step step; /* what the caller is told */
};

/* trace_goal.c: the tree that costs refer to, or the reason why there is none. */
dd_status dd_trace_take_gold(dd_trace *trace, const dd_sentence *sentence, dd_error *error);

/* What the sentence, and tidiness if it is to count, ask of the tree, for a decoder that has begun.
 */
dd_status dd_trace_constrain(dd_trace *trace, const dd_sentence *sentence, bool tidily,
                             dd_error *error);

/* Finds the path of the beam; false if allocation fails. */
bool dd_trace_search(dd_trace *trace);
/* Turns the best choice in the decoder's configuration into the one on the path, whose margin is
 * then below 0 unless it is the same. */
void dd_trace_take_planned(const dd_trace *trace, dd_choice *choice);

#endif
