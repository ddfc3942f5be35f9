/* arc-eager's rules for required arcs and spans against exhaustive search, for every set of
 * constraints that they decide: every set of disjoint spans in each mode, of required arcs and of
 * leaves outside of spans. In every configuration that allowed moves lead to, a move is allowed
 * exactly if a tree that satisfies all constraints can be reached after it, and a set is refused
 * exactly if no tree satisfies it. The automaton of arc_eager_pushdown.c must say the same of each
 * move; so must it of sets with a forbidden arc or a leaf in a span, which it decides alone.
 *
 * Up to 4 words; DODONA_GUARD_WORDS says how many else, from 1 to 5. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "constrained.h"
#include "reach.h"
#include "systems/arc_eager/arc_eager.h"
#include "systems/registry.h"

enum { MOST_WORDS = 5, MOST_MOVES = 4 };

/* A set of constraints. */
typedef struct wanted {
    int n_spans;
    dd_span spans[MOST_WORDS];
    int heads[MOST_WORDS + 2]; /* DD_NONE: any; gcc 12 sees one more than there are */
    unsigned leaves;           /* bit w: word w */
    dd_arc forbidden;          /* dependent DD_NONE: none */
} wanted;

/* Sets of constraints by what decides them. */
enum { ARCS_AND_SPANS, OTHER_RULES, AUTOMATON, KINDS };

typedef struct count {
    uint64_t sets, refused, configurations, moves;
} count;

typedef struct stage {
    constrained s;
    reach *reach;
    int n;
    wanted wanted;
    dd_pushdown *pushdown;
    unsigned char *visited; /* [configurations] */
    dd_random random;
    count counts[KINDS], *count; /* that of the set in hand */
} stage;

static void complain(const stage *g, const dd_config *c, const char *what)
{
    char room[1000];
    print_error("n = %d%s, %s: %s\n", g->n, g->s.single_root ? ", single root" : "",
                constrained_text(&g->s, room, sizeof room), what);
    for (int at = 0; c && at < c->depth; at++)
        print_error(" %d(%d)", c->stack[at], c->nodes[c->stack[at]].head);
    print_error("  front: %d\n", c ? c->front : 0);
    fail();
}

/* ---- one set of constraints ----------------------------------------------------------------- */

static void write_constraints(stage *g)
{
    const wanted *w = &g->wanted;
    dd_sentence *sentence = g->s.sentence;
    constrained_words(&g->s, g->n);
    for (int i = 0; i < w->n_spans; i++)
        assert_int_equal(dd_sentence_require_span(sentence, w->spans[i].first, w->spans[i].last,
                                                  w->spans[i].mode, NULL),
                         DD_OK);
    for (int word = 1; word <= g->n; word++) {
        if (w->heads[word] != DD_NONE)
            assert_int_equal(
                dd_sentence_require_arc(sentence, w->heads[word], (dd_text){"", 0}, word, NULL),
                DD_OK);
        if (w->leaves >> word & 1)
            assert_int_equal(dd_sentence_require_leaf(sentence, word, NULL), DD_OK);
    }
    if (w->forbidden.dependent != DD_NONE)
        assert_int_equal(
            dd_sentence_forbid_arc(sentence, w->forbidden.head, w->forbidden.dependent, NULL),
            DD_OK);
}

static void walk(stage *g, const dd_config *c, const reach_set *satisfying)
{
    const dd_constraints *constraints = &g->s.constraints;
    const dd_system *system = constraints->system;
    int own = reach_find(g->reach, c);
    if (g->visited[own]) return;
    g->visited[own] = 1;
    g->count->configurations++;
    dd_move moves[MOST_MOVES];
    int n_moves = dd_system_permissible(system, c, moves);
    for (int m = 0; m < n_moves; m++) {
        dd_config next = {0};
        if (!dd_config_copy(&next, c)) abort();
        dd_constraints_follow(constraints, &next, moves[m]);
        dd_system_apply(system, &next, moves[m], 0);
        bool leads = reach_meet(reach_of(g->reach, reach_find(g->reach, &next)), satisfying);
        g->count->moves++;
        if (dd_constraints_allow(constraints, c, moves[m]) != leads)
            complain(g, c, leads ? "a move is blocked, wrongly" : "a move is allowed, wrongly");
        if (!constraints->only_leaves &&
            dd_pushdown_allows(g->pushdown, constraints, c, moves[m]) != leads)
            complain(g, c, "the automaton is wrong");
        if (leads) walk(g, &next, satisfying);
        dd_config_free(&next);
    }
}

