/* Constraints against exhaustive search: in every configuration that allowed moves lead to, a move
 * is allowed exactly if some tree that satisfies all constraints can be reached behind it. So the
 * parser is sound, complete and never stuck; and constraints are refused exactly if no tree
 * satisfies them. Every set of at most two disjoint spans in each mode, with random arcs,
 * forbidden arcs and leaves, and every set of leaves, for every system that obeys constraints.
 *
 * With a second argument, "search", the same for the guard that a system has that brings none.
 *
 * No arc from a leaf is built, not even for a time, so where arcs can be removed the configurations
 * are searched once for each set of leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "constrained.h"
#include "reach.h"
#include "systems/registry.h"

enum { MOST_MOVES = 64, MOST_WORDS = 5 };

typedef struct arena {
    constrained stage;
    reach *by_leaves[1 << MOST_WORDS]; /* where arcs can go again; else only the first */
    reach *reach;                      /* for the leaves in hand */
    int n;
    bool has_arcs; /* else spans and leaves alone */
    reach_set satisfying;
    int n_satisfying;
    unsigned char *visited; /* [configurations] */
    dd_random random;
    uint64_t cases, refused, configurations;
} arena;

static void complain(const arena *a, const dd_config *c, const char *what)
{
    char room[1000];
    print_error("n = %d%s, %s: %s", a->n, a->stage.single_root ? ", single root" : "",
                constrained_text(&a->stage, room, sizeof room), what);
    if (c) {
        print_error("\n  stack:");
        for (int at = 0; at < c->depth; at++)
            print_error(" %d(%d)", c->stack[at], c->nodes[c->stack[at]].head);
        print_error("  front: %d", c->front);
    }
    print_error("\n");
    fail();
}

static bool is_in(const dd_move *moves, int count, dd_move move)
{
    for (int m = 0; m < count; m++)
        if (dd_same_move(moves[m], move)) return true;
    return false;
}

static bool is_from_leaf(const dd_constraints *constraints, const dd_config *c, dd_move move)
{
    dd_arc arc = dd_system_arc(constraints->system, c, move);
    return arc.dependent != DD_NONE && constraints->leaf[arc.head];
}

static void walk(arena *a, const dd_config *c)
{
    const dd_constraints *constraints = &a->stage.constraints;
    const dd_system *system = constraints->system;
    int own = reach_find(a->reach, c);
    if (a->visited[own]) return;
    a->visited[own] = 1;
    a->configurations++;
    dd_move moves[MOST_MOVES], kept[MOST_MOVES];
    int n_moves = dd_system_permissible(system, c, moves);
    memcpy(kept, moves, sizeof moves);
    int n_kept = dd_constraints_filter(constraints, c, kept, n_moves);
    for (int m = 0; m < n_moves; m++) {
        dd_config next = {0};
        if (!dd_config_copy(&next, c)) abort();
        dd_constraints_follow(constraints, &next, moves[m]);
        dd_system_apply(system, &next, moves[m], 0);
        bool leads = !is_from_leaf(constraints, c, moves[m]) &&
                     reach_meet(reach_of(a->reach, reach_find(a->reach, &next)), &a->satisfying);
        if (leads != is_in(kept, n_kept, moves[m])) {
            char name[DD_MOVE_NAME_SIZE], what[80];
            dd_system_move_name(system, moves[m], name);
            snprintf(what, sizeof what, "%s is %s, wrongly", name, leads ? "blocked" : "allowed");
            complain(a, c, what);
        }
        if (leads) walk(a, &next);
        dd_config_free(&next);
    }
}

static void find_satisfying(arena *a)
{
    memset(&a->satisfying, 0, sizeof a->satisfying);
    a->n_satisfying = 0;
    for (int t = 0; t < reach_trees(a->reach); t++) {
        if (!constrained_satisfied(&a->stage, reach_tree(a->reach, t))) continue;
        reach_add(&a->satisfying, t);
        a->n_satisfying++;
    }
}

