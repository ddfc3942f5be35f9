/* What the descriptors say of their systems, against what the systems do on random walks, and what
 * the help says of them. */
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

/* ---- what the help says of them ------------------------------------------------------------ */

static bool is_part_of_name(char byte)
{
    return (byte >= 'a' && byte <= 'z') || byte == '-';
}

static const char *find_name(const char *text, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += size)
        if ((at == text || !is_part_of_name(at[-1])) && !is_part_of_name(at[size])) return at;
    return NULL;
}

/* The last number before the name of a system; 0: it is not named. */
static int number_for(const char *text, const char *name)
{
    const char *at = find_name(text, name);
    while (at && at > text && (*at < '0' || *at > '9')) at--;
    while (at && at > text && at[-1] >= '0' && at[-1] <= '9') at--;
    return at ? atoi(at) : 0;
}

static void check_number(const char *text, const dd_system *system, int number)
{
    assert_non_null(text);
    if (number_for(text, system->name) != number)
        fail_msg("'%s' should say %d of %s", text, number, system->name);
}

static void help_knows_their_longest_sentences(void **state)
{
    (void)state;
    const char *of_training = NULL, *of_parsing = NULL;
    const dd_setting *setting;
    const dd_parse_option *option;
    for (size_t i = 0; (setting = dd_setting_at(i)); i++)
        if (strcmp(setting->name, "max-words") == 0) of_training = setting->default_note;
    for (size_t i = 0; (option = dd_parse_option_at(i)); i++)
        if (strcmp(option->name, "max-words") == 0) of_parsing = option->help;
    for (size_t i = 0; i < dd_system_count(); i++) {
        check_number(of_training, dd_system_get(i), dd_system_get(i)->oracle.max_words);
        check_number(of_parsing, dd_system_get(i), dd_system_get(i)->search.max_words);
    }
    check_number(of_parsing, &dd_graph, dd_graph.search.max_words);
}

static void help_knows_their_losses(void **state)
{
    (void)state;
    const dd_setting *setting;
    const char *help = NULL;
    for (size_t i = 0; (setting = dd_setting_at(i)); i++)
        if (strcmp(setting->name, "loss") == 0) help = setting->help;
    assert_non_null(help);
    for (size_t i = 0; i < dd_system_count(); i++) {
        const char *const *names = dd_system_get(i)->oracle.loss_names;
        if ((names != NULL) != (find_name(help, dd_system_get(i)->name) != NULL))
            fail_msg("'%s' is wrong about %s", help, dd_system_get(i)->name);
        for (; names && *names; names++) assert_non_null(find_name(help, *names));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arcs_go_in_nonmonotonic_systems_only),
        cmocka_unit_test(a_system_has_lists_or_a_stack),
        cmocka_unit_test(moves_of_a_special_kind_build_no_arc),
        cmocka_unit_test(help_knows_their_longest_sentences),
        cmocka_unit_test(help_knows_their_losses),
    };
    return cmocka_run_group_tests_name("descriptors", tests, NULL, NULL);
}
