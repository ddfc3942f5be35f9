/* projective.h - constraints in systems that build projective trees: the parts of their guards
 *
 * Used by arc-standard, lr-spine, arc-hybrid and arc-eager-nm, each of which has a dd_horizon.
 *
 * The trees that these systems can reach from a configuration are the projective ones in which
 * every arc is built or still open (as their losses tell), with one condition more in arc-standard
 * and lr-spine: of the trees on the stack each must get an arc to something on its right, except
 * the topmost one and that of 0. For a tree is left at the second place until it and what is above
 * it become one, and what comes from the buffer can only join what is above it. In arc-standard it
 * is then taken by, or takes, the root of all that; so a word on the stack that takes the tree on
 * its left must have the top of the stack below it.
 *
 * So a move is allowed if a witness is such a tree of the configuration behind it, or if the chart
 * finds a new one; the chart finds one if there is one. This is exact for all constraints. */
#ifndef DODONA_CONSTRAINTS_PROJECTIVE_H
#define DODONA_CONSTRAINTS_PROJECTIVE_H

#include "constraints/chart.h"
#include "constraints/fold.h"
#include "constraints/witness.h"

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

/* dd_horizon.settled where a head is for good. */
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
    int32_t *links; /* [n + 1] of words on the stack, see projection.c */
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
