/* What is particular to arc-eager-nm; see docs/theory/errata.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "judge.h"
#include "systems/registry.h"
#include "transition/oracle.h"

enum { SH, LA, RA, RE, NO = -1 };

typedef struct scene {
    dd_config config;
    dd_gold gold;
    dd_loss_space space;
} scene;

/* The gold tree and the configuration after the moves, the m-th with label m. */
static void set_up(scene *s, const int32_t *heads, int n, bool single_root, const int *kinds)
{
    *s = (scene){0};
    assert_true(dd_gold_set(&s->gold, heads, NULL, n));
    assert_true(dd_system_begin(&dd_arc_eager_nm, &s->config, n, single_root));
    for (int m = 0; kinds[m] != NO; m++) {
        assert_true(dd_arc_eager_nm.rules[kinds[m]].legal(&s->config));
        dd_system_apply(&dd_arc_eager_nm, &s->config, (dd_move){kinds[m], 0}, m);
    }
}

static void tear_down(scene *s)
{
    dd_config_free(&s->config);
    dd_gold_free(&s->gold);
    dd_loss_space_free(&s->space);
}

static int loss_of(scene *s, const dd_system *system)
{
    int loss;
    assert_true(system->oracle.loss(&s->space, &s->config, &s->gold, &loss));
    return loss;
}

static bool permissible(const scene *s, int kind)
{
    return dd_arc_eager_nm.rules[kind].legal(&s->config);
}

static int cost_of(const scene *s, int kind)
{
    return dd_arc_eager_nm.rules[kind].cost(&s->config, &s->gold);
}

static void reduce_needs_a_node_below(void **state)
{
    (void)state;
    for (int rule = 0; rule < 2; rule++) {
        scene s;
        set_up(&s, (int32_t[]){-1, 0}, 1, rule, (int[]){SH, NO});
        assert_false(permissible(&s, RE));
        assert_true(permissible(&s, LA));
        tear_down(&s);
    }
}

static void reduce_attaches_a_headless_top_and_leaves_a_head(void **state)
{
    (void)state;
    scene s;
    set_up(&s, (int32_t[]){-1, 0, 1, 1}, 3, false, (int[]){SH, SH, RE, RA, RE, NO});
    assert_int_equal(s.config.nodes[2].head, 1);
    assert_int_equal(s.config.nodes[2].label, 2);
    assert_int_equal(s.config.nodes[3].head, 1);
    assert_int_equal(s.config.nodes[3].label, 3);
    assert_int_equal(s.config.nodes[1].rights, 2);
    tear_down(&s);
}

static void left_arc_replaces_a_head(void **state)
{
    (void)state;
    scene s;
    set_up(&s, (int32_t[]){-1, 3, 3, 0}, 3, false, (int[]){SH, RA, LA, NO});
    assert_int_equal(s.config.nodes[2].head, 3);
    assert_int_equal(s.config.nodes[2].label, 2);
    assert_int_equal(s.config.nodes[1].rights, 0);
    assert_int_equal(s.config.nodes[3].lefts, 1);
    assert_int_equal(s.config.headless, 1);
    tear_down(&s);
}

static void a_head_on_the_stack_is_no_loss_yet(void **state)
{
    (void)state;
    scene s;
    set_up(&s, (int32_t[]){-1, 2, 0}, 2, false, (int[]){SH, RA, NO});
    assert_int_equal(loss_of(&s, &dd_arc_eager), 2);
    assert_int_equal(loss_of(&s, &dd_arc_eager_nm), 1);
    judge *j = judge_new(&dd_arc_eager_nm);
    judge_reset(j, &s.gold);
    assert_int_equal(judge_loss(j, &s.config), 1);
    judge_free(j);
    tear_down(&s);
}

/* Costs of both as the oracles teach them; the system's own are 0. */
static void expect_taught(const int32_t *heads, int n, int good, int other)
{
    scene s;
    set_up(&s, heads, n, false, (int[]){SH, NO});
    assert_int_equal(cost_of(&s, good), 0);
    assert_int_equal(cost_of(&s, other), 0);
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves = dd_system_permissible(&dd_arc_eager_nm, &s.config, moves);
    dd_oracle_state oracle = {.kind = DD_ORACLE_DYNAMIC, .system = &dd_arc_eager_nm};
    dd_oracle_state_begin(&oracle, &s.gold);
    assert_true(dd_oracle_state_enter(&oracle, &s.config, moves, n_moves) &&
                dd_oracle_state_costs(&oracle));
    for (int m = 0; m < n_moves; m++) {
        if (moves[m].kind == good) assert_int_equal(oracle.costs[m], 0);
        if (moves[m].kind == other) assert_true(oracle.costs[m] > 0);
    }
    dd_oracle_state_free(&oracle);
    tear_down(&s);
}

static void repairs_are_not_planned(void **state)
{
    (void)state;
    expect_taught((int32_t[]){-1, 0, 1}, 2, RA, SH);
    expect_taught((int32_t[]){-1, 3, 3, 0}, 3, SH, RA);
}

static void headless_words_are_no_harm_to_the_single_root(void **state)
{
    (void)state;
    scene s;
    set_up(&s, (int32_t[]){-1, 0, 1, 1}, 3, true, (int[]){SH, SH, NO});
    assert_true(permissible(&s, SH) && permissible(&s, RA));
    assert_false(dd_arc_eager.rules[SH].legal(&s.config) ||
                 dd_arc_eager.rules[RA].legal(&s.config));
    assert_int_equal(loss_of(&s, &dd_arc_eager_nm), 0);
    tear_down(&s);
    set_up(&s, (int32_t[]){-1, 0, 1, 1}, 3, true, (int[]){SH, SH, RE, RA, RE, LA, NO});
    assert_true(dd_arc_eager_nm.final(&s.config));
    assert_int_equal(dd_wrong_arcs(&s.config, &s.gold), 0);
    tear_down(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduce_needs_a_node_below),
        cmocka_unit_test(reduce_attaches_a_headless_top_and_leaves_a_head),
        cmocka_unit_test(left_arc_replaces_a_head),
        cmocka_unit_test(a_head_on_the_stack_is_no_loss_yet),
        cmocka_unit_test(repairs_are_not_planned),
        cmocka_unit_test(headless_words_are_no_harm_to_the_single_root),
    };
    return cmocka_run_group_tests_name("arc-eager-nm", tests, NULL, NULL);
}
