/* The tokenizer's network: what it learns, that nothing depends on kernels, threads and windows,
 * and damaged sections. */
#include "segment_help.h"

#include "kernels/kernels.h"
#include "segment/keep.h"
#include "segment/segment_network.h"
#include "segment/units.h"

#include "../settings_help.h"

#include <unistd.h>

enum { ITERATIONS = 15 };

static dd_status learn_sections(dd_draft *draft, const char *treebank, int threads,
                                bool (*report)(void *, const dd_component_progress *), void *user)
{
    enum { MOST = 256 };
    dd_sentence *sentences[MOST];
    size_t count = 0;
    dd_reader *reader;
    dd_train_options defaults;
    dd_segmenter_options options;
    dd_train_options_init(&defaults);
    defaults.network.batch_words = 20;
    dd_segmenter_options_init(&options);
    options.iterations = ITERATIONS;
    options.token_bits = options.sentence_bits = 12;
    options.threads = threads;
    options.how = &defaults.network;
    options.report = report;
    options.user = user;
    assert_int_equal(dd_reader_open_memory(&reader, "t", text_of(treebank), DD_FORMAT_CONLLU, NULL),
                     DD_OK);
    do {
        assert_true(count < MOST);
        assert_int_equal(dd_sentence_new(&sentences[count], NULL), DD_OK);
    } while (dd_reader_next(reader, sentences[count++], NULL) == DD_OK);
    dd_status status =
        dd_neural_segmenter.train(draft, sentences, count - 1, &options, &(dd_error){0});
    while (count > 0) dd_sentence_free(sentences[--count]);
    dd_reader_close(reader);
    return status;
}

static dd_model *model_of(const dd_draft *draft)
{
    static const char facts[] = "components\ttokenizer\n";
    char *image;
    size_t size;
    dd_model *model;
    dd_sections sections = {0};
    dd_sections_add(&sections, "facts", (dd_text){facts, sizeof facts - 1});
    dd_draft_list(draft, &sections);
    assert_int_equal(dd_model_assemble(&image, &size, &sections, NULL), DD_OK);
    assert_int_equal(dd_model_from_image(&model, "m", image, size, DD_IMAGE_ALLOCATED, NULL),
                     DD_OK);
    return model;
}

static copy read_text(const dd_model *model, dd_text text)
{
    dd_input_options options = {.size = sizeof options, .format = DD_FORMAT_TEXT};
    return copy_input(model, text, &options);
}

/* Enough sentences for folds. */
static char *long_treebank(void)
{
    enum { COPIES = 26 };
    char *all = malloc(COPIES * sizeof small_treebank);
    assert_non_null(all);
    all[0] = 0;
    for (int i = 0; i < COPIES; i++) strcat(all, small_treebank);
    return all;
}

static void what_was_learnt_comes_back(void **state)
{
    (void)state;
    char *treebank = long_treebank();
    dd_draft draft = {0};
    assert_int_equal(learn_sections(&draft, treebank, 1, NULL, NULL), DD_OK);
    dd_model *model = model_of(&draft);
    copy all =
        read_text(model, text_of("Dr. Smith can't come. Don't wait, Mr. Jones!\n\n"
                                 "He won't say (or write) it: e-mail is slow. I am here.\n"));
    assert_int_equal(all.last, DD_END);
    assert_int_equal(all.good, 4);
    assert_int_equal(all.words, 6 + 7 + 14 + 4);
    dd_buffer_free(&all.output);
    dd_segmenter *linear;
    assert_int_equal(
        dd_segmenter_map(&linear, (dd_text){draft.contents[0].data, draft.contents[0].size}, NULL),
        DD_OK);
    for (int i = 0; i < 1 << linear->token_bits; i++)
        assert_int_equal(linear->token_weights[i] % 256, 0);
    dd_segmenter_free(linear);
    dd_model_free(model);
    dd_draft_free(&draft);
    free(treebank);
}

