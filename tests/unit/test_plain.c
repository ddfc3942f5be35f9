/* Plain text, whatever its bytes: every character comes back, in bounded pieces. */
#include "segment_help.h"

#include "core/random.h"

#include <unistd.h>

static int set_up(void **state)
{
    *state = learn_model(small_treebank);
    return 0;
}

static int tear_down(void **state)
{
    dd_model_free(*state);
    return 0;
}

static void expect(const dd_model *model, const char *text, dd_input_options options,
                   const char *expected)
{
    options.size = sizeof options;
    copy all = copy_input(model, text_of(text), &options);
    assert_int_equal(all.last, DD_END);
    assert_int_equal(all.bad, 0);
    assert_true(dd_buffer_append(&all.output, "", 1));
    assert_string_equal(all.output.data, expected);
    dd_buffer_free(&all.output);
}

static void ranges_count_characters(void **state)
{
    expect(*state, "\xEF\xBB\xBF  \xC3\xA9t\xC3\xA9\r\n\t can't!\n",
           (dd_input_options){.format = DD_FORMAT_TEXT, .ranges = true},
           "# newdoc\n# newpar\n# sent_id = 1\n# text = \xC3\xA9t\xC3\xA9 can't!\n"
           "1\t\xC3\xA9t\xC3\xA9\t_\t_\t_\t_\t_\t_\t_\tTokenRange=3:6\n"
           "2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No|TokenRange=10:15\n"
           "2\tca\t_\t_\t_\t_\t_\t_\t_\tTokenRange=10:12\n"
           "3\tn't\t_\t_\t_\t_\t_\t_\t_\tTokenRange=12:15\n"
           "4\t!\t_\t_\t_\t_\t_\t_\t_\tTokenRange=15:16\n\n");
}

static void documents_and_sentences_have_the_ids_asked_for(void **state)
{
    dd_input_options lines = {.format = DD_FORMAT_TEXT,
                              .given = DD_GIVEN_SENTENCES,
                              .document = "a b.txt",
                              .prefix = "ab"};
    expect(*state, "I\nam\n", lines,
           "# newdoc id = a b.txt\n# sent_id = ab-1\n# text = I\n" WORD(
               "1", "I") "\n# sent_id = ab-2\n# text = am\n" WORD("1", "am") "\n");
    lines.document = NULL;
    expect(*state, "I\n", lines, "# newdoc\n# sent_id = ab-1\n# text = I\n" WORD("1", "I") "\n");
    static const char *const wrong[] = {"", "a\nb", "\xFF"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dd_reader *reader = NULL;
        dd_error error;
        dd_input_options options = {.size = sizeof options, .document = wrong[i]};
        assert_int_equal(
            dd_reader_open_input(
                &reader, *state,
                &(dd_input){.name = "t", .kind = DD_INPUT_BYTES, .bytes = text_of("a")}, &options,
                &error),
            DD_ERROR_ARGUMENT);
        assert_string_equal(error.message, "a document's id is empty or has control characters");
        options = (dd_input_options){.size = sizeof options, .prefix = wrong[i]};
        assert_int_equal(
            dd_reader_open_input(
                &reader, *state,
                &(dd_input){.name = "t", .kind = DD_INPUT_BYTES, .bytes = text_of("a")}, &options,
                NULL),
            DD_ERROR_ARGUMENT);
        assert_null(reader);
    }
}

static void one_sentence_a_line(void **state)
{
    dd_input_options lines = {.format = DD_FORMAT_TEXT, .given = DD_GIVEN_SENTENCES};
    expect(*state, "\n I am \r\n\r\nhere. I am\n", lines,
           "# newdoc\n# sent_id = 1\n# text = I am\n" WORD("1", "I")
               WORD("2", "am") "\n"
                               "# sent_id = 2\n# text = here. I am\n" GLUE("1", "here")
                                   WORD("2", ".") WORD("3", "I") WORD("4", "am") "\n");
}

