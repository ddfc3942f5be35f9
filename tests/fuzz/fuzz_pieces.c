/* Reading over a function in pieces of any size: the same as reading the bytes at once. The first
 * bytes of the input say how large the pieces are. */
#include "fuzz.h"
#include <dodona_tools.h>

#include "../pieces_help.h"
#include "core/strings.h"

#include "text/reader.h"
#include <stdlib.h>

static void require(bool holds)
{
    if (!holds) abort();
}

static void compare_sentences(const dd_sentence *one, const dd_sentence *other)
{
    dd_buffer a = {0}, b = {0};
    require(dd_sentence_size(one) == dd_sentence_size(other));
    require(dd_sentence_line(one) == dd_sentence_line(other));
    require(dd_sentence_format(one, DD_FORMAT_JSON, &a, NULL) == DD_OK &&
            dd_sentence_format(other, DD_FORMAT_JSON, &b, NULL) == DD_OK);
    require(dd_text_same((dd_text){a.data, a.size}, (dd_text){b.data, b.size}));
    dd_buffer_free(&a);
    dd_buffer_free(&b);
}

/* The outline and the words agree, whatever was read. */
static void check_outline(const dd_sentence *sentence)
{
    dd_outline *outline;
    int word = 1;
    require(dd_outline_new(&outline, NULL) == DD_OK);
    require(dd_outline_make(outline, sentence, NULL) == DD_OK);
    dd_text text = dd_outline_text(outline);
    const dd_token *token;
    for (size_t i = 0; (token = dd_outline_token(outline, i)); i++, word = token->last + 1) {
        require(token->first == word);
        if (token->start_byte < 0) continue;
        require(token->end_byte <= (int64_t)text.size && token->start <= token->start_byte);
        require(
            dd_text_same((dd_text){text.data + token->start_byte, token->form.size}, token->form));
    }
    require(word == dd_sentence_size(sentence) + 1);
    dd_outline_free(outline);
}

/* How much of damaged packed data is unpacked before the damage is found depends on the pieces. */
static bool is_damaged(const dd_error *error)
{
    return error->status == DD_ERROR_IO;
}

static void compare_readers(dd_reader *one, dd_reader *other)
{
    dd_sentence *a, *b;
    dd_status status;
    require(dd_sentence_new(&a, NULL) == DD_OK && dd_sentence_new(&b, NULL) == DD_OK);
    do {
        dd_error first = {.status = DD_OK}, second = {.status = DD_OK};
        status = dd_reader_next(one, a, &first);
        dd_status by_pieces = dd_reader_next(other, b, &second);
        if (is_damaged(&first) || is_damaged(&second)) break;
        require(by_pieces == status);
        require(strcmp(first.message, second.message) == 0 && first.line == second.line);
        if (status == DD_OK || status == DD_ERROR_FORMAT) compare_sentences(a, b);
        if (status == DD_OK) check_outline(b);
    } while (status == DD_OK || status == DD_ERROR_FORMAT);
    dd_sentence_free(a);
    dd_sentence_free(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t n_sizes = size < 4 ? size : 4;
    dd_text bytes = {(const char *)data + n_sizes, size - n_sizes};
    pieces from = {.rest = bytes, .sizes = data, .n_sizes = n_sizes};
    dd_reader *one, *other;
    require(dd_reader_open_memory(&one, "f", bytes, DD_FORMAT_CONLLU, NULL) == DD_OK);
    require(dd_reader_open_from(&other, "f", read_piece, &from, DD_FORMAT_CONLLU, NULL) == DD_OK);
    compare_readers(one, other);
    require(from.calls < 1000000);
    dd_reader_close(one);
    dd_reader_close(other);
    return 0;
}

static const char conllu[] = "\x01\x02\x03\x11# sent_id = a\n# text = \xC3\xA9t\xC3\xA9 don't\n"
                             "0.1\tx\t_\tV\t_\t_\t_\t_\t0:root\t_\n"
                             "1\t\xC3\xA9t\xC3\xA9\tx y\tN\tN\tA=b|C=d\t2\tnsubj\t2:n\tScore=1\n"
                             "2-3\tdon't\t_\t_\t_\tTypo=Yes\t_\t_\t_\tSpaceAfter=No\n"
                             "2\tdo\tdo\tV\tV\t_\t0\troot\t0:root|1:x:y\t_\n"
                             "2.1\ty\t_\t_\t_\t_\t_\t_\t_\t_\n"
                             "3\tn't\tnot\tP\t_\t_\t2\tadv\t_\ta|b\n\n"
                             "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
static const char dos[] = "\x05\x01\x01\x01\xEF\xBB\xBF# c\r\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\r\n"
                          "\r\n1\tb\t_\t_\t_\t_\t2\tx\t_\t_\r\n2\tc\t_\t_\t_\t_\t0\ty\t_\t_";
/* gzip of "1\ta\n" */
static const char gzip[] = "\x01\x01\x01\x02\x1F\x8B\x08\0\0\0\0\0\x02\x03\x33\xE4\x4C\xE4\x02\0"
                           "\xAF\xC8\x31\xFA\x04\0\0\0";

fuzz_seed fuzz_seed_at(size_t index)
{
    static const fuzz_seed seeds[] = {
        {conllu, sizeof conllu - 1}, {dos, sizeof dos - 1}, {gzip, sizeof gzip - 1}};
    return index < sizeof seeds / sizeof *seeds ? seeds[index] : (fuzz_seed){NULL, 0};
}
