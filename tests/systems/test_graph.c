/* Arc-factored parsing against all trees of a few words: the tree is the best of those that satisfy
 * the constraints, its labels the best of their arcs, and constraints are refused where no tree
 * satisfies them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dodona_tools.h>

#include "constrained.h"
#include "parse/graph.h"
#include "systems/registry.h"
#include "tree/tree.h"

enum { WORDS = 5, CLASSES = 16 };

typedef struct arena {
    constrained stage;
    int n;
    dd_random random;
    int32_t scores[WORDS + 1][WORDS + 1][CLASSES]; /* by dependent, head and class */
    dd_decoder decoder;
    dd_graph_search search;
    float margins[WORDS + 1];
    uint64_t cases, refused;
} arena;

static bool score(void *user, dd_decoder *decoder)
{
    const arena *a = user;
    dd_view *view;
    assert_true(dd_decoders_list_views(&decoder, 1, true, &view));
    for (int m = 0; m < view->n_moves; m++) {
        dd_candidate arc = view->arcs[m];
        memcpy(dd_decoder_scores(decoder, m), a->scores[arc.dependent][arc.head],
               (size_t)decoder->inventory->n_classes * sizeof *view->scores);
    }
    return true;
}

/* ---- the slow way -------------------------------------------------------------------------- */

static int required_label(const arena *a, int dependent)
{
    bool any = dd_constraint_count(a->stage.sentence) > 0;
    return any ? a->stage.constraints.labels[dependent] : DD_NONE;
}

/* The best class of an arc, of the required label if some class has it. */
static int slow_class(const arena *a, int dependent, int head)
{
    const dd_inventory *inventory = &a->stage.inventory;
    dd_class_list list =
        dd_classes_of(inventory, head < dependent, head ? DD_USE_WORD : DD_USE_ROOT);
    int label = required_label(a, dependent), best = DD_NONE;
    for (int pass = 0; pass < 2 && best == DD_NONE; pass++)
        for (int id = list.first; id < list.first + list.count; id++) {
            if (pass == 0 && label != DD_NONE && inventory->classes[id].label != label) continue;
            const int32_t *scores = a->scores[dependent][head];
            if (best == DD_NONE || scores[id] > scores[best]) best = id;
        }
    return best;
}

static int32_t slow_score(const arena *a, int dependent, int head)
{
    return a->scores[dependent][head][slow_class(a, dependent, head)];
}

static bool is_tree(const int32_t *heads, int n)
{
    for (int word = 1; word <= n; word++) {
        int node = word;
        for (int steps = 0; steps < n && node > 0; steps++) node = heads[node];
        if (node > 0) return false;
    }
    return true;
}

static bool next_heads(int32_t *heads, int n)
{
    for (int word = 1; word <= n; word++) {
        if (++heads[word] <= n) return true;
        heads[word] = 0;
    }
    return false;
}

static bool qualifies(const arena *a, const int32_t *heads)
{
    return is_tree(heads, a->n) && (!a->stage.single_root || dd_tree_roots(heads, a->n) == 1) &&
           constrained_satisfied(&a->stage, heads);
}

static bool any_tree(const arena *a)
{
    int32_t heads[WORDS + 1] = {0};
    do
        if (qualifies(a, heads)) return true;
    while (next_heads(heads, a->n));
    return false;
}

static int64_t slow_best(const arena *a)
{
    int32_t heads[WORDS + 1] = {0};
    int64_t best = INT64_MIN;
    do {
        int64_t sum = 0;
        if (!qualifies(a, heads)) continue;
        for (int word = 1; word <= a->n; word++) sum += slow_score(a, word, heads[word]);
        if (sum > best) best = sum;
    } while (next_heads(heads, a->n));
    return best;
}

/* ---- comparing ----------------------------------------------------------------------------- */

static bool may_have(const arena *a, int dependent, int head)
{
    const dd_constraints *c = &a->stage.constraints;
    if (head == dependent) return false;
    if (dd_constraint_count(a->stage.sentence) == 0) return true;
    if (c->heads[dependent] != DD_NONE) return c->heads[dependent] == head;
    return !dd_forbids_arc(c, head, dependent);
}

static float slow_margin(const arena *a, int word, int head)
{
    int64_t other = INT64_MIN;
    for (int node = 0; node <= a->n; node++)
        if (node != head && may_have(a, word, node) && slow_score(a, word, node) > other)
            other = slow_score(a, word, node);
    return other == INT64_MIN ? INFINITY : (float)(slow_score(a, word, head) - other) / 2;
}

static void check_word(const arena *a, int word)
{
    const dd_node *node = &a->decoder.config.nodes[word];
    int required = required_label(a, word);
    int label = a->stage.inventory.classes[slow_class(a, word, node->head)].label;
    assert_int_equal(node->label, required == DD_NONE ? label : required);
    assert_true(a->margins[word] == slow_margin(a, word, node->head));
}

