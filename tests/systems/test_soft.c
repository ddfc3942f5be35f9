/* The greatest weight of a tree in reach (transition/soft.h), in every system that computes it,
 * against exhaustive search: every configuration up to n = 5 (DODONA_SOFT_N: up to that many words)
 * with the arcs of every tree, projective or not, and with random weights; for n = 6 in the systems
 * with a stack, one configuration of each kind; then random walks through longer sentences, with a
 * plain search from each configuration. And in every system, what adding up lost arcs gives.
 * DODONA_SOFT_COUNT=1 prints counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arena.h"
#include "reach.h"
#include "systems/registry.h"
#include "transition/soft.h"

enum {
    MAX_N = 8,
    CELLS = (MAX_N + 1) * (MAX_N + 1),
    RANDOM_WEIGHTS = 16,
    RANDOM_SUMS = 20,
    SPARE = 200000
};

/* Every configuration of a system over n words, and the trees that each can reach. */
typedef struct field {
    const dd_system *system;
    int n;
    bool single_root;
    reach *reach;
    dd_config *configs; /* [count] */
    int count;
    int *checked; /* [n_checked] numbers of configurations */
    int n_checked;
    dd_soft soft;
    int32_t weights[CELLS];
    int32_t *sums; /* [reach_trees] the weight of each tree */
} field;

static void visit(field *f, const dd_config *c)
{
    int number = reach_find(f->reach, c);
    assert_true(number >= 0);
    if (f->configs[number].nodes) return;
    assert_true(dd_config_copy(&f->configs[number], c));
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves = dd_system_permissible(f->system, c, moves);
    for (int m = 0; m < n_moves; m++) {
        dd_config next = {0};
        assert_true(dd_config_copy(&next, c));
        dd_system_apply(f->system, &next, moves[m], 0);
        visit(f, &next);
        dd_config_free(&next);
    }
}

/* The same but for the arcs of words that are gone. */
static bool same_kind(const dd_config *a, const dd_config *b)
{
    if (a->front != b->front || a->depth != b->depth) return false;
    for (int at = 0; at < a->depth; at++)
        if (a->stack[at] != b->stack[at] ||
            dd_headless(a, a->stack[at]) != dd_headless(b, b->stack[at]))
            return false;
    return true;
}

/* All configurations, or the first of each kind. */
static void choose_checked(field *f, bool kinds)
{
    f->checked = calloc((size_t)f->count, sizeof *f->checked);
    for (int i = 0; i < f->count; i++) {
        bool seen = false;
        for (int k = 0; kinds && k < f->n_checked && !seen; k++)
            seen = same_kind(&f->configs[f->checked[k]], &f->configs[i]);
        if (!seen) f->checked[f->n_checked++] = i;
    }
}

static void field_begin(field *f, const dd_system *system, int n, bool single_root, bool kinds)
{
    dd_config c = {0};
    *f = (field){.system = system, .n = n, .single_root = single_root};
    f->reach = reach_new(system, n, single_root, 0);
    f->count = reach_configurations(f->reach);
    f->configs = calloc((size_t)f->count, sizeof *f->configs);
    f->sums = calloc((size_t)reach_trees(f->reach), sizeof *f->sums);
    assert_true(dd_system_begin(system, &c, n, single_root));
    visit(f, &c);
    dd_config_free(&c);
    choose_checked(f, kinds);
}

static void field_end(field *f)
{
    for (int i = 0; i < f->count; i++) dd_config_free(&f->configs[i]);
    free(f->configs);
    free(f->checked);
    free(f->sums);
    reach_free(f->reach);
    dd_soft_free(&f->soft);
}

static void complain(const dd_system *system, const dd_config *c, const int32_t *weights,
                     int32_t got, int32_t want)
{
    fprintf(stderr, "%s, %s: best %d, should be %d; front %d, stack", system->name,
            c->single_root ? "single root" : "any roots", got, want, c->front);
    for (int at = 0; at < c->depth; at++) fprintf(stderr, " %d", c->stack[at]);
    fprintf(stderr, "; heads");
    for (int word = 1; word <= c->n; word++) fprintf(stderr, " %d", c->nodes[word].head);
    for (int word = 1; word <= c->n; word++) {
        fprintf(stderr, "\n  weights into %d:", word);
        for (int head = 0; head <= c->n; head++)
            fprintf(stderr, " %d", weights[word * (c->n + 1) + head]);
    }
    fprintf(stderr, "\n");
    fail();
}

static int32_t weight_of_tree(const int32_t *weights, const int32_t *heads, int n)
{
    int32_t sum = 0;
    for (int word = 1; word <= n; word++) sum += weights[word * (n + 1) + heads[word]];
    return sum;
}

