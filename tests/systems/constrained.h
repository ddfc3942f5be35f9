/* constrained.h - sentences with constraints for tests */
#ifndef DODONA_TESTS_CONSTRAINED_H
#define DODONA_TESTS_CONSTRAINED_H

#include "constraints/constraints.h"
#include "core/random.h"

/* A sentence whose words do not matter, and what holds for it. */
typedef struct constrained {
    dd_inventory inventory; /* labels a and b, and root for the root */
    bool single_root;
    dd_sentence *sentence;
    dd_constraints constraints;
    dd_error error;
} constrained;

void constrained_begin(constrained *s, const dd_system *system, bool single_root);
void constrained_end(constrained *s);
/* n words, no constraints. */
void constrained_words(constrained *s, int n);
/* Adds constraints: "arc 2 _ 1; span 3 4 none; not-arc 0 1; leaf 2". */
void constrained_add(constrained *s, const char *texts);
/* Checks them all; the status of dd_constraints_set. */
dd_status constrained_set(constrained *s);
/* All of them, as constrained_add takes them. */
const char *constrained_text(const constrained *s, char *room, size_t size);

/* The slow, obvious meaning of the sentence's constraints. */
bool constrained_satisfied(const constrained *s, const int32_t *heads);

/* Adds what holds in the tree: each arc with probability arcs / 8, and not-arcs as many as said,
 * which it does not have. */
void constrained_draw_arcs(constrained *s, dd_random *random, const int32_t *heads, int arcs,
                           int forbidden);
/* Each word that has no dependents in the tree with probability share / 8. */
void constrained_draw_leaves(constrained *s, dd_random *random, const int32_t *heads, int share);
/* Cuts words 1..n at random places and adds some of the pieces as spans that are one subtree in the
 * tree, in a mode that it satisfies. */
void constrained_draw_spans(constrained *s, dd_random *random, const int32_t *heads);

#endif
