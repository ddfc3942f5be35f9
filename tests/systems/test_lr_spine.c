/* LR-spine beyond test_exact: every configuration of every tree of five words, longer sentences
 * against the paper's table, what the paper gets wrong (docs/theory/errata.md), and sentences of
 * 500 words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "judge.h"
#include "spine_table.h"
#include "systems/lr_spine/lr_spine.h"
#include "systems/registry.h"

enum { LONG = 500 };

static const dd_spine_rules as_meant = {.drop_useless = true, .drop_dominated = true};

typedef struct field {
    dd_config config;
    dd_gold gold;
    dd_loss_space space;
    dd_move *moves;
    int *costs;
    dd_random random;
    dd_spine_table table;
    int configurations, longest;
} field;

static int setup(void **state)
{
    field *f = calloc(1, sizeof *f);
    f->moves = malloc((size_t)dd_lr_spine.moves.most(LONG) * sizeof *f->moves);
    f->costs = malloc((size_t)dd_lr_spine.moves.most(LONG) * sizeof *f->costs);
    f->random.state = 20140430;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    field *f = *state;
    dd_config_free(&f->config);
    dd_gold_free(&f->gold);
    dd_loss_space_free(&f->space);
    dd_spine_table_free(&f->table);
    free(f->moves);
    free(f->costs);
    free(f);
    return 0;
}

static void grow_tree(field *f, int n, bool several_roots)
{
    int32_t heads[LONG + 1];
    random_projective_tree(&f->random, heads, n, several_roots);
    assert_true(dd_gold_set(&f->gold, heads, NULL, n));
}

static void run_moves(field *f, const dd_move *moves, int count)
{
    assert_true(dd_system_begin(&dd_lr_spine, &f->config, f->gold.n, false));
    for (int m = 0; m < count; m++) dd_system_apply(&dd_lr_spine, &f->config, moves[m], 0);
}

static int loss_now(field *f)
{
    int loss;
    assert_true(dd_lr_spine.oracle.loss(&f->space, &f->config, &f->gold, &loss));
    return loss;
}

/* SH in `percent` of the steps that allow it, so that stacks get deep; else any move. */
static int random_move(field *f, int n_moves, int percent)
{
    bool shift = f->moves[0].kind == 0 && (int)dd_random_below(&f->random, 100) < percent;
    return shift ? 0 : (int)dd_random_below(&f->random, (uint32_t)n_moves);
}

/* A move of cost 0 in three of four steps: near the gold path, as in training. */
static int good_move(field *f, int n_moves)
{
    int m = (int)dd_random_below(&f->random, (uint32_t)n_moves);
    bool mistake = dd_random_below(&f->random, 4) == 0;
    while (f->costs[m] != 0 && !mistake) m = (m + 1) % n_moves;
    return m;
}

static int table_loss(field *f, dd_spine_rules rules)
{
    int loss;
    assert_true(dd_spine_table_fill(&f->table, &f->config, &f->gold, rules, &loss));
    for (int d = 0; d < f->table.diagonals; d++)
        if (f->table.longest[d] > f->longest) f->longest = f->table.longest[d];
    return loss;
}

static void compare_with_table(field *f)
{
    int built = dd_wrong_arcs(&f->config, &f->gold);
    int want = table_loss(f, as_meant);
    assert_true(want >= 0);
    assert_int_equal(loss_now(f), built + want);
    f->configurations++;
}

static void walk_beside_table(field *f, bool single_root, int percent)
{
    int n_moves;
    assert_true(dd_system_begin(&dd_lr_spine, &f->config, f->gold.n, single_root));
    while ((n_moves = dd_system_permissible(&dd_lr_spine, &f->config, f->moves)) > 0) {
        compare_with_table(f);
        int loss = loss_now(f);
        assert_true(dd_system_costs(&dd_lr_spine, &f->space, &f->config, &f->gold, f->moves,
                                    n_moves, f->costs));
        int m = percent ? random_move(f, n_moves, percent) : good_move(f, n_moves);
        dd_system_apply(&dd_lr_spine, &f->config, f->moves[m], 0);
        assert_int_equal(loss_now(f), loss + f->costs[m]);
    }
}

