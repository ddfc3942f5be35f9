/* Plain text and tokenizers:
 *
 *     input: 't' or 'l', a text, cut by a trained tokenizer, whole or line by line
 *        or: 'v', a vertical text
 *        or: 'j', documents in JSON lines
 *        or: 'e', a letter, and a text in the encoding that it stands for
 *        or: 's', header and rules of a tokenizer's section; the tables between them are those of a
 *            trained one, and the size of the rules is put right
 *
 * Whatever the lines, each that is not empty is a document or comes back as it was, and what is
 * written of documents is JSON. Whatever the bytes, they are decoded or refused.
 * Whatever the text, all its visible characters come back in tokens of bounded size, but for marks
 * of quoted mail; whatever the section, it is refused or cuts a text without harm. */
#include "fuzz.h"

#include "model/model.h"
#include "segment/plain.h"
#include "segment/segment_network.h"
#include "text/encoding.h"
#include "text/sentence.h"

#include <dodona_tools.h>
#include <stdlib.h>
#include <string.h>

static void require(bool holds)
{
    if (!holds) abort();
}

#define WORD(id, form) id "\t" form "\t_\t_\t_\t_\t_\t_\t_\t_\n"
#define GLUE(id, form) id "\t" form "\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"

/* clang-format off */
static const char treebank[] =
    WORD("1", "Dr.") WORD("2-3", "can't") WORD("2", "ca") WORD("3", "n't") GLUE("4", "come")
    WORD("5", ".") "\n# newpar\n"
    WORD("1-2", "Don't") WORD("1", "Do") WORD("2", "n't") GLUE("3", "wait") WORD("4", "!") "\n"
    GLUE("1", "(") GLUE("2", "\xE4\xBD\xA0\xE5\xA5\xBD") GLUE("3", "\xE4\xB8\x96")
    WORD("4", ")") "\n";
/* clang-format on */

/* ---- a model ---- */

/* The three sections of a neural one. */
static void learn(dd_draft *sections)
{
    enum { SENTENCES = 3 };
    dd_sentence *sentences[SENTENCES];
    dd_reader *reader;
    dd_text text = {treebank, sizeof treebank - 1};
    require(dd_reader_open_memory(&reader, "treebank", text, DD_FORMAT_CONLLU, NULL) == DD_OK);
    for (int i = 0; i < SENTENCES; i++) {
        require(dd_sentence_new(&sentences[i], NULL) == DD_OK);
        require(dd_reader_next(reader, sentences[i], NULL) == DD_OK);
    }
    dd_reader_close(reader);
    dd_segmenter_options options;
    dd_segmenter_options_init(&options);
    options.token_bits = options.sentence_bits = 7;
    dd_train_options defaults;
    dd_train_options_init(&defaults);
    options.how = &defaults.network;
    require(dd_neural_segmenter.train(sections, sentences, SENTENCES, &options, NULL) == DD_OK);
    for (int i = 0; i < SENTENCES; i++) dd_sentence_free(sentences[i]);
}

/* A view of a trained section. */
static dd_text trained_section(const char *name)
{
    static dd_draft draft; /* kept to the end of the program */
    dd_sections sections = {0};
    dd_text section = {NULL, 0};
    if (draft.count == 0) learn(&draft);
    dd_draft_list(&draft, &sections);
    require(dd_sections_find(&sections, name, &section));
    return section;
}

/* The last two may be NULL. NULL: a section was refused. */
static dd_model *make_model(dd_text section, const dd_text *network, const dd_text *symbols)
{
    static const char facts[] = "components\ttokenizer\n";
    dd_sections sections = {0};
    char *image;
    size_t size;
    dd_model *model = NULL;
    dd_error error;
    dd_sections_add(&sections, "facts", (dd_text){facts, sizeof facts - 1});
    dd_sections_add(&sections, "tokenizer", section);
    if (network) dd_sections_add(&sections, DD_SEGMENT_NETWORK, *network);
    if (symbols) dd_sections_add(&sections, DD_SEGMENT_SYMBOLS, *symbols);
    require(dd_model_assemble(&image, &size, &sections, NULL) == DD_OK);
    dd_status status = dd_model_from_image(&model, "fuzz", image, size, DD_IMAGE_ALLOCATED, &error);
    require(status == DD_OK || (status == DD_ERROR_MODEL && !model));
    return model;
}

