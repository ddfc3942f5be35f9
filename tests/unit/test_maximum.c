/* The best tree, against all trees of a few words; of many words, against itself with the words in
 * another order, which leads through other cycles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/random.h"
#include "tree/maximum.h"
#include "tree/tree.h"

enum { SMALL = 7, LONG = 200 };

static bool is_tree(const int32_t *heads, int n)
{
    dd_tree_space space = {0};
    dd_tree_fault fault;
    int word;
    assert_true(dd_tree_check(&space, heads, n, &fault, &word));
    dd_tree_space_free(&space);
    return fault == DD_TREE_OK;
}

/* ---- all trees ----------------------------------------------------------------------------- */

typedef struct trees {
    int n;
    int32_t (*heads)[SMALL + 1]; /* [count] */
    size_t count;
} trees;

static bool next_heads(int32_t *heads, int n)
{
    for (int word = 1; word <= n; word++) {
        if (++heads[word] <= n) return true;
        heads[word] = 0;
    }
    return false;
}

/* There are (n + 1)^(n - 1) of them (Cayley). */
static trees list_trees(int n)
{
    trees all = {.n = n};
    int32_t heads[SMALL + 1] = {0};
    size_t expected = 1;
    for (int i = 1; i < n; i++) expected *= (size_t)n + 1;
    all.heads = calloc(expected, sizeof *all.heads);
    assert_non_null(all.heads);
    do {
        if (is_tree(heads, n)) memcpy(all.heads[all.count++], heads, sizeof heads);
    } while (next_heads(heads, n));
    assert_int_equal(all.count, expected);
    return all;
}

/* INT64_MIN if the tree has an arc without a score. */
static int64_t sum_of(const int32_t *scores, const int32_t *heads, int n)
{
    int64_t sum = 0;
    for (int word = 1; word <= n; word++) {
        int32_t score = scores[word * (n + 1) + heads[word]];
        if (score == DD_NO_SCORE) return INT64_MIN;
        sum += score;
    }
    return sum;
}

static int64_t slow_best(const trees *all, const int32_t *scores, bool single_root)
{
    int64_t best = INT64_MIN;
    for (size_t i = 0; i < all->count; i++) {
        const int32_t *heads = all->heads[i];
        if (single_root && dd_tree_roots(heads, all->n) != 1) continue;
        int64_t sum = sum_of(scores, heads, all->n);
        if (sum > best) best = sum;
    }
    return best;
}

/* ---- scores -------------------------------------------------------------------------------- */

/* Whole numbers from -range to range; `absent` of 8 arcs have none. */
static void draw_scores(int32_t *scores, int n, int32_t range, uint32_t absent, dd_random *random)
{
    for (int i = 0; i < (n + 1) * (n + 1); i++) {
        int64_t score = (int64_t)dd_random_below(random, 2 * (uint32_t)range + 1) - range;
        scores[i] = dd_random_below(random, 8) < absent ? DD_NO_SCORE : (int32_t)score;
    }
}

static const int32_t ranges[] = {0, 1, 2, 5, 100, DD_MAX_ARC_SCORE};
enum { RANGES = sizeof ranges / sizeof *ranges };

static void compare(dd_max_tree *space, const trees *all, const int32_t *scores, bool single_root)
{
    int32_t heads[SMALL + 1];
    int64_t best = slow_best(all, scores, single_root);
    dd_max_tree_result result = dd_max_tree_find(space, scores, all->n, single_root, heads);
    assert_int_equal(result, best == INT64_MIN ? DD_MAX_TREE_NONE : DD_MAX_TREE_FOUND);
    if (result == DD_MAX_TREE_NONE) return;
    assert_true(is_tree(heads, all->n));
    if (single_root) assert_int_equal(dd_tree_roots(heads, all->n), 1);
    assert_int_equal(sum_of(scores, heads, all->n), best);
}

