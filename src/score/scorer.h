/* scorer.h - the interface between configurations and whatever scores their transitions
 *
 *     sections of a model file -> map -> frozen weights, shared by threads
 *     sentences -> prepare -> views of configurations -> score -> scores, in one thread's space
 *
 * Code outside the scorers' own folders does not depend on which scorer is used; score/learner.h
 * has the other half, for training. Scores are whole numbers, in units of the scorer, so that sums
 * do not depend on their order: the same model gives the same tree on every machine, in every batch
 * and in every thread. */
#ifndef DODONA_SCORE_SCORER_H
#define DODONA_SCORE_SCORER_H

#include "core/sections.h"
#include "kernels/kernels.h"
#include "text/sentence.h"
#include "transition/inventory.h"

/* A configuration, what can be done in it, and room for scores of that. */
typedef struct dd_view {
    int sentence; /* its number in the batch that was prepared last */
    const dd_config *config;
    int n_moves;
    dd_move *moves;     /* [n_moves] permissible here */
    dd_candidate *arcs; /* [n_moves] the arc that each builds */
    /* [1 or 1 + n_moves][classes] what the configuration says of each class; with by_move then what
     * it says of each move's classes, other classes of which need not hold. NULL, only for
     * learners: the view is to be remembered, not scored. */
    int32_t *scores;
    bool by_move;
    /* Only the best class of all is asked for, with its lead: where it is clear that a move's
     * classes do not win, all may have the score of the best of them. */
    bool best_only;
} dd_view;

/* A class, and the move that it is chosen for: its number in the view; DD_NONE: as the
 * configuration scores it, whatever the move. */
typedef struct dd_pick {
    int class_id, move;
} dd_pick;

typedef struct dd_scorer {
    const char *name; /* kept in the model file */
    bool batches;     /* it scores sentences faster together */

    /* Weights in mapped sections, which must outlive them, as must the inventory. Columns of words
     * whose bit is not in `columns` count as `_`. */
    dd_status (*map)(void **out, const dd_sections *sections, const dd_inventory *inventory,
                     uint32_t columns, dd_error *error);
    void (*unmap)(void *frozen);
    /* What a score of 1 is worth. */
    double (*unit)(const void *frozen);
    /* Whether moves of one kind can differ in their scores, so that views need by_move. */
    bool (*by_move)(const void *frozen);

    /* What one thread needs; the frozen weights must outlive it. */
    dd_status (*space_new)(void **out, const void *frozen, dd_error *error);
    void (*space_free)(void *space);
    /* The sentences that the next views are of. False: allocation failed. */
    bool (*prepare)(void *space, const dd_sentence *const *sentences, size_t count);
    /* False: allocation failed. */
    bool (*score)(void *space, dd_view *const *views, int count);

    /* For tests and benchmarks: scores with these kernels. The scores are the same. */
    void (*choose_kernels)(void *frozen, const dd_kernels *kernels);
} dd_scorer;

/* Among those of score/scorers.c; NULL if there is none of that name. */
const dd_scorer *dd_scorer_find(dd_text name);

/* The row of a view's scores that a move's classes are found in. */
static inline int32_t *dd_view_row(const dd_view *view, int move, int classes)
{
    return view->by_move ? view->scores + (size_t)(1 + move) * (size_t)classes : view->scores;
}

/* The head that a move's arc takes the place of; DD_NONE: it replaces no arc. */
static inline int dd_view_old_head(const dd_view *view, int move)
{
    int dependent = view->arcs[move].dependent;
    return dependent == DD_NONE ? DD_NONE : view->config->nodes[dependent].head;
}

#endif