static const dd_model *trained(bool neural)
{
    static dd_model *models[2]; /* kept to the end of the program */
    dd_text network = trained_section(DD_SEGMENT_NETWORK);
    dd_text symbols = trained_section(DD_SEGMENT_SYMBOLS);
    if (!models[neural])
        models[neural] = make_model(trained_section("tokenizer"), neural ? &network : NULL,
                                    neural ? &symbols : NULL);
    return models[neural];
}

/* Where the rules of the trained section start. */
static size_t rules_start(void)
{
    dd_segmenter_header header;
    memcpy(&header, trained_section("tokenizer").data, sizeof header);
    return trained_section("tokenizer").size - header.rules;
}

static dd_model *load_section(dd_text input)
{
    dd_segmenter_header header;
    dd_buffer section = {0};
    if (input.size < sizeof header) return NULL;
    memcpy(&header, input.data, sizeof header);
    header.rules = (uint32_t)(input.size - sizeof header);
    require(dd_buffer_append(&section, &header, sizeof header));
    require(dd_buffer_append(&section, trained_section("tokenizer").data + sizeof header,
                             rules_start() - sizeof header));
    require(dd_buffer_append(&section, input.data + sizeof header, header.rules));
    dd_model *model = make_model((dd_text){section.data, section.size}, NULL, NULL);
    dd_buffer_free(&section);
    return model;
}

/* The header of the network and the symbols; the arrays behind the header are the trained ones. */
static dd_model *load_network(dd_text input)
{
    dd_text trained_network = trained_section(DD_SEGMENT_NETWORK);
    size_t header = sizeof(dd_frozen_header);
    dd_buffer made = {0};
    if (input.size < header) return NULL;
    require(dd_buffer_append(&made, input.data, header));
    require(dd_buffer_append(&made, trained_network.data + header, trained_network.size - header));
    dd_text network = {made.data, made.size}, symbols = dd_text_skip(input, header);
    dd_model *model = make_model(trained_section("tokenizer"), &network, &symbols);
    dd_buffer_free(&made);
    return model;
}

/* ---- reading ---- */

/* Of a file, a byte order mark is left out. `>` is not counted, because it may be a mark of quoted
 * mail. */
static size_t visible_characters(dd_text bytes, bool is_file)
{
    size_t count = 0;
    for (size_t at = 0; at < bytes.size;) {
        uint32_t code;
        bool broken;
        bool first = is_file && at == 0;
        at += dd_char_decode(bytes.data + at, bytes.size - at, &code, &broken);
        if (code != '>' && !(first && code == 0xFEFF))
            count += dd_char_classify(code) != DD_CHAR_SPACE;
    }
    return count;
}

static bool is_packed(dd_text bytes)
{
    bool gzip = bytes.size >= 2 && memcmp(bytes.data, "\x1F\x8B", 2) == 0;
    bool zstd = bytes.size >= 4 && memcmp(bytes.data, "\x28\xB5\x2F\xFD", 4) == 0;
    return gzip || zstd || dd_is_utf16(bytes) ||
           (bytes.size >= 4 && memcmp(bytes.data + 1, "\x2A\x4D\x18", 3) == 0);
}

/* Each token's text, once: ranges count, their words do not. */
static void read_all(const dd_model *model, dd_text bytes, const dd_input_options *options,
                     bool whole)
{
    dd_reader *reader;
    dd_sentence *sentence;
    size_t seen = 0;
    dd_status status;
    require(dd_reader_open_input(
                &reader, model, &(dd_input){.name = "fuzz", .kind = DD_INPUT_BYTES, .bytes = bytes},
                options, NULL) == DD_OK);
    require(dd_sentence_new(&sentence, NULL) == DD_OK);
    while ((status = dd_reader_next(reader, sentence, NULL)) == DD_OK) {
        require(sentence->n > 0);
        static const char mark[] = "# text = ";
        const char *text = sentence->origin.raw.data;
        while (memcmp(text, mark, sizeof mark - 1) != 0) text = strchr(text, '\n') + 1;
        text += sizeof mark - 1;
        seen += visible_characters((dd_text){text, (size_t)(strchr(text, '\n') - text)}, false);
    }
    if (!is_packed(bytes)) {
        require(status == DD_END);
        require(!whole || seen == visible_characters(bytes, true));
    }
    dd_sentence_free(sentence);
    dd_reader_close(reader);
}