static reach *search(arena *a, unsigned leaves)
{
    const dd_system *system = a->stage.inventory.system;
    reach **found = &a->by_leaves[system->nonmonotonic ? leaves : 0];
    if (!*found)
        *found =
            reach_new(system, a->n, a->stage.single_root, system->nonmonotonic ? leaves << 1 : 0);
    return *found;
}

/* The leaves among the constraints, the first word as bit 0. */
static unsigned leaves_of(const arena *a)
{
    unsigned leaves = 0;
    dd_text text;
    for (size_t i = 0; dd_sentence_constraint(a->stage.sentence, i, &text); i++) {
        dd_constraint it;
        char reason[DD_REASON_SIZE];
        if (dd_constraint_read(&it, text, reason) && it.kind == DD_REQUIRE_LEAF)
            leaves |= 1U << (it.word - 1);
    }
    return leaves;
}

static int count_satisfying(arena *a, unsigned leaves)
{
    a->reach = search(a, leaves);
    find_satisfying(a);
    return a->n_satisfying;
}

static void check_case(arena *a)
{
    a->cases++;
    int expected = count_satisfying(a, 0);
    if (count_satisfying(a, leaves_of(a)) != expected)
        complain(a, NULL, "without arcs from leaves fewer trees are reached");
    dd_status status = constrained_set(&a->stage);
    if ((status == DD_OK) != (a->n_satisfying > 0))
        complain(a, NULL,
                 status == DD_OK ? "passed, but no tree satisfies it" : a->stage.error.message);
    if (status != DD_OK) {
        if (status != DD_ERROR_DATA) complain(a, NULL, "refused with another status");
        a->refused++;
        return;
    }
    dd_config c = {0};
    a->visited = calloc((size_t)reach_configurations(a->reach), 1);
    if (!dd_system_begin(a->stage.constraints.system, &c, a->n, a->stage.single_root)) abort();
    walk(a, &c);
    free(a->visited);
    dd_config_free(&c);
}

/* ---- cases -------------------------------------------------------------------------------- */

typedef struct span_choice {
    int count;
    dd_constraint spans[2];
} span_choice;

static void add_spans(arena *a, const span_choice *choice)
{
    for (int i = 0; i < choice->count; i++) {
        const dd_constraint *span = &choice->spans[i];
        assert_int_equal(
            dd_sentence_require_span(a->stage.sentence, span->first, span->last, span->mode, NULL),
            DD_OK);
    }
}

/* Arcs of a random tree, which mostly satisfies nothing else, or of one that satisfies the spans.
 */
static const int32_t *draw_tree(arena *a)
{
    bool fitting = count_satisfying(a, 0) > 0 && dd_random_below(&a->random, 4) > 0;
    for (;;) {
        int t = (int)dd_random_below(&a->random, (uint32_t)reach_trees(a->reach));
        if (!fitting || (a->satisfying.bits[t / 64] >> (t % 64) & 1))
            return reach_tree(a->reach, t);
    }
}

static void draw_more(arena *a, int round)
{
    const int32_t *heads = draw_tree(a);
    int forbidden = round % 4 == 3 ? 1 + (int)dd_random_below(&a->random, 5) : 0;
    if (a->has_arcs)
        constrained_draw_arcs(&a->stage, &a->random, heads, round % 2 ? 2 : 4, forbidden);
    if (round % 5 == 0 || !a->has_arcs) constrained_draw_leaves(&a->stage, &a->random, heads, 4);
}

static void check_choice(arena *a, const span_choice *choice, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        constrained_words(&a->stage, a->n);
        add_spans(a, choice);
        if (round > 0) draw_more(a, round);
        if (dd_constraint_count(a->stage.sentence) > 0) check_case(a);
    }
}

