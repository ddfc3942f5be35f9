/* projective.h - constraints in systems that build projective trees: the parts of their guards
 *
 * Used by arc-standard, lr-spine, arc-hybrid and arc-eager-nm, each of which has a dd_horizon.
 *
 * The trees that these systems can reach from a configuration are the projective ones in which
 * every arc is built or still open (as their losses tell), with one condition more in arc-standard
 * and lr-spine: of the trees on the stack each must get an arc to something on its right, except
 * the topmost one and that of 0. A tree stays in second place until it and what is above it become
 * one tree, and words from the buffer can only join what is above it. In arc-standard the arc is
 * then between the two roots; so a word on the stack that takes the tree on its left must have the
 * top of the stack below it.
 *
 * So a move is allowed if a witness is such a tree for the configuration after it, or if the chart
 * finds a new one; the chart finds one if there is one. This is exact for all constraints. */
#ifndef DODONA_CONSTRAINTS_PROJECTIVE_H
#define DODONA_CONSTRAINTS_PROJECTIVE_H

#include "constraints/outlook.h"
#include "core/bits.h"

/* ---- the chart ------------------------------------------------------------------------------ */

/* A projective tree that satisfies the constraints and has the heads that are settled.
 *
 * Eisner's chart (1996) with truth values for scores, over the nodes that can still take part in an
 * arc:
 *
 *     right[u] has v:  u with all its dependents to the right covers the nodes from u to v
 *     left[v] has u:   v with all its dependents to the left covers the nodes from u to v
 *
 * As in arc-eager's automaton (arc_eager.h), a control is a word together with the place of its
 * span's root, so that each arc can be judged by itself; controls that stand side by side must
 * agree. Rows are sets of controls, which makes it O(n^3 / 64). */

typedef struct dd_chart dd_chart;

/* What to find a tree for. The settled heads have passed dd_outlook_judge. Arrays by word hold for
 * `words`. */
typedef struct dd_chart_task {
    const dd_outlook *outlook;
    const int32_t *words; /* [n_words] that can take part in an arc, by position */
    int n_words;
    const int32_t *settled; /* [n + 1] the head that a word must get, of `words` or 0; DD_NONE */
    /* [n + 1] The tree below this word must get an arc to a node to its right, either way; the last
     * of `words` in that tree now. DD_NONE: it need not. */
    const int32_t *ends;
    /* If such a word takes dependents on its left, all words up to this one must be below it; or
     * DD_NONE. */
    int reach;
    /* Whether the system can still build the arc, into a word whose head is open. */
    bool (*open)(const void *context, int head, int dependent);
    const void *context;
} dd_chart_task;

/* NULL if allocation fails. */
dd_chart *dd_chart_new(void);
void dd_chart_free(dd_chart *chart);
/* Fills heads[1..n] if there is a tree: those of `words`, and of others as they are settled. False
 * also if that takes more memory or more effort than there is, as the effort tells. */
bool dd_chart_find(dd_chart *chart, const dd_chart_task *task, int32_t *heads);

/* ---- folding -------------------------------------------------------------------------------- */

/* Words that no constraint distinguishes are folded into few words, so that the chart is small.
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

/* ---- the guard ------------------------------------------------------------------------------ */

/* For dd_guard: the functions of a system whose guard has a horizon. */
bool dd_projective_prepare(dd_constraints *constraints);
void dd_projective_release(void *tables);
bool dd_projective_possible(const dd_constraints *constraints, const dd_config *config);
bool dd_projective_allows(const dd_constraints *constraints, const dd_config *config, dd_move move);

/* The fields of such a guard besides its horizon and its rule for leaves. */
#define DD_PROJECTIVE_GUARD                                                                        \
    .projective = true, .prepare = dd_projective_prepare, .release = dd_projective_release,        \
    .possible = dd_projective_possible, .allows = dd_projective_allows

/* What of a configuration a system can still change. */
typedef struct dd_horizon {
    bool links;  /* trees on the stack need an arc to their right, as above */
    bool spines; /* all nodes on the spines of these trees can take dependents */
    bool (*settled)(const dd_config *config, int word);
    /* For a word that is not settled; rank: [n + 1] place on the stack, DD_NONE: not on it. */
    bool (*open)(const dd_config *config, const int32_t *rank, int head, int dependent);
} dd_horizon;

/* dd_horizon.settled of systems in which a head is final. */
bool dd_projective_is_settled(const dd_config *config, int word);

/* A configuration, and what is needed to find a tree for it. */
struct dd_projection {
    const dd_horizon *horizon;
    const dd_config *config;
    dd_outlook outlook;
    dd_fold fold;
    bool whole; /* for tests: nothing is folded */
    dd_chart *chart;
    int32_t *rank;  /* [n + 1] */
    int32_t *words; /* [n_words] for the chart, and so are the ends */
    int n_words;
    int32_t *ends;  /* [n + 1] of these words */
    int32_t *links; /* [n + 1] of words on the stack, see projective.c */
    size_t rank_capacity, words_capacity, ends_capacity, links_capacity;
}; /* {0} is valid */

bool dd_projection_reset(dd_projection *projection, const dd_horizon *horizon,
                         dd_constraints *constraints);
void dd_projection_free(dd_projection *projection);
/* Looks at a configuration. */
void dd_projection_set(dd_projection *projection, const dd_config *config);
/* Whether a projective tree can still be reached. */
bool dd_projection_reaches(dd_projection *projection, const int32_t *heads);
/* A tree that can be reached and satisfies the constraints: fills heads[1..n], if there is one. */
bool dd_projection_find(dd_projection *projection, int32_t *heads);

#endif
