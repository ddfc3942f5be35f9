/* Templates: what is read, what is refused, and what the keys depend on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "linear/extract.h"
#include "systems/registry.h"

static dd_text text_of(const char *text)
{
    return (dd_text){text, strlen(text)};
}

static void each_mistake_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "t: no templates"},
        {"# only a comment\n\n", "t: no templates"},
        {"S0.form\nX0.form\n", "t:2: expected a node such as S0, B0, L0 or H instead of 'X0'"},
        {"S.form\n", "t:1: expected a node such as S0, B0, L0 or H instead of 'S'"},
        {"S0\n", "t:1: no attribute in 'S0'"},
        {"S0.l1\n", "t:1: no attribute in 'S0.l1'"},
        {"S0.l3.upos\n", "t:1: unknown attribute 'l3.upos'"},
        {"S0.\x1B[1m\xFF\n", "t:1: unknown attribute '?[1m?'"},
        {"S0.word\n", "t:1: unknown attribute 'word'"},
        {"S0.feats:\n", "t:1: unknown attribute 'feats:'"},
        {"S0.form:\n", "t:1: unknown attribute 'form:'"},
        {"S0.place\n", "t:1: only H has the attribute 'place'"},
        {"H0.form\n", "t:1: expected a node such as S0, B0, L0 or H instead of 'H0'"},
        {"S0.upos:Case\n", "t:1: unknown attribute 'upos:Case'"},
        {"dist(S0)\n", "t:1: expected a node such as S0, B0, L0 or H instead of ''"},
        {"dist(S0,B0.form)\n", "t:1: expected two nodes in 'dist(S0,B0.form)'"},
        {"S0.form S0.form S0.form S0.form S0.form S0.form S0.form S0.form S0.form",
         "t:1: more than 8 items in 'S0.form S0.form S0.form S0.form S0.form ...'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dd_templates *set = NULL;
        dd_error error;
        assert_int_equal(dd_templates_parse(&set, "t", text_of(cases[i].text), &error),
                         DD_ERROR_FORMAT);
        assert_string_equal(error.message, cases[i].message);
        assert_null(set);
    }
}

static void too_many_templates_are_refused(void **state)
{
    (void)state;
    char *text = malloc((DD_MAX_TEMPLATES + 1) * 8 + 1);
    for (int i = 0; i <= DD_MAX_TEMPLATES; i++) memcpy(text + 8 * i, "S0.upos\n", 8);
    dd_templates *set = NULL;
    dd_error error;
    dd_text most = {text, DD_MAX_TEMPLATES * 8};
    assert_int_equal(dd_templates_parse(&set, "t", most, &error), DD_OK);
    dd_templates_free(set);
    dd_text more = {text, (DD_MAX_TEMPLATES + 1) * 8};
    assert_int_equal(dd_templates_parse(&set, "t", more, &error), DD_ERROR_FORMAT);
    assert_string_equal(error.message, "t:1025: more than 1024 templates");
    free(text);
}

static void a_nul_is_refused_wherever_it_stands(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size;
    } cases[] = {
        {"S0.upos\n\0S0.form\n", 17},
        {"S0.upos\nS0.feats:\0\n", 19},
        {"S0.upos\n# a comment\0\n", 21},
        {"S0.upos\n\0", 9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dd_templates *set = NULL;
        dd_error error;
        dd_text text = {cases[i].text, cases[i].size};
        assert_int_equal(dd_templates_parse(&set, "t", text, &error), DD_ERROR_FORMAT);
        assert_string_equal(error.message, "t:2: NUL byte");
        assert_null(set);
    }
}

static void every_system_has_a_builtin_set(void **state)
{
    (void)state;
    for (size_t i = 0; i < dd_system_count(); i++) {
        dd_templates *set;
        dd_text text = dd_templates_builtin(dd_system_get(i)->features.templates);
        assert_non_null(text.data);
        assert_int_equal(dd_templates_parse(&set, "builtin", text, NULL), DD_OK);
        assert_true(set->n_templates + set->n_move_templates > 50);
        dd_templates_free(set);
    }
    assert_null(dd_templates_builtin("none").data);
}

static void nodes_and_values_are_shared(void **state)
{
    (void)state;
    dd_templates *set;
    const char *text = "S0.form B0.form # comment\r\nB0.form S0.l1.upos\nS0.l1.label dist(S0,B0)\n"
                       "S0.feats:Case S0.feats\n";
    assert_int_equal(dd_templates_parse(&set, "t", text_of(text), NULL), DD_OK);
    assert_int_equal(set->n_templates, 4);
    assert_int_equal(set->n_nodes, 3); /* S0 B0 S0.l1 */
    assert_int_equal(set->n_values, 7);
    assert_int_equal(set->n_columns, 4); /* form upos feats:Case feats */
    dd_templates_free(set);
}

