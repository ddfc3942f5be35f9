/* Every system's losses, costs, permissibility and static oracle against exhaustive search: all
 * configurations of all trees up to n = 4 that it can build, then random walks through random
 * trees; and what the trainer is told along a derivation against the costs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "judge.h"
#include "oracles/oracle.h"
#include <dodona.h>

typedef struct arena {
    const dd_system *system;
    bool single_root;
    judge *judge;
    dd_gold gold;
    dd_loss_space space;
    uint64_t configurations;
} arena;

static void complain(const arena *a, const dd_config *c, const char *what, int got, int want)
{
    print_error("%s%s: %s is %d, exhaustive search says %d\n  gold heads:", a->system->name,
                a->single_root ? " (single root)" : "", what, got, want);
    for (int word = 1; word <= c->n; word++) print_error(" %d", a->gold.heads[word]);
    print_error("\n  stack:");
    for (int at = 0; at < c->depth; at++)
        print_error(" %d%s", c->stack[at], dd_headless(c, c->stack[at]) ? "" : "*");
    print_error("\n  front: %d\n", c->front);
    fail();
}

/* What training asks for: cost 0 or not. */
static void check_zero_costs(arena *a, const dd_config *c, const dd_move *moves, int n_moves,
                             const int *costs, bool on_gold_path)
{
    int zero[JUDGE_MAX_MOVES];
    assert_true(a->system->zero_costs(&a->space, c, &a->gold, on_gold_path, moves, n_moves, zero));
    for (int m = 0; m < n_moves; m++)
        if ((zero[m] == 0) != (costs[m] == 0) || zero[m] < 0)
            complain(a, c, "a cost that only says whether it is 0", zero[m], costs[m]);
}

static void check_configuration(arena *a, const dd_config *c, const dd_move *moves, int n_moves)
{
    int loss, costs[JUDGE_MAX_MOVES];
    if (!judge_affords(a->judge, c)) return;
    int want = judge_loss(a->judge, c);
    assert_true(a->system->loss(&a->space, c, &a->gold, &loss));
    if (loss != want) complain(a, c, "loss", loss, want);
    assert_true(dd_system_costs(a->system, &a->space, c, &a->gold, moves, n_moves, costs));
    int idle = a->system->idle ? a->system->idle(c) : DD_NONE;
    for (int m = 0; m < n_moves; m++) {
        dd_config next = {0};
        assert_true(dd_config_copy(&next, c));
        dd_system_apply(a->system, &next, moves[m], 0);
        int cost = judge_loss(a->judge, &next) - want;
        if (want == 0 && a->system->free_on_gold_path &&
            a->system->free_on_gold_path(c, &a->gold, moves[m]) != (cost == 0))
            complain(a, c, "freedom on the gold path", cost != 0, cost == 0);
        if (moves[m].kind == idle && cost != 0) complain(a, c, "cost of an idle move", 0, cost);
        if (costs[m] != cost) complain(a, c, a->system->rules[moves[m].kind].name, costs[m], cost);
        dd_config_free(&next);
    }
    if (a->system->zero_costs) check_zero_costs(a, c, moves, n_moves, costs, false);
    if (a->system->zero_costs && want == 0) check_zero_costs(a, c, moves, n_moves, costs, true);
    a->configurations++;
}

/* Looks at every end by itself: the judge remembers final configurations and so sees the arcs of
 * the first way to each only. */
static void check_end(const arena *a, const dd_config *c)
{
    int roots = 0;
    assert_true(a->system->final(c));
    for (int word = 1; word <= c->n; word++) roots += c->nodes[word].head <= 0;
    if (a->single_root && roots != 1) complain(a, c, "the number of roots", roots, 1);
}

static void visit_all(arena *a, const dd_config *c)
{
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves = dd_system_permissible(a->system, c, moves);
    if (n_moves == 0) {
        check_end(a, c);
        return;
    }
    check_configuration(a, c, moves, n_moves);
    for (int m = 0; m < n_moves; m++) {
        dd_config next = {0};
        assert_true(dd_config_copy(&next, c));
        dd_system_apply(a->system, &next, moves[m], 0);
        visit_all(a, &next);
        dd_config_free(&next);
    }
}

/* The static oracle keeps to permissible transitions of cost 0 and ends in the gold tree. */
static void check_canonical_path(arena *a)
{
    dd_config c = {0};
    assert_true(dd_system_begin(a->system, &c, a->gold.n, a->single_root));
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves, costs[JUDGE_MAX_MOVES];
    while ((n_moves = dd_system_permissible(a->system, &c, moves)) > 0) {
        check_configuration(a, &c, moves, n_moves);
        assert_true(dd_system_costs(a->system, &a->space, &c, &a->gold, moves, n_moves, costs));
        dd_move canonical = a->system->canonical(&c, &a->gold);
        int chosen = -1;
        for (int m = 0; m < n_moves; m++)
            if (dd_same_move(moves[m], canonical)) chosen = m;
        if (chosen < 0) complain(a, &c, "the static move (not permissible)", canonical.kind, 0);
        if (costs[chosen] != 0) complain(a, &c, "cost of the static move", costs[chosen], 0);
        dd_system_apply(a->system, &c, moves[chosen], 0);
    }
    dd_attach_rest(&c, 0);
    for (int word = 1; word <= c.n; word++)
        assert_int_equal(c.nodes[word].head, a->gold.heads[word]);
    dd_config_free(&c);
}

static void random_walk(arena *a, dd_random *random)
{
    dd_config c = {0};
    assert_true(dd_system_begin(a->system, &c, a->gold.n, a->single_root));
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves;
    while ((n_moves = dd_system_permissible(a->system, &c, moves)) > 0) {
        check_configuration(a, &c, moves, n_moves);
        int m = (int)dd_random_below(random, (uint32_t)n_moves);
        dd_system_apply(a->system, &c, moves[m], 0);
    }
    check_end(a, &c);
    dd_config_free(&c);
}

