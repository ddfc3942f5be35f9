/* covington-nm's bounds against exhaustive search on random walks, and the count of cycles against
 * a plain one. That `exact` is exact is checked in test_exact.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "judge.h"
#include "systems/covington_nm/covington_nm.h"
#include "systems/registry.h"

typedef struct arena {
    const dd_system *system;
    bool single_root;
    judge *judge;
    dd_gold gold;
    dd_loss_space space;
    uint64_t configurations, too_high;
} arena;

static void complain(const arena *a, const dd_config *c, dd_nm_bounds b, int loss)
{
    print_error("%slower %d, loss %d, pc-upper %d, upper %d\n  focus %d, front %d; gold, heads:",
                a->single_root ? "single root: " : "", b.lower, loss, b.pc_upper, b.upper, c->focus,
                c->front);
    for (int word = 1; word <= c->n; word++) print_error(" %d", a->gold.heads[word]);
    print_error(";");
    for (int word = 1; word <= c->n; word++) print_error(" %d", c->nodes[word].head);
    print_error("\n");
    fail();
}

static int headed_gold_roots(const arena *a, const dd_config *c)
{
    int count = 0;
    for (int word = 1; word <= c->n; word++)
        count += a->gold.heads[word] == 0 && !dd_headless(c, word);
    return count;
}

/* lower <= loss, but for gold roots that may be freed; loss <= pc-upper <= upper. */
static void check_bounds(arena *a, const dd_config *c)
{
    dd_nm_bounds b;
    dd_nm_view now = dd_nm_now(c);
    if (!judge_affords(a->judge, c)) return;
    int loss = judge_loss(a->judge, c);
    assert_true(dd_nm_bound(&a->space, &now, &a->gold, &b));
    if (loss > b.pc_upper || b.pc_upper > b.upper || b.lower - headed_gold_roots(a, c) > loss)
        complain(a, c, b, loss);
    a->configurations++;
    a->too_high += b.lower > loss;
}

static void random_walk(arena *a, dd_random *random)
{
    dd_config c = {0};
    assert_true(dd_system_begin(a->system, &c, a->gold.n, a->single_root));
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves;
    while ((n_moves = dd_system_permissible(a->system, &c, moves)) > 0) {
        check_bounds(a, &c);
        dd_system_apply(a->system, &c, moves[dd_random_below(random, (uint32_t)n_moves)], 0);
    }
    assert_true(a->system->final(&c));
    check_bounds(a, &c);
    dd_config_free(&c);
}

static void run(bool single_root, bool partial)
{
    arena a = {.system = dd_system_find("covington-nm"), .single_root = single_root};
    dd_random random = {2017};
    int32_t heads[JUDGE_MAX_N + 1];
    a.judge = judge_new(a.system);
    for (int t = 0; t < (partial ? 400 : 1000); t++) {
        int n = 2 + t % 7;
        random_tree(&random, heads, n, !single_root && t % 3 == 0);
        for (int word = 1; word <= n && partial; word++)
            if (dd_random_below(&random, 2)) heads[word] = -1;
        assert_true(dd_gold_set(&a.gold, heads, NULL, n));
        judge_reset(a.judge, &a.gold);
        for (int w = 0; w < 12; w++) random_walk(&a, &random);
    }
    print_message("# %llu configurations, lower bound too high in %llu\n",
                  (unsigned long long)a.configurations, (unsigned long long)a.too_high);
    judge_free(a.judge);
    dd_gold_free(&a.gold);
    dd_loss_space_free(&a.space);
}

static void bounds_hold(void **state)
{
    (void)state;
    run(false, false);
    run(false, true);
}

static void bounds_hold_under_the_single_root_rule(void **state)
{
    (void)state;
    run(true, false);
    run(true, true);
}

/* ---- the bounds after all moves at once ---- */

static void check_moves(arena *a, const dd_config *c, const dd_move *moves, int n_moves)
{
    dd_nm_view now = dd_nm_now(c);
    dd_nm_bounds at_once[DD_NM_MOVES], alone;
    int lower[DD_NM_MOVES];
    assert_true(dd_nm_bounds_after(&a->space, &now, &a->gold, moves, n_moves, at_once));
    dd_nm_unreachable_after(&now, &a->gold, moves, n_moves, lower);
    for (int m = 0; m < n_moves; m++) {
        dd_nm_view after = dd_nm_after(&now, moves[m].kind);
        assert_true(dd_nm_bound(&a->space, &after, &a->gold, &alone));
        if (memcmp(&at_once[m], &alone, sizeof alone) != 0) complain(a, c, at_once[m], alone.upper);
        assert_int_equal(lower[m], alone.lower);
        a->too_high += alone.upper > alone.lower;
    }
    a->configurations++;
}