static void tokens_or_words_are_given(void **state)
{
    static const char comments[] =
        "# newdoc\n# sent_id = 1\n# text = I can't. https://a.org, come\n";
    dd_buffer expected = {0};
    dd_input_options tokens = {.format = DD_FORMAT_TEXT, .given = DD_GIVEN_TOKENS};
    assert_true(dd_buffer_printf(&expected, "%s%s", comments,
                                 WORD("1", "I") WORD("2", "can't.") WORD("3", "https://a.org,")
                                     WORD("4", "come") "\n"));
    expect(*state, "I  can't. https://a.org,\tcome\n", tokens, expected.data);
    tokens.given = DD_GIVEN_WORDS;
    expect(NULL, "I  can't. https://a.org,\tcome\n", tokens, expected.data); /* without a model */
    dd_buffer_free(&expected);
    tokens.given = DD_GIVEN_TOKENS;
    expect(*state, "He can't\nI\n", tokens,
           "# newdoc\n# sent_id = 1\n# text = He can't\n" WORD("1", "He") WORD("2-3", "can't")
               WORD("2", "ca")
                   WORD("3", "n't") "\n# sent_id = 2\n# text = I\n" WORD("1", "I") "\n");
    tokens.format = DD_FORMAT_VERTICAL;
    expect(*state, "He\ncan't\n", tokens,
           "# newdoc\n# sent_id = 1\n# text = He can't\n" WORD("1", "He") WORD("2-3", "can't")
               WORD("2", "ca") WORD("3", "n't") "\n");
}

static void one_token_a_line(void **state)
{
    (void)state; /* no model is needed */
    expect(NULL, "\n\nNew  York\tx\tNNP\n can't \n\n\n.\n",
           (dd_input_options){.format = DD_FORMAT_VERTICAL},
           "# newdoc\n# sent_id = 1\n# text = New York can't\n" WORD("1", "New York")
               WORD("2", "can't") "\n# sent_id = 2\n# text = .\n" WORD("1", ".") "\n");
}

/* How many characters the tokens have together, none more than it may. */
static size_t count_characters(const dd_buffer *output)
{
    size_t total = 0;
    const char *end = output->data + output->size;
    for (const char *at = output->data; at < end;
         at = (char *)memchr(at, '\n', (size_t)(end - at)) + 1) {
        if (*at == '#' || *at == '\n') continue;
        const char *form = strchr(at, '\t') + 1;
        size_t size = strcspn(form, "\t");
        assert_in_range(size, 1, 1000);
        total += size;
    }
    return total;
}

static void long_lines_are_cut_and_nothing_is_lost(void **state)
{
    (void)state;
    static const size_t sizes[] = {999, 1000, 1001, 2000, 2001, 5003, (3 << 20) + 5};
    dd_input_options vertical;
    dd_input_options_init(&vertical);
    vertical.format = DD_FORMAT_VERTICAL;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *text = malloc(sizes[i] + 8);
        assert_non_null(text);
        memset(text, 'a', sizes[i]);
        strcpy(text + sizes[i], "\tX\nbc\n");
        copy all = copy_input(NULL, text_of(text), &vertical);
        assert_int_equal(all.last, DD_END);
        assert_int_equal(count_characters(&all.output), sizes[i] + 2);
        dd_buffer_free(&all.output);
        free(text);
    }
}

static void nothing_gives_nothing(void **state)
{
    static const char *const texts[] = {
        "", " ", "\n", "\r\n \t\n\n", "\xEF\xBB\xBF", "\xC2\xA0\xE2\x80\xA9"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int lines = 0; lines < 2; lines++)
            expect(*state, texts[i],
                   (dd_input_options){.format = DD_FORMAT_TEXT,
                                      .given = lines ? DD_GIVEN_SENTENCES : DD_GIVEN_AUTO},
                   "");
    expect(NULL, " \n\t\n", (dd_input_options){.format = DD_FORMAT_VERTICAL}, "");
}

static void paragraphs_part_sentences(void **state)
{
    expect(
        *state, "I\n \t\nam\xE2\x80\xA9here\r\rit\x0B\x0Cis\n",
        (dd_input_options){.format = DD_FORMAT_TEXT},
        "# newdoc\n# newpar\n# sent_id = 1\n# text = I\n" WORD(
            "1", "I") "\n"
                      "# newpar\n# sent_id = 2\n# text = am\n" WORD(
                          "1", "am") "\n"
                                     "# newpar\n# sent_id = 3\n# text = here\n" WORD(
                                         "1",
                                         "here") "\n"
                                                 "# newpar\n# sent_id = 4\n# text = it is\n" WORD(
                                                     "1", "it") WORD("2", "is") "\n");
}

/* ---- kinds of input ---- */

static dd_format kind_of(const dd_model *model, const char *name, const char *text)
{
    dd_reader *reader;
    dd_input_options options;
    dd_input_options_init(&options);
    assert_int_equal(dd_reader_open_input(
                         &reader, model,
                         &(dd_input){.name = name, .kind = DD_INPUT_BYTES, .bytes = text_of(text)},
                         &options, NULL),
                     DD_OK);
    dd_format kind = dd_reader_format(reader);
    if (kind == DD_FORMAT_CONLLX) kind = DD_FORMAT_CONLLU;
    dd_reader_close(reader);
    return kind;
}