/* ---- keys ---- */

static const char sentence_text[] =
    "1\tdogs\tdog\tNOUN\tNNS\tCase=Nom|Number=Plur\t2\tnsubj\t_\t_\n"
    "2\tbark\tbark\tVERB\tVBP\tNumber=Plur\t0\troot\t_\t_\n"
    "3\tdogs\tdog\tNOUN\tNNS\tNumber=Plur|Case=Acc\t2\tobj\t_\t_\n"
    "4\t_\t_\t_\t_\t_\t2\tpunct\t_\t_\n\n";

typedef struct stage {
    dd_templates *set;
    dd_reader *reader;
    dd_sentence *sentence;
    dd_token_batch words;
    dd_config config;
    uint32_t keys[32];
    dd_extraction extraction;
} stage;

static void set_up(stage *s, const char *templates)
{
    *s = (stage){0};
    assert_int_equal(dd_templates_parse(&s->set, "t", text_of(templates), NULL), DD_OK);
    assert_int_equal(
        dd_reader_open_memory(&s->reader, "s", text_of(sentence_text), DD_FORMAT_CONLLU, NULL),
        DD_OK);
    assert_int_equal(dd_sentence_new(&s->sentence, NULL), DD_OK);
    assert_int_equal(dd_reader_next(s->reader, s->sentence, NULL), DD_OK);
    const dd_sentence *one = s->sentence;
    assert_true(dd_token_batch_set(&s->words, s->set, &one, 1, DD_ALL_COLUMNS));
    assert_true(dd_config_reset(&s->config, 4, false, false));
}

static void tear_down(stage *s)
{
    dd_templates_free(s->set);
    dd_reader_close(s->reader);
    dd_sentence_free(s->sentence);
    dd_token_batch_free(&s->words);
    dd_config_free(&s->config);
}

static int extract(stage *s)
{
    return dd_extract(s->set, &s->config, s->words.tokens, &s->extraction, s->keys);
}

/* The key of the template that is the t-th in the text, from 0, among those made last. */
static uint32_t key_of(const dd_layout *layout, const stage *s, const uint32_t *keys, int t)
{
    int at = 0;
    for (int lane = 0; lane < layout->n_templates; lane++) {
        if (!(s->extraction.present.words[lane / 64] >> lane % 64 & 1)) continue;
        if (layout->templates[lane] == t) return keys[at];
        at++;
    }
    fail_msg("template %d gave no key", t);
    return 0;
}

static uint32_t key(const stage *s, int t)
{
    return key_of(&s->set->of_configuration, s, s->keys, t);
}

static uint32_t move_key(const stage *s, const uint32_t *keys, int t)
{
    return key_of(&s->set->of_moves, s, keys, t);
}

static void equal_values_in_different_templates_differ(void **state)
{
    (void)state;
    stage s;
    set_up(&s, "S0.upos\nS0.upos\nB0.upos\nS0.upos B0.upos\nB0.upos S0.upos\n");
    dd_shift(&s.config);
    assert_int_equal(extract(&s), 5);
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < a; b++) assert_true(s.keys[a] != s.keys[b]);
    tear_down(&s);
}