static bool in_span(const wanted *w, int word)
{
    for (int i = 0; i < w->n_spans; i++)
        if (w->spans[i].first <= word && word <= w->spans[i].last) return true;
    return false;
}

static int kind_of(const stage *g)
{
    const wanted *w = &g->wanted;
    bool arcs = false;
    if (w->forbidden.dependent != DD_NONE) return AUTOMATON;
    for (int word = 1; word <= g->n; word++) {
        if (w->leaves >> word & 1 && in_span(w, word)) return AUTOMATON;
        arcs = arcs || w->heads[word] != DD_NONE;
    }
    return arcs && w->n_spans > 0 ? ARCS_AND_SPANS : OTHER_RULES;
}

static void check_set(stage *g, const reach_set *satisfying, bool satisfiable)
{
    write_constraints(g);
    if (dd_constraint_count(g->s.sentence) == 0) return;
    g->count = &g->counts[kind_of(g)];
    g->count->sets++;
    if ((constrained_set(&g->s) == DD_OK) != satisfiable)
        complain(g, NULL, satisfiable ? "refused, wrongly" : "passed, wrongly");
    if (!satisfiable) {
        g->count->refused++;
        return;
    }
    const dd_constraints *constraints = &g->s.constraints;
    assert_true(dd_pushdown_set(&g->pushdown, constraints));
    memset(g->visited, 0, (size_t)reach_configurations(g->reach));
    dd_config c = {0};
    if (!dd_system_begin(constraints->system, &c, g->n, g->s.single_root)) abort();
    walk(g, &c, satisfying);
    dd_config_free(&c);
}

/* ---- the trees that satisfy it -------------------------------------------------------------- */

static bool spans_hold(const wanted *w, const int32_t *heads, int n)
{
    for (int i = 0; i < w->n_spans; i++) {
        const dd_span *span = &w->spans[i];
        int root = DD_NONE;
        for (int word = span->first; word <= span->last; word++) {
            if (span->first <= heads[word] && heads[word] <= span->last) continue;
            if (root != DD_NONE) return false;
            root = word;
        }
        for (int word = 1; word <= n && span->mode != DD_SPAN_ANY; word++) {
            bool from = span->first <= heads[word] && heads[word] <= span->last;
            bool leaves = from && (word < span->first || word > span->last);
            if (leaves && (span->mode == DD_SPAN_NONE || heads[word] != root)) return false;
        }
    }
    return true;
}

/* Keeps the trees in which the word has the head. */
static bool keep_head(const stage *g, reach_set *trees, int head, int word)
{
    bool any = false;
    for (int t = 0; t < reach_trees(g->reach); t++) {
        uint64_t bit = UINT64_C(1) << (t % 64);
        if (reach_tree(g->reach, t)[word] != head) trees->bits[t / 64] &= ~bit;
        any = any || trees->bits[t / 64] & bit;
    }
    return any;
}

/* Keeps those without the arc. */
static bool keep_without(const stage *g, reach_set *trees, dd_arc arc)
{
    bool any = false;
    for (int t = 0; t < reach_trees(g->reach); t++) {
        uint64_t bit = UINT64_C(1) << (t % 64);
        if (reach_tree(g->reach, t)[arc.dependent] == arc.head) trees->bits[t / 64] &= ~bit;
        any = any || trees->bits[t / 64] & bit;
    }
    return any;
}

static bool keep_leaf(const stage *g, reach_set *trees, int word)
{
    bool any = true;
    for (int dependent = 1; dependent <= g->n; dependent++)
        if (dependent != word) any = keep_without(g, trees, (dd_arc){word, dependent});
    return any || g->n == 1;
}

static bool keep_spans(const stage *g, reach_set *trees)
{
    bool any = false;
    memset(trees, 0, sizeof *trees);
    for (int t = 0; t < reach_trees(g->reach); t++) {
        if (!spans_hold(&g->wanted, reach_tree(g->reach, t), g->n)) continue;
        reach_add(trees, t);
        any = true;
    }
    return any;
}

/* ---- all sets ------------------------------------------------------------------------------- */

