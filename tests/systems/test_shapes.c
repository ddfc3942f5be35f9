/* Right stacks and reduced buffers against their definitions read word by word, the sentence of
 * attardi-oracle-2014, section 5.4, and what training counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "judge.h"
#include "shapes.h"
#include "systems/registry.h"

enum { MAX_N = JUDGE_MAX_N, TREES = 2000 };

typedef struct field {
    dd_config config;
    dd_gold gold;
    dd_random random;
    shape_counter counter;
    int32_t scratch[6 * (MAX_N + 2)]; /* the sentence of the paper has 13 words */
} field;

static int setup(void **state)
{
    field *f = calloc(1, sizeof *f);
    f->random.state = 5;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    field *f = *state;
    dd_config_free(&f->config);
    dd_gold_free(&f->gold);
    shape_counter_free(&f->counter);
    free(f);
    return 0;
}

static bool waits(const field *f, int node)
{
    return node >= f->config.front;
}

static bool is_below(const field *f, int node, int top)
{
    while (node > 0 && node != top) node = f->gold.heads[node];
    return node == top;
}

/* "the parent node of i is not in the buffer; some dependent of i is in the stack or has already
 * been inserted" */
static int slow_right_stack(const field *f)
{
    bool inserted[MAX_N + 1] = {false};
    int size = 0;
    for (int i = 0; i <= f->config.n; i++) {
        if (!waits(f, i)) continue;
        bool insert = i == 0 || !waits(f, f->gold.heads[i]);
        for (int d = 1; d <= f->config.n; d++)
            insert |= f->gold.heads[d] == i && (f->config.nodes[d].on_stack || inserted[d]);
        inserted[i] = insert;
        size += insert;
    }
    return size;
}

/* "No arc i -> j in t is such that i is a node in the buffer, i != k, and j is a node in the stack.
 * The nodes of t that are in the buffer form a substring." */
static bool reduces(const field *f, int k)
{
    int first = MAX_N + 1, last = -1, count = 0;
    for (int j = 0; j <= f->config.n; j++) {
        if (!is_below(f, j, k)) continue;
        int i = f->gold.heads[j];
        if (j != k && i != k && waits(f, i) && f->config.nodes[j].on_stack) return false;
        if (!waits(f, j)) continue;
        if (j < first) first = j;
        last = j;
        count++;
    }
    return last - first + 1 == count;
}

static int slow_reduced_buffer(const field *f)
{
    int size = 0;
    for (int node = 0; node <= f->config.n; node++) {
        if (!waits(f, node)) continue;
        bool gone = false;
        for (int k = 0; k <= f->config.n; k++)
            gone |= k != node && waits(f, k) && is_below(f, node, k) && reduces(f, k);
        size += !gone;
    }
    return size;
}

static void walk(field *f, const dd_system *system, int n, bool single_root, void (*look)(field *f))
{
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves;
    assert_true(dd_system_begin(system, &f->config, n, single_root));
    while ((n_moves = dd_system_permissible(system, &f->config, moves)) > 0) {
        look(f);
        bool shift = moves[0].kind == 0 && dd_random_below(&f->random, 2);
        int m = shift ? 0 : (int)dd_random_below(&f->random, (uint32_t)n_moves);
        dd_system_apply(system, &f->config, moves[m], 0);
    }
}

static void look_at_right_stack(field *f)
{
    assert_int_equal(right_stack_size(&f->config, &f->gold, f->scratch), slow_right_stack(f));
}

static void right_stacks_are_as_defined(void **state)
{
    field *f = *state;
    int32_t heads[MAX_N + 1];
    for (int t = 0; t < TREES; t++) {
        int n = 1 + t % MAX_N;
        random_projective_tree(&f->random, heads, n, t % 2);
        assert_true(dd_gold_set(&f->gold, heads, NULL, n));
        walk(f, &dd_arc_standard, n, !(t % 2), look_at_right_stack);
    }
}

