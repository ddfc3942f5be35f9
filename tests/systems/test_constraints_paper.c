/* Where figure 2 of constrained-arc-eager-2014 is wrong or silent: the smallest configurations that
 * show it (docs/theory/errata.md), each with the move that must be blocked, and one that must not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "constrained.h"
#include "systems/registry.h"

typedef struct scene {
    int n;
    bool single_root;
    const char *constraints;
    const char *path;    /* moves that are allowed, one after the other */
    const char *blocked; /* what must be blocked then, NULL: nothing */
    const char *allowed; /* every other permissible move */
} scene;

static const scene scenes[] = {
    /* RIGHT-ARC: the required head of j may lie in the buffer, not only on the stack. */
    {3, false, "arc 3 _ 1; arc 3 _ 2", "SH", "RA LA", "SH"},
    /* REDUCE: "d_a = i and d_a in j|beta" never holds; i must not be the head. */
    {3, false, "arc 2 _ 3", "SH RA", "RE SH", "RA"},
    /* #CC grows when RIGHT-ARC brings a word in from a head outside of the span. */
    {4, false, "span 2 4 any", "SH SH LA RA", "RE SH", "LA RA"},
    /* #CC shrinks only if both words of a LEFT-ARC lie in the span. */
    {4, false, "span 2 4 any", "SH SH LA LA SH", "SH", "LA RA"},
    /* ROOT: a word with a head in its span cannot become the root by a dependent outside. */
    {3, false, "span 1 2 root", "SH RA", "RA", "SH RE"},
    /* A root known in advance may be pushed only when #CC is 0. */
    {3, false, "span 1 3 any; arc 0 _ 2", "SH", "SH RA", "LA"},
    /* Arcs and spans: 3 cannot take 1, and its own head is 2, so 2 must not leave 1 behind. */
    {3, false, "span 1 3 any; arc 2 _ 3", "SH", "SH", "LA RA"},
    {5, false, "span 2 4 any; arc 3 _ 4", "SH SH", "SH", "LA RA"},
    /* 2 would wait for a head between 1 and the span, whose words cannot take it. */
    {4, false, "span 3 4 none; arc 1 _ 3", "SH", "SH LA", "RA"},
    {5, false, "span 3 4 none; arc 1 _ 3; arc 5 _ 1", "SH", "SH LA", "RA"},
    /* 2 has its head in the span, so it cannot be the root, which alone may take 1. */
    {3, false, "span 2 3 root; arc 3 _ 2", "SH", "LA RA", "SH"},
    /* Single root: words 3 and 4 cannot take the others, so 1 and 2 would both depend on 0. */
    {4, true, "span 3 4 none", "SH", "SH", "LA RA"},
    /* Single root: behind 2 no word is free, so that nothing could take 1. */
    {3, true, "arc 2 _ 3", "SH", "SH", "LA RA"},
};

static bool is_listed(const char *list, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)); at += size)
        if ((at == list || at[-1] == ' ') && (at[size] == ' ' || at[size] == '\0')) return true;
    return false;
}

static void take(constrained *s, dd_config *c, const char *path)
{
    const dd_system *system = s->inventory.system;
    while (*path) {
        dd_move moves[8];
        int n_moves = dd_system_permissible(system, c, moves), taken = -1;
        n_moves = dd_constraints_filter(&s->constraints, c, moves, n_moves);
        for (int m = 0; m < n_moves; m++)
            if (strncmp(system->rules[moves[m].kind].name, path, 2) == 0) taken = m;
        if (taken < 0) fail_msg("%.2s is blocked on the way", path);
        dd_constraints_follow(&s->constraints, c, moves[taken]);
        dd_system_apply(system, c, moves[taken], 0);
        path += strlen(path) > 2 ? 3 : 2;
    }
}

static void check_scene(const scene *it)
{
    constrained s;
    dd_config c = {0};
    constrained_begin(&s, dd_system_find("arc-eager"), it->single_root);
    constrained_words(&s, it->n);
    constrained_add(&s, it->constraints);
    if (constrained_set(&s) != DD_OK) fail_msg("%s", s.error.message);
    assert_true(dd_system_begin(s.inventory.system, &c, it->n, it->single_root));
    take(&s, &c, it->path);
    dd_move moves[8];
    int n_moves = dd_system_permissible(s.inventory.system, &c, moves);
    for (int m = 0; m < n_moves; m++) {
        const char *name = s.inventory.system->rules[moves[m].kind].name;
        dd_move one = moves[m];
        bool allowed = dd_constraints_filter(&s.constraints, &c, &one, 1) == 1;
        if (allowed != is_listed(it->allowed, name) || allowed == is_listed(it->blocked, name))
            fail_msg("%s behind %s: %s is %s", it->constraints, it->path, name,
                     allowed ? "allowed" : "blocked");
    }
    dd_config_free(&c);
    constrained_end(&s);
}

static void figure_2_corrected(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) check_scene(&scenes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(figure_2_corrected)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