static void keys_follow_the_columns(void **state)
{
    (void)state;
    stage s;
    set_up(&s, "B0.form\nB0.feats\nB0.feats:Case\nB0.feats:Number\nB0.xpos\n");
    uint32_t word[5][5];
    for (int at = 0; at <= 4; at++) {
        s.config.front = at;
        extract(&s);
        for (int t = 0; t < 5; t++) word[at][t] = key(&s, t);
    }
    assert_true(word[1][0] == word[3][0]); /* dogs dogs */
    assert_true(word[1][0] != word[2][0]);
    assert_true(word[1][1] != word[3][1]); /* FEATS as a whole differ */
    assert_true(word[1][2] != word[3][2]); /* Case differs */
    assert_true(word[1][3] == word[3][3]); /* Number does not */
    assert_true(word[2][2] == word[4][2]); /* no Case in either */
    assert_true(word[0][0] != word[4][0]); /* the root is not a word `_` */
    assert_int_equal(dd_templates_columns(s.set), 1 << DD_FORM | 1 << DD_FEATS | 1 << DD_XPOS);
    tear_down(&s);
}

static void what_is_absent_gives_no_key(void **state)
{
    (void)state;
    stage s;
    set_up(&s, "S0.form\nB0.form S0.form\nB0.label\nB0.h.form\ndist(S0,B0)\nB0.form\nB9.form\n");
    assert_int_equal(extract(&s), 1);
    uint32_t only = key(&s, 5);
    dd_shift(&s.config);
    s.config.front = 0;
    assert_int_equal(extract(&s), 4);
    assert_true(key(&s, 5) == only);
    tear_down(&s);
}

static void keys_follow_the_arcs(void **state)
{
    (void)state;
    stage s;
    set_up(&s, "S0.l1.form\nS0.lefts\nS0.leftset\nB0.label\nB0.h.form\nS0.r1.upos\n");
    s.config.front = 1;
    dd_push(&s.config, 2);
    assert_int_equal(extract(&s), 2);
    uint32_t before[2] = {key(&s, 1), key(&s, 2)};
    dd_add_arc(&s.config, 2, 1, 5);
    assert_int_equal(extract(&s), 5);
    assert_true(key(&s, 1) != before[0]);
    assert_true(key(&s, 2) != before[1]);
    tear_down(&s);
}

static void neighbours_are_words_of_the_sentence(void **state)
{
    (void)state;
    stage s;
    set_up(&s, "B0.prev.form\nB0.next.form\nB0.form\n");
    static const int found[] = {1, 2, 3, 3, 2}; /* the root has no neighbours and is none */
    for (int at = 0; at <= 4; at++) {
        s.config.front = at;
        assert_int_equal(extract(&s), found[at]);
    }
    tear_down(&s);
}

static void features_of_moves_follow_the_arc(void **state)
{
    (void)state;
    stage s;
    set_up(&s, "B0.form\nH.form D.form\nH.l1.upos\nH.place B0.upos\ndist(H,D)\nH.rest\n");
    assert_int_equal(s.set->n_templates, 1);
    assert_int_equal(s.set->n_move_templates, 5);
    s.config.front = 3;
    assert_int_equal(extract(&s), 1);
    uint32_t one[32], other[32];
    dd_candidate candidate = {.head = 2, .dependent = 1, .place = 1, .rest = 0};
    assert_int_equal(
        dd_extract_move(s.set, &s.config, s.words.tokens, candidate, &s.extraction, one), 4);
    uint32_t before[] = {move_key(&s, one, 1), move_key(&s, one, 3), move_key(&s, one, 4)};
    candidate.place = 2;
    assert_int_equal(
        dd_extract_move(s.set, &s.config, s.words.tokens, candidate, &s.extraction, other), 4);
    assert_true(before[0] == move_key(&s, other, 1) && before[1] != move_key(&s, other, 3) &&
                before[2] == move_key(&s, other, 4));
    candidate = (dd_candidate){.head = DD_NONE, .dependent = DD_NONE};
    assert_int_equal(
        dd_extract_move(s.set, &s.config, s.words.tokens, candidate, &s.extraction, one), 0);
    tear_down(&s);
}

static void covington_has_focus_words(void **state)
{
    (void)state;
    stage s;
    set_up(&s, "L0.form\nL1.form\nR0.form\nCL.form\nCR.form\nL0.ln.form\nL0.rn.form\n");
    s.config.focus = 1;
    s.config.front = 4;
    assert_int_equal(extract(&s), 4); /* L0 R0 CL CR */
    uint32_t before[2] = {key(&s, 3), key(&s, 4)};
    dd_add_arc(&s.config, 1, 2, 0); /* 2 is inside now: CL and CR are 3 */
    assert_int_equal(extract(&s), 5);
    assert_true(key(&s, 3) != before[0] && key(&s, 4) == before[1]);
    s.config.focus = 3;
    assert_int_equal(extract(&s), 3); /* L0 L1 R0 */
    tear_down(&s);
}

