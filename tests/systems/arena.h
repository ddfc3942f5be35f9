/* arena.h - a system under one rule, a gold tree and the judge: what is checked in a configuration,
 * and ways to come to configurations. Failed checks end the test. */
#ifndef DODONA_TESTS_ARENA_H
#define DODONA_TESTS_ARENA_H

#include "judge.h"
#include "transition/oracle.h"

typedef struct arena {
    const dd_system *system;
    bool single_root;
    judge *judge;
    dd_gold gold;
    dd_loss_space space;
    uint64_t configurations;
} arena;

void arena_begin(arena *a, const dd_system *system, bool single_root);
void arena_end(arena *a);
/* Makes the tree, of which some heads may be unknown, the current gold tree; false if the system
 * cannot build it under the rule. */
bool arena_take(arena *a, const int32_t *heads, int n);
void arena_complain(const arena *a, const dd_config *c, const char *what, int got, int want);
/* The loss and the cost of each permissible move against exhaustive search. */
void arena_check(arena *a, const dd_config *c, const dd_move *moves, int n_moves);
/* Every configuration that can be reached. */
void arena_visit_all(arena *a);
void arena_random_walk(arena *a, dd_random *random);
/* The tree that random moves lead to. */
void arena_random_tree(const arena *a, dd_random *random, int32_t *heads, int n);
/* What the trainer is told along a derivation against the costs. */
void arena_guided_walk(arena *a, dd_random *random);

/* 100,000 for each system and rule; under a sanitizer, where memory is at stake and not the
 * numbers, fewer will do. */
uint64_t arena_configurations_wanted(void);
/* How many words random trees may have: the judge has much to remember where all heads are part of
 * its key. */
int arena_longest(const arena *a);

/* The systems of a share, each without and with the single-root rule, as tests; SHARD SHARDS are
 * the program's arguments. */
int arena_run_tests(const char *group, void (*any_roots)(void **), void (*single_root)(void **),
                    int argc, char **argv);

#endif
