/* segment_help.h - a small treebank, and a model with a tokenizer learnt from it */
#ifndef DODONA_TESTS_SEGMENT_HELP_H
#define DODONA_TESTS_SEGMENT_HELP_H

#include "text_help.h"

#include "model/model.h"

#define BLANKS         "\t_\t_\t_\t_\t_\t_\t_\t_\n"
#define GLUED          "\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
#define WORD(id, form) id "\t" form BLANKS
#define GLUE(id, form) id "\t" form GLUED

/* Abbreviations, multiword tokens, a dash inside words, and a paragraph. */
/* clang-format off */
static const char small_treebank[] =
    "# text = Dr. Smith can't come.\n"
    WORD("1", "Dr.") WORD("2", "Smith") WORD("3-4", "can't") WORD("3", "ca") WORD("4", "n't")
    GLUE("5", "come") WORD("6", ".") "\n"
    "# text = Don't wait, Mr. Jones!\n"
    WORD("1-2", "Don't") WORD("1", "Do") WORD("2", "n't") GLUE("3", "wait") WORD("4", ",")
    WORD("5", "Mr.") GLUE("6", "Jones") WORD("7", "!") "\n"
    "# newpar\n# text = He won't say (or write) it: e-mail is slow.\n"
    WORD("1", "He") WORD("2-3", "won't") WORD("2", "wo") WORD("3", "n't") WORD("4", "say")
    GLUE("5", "(") WORD("6", "or") GLUE("7", "write") WORD("8", ")") GLUE("9", "it")
    WORD("10", ":") WORD("11", "e-mail") WORD("12", "is") GLUE("13", "slow") WORD("14", ".") "\n"
    "# text = I am here.\n"
    WORD("1", "I") WORD("2", "am") GLUE("3", "here") WORD("4", ".") "\n";
/* clang-format on */

static inline dd_model *model_of_section(dd_text section)
{
    static const char facts[] = "components\ttokenizer\n";
    char *image;
    size_t size;
    dd_model *model;
    dd_sections sections = {0};
    dd_sections_add(&sections, "facts", (dd_text){facts, sizeof facts - 1});
    dd_sections_add(&sections, "tokenizer", section);
    assert_int_equal(dd_model_assemble(&image, &size, &sections, NULL), DD_OK);
    assert_int_equal(dd_model_from_image(&model, "m", image, size, DD_IMAGE_ALLOCATED, NULL),
                     DD_OK);
    return model;
}

/* What dd_segmenter_train makes of a treebank; its status, and a section to be freed. */
static inline dd_status learn_with(const dd_segmenter_options *options, const char *treebank,
                                   dd_buffer *section, dd_error *error)
{
    enum { MOST = 64 };
    dd_sentence *sentences[MOST];
    size_t count = 0;
    dd_reader *reader;
    assert_int_equal(dd_reader_open_memory(&reader, "t", text_of(treebank), DD_FORMAT_CONLLU, NULL),
                     DD_OK);
    do {
        assert_true(count < MOST);
        assert_int_equal(dd_sentence_new(&sentences[count], NULL), DD_OK);
    } while (dd_reader_next(reader, sentences[count++], NULL) == DD_OK);
    dd_status status = dd_segmenter_train(section, sentences, count - 1, options, error);
    while (count > 0) dd_sentence_free(sentences[--count]);
    dd_reader_close(reader);
    return status;
}

static inline dd_status learn_section(const char *treebank, int bits, dd_buffer *section,
                                      dd_error *error)
{
    dd_segmenter_options options;
    dd_segmenter_options_init(&options);
    options.iterations = 20;
    options.token_bits = options.sentence_bits = bits;
    return learn_with(&options, treebank, section, error);
}

static inline dd_model *learn_model(const char *treebank)
{
    dd_buffer section = {0};
    assert_int_equal(learn_section(treebank, 12, &section, NULL), DD_OK);
    dd_model *model = model_of_section((dd_text){section.data, section.size});
    dd_buffer_free(&section);
    return model;
}

static inline copy copy_input(const dd_model *model, dd_text bytes, const dd_input_options *options)
{
    dd_reader *reader;
    assert_int_equal(
        dd_reader_open_input(&reader, model,
                             &(dd_input){.name = "t", .kind = DD_INPUT_BYTES, .bytes = bytes},
                             options, NULL),
        DD_OK);
    return copy_reader(reader);
}

#endif
