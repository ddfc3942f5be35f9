/* covington-nm's bounds against exhaustive search, and the cases in which the papers are silent or
 * wrong (docs/errata/covington-nm.md). That `exact` is exact is checked in test_exact.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "judge.h"
#include "oracles/covington_nm_exact.h"

typedef struct arena {
    const dd_system *system;
    bool single_root;
    judge *judge;
    dd_gold gold;
    dd_loss_space space;
    uint64_t configurations, lower_missed, pc_missed, upper_missed, lower_wrong;
    int64_t lower, loss, pc, upper;
} arena;

static void tell(const arena *a, const dd_config *c, dd_nm_bounds b, int loss)
{
    print_error("%slower %d, loss %d, pc-upper %d, upper %d\n  focus %d, front %d; gold, heads:",
                a->single_root ? "single root: " : "", b.lower, loss, b.pc_upper, b.upper, c->focus,
                c->front);
    for (int word = 1; word <= c->n; word++) print_error(" %d", a->gold.heads[word]);
    print_error(";");
    for (int word = 1; word <= c->n; word++) print_error(" %d", c->nodes[word].head);
    print_error("\n");
}

static int headed_gold_roots(const arena *a, const dd_config *c)
{
    int count = 0;
    for (int word = 1; word <= c->n; word++)
        count += a->gold.heads[word] == 0 && !dd_headless(c, word);
    return count;
}

static void check_bounds(arena *a, const dd_config *c)
{
    dd_nm_bounds b;
    dd_nm_view now = dd_nm_now(c);
    if (!judge_affords(a->judge, c)) return;
    int loss = judge_loss(a->judge, c);
    assert_true(dd_nm_bound(&a->space, &now, &a->gold, &b));
    bool good =
        loss <= b.pc_upper && b.pc_upper <= b.upper && b.lower <= loss + headed_gold_roots(a, c);
    a->configurations++;
    a->lower += b.lower, a->loss += loss, a->pc += b.pc_upper, a->upper += b.upper;
    a->lower_wrong += b.lower > loss;
    if (good) return;
    a->pc_missed++;
    if (a->pc_missed < 12) tell(a, c, b, loss);
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
    dd_config_free(&c);
}

static void run(bool single_root, int trees, int walks)
{
    arena a = {.system = dd_system_find("covington-nm"), .single_root = single_root};
    dd_random random = {2017};
    int32_t heads[JUDGE_MAX_N + 1];
    a.judge = judge_new(a.system);
    for (int t = 0; t < trees; t++) {
        int n = 2 + t % 5;
        random_tree(&random, heads, n, !single_root && t % 3 == 0);
        assert_true(dd_gold_set(&a.gold, heads, NULL, n));
        judge_reset(a.judge, &a.gold);
        for (int w = 0; w < walks; w++) random_walk(&a, &random);
    }
    print_message("# %llu configurations, %llu bad, lower wrong %llu; lower %lld loss %lld pc %lld "
                  "upper %lld\n",
                  (unsigned long long)a.configurations, (unsigned long long)a.pc_missed,
                  (unsigned long long)a.lower_wrong, (long long)a.lower, (long long)a.loss,
                  (long long)a.pc, (long long)a.upper);
    judge_free(a.judge);
    dd_gold_free(&a.gold);
    dd_loss_space_free(&a.space);
    assert_int_equal(a.pc_missed, 0);
}

static void bounds_hold(void **state)
{
    (void)state;
    run(false, 1000, 16);
}

static void bounds_hold_under_the_single_root_rule(void **state)
{
    (void)state;
    run(true, 1000, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(bounds_hold_under_the_single_root_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
