/* Trees: the fast answers against the definitions, written down slowly, on all small head arrays
 * and random larger ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/random.h"
#include "tree/tree.h"

enum { SMALL = 16, LONG = 20000 };

/* ---- judges -------------------------------------------------------------------------------- */

/* Whether word is ancestor or reaches it going up; a cycle is left after n steps. */
static bool slow_dominates(const int32_t *heads, int n, int ancestor, int word)
{
    for (int steps = 0; steps <= n && word != ancestor; steps++) word = word > 0 ? heads[word] : -1;
    return word == ancestor;
}

static dd_tree_fault slow_fault(const int32_t *heads, int n)
{
    for (int word = 1; word <= n; word++)
        if (heads[word] < 0) return DD_TREE_HEAD_MISSING;
    bool any_root = false;
    for (int word = 1; word <= n; word++) any_root = any_root || heads[word] == 0;
    if (!any_root) return DD_TREE_NO_ROOT;
    for (int word = 1; word <= n; word++)
        if (!slow_dominates(heads, n, 0, word)) return DD_TREE_CYCLE;
    return DD_TREE_OK;
}

static int slow_nonprojective_arcs(const int32_t *heads, int n)
{
    int arcs = 0;
    for (int word = 1; word <= n; word++) {
        int head = heads[word], low = head < word ? head : word, high = head < word ? word : head;
        bool crossed = false;
        for (int between = low + 1; between < high; between++)
            crossed = crossed || !slow_dominates(heads, n, head, between);
        arcs += head != 0 && crossed;
    }
    return arcs;
}

static int slow_gap_degree(const int32_t *heads, int n)
{
    int degree = 0;
    for (int word = 1; word <= n; word++) {
        int blocks = 0;
        bool before = false;
        for (int at = 1; at <= n; at++) {
            bool inside = slow_dominates(heads, n, word, at);
            blocks += inside && !before;
            before = inside;
        }
        if (blocks - 1 > degree) degree = blocks - 1;
    }
    return degree;
}

/* ---- against the judges -------------------------------------------------------------------- */

static bool returns_to_itself(const int32_t *heads, int n, int word)
{
    int at = heads[word];
    for (int steps = 0; steps <= n && at > 0 && at != word; steps++) at = heads[at];
    return at == word;
}

static void compare(dd_tree_space *space, const int32_t *heads, int n)
{
    dd_tree_fault fault;
    int word, arcs, degree;
    assert_true(dd_tree_check(space, heads, n, &fault, &word));
    assert_int_equal(fault, slow_fault(heads, n));
    if (fault == DD_TREE_HEAD_MISSING) assert_int_equal(heads[word], -1);
    if (fault == DD_TREE_CYCLE) assert_true(returns_to_itself(heads, n, word));
    if (fault == DD_TREE_OK || fault == DD_TREE_NO_ROOT) assert_int_equal(word, 0);
    if (fault != DD_TREE_OK) return;
    assert_true(dd_tree_nonprojective_arcs(space, heads, n, &arcs));
    assert_int_equal(arcs, slow_nonprojective_arcs(heads, n));
    assert_true(dd_tree_gap_degree(space, heads, n, &degree));
    assert_int_equal(degree, slow_gap_degree(heads, n));
}

/* The next array of heads from -1 to n, like a counter; false behind the last. */
static bool advance(int32_t *heads, int n)
{
    for (int word = 1; word <= n; word++) {
        if (heads[word]++ < n) return true;
        heads[word] = -1;
    }
    return false;
}

static void all_small_head_arrays_agree(void **state)
{
    (void)state;
    dd_tree_space space = {0};
    for (int n = 1; n <= 5; n++) {
        int32_t heads[SMALL];
        for (int word = 0; word <= n; word++) heads[word] = -1;
        do compare(&space, heads, n);
        while (advance(heads, n));
    }
    dd_tree_space_free(&space);
}

/* Grows from 0 in a random order of the words, so every tree can come out. */
static void random_tree(dd_random *random, int32_t *heads, int n)
{
    int order[SMALL];
    for (int i = 0; i <= n; i++) order[i] = i;
    for (int i = n; i > 1; i--) {
        int other = 1 + (int)dd_random_below(random, (uint32_t)i), held = order[i];
        order[i] = order[other];
        order[other] = held;
    }
    heads[0] = -1;
    for (int i = 1; i <= n; i++) heads[order[i]] = order[dd_random_below(random, (uint32_t)i)];
}

static void random_trees_agree(void **state)
{
    (void)state;
    dd_tree_space space = {0};
    dd_random random = {7};
    for (int round = 0; round < 30000; round++) {
        int32_t heads[SMALL];
        int n = 1 + (int)dd_random_below(&random, SMALL - 1);
        random_tree(&random, heads, n);
        compare(&space, heads, n);
    }
    dd_tree_space_free(&space);
}

/* ---- partial trees -------------------------------------------------------------------------- */

enum { PARTIAL_N = 5, PARTIAL_ARRAYS = 16807 }; /* 7^5 */
enum { IN_TREE = 1, IN_PROJECTIVE = 2, IN_SINGLE_ROOTED = 4 };

