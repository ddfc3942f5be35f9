/* Sentences as JSON: whatever was read, each is lines of valid JSON and UTF-8, one to every reader
 * of lines. */
#include "fuzz.h"

#include "../json_help.h"
#include "core/strings.h"
#include "text/sentence.h"
#include "text/utf8.h"

static void require(bool holds)
{
    if (!holds) abort();
}

/* What some programs take for the end of a line, other than the one that is. */
static bool has_other_line_ends(dd_text text)
{
    static const char *const ends[] = {"\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};
    for (size_t at = 0; at < text.size; at++)
        for (int i = 0; i < 3; i++) {
            size_t size = strlen(ends[i]);
            if (text.size - at >= size && memcmp(text.data + at, ends[i], size) == 0) return true;
        }
    return false;
}

static void check(const dd_sentence *sentence, int lines)
{
    dd_buffer out = {0};
    require(dd_sentence_format(sentence, DD_FORMAT_JSON, &out, NULL) == DD_OK);
    dd_text text = {out.data, out.size};
    require(json_lines(text) == lines);
    require(dd_utf8_check(text) == text.size);
    require(!has_other_line_ends(text));
    dd_buffer_free(&out);
}

/* With a tree, scores and a list of two trees. */
static void change(dd_sentence *sentence)
{
    dd_buffer space = {0};
    for (int word = 1; word <= sentence->n; word++) {
        require(dd_sentence_attach(sentence, word, word - 1, (dd_text){"a\"b\\", 4}, NULL) ==
                DD_OK);
        dd_sentence_set_score(sentence, word, (dd_word_score){1 / (float)(word - 1), 0.5F});
    }
    check(sentence, 1);
    for (int rank = 1; rank <= 2; rank++)
        require(dd_sentence_list_tree(sentence, &space, rank, -1e30 * rank, NULL) == DD_OK);
    check(sentence, 2);
    dd_buffer_free(&space);
}

static void read_all(dd_text bytes, dd_format format)
{
    dd_reader *reader;
    dd_sentence *sentence;
    require(dd_reader_open_memory(&reader, "fuzz", bytes, format, NULL) == DD_OK);
    require(dd_sentence_new(&sentence, NULL) == DD_OK);
    for (;;) {
        dd_status status = dd_reader_next(reader, sentence, NULL);
        if (status != DD_OK && status != DD_ERROR_FORMAT) break;
        check(sentence, 1);
        if (status == DD_OK) change(sentence);
    }
    dd_sentence_free(sentence);
    dd_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_all((dd_text){(const char *)data, size}, DD_FORMAT_CONLLU);
    read_all((dd_text){(const char *)data, size}, DD_FORMAT_CONLLX);
    return 0;
}

static const char conllu[] = "# sent_id = \"a\\\n# nbest = 1\n# score = -1.5e3\n"
                             "# text = \xC3\xA9t\xC3\xA9\xC2\x85 don't \xE2\x80\xA8.\n"
                             "0.1\tx\t_\tV\t_\t_\t_\t_\t0:root\t_\n"
                             "1\t\xC3\xA9t\xC3\xA9\tx y\tN\tN\tA=b|C=d\t2\tnsubj\t2:n\tScore=1\n"
                             "2-3\tdon't\t_\t_\t_\tTypo=Yes\t_\t_\t_\tSpaceAfter=No\n"
                             "2\tdo\tdo\tV\tV\t_\t0\troot\t0:root|1:x:y\tScore=inf\n"
                             "2.1\ty\t_\t_\t_\t_\t_\t_\t_\t_\n"
                             "3\tn't\t\x01\x1F\x7F\tP\t_\t_\t2\tadv\t_\ta|b\n"
                             "4\t\xF0\x9F\x8C\xB3\t_\t_\t_\t_\t_\t_\t_\tScore=0x1\n"
                             "\n"
                             "1\t\"\\\t_\t_\t_\t_\t_\t_\t_\t_\n"
                             "\n"
                             "\xFF\t\0\n";
static const char dos[] = "\xEF\xBB\xBF# c\r\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\r\n\r\n"
                          "1\tb\t_\t_\t_\t_\t2\tx\t_\t_\r\n2\tc\t_\t_\t_\t_\t0\ty\t_\t_\r";

fuzz_seed fuzz_seed_at(size_t index)
{
    static const fuzz_seed seeds[] = {{conllu, sizeof conllu - 1}, {dos, sizeof dos - 1}};
    return index < sizeof seeds / sizeof *seeds ? seeds[index] : (fuzz_seed){NULL, 0};
}
