/* A system that the library does not know is one file and one row: a toy, in which each word
 * depends on the one before it or on the root, is trained, parsed with, constrained, traced and
 * walked as all others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "arena.h"
#include "constrained.h"

/* ---- the system ---------------------------------------------------------------------------- */

enum { ROOT, NEXT };

/* RT: ([.. i], [j ..]) -> ([.. i j], [..]) with 0 -> j; under the single-root rule the first word
 */

static bool root_legal(const dd_config *c)
{
    return !c->single_root || c->front == 1;
}

static dd_arc root_arc(const dd_config *c)
{
    return (dd_arc){0, c->front};
}

/* NX: the same with i -> j; i is a word */

static bool next_legal(const dd_config *c)
{
    return c->front > 1;
}

static dd_arc next_arc(const dd_config *c)
{
    return (dd_arc){c->front - 1, c->front};
}

static int root_cost(const dd_config *c, const dd_gold *gold)
{
    return next_legal(c) && gold->heads[c->front] == c->front - 1;
}

static int next_cost(const dd_config *c, const dd_gold *gold)
{
    return root_legal(c) && gold->heads[c->front] == 0;
}

static const dd_move_rule rules[] = {
    [ROOT] = {"RT", DD_RIGHT_ARC, root_legal, root_arc, dd_shift, root_cost},
    [NEXT] = {"NX", DD_RIGHT_ARC, next_legal, next_arc, dd_shift, next_cost},
};

static void start(dd_config *c)
{
    dd_shift(c);
}

static bool final(const dd_config *c)
{
    return c->front > c->n;
}

static dd_move canonical(const dd_config *c, const dd_gold *gold)
{
    return (dd_move){gold->heads[c->front] == 0 || c->front == 1 ? ROOT : NEXT, 0};
}

static bool can_have(int head, int word, bool single_root)
{
    return head < 0 || (head == 0 && (!single_root || word == 1)) || (head > 0 && head == word - 1);
}

static bool loss(dd_loss_space *space, const dd_config *c, const dd_gold *gold, int *total)
{
    (void)space;
    *total = dd_wrong_arcs(c, gold);
    for (int word = c->front; word <= c->n; word++)
        *total += !can_have(gold->heads[word], word, c->single_root);
    return true;
}

static bool keep(dd_loss_space *space, const dd_gold *gold, bool single_root, int32_t *heads)
{
    (void)space;
    for (int word = 1; word <= gold->n; word++)
        heads[word] = can_have(gold->heads[word], word, single_root) ? gold->heads[word] : DD_NONE;
    return true;
}

static const char *refuses(const dd_gold *gold, bool single_root)
{
    for (int word = 1; word <= gold->n; word++)
        if (!can_have(gold->heads[word], word, single_root)) return "an arc that toy cannot build";
    return NULL;
}

static const dd_system toy = {
    .name = "toy",
    .transitions = "RT NX",
    .trees = "chains",
    .summary = "each word depends on the one before it, or on the root",
    .rules = rules,
    .n_rules = sizeof rules / sizeof *rules,
    .start = start,
    .final = final,
    .features = {.templates = "standard", .slots = "S1 S0 B0"},
    .oracle = {.canonical = canonical, .loss = loss, .refuses = refuses, .keep = keep},
};

/* The same, but its guard gives up in mid-parse where words are wished to be leaves. */
static dd_system weary;
static dd_guard weary_guard;

static bool allow_wearily(const dd_constraints *constraints, const dd_config *config, dd_move move)
{
    bool allows = dd_search_guard.allows(constraints, config, move);
    if (config->front == 4 && constraints->leaf && constraints->leaf[3])
        dd_effort_spend((dd_effort *)&constraints->effort, DD_MOST_EFFORT);
    return allows;
}

static void make_weary(void)
{
    weary = toy;
    weary.name = "weary";
    weary_guard = dd_search_guard;
    weary_guard.allows = allow_wearily;
    weary.guard = &weary_guard;
}

#define DD_MORE_SYSTEMS &toy, &weary,
#include "../../src/systems/registry.c"

/* ---- what is done with it ------------------------------------------------------------------ */

#define WORD(id, form, upos, head) id "\t" form "\t_\t" upos "\t_\t_\t" head "\tdep\t_\t_\n"
#define TREE                                                                                       \
    WORD("1", "Time", "NOUN", "0")                                                                 \
    WORD("2", "flies", "VERB", "1")                                                                \
    WORD("3", ",", "PUNCT", "2") WORD("4", "slowly", "ADV", "3") "\n"

static dd_sentence *read_one(const char *text)
{
    dd_reader *reader;
    dd_sentence *sentence;
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    assert_int_equal(
        dd_reader_open_memory(&reader, "t", (dd_text){text, strlen(text)}, DD_FORMAT_CONLLU, NULL),
        DD_OK);
    assert_int_equal(dd_reader_next(reader, sentence, NULL), DD_OK);
    dd_reader_close(reader);
    return sentence;
}

static dd_model *train(const char *settings)
{
    dd_model *model;
    dd_error error;
    if (train_with_settings(&model, settings, NULL, DEMO, NULL, &error) != DD_OK)
        fail_msg("%s: %s", settings, error.message);
    return model;
}