static void look_at_reduced_buffer(field *f)
{
    assert_int_equal(reduced_buffer_size(&f->config, &f->gold, f->scratch), slow_reduced_buffer(f));
}

static void reduced_buffers_are_as_defined(void **state)
{
    field *f = *state;
    int32_t heads[MAX_N + 1];
    for (int t = 0; t < TREES; t++) {
        int n = 1 + t % MAX_N;
        if (t % 3)
            random_projective_tree(&f->random, heads, n, t % 2);
        else
            random_tree(&f->random, heads, n, t % 2);
        assert_true(dd_gold_set(&f->gold, heads, NULL, n));
        walk(f, &dd_attardi, n, !(t % 2), look_at_reduced_buffer);
    }
}

/* Section 5.4 says of its sentence of 13 words: with the stack 0 1 3 4 and 5 to 13 in the buffer,
 * words 5 to 12 are below 7, which has 1 as well, and only they can be reduced: 7 and 13 are left.
 */
static void the_papers_sentence_reduces_to_two_nodes(void **state)
{
    field *f = *state;
    int32_t heads[] = {-1, 7, 3, 0, 3, 7, 5, 4, 9, 7, 9, 12, 7, 3};
    assert_true(dd_gold_set(&f->gold, heads, NULL, 13));
    assert_true(dd_system_begin(&dd_attardi, &f->config, 13, false));
    /* SH SH SH SH LA SH: 3 -> 2 */
    const int kinds[] = {0, 0, 0, 0, 1, 0};
    for (size_t m = 0; m < sizeof kinds / sizeof *kinds; m++)
        dd_system_apply(&dd_attardi, &f->config, (dd_move){kinds[m], 0}, 0);
    assert_int_equal(f->config.depth, 4);
    assert_int_equal(f->config.front, 5);
    assert_int_equal(reduced_buffer_size(&f->config, &f->gold, f->scratch), 2);
}

static void look_and_count(field *f)
{
    assert_true(shape_counter_add(&f->counter, &f->config, &f->gold));
}

/* Two words, 2 -> 1: [] 0 1 2, [0] 1 2, [0 1] 2, [0 1 2], [0 2]. */
static void sizes_add_up(void **state)
{
    field *f = *state;
    int32_t heads[] = {-1, 2, 0};
    f->counter = (shape_counter){.system = &dd_lr_spine, .tables_every = 1};
    assert_true(dd_gold_set(&f->gold, heads, NULL, 2));
    assert_true(dd_system_begin(&dd_lr_spine, &f->config, 2, false));
    const dd_move moves[] = {{0, 0}, {0, 0}, {0, 0}, {1, 1}, {2, 1}};
    for (size_t m = 0; m < sizeof moves / sizeof *moves; m++) {
        look_and_count(f);
        dd_system_apply(&dd_lr_spine, &f->config, moves[m], 0);
    }
    const shapes *sums = &f->counter.sums;
    assert_int_equal(sums->configurations, 5);
    assert_int_equal(sums->stack, 0 + 1 + 2 + 3 + 2);
    assert_int_equal(sums->buffer, 3 + 2 + 1 + 0 + 0);
    assert_int_equal(sums->reduced, 1 + 1 + 1 + 0 + 0);
    assert_int_equal(sums->largest_stack, 3);
    assert_int_equal(sums->largest_buffer, 3);
    assert_int_equal(sums->largest_reduced, 1);
    assert_true(sums->share == (1 + 2 + 3 + 3 + 2) / 2.0);
    assert_int_equal(sums->tables, 5);
    assert_int_equal(sums->longest[0], 1); /* T[1, 1] holds the top alone */
    assert_true(sums->longest[1] >= 1 && sums->longest[1] <= 2);
    assert_true(shape_counter_knows(&dd_lr_spine));
    assert_false(shape_counter_knows(&dd_arc_eager));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_stacks_are_as_defined),
        cmocka_unit_test(reduced_buffers_are_as_defined),
        cmocka_unit_test(the_papers_sentence_reduces_to_two_nodes),
        cmocka_unit_test(sizes_add_up),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
