/* The chart over folded words against the chart over all: whether there is a tree, and that it can
 * be reached and satisfies the constraints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "constrained.h"
#include "constraints/projective.h"
#include "judge.h"
#include "systems/registry.h"

enum { MOST_WORDS = 24, MOST_MOVES = 64 };

typedef struct tally {
    int found, refused, folded;
} tally;

static void complain(const constrained *s, const dd_config *c, const char *what)
{
    char room[2000];
    print_error("%s%s, n = %d, %s: %s\n  stack:", s->inventory.system->name,
                s->single_root ? ", single root" : "", c->n, constrained_text(s, room, sizeof room),
                what);
    for (int at = 0; at < c->depth; at++) print_error(" %d", c->stack[at]);
    print_error("  front: %d\n  heads:", c->front);
    for (int word = 1; word <= c->n; word++) print_error(" %d", c->nodes[word].head);
    print_error("\n");
    fail();
}

static void check_configuration(const constrained *s, dd_projection *p, const dd_config *c,
                                tally *t)
{
    int32_t heads[MOST_WORDS + 1];
    dd_projection_set(p, c);
    p->whole = true;
    bool expected = dd_projection_find(p, heads);
    int all = p->n_words;
    p->whole = false;
    bool found = dd_projection_find(p, heads);
    t->found += found;
    t->refused += !found;
    t->folded += p->n_words < all;
    if (found != expected) complain(s, c, found ? "found, wrongly" : "not found, wrongly");
    if (found && !dd_projection_reaches(p, heads)) complain(s, c, "a tree out of reach");
    if (found && !constrained_satisfied(s, heads)) complain(s, c, "a tree breaks a constraint");
}

/* Any way at all, also into configurations that no tree is left for. */
static void walk(const constrained *s, dd_projection *p, dd_random *random, tally *t)
{
    const dd_system *system = s->inventory.system;
    dd_config c = {0};
    dd_move moves[MOST_MOVES];
    uint32_t shifts = 1 + dd_random_below(random, 12);
    assert_true(dd_system_begin(system, &c, s->sentence->n, s->single_root));
    for (int count; (count = dd_system_permissible(system, &c, moves)) > 0;) {
        check_configuration(s, p, &c, t);
        bool shift = moves[0].kind == 0 && dd_random_below(random, shifts + 1) > 0;
        dd_move move = moves[shift ? 0 : dd_random_below(random, (uint32_t)count)];
        dd_system_apply(system, &c, move, 0);
    }
    dd_config_free(&c);
}

static void add_arc(constrained *s, dd_random *random, const char *kind)
{
    char text[64];
    uint32_t n = (uint32_t)s->sentence->n;
    int head = (int)dd_random_below(random, n + 1), word = 1 + (int)dd_random_below(random, n);
    if (head == word) return;
    snprintf(text, sizeof text, strcmp(kind, "arc") == 0 ? "%s %d _ %d" : "%s %d %d", kind, head,
             word);
    constrained_add(s, text);
}

static void add_span(constrained *s, dd_random *random)
{
    static const char *const modes[] = {"any", "root", "none"};
    char text[64];
    uint32_t n = (uint32_t)s->sentence->n;
    int first = 1 + (int)dd_random_below(random, n);
    int last = first + (int)dd_random_below(random, n + 1 - (uint32_t)first);
    snprintf(text, sizeof text, "span %d %d %s", first, last, modes[dd_random_below(random, 3)]);
    constrained_add(s, text);
}

static void add_leaf(constrained *s, dd_random *random)
{
    char text[64];
    uint32_t n = (uint32_t)s->sentence->n;
    snprintf(text, sizeof text, "leaf %d", 1 + (int)dd_random_below(random, n));
    constrained_add(s, text);
}

/* Few constraints, as most words must be named by none to be folded. */
static void draw_few(constrained *s, dd_random *random)
{
    for (uint32_t i = dd_random_below(random, 3); i > 0; i--) add_arc(s, random, "arc");
    for (uint32_t i = dd_random_below(random, 6); i > 0; i--) add_arc(s, random, "not-arc");
    if (dd_random_below(random, 2)) add_span(s, random);
    if (dd_random_below(random, 4) == 0)
        for (uint32_t i = dd_random_below(random, 8); i > 0; i--) add_leaf(s, random);
}

/* Of the first words some have each other for heads, and the others can hardly have any of them or
 * 0, so that several words are needed between them that nothing tells apart. */
static void draw_many(constrained *s, dd_random *random)
{
    char text[64];
    int some = 3 + (int)dd_random_below(random, 6);
    uint32_t share = 7 + dd_random_below(random, 4), arcs = dd_random_below(random, 4);
    for (int word = 1; word <= some && word <= s->sentence->n; word++) {
        int required = word + (dd_random_below(random, 2) ? 1 : -1);
        bool requires = dd_random_below(random, 6) < arcs && required > 0 && required <= some;
        for (int head = 0; head <= some && head <= s->sentence->n && !requires; head++) {
            if (head == word || dd_random_below(random, 10) >= share) continue;
            snprintf(text, sizeof text, "not-arc %d %d", head, word);
            constrained_add(s, text);
        }
        snprintf(text, sizeof text, "arc %d _ %d", required, word);
        if (requires && required <= s->sentence->n) constrained_add(s, text);
    }
    if (dd_random_below(random, 4) == 0) add_span(s, random);
}

static void draw(constrained *s, dd_random *random)
{
    constrained_words(s, 4 + (int)dd_random_below(random, MOST_WORDS - 3));
    if (dd_random_below(random, 2))
        draw_few(s, random);
    else
        draw_many(s, random);
}

static void check(const dd_system *system, const dd_horizon *horizon, bool single_root)
{
    constrained s;
    dd_projection projection = {0};
    dd_random random = {11};
    tally t = {0};
    constrained_begin(&s, system, single_root);
    for (int round = 0; round < 6000; round++) {
        draw(&s, &random);
        if (dd_constraints_build(&s.constraints, s.sentence, &s.inventory, single_root, NULL) !=
            DD_OK)
            continue;
        assert_true(dd_projection_reset(&projection, horizon, &s.constraints));
        walk(&s, &projection, &random, &t);
    }
    assert_true(t.found > 10000 && t.refused > 10000 && t.folded > 10000);
    dd_projection_free(&projection);
    constrained_end(&s);
}

/* With the horizon of the system of that name. */
static void check_both(const char *system, const char *horizon)
{
    for (int single_root = 0; single_root <= 1; single_root++)
        check(dd_system_find(system), dd_system_find(horizon)->guard->horizon, single_root);
}

static void arc_standard(void **state)
{
    (void)state;
    check_both("arc-standard", "arc-standard");
}

static void lr_spine(void **state)
{
    (void)state;
    check_both("lr-spine", "lr-spine");
}

static void arc_hybrid(void **state)
{
    (void)state;
    check_both("arc-hybrid", "arc-hybrid");
}

static void arc_eager_nm(void **state)
{
    (void)state;
    check_both("arc-eager-nm", "arc-eager-nm");
}

/* Its own arcs may cross; the chart looks for the others. */
static void attardi(void **state)
{
    (void)state;
    check_both("attardi", "arc-standard");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arc_standard), cmocka_unit_test(lr_spine), cmocka_unit_test(arc_hybrid),
        cmocka_unit_test(arc_eager_nm), cmocka_unit_test(attardi),
    };
    return cmocka_run_group_tests_name("fold", tests, NULL, NULL);
}
