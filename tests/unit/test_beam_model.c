/* Training and parsing with a beam: updates, models, several trees a sentence. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "core/strings.h"
#include "model/image.h"
#include "model/model.h"
#include "systems/registry.h"
#include "train/training.h"

#define WORD(id, form, tag, head, label)                                                           \
    id "\t" form "\t" form "\t" tag "\t" tag "\t_\t" head "\t" label "\t_\t_\n"

static const char treebank[] = WORD("1", "dogs", "NOUN", "2", "nsubj")
    WORD("2", "bark", "VERB", "0", "root") "\n" WORD("1", "the", "DET", "2", "det")
        WORD("2", "cat", "NOUN", "3", "nsubj") WORD("3", "saw", "VERB", "0", "root")
            WORD("4", "dogs", "NOUN", "3", "obj") "\n" WORD(
                "1", "come", "VERB", "0", "root") "\n" WORD("1", "cats", "NOUN", "2", "nsubj")
                WORD("2", "see", "VERB", "0", "root") WORD("3", "the", "DET", "4", "det")
                    WORD("4", "dog", "NOUN", "2", "obj") "\n";

typedef struct fixture {
    char folder[64], train[96], file[96], model[96];
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    snprintf(f->folder, sizeof f->folder, "/tmp/dodona-beam-XXXXXX");
    if (!f || !mkdtemp(f->folder)) return -1;
    snprintf(f->train, sizeof f->train, "%s/train.conllu", f->folder);
    snprintf(f->file, sizeof f->file, "%s/file", f->folder);
    snprintf(f->model, sizeof f->model, "%s/model", f->folder);
    FILE *file = fopen(f->train, "wb");
    bool ok = file && fwrite(treebank, 1, strlen(treebank), file) == strlen(treebank);
    *state = f;
    return file && fclose(file) == 0 && ok ? 0 : -1;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    unlink(f->train);
    unlink(f->file);
    unlink(f->model);
    int left = rmdir(f->folder);
    free(f);
    return left;
}

static dd_model *train(const fixture *f, const char *settings)
{
    dd_error error;
    dd_model *model = NULL;
    dd_status status = train_with_settings(&model, settings, NULL, f->train, NULL, &error);
    if (status != DD_OK) fail_msg("%s", error.message);
    return model;
}

static dd_model *train_with(const fixture *f, const char *system, int beam)
{
    char settings[64];
    snprintf(settings, sizeof settings, "system=%s beam=%d", system, beam);
    return train(f, settings);
}

/* The text, parsed: to be freed. */
static char *parse(const fixture *f, const dd_model *model, const char *text, int threads, int beam,
                   int nbest)
{
    dd_reader *reader;
    dd_writer *writer;
    dd_parse_options options;
    dd_parse_report report;
    dd_parse_options_init(&options);
    dd_parse_report_init(&report, model);
    options.threads = threads;
    options.beam = beam;
    options.nbest = nbest;
    dd_text bytes = {text, strlen(text)};
    assert_int_equal(dd_reader_open_memory(&reader, "t", bytes, DD_FORMAT_CONLLU, NULL), DD_OK);
    assert_int_equal(dd_writer_open(&writer, f->file, NULL), DD_OK);
    assert_int_equal(dd_parse_stream(model, reader, writer, &options, &report, NULL), DD_OK);
    assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
    dd_reader_close(reader);
    size_t room = 20 * strlen(text) + 2000;
    char *out = calloc(1, room);
    FILE *file = fopen(f->file, "rb");
    assert_non_null(file);
    fread(out, 1, room - 1, file);
    fclose(file);
    return out;
}

static void every_system_learns_its_training_data(void **state)
{
    static const char *const oracles[] = {"static", "nondet", "dynamic"};
    static const char *const updates[] = {"max-violation", "early"};
    fixture *f = *state;
    for (size_t s = 0; s < dd_system_count(); s++)
        for (int oracle = 0; oracle < 3; oracle++)
            for (int update = 0; update < 2; update++) {
                char settings[128];
                snprintf(settings, sizeof settings, "system=%s beam=4 oracle=%s update=%s",
                         dd_system_get(s)->name, oracles[oracle], updates[update]);
                dd_model *model = train(f, settings);
                char *out = parse(f, model, treebank, 1, 0, 0);
                assert_string_equal(out, treebank);
                free(out);
                dd_model_free(model);
            }
}

