/* tree.h - properties of a head array: heads[1..n] in 0..n, heads[0] unused; -1 where a head is not
 * known, if the function says that it may be */
#ifndef DODONA_TREE_TREE_H
#define DODONA_TREE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum dd_tree_fault {
    DD_TREE_OK = 0,
    DD_TREE_HEAD_MISSING, /* some head is unknown (-1) */
    DD_TREE_CYCLE,        /* some word does not lead to 0 (a self-loop counts) */
    DD_TREE_NO_ROOT,      /* no word depends on 0; goes before DD_TREE_CYCLE */
    DD_TREE_NO_HEADS,     /* of a partial tree: no head is known */
} dd_tree_fault;

/* Working memory for the functions below, grown as needed; {0} is valid. */
typedef struct dd_tree_space {
    int32_t *memory;
    size_t capacity; /* int32_t */
} dd_tree_space;

void dd_tree_space_free(dd_tree_space *space);

/* Each returns false if allocation fails. */
bool dd_tree_check(dd_tree_space *space, const int32_t *heads, int n, dd_tree_fault *fault,
                   int *word /* the first without head, or one on a cycle, or 0 */);
/* The same for a partial tree: no fault if at least one head is known and some tree has the known
 * heads. */
bool dd_tree_check_partial(dd_tree_space *space, const int32_t *heads, int n, dd_tree_fault *fault,
                           int *word /* one on a cycle, or 0 */);
/* Whether some projective tree has the known heads, which must be part of a tree. If so, one with a
 * single root has them too unless two roots are known. */
bool dd_tree_partial_is_projective(dd_tree_space *space, const int32_t *heads, int n,
                                   bool *projective);
/* An arc h->d is non-projective when some word strictly between is not a descendant of h; arcs from
 * 0 always count as projective. The heads must be a valid tree. */
bool dd_tree_nonprojective_arcs(dd_tree_space *space, const int32_t *heads, int n, int *arcs);
/* The same, and tells which: marks[d] for h->d, [n + 1]. */
bool dd_tree_mark_nonprojective(dd_tree_space *space, const int32_t *heads, int n, bool *marks,
                                int *arcs);
/* The largest number of gaps in the yield of any word (Kuhlmann and Nivre 2006). */
bool dd_tree_gap_degree(dd_tree_space *space, const int32_t *heads, int n, int *degree);

int dd_tree_roots(const int32_t *heads, int n);
int dd_tree_unknown(const int32_t *heads, int n); /* heads that are not known */
const char *dd_tree_fault_text(dd_tree_fault fault);

#endif