static void losses_are_those_of_the_papers_table(void **state)
{
    field *f = *state;
    f->configurations = 0;
    for (int t = 0; t < 1000; t++) {
        bool single_root = t % 2;
        grow_tree(f, 8 + t % 14, !single_root && t % 3 == 0);
        walk_beside_table(f, single_root, t % 7 * 15);
    }
    print_message("# %d configurations, longest list %d\n", f->configurations, f->longest);
}

/* ---- every configuration of five words ---- */

enum { SMALL = 5, MAX_SEEN = 4096, SEEN_KEY = 1 + 2 * (SMALL + 1) };

typedef struct visits {
    judge *judge;
    int32_t seen[MAX_SEEN][SEEN_KEY]; /* front, heads and stack of those visited */
    int n_seen;
} visits;

static bool seen_before(visits *v, const dd_config *c)
{
    int32_t key[SEEN_KEY];
    memset(key, 0xFF, sizeof key);
    key[0] = c->front;
    for (int word = 0; word <= c->n; word++) key[1 + word] = c->nodes[word].head;
    for (int at = 0; at < c->depth; at++) key[2 + SMALL + at] = c->stack[at];
    for (int i = 0; i < v->n_seen; i++)
        if (memcmp(v->seen[i], key, sizeof key) == 0) return true;
    assert_true(v->n_seen < MAX_SEEN);
    memcpy(v->seen[v->n_seen++], key, sizeof key);
    return false;
}

static void visit(field *f, visits *v, const dd_config *c)
{
    dd_move moves[JUDGE_MAX_MOVES];
    int loss, costs[JUDGE_MAX_MOVES];
    int n_moves = dd_system_permissible(&dd_lr_spine, c, moves);
    if (seen_before(v, c) || n_moves == 0) return;
    f->configurations++;
    assert_true(dd_lr_spine.oracle.loss(&f->space, c, &f->gold, &loss));
    assert_int_equal(loss, judge_loss(v->judge, c));
    assert_true(dd_system_costs(&dd_lr_spine, &f->space, c, &f->gold, moves, n_moves, costs));
    for (int m = 0; m < n_moves; m++) {
        dd_config next = {0};
        assert_true(dd_config_copy(&next, c));
        dd_system_apply(&dd_lr_spine, &next, moves[m], 0);
        assert_int_equal(loss + costs[m], judge_loss(v->judge, &next));
        if (loss == 0)
            assert_int_equal(dd_lr_spine.oracle.free_on_gold_path(c, &f->gold, moves[m]),
                             costs[m] == 0);
        visit(f, v, &next);
        dd_config_free(&next);
    }
}

static void every_configuration_of_five_words(void **state)
{
    field *f = *state;
    visits *v = calloc(1, sizeof *v);
    v->judge = judge_new(&dd_lr_spine);
    f->configurations = 0;
    for (int index = 0; index < 2 * 7776; index++) { /* (SMALL + 1)^SMALL, both rules */
        int32_t heads[SMALL + 1];
        if (!tree_by_index(heads, SMALL, (uint64_t)index / 2)) continue;
        assert_true(dd_gold_set(&f->gold, heads, NULL, SMALL));
        if (dd_lr_spine.oracle.refuses(&f->gold, index % 2)) continue;
        judge_reset(v->judge, &f->gold);
        v->n_seen = 0;
        assert_true(dd_system_begin(&dd_lr_spine, &f->config, SMALL, index % 2));
        visit(f, v, &f->config);
    }
    print_message("# %d configurations\n", f->configurations);
    judge_free(v->judge);
    free(v);
}

/* ---- the paper ---- */