static void check_tree(arena *a)
{
    int32_t heads[WORDS + 1] = {0};
    int64_t sum;
    dd_graph_scorer scorer = {0.5, a, score};
    assert_true(dd_decoder_begin(&a->decoder, &a->stage.inventory, a->n, a->stage.single_root));
    a->decoder.constraints = dd_constraint_count(a->stage.sentence) ? &a->stage.constraints : NULL;
    assert_true(dd_graph_search_run(&a->search, &a->decoder, &scorer, a->margins, &sum));
    for (int word = 1; word <= a->n; word++) heads[word] = a->decoder.config.nodes[word].head;
    assert_true(qualifies(a, heads));
    assert_int_equal(sum, slow_best(a));
    for (int word = 1; word <= a->n; word++) check_word(a, word);
}

/* ---- drawing ------------------------------------------------------------------------------- */

static void draw_scores(arena *a)
{
    uint32_t range = 1 + dd_random_below(&a->random, 20);
    for (int d = 1; d <= a->n; d++)
        for (int h = 0; h <= a->n; h++)
            for (int id = 0; id < a->stage.inventory.n_classes; id++)
                a->scores[d][h][id] = (int32_t)dd_random_below(&a->random, range) - 5;
}

/* What may contradict itself. */
static void draw_constraints(arena *a)
{
    static const struct {
        const char *kind, *label;
    } forms[] = {{"arc", "_ "},   {"arc", "a "},   {"arc", "root "},
                 {"not-arc", ""}, {"not-arc", ""}, {"not-arc", ""}};
    int count = (int)dd_random_below(&a->random, 3 * (uint32_t)a->n);
    for (int i = 0; i < count; i++) {
        char text[48];
        int dependent = 1 + (int)dd_random_below(&a->random, (uint32_t)a->n);
        int head = (int)dd_random_below(&a->random, (uint32_t)a->n + 1);
        int form = (int)dd_random_below(&a->random, sizeof forms / sizeof *forms + 1);
        if (form == sizeof forms / sizeof *forms)
            snprintf(text, sizeof text, "leaf %d", dependent);
        else
            snprintf(text, sizeof text, "%s %d %s%d", forms[form].kind, head, forms[form].label,
                     dependent);
        constrained_add(&a->stage, text);
    }
}

/* A contradiction that is refused one by one need not be one between trees: two labels. */
static void check_case(arena *a)
{
    constrained_words(&a->stage, a->n);
    draw_constraints(a);
    draw_scores(a);
    a->cases++;
    bool none = dd_constraint_count(a->stage.sentence) == 0;
    if (none || constrained_set(&a->stage) == DD_OK) {
        check_tree(a);
        return;
    }
    a->refused++;
    if (!strstr(a->stage.error.message, "two labels")) assert_false(any_tree(a));
}

static void trees_are_the_best_that_obey(void **state)
{
    (void)state;
    static const int rounds[WORDS + 1] = {0, 100, 400, 1500, 800, 150};
    for (int n = 1; n <= WORDS; n++)
        for (int single_root = 0; single_root < 2; single_root++) {
            arena a = {.n = n, .random = {(uint64_t)n}};
            constrained_begin(&a.stage, &dd_graph, single_root);
            assert_true(a.stage.inventory.n_classes <= CLASSES);
            for (int round = 0; round < rounds[n]; round++) check_case(&a);
            print_message("# n = %d: %llu sets of constraints, %llu refused\n", n,
                          (unsigned long long)a.cases, (unsigned long long)a.refused);
            dd_decoder_free(&a.decoder);
            dd_graph_search_free(&a.search);
            constrained_end(&a.stage);
        }
}

static void spans_are_refused(void **state)
{
    (void)state;
    constrained s;
    constrained_begin(&s, &dd_graph, true);
    constrained_words(&s, 4);
    constrained_add(&s, "arc 2 _ 1; span 2 3 any");
    assert_int_equal(constrained_set(&s), DD_ERROR_DATA);
    assert_non_null(strstr(s.error.message, "constraint 'span 2 3 any': graph takes no spans"));
    constrained_end(&s);
}

static void it_is_no_transition_system(void **state)
{
    (void)state;
    dd_system_info info;
    assert_null(dd_system_find("graph"));
    for (size_t i = 0; dd_system_at(i, &info); i++) assert_string_not_equal(info.name, "graph");
    assert_ptr_equal(dd_system_or_graph((dd_text){"graph", 5}), &dd_graph);
    assert_ptr_equal(dd_system_or_graph((dd_text){"arc-eager", 9}), &dd_arc_eager);
    assert_null(dd_system_or_graph((dd_text){"graphs", 6}));
    dd_graph_info(&info);
    assert_string_equal(info.name, "graph");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_the_best_that_obey),
        cmocka_unit_test(spans_are_refused),
        cmocka_unit_test(it_is_no_transition_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