static void the_kind_of_input_is_guessed(void **state)
{
    const dd_model *model = *state;
    static const char conllu[] = WORD("1", "a") "\n", text[] = "1 a\n";
    assert_int_equal(kind_of(model, "a.conllu", text), DD_FORMAT_CONLLU);
    assert_int_equal(kind_of(model, "a.conll.gz", text), DD_FORMAT_CONLLU);
    assert_int_equal(kind_of(model, "a.txt", conllu), DD_FORMAT_TEXT);
    assert_int_equal(kind_of(model, "a.txt.zst", conllu), DD_FORMAT_TEXT);
    assert_int_equal(kind_of(model, NULL, conllu), DD_FORMAT_CONLLU);
    assert_int_equal(kind_of(model, NULL, WORD("1-2", "a")), DD_FORMAT_CONLLU);
    assert_int_equal(kind_of(model, NULL, WORD("0.1", "a")), DD_FORMAT_CONLLU);
    assert_int_equal(kind_of(model, "a", text), DD_FORMAT_TEXT);
    assert_int_equal(kind_of(model, "a", ""), DD_FORMAT_TEXT);
    assert_int_equal(kind_of(model, "a", "# Title\nText"), DD_FORMAT_TEXT);
    assert_int_equal(kind_of(model, "a", "\xEF\xBB\xBF# text = a\n1\ta"), DD_FORMAT_CONLLU);
    assert_int_equal(kind_of(model, "a", "# only\n# comments"), DD_FORMAT_CONLLU);
}

/* What has columns is CoNLL, or is meant to be. */
static void without_a_tokenizer_text_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"1 a\n", "a", "# a\n\r\n\nText\n1\ta\n"};
    static const char *const others[] = {"", "\n\r\n", "# a\n", "a\tb\n", WORD("x", "a"), "\ta"};
    dd_input_options options;
    dd_error error;
    dd_reader *reader;
    dd_input_options_init(&options);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(
            dd_reader_open_input(
                &reader, NULL,
                &(dd_input){.name = "a", .kind = DD_INPUT_BYTES, .bytes = text_of(texts[i])},
                &options, &error),
            DD_ERROR_DATA);
        assert_memory_equal(error.message, "a: this model has no tokenizer", 30);
        assert_int_equal(kind_of(NULL, "a.conllu", texts[i]), DD_FORMAT_CONLLU);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(kind_of(NULL, "a", others[i]), DD_FORMAT_CONLLU);
}

static dd_status open_as(const dd_model *model, dd_input_options options, const char *message)
{
    dd_reader *reader = NULL;
    dd_error error;
    options.size = sizeof options;
    dd_status status = dd_reader_open_input(
        &reader, model, &(dd_input){.name = "t", .kind = DD_INPUT_BYTES, .bytes = text_of("a")},
        &options, &error);
    assert_null(reader);
    assert_string_equal(error.message, message);
    return status;
}

static void options_that_contradict_are_refused(void **state)
{
    dd_input_options options = {.format = DD_FORMAT_VERTICAL, .given = DD_GIVEN_SENTENCES};
    assert_int_equal(
        open_as(*state, options, "t: text or sentences can be given only for plain text"),
        DD_ERROR_ARGUMENT);
    options = (dd_input_options){.format = (dd_format)9};
    assert_int_equal(open_as(*state, options, "this format cannot be read"), DD_ERROR_ARGUMENT);
    options = (dd_input_options){.format = DD_FORMAT_TEXT};
    assert_int_equal(open_as(NULL, options,
                             "t: this model has no tokenizer for plain text; give it CoNLL-U, or "
                             "train a model that has one ('only' with tokenizer)"),
                     DD_ERROR_DATA);
}

/* ---- hostile bytes ---- */

typedef struct broken_places {
    int count;
    char last[DD_MESSAGE_SIZE];
} broken_places;

static void note_broken(void *user, const dd_error *error)
{
    broken_places *places = user;
    places->count++;
    strcpy(places->last, error->message);
}