/* The same set with an arc that is forbidden, one of all that are not required. */
static void check_by_automaton(stage *g, const reach_set *trees)
{
    reach_set kept = *trees;
    int word = 1 + (int)dd_random_below(&g->random, (uint32_t)g->n);
    int head = (int)dd_random_below(&g->random, (uint32_t)g->n + 1);
    if (head == word || head == g->wanted.heads[word]) return;
    g->wanted.forbidden = (dd_arc){head, word};
    bool satisfiable = keep_without(g, &kept, g->wanted.forbidden);
    check_set(g, &kept, satisfiable);
    g->wanted.forbidden.dependent = DD_NONE;
}

static void try_leaves(stage *g, const reach_set *trees, bool satisfiable, int word)
{
    if (word > g->n) {
        check_set(g, trees, satisfiable);
        if (satisfiable) check_by_automaton(g, trees);
        return;
    }
    try_leaves(g, trees, satisfiable, word + 1);
    /* Of sets that nothing satisfies the smallest are enough; leaves in spans are rare. */
    if (!satisfiable) return;
    if (in_span(&g->wanted, word) && dd_random_below(&g->random, 16) > 0) return;
    reach_set kept = *trees;
    g->wanted.leaves |= 1U << word;
    bool possible = keep_leaf(g, &kept, word);
    try_leaves(g, &kept, possible, word + 1);
    g->wanted.leaves &= ~(1U << word);
}

static void try_arcs(stage *g, const reach_set *trees, int word)
{
    if (word > g->n) {
        try_leaves(g, trees, true, 1);
        return;
    }
    try_arcs(g, trees, word + 1);
    for (int head = 0; head <= g->n; head++) {
        if (head == word) continue;
        reach_set kept = *trees;
        g->wanted.heads[word] = head;
        if (keep_head(g, &kept, head, word))
            try_arcs(g, &kept, word + 1);
        else {
            check_set(g, &kept, false);
        }
    }
    g->wanted.heads[word] = DD_NONE;
}

static void try_spans(stage *g, int from)
{
    if (from > g->n) {
        reach_set trees;
        if (keep_spans(g, &trees))
            try_arcs(g, &trees, 1);
        else
            check_set(g, &trees, false);
        return;
    }
    try_spans(g, from + 1);
    for (int last = from; last <= g->n; last++) {
        for (int mode = DD_SPAN_ANY; mode <= DD_SPAN_NONE; mode++) {
            g->wanted.spans[g->wanted.n_spans++] = (dd_span){from, last, (dd_span_mode)mode};
            try_spans(g, last + 1);
            g->wanted.n_spans--;
        }
    }
}

static void add(count *total, const count *more)
{
    total->sets += more->sets;
    total->refused += more->refused;
    total->configurations += more->configurations;
    total->moves += more->moves;
}

static void check_size(int n, bool single_root, count *total)
{
    stage g = {.n = n, .random = {(uint64_t)n}};
    const dd_system *system = dd_system_find("arc-eager");
    constrained_begin(&g.s, system, single_root);
    g.reach = reach_new(system, n, single_root, 0);
    g.visited = malloc((size_t)reach_configurations(g.reach));
    assert_non_null(g.visited);
    for (int word = 0; word <= n; word++) g.wanted.heads[word] = DD_NONE;
    g.wanted.forbidden.dependent = DD_NONE;
    try_spans(&g, 1);
    for (int kind = 0; kind < KINDS; kind++) {
        add(&total[kind], &g.counts[kind]);
        assert_true(n < 3 || (g.counts[kind].moves > 0 && g.counts[kind].refused > 0));
    }
    free(g.visited);
    dd_pushdown_free(g.pushdown);
    reach_free(g.reach);
    constrained_end(&g.s);
}

static void every_set_of_constraints(void **state)
{
    (void)state;
    const char *asked = getenv("DODONA_GUARD_WORDS");
    int words = asked ? atoi(asked) : 4;
    assert_in_range(words, 1, MOST_WORDS);
    count total[KINDS] = {{0}};
    for (int n = 1; n <= words; n++)
        for (int single_root = 0; single_root <= 1; single_root++)
            check_size(n, single_root, total);
    static const char *const names[] = {"arcs and spans", "arcs or spans or leaves", "automaton"};
    for (int kind = 0; kind < KINDS; kind++)
        print_message(
            "# %s: %llu sets, %llu refused, %llu configurations, %llu moves\n", names[kind],
            (unsigned long long)total[kind].sets, (unsigned long long)total[kind].refused,
            (unsigned long long)total[kind].configurations, (unsigned long long)total[kind].moves);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_set_of_constraints)};
    return cmocka_run_group_tests_name("arc-eager-guard", tests, NULL, NULL);
}
