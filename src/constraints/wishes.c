/* wishes.c - leaves that are wished for, not asked for: had as far as the sentence's constraints
 * let them be. These win; a wish that they contradict is dropped. */
#include "constraints/constraints.h"
#include "constraints/leaves.h"

#include <string.h>

typedef struct wishes {
    dd_constraints *c;
    const dd_sentence *sentence;
    const dd_inventory *inventory;
    bool single_root;
    const bool *wished; /* [n + 1] */
    bool *granted;      /* [n + 1] */
} wishes;

/* Whether leaves can be had with what the sentence's constraints ask for: 1 or 0, -1 when memory is
 * out. These have passed all checks before. */
static int can_have(const wishes *w, const bool *leaves)
{
    w->c->wished = leaves;
    dd_status status = dd_constraints_build(w->c, w->sentence, w->inventory, w->single_root, NULL);
    w->c->wished = NULL;
    return status == DD_OK ? dd_constraints_satisfiable(w->c) : -1;
}

/* Grants the wishes from word to word. A word that must have dependents cannot be a leaf, which is
 * by far the most frequent contradiction. Returns how many. */
static int grant(const wishes *w, int first, int last)
{
    int count = 0;
    for (int word = first; word <= last; word++) {
        w->granted[word] = w->wished[word] && w->c->leftmost[word] == DD_NONE;
        count += w->granted[word];
    }
    return count;
}

/* Grants as many of them as can be had with what is granted already: all, or some of either half.
 * False if allocation fails. */
static bool grant_some(const wishes *w, int first, int last)
{
    if (grant(w, first, last) == 0) return true;
    int can = can_have(w, w->granted);
    if (can != 0) return can > 0;
    memset(w->granted + first, 0, (size_t)(last - first + 1) * sizeof *w->granted);
    if (first == last) return true;
    int middle = first + (last - first) / 2;
    return grant_some(w, first, middle) && grant_some(w, middle + 1, last);
}

static dd_status grant_what_can_be(const wishes *w, dd_error *error)
{
    memset(w->granted, 0, ((size_t)w->c->n + 1) * sizeof *w->granted);
    if (!grant_some(w, 1, w->c->n)) return dd_fail_unfinished(w->c->effort.ticker, error);
    dd_effort_reset(&w->c->effort);
    int can = can_have(w, w->granted);
    if (can < 0) return dd_fail_unfinished(w->c->effort.ticker, error);
    return can ? DD_OK : dd_constraints_set(w->c, w->sentence, w->inventory, w->single_root, error);
}

/* All of them at once, as mostly can be. *can as above. */
static dd_status try_all(const wishes *w, int *can, dd_error *error)
{
    const bool *leaves = w->wished;
    if (w->sentence->n_constraints > 0) {
        dd_status status =
            dd_constraints_build(w->c, w->sentence, w->inventory, w->single_root, error);
        if (status == DD_OK) status = dd_constraints_check(w->c, w->sentence, error);
        if (status != DD_OK) return status;
        grant(w, 1, w->sentence->n);
        leaves = w->granted;
    }
    dd_effort_reset(&w->c->effort);
    *can = can_have(w, leaves);
    return *can < 0 ? dd_fail_unfinished(w->c->effort.ticker, error) : DD_OK;
}

dd_status dd_constraints_set_wishing(dd_constraints *constraints, const dd_sentence *sentence,
                                     const dd_inventory *inventory, bool single_root,
                                     const bool *wished, bool *granted, dd_error *error)
{
    wishes w = {constraints, sentence, inventory, single_root, wished, granted};
    int can = 0;
    granted[0] = false;
    dd_status status = try_all(&w, &can, error);
    if (status != DD_OK || can) return status;
    status = dd_constraints_set(constraints, sentence, inventory, single_root, error);
    return status == DD_OK ? grant_what_can_be(&w, error) : status;
}
