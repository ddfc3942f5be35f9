/* Constraints on longer sentences: the constant-time preconditions of arc-eager against the
 * automaton that judges any constraints, and trees by random scores. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "constrained.h"
#include "judge.h"
#include "parse/beam.h"
#include "systems/arc_eager/arc_eager.h"
#include "systems/registry.h"

enum { MOST_MOVES = 256, LONG = 30, MIDDLE = 20, SHORT = 12, LONGEST = 200 };

static void complain(const constrained *s, const dd_config *c, const char *what)
{
    char room[2000];
    print_error("%s, n = %d%s, %s: %s", s->inventory.system->name, s->sentence->n,
                s->single_root ? ", single root" : "", constrained_text(s, room, sizeof room),
                what);
    print_error("\n  stack:");
    for (int at = 0; c && at < c->depth; at++)
        print_error(" %d(%d)", c->stack[at], c->nodes[c->stack[at]].head);
    print_error("  front: %d\n", c ? c->front : 0);
    fail();
}

/* The tree of a random derivation. */
static void draw_tree(const constrained *s, dd_random *random, int n, int32_t *heads)
{
    const dd_system *system = s->inventory.system;
    if (system->guard->projective) {
        random_projective_tree(random, heads, n, !s->single_root);
        return;
    }
    dd_config c = {0};
    dd_move moves[MOST_MOVES];
    assert_true(dd_system_begin(system, &c, n, s->single_root));
    while (!system->final(&c)) {
        int n_moves = dd_system_permissible(system, &c, moves);
        dd_move move = moves[dd_random_below(random, (uint32_t)n_moves)];
        dd_system_apply(system, &c, move, 0);
    }
    dd_attach_rest(&c, 0);
    for (int word = 1; word <= n; word++) heads[word] = c.nodes[word].head;
    dd_config_free(&c);
}

/* Arcs and spans of a tree, which can hold together; every fourth time of two trees, which may
 * contradict each other. */
static bool draw(constrained *s, dd_random *random, int n, int forbidden)
{
    int32_t heads[LONGEST + 1];
    constrained_words(s, n);
    draw_tree(s, random, n, heads);
    constrained_draw_spans(s, random, heads);
    bool mixed = dd_random_below(random, 4) == 0;
    if (mixed) draw_tree(s, random, n, heads);
    constrained_draw_arcs(s, random, heads, 1 + (int)dd_random_below(random, 5), forbidden);
    if (dd_random_below(random, 3) == 0) constrained_draw_leaves(s, random, heads, 4);
    return !mixed;
}

/* The searches of two systems are exact for short sentences only. */
static bool searches(const dd_system *system)
{
    return strcmp(system->name, "attardi") == 0 || strcmp(system->name, "covington-nm") == 0;
}

static uint32_t longest_in_time(const dd_system *system)
{
    if (!searches(system)) return LONG;
    return strcmp(system->name, "attardi") == 0 ? MIDDLE : SHORT;
}

/* ---- two judges --------------------------------------------------------------------------- */

static void compare_walk(constrained *s, dd_pushdown *pushdown, dd_random *random)
{
    const dd_system *system = s->inventory.system;
    dd_config c = {0};
    assert_true(dd_system_begin(system, &c, s->sentence->n, s->single_root));
    while (!system->final(&c)) {
        dd_move moves[MOST_MOVES];
        int n_moves = dd_system_permissible(system, &c, moves);
        int n_kept = 0;
        for (int m = 0; m < n_moves; m++) {
            bool quick = dd_constraints_allow(&s->constraints, &c, moves[m]);
            bool slow = dd_pushdown_allows(pushdown, &s->constraints, &c, moves[m]);
            if (quick != slow)
                complain(s, &c,
                         quick ? "a move is allowed, wrongly" : "a move is blocked, wrongly");
            if (slow) moves[n_kept++] = moves[m];
        }
        if (n_kept == 0) complain(s, &c, "stuck");
        dd_move move = moves[dd_random_below(random, (uint32_t)n_kept)];
        dd_constraints_follow(&s->constraints, &c, move);
        dd_system_apply(system, &c, move, 0);
    }
    dd_config_free(&c);
}

static bool any_allowed(constrained *s, dd_pushdown *pushdown)
{
    dd_config c = {0};
    assert_true(dd_system_begin(s->inventory.system, &c, s->sentence->n, s->single_root));
    bool answer = dd_pushdown_allows(pushdown, &s->constraints, &c, (dd_move){DD_EAGER_SHIFT, 0});
    dd_config_free(&c);
    return answer;
}