static void threads_learn_the_same_bytes(void **state)
{
    (void)state;
    char *treebank = long_treebank();
    dd_draft drafts[2] = {{.count = 0}, {.count = 0}};
    for (int i = 0; i < 2; i++)
        assert_int_equal(learn_sections(&drafts[i], treebank, 1 + 2 * i, NULL, NULL), DD_OK);
    assert_int_equal(drafts[0].count, 3);
    assert_int_equal(drafts[1].count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(drafts[0].contents[i].size, drafts[1].contents[i].size);
        assert_memory_equal(drafts[0].contents[i].data, drafts[1].contents[i].data,
                            drafts[0].contents[i].size);
    }
    for (int i = 0; i < 2; i++) dd_draft_free(&drafts[i]);
    free(treebank);
}

/* A paragraph of many windows. */
static dd_buffer long_paragraph(void)
{
    dd_buffer text = {0};
    for (int i = 0; i < 400; i++)
        assert_true(dd_buffer_printf(&text, "%s ",
                                     i % 3 == 0   ? "Dr. Jones won't wait here (or come)."
                                     : i % 3 == 1 ? "I say it: Mr. Smith can't write"
                                                  : "e-mail, slow!"));
    return text;
}

static void all_kernels_decide_alike(void **state)
{
    (void)state;
    dd_draft draft = {0};
    dd_buffer text = long_paragraph(), first = {0};
    assert_int_equal(learn_sections(&draft, small_treebank, 1, NULL, NULL), DD_OK);
    dd_model *model = model_of(&draft);
    for (int i = 0; dd_kernels_at(i); i++) {
        dd_segment_network_choose_kernels(model->segmenter->network, dd_kernels_at(i));
        copy all = read_text(model, (dd_text){text.data, text.size});
        assert_int_equal(all.last, DD_END);
        if (i == 0) assert_true(dd_buffer_append(&first, all.output.data, all.output.size));
        assert_int_equal(all.output.size, first.size);
        assert_memory_equal(all.output.data, first.data, first.size);
        dd_buffer_free(&all.output);
    }
    dd_model_free(model);
    dd_buffer_free(&first);
    dd_buffer_free(&text);
    dd_draft_free(&draft);
}

typedef struct pieces {
    dd_text rest;
    size_t each;
} pieces;

static dd_status give_piece(void *user, char *data, size_t size, size_t *got, dd_error *error)
{
    pieces *p = user;
    (void)error;
    *got = p->rest.size < p->each ? p->rest.size : p->each;
    if (*got > size) *got = size;
    memcpy(data, p->rest.data, *got);
    p->rest = dd_text_skip(p->rest, *got);
    return DD_OK;
}

/* The paragraph is longer than the reader's window of 32,768 characters. */
static void nothing_depends_on_how_text_arrives(void **state)
{
    (void)state;
    dd_draft draft = {0};
    dd_buffer text = {0}, paragraph = long_paragraph();
    while (text.size < 80000) assert_true(dd_buffer_append(&text, paragraph.data, paragraph.size));
    assert_int_equal(learn_sections(&draft, small_treebank, 1, NULL, NULL), DD_OK);
    dd_model *model = model_of(&draft);
    copy whole = read_text(model, (dd_text){text.data, text.size});
    for (size_t each = 1; each < 10000; each *= 97) {
        pieces from = {{text.data, text.size}, each};
        dd_input input = {
            .name = "t", .kind = DD_INPUT_FUNCTION, .read = give_piece, .user = &from};
        dd_input_options options = {.size = sizeof options, .format = DD_FORMAT_TEXT};
        dd_reader *reader;
        assert_int_equal(dd_reader_open_input(&reader, model, &input, &options, NULL), DD_OK);
        copy all = copy_reader(reader);
        assert_int_equal(all.output.size, whole.output.size);
        assert_memory_equal(all.output.data, whole.output.data, whole.output.size);
        dd_buffer_free(&all.output);
    }
    dd_buffer_free(&whole.output);
    dd_model_free(model);
    dd_buffer_free(&text);
    dd_buffer_free(&paragraph);
    dd_draft_free(&draft);
}

