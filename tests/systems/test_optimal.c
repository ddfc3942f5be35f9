/* The optimal derivations of a gold tree against enumeration without any oracle: every derivation
 * of each system up to n = 5, by the tree in which it ends; then random trees, where exhaustive
 * search says what loses nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arena.h"
#include "systems/registry.h"
#include "transition/optimal.h"

enum { MAX_N = 5, MAX_TREES = 6 * 6 * 6 * 6 * 6, LISTED_N = 4 };

static uint64_t trees_of(int n)
{
    uint64_t count = 1;
    for (int i = 0; i < n; i++) count *= (uint64_t)(n + 1);
    return count;
}

/* As tree_by_index counts them; headless words depend on 0. */
static uint64_t index_of(const dd_config *c)
{
    uint64_t index = 0;
    for (int word = c->n; word > 0; word--)
        index = index * (uint64_t)(c->n + 1) +
                (uint64_t)(c->nodes[word].head > 0 ? c->nodes[word].head : 0);
    return index;
}

static void enumerate(const dd_system *system, const dd_config *c, uint64_t *ending_in)
{
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves = dd_system_permissible(system, c, moves);
    if (n_moves == 0) ending_in[index_of(c)]++;
    dd_config next = {0};
    for (int m = 0; m < n_moves; m++) {
        assert_true(dd_config_copy(&next, c));
        dd_system_apply(system, &next, moves[m], 0);
        enumerate(system, &next, ending_in);
    }
    dd_config_free(&next);
}

static void enumerate_all(const arena *a, int n, uint64_t *ending_in)
{
    dd_config c = {0};
    memset(ending_in, 0, MAX_TREES * sizeof *ending_in);
    assert_true(dd_system_begin(a->system, &c, n, a->single_root));
    enumerate(a->system, &c, ending_in);
    dd_config_free(&c);
}

/* Derivations that end in a tree with the known heads. */
static uint64_t sum_over_trees(const int32_t *known, int n, const uint64_t *ending_in)
{
    uint64_t sum = 0;
    int32_t heads[MAX_N + 1];
    for (uint64_t index = 0; index < trees_of(n); index++) {
        if (ending_in[index] == 0) continue;
        bool same = tree_by_index(heads, n, index);
        for (int word = 1; word <= n; word++)
            same = same && (known[word] < 0 || known[word] == heads[word]);
        if (same) sum += ending_in[index];
    }
    return sum;
}

typedef struct listed {
    const arena *arena;
    uint64_t count, limit;
    dd_optimal_step before[JUDGE_MAX_N * JUDGE_MAX_N];
    size_t n_before;
} listed;

/* Each is permissible, differs from the one before, and ends in the gold tree. */
static bool follow(void *user, const dd_optimal_step *steps, size_t n_steps)
{
    listed *list = user;
    const arena *a = list->arena;
    dd_config c = {0};
    dd_move moves[JUDGE_MAX_MOVES];
    bool same = list->count > 0 && n_steps == list->n_before;
    assert_true(dd_system_begin(a->system, &c, a->gold.n, a->single_root));
    for (size_t i = 0; i < n_steps; i++) {
        int n_moves = dd_system_permissible(a->system, &c, moves), m = 0;
        while (m < n_moves && !dd_same_move(moves[m], steps[i].move)) m++;
        assert_true(m < n_moves);
        same = same && dd_same_move(steps[i].move, list->before[i].move);
        dd_system_apply(a->system, &c, moves[m], 0);
    }
    assert_false(same);
    assert_true(a->system->final(&c));
    dd_attach_rest(&c, 0);
    assert_int_equal(dd_wrong_arcs(&c, &a->gold), 0);
    dd_config_free(&c);
    memcpy(list->before, steps, n_steps * sizeof *steps);
    list->n_before = n_steps;
    return ++list->count < list->limit;
}

static void check_list(const arena *a, dd_optimal *optimal, uint64_t want)
{
    listed list = {.arena = a, .limit = UINT64_MAX};
    assert_true(dd_optimal_take(optimal, a->system, &a->gold, a->single_root));
    assert_int_equal(dd_optimal_list(optimal, follow, &list), DD_OPTIMAL_DONE);
    assert_int_equal(list.count, want);
    if (want == 1) return;
    list = (listed){.arena = a, .limit = 1};
    assert_true(dd_optimal_take(optimal, a->system, &a->gold, a->single_root));
    assert_int_equal(dd_optimal_list(optimal, follow, &list), DD_OPTIMAL_STOPPED);
}