static void check_eager(bool single_root, int rounds)
{
    constrained s;
    dd_pushdown *pushdown = NULL;
    dd_random random = {single_root + 1};
    int refused = 0;
    constrained_begin(&s, dd_system_find("arc-eager"), single_root);
    for (int round = 0; round < rounds; round++) {
        (void)draw(&s, &random, 3 + (int)dd_random_below(&random, 12), 0);
        if (dd_constraint_count(s.sentence) == 0) continue;
        bool passed = constrained_set(&s) == DD_OK;
        if (!passed && dd_constraints_build(&s.constraints, s.sentence, &s.inventory, single_root,
                                            NULL) != DD_OK)
            continue;
        assert_true(dd_pushdown_set(&pushdown, &s.constraints));
        if (passed != any_allowed(&s, pushdown))
            complain(&s, NULL, passed ? "passed, wrongly" : "refused, wrongly");
        refused += !passed;
        for (int walk = 0; passed && walk < 4; walk++) compare_walk(&s, pushdown, &random);
    }
    assert_true(refused > rounds / 100);
    dd_pushdown_free(pushdown);
    constrained_end(&s);
}

static void tables_and_automaton_agree(void **state)
{
    (void)state;
    for (int single_root = 0; single_root <= 1; single_root++) check_eager(single_root, 20000);
}

/* ---- leaves ------------------------------------------------------------------------------- */

/* The rules for leaves alone against what judges leaves together with other constraints. */
static void compare_leaves(constrained *s, const constrained *general, dd_random *random)
{
    const dd_system *system = s->inventory.system;
    dd_config c = {0};
    assert_true(dd_system_begin(system, &c, s->sentence->n, s->single_root));
    while (!system->final(&c)) {
        dd_move moves[MOST_MOVES];
        int n_moves = dd_system_permissible(system, &c, moves), n_kept = 0;
        for (int m = 0; m < n_moves; m++) {
            bool quick = dd_constraints_allow(&s->constraints, &c, moves[m]);
            if (quick != dd_constraints_allow(&general->constraints, &c, moves[m]))
                complain(s, &c, quick ? "a move is allowed, wrongly" : "it is blocked, wrongly");
            if (quick) moves[n_kept++] = moves[m];
        }
        if (n_kept == 0) complain(s, &c, "stuck");
        dd_move move = moves[dd_random_below(random, (uint32_t)n_kept)];
        dd_constraints_follow(&general->constraints, &c, move);
        dd_system_apply(system, &c, move, 0);
    }
    dd_config_free(&c);
}

static void draw_leaves(constrained *s, constrained *general, dd_random *random)
{
    int n = 2 + (int)dd_random_below(random, 7);
    uint32_t share = dd_random_below(random, 9);
    constrained_words(s, n);
    constrained_words(general, n);
    for (int word = 1; word <= n; word++) {
        if (dd_random_below(random, 8) >= share) continue;
        assert_int_equal(dd_sentence_require_leaf(s->sentence, word, NULL), DD_OK);
        assert_int_equal(dd_sentence_require_leaf(general->sentence, word, NULL), DD_OK);
    }
}

static bool set_general(constrained *s)
{
    assert_int_equal(
        dd_constraints_build(&s->constraints, s->sentence, &s->inventory, s->single_root, NULL),
        DD_OK);
    s->constraints.only_leaves = false;
    s->constraints.effort = (dd_effort){0};
    return dd_constraints_satisfiable(&s->constraints) == 1;
}

static void check_leaves(const dd_system *system, bool single_root)
{
    constrained s, general;
    dd_random random = {7};
    int refused = 0, walks = searches(system) ? 2 : 8;
    constrained_begin(&s, system, single_root);
    constrained_begin(&general, system, single_root);
    for (int round = 0; round < 3000; round++) {
        draw_leaves(&s, &general, &random);
        if (dd_constraint_count(s.sentence) == 0) continue;
        bool passed = constrained_set(&s) == DD_OK;
        if (passed != set_general(&general)) complain(&s, NULL, "the judges do not agree");
        refused += !passed;
        for (int walk = 0; passed && walk < walks; walk++) compare_leaves(&s, &general, &random);
    }
    assert_true(single_root ? refused > 30 : refused == 0);
    constrained_end(&s);
    constrained_end(&general);
}

static void leaves_alone_and_in_general_agree(void **state)
{
    for (int single_root = 0; single_root <= 1; single_root++) check_leaves(*state, single_root);
}

/* ---- trees -------------------------------------------------------------------------------- */

