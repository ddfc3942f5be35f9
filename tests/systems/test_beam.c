/* Beam search against the plainest one, against exhaustive search and against the greedy parser,
 * for every system, with random scores. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "slow_beam.h"
#include "systems/registry.h"

static void make_inventory(dd_inventory *inventory, const dd_system *system, int labels)
{
    static const char *const names[] = {"a", "b", "c"};
    *inventory = (dd_inventory){0};
    for (int i = 0; i < labels; i++)
        dd_inventory_see(inventory, (dd_text){names[i], 1}, DD_SEEN_LEFT | DD_SEEN_RIGHT);
    dd_inventory_see(inventory, (dd_text){"r", 1}, DD_SEEN_ROOT);
    dd_inventory_see(inventory, (dd_text){"b", 1}, DD_SEEN_ROOT);
    assert_int_equal(dd_inventory_close(inventory, system, NULL), DD_OK);
}

static dd_beam_search search_of(const scenario *s, int width)
{
    return (dd_beam_search){.inventory = s->inventory,
                            .n = s->n,
                            .single_root = s->single_root,
                            .width = width,
                            .unit = 1,
                            .user = (void *)s,
                            .score = slow_score};
}

static void check_node(const dd_node *node, const dd_node *want)
{
    assert_int_equal(node->head, want->head);
    assert_int_equal(node->label, want->label);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(node->left[i], want->left[i]);
        assert_int_equal(node->right[i], want->right[i]);
    }
    assert_int_equal(node->near_left, want->near_left);
    assert_int_equal(node->near_right, want->near_right);
    assert_int_equal(node->lefts, want->lefts);
    assert_int_equal(node->rights, want->rights);
    assert_int_equal(node->on_stack, want->on_stack);
    assert_int_equal(node->rank, want->rank);
    assert_int_equal(node->component, want->component);
    assert_true(node->left_labels == want->left_labels);
    assert_true(node->right_labels == want->right_labels);
}

static void check_config(const dd_config *config, const dd_config *want)
{
    assert_int_equal(config->depth, want->depth);
    assert_int_equal(config->front, want->front);
    assert_int_equal(config->focus, want->focus);
    assert_int_equal(config->headless, want->headless);
    for (int at = 0; at < want->depth; at++) assert_int_equal(config->stack[at], want->stack[at]);
    for (int node = 0; node <= want->n; node++)
        check_node(&config->nodes[node], &want->nodes[node]);
}

static void check_item(const scenario *s, const dd_beam_item *item, const slow_item *want)
{
    assert_int_equal(item->score, want->score);
    assert_int_equal(item->final, want->final);
    check_config(&item->config, &want->config);
    for (int word = 1; word <= s->n; word++)
        assert_true(item->margins[word] == want->margins[word]);
}

static void check_beam(const scenario *s, dd_beam *beam, int width)
{
    slow_list want;
    dd_beam_search search = search_of(s, width);
    slow_beam(s, width, &want);
    assert_true(dd_beam_run(beam, &search));
    assert_int_equal(beam->n_ranked, want.count);
    for (int rank = 0; rank < beam->n_ranked; rank++)
        check_item(s, dd_beam_at(beam, rank), &want.items[rank]);
    slow_free(&want);
}

/* Small ranges make ties, whose order is the same too. */
static void beams_equal_the_slow_ones(void **state)
{
    (void)state;
    static const int widths[] = {1, 2, 3, 8, 33}, sizes[] = {1, 2, 5, 12, 40};
    dd_beam beam = {0};
    for (size_t i = 0; i < dd_system_count(); i++) {
        dd_inventory inventory;
        make_inventory(&inventory, dd_system_get(i), 2);
        for (int w = 0; w < 5; w++)
            for (int size = 0; size < 5; size++) {
                scenario s = {&inventory,          sizes[size],
                              (w + size) % 2,      (uint64_t)(w * 7 + size),
                              size % 2 ? 1000 : 2, 0};
                check_beam(&s, &beam, widths[w]);
            }
        dd_inventory_free(&inventory);
    }
    dd_beam_free(&beam);
}

