/* The work that constraints of long sentences take: little where they are few, and a refusal before
 * it where they are too many. And that asking about the best moves only changes no choice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "constrained.h"
#include "judge.h"
#include "parse/decode.h"
#include "systems/registry.h"

enum { LONG = 600, MOST_WORDS = 14 };

static int32_t draw_score(dd_random *random)
{
    return (int32_t)dd_random_below(random, 12);
}

static void draw_scores(dd_decoder *decoder, dd_random *random)
{
    assert_true(dd_decoder_clear_scores(decoder));
    for (int id = 0; id < decoder->inventory->n_classes; id++)
        decoder->view.scores[id] = draw_score(random);
}

/* ---- how much ----------------------------------------------------------------------------- */

/* Along a derivation by random scores, which hardly ever follows the trees that are known. */
static void follow_scores(constrained *s, dd_decoder *decoder)
{
    dd_random random = {5};
    assert_true(dd_decoder_begin(decoder, &s->inventory, s->sentence->n, s->single_root));
    decoder->constraints = &s->constraints;
    decoder->asks_late = true;
    while (dd_decoder_ready(decoder)) {
        draw_scores(decoder, &random);
        dd_choice choice = dd_decoder_best_allowed(decoder);
        assert_int_not_equal(choice.move, DD_NONE);
        dd_decoder_apply(decoder, choice);
    }
}

static void check_effort(const dd_system *system, const char *constraint)
{
    constrained s;
    dd_decoder decoder = {0};
    constrained_begin(&s, system, true);
    constrained_words(&s, LONG);
    constrained_add(&s, constraint);
    assert_int_equal(constrained_set(&s), DD_OK);
    follow_scores(&s, &decoder);
    uint64_t most = UINT64_C(8000) * LONG * LONG;
    if (s.constraints.effort.spent > most)
        fail_msg("%s, %s: %llu steps", system->name, constraint,
                 (unsigned long long)s.constraints.effort.spent);
    dd_decoder_free(&decoder);
    constrained_end(&s);
}

static void one_constraint_is_cheap(void **state)
{
    (void)state;
    static const char *const constraints[] = {"arc 0 _ 300", "arc 2 _ 599", "not-arc 5 6",
                                              "span 200 230 any", "span 300 330 none"};
    const dd_system *system;
    for (size_t i = 0; (system = dd_system_get(i)); i++)
        for (size_t k = 0; k < sizeof constraints / sizeof *constraints; k++)
            check_effort(system, constraints[k]);
}

/* ---- too much ----------------------------------------------------------------------------- */

/* All words are named, so that none can be folded. */
static void too_many_are_refused(void **state)
{
    (void)state;
    enum { WORDS = 18000 };
    constrained s;
    char text[64];
    constrained_begin(&s, dd_system_find("arc-hybrid"), true);
    constrained_words(&s, WORDS);
    for (int word = 1; word < WORDS; word += 2) {
        snprintf(text, sizeof text, "not-arc %d %d", word, word + 1);
        constrained_add(&s, text);
    }
    assert_int_equal(constrained_set(&s), DD_ERROR_DATA);
    assert_string_equal(s.error.message,
                        "sentence '': constraint 'not-arc 1 2': obeying the constraints of this "
                        "sentence takes too long: it has 18000 words and 9000 constraints");
    constrained_end(&s);
}

static void long_sentences_are_refused(void **state)
{
    (void)state;
    constrained s;
    constrained_begin(&s, dd_system_find("covington"), true);
    constrained_words(&s, 10001);
    constrained_add(&s, "arc 0 _ 1");
    assert_int_equal(constrained_set(&s), DD_ERROR_DATA);
    assert_string_equal(s.error.message,
                        "sentence '': constraint 'arc 0 _ 1': covington obeys constraints in "
                        "sentences of up to 10000 words, this one has 10001");
    constrained_end(&s);
}

