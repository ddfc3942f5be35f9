/* Pseudo-projective lifting and its undoing, on small examples, random trees and, where they are,
 * treebanks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/random.h"
#include "text/sentence.h"
#include "tree/lift.h"

enum { MOST = 600, LABELS = 12, SCHEMES = 4 };

typedef struct tree {
    int n;
    int32_t heads[MOST + 1];
    int32_t labels[MOST + 1];
} tree;

/* A label for each number, "a" to "l" for the random ones. */
typedef struct bench {
    dd_tree_space space;
    dd_vocab plain; /* of gold trees */
    dd_random random;
} bench;

static void set_up(bench *b)
{
    *b = (bench){.random = {20050625}};
    for (int i = 0; i < LABELS; i++) {
        char name[1] = {(char)('a' + i)};
        assert_int_equal(dd_vocab_add(&b->plain, (dd_text){name, 1}), i);
    }
}

static void tear_down(bench *b)
{
    dd_tree_space_free(&b->space);
    dd_vocab_free(&b->plain);
}

/* A random order; each word's head is one before it. */
static void make_random(bench *b, tree *t, int n, bool several_roots)
{
    int order[MOST + 1] = {0};
    t->n = n;
    for (int at = 1; at <= n; at++) {
        int to = 1 + (int)dd_random_below(&b->random, (uint32_t)at);
        order[at] = order[to];
        order[to] = at;
    }
    for (int at = 1; at <= n; at++) {
        int low = at > 1 && !several_roots;
        t->heads[order[at]] = order[low + (int)dd_random_below(&b->random, (uint32_t)(at - low))];
        t->labels[order[at]] = (int)dd_random_below(&b->random, LABELS);
    }
}

static void assert_tree(bench *b, const tree *t)
{
    dd_tree_fault fault;
    int word;
    assert_true(dd_tree_check(&b->space, t->heads, t->n, &fault, &word));
    assert_int_equal(fault, DD_TREE_OK);
}

static int crossing(bench *b, const tree *t)
{
    int arcs;
    assert_true(dd_tree_nonprojective_arcs(&b->space, t->heads, t->n, &arcs));
    return arcs;
}

/* Lifts the tree; its labels become numbers in `labels`. */
static void lift(bench *b, tree *t, dd_pseudo_projective scheme, dd_vocab *labels)
{
    tree gold = *t;
    uint8_t marks[MOST + 1] = {0};
    dd_buffer text = {0};
    assert_true(dd_lift(&b->space, t->heads, t->n, marks));
    for (int word = 1; word <= t->n; word++) {
        int head = gold.heads[word] ? gold.labels[gold.heads[word]] : 0;
        assert_int_equal((marks[word] & DD_LIFTED) != 0, t->heads[word] != gold.heads[word]);
        assert_true(dd_lift_label(&text, scheme, dd_vocab_text(&b->plain, gold.labels[word]),
                                  marks[word], dd_vocab_text(&b->plain, head)));
        t->labels[word] = dd_vocab_add(labels, (dd_text){text.data, text.size});
    }
    dd_buffer_free(&text);
}

/* Undoes it; the labels become numbers in `plain` again. */
static void unlift(bench *b, tree *t, dd_pseudo_projective scheme, const dd_vocab *labels)
{
    dd_unlift undo = {0};
    assert_true(dd_unlift_set(&undo, scheme, labels));
    assert_true(dd_unlift_apply(&undo, &b->space, t->heads, t->labels, t->n));
    for (int word = 1; word <= t->n && scheme; word++)
        t->labels[word] = dd_vocab_find(&b->plain, dd_vocab_text(&undo.names, t->labels[word]));
    dd_unlift_free(&undo);
}

static int differences(const tree *one, const tree *other)
{
    int count = 0;
    for (int word = 1; word <= one->n; word++) {
        count += one->heads[word] != other->heads[word];
        assert_int_equal(one->labels[word], other->labels[word]);
    }
    return count;
}

static bool slow_dominates(const int32_t *heads, int ancestor, int word)
{
    while (word > 0 && word != ancestor) word = heads[word];
    return word == ancestor;
}

/* The same by the definition: by length, then from the left, the first arc that passes over a word
 * which is not below its head. */
static int slow_shortest(const int32_t *heads, int n)
{
    for (int length = 1; length < n; length++) {
        for (int word = 1; word <= n; word++) {
            int head = heads[word], low = head < word ? head : word;
            if (head == 0 || abs(head - word) != length) continue;
            for (int between = low + 1; between < low + length; between++)
                if (!slow_dominates(heads, head, between)) return word;
        }
    }
    return 0;
}

static void slow_lift(tree *t)
{
    for (int word; (word = slow_shortest(t->heads, t->n));)
        t->heads[word] = t->heads[t->heads[word]];
}

