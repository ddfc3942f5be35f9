/* A system that the library does not know is one file and one row: a toy, in which each word
 * depends on the one before it or on the root, is trained, parsed with, traced and walked as all
 * others. */
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

#define DD_MORE_SYSTEMS &toy,
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
    dd_sentence *constrained = read_one("# constraint = arc 1 _ 3\n" TREE);
    assert_int_equal(parse(model, constrained, 1, DD_TIDY_YES, &error), DD_ERROR_DATA);
    assert_non_null(strstr(error.message, "toy takes no constraints"));
    dd_sentence_free(constrained);
    dd_model_free(model);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_trained_and_parses),
        cmocka_unit_test(its_oracle_is_exact),
    };
    return cmocka_run_group_tests_name("new_system", tests, NULL, NULL);
}
