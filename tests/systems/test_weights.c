/* Losses and costs of gold trees whose arcs have weights, in every system that weighs them, against
 * exhaustive search: all configurations of all trees up to n = 4 with random weights, then random
 * walks through longer trees, whole and partial. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "arena.h"
#include "systems/registry.h"

static void draw_weights(arena *a, dd_random *random, int32_t *weights)
{
    for (int word = 1; word <= a->gold.n; word++)
        weights[word] = 1 + (int32_t)dd_random_below(random, DD_WHOLE_WEIGHT);
    a->gold.weights = weights;
}

static void next_tree(arena *a, dd_random *random, int t)
{
    int32_t heads[JUDGE_MAX_N + 1];
    int n = 5 + (int)dd_random_below(random, (uint32_t)(arena_longest(a) - 4));
    random_projective_tree(random, heads, n, !a->single_root && t % 3 == 0);
    if (t % 2) forget_heads(random, heads, n);
    assert_true(arena_take(a, heads, n));
}

static void check_system(arena *a)
{
    int32_t heads[JUDGE_MAX_N + 1], weights[JUDGE_MAX_N + 1] = {0};
    dd_random random = {11};
    for (int n = 1; n <= 4; n++)
        for (uint64_t index = 0; index < partial_indices(n); index++) {
            if (!partial_by_index(heads, n, index) || !arena_take(a, heads, n)) continue;
            draw_weights(a, &random, weights);
            arena_visit_all(a);
        }
    for (int t = 0; a->configurations < arena_configurations_wanted(); t++) {
        next_tree(a, &random, t);
        draw_weights(a, &random, weights);
        for (int i = 0; i < 10; i++) arena_random_walk(a, &random);
    }
}

static void weighted_costs_are_exact(const dd_system *system, bool single_root)
{
    arena a;
    if (!system->oracle.weighs_arcs) return;
    arena_begin(&a, system, single_root);
    check_system(&a);
    arena_end(&a);
}

static void any_roots(void **state)
{
    weighted_costs_are_exact(*state, false);
}

/* ---- arc-eager under the single-root rule: an upper bound, by one arc at most ---- */

static void check_bound(arena *a, const dd_config *c, bool *above)
{
    int loss, want = judge_loss(a->judge, c);
    assert_true(a->system->oracle.loss(&a->space, c, &a->gold, &loss));
    if (loss < want || loss >= want + DD_WHOLE_WEIGHT) arena_complain(a, c, "bound", loss, want);
    *above = *above || loss > want;
    a->configurations++;
}

static void walk_within_bounds(arena *a, dd_random *random, bool *above)
{
    dd_config c = {0};
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves;
    assert_true(dd_system_begin(a->system, &c, a->gold.n, a->single_root));
    while ((n_moves = dd_system_permissible(a->system, &c, moves)) > 0) {
        check_bound(a, &c, above);
        int m = (int)dd_random_below(random, (uint32_t)n_moves);
        dd_system_apply(a->system, &c, moves[m], 0);
    }
    dd_config_free(&c);
}

static void check_bounds(const dd_system *system)
{
    arena a;
    int32_t weights[JUDGE_MAX_N + 1] = {0};
    dd_random random = {7};
    bool above = false;
    arena_begin(&a, system, true);
    for (int t = 0; a.configurations < arena_configurations_wanted(); t++) {
        next_tree(&a, &random, t);
        draw_weights(&a, &random, weights);
        for (int i = 0; i < 10; i++) walk_within_bounds(&a, &random, &above);
    }
    assert_true(above);
    arena_end(&a);
}

static void single_root(void **state)
{
    if (*state == &dd_arc_eager)
        check_bounds(&dd_arc_eager);
    else
        weighted_costs_are_exact(*state, true);
}

int main(int argc, char **argv)
{
    return arena_run_tests("weights", any_roots, single_root, argc, argv);
}