static dd_reader *open_input(dd_text bytes, const dd_input_options *options)
{
    dd_reader *reader = NULL;
    require(
        dd_reader_open_input(&reader, trained(false),
                             &(dd_input){.name = "fuzz", .kind = DD_INPUT_BYTES, .bytes = bytes},
                             options, NULL) == DD_OK);
    return reader;
}

static size_t count_lines(dd_text text)
{
    size_t count = 0;
    if (text.size >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0) text = dd_text_skip(text, 3);
    while (text.size > 0) {
        dd_text line = dd_text_cut(&text, '\n');
        bool white = true;
        for (size_t i = 0; i < line.size; i++)
            white = white && line.data[i] && strchr(" \t\r", line.data[i]);
        count += !white;
    }
    return count;
}

/* The sentence as a document of its own is a line of JSON, and its CoNLL-U can be read. */
static void check_document(const dd_sentence *sentence)
{
    dd_buffer out = {0};
    dd_value object;
    require(dd_sentence_format(sentence, DD_FORMAT_JSONL, &out, NULL) == DD_OK);
    require(out.size > 0 && memchr(out.data, '\n', out.size) == out.data + out.size - 1);
    require(dd_value_read(&object, (dd_text){out.data, out.size}, SIZE_MAX, NULL) == DD_OK);
    dd_value_free(&object);
    out.size = 0;
    require(dd_sentence_format(sentence, DD_FORMAT_AUTO, &out, NULL) == DD_OK);
    dd_reader *again;
    dd_sentence *copy;
    require(dd_reader_open_memory(&again, "again", (dd_text){out.data, out.size}, DD_FORMAT_CONLLU,
                                  NULL) == DD_OK);
    require(dd_sentence_new(&copy, NULL) == DD_OK);
    require(dd_reader_next(again, copy, NULL) == DD_OK && copy->n == sentence->n);
    dd_sentence_free(copy);
    dd_reader_close(again);
    dd_buffer_free(&out);
}

static void read_documents(dd_text bytes)
{
    dd_input_options options = {.size = sizeof options, .format = DD_FORMAT_JSONL};
    dd_reader *reader = open_input(bytes, &options);
    dd_sentence *sentence;
    size_t lines = 0;
    dd_status status;
    require(dd_sentence_new(&sentence, NULL) == DD_OK);
    while ((status = dd_reader_next(reader, sentence, NULL)) == DD_OK ||
           status == DD_ERROR_FORMAT) {
        lines += status == DD_ERROR_FORMAT || sentence->document.begins;
        if (status == DD_OK) check_document(sentence);
    }
    if (!is_packed(bytes)) require(status == DD_END && lines == count_lines(bytes));
    dd_sentence_free(sentence);
    dd_reader_close(reader);
}

static void read_encoded(dd_text bytes)
{
    static const char *const names[] = {"latin1", "UTF-16", "GB18030", "ISO-2022-JP", "CP1252"};
    if (bytes.size == 0) return;
    dd_input_options options = {
        .size = sizeof options,
        .format = DD_FORMAT_TEXT,
        .encoding = names[(unsigned char)bytes.data[0] % 5],
    };
    dd_reader *reader = open_input(dd_text_skip(bytes, 1), &options);
    dd_sentence *sentence;
    dd_status status;
    require(dd_sentence_new(&sentence, NULL) == DD_OK);
    while ((status = dd_reader_next(reader, sentence, NULL)) == DD_OK) require(sentence->n > 0);
    require(status == DD_END || status == DD_ERROR_DATA || status == DD_ERROR_IO);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char sample[] =
        "Dr. can't come. Don't wait!\n\n(\xE4\xBD\xA0\xE5\xA5\xBD) A's n't";
    if (size == 0) return 0;
    dd_text bytes = {(const char *)data + 1, size - 1};
    dd_input_options options = {.size = sizeof options, .format = DD_FORMAT_TEXT, .ranges = true};
    if (data[0] == 's' || data[0] == 'y') {
        dd_model *model = data[0] == 's' ? load_section(bytes) : load_network(bytes);
        if (model) read_all(model, (dd_text){sample, sizeof sample - 1}, &options, true);
        dd_model_free(model);
        return 0;
    }
    if (data[0] == 'j') read_documents(bytes);
    if (data[0] == 'e') read_encoded(bytes);
    if (data[0] == 'j' || data[0] == 'e') return 0;
    options.given = (dd_given)((unsigned char)data[0] % 5);
    options.paragraphs = (dd_paragraphs)((unsigned char)data[0] / 5 % 3);
    if (data[0] == 'v') options.format = DD_FORMAT_VERTICAL;
    read_all(trained(data[0] == 'n'), bytes, &options, data[0] != 'v');
    return 0;
}