/* Long enough for the steps to be forgotten on the way. */
static void long_derivations_equal_the_slow_ones(void **state)
{
    (void)state;
    static const struct {
        const char *system;
        int n, width;
        int range, shift_gain;
    } cases[] = {{"arc-eager", 400, 33, 1000, 0},    {"attardi", 300, 40, 1000, 0},
                 {"covington", 220, 8, 1000, -6000}, {"arc-standard", 600, 16, 1, 0},
                 {"arc-eager-nm", 500, 8, 10, 12},   {"arc-hybrid", 1000, 5, 1000, 400}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dd_inventory inventory;
        dd_beam beam = {0};
        make_inventory(&inventory, dd_system_find(cases[i].system), 1);
        scenario s = {&inventory, cases[i].n, true, 5, cases[i].range, cases[i].shift_gain};
        check_beam(&s, &beam, cases[i].width);
        dd_beam_free(&beam);
        dd_inventory_free(&inventory);
    }
}

/* Scores that forget how a configuration came about: derivations that differ in what they did long
 * ago stay side by side for good. user: what is added for SH, which makes the stack deep or not. */
static bool score_forgetfully(void *user, dd_decoder *const *decoders, int count)
{
    const int *more = user;
    for (int i = 0; i < count; i++) {
        dd_decoder *decoder = decoders[i];
        if (!dd_decoder_clear_scores(decoder)) return false;
        for (int id = 0; id < decoder->inventory->n_classes; id++) {
            uint32_t mixed =
                ((uint32_t)decoder->config.front * 31 + (uint32_t)id) * UINT32_C(2654435761);
            decoder->view.scores[id] = (int32_t)(mixed >> 28) + (id == 0 ? *more : 0);
        }
    }
    return true;
}

/* Nodes copied for each word. */
static uint64_t work_of(const dd_inventory *inventory, int n, int more_for_shift)
{
    dd_beam beam = {0};
    dd_beam_search search = {.inventory = inventory,
                             .n = n,
                             .single_root = true,
                             .width = 8,
                             .unit = 1,
                             .user = &more_for_shift,
                             .score = score_forgetfully};
    assert_true(dd_beam_run(&beam, &search));
    uint64_t work = beam.copied / (uint64_t)n;
    dd_beam_free(&beam);
    return work;
}

static void long_sentences_are_not_copied_again_and_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < dd_system_count(); i++) {
        const dd_system *system = dd_system_get(i);
        dd_inventory inventory;
        if (system->search.goes_on || system->moves.most) continue; /* quadratic anyway */
        make_inventory(&inventory, system, 2);
        for (int more = 4; more <= 14; more += 10)
            assert_in_range(work_of(&inventory, 40000, more), 1, 8000);
        dd_inventory_free(&inventory);
    }
}

static void check_exhaustive(const scenario *s, dd_beam *beam)
{
    slow_list all;
    slow_all(s, &all);
    assert_true(all.count > 0 && all.count < 200000);
    dd_beam_search search = search_of(s, (int)all.count);
    assert_true(dd_beam_run(beam, &search));
    assert_int_equal(beam->n_ranked, all.count);
    for (size_t i = 0; i < all.count; i++)
        assert_int_equal(dd_beam_at(beam, (int)i)->score, all.items[i].score);
    check_item(s, dd_beam_at(beam, 0), &all.items[0]);
    slow_free(&all);
}