/* What a reader keeps from one text to the next changes nothing. */
static void the_same_text_is_cut_alike_again(void **state)
{
    (void)state;
    dd_draft draft = {0};
    dd_buffer text = long_paragraph();
    assert_int_equal(learn_sections(&draft, small_treebank, 1, NULL, NULL), DD_OK);
    dd_model *model = model_of(&draft);
    copy once = read_text(model, (dd_text){text.data, text.size});
    dd_segments segments[2] = {{0}, {0}};
    dd_segmenter_space *space;
    dd_chars chars = {0};
    for (size_t i = 0; i + 1 < text.size; i++)
        assert_true(dd_chars_add(&chars, (uint32_t)text.data[i],
                                 (uint8_t)dd_char_classify((uint32_t)text.data[i]), i, 1));
    assert_int_equal(dd_segmenter_space_new(&space, model->segmenter, NULL), DD_OK);
    for (int i = 0; i < 2; i++) /* the second time most inputs are cached */
        assert_true(dd_segmenter_cut(model->segmenter, space, &chars, chars.count, &segments[i]));
    assert_int_equal(segments[0].count, segments[1].count);
    assert_memory_equal(segments[0].ends, segments[1].ends, (size_t)segments[0].count);
    dd_keep_marks(&chars, chars.count, &segments[0]); /* as a reader does */
    int sentences = 0;
    for (int i = 0; i < segments[0].count; i++) sentences += segments[0].ends[i];
    assert_int_equal(sentences, once.good);
    dd_segmenter_space_free(space);
    dd_segments_free(&segments[0]);
    dd_segments_free(&segments[1]);
    dd_chars_free(&chars);
    dd_buffer_free(&once.output);
    dd_model_free(model);
    dd_buffer_free(&text);
    dd_draft_free(&draft);
}

static void windows_decide_about_each_unit_once(void **state)
{
    (void)state;
    for (int units = 0; units < 3 * DD_WINDOW_UNITS; units += 7) {
        int next = 0;
        for (int i = 0; i < dd_unit_windows(units); i++) {
            dd_unit_window w = dd_unit_window_at(units, i);
            assert_int_equal(w.first, next);
            assert_true(w.last > w.first && w.start >= 0 && w.behind <= units);
            assert_true(w.start == 0 || w.first - w.start == DD_WINDOW_CONTEXT);
            assert_true(w.behind == units || w.behind - w.last == DD_WINDOW_CONTEXT);
            next = w.last;
        }
        assert_int_equal(next, units);
    }
}

/* ---- stopping, and damaged sections ---- */

static bool stop(void *user, const dd_component_progress *progress)
{
    (void)progress;
    return --*(int *)user > 0;
}

static void training_stops_when_told(void **state)
{
    (void)state;
    char *treebank = long_treebank();
    for (int left = 1; left < 80; left += 26) {
        dd_draft draft = {0};
        int reports = left;
        assert_int_equal(learn_sections(&draft, treebank, 1, stop, &reports), DD_INTERRUPTED);
        dd_draft_free(&draft);
    }
    free(treebank);
}

typedef struct course {
    dd_component_progress last;
    int parts_begun;
} course;

static bool follow(void *user, const dd_component_progress *now)
{
    course *c = user;
    assert_int_equal(now->parts, c->last.parts ? c->last.parts : now->parts);
    assert_true(now->part == c->last.part || now->part == c->last.part + 1);
    assert_true(now->done > c->last.done - 1e-9 && now->done < 1 + 1e-9);
    assert_true(now->seconds_left >= 0);
    c->parts_begun += now->part != c->last.part;
    c->last = *now;
    return true;
}

/* The classifiers of the folds are parts of it; the network is most of it. */
static void training_says_how_much_is_done(void **state)
{
    (void)state;
    dd_draft draft = {0};
    course c = {.parts_begun = 0};
    char *treebank = long_treebank();
    assert_int_equal(learn_sections(&draft, treebank, 1, follow, &c), DD_OK);
    assert_true(c.last.parts > 1);
    assert_int_equal(c.parts_begun, c.last.parts);
    assert_int_equal(c.last.part, c.last.parts);
    assert_int_equal(c.last.iterations, ITERATIONS);
    assert_true(c.last.done > 1 - 1e-9);
    dd_draft_free(&draft);
    free(treebank);
}

