/* The automaton that decides about constraints in attardi against exhaustive search, along random
 * walks that may also lead where no tree is left: with a node for each word, and with so few nodes
 * that words must stand for others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "constrained.h"
#include "constraints/projective.h"
#include "systems/attardi/attardi_pushdown.h"
#include "systems/registry.h"

enum { MOST_WORDS = 11, MOST_SPANS = MOST_WORDS, MOST_MOVES = 8 };

/* ---- the judge ------------------------------------------------------------------------------ */

/* A stack is a set of words, as they stay in order. */
typedef struct judge {
    const dd_constraints *c;
    int root[MOST_SPANS];                                /* of each span, as is tried now */
    unsigned char seen[MOST_WORDS + 2][1 << MOST_WORDS]; /* [front][stack] */
} judge;

static bool may_take(const judge *j, int head, int word)
{
    const dd_constraints *c = j->c;
    int from = c->span_of[head], to = c->span_of[word];
    if (c->heads[word] != DD_NONE && c->heads[word] != head) return false;
    if (dd_forbids_arc(c, head, word)) return false;
    if (to != DD_NONE && (from == to) == (j->root[to] == word)) return false;
    if (from == DD_NONE || from == to || c->spans[from].mode == DD_SPAN_ANY) return true;
    return c->spans[from].mode == DD_SPAN_ROOT && j->root[from] == head;
}

/* The word of the stack under so many others; 0 under all, and -1 below that. */
static int under(unsigned stack, int others)
{
    for (int word = MOST_WORDS; word > 0; word--)
        if (stack >> (word - 1) & 1 && others-- == 0) return word;
    return -others;
}

static bool can_end(judge *j, unsigned stack, int front);

static bool can_attach(judge *j, unsigned stack, int front, int head, int word)
{
    if (head < 0 || word <= 0 || !may_take(j, head, word)) return false;
    bool last = front > j->c->n && stack == 1U << (word - 1);
    if (head == 0 && j->c->single_root && !last) return false;
    return can_end(j, stack & ~(1U << (word - 1)), front);
}

static bool can_end(judge *j, unsigned stack, int front)
{
    if (front > j->c->n && stack == 0) return true;
    if (j->seen[front][stack]) return false;
    j->seen[front][stack] = 1;
    int top = under(stack, 0), second = under(stack, 1), third = under(stack, 2);
    if (front <= j->c->n && can_end(j, stack | 1U << (front - 1), front + 1)) return true;
    return can_attach(j, stack, front, top, second) || can_attach(j, stack, front, second, top) ||
           can_attach(j, stack, front, top, third) || can_attach(j, stack, front, third, top);
}

static bool can_end_with_roots(judge *j, const dd_config *config)
{
    unsigned stack = 0;
    for (int word = 1; word <= j->c->n; word++) {
        int head = config->nodes[word].head;
        if (head != DD_NONE && !may_take(j, head, word)) return false;
        if (head == DD_NONE && word < config->front) stack |= 1U << (word - 1);
    }
    memset(j->seen, 0, sizeof j->seen);
    return can_end(j, stack, config->front > 0 ? config->front : 1);
}

static bool judge_says(judge *j, const dd_config *config, int span)
{
    if (span == j->c->n_spans) return can_end_with_roots(j, config);
    const dd_span *it = &j->c->spans[span];
    for (j->root[span] = it->first; j->root[span] <= it->last; j->root[span]++)
        if (judge_says(j, config, span + 1)) return true;
    return false;
}

/* ---- walks ---------------------------------------------------------------------------------- */

typedef struct stage {
    constrained s;
    judge judge;
    dd_outlook outlook;
    dd_fold fold;
    dd_attardi_pushdown pushdown;
    dd_random random;
    bool short_of_nodes; /* words must stand for others */
    int possible, impossible, undecided, folded;
} stage;

static void complain(const stage *g, const dd_config *c, const char *what)
{
    char room[2000];
    print_error("%d nodes%s, n = %d, %s: %s\n  heads:", g->pushdown.nodes.most,
                g->s.single_root ? ", single root" : "", c->n,
                constrained_text(&g->s, room, sizeof room), what);
    for (int word = 1; word <= c->n; word++) print_error(" %d", c->nodes[word].head);
    print_error("  front: %d\n", c->front);
    fail();
}