static int32_t best_in_reach(const field *f, int number)
{
    const reach_set *set = reach_of(f->reach, number);
    int32_t best = -1;
    for (int at = 0; at < REACH_ROW; at++)
        for (uint64_t bits = set->bits[at]; bits; bits &= bits - 1) {
            int32_t sum = f->sums[64 * at + __builtin_ctzll(bits)];
            if (sum > best) best = sum;
        }
    return best;
}

/* With the weights that the field holds now. */
static void check_all(field *f)
{
    dd_soft_begin(&f->soft, f->weights, f->n);
    for (int t = 0; t < reach_trees(f->reach); t++)
        f->sums[t] = weight_of_tree(f->weights, reach_tree(f->reach, t), f->n);
    for (int i = 0; i < f->n_checked; i++) {
        const dd_config *c = &f->configs[f->checked[i]];
        int32_t got, want = best_in_reach(f, f->checked[i]);
        assert_true(f->system->oracle.best(&f->soft, c, &got));
        if (got != want) complain(f->system, c, f->weights, got, want);
    }
}

/* ---- weights --------------------------------------------------------------------------------- */

static void weigh_tree(int32_t *weights, const int32_t *heads, int n)
{
    memset(weights, 0, CELLS * sizeof *weights);
    for (int word = 1; word <= n; word++)
        if (heads[word] >= 0) weights[word * (n + 1) + heads[word]] = DD_SOFT_ONE;
}

/* Of one word: spread over all heads, over a few, or each any number. */
static void draw_weights(dd_random *random, int32_t *weights, int n)
{
    memset(weights, 0, CELLS * sizeof *weights);
    for (int word = 1; word <= n; word++) {
        int32_t *into = weights + word * (n + 1), left = DD_SOFT_ONE;
        uint32_t kind = dd_random_below(random, 3);
        for (int times = 0; times < 3 && kind > 0; times++) {
            int32_t part = (int32_t)dd_random_below(random, (uint32_t)left + 1);
            into[dd_random_below(random, (uint32_t)n + 1)] += part;
            left -= part;
        }
        for (int head = 0; head <= n && kind == 0; head++)
            into[head] = (int32_t)dd_random_below(random, DD_SOFT_ONE + 1);
    }
}

static uint64_t power(int base, int exponent)
{
    uint64_t product = 1;
    while (exponent-- > 0) product *= (uint64_t)base;
    return product;
}

/* ---- exhaustive ------------------------------------------------------------------------------ */

static int longest(void)
{
    const char *wanted = getenv("DODONA_SOFT_N");
    return wanted ? atoi(wanted) : 5;
}

/* The same loss as against the tree alone, if the system can build it. */
static void check_losses(field *f, const dd_gold *gold)
{
    dd_loss_space space = {0};
    if (f->system->oracle.refuses(gold, f->single_root)) return;
    assert_true(dd_soft_begin_gold(&f->soft, gold));
    for (int i = 0; i < f->n_checked; i++) {
        const dd_config *c = &f->configs[f->checked[i]];
        int32_t got;
        int want;
        assert_true(dd_soft_loss(f->system, &f->soft, c, &got));
        assert_true(f->system->oracle.loss(&space, c, gold, &want));
        if (got != want * DD_SOFT_ONE)
            complain(f->system, c, f->soft.weights, got, want * DD_SOFT_ONE);
    }
    dd_loss_space_free(&space);
}

/* With the arcs of trees, one of `step`; how many. */
static int check_trees(field *f, uint64_t step)
{
    int32_t heads[MAX_N + 1];
    dd_gold gold = {0};
    uint64_t trees = 0;
    for (uint64_t index = 0; index < power(f->n + 1, f->n); index++)
        if (tree_by_index(heads, f->n, index) && trees++ % step == 0) {
            weigh_tree(f->weights, heads, f->n);
            check_all(f);
            assert_true(dd_gold_set(&gold, heads, NULL, f->n));
            check_losses(f, &gold);
        }
    dd_gold_free(&gold);
    return (int)((trees + step - 1) / step);
}

static void check_words(const dd_system *system, int n, bool single_root, bool kinds, uint64_t step)
{
    field f;
    dd_random random = {(uint64_t)n};
    field_begin(&f, system, n, single_root, kinds);
    int trees = check_trees(&f, step);
    for (int i = 0; i < RANDOM_WEIGHTS; i++) {
        draw_weights(&random, f.weights, n);
        check_all(&f);
    }
    if (getenv("DODONA_SOFT_COUNT"))
        printf("# %s, %s: n = %d, %d trees, whole, in %d of %d configurations\n", system->name,
               single_root ? "single root" : "any roots", n, trees, f.n_checked, f.count);
    field_end(&f);
}

/* ---- longer sentences ------------------------------------------------------------------------ */

/* The greatest weight that moves from here can add; `left`: configurations that may be looked at,
 * below 0 when they were too few. */