/* An index is turned round: see docs/theory/errata.md. */
static void useless_on_the_left_means_k_greater_than_i(void **state)
{
    field *f = *state;
    int32_t heads[] = {-1, 2, 3, 0};
    dd_move moves[] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {1, 1}};
    assert_true(dd_gold_set(&f->gold, heads, NULL, 3));
    run_moves(f, moves, 5); /* 0, 1 and 3 -> 2 */
    dd_spine_rules literal = as_meant;
    literal.k_less_than_i = true;
    assert_int_equal(loss_now(f), 0);
    assert_int_equal(table_loss(f, as_meant), 0);
    assert_int_equal(table_loss(f, literal), 1);
}

/* The move's number, and how long the spine is that it counts along. */
static void moves_know_their_place(void **state)
{
    field *f = *state;
    int32_t heads[] = {-1, 2, 3, 4, 0};
    dd_move moves[] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {1, 1}, {0, 0}, {1, 1}};
    assert_true(dd_gold_set(&f->gold, heads, NULL, 4));
    run_moves(f, moves, 7); /* 0 and 4 -> 3 -> 2 after LA@1 of [.. 2 3] and of [.. 3 4] */
    dd_move asked[] = {{0, 0}, {1, 2}, {2, 1}};
    dd_candidate arcs[3];
    dd_system_candidates(&dd_lr_spine, &f->config, asked, 3, arcs);
    assert_int_equal(arcs[0].dependent, DD_NONE);
    assert_int_equal(arcs[0].place + arcs[0].rest, 0);
    assert_int_equal(arcs[1].head, 3);
    assert_int_equal(arcs[1].place, 2);
    assert_int_equal(arcs[1].rest, 1);
    assert_int_equal(arcs[2].place, 1);
    assert_int_equal(arcs[2].rest, 0);
}

/* Any part of the moves, against what each says of itself. */
static void check_candidates(field *f, int n_moves)
{
    dd_candidate arcs[LONG + 2];
    int kept = 0;
    for (int m = 0; m < n_moves; m++)
        if (dd_random_below(&f->random, 4)) f->moves[kept++] = f->moves[m];
    dd_system_candidates(&dd_lr_spine, &f->config, f->moves, kept, arcs);
    for (int m = 0; m < kept; m++) {
        dd_arc arc = dd_system_arc(&dd_lr_spine, &f->config, f->moves[m]);
        assert_int_equal(arcs[m].head, arc.head);
        assert_int_equal(arcs[m].dependent, arc.dependent);
        assert_int_equal(arcs[m].place, f->moves[m].k);
    }
}

static void arcs_are_listed_as_each_move_has_it(void **state)
{
    field *f = *state;
    for (int t = 0; t < 300; t++) {
        int n_moves;
        assert_true(dd_system_begin(&dd_lr_spine, &f->config, 1 + t % 40, t % 2));
        while ((n_moves = dd_system_permissible(&dd_lr_spine, &f->config, f->moves)) > 0) {
            dd_move move = f->moves[random_move(f, n_moves, 40 + t % 50)];
            check_candidates(f, n_moves);
            dd_system_apply(&dd_lr_spine, &f->config, move, 0);
        }
    }
}

/* All costs of all configurations: deep stacks, then whatever the moves make of them. */
static void sentences_of_500_words_do_not_hang(void **state)
{
    field *f = *state;
    for (int t = 0; t < 6; t++) {
        int n_moves;
        grow_tree(f, LONG, false);
        assert_true(dd_system_begin(&dd_lr_spine, &f->config, LONG, t % 2));
        while ((n_moves = dd_system_permissible(&dd_lr_spine, &f->config, f->moves)) > 0) {
            assert_true(dd_system_costs(&dd_lr_spine, &f->space, &f->config, &f->gold, f->moves,
                                        n_moves, f->costs));
            int m = random_move(f, n_moves, 50 + 25 * (t / 2));
            dd_system_apply(&dd_lr_spine, &f->config, f->moves[m], 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_configuration_of_five_words),
        cmocka_unit_test(losses_are_those_of_the_papers_table),
        cmocka_unit_test(useless_on_the_left_means_k_greater_than_i),
        cmocka_unit_test(moves_know_their_place),
        cmocka_unit_test(arcs_are_listed_as_each_move_has_it),
        cmocka_unit_test(sentences_of_500_words_do_not_hang),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