static dd_status find_with(const dd_draft *draft, int damaged, dd_text content)
{
    dd_sections sections = {0};
    dd_segmenter *segmenter = NULL;
    for (int i = 0; i < draft->count; i++)
        dd_sections_add(&sections, draft->names[i],
                        i == damaged ? content
                                     : (dd_text){draft->contents[i].data, draft->contents[i].size});
    dd_status status = dd_segmenter_find(&segmenter, &sections, NULL);
    dd_segmenter_free(segmenter);
    return status;
}

static int number_of(const dd_draft *draft, const char *name)
{
    for (int i = 0; i < draft->count; i++)
        if (strcmp(draft->names[i], name) == 0) return i;
    fail();
    return -1;
}

static void damaged_sections_are_refused(void **state)
{
    (void)state;
    dd_draft draft = {0};
    char *treebank = long_treebank();
    assert_int_equal(learn_sections(&draft, treebank, 1, NULL, NULL), DD_OK);
    free(treebank);
    int symbols = number_of(&draft, DD_SEGMENT_SYMBOLS);
    int network = number_of(&draft, DD_SEGMENT_NETWORK);
    dd_buffer *list = &draft.contents[symbols], *net = &draft.contents[network];
    assert_int_equal(find_with(&draft, -1, (dd_text){NULL, 0}), DD_OK);
    for (size_t size = 0; size < list->size; size += 3)
        assert_int_equal(find_with(&draft, symbols, (dd_text){list->data, size}), DD_ERROR_MODEL);
    for (size_t size = 0; size < net->size; size += 977)
        assert_int_equal(find_with(&draft, network, (dd_text){net->data, size}), DD_ERROR_MODEL);
    uint32_t *first = (uint32_t *)(void *)(list->data + 8), held = first[0];
    first[0] = first[1]; /* hashes ascend */
    assert_int_equal(find_with(&draft, -1, (dd_text){NULL, 0}), DD_ERROR_MODEL);
    first[0] = held;
    uint32_t *outputs = &((dd_frozen_header *)(void *)net->data)->outputs;
    *outputs = 2; /* the arrays are filled up to the same size */
    assert_int_equal(find_with(&draft, -1, (dd_text){NULL, 0}), DD_ERROR_MODEL);
    *outputs = DD_UNIT_ENDS;
    draft.names[symbols] = "others";
    assert_int_equal(find_with(&draft, -1, (dd_text){NULL, 0}), DD_ERROR_MODEL);
    dd_draft_free(&draft);
}

/* ---- the choice between the kinds --------------------------------------------------------- */

/* What the two kinds cut differently. */
static const char disputed[] = "The birds sing... (the king doesn't) U.S. trees rustle \"oh no!\" "
                               "Mr. Oak sings; the leaves-they fall. Is it 3.5 km? no. the End\n";

static void on_chosen(void *user, dd_component component, const char *how)
{
    assert_int_equal(component, DD_TOKENIZER);
    assert_true(dd_buffer_printf(user, "[%s]", how));
}

static dd_model *train_tokenizer(const char *settings, const char *dev, dd_buffer *told)
{
    dd_train_watch watch;
    dd_model *model;
    dd_train_watch_init(&watch);
    watch.user = told;
    watch.chosen = on_chosen;
    told->size = 0;
    assert_true(dd_buffer_reserve(told, 1));
    assert_int_equal(train_with_settings(&model, settings, &watch, DEMO, dev, NULL), DD_OK);
    return model;
}

