/* The pointer system against enumeration that knows nothing of moves: all ways to give the words
 * heads, one after the other, and which of them are trees. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "judge.h"
#include "systems/registry.h"

enum { MAX_N = 7, NO_TREE = INT_MAX };

typedef struct fixture {
    bool single_root;
    dd_gold gold;
    dd_loss_space space;
    int32_t weights[MAX_N + 1];
    int32_t heads[MAX_N + 1];              /* given so far */
    uint64_t configurations, beyond_count; /* beyond_count: more is lost than arcs are wrong */
} fixture;

static void begin(fixture *f, bool single_root)
{
    *f = (fixture){.single_root = single_root};
}

static void end(fixture *f)
{
    print_message("# %llu configurations, %llu of them lose more than the arcs built\n",
                  (unsigned long long)f->configurations, (unsigned long long)f->beyond_count);
    assert_true(f->beyond_count > 0);
    dd_gold_free(&f->gold);
    dd_loss_space_free(&f->space);
}

static bool is_tree(const fixture *f)
{
    int roots = 0, n = f->gold.n;
    for (int word = 1; word <= n; word++) {
        int node = word;
        for (int steps = 0; node > 0 && steps <= n; steps++) node = f->heads[node];
        if (node != 0) return false;
        roots += f->heads[word] == 0;
    }
    return !f->single_root || roots == 1;
}

static int wrong(const fixture *f, int words)
{
    int cost = 0;
    for (int word = 1; word <= words; word++)
        cost += dd_gold_cost(&f->gold, word, dd_gold_rejects(&f->gold, f->heads[word], word));
    return cost;
}

/* What the system says of a configuration, where the best tree behind each head of j is known. */
static void check(fixture *f, const dd_config *c, const int *behind, int least)
{
    dd_move moves[MAX_N + 1];
    int after[MAX_N + 1], loss, n = c->n, so_far = wrong(f, c->front - 1), possible = 0;
    int n_moves = dd_system_permissible(&dd_pointer, c, moves);
    assert_true(dd_pointer.oracle.loss(&f->space, c, &f->gold, &loss));
    if (loss != least) fail_msg("loss is %d, and %d by enumeration", loss, least);
    assert_true(dd_pointer.oracle.losses(&f->space, c, &f->gold, moves, n_moves, after));
    for (int m = 0; m < n_moves; m++) {
        assert_int_equal(moves[m].kind, moves[m].k < c->front);
        if (behind[moves[m].k] == NO_TREE) fail_msg("@%d leads to no tree", moves[m].k);
        assert_int_equal(so_far + after[m], behind[moves[m].k]);
    }
    for (int head = 0; head <= n; head++) possible += behind[head] != NO_TREE;
    assert_int_equal(n_moves, possible);
    f->configurations++;
    f->beyond_count += loss > so_far;
}

/* The least loss of the trees behind a configuration; NO_TREE: there are none. It is not looked at
 * if the heads given close a cycle. */
static int visit(fixture *f, const dd_config *c)
{
    int behind[MAX_N + 1], least = NO_TREE, j = c->front;
    if (j > c->n) return is_tree(f) ? wrong(f, c->n) : NO_TREE;
    for (int head = 0; head <= c->n; head++) {
        dd_config next = {0};
        behind[head] = NO_TREE;
        if (head == j) continue;
        assert_true(dd_config_copy(&next, c));
        dd_system_apply(&dd_pointer, &next, (dd_move){head < j, head}, 0);
        f->heads[j] = head;
        behind[head] = visit(f, &next);
        if (behind[head] < least) least = behind[head];
        dd_config_free(&next);
    }
    if (least != NO_TREE) check(f, c, behind, least);
    return least;
}

static void visit_all(fixture *f)
{
    dd_config c = {0};
    assert_true(dd_system_begin(&dd_pointer, &c, f->gold.n, f->single_root));
    assert_true(visit(f, &c) != NO_TREE);
    dd_config_free(&c);
}

static void draw_weights(fixture *f, dd_random *random)
{
    for (int word = 1; word <= f->gold.n; word++)
        f->weights[word] = 1 + (int32_t)dd_random_below(random, DD_WHOLE_WEIGHT);
    f->gold.weights = f->weights;
}