static int32_t search(const dd_system *system, const int32_t *weights, const dd_config *c,
                      long *left)
{
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves = dd_system_permissible(system, c, moves);
    int32_t best = -1, rest = 0;
    if (--*left < 0) return 0;
    for (int m = 0; m < n_moves; m++) {
        dd_config next = {0};
        assert_true(dd_config_copy(&next, c));
        dd_system_apply(system, &next, moves[m], 0);
        int32_t sum = search(system, weights, &next, left);
        if (sum > best) best = sum;
        dd_config_free(&next);
    }
    if (n_moves > 0) return best;
    for (int word = 1; word <= c->n; word++) {
        int head = dd_headless(c, word) ? 0 : c->nodes[word].head;
        rest += weights[word * (c->n + 1) + head];
    }
    return rest;
}

static int walk(const dd_system *system, dd_random *random, bool single_root, int n)
{
    int32_t weights[CELLS], heads[MAX_N + 1];
    dd_config c = {0};
    dd_soft soft = {0};
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves, checked = 0;
    draw_weights(random, weights, n);
    if (dd_random_below(random, 2)) {
        random_tree(random, heads, n, !single_root);
        weigh_tree(weights, heads, n);
    }
    dd_soft_begin(&soft, weights, n);
    assert_true(dd_system_begin(system, &c, n, single_root));
    while ((n_moves = dd_system_permissible(system, &c, moves)) > 0) {
        long left = SPARE;
        int32_t got, want = search(system, weights, &c, &left);
        assert_true(system->oracle.best(&soft, &c, &got));
        if (left >= 0 && got != want) complain(system, &c, weights, got, want);
        checked += left >= 0;
        dd_system_apply(system, &c, moves[dd_random_below(random, (uint32_t)n_moves)], 0);
    }
    dd_config_free(&c);
    dd_soft_free(&soft);
    return checked;
}

/* ---- adding up lost arcs --------------------------------------------------------------------- */

/* What the costs of arc-decomposable systems would be: the weights of all arcs that were in reach
 * and are no more. */
static uint32_t arcs_in_reach(const field *f, int number)
{
    const reach_set *set = reach_of(f->reach, number);
    uint32_t arcs = 0;
    for (int t = 0; t < reach_trees(f->reach); t++)
        for (int word = 1; word <= f->n && set->bits[t / 64] >> (t % 64) & 1; word++)
            arcs |= UINT32_C(1) << (word * (f->n + 1) + reach_tree(f->reach, t)[word]);
    return arcs;
}

typedef struct tally {
    int exact, above, below; /* moves whose lost arcs weigh as much as they cost, more, or less */
    int misled;              /* configurations in which a move that loses least costs something */
} tally;

static int32_t weight_of_arcs(const field *f, uint32_t arcs)
{
    int32_t sum = 0;
    for (; arcs; arcs &= arcs - 1) sum += f->weights[__builtin_ctz(arcs)];
    return sum;
}

static void compare_moves(const field *f, const uint32_t *in_reach, int number, tally *t)
{
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves = dd_system_permissible(f->system, &f->configs[number], moves);
    int32_t best = best_in_reach(f, number), least = INT32_MAX, of_least = 0;
    for (int m = 0; m < n_moves; m++) {
        dd_config next = {0};
        assert_true(dd_config_copy(&next, &f->configs[number]));
        dd_system_apply(f->system, &next, moves[m], 0);
        int after = reach_find(f->reach, &next);
        int32_t cost = best - best_in_reach(f, after);
        int32_t lost = weight_of_arcs(f, in_reach[number] & ~in_reach[after]);
        t->exact += lost == cost;
        t->above += lost > cost;
        t->below += lost < cost;
        if (lost < least || (lost == least && cost > of_least)) of_least = cost;
        if (lost < least) least = lost;
        dd_config_free(&next);
    }
    t->misled += of_least > 0;
}

/* With the weights that the field holds now. */
static void compare(field *f, const uint32_t *in_reach, tally *t)
{
    for (int tree = 0; tree < reach_trees(f->reach); tree++)
        f->sums[tree] = weight_of_tree(f->weights, reach_tree(f->reach, tree), f->n);
    for (int i = 0; i < f->count; i++) compare_moves(f, in_reach, i, t);
}

static int count_bits(uint32_t bits)
{
    int count = 0;
    for (; bits; bits &= bits - 1) count++;
    return count;
}

static bool in_one_tree(const field *f, uint32_t arcs)
{
    for (int t = 0; t < reach_trees(f->reach); t++)
        if (f->sums[t] == count_bits(arcs)) return true;
    return false;
}

static uint32_t *all_in_reach(const field *f)
{
    uint32_t *in_reach = calloc((size_t)f->count, sizeof *in_reach);
    for (int i = 0; i < f->count; i++) in_reach[i] = arcs_in_reach(f, i);
    return in_reach;
}

