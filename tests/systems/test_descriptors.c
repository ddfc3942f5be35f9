/* What the descriptors say of their systems, against what the systems do on random walks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dodona_tools.h>

#include "core/random.h"
#include "systems/registry.h"

enum { WORDS = 8, WALKS = 200 };

typedef struct seen {
    bool arc_went;  /* a word lost the head that it had */
    bool has_stack; /* some node was put on the stack */
    bool has_focus; /* the focus was on some word */
} seen;

static void look(seen *what, const dd_config *config, const int *heads)
{
    what->has_stack |= config->depth > 1;
    what->has_focus |= config->focus > 0;
    for (int word = 1; word <= WORDS; word++)
        what->arc_went |= heads[word] != DD_NONE && heads[word] != config->nodes[word].head;
}

static void walk(const dd_system *system, dd_random *random, seen *what)
{
    dd_config config = {0};
    dd_move *moves = calloc((size_t)dd_system_max_moves(system, WORDS), sizeof *moves);
    assert_non_null(moves);
    assert_true(dd_system_begin(system, &config, WORDS, false));
    int n_moves, heads[WORDS + 1];
    while ((n_moves = dd_system_permissible(system, &config, moves)) > 0) {
        for (int word = 1; word <= WORDS; word++) heads[word] = config.nodes[word].head;
        dd_system_apply(system, &config, moves[dd_random_below(random, (uint32_t)n_moves)], 0);
        look(what, &config, heads);
    }
    dd_config_free(&config);
    free(moves);
}

static void descriptors_are_right_about(void (*check)(const dd_system *, const seen *))
{
    dd_random random = {5};
    for (size_t i = 0; i < dd_system_count(); i++) {
        seen what = {0};
        for (int round = 0; round < WALKS; round++) walk(dd_system_get(i), &random, &what);
        check(dd_system_get(i), &what);
    }
}

static void check_arcs(const dd_system *system, const seen *what)
{
    dd_system_info info;
    if (system->nonmonotonic != what->arc_went) fail_msg("%s", system->name);
    for (size_t i = 0; dd_system_at(i, &info); i++)
        if (strcmp(info.name, system->name) == 0)
            assert_int_equal(info.nonmonotonic, system->nonmonotonic);
}

static void arcs_go_in_nonmonotonic_systems_only(void **state)
{
    (void)state;
    descriptors_are_right_about(check_arcs);
}

static void check_lists(const dd_system *system, const seen *what)
{
    if (system->lists != what->has_focus || system->lists == what->has_stack)
        fail_msg("%s", system->name);
}

static void a_system_has_lists_or_a_stack(void **state)
{
    (void)state;
    descriptors_are_right_about(check_lists);
}

static void moves_of_a_special_kind_build_no_arc(void **state)
{
    (void)state;
    for (size_t i = 0; i < dd_system_count(); i++) {
        const dd_system *system = dd_system_get(i);
        const int kinds[] = {dd_kind_of(system->search.goes_on),
                             dd_kind_of(system->oracle.puts_off_shift)};
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            if (kinds[k] == DD_NONE) continue;
            assert_in_range(kinds[k], 1, system->n_rules - 1);
            assert_int_equal(system->rules[kinds[k]].direction, DD_NO_ARC);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arcs_go_in_nonmonotonic_systems_only),
        cmocka_unit_test(a_system_has_lists_or_a_stack),
        cmocka_unit_test(moves_of_a_special_kind_build_no_arc),
    };
    return cmocka_run_group_tests_name("descriptors", tests, NULL, NULL);
}