static void lifted_trees_are_projective(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    for (int round = 0; round < 4000; round++) {
        tree t;
        uint8_t marks[MOST + 1] = {0};
        bool several = round % 3 == 0;
        make_random(&b, &t, 1 + round % 40, several);
        int roots = dd_tree_roots(t.heads, t.n);
        tree gold = t;
        int arcs = crossing(&b, &t);
        assert_true(dd_lift(&b.space, t.heads, t.n, marks));
        assert_int_equal(crossing(&b, &t), 0);
        assert_tree(&b, &t);
        tree slow = gold;
        slow_lift(&slow);
        assert_int_equal(differences(&slow, &t), 0);
        if (roots == 1) assert_int_equal(dd_tree_roots(t.heads, t.n), 1);
        if (arcs == 0) assert_int_equal(differences(&gold, &t), 0);
        if (arcs == 0)
            for (int word = 1; word <= t.n; word++) assert_int_equal(marks[word], 0);
    }
    tear_down(&b);
}

static void long_trees_are_lifted_in_time(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    tree t;
    uint8_t marks[MOST + 1] = {0};
    make_random(&b, &t, MOST, false);
    assert_true(dd_lift(&b.space, t.heads, t.n, marks));
    assert_int_equal(crossing(&b, &t), 0);
    tear_down(&b);
}

/* 0 -> 2 -> 5 -> 3 -> 1, 2 -> 4. Both 3 -> 1 and 5 -> 3 have length 2 and pass over a word that is
 * not below their head. 1 goes first, to 5 and on to 2; then 3 goes to 2. */
static void the_shortest_arc_is_lifted_first(void **state)
{
    (void)state;
    static const int32_t want[] = {-1, 2, 0, 2, 2, 2};
    int32_t heads[] = {-1, 3, 0, 5, 2, 2};
    uint8_t marks[6] = {0};
    dd_tree_space space = {0};
    assert_true(dd_lift(&space, heads, 5, marks));
    for (int word = 1; word <= 5; word++) assert_int_equal(heads[word], want[word]);
    assert_int_equal(marks[1], DD_LIFTED);
    assert_int_equal(marks[3], DD_LIFTED | DD_ON_PATH);
    assert_int_equal(marks[5], DD_ON_PATH);
    dd_tree_space_free(&space);
}

static void labels_tell_what_the_scheme_says(void **state)
{
    (void)state;
    static const struct {
        dd_pseudo_projective scheme;
        int marks;
        const char *want;
    } cases[] = {
        {DD_PSEUDO_PROJECTIVE_NONE, DD_LIFTED | DD_ON_PATH, "nmod"},
        {DD_PSEUDO_PROJECTIVE_HEAD, 0, "nmod"},
        {DD_PSEUDO_PROJECTIVE_HEAD, DD_ON_PATH, "nmod"},
        {DD_PSEUDO_PROJECTIVE_HEAD, DD_LIFTED, "nmod\t^\tobj"},
        {DD_PSEUDO_PROJECTIVE_HEAD, DD_LIFTED | DD_ON_PATH, "nmod\t^\tobj"},
        {DD_PSEUDO_PROJECTIVE_PATH, DD_ON_PATH, "nmod\tv"},
        {DD_PSEUDO_PROJECTIVE_PATH, DD_LIFTED, "nmod\t^"},
        {DD_PSEUDO_PROJECTIVE_PATH, DD_LIFTED | DD_ON_PATH, "nmod\t^v"},
        {DD_PSEUDO_PROJECTIVE_HEAD_PATH, DD_ON_PATH, "nmod\tv"},
        {DD_PSEUDO_PROJECTIVE_HEAD_PATH, DD_LIFTED, "nmod\t^\tobj"},
        {DD_PSEUDO_PROJECTIVE_HEAD_PATH, DD_LIFTED | DD_ON_PATH, "nmod\t^v\tobj"},
    };
    dd_buffer out = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(dd_lift_label(&out, cases[i].scheme, (dd_text){"nmod", 4}, cases[i].marks,
                                  (dd_text){"obj", 3}));
        assert_int_equal(out.size, strlen(cases[i].want));
        assert_memory_equal(out.data, cases[i].want, out.size);
    }
    dd_buffer_free(&out);
}

static void names_of_schemes(void **state)
{
    (void)state;
    for (int scheme = 0; scheme < SCHEMES; scheme++) {
        const char *name = dd_pseudo_projective_name((dd_pseudo_projective)scheme);
        assert_int_equal(dd_pseudo_projective_find((dd_text){name, strlen(name)}), scheme);
    }
    assert_int_equal(dd_pseudo_projective_find((dd_text){"heads", 5}), -1);
}

typedef struct tally {
    int trees, exact, arcs, back; /* non-projective trees; lifted arcs */
} tally;

/* Lifts and undoes; counts what came back. Projective trees must come back as they were. */
static void round_trip(bench *b, const tree *gold, dd_pseudo_projective scheme, tally *count)
{
    tree t = *gold;
    dd_vocab labels = {0};
    lift(b, &t, scheme, &labels);
    int lifted = 0;
    for (int word = 1; word <= t.n; word++) lifted += t.heads[word] != gold->heads[word];
    int roots = dd_tree_roots(t.heads, t.n);
    unlift(b, &t, scheme, &labels);
    assert_tree(b, &t);
    assert_true(dd_tree_roots(t.heads, t.n) <= roots);
    int wrong = differences(gold, &t);
    if (lifted == 0) assert_int_equal(wrong, 0);
    count->trees += lifted > 0;
    count->exact += lifted > 0 && wrong == 0;
    count->arcs += lifted;
    count->back += lifted - wrong;
    dd_vocab_free(&labels);
}