static void broken_bytes_are_told_and_replaced(void **state)
{
    broken_places places = {0};
    dd_input_options options = {.size = sizeof options,
                                .format = DD_FORMAT_TEXT,
                                .user = &places,
                                .broken = note_broken,
                                .paragraphs = DD_PARAGRAPHS_BLANK,
                                .ranges = true};
    dd_reader *reader;
    dd_sentence *sentence;
    dd_error first;
    static const char bytes[] = "I\n\xE2\x82 am\0!";
    assert_int_equal(
        dd_reader_open_input(
            &reader, *state,
            &(dd_input){.name = "t", .kind = DD_INPUT_BYTES, .bytes = (dd_text){bytes, 9}},
            &options, NULL),
        DD_OK);
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    assert_int_equal(dd_reader_broken(reader, &first), 0);
    assert_int_equal(dd_reader_next(reader, sentence, NULL), DD_OK);
    assert_int_equal(dd_reader_broken(reader, &first), 2);
    assert_string_equal(first.message, "t:2: invalid UTF-8 (incomplete character) at offset 2, "
                                       "replaced by U+FFFD");
    assert_int_equal(first.line, 2);
    assert_int_equal(places.count, 2);
    assert_string_equal(places.last, "t:2: NUL byte at offset 7, replaced by U+FFFD");
    dd_text form = dd_sentence_cell(sentence, 2, DD_FORM);
    assert_int_equal(form.size, 3);
    assert_memory_equal(form.data, "\xEF\xBF\xBD", 3);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
}

/* The characters that are no white space, as they must come back. */
static void visible(dd_buffer *out, dd_text bytes)
{
    for (size_t at = 0; at < bytes.size;) {
        uint32_t code;
        bool broken;
        size_t used = dd_char_decode(bytes.data + at, bytes.size - at, &code, &broken);
        bool mark = at == 0 && code == 0xFEFF;
        if (dd_char_classify(code) != DD_CHAR_SPACE && !mark)
            assert_true(dd_char_append(out, code));
        at += used;
    }
}

/* Reads a text and compares the tokens, one behind the other, with its characters. */
/* A sentence of plain text is put together without parsing its lines; a reader of these lines must
 * find the same words. */
static void assert_as_read(const dd_sentence *made)
{
    dd_reader *reader;
    dd_sentence *read;
    dd_text bytes = dd_sentence_raw(made);
    assert_int_equal(dd_reader_open_memory(&reader, "t", bytes, DD_FORMAT_CONLLU, NULL), DD_OK);
    assert_int_equal(dd_sentence_new(&read, NULL), DD_OK);
    assert_int_equal(dd_reader_next(reader, read, NULL), DD_OK);
    assert_int_equal(made->origin.raw.size, read->origin.raw.size); /* it is one sentence */
    assert_int_equal(made->n, read->n);
    assert_int_equal(made->origin.ranges, read->origin.ranges);
    assert_int_equal(made->origin.format, read->origin.format);
    assert_int_equal(made->origin.id_start, read->origin.id_start);
    assert_int_equal(made->origin.id_size, read->origin.id_size);
    size_t words = (size_t)read->n + 1;
    assert_memory_equal(made->origin.cells, read->origin.cells,
                        words * (DD_COLUMNS + 1) * sizeof *read->origin.cells);
    assert_memory_equal(made->origin.lines, read->origin.lines, words * sizeof *read->origin.lines);
    assert_memory_equal(made->gold, read->gold, words * sizeof *read->gold);
    assert_memory_equal(made->heads, read->heads, words * sizeof *read->heads);
    dd_sentence_free(read);
    dd_reader_close(reader);
}

static void sentences_are_as_if_read(void **state)
{
    static const dd_input_options ways[] = {
        {.size = sizeof *ways, .format = DD_FORMAT_TEXT, .ranges = true, .document = "d"},
        {.size = sizeof *ways, .format = DD_FORMAT_TEXT, .prefix = "  a b "},
        {.size = sizeof *ways, .format = DD_FORMAT_VERTICAL},
    };
    const char *text = "Dr. can't come. Don't wait!\n\n(\xC3\xA9) New York\n\n# 1\tx\n";
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        dd_reader *reader;
        dd_sentence *sentence;
        int count = 0;
        assert_int_equal(
            dd_reader_open_input(
                &reader, *state,
                &(dd_input){.name = "t", .kind = DD_INPUT_BYTES, .bytes = text_of(text)}, &ways[i],
                NULL),
            DD_OK);
        assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
        for (; dd_reader_next(reader, sentence, NULL) == DD_OK; count++) assert_as_read(sentence);
        assert_in_range(count, 3, 9);
        dd_sentence_free(sentence);
        dd_reader_close(reader);
    }
}

