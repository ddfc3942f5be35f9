/* soft.h - losses against weights of all arcs, instead of one tree's
 *
 * A teacher, an ensemble or several annotators give each head of a word a probability. Then a tree
 * has an expected number of wrong arcs,
 *
 *     sum over words d of 1 - p(head of d, d)  =  n - total weight of the tree's arcs,
 *
 * and the loss of a configuration is the least of any tree in reach: n minus the greatest total
 * weight (dd_system_oracle.best). With weights of 0 and 1 it is the number of wrong arcs against
 * one tree, which the system need not be able to build.
 *
 *     weights -> spans of the sentence, once -> best of each configuration -> costs of its moves
 */
#ifndef DODONA_TRANSITION_SOFT_H
#define DODONA_TRANSITION_SOFT_H

#include "transition/system.h"
#include "tree/maximum.h"

/* Weights are from 0 to this, which stands for 1. */
enum { DD_SOFT_ONE = 10000 };
enum {
    DD_SOFT_MAX_WORDS = 1000,   /* of a sentence: tables are quadratic, time is cubic */
    DD_SOFT_NEVER = -(1 << 29), /* the weight of what cannot be reached; the sum of three fits */
};

/* Trees over runs of words that are in the buffer, whatever the stack is: Eisner's tables (1996).
 * The positions are 1..n and, behind them, n + 1 for a root that stands last.
 *
 *     left:   best tree of the words first..head, of which `head` is the root
 *     right:  best tree of the words head..last, of which `head` is the root
 *     link:   the words head..dependent, or dependent..head, with the arc between the two, whose
 *             other dependents are all between them
 *
 * Tables are kept by their row, and those that are also read by the column twice. */
typedef struct dd_soft_spans {
    bool filled;
    size_t width;
    int32_t *left;          /* by head and first */
    int32_t *left_by_first; /* by first and head */
    int32_t *right;         /* by head and last */
    int32_t *right_by_last; /* by last and head */
    int32_t *link_left;     /* by head and dependent, which is left of it */
    int32_t *link_right;    /* by head and dependent, which is right of it */
    int32_t *memory;
    size_t capacity;
} dd_soft_spans;

/* The weights of one sentence, and working memory. */
typedef struct dd_soft {
    int n;
    const int32_t *weights; /* [n + 1][n + 1] by dependent and head; the caller's */
    int32_t most;           /* DD_SOFT_ONE for each word that counts; loss = most - best */
    dd_ticker *ticker;      /* NULL: it is not cancelled */
    dd_soft_spans spans;
    int32_t *rows; /* of one configuration */
    dd_max_tree tree;
    int32_t *own_weights; /* of dd_soft_begin_gold */
    dd_config next;
    size_t rows_capacity, weights_capacity;
} dd_soft; /* {0} is valid */

void dd_soft_free(dd_soft *soft);
/* A new sentence of at most DD_SOFT_MAX_WORDS words, all of which count. */
void dd_soft_begin(dd_soft *soft, const int32_t *weights, int n);
/* The same with the arcs of one tree, whole or partial: their weight is DD_SOFT_ONE, that of all
 * others 0. Words whose head is not known do not count. False if allocation fails. */
bool dd_soft_begin_gold(dd_soft *soft, const dd_gold *gold);
/* The same with the arcs of gold->soft, all others being worth nothing. All words count, so losses
 * are only to be compared with each other. */
bool dd_soft_begin_arcs(dd_soft *soft, const dd_gold *gold);
/* The loss after each move and, if wanted, of the configuration itself, in units of 1 /
 * DD_SOFT_ONE. The system must have `best`. False if allocation fails or the ticker is cancelled.
 */
bool dd_soft_losses(const dd_system *system, dd_soft *soft, const dd_config *config,
                    const dd_move *moves, int n_moves, int32_t *losses);
bool dd_soft_loss(const dd_system *system, dd_soft *soft, const dd_config *config, int32_t *loss);

static inline int32_t dd_soft_weight(const dd_soft *soft, int head, int dependent)
{
    return soft->weights[(size_t)dependent * ((size_t)soft->n + 1) + (size_t)head];
}

static inline int32_t dd_soft_larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* ---- for systems (soft_spans.c) -------------------------------------------------------------- */

/* Fills the spans if that has not been done for this sentence. */
bool dd_soft_fill_spans(dd_soft *soft);
/* Makes room for that many numbers in `rows`. */
bool dd_soft_reserve(dd_soft *soft, size_t rows);
/* The largest sum of two numbers at the same place, at least DD_SOFT_NEVER. */
int32_t dd_soft_best_sum(const int32_t *a, const int32_t *b, int count);
/* The weights of the arcs of all words that are neither in the buffer nor on the stack. */
int32_t dd_soft_settled(const dd_soft *soft, const dd_config *config);
/* The best tree of the words first..n with one root, which hangs from 0. */
int32_t dd_soft_one_root(const dd_soft *soft, int first);

static inline const int32_t *dd_soft_row(const dd_soft *soft, const int32_t *table, int row)
{
    return table + (size_t)row * soft->spans.width;
}

#endif