static bool judge_heads(stage *g, const dd_config *c)
{
    for (int word = 1; word <= c->n; word++) g->outlook.settled[word] = c->nodes[word].head;
    return dd_outlook_judge(&g->outlook);
}

static void compare(stage *g, const dd_config *c)
{
    bool expected = judge_says(&g->judge, c, 0);
    dd_verdict found = DD_IMPOSSIBLE;
    if (judge_heads(g, c)) found = dd_attardi_pushdown_decide(&g->pushdown, c);
    if (found == DD_UNDECIDED && !g->short_of_nodes) complain(g, c, "undecided");
    if (found == DD_POSSIBLE && !expected) complain(g, c, "possible, wrongly");
    if (found == DD_IMPOSSIBLE && expected) complain(g, c, "impossible, wrongly");
    g->possible += found == DD_POSSIBLE;
    g->impossible += found == DD_IMPOSSIBLE;
    g->undecided += found == DD_UNDECIDED;
}

static void walk(stage *g)
{
    const dd_system *system = g->s.inventory.system;
    dd_config c = {0};
    dd_move moves[MOST_MOVES];
    uint32_t shifts = dd_random_below(&g->random, 8);
    assert_true(dd_system_begin(system, &c, g->s.sentence->n, g->s.single_root));
    for (int count; (count = dd_system_permissible(system, &c, moves)) > 0;) {
        compare(g, &c);
        bool shift = moves[0].kind == 0 && dd_random_below(&g->random, shifts + 1) > 0;
        dd_move move = moves[shift ? 0 : dd_random_below(&g->random, (uint32_t)count)];
        dd_system_apply(system, &c, move, 0);
    }
    dd_config_free(&c);
}

/* ---- constraints ---------------------------------------------------------------------------- */

static int draw_word(stage *g, int lowest)
{
    return lowest + (int)dd_random_below(&g->random, (uint32_t)(g->s.sentence->n + 1 - lowest));
}

static void add(stage *g, const char *format, int a, int b)
{
    char text[64];
    snprintf(text, sizeof text, format, a, b);
    constrained_add(&g->s, text);
}

static void draw_spans(stage *g, uint32_t longest)
{
    static const char *const modes[] = {"span %d %d any", "span %d %d root", "span %d %d none"};
    for (int first = 1; first <= g->s.sentence->n; first++) {
        int last = first + (int)dd_random_below(&g->random, longest);
        if (dd_random_below(&g->random, 3) || last > g->s.sentence->n) continue;
        add(g, modes[dd_random_below(&g->random, 3)], first, last);
        first = last;
    }
}

static void draw(stage *g)
{
    dd_random *random = &g->random;
    constrained_words(&g->s, 2 + (int)dd_random_below(random, MOST_WORDS - 1));
    uint32_t n = (uint32_t)g->s.sentence->n;
    uint32_t most = g->short_of_nodes ? 4 : n * n / 2;
    for (uint32_t i = dd_random_below(random, g->short_of_nodes ? 2 : 3); i > 0; i--)
        add(g, "arc %d _ %d", draw_word(g, 0), draw_word(g, 1));
    for (uint32_t i = dd_random_below(random, most + 1); i > 0; i--)
        add(g, "not-arc %d %d", draw_word(g, 0), draw_word(g, 1));
    for (uint32_t i = dd_random_below(random, 3); i > 0; i--) add(g, "leaf %d", draw_word(g, 1), 0);
    if (dd_random_below(random, 2)) draw_spans(g, 1 + dd_random_below(random, 5));
}

/* False if the constraints contradict each other at first sight, or name too many words. */
static bool make_tables(stage *g, int most)
{
    dd_constraints *c = &g->s.constraints;
    if (dd_constraints_build(c, g->s.sentence, &g->s.inventory, g->s.single_root, NULL) != DD_OK)
        return false;
    c->effort = (dd_effort){0};
    assert_true(dd_outlook_reset(&g->outlook, c) && dd_fold_reset(&g->fold, c));
    g->pushdown.nodes.most = most;
    if (!dd_attardi_pushdown_reset(&g->pushdown, &g->outlook, g->fold.plain)) return false;
    g->judge.c = c;
    g->folded += g->pushdown.nodes.n_places < c->n;
    return true;
}