/* ---- updates ---- */

/* Score of a derivation under the weights as they are. */
static int64_t score_way(dd_trainer *t, const dd_item *item, const dd_beam_step *way, size_t count)
{
    int64_t score = 0;
    dd_decoder decoder = {0}, *one = &decoder;
    assert_true(dd_decoder_begin(&decoder, t->inventory, item->gold.n, t->single_root));
    for (size_t i = 0; i < count; i++) {
        int m = 0;
        assert_true(dd_decoder_ready(&decoder));
        assert_true(dd_trainer_score(t, &one, 1));
        while (!dd_same_move(decoder.view.moves[m], way[i].move)) m++;
        if (way[i].scored)
            score += dd_decoder_gain(&decoder, dd_decoder_score(&decoder, m, way[i].class_id));
        dd_decoder_make(t->inventory, NULL, &decoder.config, way[i].move, way[i].class_id);
    }
    dd_decoder_free(&decoder);
    return score;
}

static void check_updates(const fixture *f, const char *system, dd_oracle_kind oracle,
                          dd_update update)
{
    dd_train_options options;
    dd_training t = {.options = &options};
    const char *paths[] = {f->train};
    int updates = 0;
    dd_train_options_init(&options);
    options.system = system;
    options.beam = 3;
    options.oracle = oracle;
    options.update = update;
    options.margin = 0;
    assert_int_equal(dd_components_read(&t.components, &options, paths, 1, NULL, NULL), DD_OK);
    assert_int_equal(dd_training_choose(&t, NULL), DD_OK);
    assert_int_equal(dd_training_prepare(&t, NULL), DD_OK);
    for (size_t i = 0; i < 5 * t.n_order; i++) {
        uint32_t number = (uint32_t)(i % t.n_order);
        const dd_item *item = &t.corpus->items[number];
        dd_trainer *trainer = &t.trainer;
        assert_true(dd_training_learn(&t, &number, 1));
        if (trainer->compared.found == 0) continue;
        updates++;
        const dd_beam_round *found = &trainer->found.rounds[trainer->compared.found - 1];
        const dd_beam_round *right = &trainer->right.rounds[trainer->compared.right - 1];
        int64_t lead = found->best_score - right->best_score;
        int64_t now = score_way(trainer, item, trainer->found_way, trainer->found_count) -
                      score_way(trainer, item, trainer->right_way, trainer->right_count);
        assert_true(lead >= 0);
        assert_true(now < lead);
    }
    assert_true(updates > 0);
    dd_training_free(&t);
}

static void an_update_takes_the_lead_of_the_wrong_derivation(void **state)
{
    for (size_t s = 0; s < dd_system_count(); s++)
        for (int oracle = DD_ORACLE_STATIC; oracle <= DD_ORACLE_DYNAMIC; oracle++) {
            const char *system = dd_system_get(s)->name;
            check_updates(*state, system, (dd_oracle_kind)oracle, DD_UPDATE_MAX_VIOLATION);
            check_updates(*state, system, (dd_oracle_kind)oracle, DD_UPDATE_EARLY);
        }
}

/* ---- models ---- */

static void the_same_seed_gives_the_same_bytes(void **state)
{
    dd_model *one = train_with(*state, "arc-standard", 4);
    dd_model *two = train_with(*state, "arc-standard", 4);
    assert_int_equal(one->size, two->size);
    assert_memory_equal(one->image, two->image, one->size);
    dd_model_free(one);
    dd_model_free(two);
}

static void a_model_remembers_its_beam(void **state)
{
    fixture *f = *state;
    dd_model *model = train_with(f, "arc-eager", 7), *loaded = NULL;
    assert_int_equal(dd_model_beam(model), 7);
    assert_int_equal(dd_model_save(model, f->model, NULL), DD_OK);
    assert_int_equal(dd_model_load(&loaded, f->model, NULL), DD_OK);
    assert_int_equal(dd_model_beam(loaded), 7);
    char *one = parse(f, model, treebank, 1, 0, 3), *two = parse(f, loaded, treebank, 1, 7, 3);
    assert_string_equal(one, two);
    free(one);
    free(two);
    dd_model_free(loaded);
    dd_model_free(model);
    model = train_with(f, "arc-eager", 1);
    assert_int_equal(dd_model_beam(model), 1);
    assert_null(dd_model_find_fact(model, "beam").data);
    dd_model_free(model);
}

