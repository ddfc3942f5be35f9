/* Leaves that are wished for against exhaustive search: the sentence's constraints are refused
 * exactly if they would be without wishes; the leaves that are granted can be had together with
 * them, and none of the others could be had besides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dodona_tools.h>

#include "constrained.h"
#include "reach.h"
#include "systems/registry.h"

enum { MOST_WORDS = 5 };

typedef struct arena {
    constrained stage;
    reach *reach;
    int n;
    dd_random random;
    bool wished[MOST_WORDS + 1], granted[MOST_WORDS + 1];
    int refused, all, some;
} arena;

static void complain(const arena *a, const char *what)
{
    char room[1000];
    print_error("%s, n = %d%s, %s: %s\n  wished, granted:", a->stage.inventory.system->name, a->n,
                a->stage.single_root ? ", single root" : "",
                constrained_text(&a->stage, room, sizeof room), what);
    for (int word = 1; word <= a->n; word++)
        if (a->wished[word]) print_error(" %d%s", word, a->granted[word] ? "+" : "-");
    print_error("\n");
    fail();
}

static bool has_leaves(const int32_t *heads, int n, const bool *leaves)
{
    for (int word = 1; word <= n; word++)
        if (leaves[heads[word]]) return false;
    return true;
}

/* The slow, obvious way. */
static bool can_have(const arena *a, const bool *leaves)
{
    for (int t = 0; t < reach_trees(a->reach); t++) {
        const int32_t *heads = reach_tree(a->reach, t);
        if (has_leaves(heads, a->n, leaves) && constrained_satisfied(&a->stage, heads)) return true;
    }
    return false;
}

static void draw(arena *a)
{
    uint32_t trees = (uint32_t)reach_trees(a->reach);
    const int32_t *heads = reach_tree(a->reach, (int)dd_random_below(&a->random, trees));
    constrained_words(&a->stage, a->n);
    if (dd_random_below(&a->random, 2)) constrained_draw_spans(&a->stage, &a->random, heads);
    if (dd_random_below(&a->random, 3) == 0)
        heads = reach_tree(a->reach, (int)dd_random_below(&a->random, trees));
    constrained_draw_arcs(&a->stage, &a->random, heads, (int)dd_random_below(&a->random, 5),
                          (int)dd_random_below(&a->random, 3));
    uint32_t share = 1 + dd_random_below(&a->random, 4);
    for (int word = 1; word <= a->n; word++)
        a->wished[word] = dd_random_below(&a->random, 4) < share;
}

static void check_granted(arena *a)
{
    int missing = 0;
    if (!can_have(a, a->granted)) complain(a, "too much is granted");
    for (int word = 1; word <= a->n; word++) {
        if (a->stage.constraints.leaf[word] != a->granted[word])
            complain(a, "what is granted is not in force");
        if (a->granted[word] && !a->wished[word]) complain(a, "nobody wished that");
        if (a->granted[word] || !a->wished[word]) continue;
        missing++;
        a->granted[word] = true;
        if (can_have(a, a->granted)) complain(a, "too little is granted");
        a->granted[word] = false;
    }
    a->all += missing == 0;
    a->some += missing > 0;
}

static void check_case(arena *a)
{
    static const bool none[MOST_WORDS + 1];
    draw(a);
    if (dd_constraint_count(a->stage.sentence) == 0) return;
    dd_status status =
        dd_constraints_set_wishing(&a->stage.constraints, a->stage.sentence, &a->stage.inventory,
                                   a->stage.single_root, a->wished, a->granted, &a->stage.error);
    if ((status == DD_OK) != can_have(a, none))
        complain(a, status == DD_OK ? "passed, wrongly" : a->stage.error.message);
    if (status == DD_OK)
        check_granted(a);
    else
        a->refused++;
}

static void wishes_are_granted_as_far_as_can_be(void **state)
{
    for (int single_root = 0; single_root <= 1; single_root++) {
        arena a = {.n = 4, .random = {3}};
        constrained_begin(&a.stage, *state, single_root);
        a.reach = reach_new(*state, a.n, single_root, 0);
        for (int round = 0; round < 4000; round++) check_case(&a);
        print_message("# %d refused, %d with all, %d with some\n", a.refused, a.all, a.some);
        assert_true(a.refused > 20 && a.all > 200 && a.some > 200);
        reach_free(a.reach);
        constrained_end(&a.stage);
    }
}

int main(void)
{
    struct CMUnitTest tests[DD_MAX_SYSTEMS];
    size_t count = dd_system_count();
    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){dd_system_get(i)->name, wishes_are_granted_as_far_as_can_be,
                                       NULL, NULL, (void *)(uintptr_t)dd_system_get(i)};
    return _cmocka_run_group_tests("wishes", tests, count, NULL, NULL);
}
