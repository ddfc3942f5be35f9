/* Attardi's system beyond what test_exact.c checks of every system: which trees it refuses, deep
 * stacks, the two ways to a loss against each other, and the counterexamples of
 * docs/theory/errata.md. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "judge.h"
#include "systems/attardi/attardi.h"
#include "systems/registry.h"

enum { MAX_N = 40 };

typedef struct arena {
    bool single_root;
    judge *judge;
    dd_gold gold;
    dd_loss_space space;
    uint64_t configurations, positive;
} arena;

static void close_arena(arena *a)
{
    judge_free(a->judge);
    dd_gold_free(&a->gold);
    dd_loss_space_free(&a->space);
}

/* ---- which trees ---- */

static void check_refusal(arena *a, const int32_t *heads, int n)
{
    assert_true(dd_gold_set(&a->gold, heads, NULL, n));
    if (a->single_root && a->gold.roots > 1) {
        assert_string_equal(dd_attardi.oracle.refuses(&a->gold, true), "several roots");
        return;
    }
    dd_config c = {0};
    assert_true(dd_system_begin(&dd_attardi, &c, n, a->single_root));
    judge_reset(a->judge, &a->gold);
    bool can = judge_loss(a->judge, &c) == 0;
    const char *reason = dd_attardi.oracle.refuses(&a->gold, a->single_root);
    if (can != !reason) {
        for (int word = 1; word <= n; word++) print_error(" %d", heads[word]);
        fail_msg(": exhaustive search says it can%s be built", can ? "" : "not");
    }
    a->positive += !can;
    dd_config_free(&c);
}

static void refuse_all_up_to(arena *a, int max_n)
{
    int32_t heads[JUDGE_MAX_N + 1];
    for (int n = 1; n <= max_n; n++) {
        uint64_t count = 1;
        for (int i = 0; i < n; i++) count *= (uint64_t)(n + 1);
        for (uint64_t index = 0; index < count; index++)
            if (tree_by_index(heads, n, index)) check_refusal(a, heads, n);
    }
}

static void refuses_just_what_cannot_be_built(void **state)
{
    (void)state;
    for (int rule = 0; rule < 2; rule++) {
        arena a = {.single_root = rule, .judge = judge_new(&dd_attardi)};
        dd_random random = {2006};
        int32_t heads[JUDGE_MAX_N + 1];
        refuse_all_up_to(&a, 5);
        for (int t = 0; t < 3000; t++) {
            int n = 6 + t % 4;
            random_tree(&random, heads, n, !rule && t % 2);
            check_refusal(&a, heads, n);
        }
        assert_true(a.positive > 100);
        close_arena(&a);
    }
}

/* ---- losses ---- */

static dd_move random_move(dd_random *random, const dd_move *moves, int n_moves, double shift)
{
    if (moves[0].kind == 0 && dd_random_unit(random) < shift) return moves[0];
    return moves[dd_random_below(random, (uint32_t)n_moves)];
}

/* What a random walk builds, so a tree that the system can build. */
static void random_gold(arena *a, dd_random *random, int n)
{
    dd_config c = {0};
    dd_move moves[JUDGE_MAX_MOVES];
    int32_t heads[MAX_N + 1] = {-1};
    double shift = 0.9 * dd_random_unit(random);
    int n_moves;
    assert_true(dd_system_begin(&dd_attardi, &c, n, a->single_root));
    while ((n_moves = dd_system_permissible(&dd_attardi, &c, moves)) > 0)
        dd_system_apply(&dd_attardi, &c, random_move(random, moves, n_moves, shift), 0);
    for (int word = 1; word <= n; word++) heads[word] = c.nodes[word].head;
    assert_true(dd_gold_set(&a->gold, heads, NULL, n));
    assert_null(dd_attardi.oracle.refuses(&a->gold, a->single_root));
    dd_config_free(&c);
}

static int loss_by(arena *a, const dd_config *c, int limit, int runs)
{
    int loss;
    dd_attardi_view here = {c, 0, DD_NONE};
    assert_true(
        dd_attardi_loss(&a->space, &a->gold, here, (dd_attardi_effort){limit, runs}, &loss));
    return loss;
}

static void complain(const arena *a, const dd_config *c, const char *who, int got, int want)
{
    print_error("%s says %d, not %d; gold", who, got, want);
    for (int word = 1; word <= c->n; word++) print_error(" %d", a->gold.heads[word]);
    print_error("; stack");
    for (int at = 0; at < c->depth; at++) print_error(" %d", c->stack[at]);
    print_error("; front %d\n", c->front);
    fail();
}

/* The search and the table, with and without a limit, and the judge where there is one. */
static void check_losses(arena *a, const dd_config *c, bool judged)
{
    int want = loss_by(a, c, INT_MAX, 0);
    int searched = loss_by(a, c, INT_MAX, DD_ATTARDI_RUNS);
    if (searched != want) complain(a, c, "the search", searched, want);
    for (int runs = 0; runs <= DD_ATTARDI_RUNS; runs += DD_ATTARDI_RUNS) {
        if (loss_by(a, c, want, runs) != want) complain(a, c, "a limit", -1, want);
        if (want > 0 && loss_by(a, c, want - 1, runs) < want) complain(a, c, "a limit", -1, want);
    }
    if (judged) {
        int truth = judge_loss(a->judge, c) - dd_wrong_arcs(c, &a->gold);
        if (truth != want) complain(a, c, "the table", want, truth);
    }
    a->configurations++;
    a->positive += want > 0;
}