/* Only the facts of a model differ, so that the beam can be any. */
static void a_beam_out_of_bounds_is_refused(void **state)
{
    static const char *const beams[] = {"0", "1001", "-1", "x", "", "08", "99999999999999999999"};
    dd_model *model = train_with(*state, "arc-eager", 1);
    for (size_t i = 0; i < sizeof beams / sizeof *beams; i++) {
        dd_buffer facts = {0};
        dd_model *made = NULL;
        dd_error error;
        char *image;
        size_t size;
        assert_true(dd_buffer_append(&facts, model->facts.data, model->facts.size) &&
                    dd_buffer_printf(&facts, "beam\t%s\n", beams[i]));
        dd_sections sections;
        dd_image_list(model->image, &sections);
        assert_string_equal(sections.names[0], "facts");
        sections.contents[0] = (dd_text){facts.data, facts.size};
        assert_int_equal(dd_model_assemble(&image, &size, &sections, NULL), DD_OK);
        assert_int_equal(dd_model_from_image(&made, "m", image, size, DD_IMAGE_ALLOCATED, &error),
                         DD_ERROR_MODEL);
        assert_non_null(strstr(error.message, "is not a number from 1 to 1000"));
        dd_buffer_free(&facts);
    }
    dd_model_free(model);
}

/* ---- several trees ---- */

static dd_sentence *second_sentence(void)
{
    dd_reader *reader;
    dd_sentence *sentence;
    dd_text bytes = {treebank, strlen(treebank)};
    assert_int_equal(dd_reader_open_memory(&reader, "t", bytes, DD_FORMAT_CONLLU, NULL), DD_OK);
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    assert_int_equal(dd_reader_next(reader, sentence, NULL), DD_OK);
    assert_int_equal(dd_reader_next(reader, sentence, NULL), DD_OK);
    dd_reader_close(reader);
    return sentence;
}

/* The tree as text: to be freed. */
static char *tree_text(const dd_parser *parser, int k, dd_sentence *sentence)
{
    dd_buffer text = {0};
    assert_int_equal(dd_parser_attach(parser, k, sentence, false, NULL), DD_OK);
    assert_int_equal(dd_sentence_format(sentence, DD_FORMAT_AUTO, &text, NULL), DD_OK);
    assert_true(dd_buffer_append(&text, "", 1));
    return text.data;
}

static void trees_differ_and_are_sorted(void **state)
{
    for (size_t s = 0; s < dd_system_count(); s++) {
        enum { BEAM = 30 };
        dd_model *model = train_with(*state, dd_system_get(s)->name, 4);
        dd_sentence *sentence = second_sentence();
        dd_parser *parser;
        char *texts[BEAM];
        assert_int_equal(dd_parser_new(&parser, model, NULL), DD_OK);
        assert_int_equal(dd_parser_search(parser, sentence, BEAM, BEAM, NULL), DD_OK);
        int trees = dd_parser_trees(parser);
        assert_in_range(trees, 4, BEAM);
        for (int k = 0; k < trees; k++) {
            texts[k] = tree_text(parser, k, sentence);
            if (k > 0)
                assert_true(dd_parser_tree_score(parser, k) <= dd_parser_tree_score(parser, k - 1));
            for (int other = 0; other < k; other++) assert_string_not_equal(texts[k], texts[other]);
        }
        for (int k = 0; k < trees; k++) free(texts[k]);
        dd_parser_free(parser);
        dd_sentence_free(sentence);
        dd_model_free(model);
    }
}

