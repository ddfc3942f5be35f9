/* Drawings: whatever the sentence, well-formed text without control characters and, in SVG and
 * HTML, without markup that the sentence brought. */
#include "fuzz.h"
#include <dodona_tools.h>

#include "text/sentence.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>

static void require(bool holds)
{
    if (!holds) abort();
}

static void check_text(dd_text text, dd_draw_format format)
{
    long open = 0, quotes = 0;
    require(dd_utf8_check(text) == text.size);
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        require(c == '\n' || (c >= 0x20 && c != 0x7F));
        open += (c == '<') - (c == '>');
        quotes += c == '"';
        if (format == DD_DRAW_HTML) require(open == 0 || open == 1);
    }
    if (format == DD_DRAW_HTML) require(open == 0 && quotes % 2 == 0);
}

static void draw_all(const dd_sentence *sentence, const dd_sentence *gold)
{
    for (int format = DD_DRAW_TEXT; format <= DD_DRAW_DOT; format++) {
        dd_draw_options options;
        dd_drawing *drawing;
        dd_text text;
        dd_draw_options_init(&options);
        options.format = (dd_draw_format)format;
        options.width = format == DD_DRAW_TEXT ? 40 : 300;
        require(dd_drawing_new(&drawing, &options, NULL) == DD_OK);
        for (int with = 0; with <= 1; with++) {
            dd_status status = dd_draw(drawing, sentence, with ? gold : NULL, &text, NULL);
            require(status == DD_OK || status == DD_ERROR_DATA);
            if (status == DD_OK) check_text(text, options.format);
        }
        dd_drawing_free(drawing);
    }
}

/* The gold tree is a chain, so that it mostly differs. */
static void read_all(dd_text bytes)
{
    dd_reader *readers[2];
    dd_sentence *sentences[2];
    for (int i = 0; i < 2; i++) {
        require(dd_reader_open_memory(&readers[i], "fuzz", bytes, DD_FORMAT_CONLLU, NULL) == DD_OK);
        require(dd_sentence_new(&sentences[i], NULL) == DD_OK);
    }
    dd_status status;
    do {
        status = dd_reader_next(readers[0], sentences[0], NULL);
        require(dd_reader_next(readers[1], sentences[1], NULL) == status);
        if (status != DD_OK) continue;
        for (int word = 1; word <= dd_sentence_size(sentences[1]); word++)
            require(dd_sentence_attach(sentences[1], word, word - 1, (dd_text){"g&<", 3}, NULL) ==
                    DD_OK);
        draw_all(sentences[0], sentences[1]);
    } while (status == DD_OK || status == DD_ERROR_FORMAT);
    for (int i = 0; i < 2; i++) {
        dd_sentence_free(sentences[i]);
        dd_reader_close(readers[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_all((dd_text){(const char *)data, size});
    return 0;
}

static const char plain[] =
    "# sent_id = a<\"b\"\n# constraint = arc 2 nsubj 1\n"
    "# constraint = not-arc 1 3\n# constraint = span 2 3 none\n# constraint = leaf 2\n"
    "1\t\xC3\xA9t\xC3\xA9\t_\tN\t_\t_\t2\tnsubj\t_\t_\n"
    "2\t</b>\t_\tV\t_\t_\t0\troot\t_\t_\n"
    "3\t\xE6\x97\xA5\xE6\x9C\xAC\t_\t&\t_\t_\t2\ta:b\t_\t_\n\n";
static const char turned[] = "# constraint = arc 1 _ 3\n"
                             "1\t\xD9\x82\xD9\x8E\xD8\xA7\xD9\x84\xD9\x8E\t_\t_\t_\t_\t4\tx\t_\t_\n"
                             "2\t\xD9\x88\t_\tX\t_\t_\t0\troot\t_\t_\n"
                             "3\t\xE2\x80\xAEq\x1B[2J\t_\t_\t_\t_\t_\t_\t_\t_\n"
                             "4\t12\t_\tN\t_\t_\t2\tobl\t_\t_\n\n";

static const char graph[] =
    "# text = a b\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\ta\t_\t_\t_\tA=B\t2\tx\t2:x|2.1:y&\t_\n"
    "2\thttps://example.org/a/path/that/is/long\t_\tV\t_\t_\t0\troot\t0:root\t"
    "_\n"
    "2.1\tc\t_\t_\t_\t_\t_\t_\t1:v|0:root\t_\n\n";

fuzz_seed fuzz_seed_at(size_t index)
{
    static const fuzz_seed seeds[] = {{plain, sizeof plain - 1},
                                      {turned, sizeof turned - 1},
                                      {graph, sizeof graph - 1},
                                      {NULL, 0}};
    return seeds[index];
}