/* The guide says of each move that is taken whether it is free, as the costs do, or only of those
 * that the system prefers. Mostly free moves are taken, so that loss 0 lasts a while. */
static void guided_walk(arena *a, dd_random *random)
{
    dd_config c = {0};
    dd_guide guide = {.kind = DD_ORACLE_DYNAMIC, .system = a->system};
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves, costs[JUDGE_MAX_MOVES];
    assert_true(dd_system_begin(a->system, &c, a->gold.n, a->single_root));
    dd_guide_begin(&guide, &a->gold);
    while ((n_moves = dd_system_permissible(a->system, &c, moves)) > 0) {
        bool free;
        assert_true(dd_system_costs(a->system, &a->space, &c, &a->gold, moves, n_moves, costs));
        int m = (int)dd_random_below(random, (uint32_t)n_moves);
        for (int again = 0; again < 4 && costs[m] > 0; again++)
            m = (int)dd_random_below(random, (uint32_t)n_moves);
        assert_true(dd_guide_enter(&guide, &c, moves, n_moves));
        assert_true(dd_guide_is_free(&guide, m, &free));
        if (free ? costs[m] != 0 : costs[m] == 0 && !a->system->preferred)
            complain(a, &c, "what the guide says of a move's cost", !free, costs[m]);
        dd_guide_follow(&guide, m);
        dd_system_apply(a->system, &c, moves[m], 0);
    }
    dd_guide_free(&guide);
    dd_config_free(&c);
}

/* Makes the tree the current gold tree; false if the system cannot build it under the rule. */
static bool take_tree(arena *a, const int32_t *heads, int n)
{
    assert_true(dd_gold_set(&a->gold, heads, NULL, n));
    if (a->system->refuses(&a->gold, a->single_root)) return false;
    judge_reset(a->judge, &a->gold);
    return true;
}

static void all_small_trees(arena *a, int max_n)
{
    int32_t heads[JUDGE_MAX_N + 1];
    for (int n = 1; n <= max_n; n++) {
        uint64_t count = 1;
        for (int i = 0; i < n; i++) count *= (uint64_t)(n + 1);
        for (uint64_t index = 0; index < count; index++) {
            if (!tree_by_index(heads, n, index) || !take_tree(a, heads, n)) continue;
            check_canonical_path(a);
            dd_config c = {0};
            assert_true(dd_system_begin(a->system, &c, n, a->single_root));
            visit_all(a, &c);
            dd_config_free(&c);
        }
    }
}

/* Trees of any shape where the system takes them, else projective ones. */
static void next_tree(arena *a, dd_random *random, int n, int t)
{
    int32_t heads[JUDGE_MAX_N + 1];
    bool several_roots = !a->single_root && t % 3 == 0;
    random_tree(random, heads, n, several_roots);
    if (t % 2 == 0 && take_tree(a, heads, n)) return;
    random_projective_tree(random, heads, n, several_roots);
    assert_true(take_tree(a, heads, n));
}

/* Until at least so many configurations were checked. */
static void random_trees(arena *a, uint64_t configurations, int max_n, int walks)
{
    dd_random random = {20140601};
    uint64_t before = a->configurations;
    for (int t = 0; a->configurations < before + configurations; t++) {
        next_tree(a, &random, 4 + t % (max_n - 3), t);
        check_canonical_path(a);
        for (int w = 0; w < walks; w++) random_walk(a, &random);
        if (!a->system->loss_names) guided_walk(a, &random);
    }
}

/* 100,000 for each system and rule; under a sanitizer, where memory is at stake and not the
 * numbers, fewer will do. */
static uint64_t configurations_wanted(void)
{
    const char *wanted = getenv("DODONA_EXACT_CONFIGURATIONS");
    return wanted ? strtoull(wanted, NULL, 10) : 100000;
}

static void run(void **state, bool single_root)
{
    arena a = {.system = *state, .single_root = single_root, .judge = judge_new(*state)};
    if (a.system->loss_names) a.space.variant = dd_system_find_loss(a.system, "exact");
    assert_true(a.space.variant >= 0);
    all_small_trees(&a, 4);
    /* The judge has much to remember where all heads are part of its key. */
    bool heads_in_key = (a.system->apply || a.system->permissible) && !a.system->place;
    random_trees(&a, configurations_wanted(), heads_in_key ? 8 : 9, 16);
    print_message("# %s%s: %llu configurations\n", a.system->name,
                  single_root ? ", single root" : "", (unsigned long long)a.configurations);
    judge_free(a.judge);
    dd_gold_free(&a.gold);
    dd_loss_space_free(&a.space);
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
    struct CMUnitTest tests[2 * DD_MAX_SYSTEMS];
    char names[2 * DD_MAX_SYSTEMS][80];
    size_t count = 0;
    size_t first = argc > 2 ? (size_t)atoi(argv[1]) : 0;
    size_t step = argc > 2 ? (size_t)atoi(argv[2]) : 1;
    for (size_t s = first; s < dd_system_count(); s += step) {
        for (int rule = 0; rule < 2; rule++, count++) {
            const dd_system *system = dd_system_get(s);
            snprintf(names[count], sizeof names[count], "%s %s", system->name,
                     rule ? "single root" : "any roots");
            tests[count] = (struct CMUnitTest){
                .name = names[count],
                .test_func =
                    rule ? exact_under_the_single_root_rule : exact_as_the_papers_define_it,
                .initial_state = (void *)(uintptr_t)system,
            };
        }
    }
    return _cmocka_run_group_tests("exact", tests, count, NULL, NULL);
}
