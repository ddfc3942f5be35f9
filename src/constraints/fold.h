/* fold.h - words that nothing tells apart, folded into few, so that the chart is small
 *
 * Constraints mostly name few words. A word that none names is plain. In a run of plain words that
 * stand side by side, on the stack or in the buffer, and in the same span or none, any may have
 * what another has. So one word stands for the whole run, or some more where a condition on the
 * stack needs them:
 *
 *     stack  [ .. a a a b ]   buffer [ c c c D c c ]      a, b, c plain, D not
 *     chart    .. a     b              c     D c
 *
 * From a tree to one of the folded words: the run gets the head of its highest word, whose
 * ancestors are not in the run, so there is no cycle; no arcs cross that did not before, and no
 * span gets a second head outside. What is lost are other arcs into the run. That does no harm
 * where only the heads of words count (arc-hybrid, arc-eager-nm). In arc-standard and lr-spine a
 * tree on the stack may lose its only arc to the right by it, and in arc-standard a word that takes
 * what is on its left may lose the top of the stack from below it. Of a run the words below such a
 * tree come first, so one word more for each such tree is enough to keep them apart. Only trees
 * that are not plain count: if s is plain and p -> s -> w with w in the run, then p -> w -> s will
 * do as well, and where the top of the stack must stay below s, s can take w and all of the run
 * that p has.
 *
 * From a tree of folded words to a whole one: in the buffer the other words of a run depend on the
 * one that stands for it. On the stack each depends on the one before it, or, if that leaves the
 * last of them without an arc to its right, all get the head of the run. These need not be in one
 * span, so where arcs to the right are needed words in spans are not folded on the stack; elsewhere
 * not those in spans of mode root, where the root alone has dependents outside.
 *
 * The nodes of a spine (lr-spine) are linked by arcs that stay: neighbours become one without loss,
 * and the outermost takes what is outside. */
#ifndef DODONA_CONSTRAINTS_FOLD_H
#define DODONA_CONSTRAINTS_FOLD_H

#include "constraints/outlook.h"

/* Trees on the stack for which the root of the last one stands. */
typedef struct dd_fold_run {
    int first, last; /* places on the stack */
} dd_fold_run;

/* Words of the buffer for which another stands, which becomes their head. */
typedef struct dd_fold_rest {
    int head, first, last;
} dd_fold_rest;

typedef struct dd_fold {
    bool *plain;      /* [n + 1] by the constraints alone, spans aside */
    int32_t *stands;  /* [n + 1] for a node on a spine: the word that stands for it */
    int32_t *left;    /* [n + 1] what takes dependents on the left of what a word stands for */
    int32_t *right;   /* [n + 1] the same on the right */
    int32_t *settled; /* [n + 1] as in dd_outlook, of listed words and among them */
    int32_t *rank;    /* [n + 1] of listed words on the folded stack */
    dd_fold_run *runs;
    dd_fold_rest *rests;
    int n_runs, n_rests;
    int n_named;      /* trees on the stack that are not plain */
    int32_t *numbers; /* holds the arrays of numbers */
    size_t plain_capacity, numbers_capacity, runs_capacity, rests_capacity;
} dd_fold; /* {0} is valid */

void dd_fold_free(dd_fold *fold);
/* Looks at the constraints. False if allocation fails. */
bool dd_fold_reset(dd_fold *fold, const dd_constraints *constraints);

typedef struct dd_projection dd_projection;
/* Lists words for the chart, with their `ends`; the outlook is judged. */
void dd_fold_list(dd_projection *projection);
/* Makes a tree of the words that were listed a tree of all. */
void dd_fold_open(dd_projection *projection, int32_t *heads);

#endif