static void parse_at_random(constrained *s, dd_random *random)
{
    const dd_system *system = s->inventory.system;
    int32_t heads[LONGEST + 1];
    dd_config c = {0};
    assert_true(dd_system_begin(system, &c, s->sentence->n, s->single_root));
    dd_move *moves = calloc((size_t)dd_system_max_moves(system, s->sentence->n), sizeof *moves);
    while (!system->final(&c)) {
        int n_moves = dd_system_permissible(system, &c, moves);
        n_moves = dd_constraints_filter(&s->constraints, &c, moves, n_moves);
        if (n_moves == 0) complain(s, &c, "stuck");
        dd_move move = moves[dd_random_below(random, (uint32_t)n_moves)];
        dd_constraints_follow(&s->constraints, &c, move);
        dd_system_apply(system, &c, move, 0);
    }
    dd_attach_rest(&c, 0);
    for (int word = 1; word <= c.n; word++) heads[word] = c.nodes[word].head;
    if (!constrained_satisfied(s, heads)) complain(s, &c, "the tree breaks a constraint");
    if (!dd_constraints_hold(&s->constraints, heads)) complain(s, &c, "the parser thinks so too");
    free(moves);
    dd_config_free(&c);
}

/* Any scores will do: what holds must hold whatever the model likes. */
static bool score_at_random(void *user, dd_decoder *const *decoders, int count)
{
    dd_view *views[DD_SCORED_TOGETHER];
    if (!dd_decoders_list_views(decoders, count, false, views)) return false;
    for (int i = 0; i < count; i++)
        for (int id = 0; id < decoders[i]->inventory->n_classes; id++)
            views[i]->scores[id] = (int32_t)dd_random_below(user, 1000) - 500;
    return true;
}

static void check_beam(constrained *s, dd_beam *beam, dd_random *random)
{
    dd_beam_search search = {
        .inventory = &s->inventory,
        .n = s->sentence->n,
        .single_root = s->single_root,
        .constraints = &s->constraints,
        .width = 8,
        .user = random,
        .score = score_at_random,
    };
    int32_t heads[LONG + 1];
    assert_true(dd_beam_run(beam, &search));
    for (int rank = 0; rank < beam->n_ranked; rank++) {
        dd_config *c = &dd_beam_at(beam, rank)->config;
        dd_attach_rest(c, s->inventory.root_label);
        for (int word = 1; word <= c->n; word++) {
            heads[word] = c->nodes[word].head;
            int label = dd_required_label(&s->constraints, (dd_arc){heads[word], word});
            if (heads[word] > 0 && label != DD_NONE && c->nodes[word].label != label)
                complain(s, c, "a label is not the required one in a beam");
        }
        if (!constrained_satisfied(s, heads))
            complain(s, c, "a tree in a beam breaks a constraint");
    }
}

static void check_trees(const dd_system *system, bool single_root)
{
    constrained s;
    dd_beam beam = {0};
    dd_random random = {3};
    int refused = 0;
    uint32_t longest = longest_in_time(system);
    constrained_begin(&s, system, single_root);
    for (int round = 0; round < 2000; round++) {
        bool can_hold = draw(&s, &random, 5 + (int)dd_random_below(&random, longest - 4),
                             round % 3 == 0 ? 20 : 0);
        if (dd_constraint_count(s.sentence) == 0) continue;
        if (constrained_set(&s) == DD_OK) {
            for (int i = 0; i < (searches(system) ? 1 : 3); i++) parse_at_random(&s, &random);
            if (round % 8 == 0) check_beam(&s, &beam, &random);
        } else if (can_hold) {
            complain(&s, NULL, s.error.message);
        } else {
            refused++;
        }
    }
    dd_beam_free(&beam);
    assert_true(refused > 20);
    constrained_end(&s);
}

static void trees_satisfy_all(void **state)
{
    for (int single_root = 0; single_root <= 1; single_root++) check_trees(*state, single_root);
}

/* Sentences of two hundred words with constraints of all kinds come to an end. */
static void long_sentences_end(void **state)
{
    const dd_system *system = *state;
    dd_random random = {5};
    for (int single_root = 0; single_root <= 1; single_root++) {
        constrained s;
        constrained_begin(&s, system, single_root);
        while (!draw(&s, &random, LONGEST, 20)) continue;
        if (constrained_set(&s) == DD_OK)
            parse_at_random(&s, &random);
        else if (!searches(system))
            complain(&s, NULL, s.error.message);
        constrained_end(&s);
    }
}

int main(int argc, char **argv)
{
    const dd_system *system = argc == 2 ? dd_system_find(argv[1]) : NULL;
    if (!system) {
        fprintf(stderr, "usage: %s SYSTEM\n", argv[0]);
        return 2;
    }
    const struct CMUnitTest tests[] = {
        {"trees_satisfy_all", trees_satisfy_all, NULL, NULL, (void *)(uintptr_t)system},
        {"long_sentences_end", long_sentences_end, NULL, NULL, (void *)(uintptr_t)system},
        {"leaves_alone_and_in_general_agree", leaves_alone_and_in_general_agree, NULL, NULL,
         (void *)(uintptr_t)system},
        cmocka_unit_test(tables_and_automaton_agree),
    };
    bool eager = strcmp(system->name, "arc-eager") == 0;
    return _cmocka_run_group_tests(system->name, tests, eager ? 4 : 3, NULL, NULL);
}