static void take(fixture *f, dd_random *random, const int32_t *heads, int n)
{
    f->gold.weights = NULL;
    assert_true(dd_gold_set(&f->gold, heads, NULL, n));
    if (dd_pointer.oracle.refuses(&f->gold, f->single_root)) return;
    visit_all(f);
    draw_weights(f, random);
    visit_all(f);
}

/* Every tree of up to four words, whole or partial, and every whole one of five. */
static void losses_of_small_trees(bool single_root)
{
    fixture f;
    int32_t heads[MAX_N + 1];
    dd_random random = {4};
    begin(&f, single_root);
    for (int n = 1; n <= 5; n++)
        for (uint64_t index = 0; index < partial_indices(n); index++)
            if (partial_by_index(heads, n, index) && (n < 5 || dd_tree_unknown(heads, n) == 0))
                take(&f, &random, heads, n);
    end(&f);
}

static void losses_of_larger_trees(bool single_root)
{
    fixture f;
    int32_t heads[MAX_N + 1];
    dd_random random = {5};
    begin(&f, single_root);
    for (int t = 0; t < 24; t++) {
        int n = 6 + (t % 12 == 0);
        random_tree(&random, heads, n, !single_root && t % 2);
        if (t % 3 == 0) forget_heads(&random, heads, n);
        take(&f, &random, heads, n);
    }
    end(&f);
}

static void small_trees(void **state)
{
    (void)state;
    losses_of_small_trees(false);
}

static void small_trees_with_one_root(void **state)
{
    (void)state;
    losses_of_small_trees(true);
}

static void larger_trees(void **state)
{
    (void)state;
    losses_of_larger_trees(false);
}

static void larger_trees_with_one_root(void **state)
{
    (void)state;
    losses_of_larger_trees(true);
}

/* ---- the terms of the loss, one by one ------------------------------------------------------- */

typedef struct example {
    const char *name;
    int n;
    int32_t gold[MAX_N + 1], heads[MAX_N + 1]; /* heads: of the first words, up to a -1 */
    bool single_root;
    int loss;
} example;

static const example examples[] = {
    {"gold arcs alone", 3, {-1, 2, 0, 2}, {-1, 2, -1}, true, 0},
    {"1 -> 2 is the wrong way: 2 -> 3 and 3 -> 1 wait", 3, {-1, 0, 3, 1}, {-1, 2, -1}, false, 2},
    {"a wrong arc and no cycle", 3, {-1, 0, 1, 1}, {-1, 3, -1}, true, 2},
    {"two cycles", 4, {-1, 0, 1, 1, 3}, {-1, 2, -1}, true, 2},
    {"the root is taken", 3, {-1, 3, 3, 0}, {-1, 0, -1}, true, 2},
    {"and is not the only one", 3, {-1, 3, 3, 0}, {-1, 0, -1}, false, 1},
    {"a word whose head is unknown closes no cycle", 3, {-1, 0, -1, 2}, {-1, 3, -1}, true, 1},
};

static void examples_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const example *e = &examples[i];
        fixture f = {.single_root = e->single_root};
        dd_config c = {0};
        int loss;
        assert_true(dd_gold_set(&f.gold, e->gold, NULL, e->n));
        assert_true(dd_system_begin(&dd_pointer, &c, e->n, e->single_root));
        for (int j = 1; e->heads[j] >= 0; j++)
            dd_system_apply(&dd_pointer, &c, (dd_move){e->heads[j] < j, e->heads[j]}, 0);
        assert_true(dd_pointer.oracle.loss(&f.space, &c, &f.gold, &loss));
        if (loss != e->loss) fail_msg("%s: %d instead of %d", e->name, loss, e->loss);
        dd_config_free(&c);
        dd_gold_free(&f.gold);
        dd_loss_space_free(&f.space);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_by_hand),           cmocka_unit_test(small_trees),
        cmocka_unit_test(small_trees_with_one_root),  cmocka_unit_test(larger_trees),
        cmocka_unit_test(larger_trees_with_one_root),
    };
    return cmocka_run_group_tests_name("pointer", tests, NULL, NULL);
}