static void a_wide_beam_finds_all_derivations(void **state)
{
    (void)state;
    for (size_t i = 0; i < dd_system_count(); i++) {
        dd_beam beam = {0};
        for (int n = 1; n <= 4; n++)
            for (int single_root = 0; single_root <= 1; single_root++) {
                dd_inventory inventory;
                make_inventory(&inventory, dd_system_get(i), n == 4 ? 1 : 2);
                scenario s = {&inventory, n, single_root, (uint64_t)n, 1000000, 0};
                check_exhaustive(&s, &beam);
                dd_inventory_free(&inventory);
            }
        dd_beam_free(&beam);
    }
}

static void a_beam_of_one_is_greedy(void **state)
{
    (void)state;
    dd_beam beam = {0};
    for (size_t i = 0; i < dd_system_count(); i++)
        for (int round = 0; round < 40; round++) {
            dd_inventory inventory;
            dd_decoder decoder = {0}, *one = &decoder;
            make_inventory(&inventory, dd_system_get(i), 3);
            scenario s = {&inventory, 1 + round / 2, round % 2, (uint64_t)round, 1 + round % 5, 0};
            int64_t score = 0;
            assert_true(dd_decoder_begin(&decoder, &inventory, s.n, s.single_root));
            while (dd_decoder_ready(&decoder)) {
                dd_choice choice;
                if (!inventory.system->search.goes_on || !dd_decoder_idles(&decoder, &choice)) {
                    assert_true(slow_score(&s, &one, 1));
                    choice = dd_decoder_best(&decoder);
                }
                score += choice.gain;
                dd_decoder_apply(&decoder, choice);
            }
            dd_beam_search search = search_of(&s, 1);
            assert_true(dd_beam_run(&beam, &search));
            assert_int_equal(dd_beam_at(&beam, 0)->score, score);
            check_config(&dd_beam_at(&beam, 0)->config, &decoder.config);
            dd_decoder_free(&decoder);
            dd_inventory_free(&inventory);
        }
    dd_beam_free(&beam);
}

/* ---- dead ends ---- */

/* Arc-standard in which most configurations with an odd front allow nothing. */
static int some_permissible(const dd_config *c, dd_move *moves)
{
    const dd_system *system = dd_system_find("arc-standard");
    if (c->front % 2 == 1 && c->depth == 2 && c->front < c->n) return 0;
    return dd_system_permissible(system, c, moves);
}

static int none_permissible(const dd_config *c, dd_move *moves)
{
    if (c->front > 2) return 0;
    return dd_system_permissible(dd_system_find("arc-standard"), c, moves);
}

static void items_without_a_transition_are_dropped(void **state)
{
    (void)state;
    int (*const rules[])(const dd_config *, dd_move *) = {some_permissible, none_permissible};
    for (int rule = 0; rule < 2; rule++)
        for (int width = 1; width < 9; width++) {
            dd_system system = *dd_system_find("arc-standard");
            dd_inventory inventory;
            dd_beam beam = {0};
            system.moves.permissible = rules[rule];
            make_inventory(&inventory, &system, 2);
            scenario s = {&inventory, 9, true, (uint64_t)width, 1000, 0};
            slow_list want;
            slow_beam(&s, width, &want);
            dd_beam_search search = search_of(&s, width);
            assert_true(dd_beam_run(&beam, &search));
            /* Where all are stuck the best of them is left. */
            if (rule == 1) {
                assert_int_equal(beam.n_ranked, 1);
                assert_false(dd_beam_at(&beam, 0)->final);
            }
            check_item(&s, dd_beam_at(&beam, 0), &want.items[0]);
            slow_free(&want);
            dd_beam_free(&beam);
            dd_inventory_free(&inventory);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beams_equal_the_slow_ones),
        cmocka_unit_test(long_derivations_equal_the_slow_ones),
        cmocka_unit_test(long_sentences_are_not_copied_again_and_again),
        cmocka_unit_test(a_wide_beam_finds_all_derivations),
        cmocka_unit_test(a_beam_of_one_is_greedy),
        cmocka_unit_test(items_without_a_transition_are_dropped),
    };
    return cmocka_run_group_tests_name("beam", tests, NULL, NULL);
}