/* When the effort is over no move is allowed any more, and the tree is refused. */
static void effort_ends_a_parse(void **state)
{
    (void)state;
    constrained s;
    dd_config c = {0};
    dd_move moves[8];
    int32_t heads[5] = {0, 0, 1, 1, 1};
    constrained_begin(&s, dd_system_find("arc-hybrid"), true);
    constrained_words(&s, 4);
    constrained_add(&s, "arc 0 _ 1");
    assert_int_equal(constrained_set(&s), DD_OK);
    assert_int_equal(dd_constraints_end(&s.constraints, s.sentence, heads, &s.error), DD_OK);
    assert_true(dd_system_begin(s.inventory.system, &c, 4, true));
    int count = dd_system_permissible(s.inventory.system, &c, moves);
    s.constraints.effort.spent = DD_MOST_EFFORT + 1;
    assert_int_equal(dd_constraints_filter(&s.constraints, &c, moves, count), 0);
    assert_int_equal(dd_constraints_end(&s.constraints, s.sentence, heads, &s.error),
                     DD_ERROR_DATA);
    dd_config_free(&c);
    constrained_end(&s);
}

static void a_broken_constraint_is_told(void **state)
{
    (void)state;
    constrained s;
    int32_t heads[4] = {0, 2, 0, 2};
    constrained_begin(&s, dd_system_find("attardi"), true);
    constrained_words(&s, 3);
    constrained_add(&s, "arc 0 _ 1");
    assert_int_equal(constrained_set(&s), DD_OK);
    assert_int_equal(dd_constraints_end(&s.constraints, s.sentence, heads, &s.error),
                     DD_ERROR_DATA);
    constrained_end(&s);
}

/* ---- the same choices --------------------------------------------------------------------- */

/* One decoder asks about all moves, the other late; what an arc leads by is the same, too. */
static void compare_choices(constrained *s, dd_decoder *all, dd_decoder *late, dd_random *random)
{
    assert_true(dd_decoder_begin(all, &s->inventory, s->sentence->n, s->single_root));
    assert_true(dd_decoder_begin(late, &s->inventory, s->sentence->n, s->single_root));
    all->constraints = late->constraints = &s->constraints;
    all->asks_late = false;
    late->asks_late = true;
    while (dd_decoder_ready(all)) {
        assert_true(dd_decoder_ready(late));
        dd_random scores = *random;
        draw_scores(all, random);
        draw_scores(late, &scores);
        if (dd_random_below(random, 2)) assert_true(dd_decoder_part_moves(late));
        dd_choice one = dd_decoder_best(all), other = dd_decoder_best_allowed(late);
        assert_int_equal(one.class_id, other.class_id);
        assert_int_equal(all->view.moves[one.move].kind, late->view.moves[other.move].kind);
        assert_int_equal(all->view.moves[one.move].k, late->view.moves[other.move].k);
        if (all->view.arcs[one.move].dependent != DD_NONE) assert_true(one.margin == other.margin);
        dd_decoder_apply(all, one);
        dd_decoder_apply(late, other);
    }
    assert_false(dd_decoder_ready(late));
}

static void check_choices(const dd_system *system, bool single_root)
{
    constrained s;
    dd_decoder all = {0}, late = {0};
    dd_random random = {3};
    int32_t heads[MOST_WORDS + 1];
    constrained_begin(&s, system, single_root);
    for (int round = 0; round < 200; round++) {
        int n = 3 + (int)dd_random_below(&random, MOST_WORDS - 2);
        constrained_words(&s, n);
        random_projective_tree(&random, heads, n, !single_root);
        constrained_draw_spans(&s, &random, heads);
        constrained_draw_arcs(&s, &random, heads, 2, 3);
        if (dd_constraint_count(s.sentence) == 0 || constrained_set(&s) != DD_OK) continue;
        compare_choices(&s, &all, &late, &random);
    }
    dd_decoder_free(&all);
    dd_decoder_free(&late);
    constrained_end(&s);
}

static void asking_late_changes_nothing(void **state)
{
    (void)state;
    const dd_system *system;
    for (size_t i = 0; (system = dd_system_get(i)); i++)
        for (int single_root = 0; single_root <= 1; single_root++)
            check_choices(system, single_root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_constraint_is_cheap),
        cmocka_unit_test(too_many_are_refused),
        cmocka_unit_test(long_sentences_are_refused),
        cmocka_unit_test(effort_ends_a_parse),
        cmocka_unit_test(a_broken_constraint_is_told),
        cmocka_unit_test(asking_late_changes_nothing),
    };
    return cmocka_run_group_tests_name("constraints-effort", tests, NULL, NULL);
}