static stage *begin(bool single_root)
{
    stage *g = calloc(1, sizeof *g);
    assert_non_null(g);
    g->random = (dd_random){(uint64_t)single_root + 5};
    constrained_begin(&g->s, dd_system_find("attardi"), single_root);
    return g;
}

static void end(stage *g)
{
    dd_attardi_pushdown_free(&g->pushdown);
    dd_fold_free(&g->fold);
    dd_outlook_free(&g->outlook);
    constrained_end(&g->s);
    free(g);
}

static void check(bool single_root, bool short_of_nodes, int rounds)
{
    stage *g = begin(single_root);
    g->short_of_nodes = short_of_nodes;
    for (int round = 0; round < rounds; round++) {
        draw(g);
        int few = 4 + (int)dd_random_below(&g->random, 8);
        bool made = make_tables(g, short_of_nodes ? few : DD_ATTARDI_NODES);
        for (int walks = made ? 2 : 0; walks > 0; walks--) walk(g);
    }
    print_message("# %s%s: %d configurations possible, %d impossible, %d undecided; %d folded\n",
                  short_of_nodes ? "few nodes" : "all words", single_root ? " (single root)" : "",
                  g->possible, g->impossible, g->undecided, g->folded);
    assert_true(g->possible > rounds && g->impossible > rounds);
    assert_true(!short_of_nodes || (g->folded > rounds / 20 && g->undecided > 0));
    end(g);
}

/* Words 1 to 3 are on the stack; then come words that no constraint names, and two more, e and f.
 * Word 3 and f need one of the unnamed words for a head. Word 1 must take 2 before e comes, when 3
 * has gone and what took it has gone, too; so another word must take f. */
static void check_tight_run(bool single_root, int unnamed)
{
    stage *g = begin(single_root);
    int e = unnamed + 4, f = unnamed + 5, others[] = {0, 1, 2, e};
    dd_config c = {0};
    constrained_words(&g->s, f);
    add(g, "arc %d _ %d", 1, 2);
    add(g, "arc %d _ %d", e, 1);
    for (int i = 0; i < 4; i++) {
        add(g, "not-arc %d %d", others[i], 3);
        add(g, "not-arc %d %d", others[i], f);
    }
    add(g, "not-arc %d %d", f, 3);
    add(g, "not-arc %d %d", 3, f);
    assert_true(dd_system_begin(g->s.inventory.system, &c, f, single_root));
    while (c.front < 4) dd_system_apply(g->s.inventory.system, &c, (dd_move){0, 0}, 0);
    for (int listed = 1; listed <= unnamed; listed++) {
        assert_true(make_tables(g, 7 + listed) && judge_heads(g, &c));
        assert_int_equal(g->pushdown.nodes.n_places, 5 + listed);
        dd_verdict expected = unnamed == 1  ? DD_IMPOSSIBLE
                              : listed == 1 ? DD_UNDECIDED
                                            : DD_POSSIBLE;
        assert_int_equal(dd_attardi_pushdown_decide(&g->pushdown, &c), expected);
    }
    assert_int_equal(judge_says(&g->judge, &c, 0), unnamed > 1);
    dd_config_free(&c);
    end(g);
}

static void a_run_may_need_two_words(void **state)
{
    (void)state;
    for (int unnamed = 1; unnamed <= 4; unnamed++) {
        check_tight_run(false, unnamed);
        check_tight_run(true, unnamed);
    }
}

static void a_node_for_each_word(void **state)
{
    (void)state;
    for (int single_root = 0; single_root <= 1; single_root++) check(single_root, false, 2000);
}

static void words_that_stand_for_others(void **state)
{
    (void)state;
    for (int single_root = 0; single_root <= 1; single_root++) check(single_root, true, 4000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_for_each_word),
        cmocka_unit_test(words_that_stand_for_others),
        cmocka_unit_test(a_run_may_need_two_words),
    };
    return cmocka_run_group_tests_name("attardi-pushdown", tests, NULL, NULL);
}