static void covington_has_words_that_wait(void **state)
{
    (void)state;
    stage s;
    set_up(&s, "W0.form\nW1.form\n");
    assert_int_equal(extract(&s), 0); /* no focus */
    s.config.focus = 1;
    s.config.front = 4;
    assert_int_equal(extract(&s), 0); /* L0 itself does not count */
    s.config.focus = 3;
    assert_int_equal(extract(&s), 2); /* 2 and 1 */
    uint32_t second = key(&s, 0);
    dd_add_arc(&s.config, 4, 1, 0);
    assert_int_equal(extract(&s), 1);
    assert_true(key(&s, 0) == second);
    dd_add_arc(&s.config, 4, 2, 0);
    assert_int_equal(extract(&s), 0);
    tear_down(&s);
}

static void distances_are_in_steps(void **state)
{
    (void)state;
    stage s;
    set_up(&s, "dist(S0,B0)\n");
    assert_true(dd_config_reset(&s.config, 40, false, false));
    uint32_t at[41];
    s.config.front = 0;
    dd_shift(&s.config);
    for (int distance = 1; distance <= 40; distance++) {
        s.config.front = distance;
        extract(&s);
        at[distance] = s.keys[0];
    }
    static const int same[][2] = {{5, 6}, {7, 10}, {11, 40}};
    for (int i = 0; i < 3; i++) assert_true(at[same[i][0]] == at[same[i][1]]);
    static const int apart[][2] = {{1, 2}, {2, 3}, {3, 4}, {4, 5}, {6, 7}, {10, 11}};
    for (int i = 0; i < 6; i++) assert_true(at[apart[i][0]] != at[apart[i][1]]);
    tear_down(&s);
}

static void a_configuration_keeps_the_outermost_dependents(void **state)
{
    (void)state;
    dd_config c = {0};
    assert_true(dd_config_reset(&c, 9, false, false));
    static const int order[] = {4, 2, 3, 1, 7, 9, 8, 6};
    for (int i = 0; i < 8; i++) dd_add_arc(&c, 5, order[i], i);
    const dd_node *node = &c.nodes[5];
    assert_int_equal(node->left[0], 1);
    assert_int_equal(node->left[1], 2);
    assert_int_equal(node->right[0], 9);
    assert_int_equal(node->right[1], 8);
    assert_int_equal(node->lefts, 4);
    assert_int_equal(node->rights, 4);
    assert_int_equal(dd_stack(&c, 0), DD_NONE);
    assert_int_equal(dd_buffer_node(&c, 10), DD_NONE);
    assert_int_equal(dd_buffer_node(&c, 9), 9);
    assert_true(dd_config_reset(&c, 3, true, false));
    assert_int_equal(dd_buffer_node(&c, 0), 1);
    assert_int_equal(dd_buffer_node(&c, 3), 0);
    assert_int_equal(dd_buffer_node(&c, 4), DD_NONE);
    dd_config_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mistake_is_named),
        cmocka_unit_test(too_many_templates_are_refused),
        cmocka_unit_test(a_nul_is_refused_wherever_it_stands),
        cmocka_unit_test(every_system_has_a_builtin_set),
        cmocka_unit_test(nodes_and_values_are_shared),
        cmocka_unit_test(equal_values_in_different_templates_differ),
        cmocka_unit_test(keys_follow_the_columns),
        cmocka_unit_test(what_is_absent_gives_no_key),
        cmocka_unit_test(keys_follow_the_arcs),
        cmocka_unit_test(neighbours_are_words_of_the_sentence),
        cmocka_unit_test(features_of_moves_follow_the_arc),
        cmocka_unit_test(covington_has_focus_words),
        cmocka_unit_test(covington_has_words_that_wait),
        cmocka_unit_test(distances_are_in_steps),
        cmocka_unit_test(a_configuration_keeps_the_outermost_dependents),
    };
    return cmocka_run_group_tests_name("features", tests, NULL, NULL);
}
