#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "arena.h"
#include "systems/registry.h"
#include <dodona_tools.h>

void arena_begin(arena *a, const dd_system *system, bool single_root)
{
    *a = (arena){.system = system, .single_root = single_root, .judge = judge_new(system)};
    if (system->oracle.loss_names) a->space.variant = dd_system_find_loss(system, "exact");
    assert_true(a->space.variant >= 0);
}

void arena_end(arena *a)
{
    print_message("# %s%s: %llu configurations\n", a->system->name,
                  a->single_root ? ", single root" : "", (unsigned long long)a->configurations);
    judge_free(a->judge);
    dd_gold_free(&a->gold);
    dd_loss_space_free(&a->space);
}

void arena_complain(const arena *a, const dd_config *c, const char *what, int got, int want)
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
    assert_true(
        a->system->oracle.zero_costs(&a->space, c, &a->gold, on_gold_path, moves, n_moves, zero));
    for (int m = 0; m < n_moves; m++)
        if ((zero[m] == 0) != (costs[m] == 0) || zero[m] < 0)
            arena_complain(a, c, "a cost that only says whether it is 0", zero[m], costs[m]);
}

void arena_check(arena *a, const dd_config *c, const dd_move *moves, int n_moves)
{
    int loss, costs[JUDGE_MAX_MOVES];
    if (!judge_affords(a->judge, c)) return;
    int want = judge_loss(a->judge, c);
    assert_true(a->system->oracle.loss(&a->space, c, &a->gold, &loss));
    if (loss != want) arena_complain(a, c, "loss", loss, want);
    assert_true(dd_system_costs(a->system, &a->space, c, &a->gold, moves, n_moves, costs));
    int idle = a->system->search.idle ? a->system->search.idle(c) : DD_NONE;
    for (int m = 0; m < n_moves; m++) {
        dd_config next = {0};
        assert_true(dd_config_copy(&next, c));
        dd_system_apply(a->system, &next, moves[m], 0);
        int cost = judge_loss(a->judge, &next) - want;
        if (want == 0 && a->gold.unknown == 0 && a->system->oracle.free_on_gold_path &&
            a->system->oracle.free_on_gold_path(c, &a->gold, moves[m]) != (cost == 0))
            arena_complain(a, c, "freedom on the gold path", cost != 0, cost == 0);
        if (moves[m].kind == idle && cost != 0)
            arena_complain(a, c, "cost of an idle move", 0, cost);
        if (costs[m] != cost)
            arena_complain(a, c, a->system->rules[moves[m].kind].name, costs[m], cost);
        dd_config_free(&next);
    }
    if (a->system->oracle.zero_costs) check_zero_costs(a, c, moves, n_moves, costs, false);
    if (a->system->oracle.zero_costs && want == 0)
        check_zero_costs(a, c, moves, n_moves, costs, true);
    a->configurations++;
}

/* Looks at every end by itself: the judge remembers final configurations and so sees the arcs of
 * the first way to each only. */
static void check_end(const arena *a, const dd_config *c)
{
    int roots = 0;
    assert_true(a->system->final(c));
    for (int word = 1; word <= c->n; word++) roots += c->nodes[word].head <= 0;
    if (a->single_root && roots != 1) arena_complain(a, c, "the number of roots", roots, 1);
}

static void visit_all(arena *a, const dd_config *c)
{
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves = dd_system_permissible(a->system, c, moves);
    if (n_moves == 0) {
        check_end(a, c);
        return;
    }
    arena_check(a, c, moves, n_moves);
    for (int m = 0; m < n_moves; m++) {
        dd_config next = {0};
        assert_true(dd_config_copy(&next, c));
        dd_system_apply(a->system, &next, moves[m], 0);
        visit_all(a, &next);
        dd_config_free(&next);
    }
}

void arena_visit_all(arena *a)
{
    dd_config c = {0};
    assert_true(dd_system_begin(a->system, &c, a->gold.n, a->single_root));
    visit_all(a, &c);
    dd_config_free(&c);
}