static void add_leaves(arena *a, unsigned leaves)
{
    for (int word = 1; word <= a->n; word++)
        if (leaves >> (word - 1) & 1)
            assert_int_equal(dd_sentence_require_leaf(a->stage.sentence, word, NULL), DD_OK);
}

/* Leaves alone, and with what holds in a tree or does not. */
static void check_leaves(arena *a, unsigned leaves, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        constrained_words(&a->stage, a->n);
        add_leaves(a, leaves);
        if (round > 0) {
            const int32_t *heads = draw_tree(a);
            if (round % 3 == 1) constrained_draw_spans(&a->stage, &a->random, heads);
            if (a->has_arcs)
                constrained_draw_arcs(&a->stage, &a->random, heads, round % 4,
                                      round % 5 == 4 ? 3 : 0);
        }
        check_case(a);
    }
}

static bool next_span(int n, dd_constraint *span)
{
    if (span->mode < DD_SPAN_NONE) {
        span->mode++;
        return true;
    }
    span->mode = DD_SPAN_ANY;
    if (span->last < n) {
        span->last++;
        return true;
    }
    span->last = ++span->first;
    return span->first <= n;
}

static void check_all_spans(arena *a, int rounds)
{
    span_choice choice = {0};
    check_choice(a, &choice, 20 * rounds);
    choice.spans[0] = (dd_constraint){.first = 1, .last = 1};
    do {
        choice.count = 1;
        check_choice(a, &choice, rounds);
        choice.count = 2;
        choice.spans[1] =
            (dd_constraint){.first = choice.spans[0].last + 1, .last = choice.spans[0].last + 1};
        if (choice.spans[1].first > a->n) continue;
        do check_choice(a, &choice, rounds);
        while (next_span(a->n, &choice.spans[1]));
    } while (next_span(a->n, &choice.spans[0]));
}

static void check_size(const dd_system *system, int n, bool single_root, int rounds, bool has_arcs)
{
    arena a = {.n = n, .has_arcs = has_arcs, .random = {(uint64_t)n + 17}};
    constrained_begin(&a.stage, system, single_root);
    check_all_spans(&a, rounds);
    for (unsigned leaves = 1; leaves < 1U << n; leaves++) check_leaves(&a, leaves, rounds);
    print_message("# %s%s, n = %d: %llu sets of constraints, %llu refused, %llu configurations\n",
                  system->name, single_root ? " (single root)" : "", n, (unsigned long long)a.cases,
                  (unsigned long long)a.refused, (unsigned long long)a.configurations);
    for (int i = 0; i < 1 << MOST_WORDS; i++)
        if (a.by_leaves[i]) reach_free(a.by_leaves[i]);
    constrained_end(&a.stage);
}

/* Systems without a stack have too many configurations over five words for as many rounds; nor need
 * a search be tried as often. */
static void check_system(const dd_system *system)
{
    static const int rounds_of[][6] = {{0, 8, 16, 40, 40, 60}, {0, 8, 16, 40, 20, 4}};
    const int *rounds = rounds_of[!system->guard];
    bool has_stack = strncmp(system->name, "covington", strlen("covington")) != 0;
    for (int n = 1; n <= 5; n++)
        for (int single_root = 0; single_root <= 1; single_root++) {
            bool few = n == 5 && !has_stack;
            check_size(system, n, single_root, few ? 2 : rounds[n], !few);
        }
}

static void exhaustive(void **state)
{
    check_system(*state);
}

int main(int argc, char **argv)
{
    const dd_system *system = argc > 1 ? dd_system_find(argv[1]) : NULL;
    if (!system || argc > 3 || (argc == 3 && strcmp(argv[2], "search") != 0)) {
        fprintf(stderr, "usage: %s SYSTEM [search]\n", argv[0]);
        return 2;
    }
    dd_system searched = *system;
    if (argc == 3) {
        searched.guard = NULL;
        system = &searched;
    }
    const struct CMUnitTest tests[] = {
        {system->name, exhaustive, NULL, NULL, (void *)(uintptr_t)system}};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