static void walk(arena *a, dd_random *random, bool judged)
{
    dd_config c = {0};
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves;
    double shift = dd_random_unit(random);
    assert_true(dd_system_begin(&dd_attardi, &c, a->gold.n, a->single_root));
    while ((n_moves = dd_system_permissible(&dd_attardi, &c, moves)) > 0) {
        check_losses(a, &c, judged);
        dd_system_apply(&dd_attardi, &c, random_move(random, moves, n_moves, shift), 0);
    }
    dd_config_free(&c);
}

static void walks(int trees, int min_n, int max_n, bool judged)
{
    for (int rule = 0; rule < 2; rule++) {
        arena a = {.single_root = rule, .judge = judge_new(&dd_attardi)};
        dd_random random = {2014};
        for (int t = 0; t < trees; t++) {
            random_gold(&a, &random, min_n + t % (max_n - min_n + 1));
            if (judged) judge_reset(a.judge, &a.gold);
            for (int w = 0; w < 8; w++) walk(&a, &random, judged);
        }
        print_message("# %llu configurations, %llu with losses to come\n",
                      (unsigned long long)a.configurations, (unsigned long long)a.positive);
        close_arena(&a);
    }
}

static void deep_stacks_are_exact(void **state)
{
    (void)state;
    walks(700, 5, 9, true);
}

static void search_and_table_agree(void **state)
{
    (void)state;
    walks(150, 10, 18, false);
}

/* ---- counterexamples ---- */

typedef struct example {
    int n;
    int32_t gold[16];  /* [1..n] */
    const char *moves; /* S L R l r: SH LA RA LA2 RA2 */
    int loss;          /* after them */
} example;

static int kind_of(char letter)
{
    static const char letters[] = "SLRlr";
    int kind = 0;
    while (letters[kind] != letter) kind++;
    return kind;
}

static void check_example(const example *e)
{
    arena a = {.judge = judge_new(&dd_attardi)};
    dd_config c = {0};
    assert_true(dd_gold_set(&a.gold, e->gold, NULL, e->n));
    assert_null(dd_attardi.oracle.refuses(&a.gold, false));
    judge_reset(a.judge, &a.gold);
    assert_true(dd_system_begin(&dd_attardi, &c, e->n, false));
    for (const char *m = e->moves; *m; m++)
        dd_system_apply(&dd_attardi, &c, (dd_move){kind_of(*m), 0}, 0);
    assert_int_equal(judge_loss(a.judge, &c), e->loss);
    int loss;
    assert_true(dd_attardi.oracle.loss(&a.space, &c, &a.gold, &loss));
    assert_int_equal(loss, e->loss);
    assert_int_equal(loss_by(&a, &c, INT_MAX, 0) + dd_wrong_arcs(&c, &a.gold), e->loss);
    dd_config_free(&c);
    close_arena(&a);
}

static void reduces_fragments_not_subtrees(void **state)
{
    (void)state;
    check_example(&(example){3, {-1, 2, 0, 1}, "SSR", 2});
    check_example(&(example){3, {-1, 3, 1, 0}, "SSR", 2});
}

static void builds_wrong_arcs_where_the_head_has_gone(void **state)
{
    (void)state;
    check_example(&(example){4, {-1, 0, 0, 1, 2}, "SSR", 1});
    check_example(&(example){4, {-1, 2, 0, 1, 2}, "SSR", 2});
}

static void builds_wrong_arcs_in_the_buffer(void **state)
{
    (void)state;
    check_example(&(example){8, {-1, 3, 0, 2, 0, 0, 0, 4, 6}, "SSSSS", 2});
    check_example(&(example){10, {-1, 3, 0, 2, 9, 0, 10, 4, 9, 0, 0}, "SSSSS", 2});
}

/* 2 -> 1 is possible after SH SH SH, but 1 has to wait for 3. */
static void attaches_words_when_complete(void **state)
{
    (void)state;
    dd_gold gold = {0};
    dd_config c = {0};
    const int32_t heads[] = {-1, 2, 0, 1};
    const char *moves = "SSSSrLR";
    assert_true(dd_gold_set(&gold, heads, NULL, 3));
    assert_true(dd_system_begin(&dd_attardi, &c, 3, false));
    for (const char *m = moves; *m; m++) {
        dd_move move = dd_attardi.oracle.canonical(&c, &gold);
        assert_int_equal(move.kind, kind_of(*m));
        dd_system_apply(&dd_attardi, &c, move, 0);
    }
    assert_true(dd_attardi.final(&c));
    assert_int_equal(dd_wrong_arcs(&c, &gold), 0);
    dd_config_free(&c);
    dd_gold_free(&gold);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_just_what_cannot_be_built),
        cmocka_unit_test(deep_stacks_are_exact),
        cmocka_unit_test(search_and_table_agree),
        cmocka_unit_test(reduces_fragments_not_subtrees),
        cmocka_unit_test(builds_wrong_arcs_where_the_head_has_gone),
        cmocka_unit_test(builds_wrong_arcs_in_the_buffer),
        cmocka_unit_test(attaches_words_when_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