void arena_random_walk(arena *a, dd_random *random)
{
    dd_config c = {0};
    assert_true(dd_system_begin(a->system, &c, a->gold.n, a->single_root));
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves;
    while ((n_moves = dd_system_permissible(a->system, &c, moves)) > 0) {
        arena_check(a, &c, moves, n_moves);
        int m = (int)dd_random_below(random, (uint32_t)n_moves);
        dd_system_apply(a->system, &c, moves[m], 0);
    }
    check_end(a, &c);
    dd_config_free(&c);
}

static bool builds_known_arc(const arena *a, const dd_config *c, dd_move move)
{
    dd_arc arc = dd_system_arc(a->system, c, move);
    return arc.dependent != DD_NONE && a->gold.heads[arc.dependent] == arc.head;
}

/* Whether the system prefers some moves of cost 0 to others here. */
static bool may_be_passed_over(const arena *a, const dd_config *c, const dd_move *moves,
                               int n_moves, const int *costs)
{
    bool known_arc = false;
    for (int m = 0; m < n_moves; m++)
        known_arc = known_arc || (costs[m] == 0 && builds_known_arc(a, c, moves[m]));
    return a->system->oracle.preferred ||
           (known_arc && a->gold.unknown > 0 && a->system->oracle.takes_known_arcs_first);
}

void arena_random_tree(const arena *a, dd_random *random, int32_t *heads, int n)
{
    dd_config c = {0};
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves;
    assert_true(dd_system_begin(a->system, &c, n, a->single_root));
    while ((n_moves = dd_system_permissible(a->system, &c, moves)) > 0)
        dd_system_apply(a->system, &c, moves[dd_random_below(random, (uint32_t)n_moves)], 0);
    dd_attach_rest(&c, 0);
    for (int word = 1; word <= n; word++) heads[word] = c.nodes[word].head;
    dd_config_free(&c);
}

/* The oracle says of each move that is taken whether it is free, as the costs do, or only of those
 * that the system prefers. Mostly free moves are taken, so that loss 0 lasts a while. */
void arena_guided_walk(arena *a, dd_random *random)
{
    dd_config c = {0};
    dd_oracle_state oracle = {.kind = DD_ORACLE_DYNAMIC, .system = a->system};
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves, costs[JUDGE_MAX_MOVES];
    assert_true(dd_system_begin(a->system, &c, a->gold.n, a->single_root));
    dd_oracle_state_begin(&oracle, &a->gold);
    while ((n_moves = dd_system_permissible(a->system, &c, moves)) > 0) {
        bool free;
        assert_true(dd_system_costs(a->system, &a->space, &c, &a->gold, moves, n_moves, costs));
        int m = (int)dd_random_below(random, (uint32_t)n_moves);
        for (int again = 0; again < 4 && costs[m] > 0; again++)
            m = (int)dd_random_below(random, (uint32_t)n_moves);
        assert_true(dd_oracle_state_enter(&oracle, &c, moves, n_moves));
        assert_true(dd_oracle_state_is_free(&oracle, m, &free));
        if (free ? costs[m] != 0
                 : costs[m] == 0 && !may_be_passed_over(a, &c, moves, n_moves, costs))
            arena_complain(a, &c, "what the oracle says of a move's cost", !free, costs[m]);
        dd_oracle_state_follow(&oracle, m);
        dd_system_apply(a->system, &c, moves[m], 0);
    }
    dd_oracle_state_free(&oracle);
    dd_config_free(&c);
}

uint64_t arena_configurations_wanted(void)
{
    const char *wanted = getenv("DODONA_EXACT_CONFIGURATIONS");
    return wanted ? strtoull(wanted, NULL, 10) : 100000;
}

int arena_longest(const arena *a)
{
    bool heads_in_key =
        (a->system->moves.apply || a->system->moves.permissible) && !a->system->moves.candidates;
    return heads_in_key ? 8 : 9;
}

bool arena_take(arena *a, const int32_t *heads, int n)
{
    assert_true(dd_gold_set(&a->gold, heads, NULL, n));
    if (a->system->oracle.refuses(&a->gold, a->single_root)) return false;
    judge_reset(a->judge, &a->gold);
    return true;
}

int arena_run_tests(const char *group, void (*any_roots)(void **), void (*single_root)(void **),
                    int argc, char **argv)
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
                .test_func = rule ? single_root : any_roots,
                .initial_state = (void *)(uintptr_t)system,
            };
        }
    }
    return _cmocka_run_group_tests(group, tests, count, NULL, NULL);
}