static void check_count(const arena *a, dd_optimal *optimal, uint64_t want)
{
    char *digits = NULL;
    assert_true(dd_optimal_take(optimal, a->system, &a->gold, a->single_root));
    assert_int_equal(dd_optimal_count(optimal, &digits), DD_OPTIMAL_DONE);
    if (strtoull(digits, NULL, 10) != want) {
        print_error("%s%s: %s derivations, by enumeration %llu; gold", a->system->name,
                    a->single_root ? " (single root)" : "", digits, (unsigned long long)want);
        for (int word = 1; word <= a->gold.n; word++) print_error(" %d", a->gold.heads[word]);
        print_error("\n");
        fail();
    }
    free(digits);
}

/* Every tree, complete or partial, of n words; of covington-nm, where an exact loss takes long, a
 * share of the longest partial ones. */
static uint64_t all_trees(arena *a, dd_optimal *optimal, int n, const uint64_t *ending_in)
{
    uint64_t checked = 0;
    int32_t heads[MAX_N + 1];
    for (uint64_t index = 0; index < partial_indices(n); index++) {
        if (!partial_by_index(heads, n, index)) continue;
        bool whole = true;
        for (int word = 1; word <= n; word++) whole = whole && heads[word] >= 0;
        if (!whole && n == MAX_N && a->system->oracle.loss_names && index % 17 != 0) continue;
        if (!arena_take(a, heads, n)) continue;
        uint64_t want = sum_over_trees(heads, n, ending_in);
        assert_true(want > 0);
        check_count(a, optimal, want);
        if (whole && n <= LISTED_N) check_list(a, optimal, want);
        checked++;
    }
    return checked;
}

/* Counts one by one, by exhaustive search. */
static uint64_t count_slowly(const arena *a, const dd_config *c)
{
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves = dd_system_permissible(a->system, c, moves);
    uint64_t count = n_moves == 0;
    dd_config next = {0};
    for (int m = 0; m < n_moves; m++) {
        assert_true(dd_config_copy(&next, c));
        dd_system_apply(a->system, &next, moves[m], 0);
        if (judge_loss(a->judge, &next) == 0) count += count_slowly(a, &next);
    }
    dd_config_free(&next);
    return count;
}

static void random_trees(arena *a, dd_optimal *optimal, int trees, int longest)
{
    dd_random random = {20171116};
    for (int t = 0; t < trees; t++) {
        int32_t heads[JUDGE_MAX_N + 1];
        dd_config c = {0};
        int n = MAX_N + 1 + t % (longest - MAX_N);
        if (t % 2 == 0) random_tree(&random, heads, n, !a->single_root && t % 3 == 0);
        if (t % 2 == 1 || !arena_take(a, heads, n)) {
            random_projective_tree(&random, heads, n, !a->single_root && t % 3 == 0);
            if (!arena_take(a, heads, n)) arena_random_tree(a, &random, heads, n);
            assert_true(arena_take(a, heads, n));
        }
        assert_true(dd_system_begin(a->system, &c, n, a->single_root));
        check_count(a, optimal, count_slowly(a, &c));
        dd_config_free(&c);
    }
}

static void run(void **state, bool single_root)
{
    arena a;
    dd_optimal optimal = {0};
    uint64_t *ending_in = calloc(MAX_TREES, sizeof *ending_in), checked = 0;
    arena_begin(&a, *state, single_root);
    for (int n = 1; n <= MAX_N; n++) {
        enumerate_all(&a, n, ending_in);
        checked += all_trees(&a, &optimal, n, ending_in);
    }
    random_trees(&a, &optimal, 40, a.system->lists ? 6 : 8);
    print_message("# %s%s: %llu trees up to n = %d\n", a.system->name,
                  a.single_root ? ", single root" : "", (unsigned long long)checked, MAX_N);
    free(ending_in);
    dd_optimal_free(&optimal);
    judge_free(a.judge);
    dd_gold_free(&a.gold);
    dd_loss_space_free(&a.space);
}

static void as_many_as_by_enumeration(void **state)
{
    run(state, false);
}

static void as_many_as_by_enumeration_with_one_root(void **state)
{
    run(state, true);
}

int main(int argc, char **argv)
{
    return arena_run_tests("optimal", as_many_as_by_enumeration,
                           as_many_as_by_enumeration_with_one_root, argc, argv);
}