static void report(const char *what, int scheme, const tally *count)
{
    print_message("# %s, %s: %d of %d trees (%.1f %%), %d of %d lifted arcs (%.1f %%)\n", what,
                  dd_pseudo_projective_name((dd_pseudo_projective)scheme), count->exact,
                  count->trees, 100.0 * count->exact / count->trees, count->back, count->arcs,
                  100.0 * count->back / count->arcs);
}

/* Random trees cross everywhere; treebanks hardly. */
static void random_trees_come_back_in_part(void **state)
{
    (void)state;
    static const double least[SCHEMES] = {0, 0.8, 0.45, 0.9};
    for (int scheme = 1; scheme < SCHEMES; scheme++) {
        bench b;
        tally count = {0};
        set_up(&b);
        for (int round = 0; round < 3000; round++) {
            tree gold;
            make_random(&b, &gold, 2 + round % 9, round % 3 == 0);
            round_trip(&b, &gold, (dd_pseudo_projective)scheme, &count);
        }
        report("random trees", scheme, &count);
        assert_true(count.back >= least[scheme] * count.arcs);
        tear_down(&b);
    }
}

/* Whatever labels a parser puts where, the result is a tree with no new root and plain labels. */
static void any_labels_give_a_tree(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    for (int round = 0; round < 3000; round++) {
        tree t, other;
        dd_vocab labels = {0};
        dd_pseudo_projective scheme = (dd_pseudo_projective)(1 + round % 3);
        make_random(&b, &other, 20, false);
        lift(&b, &other, scheme, &labels);
        make_random(&b, &t, 1 + round % 20, round % 2 == 0);
        for (int word = 1; word <= t.n; word++)
            t.labels[word] = (int)dd_random_below(&b.random, (uint32_t)labels.count);
        tree before = t;
        unlift(&b, &t, scheme, &labels);
        assert_tree(&b, &t);
        for (int word = 1; word <= t.n; word++) {
            assert_in_range(t.labels[word], 0, LABELS - 1);
            if (t.heads[word] == 0) assert_int_equal(before.heads[word], 0);
        }
        dd_vocab_free(&labels);
    }
    tear_down(&b);
}

static void read_tree(bench *b, const dd_sentence *sentence, tree *t)
{
    t->n = sentence->n;
    for (int word = 1; word <= t->n; word++) {
        t->heads[word] = sentence->gold[word];
        t->labels[word] = dd_vocab_add(&b->plain, dd_cell(sentence, word, DD_DEPREL));
    }
}

static void treebank(const char *root, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/dev.conllu", root, name);
    bench b;
    tally counts[SCHEMES] = {{0}};
    dd_reader *reader;
    dd_sentence *sentence;
    set_up(&b);
    assert_int_equal(dd_reader_open(&reader, path, DD_FORMAT_CONLLU, NULL), DD_OK);
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    while (dd_reader_next(reader, sentence, NULL) == DD_OK) {
        tree gold;
        assert_true(sentence->n <= MOST);
        read_tree(&b, sentence, &gold);
        for (int scheme = 1; scheme < SCHEMES; scheme++)
            round_trip(&b, &gold, (dd_pseudo_projective)scheme, &counts[scheme]);
    }
    for (int scheme = 1; scheme < SCHEMES; scheme++) report(name, scheme, &counts[scheme]);
    assert_true(counts[DD_PSEUDO_PROJECTIVE_HEAD_PATH].back >=
                0.9 * counts[DD_PSEUDO_PROJECTIVE_HEAD_PATH].arcs);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    tear_down(&b);
}

static void treebanks_come_back(void **state)
{
    (void)state;
    const char *root = getenv("DODONA_TREEBANKS");
    char path[4096];
    snprintf(path, sizeof path, "%s/eu_bdt/dev.conllu", root ? root : "");
    FILE *there = root ? fopen(path, "r") : NULL;
    if (!there) return;
    fclose(there);
    treebank(root, "eu_bdt");
    treebank(root, "da_ddt");
    treebank(root, "nl_lassysmall");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lifted_trees_are_projective),
        cmocka_unit_test(long_trees_are_lifted_in_time),
        cmocka_unit_test(the_shortest_arc_is_lifted_first),
        cmocka_unit_test(labels_tell_what_the_scheme_says),
        cmocka_unit_test(names_of_schemes),
        cmocka_unit_test(random_trees_come_back_in_part),
        cmocka_unit_test(any_labels_give_a_tree),
        cmocka_unit_test(treebanks_come_back),
    };
    return cmocka_run_group_tests_name("lift", tests, NULL, NULL);
}