/* All sets of arcs, or only those that are trees: adding up is exact in all configurations if and
 * only if one tree has all arcs. Otherwise it is never too little. */
static void check_adding_up(const dd_system *system, bool single_root, int n, bool trees_only)
{
    field f;
    int32_t heads[MAX_N + 1];
    uint32_t cells = (uint32_t)(n * (n + 1));
    int misleading = 0, inexact = 0;
    field_begin(&f, system, n, single_root, false);
    uint32_t *in_reach = all_in_reach(&f);
    uint64_t sets = trees_only ? power(n + 1, n) : UINT64_C(1) << cells;
    for (uint64_t index = 0; index < sets; index++) {
        uint32_t arcs = (uint32_t)index << (n + 1);
        if (trees_only) {
            if (!tree_by_index(heads, n, index)) continue;
            arcs = 0;
            for (int word = 1; word <= n; word++)
                arcs |= UINT32_C(1) << (word * (n + 1) + heads[word]);
        }
        if (arcs & ~in_reach[0]) continue;
        tally t = {0};
        for (uint32_t at = 0; at < cells + (uint32_t)n + 1; at++)
            f.weights[at] = (int32_t)(arcs >> at & 1);
        compare(&f, in_reach, &t);
        assert_int_equal(t.below, 0);
        assert_int_equal(t.above == 0, in_one_tree(&f, arcs));
        misleading += t.misled > 0;
        inexact += t.above > 0;
    }
    if (getenv("DODONA_SOFT_COUNT"))
        printf("# %s, %s: n = %d, %s: %d are inexact, %d mislead\n", system->name,
               single_root ? "single root" : "any roots", n, trees_only ? "trees" : "sets of arcs",
               inexact, misleading);
    free(in_reach);
    field_end(&f);
}

/* Three annotators, each with a random tree. */
static void draw_annotators(field *f, dd_random *random)
{
    int32_t heads[MAX_N + 1];
    memset(f->weights, 0, sizeof f->weights);
    for (int annotator = 0; annotator < 3; annotator++) {
        random_tree(random, heads, f->n, !f->single_root);
        for (int word = 1; word <= f->n; word++) f->weights[word * (f->n + 1) + heads[word]]++;
    }
}

/* Random weights: in arc-decomposable systems the sum is never too little. */
static void check_random_sums(const dd_system *system, bool single_root, int n, bool decomposable)
{
    field f;
    dd_random random = {(uint64_t)n};
    tally spread = {0}, annotators = {0};
    field_begin(&f, system, n, single_root, false);
    uint32_t *in_reach = all_in_reach(&f);
    for (int i = 0; i < RANDOM_SUMS; i++) {
        draw_weights(&random, f.weights, n);
        compare(&f, in_reach, &spread);
        draw_annotators(&f, &random);
        compare(&f, in_reach, &annotators);
    }
    if (decomposable) assert_int_equal(spread.below + annotators.below, 0);
    const tally *both[] = {&spread, &annotators};
    for (int kind = 0; kind < 2 && getenv("DODONA_SOFT_COUNT"); kind++)
        printf("# %s, %s: n = %d, sums with %s: %d moves exact, %d above, %d below; "
               "%d of %d configurations mislead\n",
               system->name, single_root ? "single root" : "any roots", n,
               kind ? "three annotators" : "random weights", both[kind]->exact, both[kind]->above,
               both[kind]->below, both[kind]->misled, RANDOM_SUMS * f.count);
    free(in_reach);
    field_end(&f);
}

static void check_sums(const dd_system *system, bool single_root)
{
    bool decomposable =
        system->oracle.weighs_arcs && !system->lists && (system != &dd_arc_eager || !single_root);
    for (int n = 1; n <= 4; n++) {
        if (decomposable) check_adding_up(system, single_root, n, n > 3);
        check_random_sums(system, single_root, n, decomposable);
    }
}

static void check_system(const dd_system *system, bool single_root)
{
    dd_random random = {3};
    uint64_t wanted = arena_configurations_wanted() / 1000;
    int most = longest();
    check_sums(system, single_root);
    if (!system->oracle.best) return;
    for (int n = 1; n <= most; n++)
        if (n < 5 || !system->lists) check_words(system, n, single_root, false, 1);
    if (most < 6 && !system->lists) check_words(system, 6, single_root, true, 1);
    for (uint64_t checked = 0; checked < wanted;)
        checked += (uint64_t)walk(system, &random, single_root,
                                  6 + (int)dd_random_below(&random, MAX_N - 5));
}

static void any_roots(void **state)
{
    check_system(*state, false);
}

static void single_root(void **state)
{
    check_system(*state, true);
}

int main(int argc, char **argv)
{
    return arena_run_tests("soft", any_roots, single_root, argc, argv);
}