static dd_status parse(const dd_model *model, dd_sentence *sentence, int beam, dd_tidy tidy,
                       dd_error *error)
{
    dd_parser *parser;
    dd_parse_options how;
    size_t done;
    dd_parse_options_init(&how);
    how.beam = beam;
    how.tidy = tidy;
    assert_int_equal(dd_parser_new(&parser, model, NULL), DD_OK);
    dd_status status = dd_parser_parse_batch(parser, &sentence, 1, &how, &done, error);
    dd_parser_free(parser);
    return status;
}

static bool count(void *user, const dd_trace_step *step)
{
    (void)step;
    ++*(int *)user;
    return true;
}

static void trace(const dd_model *model, const dd_sentence *sentence)
{
    dd_trace *made;
    dd_trace_options how;
    int steps = 0;
    dd_trace_options_init(&how);
    how.model = model;
    assert_int_equal(dd_trace_new(&made, &how, NULL), DD_OK);
    assert_int_equal(dd_trace_sentence(made, sentence, count, &steps, NULL), DD_OK);
    assert_int_equal(steps, 5);
    dd_trace_free(made);
}

static void check_model(const char *settings)
{
    dd_error error;
    dd_model *model = train(settings);
    for (int beam = 1; beam <= 4; beam += 3)
        for (int tidy = DD_TIDY_NO; tidy <= DD_TIDY_YES; tidy++) {
            dd_sentence *sentence = read_one(TREE);
            assert_int_equal(parse(model, sentence, beam, (dd_tidy)tidy, &error), DD_OK);
            for (int word = 1; word <= 4; word++)
                assert_int_equal(dd_sentence_head(sentence, word), word - 1);
            trace(model, sentence);
            dd_sentence_free(sentence);
        }
    dd_model_free(model);
}

/* ---- constraints --------------------------------------------------------------------------- */

/* The heads of the four words under a constraint, "." for any; or what the message says. */
static void check_constrained(const dd_model *model, const char *constraint, const char *heads,
                              const char *message)
{
    char text[1000];
    dd_error error = {0};
    snprintf(text, sizeof text, "%s" TREE, constraint);
    for (int beam = 1; beam <= 4; beam += 3)
        for (int tidy = DD_TIDY_NO; tidy <= DD_TIDY_YES; tidy++) {
            dd_sentence *sentence = read_one(text);
            dd_status status = parse(model, sentence, beam, (dd_tidy)tidy, &error);
            if ((status == DD_OK) != !message || (message && !strstr(error.message, message)))
                fail_msg("%s: %s", constraint, error.message);
            for (int word = 1; heads && word <= 4; word++)
                if (heads[word - 1] != '.' &&
                    heads[word - 1] != '0' + dd_sentence_head(sentence, word))
                    fail_msg("%s: word %d has head %d", constraint, word,
                             dd_sentence_head(sentence, word));
            /* word 3 is punctuation, so a tidy tree gives it no dependents if it need not */
            if (tidy == DD_TIDY_YES && heads && heads[3] == '.')
                assert_int_equal(dd_sentence_head(sentence, 4), 0);
            if (!message) trace(model, sentence);
            dd_sentence_free(sentence);
        }
}

#define CONSTRAINT(text) "# constraint = " text "\n"

static void it_obeys_constraints(void **state)
{
    (void)state;
    dd_model *model = train("system=toy iterations=2 unbuildable=partial single-root=no");
    check_constrained(model, "", "....", NULL);
    check_constrained(model, CONSTRAINT("arc 0 _ 3"), "..0.", NULL);
    check_constrained(model, CONSTRAINT("arc 2 _ 3"), "..2.", NULL);
    check_constrained(model, CONSTRAINT("not-arc 1 2"), ".0..", NULL);
    check_constrained(model, CONSTRAINT("not-arc 0 2"), ".1..", NULL);
    check_constrained(model, CONSTRAINT("leaf 3"), "...0", NULL);
    check_constrained(model, CONSTRAINT("span 3 4 none"), "...3", NULL);
    check_constrained(model, CONSTRAINT("span 1 2 none"), ".10.", NULL);
    check_constrained(model, CONSTRAINT("span 1 3 root"), "0120", NULL);
    check_constrained(model, CONSTRAINT("arc 1 _ 3"), NULL, "no tree satisfies it");
    check_constrained(model, CONSTRAINT("not-arc 3 4") CONSTRAINT("span 3 4 any"), NULL,
                      "cannot hold together with 'span 3 4 any'");
    dd_model_free(model);
}

/* Nothing but a search through all that can follow tells that the last two words cannot be one
 * tree; where that takes too long the sentence is refused. */