static void searches_check_their_arguments(void **state)
{
    dd_model *model = train_with(*state, "arc-eager", 4);
    dd_sentence *sentence = second_sentence();
    dd_parser *parser;
    dd_error error;
    assert_int_equal(dd_parser_new(&parser, model, NULL), DD_OK);
    assert_int_equal(dd_parser_trees(parser), 0);
    assert_int_equal(dd_parser_attach(parser, 0, sentence, false, NULL), DD_ERROR_ARGUMENT);
    static const int bad[][2] = {{-1, 1}, {DD_MAX_BEAM + 1, 1}, {4, 0}, {4, 5}, {0, 5}, {1, 2}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(dd_parser_search(parser, sentence, bad[i][0], bad[i][1], &error),
                         DD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "a beam of 1 cannot give 2 trees");
    assert_int_equal(dd_parser_search(parser, sentence, 0, 4, NULL), DD_OK);
    int trees = dd_parser_trees(parser);
    assert_true(isnan(dd_parser_tree_score(parser, -1)));
    assert_true(isnan(dd_parser_tree_score(parser, trees)));
    assert_int_equal(dd_parser_attach(parser, trees, sentence, false, NULL), DD_ERROR_ARGUMENT);
    assert_int_equal(dd_parser_attach(parser, -1, sentence, false, NULL), DD_ERROR_ARGUMENT);
    dd_parser_free(parser);
    dd_sentence_free(sentence);
    dd_model_free(model);
}

/* Greedy parsing has a path of its own; a beam of 1 through the search gives the same. */
static void greedy_models_serve_beams_and_the_other_way_round(void **state)
{
    fixture *f = *state;
    for (int beam = 1; beam <= 4; beam += 3) {
        dd_model *model = train_with(f, "arc-hybrid", beam);
        char *greedy = parse(f, model, treebank, 1, 1, 0);
        char *listed = parse(f, model, treebank, 1, 1, 1);
        char *wide = parse(f, model, treebank, 1, 64, 0);
        assert_int_equal(strlen(greedy), strlen(treebank));
        assert_true(strlen(wide) >= strlen(treebank) - 8);
        assert_non_null(strstr(listed, "# nbest = 1\n# score = "));
        free(greedy);
        free(listed);
        free(wide);
        dd_model_free(model);
    }
}

static void threads_give_the_same_trees(void **state)
{
    fixture *f = *state;
    dd_model *model = train_with(f, "arc-eager", 4);
    dd_buffer text = {0};
    for (int i = 0; i < 300; i++)
        assert_true(dd_buffer_printf(&text, "# sent_id = %d\n%s", i, treebank));
    assert_true(dd_buffer_append(&text, "", 1));
    char *alone = parse(f, model, text.data, 1, 6, 4);
    for (int threads = 2; threads <= 4; threads++) {
        char *together = parse(f, model, text.data, threads, 6, 4);
        assert_string_equal(alone, together);
        free(together);
    }
    free(alone);
    dd_buffer_free(&text);
    dd_model_free(model);
}

/* Comments stay; those of an earlier list are replaced; a mark at the start of the file stays
 * there; line ends are those of the file, and only the last tree goes without where the file does.
 */
static void lists_keep_the_form_of_the_text(void **state)
{
    fixture *f = *state;
    dd_model *model = train_with(f, "arc-eager", 4);
    char *out = parse(f, model,
                      "\xEF\xBB\xBF# a = b\r\n# nbest = 9\r\n# score = x\r\n"
                      "1\tcome\t_\tVERB\t_\t_\t_\t_\t_\t_",
                      1, 4, 1);
    char *cut = strstr(out, "# score = ");
    assert_non_null(cut);
    *cut = '\0';
    assert_string_equal(out, "\xEF\xBB\xBF# a = b\r\n# nbest = 1\r\n");
    free(out);
    out = parse(f, model,
                "\xEF\xBB\xBF# a\n1\tdogs\t_\tNOUN\t_\t_\t_\t_\t_\t_\n2\tbark\t_\tVERB\t_\t_\t_\t_"
                "\t_\t_",
                1, 4, 2);
    char *second = strstr(out, "\n\n# a\n# nbest = 2\n# score = ");
    assert_non_null(second);
    assert_null(strstr(out + 3, "\xEF\xBB\xBF"));
    assert_true(out[strlen(out) - 1] != '\n');
    free(out);
    dd_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_system_learns_its_training_data),
        cmocka_unit_test(an_update_takes_the_lead_of_the_wrong_derivation),
        cmocka_unit_test(the_same_seed_gives_the_same_bytes),
        cmocka_unit_test(a_model_remembers_its_beam),
        cmocka_unit_test(a_beam_out_of_bounds_is_refused),
        cmocka_unit_test(trees_differ_and_are_sorted),
        cmocka_unit_test(searches_check_their_arguments),
        cmocka_unit_test(greedy_models_serve_beams_and_the_other_way_round),
        cmocka_unit_test(threads_give_the_same_trees),
        cmocka_unit_test(lists_keep_the_form_of_the_text),
    };
    return cmocka_run_group_tests_name("beam model", tests, set_up, tear_down);
}