static void check_hostile(const dd_model *model, dd_text bytes, bool lines)
{
    dd_input_options options = {.size = sizeof options,
                                .format = DD_FORMAT_TEXT,
                                .given = lines ? DD_GIVEN_SENTENCES : DD_GIVEN_AUTO};
    dd_reader *reader;
    dd_sentence *sentence;
    dd_buffer wanted = {0};
    size_t at = 0;
    visible(&wanted, bytes);
    assert_int_equal(
        dd_reader_open_input(&reader, model,
                             &(dd_input){.name = "t", .kind = DD_INPUT_BYTES, .bytes = bytes},
                             &options, NULL),
        DD_OK);
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    while (dd_reader_next(reader, sentence, NULL) == DD_OK) {
        assert_in_range(sentence->n, 1, 1 << 16);
        assert_as_read(sentence);
        for (int word = 1; word <= sentence->n; word++) {
            dd_text form = dd_sentence_cell(sentence, word, DD_FORM);
            assert_true(form.size <= 4 * DD_MOST_TOKEN_CHARACTERS && form.size <= wanted.size - at);
            assert_memory_equal(wanted.data + at, form.data, form.size);
            at += form.size;
        }
    }
    assert_int_equal(at, wanted.size);
    dd_buffer_free(&wanted);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
}

enum { HOSTILE = 400 * 1000 };

static void fill_random(char *bytes, dd_random *random, int kind)
{
    static const char *const pieces[] = {"\xF0\x9F\x98", "a", ".",    " ", "\n",
                                         "\xE4\xBD\xA0", "A", "\xC3", "!", "'",
                                         "\"",           ")", "1",    "-"};
    for (size_t i = 0; i < HOSTILE;) {
        const char *piece = pieces[dd_random_below(random, sizeof pieces / sizeof *pieces)];
        size_t size = strlen(piece);
        switch (kind) {
        case 0: bytes[i++] = (char)dd_random_below(random, 256); break; /* anything */
        case 1: bytes[i++] = ' '; break;
        case 2: bytes[i++] = '\0'; break;
        case 3: bytes[i++] = 'a'; break;                  /* a word without end */
        case 4: bytes[i] = i % 2 ? ' ' : 'a', i++; break; /* a sentence without end */
        case 5: bytes[i++] = '.'; break;
        case 6: bytes[i] = i % 2 ? '\n' : 'a', i++; break;
        default: /* characters that mean something, some of them cut */
            for (size_t k = 0; k < size && i < HOSTILE; k++) bytes[i++] = piece[k];
        }
    }
}

static void whatever_comes_is_cut_into_pieces(void **state)
{
    char *bytes = malloc(HOSTILE);
    dd_random random = {3};
    for (int kind = 0; kind < 10; kind++) {
        fill_random(bytes, &random, kind);
        for (int lines = 0; lines < 2; lines++) {
            check_hostile(*state, (dd_text){bytes, HOSTILE}, lines);
            check_hostile(*state, (dd_text){bytes, HOSTILE - 1}, lines);
        }
    }
    free(bytes);
}

/* A file is read in chunks whose ends fall anywhere in a character; memory is one chunk. */
static void chunks_leave_no_trace(void **state)
{
    char path[] = "/tmp/dodona-plain-XXXXXX";
    char *bytes = malloc(HOSTILE);
    dd_random random = {5};
    fill_random(bytes, &random, 9);
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, HOSTILE), HOSTILE);
    close(file);
    dd_input_options options = {.size = sizeof options, .format = DD_FORMAT_TEXT, .ranges = true};
    dd_reader *reader;
    assert_int_equal(
        dd_reader_open_input(&reader, *state, &(dd_input){.name = path}, &options, NULL), DD_OK);
    copy from_file = copy_reader(reader);
    copy from_memory = copy_input(*state, (dd_text){bytes, HOSTILE}, &options);
    assert_int_equal(from_file.output.size, from_memory.output.size);
    assert_memory_equal(from_file.output.data, from_memory.output.data, from_file.output.size);
    dd_buffer_free(&from_file.output);
    dd_buffer_free(&from_memory.output);
    unlink(path);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_count_characters),
        cmocka_unit_test(documents_and_sentences_have_the_ids_asked_for),
        cmocka_unit_test(one_sentence_a_line),
        cmocka_unit_test(tokens_or_words_are_given),
        cmocka_unit_test(one_token_a_line),
        cmocka_unit_test(long_lines_are_cut_and_nothing_is_lost),
        cmocka_unit_test(nothing_gives_nothing),
        cmocka_unit_test(paragraphs_part_sentences),
        cmocka_unit_test(the_kind_of_input_is_guessed),
        cmocka_unit_test(without_a_tokenizer_text_is_refused),
        cmocka_unit_test(options_that_contradict_are_refused),
        cmocka_unit_test(broken_bytes_are_told_and_replaced),
        cmocka_unit_test(sentences_are_as_if_read),
        cmocka_unit_test(whatever_comes_is_cut_into_pieces),
        cmocka_unit_test(chunks_leave_no_trace),
    };
    return cmocka_run_group_tests_name("plain", tests, set_up, tear_down);
}