static void what_takes_too_long_is_refused(void **state)
{
    (void)state;
    static const struct {
        int n;
        const char *message;
    } cases[] = {
        {6, "cannot hold together with 'not-arc 5 6'"},
        {40, "obeying the constraints of this sentence takes too long: it has 40 words and 2 "
             "constraints"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        constrained s;
        char text[100];
        constrained_begin(&s, &toy, false);
        constrained_words(&s, cases[i].n);
        snprintf(text, sizeof text, "span %d %d none; not-arc %d %d", cases[i].n - 1, cases[i].n,
                 cases[i].n - 1, cases[i].n);
        constrained_add(&s, text);
        assert_int_equal(constrained_set(&s), DD_ERROR_DATA);
        if (!strstr(s.error.message, cases[i].message)) fail_msg("%s", s.error.message);
        constrained_end(&s);
    }
}

/* ---- tidiness that makes constraints too hard ---- */

static bool keep_heads(void *user, const dd_trace_step *step)
{
    memcpy(user, step->heads, 5 * sizeof *step->heads);
    return true;
}

/* Parsed and traced without tidiness then, and not refused. */
static void tidiness_gives_way(void **state)
{
    (void)state;
    dd_model *model =
        train("system=weary iterations=2 unbuildable=partial single-root=no tidy=yes");
    dd_sentence *sentence = read_one(CONSTRAINT("arc 0 _ 2") TREE);
    dd_trace *made;
    dd_trace_options how;
    dd_error error;
    int32_t heads[5];
    dd_trace_options_init(&how);
    how.model = model;
    assert_int_equal(dd_trace_new(&made, &how, NULL), DD_OK);
    if (dd_trace_sentence(made, sentence, keep_heads, heads, &error) != DD_OK)
        fail_msg("%s", error.message);
    assert_int_equal(heads[2], 0);
    assert_int_equal(heads[4], 3);
    assert_int_equal(parse(model, sentence, 1, DD_TIDY_YES, &error), DD_OK);
    for (int word = 1; word <= 4; word++)
        assert_int_equal(dd_sentence_head(sentence, word), heads[word]);
    dd_trace_free(made);
    dd_sentence_free(sentence);
    dd_model_free(model);
}

static void a_search_can_be_cancelled(void **state)
{
    (void)state;
    constrained s;
    dd_cancel *cancel;
    dd_ticker ticker = {0};
    assert_int_equal(dd_cancel_new(&cancel, NULL), DD_OK);
    dd_cancel_at_look(cancel, 1000);
    dd_ticker_start(&ticker, cancel);
    constrained_begin(&s, &toy, false);
    constrained_words(&s, 40);
    constrained_add(&s, "span 39 40 none; not-arc 39 40");
    s.constraints.effort.ticker = &ticker;
    assert_int_equal(constrained_set(&s), DD_INTERRUPTED);
    constrained_end(&s);
    dd_cancel_free(cancel);
}

/* Far more words than could be searched through, where the first derivation tried will do. */
static void long_sentences_are_parsed(void **state)
{
    (void)state;
    enum { WORDS = 400 };
    constrained s;
    dd_config c = {0};
    dd_move moves[2];
    constrained_begin(&s, &toy, false);
    constrained_words(&s, WORDS);
    constrained_add(&s, "arc 0 _ 200; not-arc 299 300; span 350 352 root; leaf 396");
    assert_int_equal(constrained_set(&s), DD_OK);
    assert_true(dd_system_begin(&toy, &c, WORDS, false));
    while (!toy.final(&c)) {
        int count = dd_constraints_filter(&s.constraints, &c, moves,
                                          dd_system_permissible(&toy, &c, moves));
        assert_true(count > 0);
        dd_system_apply(&toy, &c, moves[count - 1], 0);
    }
    assert_int_equal(c.nodes[199].head, 198);
    assert_int_equal(c.nodes[200].head, 0);
    assert_int_equal(c.nodes[300].head, 0);
    assert_int_equal(c.nodes[352].head, 351);
    assert_int_equal(c.nodes[397].head, 0);
    dd_config_free(&c);
    constrained_end(&s);
}

static void it_is_trained_and_parses(void **state)
{
    (void)state;
    check_model("system=toy iterations=2 unbuildable=partial");
    check_model("system=toy iterations=2 unbuildable=partial oracle=nondet");
    check_model("system=toy iterations=2 unbuildable=partial scorer=neural width=16 hidden=16");
}

/* Its losses and costs are what a search through all that can follow says. */
static void its_oracle_is_exact(void **state)
{
    (void)state;
    for (int single_root = 0; single_root <= 1; single_root++) {
        arena a;
        int32_t heads[JUDGE_MAX_N + 1];
        arena_begin(&a, &toy, single_root);
        for (int n = 1; n <= 4; n++)
            for (uint64_t index = 0; index < 625; index++)
                if (tree_by_index(heads, n, index) && arena_take(&a, heads, n)) arena_visit_all(&a);
        assert_true(a.configurations > 3);
        arena_end(&a);
    }
}

int main(void)
{
    make_weary();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_trained_and_parses),
        cmocka_unit_test(its_oracle_is_exact),
        cmocka_unit_test(it_obeys_constraints),
        cmocka_unit_test(what_takes_too_long_is_refused),
        cmocka_unit_test(tidiness_gives_way),
        cmocka_unit_test(a_search_can_be_cancelled),
        cmocka_unit_test(long_sentences_are_parsed),
    };
    return cmocka_run_group_tests_name("new_system", tests, NULL, NULL);
}
