/* Every system's losses, costs, permissibility and static oracle against exhaustive search: all
 * configurations of all trees up to n = 4 that it can build, then random walks through random
 * trees; and what the trainer is told along a derivation against the costs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "arena.h"

/* The static oracle keeps to permissible transitions of cost 0 and ends in the gold tree. */
static void check_canonical_path(arena *a)
{
    dd_config c = {0};
    assert_true(dd_system_begin(a->system, &c, a->gold.n, a->single_root));
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves, costs[JUDGE_MAX_MOVES];
    while ((n_moves = dd_system_permissible(a->system, &c, moves)) > 0) {
        arena_check(a, &c, moves, n_moves);
        assert_true(dd_system_costs(a->system, &a->space, &c, &a->gold, moves, n_moves, costs));
        dd_move canonical = a->system->oracle.canonical(&c, &a->gold);
        int chosen = -1;
        for (int m = 0; m < n_moves; m++)
            if (dd_same_move(moves[m], canonical)) chosen = m;
        if (chosen < 0)
            arena_complain(a, &c, "the static move (not permissible)", canonical.kind, 0);
        if (costs[chosen] != 0) arena_complain(a, &c, "cost of the static move", costs[chosen], 0);
        dd_system_apply(a->system, &c, moves[chosen], 0);
    }
    dd_attach_rest(&c, 0);
    for (int word = 1; word <= c.n; word++)
        assert_int_equal(c.nodes[word].head, a->gold.heads[word]);
    dd_config_free(&c);
}

static void all_small_trees(arena *a, int max_n)
{
    int32_t heads[JUDGE_MAX_N + 1];
    for (int n = 1; n <= max_n; n++) {
        uint64_t count = 1;
        for (int i = 0; i < n; i++) count *= (uint64_t)(n + 1);
        for (uint64_t index = 0; index < count; index++) {
            if (!tree_by_index(heads, n, index) || !arena_take(a, heads, n)) continue;
            check_canonical_path(a);
            arena_visit_all(a);
        }
    }
}

/* Trees of any shape where the system takes them, else projective ones, else its own. */
static void next_tree(arena *a, dd_random *random, int n, int t)
{
    int32_t heads[JUDGE_MAX_N + 1];
    bool several_roots = !a->single_root && t % 3 == 0;
    random_tree(random, heads, n, several_roots);
    if (t % 2 == 0 && arena_take(a, heads, n)) return;
    random_projective_tree(random, heads, n, several_roots);
    if (arena_take(a, heads, n)) return;
    arena_random_tree(a, random, heads, n);
    assert_true(arena_take(a, heads, n));
}

/* Until at least so many configurations were checked. */
static void random_trees(arena *a, uint64_t configurations, int max_n, int walks)
{
    dd_random random = {20140601};
    uint64_t before = a->configurations;
    for (int t = 0; a->configurations < before + configurations; t++) {
        next_tree(a, &random, 4 + t % (max_n - 3), t);
        check_canonical_path(a);
        for (int w = 0; w < walks; w++) arena_random_walk(a, &random);
        if (!a->system->oracle.loss_names) arena_guided_walk(a, &random);
    }
}

static void run(void **state, bool single_root)
{
    arena a;
    arena_begin(&a, *state, single_root);
    all_small_trees(&a, 4);
    random_trees(&a, arena_configurations_wanted(), arena_longest(&a), 16);
    arena_end(&a);
}

static void exact_as_the_papers_define_it(void **state)
{
    run(state, false);
}

static void exact_under_the_single_root_rule(void **state)
{
    run(state, true);
}

/* test_exact [SHARD SHARDS]: all systems, or every SHARDS-th from number SHARD on. */
int main(int argc, char **argv)
{
    return arena_run_tests("exact", exact_as_the_papers_define_it, exact_under_the_single_root_rule,
                           argc, argv);
}
