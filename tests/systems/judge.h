/* judge.h - the slow, obvious loss: exhaustive search over every way to go on
 *
 * Results are remembered by the stack, the buffer, the focus and which nodes on the stack have a
 * head, as the future of a system with plain rules depends on nothing else. For a system without a
 * stack, or one that replaces the rules, all heads are part of the key, or those of all nodes on
 * spines if its moves are numbered along these. Words without a head at the end depend on 0. */
#ifndef DODONA_TESTS_JUDGE_H
#define DODONA_TESTS_JUDGE_H

#include "core/random.h"
#include "transition/system.h"

enum { JUDGE_MAX_N = 12, JUDGE_MAX_MOVES = 64, JUDGE_MAX_PAIRS = 10 };

typedef struct judge judge;

judge *judge_new(const dd_system *system);
void judge_free(judge *j);
/* Forgets everything: the gold tree has changed. */
void judge_reset(judge *j, const dd_gold *gold);
/* The smallest number of wrong heads in any tree that can still be reached, or, where gold arcs
 * have weights, the smallest weight of those that it lacks. Aborts where the system
 * is stuck or ends in something that is not a tree. */
int judge_loss(judge *j, const dd_config *config);
/* A system without a stack branches at every pair of words: whether few enough pairs are left. */
bool judge_affords(const judge *j, const dd_config *config);

/* ---- gold trees ---- */

/* The index-th of all (n+1)^n head arrays; false if it is not a tree. */
bool tree_by_index(int32_t *heads, int n, uint64_t index);
/* A random projective tree; with several_roots 0 may get more than one dependent. */
void random_projective_tree(dd_random *random, int32_t *heads, int n, bool several_roots);
/* Any tree of up to RANDOM_TREE_MAX_N words, mostly non-projective. */
enum { RANDOM_TREE_MAX_N = 64 };
void random_tree(dd_random *random, int32_t *heads, int n, bool several_roots);

/* The index-th of all (n+2)^n arrays of heads from -1 to n; false if no tree has these heads. */
uint64_t partial_indices(int n);
bool partial_by_index(int32_t *heads, int n, uint64_t index);
/* Makes each head unknown with the chance of one in two, or four, or three in four. */
void forget_heads(dd_random *random, int32_t *heads, int n);

#endif