static int index_of(const int32_t *heads, unsigned forgotten)
{
    int index = 0;
    for (int word = PARTIAL_N; word > 0; word--)
        index = index * (PARTIAL_N + 2) + (forgotten & 1U << word ? 0 : heads[word] + 1);
    return index;
}

/* What each array of heads is part of, found by forgetting heads of all trees. */
static void mark_parts(uint8_t *marks)
{
    int32_t heads[SMALL];
    for (int word = 0; word <= PARTIAL_N; word++) heads[word] = -1;
    do {
        if (slow_fault(heads, PARTIAL_N) != DD_TREE_OK) continue;
        bool projective = slow_nonprojective_arcs(heads, PARTIAL_N) == 0;
        bool single = projective && dd_tree_roots(heads, PARTIAL_N) == 1;
        for (unsigned forgotten = 0; forgotten < 2U << PARTIAL_N; forgotten += 2)
            marks[index_of(heads, forgotten)] |=
                IN_TREE | (projective ? IN_PROJECTIVE : 0) | (single ? IN_SINGLE_ROOTED : 0);
    } while (advance(heads, PARTIAL_N));
}

static void partial_trees_are_parts_of_trees(void **state)
{
    (void)state;
    uint8_t *marks = calloc(PARTIAL_ARRAYS, 1);
    assert_non_null(marks);
    mark_parts(marks);
    dd_tree_space space = {0};
    int32_t heads[SMALL];
    for (int word = 0; word <= PARTIAL_N; word++) heads[word] = -1;
    do {
        dd_tree_fault fault;
        int word, unknown = dd_tree_unknown(heads, PARTIAL_N);
        int mark = marks[index_of(heads, 0)];
        assert_true(dd_tree_check_partial(&space, heads, PARTIAL_N, &fault, &word));
        if (unknown == PARTIAL_N) assert_int_equal(fault, DD_TREE_NO_HEADS);
        assert_int_equal(fault == DD_TREE_OK || fault == DD_TREE_NO_HEADS, (mark & IN_TREE) != 0);
        if (!(mark & IN_TREE)) continue;
        bool projective;
        assert_true(dd_tree_partial_is_projective(&space, heads, PARTIAL_N, &projective));
        assert_int_equal(projective, (mark & IN_PROJECTIVE) != 0);
        bool single = projective && dd_tree_roots(heads, PARTIAL_N) <= 1;
        assert_int_equal(single, (mark & IN_SINGLE_ROOTED) != 0);
    } while (advance(heads, PARTIAL_N));
    dd_tree_space_free(&space);
    free(marks);
}

/* ---- known answers ------------------------------------------------------------------------- */

static void check_long(int32_t *heads, int arcs, int degree)
{
    dd_tree_space space = {0};
    dd_tree_fault fault;
    int word, found;
    assert_true(dd_tree_check(&space, heads, LONG, &fault, &word));
    assert_int_equal(fault, DD_TREE_OK);
    assert_true(dd_tree_nonprojective_arcs(&space, heads, LONG, &found));
    assert_int_equal(found, arcs);
    assert_true(dd_tree_gap_degree(&space, heads, LONG, &found));
    assert_int_equal(found, degree);
    dd_tree_space_free(&space);
}

static void long_sentences_are_answered(void **state)
{
    (void)state;
    int32_t *heads = calloc(LONG + 1, sizeof *heads);
    assert_non_null(heads);
    for (int word = 1; word <= LONG; word++) heads[word] = word - 1;
    check_long(heads, 0, 0); /* a chain */
    for (int word = 1; word <= LONG; word++) heads[word] = word % LONG ? word + 1 : 0;
    check_long(heads, 0, 0); /* a chain the other way */
    for (int word = 2; word <= LONG; word++) heads[word] = 1;
    heads[1] = 0;
    check_long(heads, 0, 0); /* a star */
    /* Two combs in each other: odd words hang on 1, even ones on 2, which is a root too. */
    for (int word = 3; word <= LONG; word++) heads[word] = 2 - word % 2;
    heads[2] = 0;
    check_long(heads, LONG - 2, LONG / 2 - 1);
    /* Two chains in each other. */
    for (int word = 3; word <= LONG; word++) heads[word] = word - 2;
    check_long(heads, LONG - 2, LONG / 2 - 1);
    free(heads);
}

static void faults_have_names(void **state)
{
    (void)state;
    const int32_t none[1] = {0}, loop[2] = {0, 1}, two[3] = {-1, 0, 0};
    dd_tree_space space = {0};
    dd_tree_fault fault;
    int word;
    assert_true(dd_tree_check(&space, none, 0, &fault, &word));
    assert_int_equal(fault, DD_TREE_NO_ROOT);
    assert_true(dd_tree_check(&space, loop, 1, &fault, &word));
    assert_string_equal(dd_tree_fault_text(fault), "no word is the root");
    assert_int_equal(dd_tree_roots(two, 2), 2);
    dd_tree_space_free(&space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_small_head_arrays_agree),
        cmocka_unit_test(random_trees_agree),
        cmocka_unit_test(partial_trees_are_parts_of_trees),
        cmocka_unit_test(long_sentences_are_answered),
        cmocka_unit_test(faults_have_names),
    };
    return cmocka_run_group_tests_name("tree", tests, NULL, NULL);
}
