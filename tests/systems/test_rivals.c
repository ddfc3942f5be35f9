/* Rivals for a role against the slow, obvious rule, in trees of every system with random labels and
 * scores: of each group the one keeps its label whose label leads by most before the best that it
 * could have instead; all others get the best label that makes no new pair. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "judge.h"
#include "parse/tidy.h"
#include "systems/registry.h"

enum { MOST_WORDS = 12, LABELS = 8 };

static const char *const names[LABELS] = {"root", "nsubj", "csubj:pass", "nsubj:outer",
                                          "obj",  "obl",   "objx",       "det"};
/* 0: any number of such dependents is fine. */
static const int roles[LABELS] = {0, 1, 1, 2, 3, 0, 0, 0};

typedef struct arena {
    dd_model model;
    dd_tidier tidier;
    dd_random random;
    int n;
    int32_t scores[MOST_WORDS + 1][LABELS]; /* of labels of the arc into each word */
    int32_t heads[MOST_WORDS + 1], before[MOST_WORDS + 1], labels[MOST_WORDS + 1];
    int changed, kept;
} arena;

/* ---- a scorer that knows the scores ------------------------------------------------------- */

static bool score(void *space, dd_view *const *views, int count)
{
    const arena *a = space;
    const dd_inventory *inventory = &a->model.inventory;
    assert_int_equal(count, 1);
    assert_int_equal(views[0]->sentence, 7);
    for (int m = 0; m < views[0]->n_moves; m++) {
        int word = views[0]->arcs[m].dependent;
        for (int id = 0; id < inventory->n_classes && word != DD_NONE; id++)
            if (inventory->classes[id].label != DD_NONE)
                dd_view_row(views[0], m, inventory->n_classes)[id] =
                    a->scores[word][inventory->classes[id].label];
    }
    return true;
}

static const dd_scorer known_scores = {.name = "known", .score = score};

static void begin(arena *a, const dd_system *system)
{
    dd_inventory *inventory = &a->model.inventory;
    *a = (arena){.random = {5}};
    a->model.system = system;
    a->model.scorer = &known_scores;
    a->model.by_move = true;
    for (int i = 0; i < LABELS; i++) {
        int seen = i == 0 ? DD_SEEN_ROOT : DD_SEEN_LEFT | DD_SEEN_RIGHT;
        assert_int_equal(dd_inventory_see(inventory, (dd_text){names[i], strlen(names[i])}, seen),
                         i);
    }
    assert_int_equal(dd_inventory_close(inventory, system, NULL), DD_OK);
    assert_true(dd_tidier_start(&a->tidier, &a->model));
}

static void end(arena *a)
{
    dd_tidier_free(&a->tidier);
    dd_inventory_free(&a->model.inventory);
}

/* ---- the slow, obvious rule --------------------------------------------------------------- */

static bool has_role(const arena *a, const int32_t *labels, int head, int role, int besides)
{
    for (int word = 1; word <= a->n; word++)
        if (word != besides && a->heads[word] == head && roles[labels[word]] == role) return true;
    return false;
}

static bool is_rival(const arena *a, const int32_t *labels, int word)
{
    int role = roles[labels[word]];
    return role && a->heads[word] > 0 && has_role(a, labels, a->heads[word], role, word);
}

static int64_t lead_before(const arena *a, int word)
{
    const int32_t *scores = a->scores[word];
    int64_t least = INT64_MAX;
    for (int label = 1; label < LABELS; label++)
        if (!roles[label] || !has_role(a, a->before, a->heads[word], roles[label], 0))
            if ((int64_t)scores[a->before[word]] - scores[label] < least)
                least = (int64_t)scores[a->before[word]] - scores[label];
    return least;
}

/* The first of those that lead by most. */
static bool should_keep(const arena *a, int word)
{
    for (int other = 1; other <= a->n; other++) {
        if (other == word || a->heads[other] != a->heads[word]) continue;
        if (roles[a->before[other]] != roles[a->before[word]]) continue;
        int64_t more = lead_before(a, other) - lead_before(a, word);
        if (more > 0 || (more == 0 && other < word)) return false;
    }
    return true;
}

static void check_word(arena *a, int word)
{
    bool keeps = !is_rival(a, a->before, word) || should_keep(a, word);
    assert_false(is_rival(a, a->labels, word));
    assert_int_equal(a->labels[word] == a->before[word], keeps);
    a->kept += keeps;
    if (keeps) return;
    a->changed++;
    for (int label = 1; label < LABELS; label++)
        if (a->scores[word][label] > a->scores[word][a->labels[word]])
            assert_true(roles[label] && has_role(a, a->labels, a->heads[word], roles[label], word));
}

/* ---- drawing ------------------------------------------------------------------------------ */

static void follow(const arena *a, dd_config *c)
{
    const dd_system *system = a->model.system;
    dd_gold gold = {0};
    assert_true(dd_gold_set(&gold, a->heads, NULL, a->n));
    assert_true(dd_system_begin(system, c, a->n, false));
    while (!system->final(c)) {
        dd_move move = system->oracle.canonical(c, &gold);
        int word = dd_system_arc(system, c, move).dependent;
        dd_system_apply(system, c, move, word == DD_NONE ? DD_NONE : a->before[word]);
    }
    dd_attach_rest(c, 0);
    dd_gold_free(&gold);
}

static void check_tree(arena *a)
{
    dd_config c = {0};
    uint32_t range = 1 + dd_random_below(&a->random, 100);
    a->n = 1 + (int)dd_random_below(&a->random, MOST_WORDS);
    random_projective_tree(&a->random, a->heads, a->n, true);
    for (int word = 1; word <= a->n; word++) {
        a->before[word] = a->heads[word] ? 1 + (int)dd_random_below(&a->random, LABELS - 1) : 0;
        for (int label = 0; label < LABELS; label++)
            a->scores[word][label] = (int32_t)dd_random_below(&a->random, range) - 20;
    }
    memcpy(a->labels, a->before, sizeof a->labels);
    follow(a, &c);
    assert_true(dd_tidier_relabel(&a->tidier, a, 7, &c, NULL, a->heads, a->labels));
    for (int word = 1; word <= a->n; word++) check_word(a, word);
    dd_config_free(&c);
}

static void the_strongest_keeps_its_label(void **state)
{
    (void)state;
    for (size_t i = 0; i <= dd_system_count(); i++) {
        arena a;
        begin(&a, i < dd_system_count() ? dd_system_get(i) : &dd_graph);
        for (int round = 0; round < 2000; round++) check_tree(&a);
        assert_true(a.changed > 500 && a.kept > 500);
        end(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_strongest_keeps_its_label)};
    return cmocka_run_group_tests_name("rivals", tests, NULL, NULL);
}
