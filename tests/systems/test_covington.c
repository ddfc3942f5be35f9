/* The Covington parsers: the cases of docs/theory/errata.md, by their titles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "judge.h"
#include "systems/registry.h"

typedef struct fixture {
    const dd_system *system;
    judge *judge;
    dd_gold gold;
    dd_loss_space space;
    dd_config config;
} fixture;

static int setup_system(void **state, const char *name)
{
    fixture *f = calloc(1, sizeof *f);
    f->system = dd_system_find(name);
    f->judge = judge_new(f->system);
    *state = f;
    return 0;
}

static int setup(void **state)
{
    return setup_system(state, "covington");
}

static int setup_nm(void **state)
{
    return setup_system(state, "covington-nm");
}

static int teardown(void **state)
{
    fixture *f = *state;
    judge_free(f->judge);
    dd_gold_free(&f->gold);
    dd_loss_space_free(&f->space);
    dd_config_free(&f->config);
    free(f);
    return 0;
}

static bool permits(const fixture *f, const char *name, dd_move *move)
{
    dd_move moves[JUDGE_MAX_MOVES];
    int n = dd_system_permissible(f->system, &f->config, moves);
    for (int m = 0; m < n; m++) {
        if (strcmp(f->system->rules[moves[m].kind].name, name) != 0) continue;
        *move = moves[m];
        return true;
    }
    return false;
}

/* Goes through the moves, parted by blanks. */
static void walk(fixture *f, const int32_t *heads, int n, bool single_root, const char *moves)
{
    assert_true(dd_gold_set(&f->gold, heads, NULL, n));
    judge_reset(f->judge, &f->gold);
    assert_true(dd_system_begin(f->system, &f->config, n, single_root));
    for (; *moves; moves += strspn(moves, " ")) {
        char name[8] = {0};
        dd_move move;
        memcpy(name, moves, strcspn(moves, " "));
        moves += strlen(name);
        assert_true(permits(f, name, &move));
        dd_system_apply(f->system, &f->config, move, 0);
    }
}

static void loss_is(fixture *f, int want)
{
    int loss;
    assert_true(f->system->oracle.loss(&f->space, &f->config, &f->gold, &loss));
    assert_int_equal(loss, want);
    assert_int_equal(judge_loss(f->judge, &f->config), want);
}

/* Figure 2 of the paper: each of 2->3, 3->4, 4->1 can be built, but not all beside 1->2. */
static void cycles_cost_one_arc_each(void **state)
{
    static const int32_t heads[] = {-1, 4, 0, 2, 3};
    walk(*state, heads, 4, false, "SH RA SH");
    loss_is(*state, 2);
}

/* Weak connection is a cycle: the arc 3->1 waits beside 1->2 and 2->3. */
static void weakly_connected_words(void **state)
{
    static const int32_t heads[] = {-1, 3, 0, 2};
    walk(*state, heads, 3, false, "SH RA SH RA");
    loss_is(*state, 2);
}

/* Arcs from 0. */
static void an_arc_from_0_is_lost_with_the_first_head(void **state)
{
    static const int32_t heads[] = {-1, 0, 0};
    walk(*state, heads, 2, false, "SH SH");
    loss_is(*state, 0);
    walk(*state, heads, 2, false, "SH RA");
    loss_is(*state, 1);
}

/* Single root: permissibility. */
static void a_root_may_be_passed_when_its_tree_can_take_the_last_word(void **state)
{
    static const int32_t heads[] = {-1, 2, 0, 1};
    walk(*state, heads, 3, true, "SH LA SH NA RA SH");
    loss_is(*state, 0);
    dd_move move;
    walk(*state, heads, 3, true, "SH SH");
    assert_false(permits(*state, "NA", &move));
}

/* Single root: loss. */
static void the_single_root_rule_can_cost_an_arc(void **state)
{
    static const int32_t heads[] = {-1, 2, 0, 1};
    walk(*state, heads, 3, false, "SH SH");
    loss_is(*state, 1);
    walk(*state, heads, 3, true, "SH SH");
    loss_is(*state, 2);
}

/* ---- covington-nm ---- */

static void losses_are(fixture *f, int lower, int exact, int pc_upper, int upper)
{
    static const char *const names[] = {"lower", "exact", "pc-upper", "upper"};
    int want[] = {lower, exact, pc_upper, upper};
    for (int v = 0; v < 4; v++) {
        int loss;
        f->space.variant = dd_system_find_loss(f->system, names[v]);
        assert_true(f->system->oracle.loss(&f->space, &f->config, &f->gold, &loss));
        assert_int_equal(loss, want[v]);
    }
    assert_int_equal(judge_loss(f->judge, &f->config), exact);
}

/* |U| is not always a lower bound: 3->2 and then 1->3, both gold, take 1's wrong head away. */
static void breaking_a_cycle_can_free_the_gold_root(void **state)
{
    static const int32_t heads[] = {-1, 0, 3, 1};
    walk(*state, heads, 3, false, "SH LA SH");
    losses_are(*state, 1, 0, 1, 2);
    walk(*state, heads, 3, false, "SH LA SH LA RA SH");
    losses_are(*state, 0, 0, 0, 0);
}

/* The example of the paper's figure 2 in words: the arc into the new head goes. */
static void an_arc_that_closes_a_cycle_frees_its_head(void **state)
{
    static const int32_t heads[] = {-1, 0, 1, 2};
    fixture *f = *state;
    walk(f, heads, 3, false, "SH RA SH RA LA");
    assert_int_equal(f->config.nodes[1].head, 3);
    assert_int_equal(f->config.nodes[2].head, 1);
    assert_int_equal(f->config.nodes[3].head, DD_NONE);
}

/* Single root. */
static void the_papers_upper_bounds_fail_under_the_single_root_rule(void **state)
{
    static const int32_t heads[] = {-1, 2, 0, 1};
    walk(*state, heads, 3, false, "SH SH");
    losses_are(*state, 1, 1, 1, 1);
    walk(*state, heads, 3, true, "SH SH");
    losses_are(*state, 1, 2, 2, 2);
}

int main(void)
{
#define CASE(test)    cmocka_unit_test_setup_teardown(test, setup, teardown)
#define CASE_NM(test) cmocka_unit_test_setup_teardown(test, setup_nm, teardown)
    const struct CMUnitTest tests[] = {
        CASE(cycles_cost_one_arc_each),
        CASE(weakly_connected_words),
        CASE(an_arc_from_0_is_lost_with_the_first_head),
        CASE(a_root_may_be_passed_when_its_tree_can_take_the_last_word),
        CASE(the_single_root_rule_can_cost_an_arc),
        CASE_NM(breaking_a_cycle_can_free_the_gold_root),
        CASE_NM(an_arc_that_closes_a_cycle_frees_its_head),
        CASE_NM(the_papers_upper_bounds_fail_under_the_single_root_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
