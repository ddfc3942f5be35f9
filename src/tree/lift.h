/* lift.h - pseudo-projective parsing (Nivre and Nilsson 2005): arcs that cross are lifted until the
 * tree is projective, the labels say how, and after parsing the arcs are put back
 *
 *     gold tree -> dd_lift -> projective tree, marks -> dd_lift_label -> labels to train with
 *     parsed tree -> dd_unlift_apply -> tree, plain labels
 *
 * A label of a lifted tree has one to three parts, separated by tabs, which no DEPREL can hold:
 *
 *     nmod              an arc as it was
 *     nmod \t ^ \t obj  lifted; before, its head was one with the label obj (schemes with heads)
 *     nmod \t ^         lifted (scheme path)
 *     obj \t v          not lifted, but some other arc was lifted along it (schemes with paths)
 *     nmod \t ^v \t obj both */
#ifndef DODONA_TREE_LIFT_H
#define DODONA_TREE_LIFT_H

#include "core/strings.h"
#include "tree/tree.h"

typedef enum dd_pseudo_projective {
    DD_PSEUDO_PROJECTIVE_NONE = 0,
    DD_PSEUDO_PROJECTIVE_HEAD,      /* a lifted arc tells the label of its former head */
    DD_PSEUDO_PROJECTIVE_PATH,      /* lifted arcs and the arcs that they passed are marked */
    DD_PSEUDO_PROJECTIVE_HEAD_PATH, /* both */
} dd_pseudo_projective;

enum { DD_LIFTED = 1, DD_ON_PATH = 2 };

/* Makes the tree projective: the shortest non-projective arc (the leftmost of equals) is moved one
 * step up, again and again. Adds to marks[1..n] which words were lifted and which ones' arcs they
 * were lifted along. One root stays one root: all words descend from it, so no arc from it is ever
 * non-projective. False if allocation fails. */
bool dd_lift(dd_tree_space *space, int32_t *heads, int n, uint8_t *marks);

/* Replaces what `out` holds by the label of a word in the lifted tree; `head` is the label of the
 * head that it had before. False if allocation fails. */
bool dd_lift_label(dd_buffer *out, dd_pseudo_projective scheme, dd_text label, int marks,
                   dd_text head);

/* "none", "head", "path" or "head+path"; -1 if it is none of them. */
const char *dd_pseudo_projective_name(dd_pseudo_projective scheme);
int dd_pseudo_projective_find(dd_text name);

/* What a label of a lifted tree says. */
typedef struct dd_lift_code {
    int32_t label; /* in dd_unlift.names */
    int32_t head;  /* label of the former head, -1: not told */
    int marks;
} dd_lift_code;

typedef struct dd_unlift {
    dd_pseudo_projective scheme;
    dd_vocab names;      /* the plain labels */
    dd_lift_code *codes; /* [labels] */
} dd_unlift;             /* {0} is valid and does nothing */

void dd_unlift_free(dd_unlift *unlift);
/* Takes every label of a lifted treebank apart. False if allocation fails. */
bool dd_unlift_set(dd_unlift *unlift, dd_pseudo_projective scheme, const dd_vocab *labels);
/* Puts lifted arcs back, as far as their heads are found, and makes labels[1..n] numbers in
 * `names`. A tree stays a tree, and its roots stay its only ones. False if allocation fails. */
bool dd_unlift_apply(const dd_unlift *unlift, dd_tree_space *space, int32_t *heads, int32_t *labels,
                     int n);

#endif
