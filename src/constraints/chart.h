/* chart.h - a projective tree that satisfies the constraints and has the heads that are settled
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
#ifndef DODONA_CONSTRAINTS_CHART_H
#define DODONA_CONSTRAINTS_CHART_H

#include "constraints/outlook.h"
#include "core/bits.h"

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

#endif