static const char text[] = "tDr. can't \"come\". Don't (wait)!\r\n\r\n\xE4\xBD\xA0\xE5\xA5\xBD "
                           "\xF0\x9F\x98\x80 e-mail: a@b.c http://x.y/z?1=2\n\n1. It's 3.5%\t...\n";
static const char lines[] = "kDr. can't come.\n\n  Don't wait!\r\n(\xC2\xA0)\n";
/* A byte order mark beyond the start of the file is a character as others are. */
static const char marks[] = "t\xEF\xBB\xBF\xEF\xBB\xBFOne\n\n\xEF\xBB\xBFTwo \xEF\xBB\xBF\n";
/* Everything is left open here: wrapped lines, items, quotes, and what stays whole. */
static const char web[] = "ZThe king wrote to the queen of all the oaks that there are, and to\n"
                          "her birds: https://a.org/x1. He said\n- @a_1 #b2\n> c+d@e.org :-) <3\n"
                          "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9 1\xEF\xB8\x8F\xE2\x83\xA3"
                          "\n-- \nA: C:\\x /a/b w/ she'd've\n";
static const char neural[] =
    "nDr. can't \"come\". (\xE4\xBD\xA0\xE5\xA5\xBD) Don't wait!\n\n1. It's\n";
static const char vertical[] = "vDr.\ncan't\tx\ty\nNew York\n\n\n(\n)\n";

static const char documents[] =
    "j{\"id\":\"a b\",\"text\":\"Dr. can't come. Don't\\n\\nwait "
    "\\ud83c\\udf33\",\"n\":[1.10,{}]}\r\n"
    "\n {\"text\":\"\"}\n{\"id\":7,\"x\":{\"y\":null},\"text\":\"(a)\",\"a\\tb\":\"c\\nd\"}\n{";
static const char encoded[] = "e\x03"
                              "A \x1B$B$\"\x1B(B.\xF6\x81 b";

static void make_network_seed(dd_buffer *seed)
{
    dd_text symbols = trained_section(DD_SEGMENT_SYMBOLS);
    require(dd_buffer_text(seed, "y"));
    require(
        dd_buffer_append(seed, trained_section(DD_SEGMENT_NETWORK).data, sizeof(dd_frozen_header)));
    require(dd_buffer_append(seed, symbols.data, symbols.size));
}

fuzz_seed fuzz_seed_at(size_t index)
{
    enum { TEXTS = 8 };
    static dd_buffer section, network; /* kept to the end of the program */
    static const fuzz_seed seeds[] = {{text, sizeof text - 1},
                                      {lines, sizeof lines - 1},
                                      {marks, sizeof marks - 1},
                                      {vertical, sizeof vertical - 1},
                                      {web, sizeof web - 1},
                                      {neural, sizeof neural - 1},
                                      {documents, sizeof documents - 1},
                                      {encoded, sizeof encoded - 1}};
    if (index < TEXTS) return seeds[index];
    if (index > TEXTS + 1) return (fuzz_seed){NULL, 0};
    if (index > TEXTS) {
        if (!network.data) make_network_seed(&network);
        return (fuzz_seed){network.data, network.size};
    }
    if (!section.data) {
        dd_text whole = trained_section("tokenizer");
        require(dd_buffer_text(&section, "s"));
        require(dd_buffer_append(&section, whole.data, sizeof(dd_segmenter_header)));
        require(dd_buffer_append(&section, whole.data + rules_start(), whole.size - rules_start()));
    }
    return (fuzz_seed){section.data, section.size};
}