static void write_dev(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* The name, as the fact has it, of what cuts best what one of the two has cut. */
static void dev_chooses_the_kind(void **state)
{
    (void)state;
    static const char *const kinds[] = {"linear", "neural"};
    static const char *const facts[] = {
        "linear; dev: tokens 100.00, sentences 100.00; neural: tokens ",
        "neural, 1 x 64; dev: tokens 100.00, sentences 100.00; linear: tokens "};
    char path[] = "/tmp/dodona-choice-XXXXXX", settings[64];
    dd_buffer told = {0};
    close(mkstemp(path));
    for (int i = 0; i < 2; i++) {
        snprintf(settings, sizeof settings, "only=tokenizer tokenizer=%s", kinds[i]);
        dd_model *judge = train_tokenizer(settings, NULL, &told);
        copy gold = read_text(judge, text_of(disputed));
        write_dev(path, gold.output.data, gold.output.size);
        dd_model *model = train_tokenizer("only=tokenizer scorer=neural", path, &told);
        copy found = read_text(model, text_of(disputed));
        assert_int_equal(found.output.size, gold.output.size);
        assert_memory_equal(found.output.data, gold.output.data, gold.output.size);
        dd_text fact = dd_model_find_fact(model, "tokenizer");
        assert_non_null(fact.data);
        assert_memory_equal(fact.data, facts[i], strlen(facts[i]));
        assert_memory_not_equal(fact.data + strlen(facts[i]), "100.00, sentences 100.00", 24);
        assert_int_equal(told.size, fact.size + 2);
        assert_memory_equal(told.data + 1, fact.data, fact.size);
        dd_buffer_free(&gold.output);
        dd_buffer_free(&found.output);
        dd_model_free(judge);
        dd_model_free(model);
    }
    unlink(path);
    dd_buffer_free(&told);
}

static void expect_fact(const char *settings, const char *dev, const char *expected, bool chosen)
{
    dd_buffer told = {0};
    dd_model *model = train_tokenizer(settings, dev, &told);
    dd_text fact = dd_model_find_fact(model, "tokenizer");
    assert_int_equal(fact.size, strlen(expected));
    if (fact.size > 0) assert_memory_equal(fact.data, expected, fact.size);
    assert_int_equal(told.size > 0, chosen);
    dd_model_free(model);
    dd_buffer_free(&told);
}

/* A draw goes to the linear one, and where nothing can be compared all is as without dev. */
static void other_choices_are_as_ever(void **state)
{
    (void)state;
    static const char same[] =
        "# text = Birds sing.\n" WORD("1", "Birds") GLUE("2", "sing") WORD("3", ".") "\n";
    static const char bare[] = WORD("1", "Birds") WORD("2", "sing") "\n";
    static const char torn[] =
        "# text = Birds sing.\n" WORD("1", "Birds") WORD("2", "sang") WORD("3", "...") "\n";
    char path[] = "/tmp/dodona-choice-XXXXXX";
    close(mkstemp(path));
    write_dev(path, same, strlen(same));
    expect_fact("only=tokenizer scorer=neural", path,
                "linear; dev: tokens 100.00, sentences 100.00; "
                "neural: tokens 100.00, sentences 100.00",
                true);
    expect_fact("only=tokenizer scorer=neural", NULL, "neural, 1 x 64", false);
    expect_fact("only=tokenizer scorer=neural tokenizer=neural", path, "neural, 1 x 64", false);
    expect_fact("only=tokenizer scorer=neural tokenizer=linear", path, "", false);
    expect_fact("only=tokenizer", path, "", false);
    write_dev(path, bare, strlen(bare));
    expect_fact("only=tokenizer scorer=neural", path, "neural, 1 x 64", false);
    write_dev(path, torn, strlen(torn));
    expect_fact("only=tokenizer scorer=neural", path, "neural, 1 x 64", false);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_learnt_comes_back),
        cmocka_unit_test(threads_learn_the_same_bytes),
        cmocka_unit_test(all_kernels_decide_alike),
        cmocka_unit_test(the_same_text_is_cut_alike_again),
        cmocka_unit_test(nothing_depends_on_how_text_arrives),
        cmocka_unit_test(windows_decide_about_each_unit_once),
        cmocka_unit_test(training_stops_when_told),
        cmocka_unit_test(training_says_how_much_is_done),
        cmocka_unit_test(damaged_sections_are_refused),
        cmocka_unit_test(dev_chooses_the_kind),
        cmocka_unit_test(other_choices_are_as_ever),
    };
    return cmocka_run_group_tests_name("segment network", tests, NULL, NULL);
}