static void is_the_best_of_all_trees(void **state)
{
    (void)state;
    static const int rounds[SMALL + 1] = {0, 20, 100, 400, 400, 200, 20, 2};
    int32_t scores[(SMALL + 1) * (SMALL + 1)];
    dd_max_tree space = {0};
    dd_random random = {1};
    for (int n = 1; n <= SMALL; n++) {
        trees all = list_trees(n);
        for (int round = 0; round < rounds[n] * RANGES; round++) {
            uint32_t absent = round % 3 ? dd_random_below(&random, 8) : 0;
            draw_scores(scores, n, ranges[round % RANGES], absent, &random);
            compare(&space, &all, scores, false);
            compare(&space, &all, scores, true);
        }
        free(all.heads);
    }
    dd_max_tree_free(&space);
}

/* ---- many words ---------------------------------------------------------------------------- */

typedef struct many {
    int32_t scores[(LONG + 1) * (LONG + 1)], turned[(LONG + 1) * (LONG + 1)];
    int32_t heads[LONG + 1];
    uint32_t order[LONG + 1];
} many;

static void turn(many *m, dd_random *random)
{
    for (uint32_t i = 0; i <= LONG; i++) m->order[i] = i;
    dd_shuffle(random, m->order + 1, LONG);
    for (int d = 0; d <= LONG; d++)
        for (int h = 0; h <= LONG; h++)
            m->turned[m->order[d] * (LONG + 1) + m->order[h]] = m->scores[d * (LONG + 1) + h];
}

static int64_t best_sum(dd_max_tree *space, const int32_t *scores, bool single_root, int32_t *heads)
{
    assert_int_equal(dd_max_tree_find(space, scores, LONG, single_root, heads), DD_MAX_TREE_FOUND);
    assert_true(is_tree(heads, LONG));
    if (single_root) assert_int_equal(dd_tree_roots(heads, LONG), 1);
    return sum_of(scores, heads, LONG);
}

/* Words that like their neighbours most are full of cycles. */
static void draw_neighbours(int32_t *scores, dd_random *random)
{
    for (int d = 0; d <= LONG; d++)
        for (int h = 0; h <= LONG; h++)
            scores[d * (LONG + 1) + h] =
                -(d < h ? h - d : d - h) * 10 + (int32_t)dd_random_below(random, 15);
}

static void does_not_depend_on_the_order_of_words(void **state)
{
    (void)state;
    dd_max_tree space = {0};
    dd_random random = {2};
    many *m = calloc(1, sizeof *m);
    assert_non_null(m);
    for (int round = 0; round < 60; round++) {
        if (round % 2)
            draw_neighbours(m->scores, &random);
        else
            draw_scores(m->scores, LONG, ranges[1 + round / 2 % (RANGES - 1)], 2, &random);
        turn(m, &random);
        for (int rule = 0; rule < 2; rule++)
            assert_int_equal(best_sum(&space, m->scores, rule, m->heads),
                             best_sum(&space, m->turned, rule, m->heads));
    }
    free(m);
    dd_max_tree_free(&space);
}

/* Of equal arcs the first head: all words depend on 0, or on the word that does. */
static void ties_go_to_the_first_head(void **state)
{
    (void)state;
    int32_t scores[(SMALL + 1) * (SMALL + 1)] = {0}, heads[SMALL + 1];
    dd_max_tree space = {0};
    assert_int_equal(dd_max_tree_find(&space, scores, SMALL, false, heads), DD_MAX_TREE_FOUND);
    for (int word = 1; word <= SMALL; word++) assert_int_equal(heads[word], 0);
    assert_int_equal(dd_max_tree_find(&space, scores, SMALL, true, heads), DD_MAX_TREE_FOUND);
    assert_int_equal(dd_tree_roots(heads, SMALL), 1);
    dd_max_tree_free(&space);
}

static void too_many_words_are_too_much_memory(void **state)
{
    (void)state;
    dd_max_tree space = {0};
    int32_t score = 0, head;
    assert_int_equal(dd_max_tree_find(&space, &score, DD_MAX_TREE_WORDS + 1, true, &head),
                     DD_MAX_TREE_MEMORY);
    dd_max_tree_free(&space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_best_of_all_trees),
        cmocka_unit_test(does_not_depend_on_the_order_of_words),
        cmocka_unit_test(ties_go_to_the_first_head),
        cmocka_unit_test(too_many_words_are_too_much_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