/* With some gold arcs on the way, so that the graphs are of the kinds that training meets. */
static dd_move choose(const arena *a, const dd_config *c, const dd_move *moves, int n_moves,
                      dd_random *random)
{
    dd_move gold = a->system->oracle.canonical(c, &a->gold);
    if (a->gold.unknown == 0 && dd_random_below(random, 3))
        for (int m = 0; m < n_moves; m++)
            if (dd_same_move(moves[m], gold)) return gold;
    return moves[dd_random_below(random, (uint32_t)n_moves)];
}

static void all_moves_at_once(void **state)
{
    (void)state;
    arena a = {.system = dd_system_find("covington-nm")};
    dd_random random = {2018};
    int32_t heads[RANDOM_TREE_MAX_N + 1];
    for (int t = 0; t < 2000; t++) {
        int n = 1 + (int)dd_random_below(&random, 40), n_moves;
        a.single_root = t % 2;
        random_tree(&random, heads, n, !a.single_root && t % 3 == 0);
        for (int word = 1; word <= n && t % 5 == 0; word++)
            if (dd_random_below(&random, 4) == 0) heads[word] = -1;
        assert_true(dd_gold_set(&a.gold, heads, NULL, n));
        dd_config c = {0};
        dd_move moves[DD_NM_MOVES];
        assert_true(dd_system_begin(a.system, &c, n, a.single_root));
        while ((n_moves = dd_system_permissible(a.system, &c, moves)) > 0) {
            check_moves(&a, &c, moves, n_moves);
            dd_system_apply(a.system, &c, choose(&a, &c, moves, n_moves, &random), 0);
        }
        dd_config_free(&c);
    }
    print_message("# %llu configurations, cycles or the root rule in %llu moves\n",
                  (unsigned long long)a.configurations, (unsigned long long)a.too_high);
    dd_gold_free(&a.gold);
    dd_loss_space_free(&a.space);
}

/* ---- cycles ---- */

enum { NODES = 8, LADDER = 60 };

/* Cycles through `start` and greater nodes, by walking every path. */
static int plain_count(int32_t heads[2][NODES + 1], int start, int node, unsigned visited)
{
    int count = 0;
    for (int slot = 0; slot < 2; slot++) {
        int head = heads[slot][node];
        if (head == start) count++;
        if (head > start && !(visited & 1U << head))
            count += plain_count(heads, start, head, visited | 1U << head);
    }
    return count;
}

static bool even_length(const void *user, dd_cycle cycle)
{
    (void)user;
    for (int k = 0; k < cycle.length; k++) assert_in_range(cycle.via[k], 0, 1);
    return cycle.length % 2 == 0;
}

static void cycles_are_counted_once(void **state)
{
    (void)state;
    dd_random random = {1975};
    int32_t heads[2][NODES + 1], memory[DD_CYCLE_MEMORY * (NODES + 1)];
    int most = 0;
    for (int t = 0; t < 20000; t++) {
        int want = 0;
        for (int node = 1; node <= NODES; node++) {
            for (int slot = 0; slot < 2; slot++) {
                int head = (int)dd_random_below(&random, NODES + 1);
                bool taken = head == node || (slot == 1 && head == heads[0][node]);
                heads[slot][node] = taken ? 0 : head;
            }
        }
        for (int start = 1; start <= NODES; start++)
            want += plain_count(heads, start, start, 1U << start);
        dd_cycle_graph graph = {.n = NODES, .heads = {heads[0], heads[1]}};
        dd_cycle_count got = dd_cycles_count(&graph, memory, 1000, even_length, NULL);
        assert_true(got.complete);
        assert_int_equal(got.all, want);
        assert_in_range(got.chosen, 0, want);
        if (want > most) most = want;
    }
    assert_true(most > 10);
}

/* Each node's heads are the next two: very many cycles, closed by the last node. */
static void counting_ends_at_the_limit(void **state)
{
    (void)state;
    int32_t heads[2][LADDER + 1], memory[DD_CYCLE_MEMORY * (LADDER + 1)];
    for (int node = 1; node <= LADDER; node++) {
        heads[0][node] = node < LADDER ? node + 1 : 1;
        heads[1][node] = node + 1 < LADDER ? node + 2 : 0;
    }
    dd_cycle_graph graph = {.n = LADDER, .heads = {heads[0], heads[1]}};
    dd_cycle_count got = dd_cycles_count(&graph, memory, 512, NULL, NULL);
    assert_false(got.complete);
    assert_int_equal(got.all, 512);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(bounds_hold_under_the_single_root_rule),
        cmocka_unit_test(all_moves_at_once),
        cmocka_unit_test(cycles_are_counted_once),
        cmocka_unit_test(counting_ends_at_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
