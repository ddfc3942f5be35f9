/* covington_nm_exact.h - the loss of the non-monotonic Covington parser by exhaustive search,
 * pruned with bounds (nonmonotonic-covington-2017, section 5). Slow: for analysis, not for
 * training.
 *
 * For each loss from the lower bound on, a search for a way to that loss: configurations whose
 * lower bound is greater are left out, those whose upper bound is not greater end the search, and
 * those from which it failed before are remembered. SH is tried only when there is no left focus
 * word; NA gets there with the same arcs. */
#ifndef DODONA_SYSTEMS_COVINGTON_NM_EXACT_H
#define DODONA_SYSTEMS_COVINGTON_NM_EXACT_H

#include "systems/covington_nm/covington_nm_loss.h"

/* Configurations that dd_nm_exact_loss looks at before it gives up and says the upper bound. */
enum { DD_NM_EXACT_LIMIT = 1 << 20 };

typedef struct dd_nm_exact {
    int loss;
    bool proved;      /* false: the limit was reached, and this is the closest upper bound */
    uint32_t visited; /* configurations looked at */
} dd_nm_exact;

typedef struct dd_nm_search {
    uint32_t limit; /* configurations to look at */
    bool
        trust_lower; /* take |U| for a lower bound, as the paper does: faster, and the loss too high
                        by one where breaking a cycle would make the gold root headless again */
} dd_nm_search;

/* False if allocation fails. */
bool dd_nm_exact_search(dd_loss_space *space, const dd_nm_view *view, const dd_gold *gold,
                        dd_nm_search how, dd_nm_exact *result);
bool dd_nm_exact_loss(dd_loss_space *space, const dd_nm_view *view, const dd_gold *gold, int *loss);

#endif
