/* The reader: every byte comes back whatever it is, and what a parser sets can be read again. */
#include "fuzz.h"

#include "core/strings.h"
#include "text/sentence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void require(bool holds)
{
    if (!holds) abort();
}

static bool is_packed(dd_text bytes)
{
    bool gzip = bytes.size >= 2 && memcmp(bytes.data, "\x1F\x8B", 2) == 0;
    bool zstd = bytes.size >= 4 && memcmp(bytes.data, "\x28\xB5\x2F\xFD", 4) == 0;
    return gzip || zstd || (bytes.size >= 4 && memcmp(bytes.data + 1, "\x2A\x4D\x18", 3) == 0);
}

/* Sets every head and label, and reads the result: as many words, with what was set. */
static void change(dd_sentence *sentence, dd_format format)
{
    int n = dd_sentence_size(sentence);
    for (int word = 1; word <= n; word++) {
        require(dd_sentence_attach(sentence, word, word - 1, (dd_text){"dep", 3}, NULL) == DD_OK);
        dd_sentence_set_score(sentence, word, (dd_word_score){(float)word / 8, NAN});
    }
    dd_buffer out = {0};
    dd_reader *reader;
    dd_sentence *again;
    require(dd_sentence_format(sentence, DD_FORMAT_AUTO, &out, NULL) == DD_OK);
    dd_text text = {out.data, out.size};
    require(dd_reader_open_memory(&reader, "again", text, format, NULL) == DD_OK);
    require(dd_sentence_new(&again, NULL) == DD_OK);
    require(dd_reader_next(reader, again, NULL) == DD_OK && again->n == n);
    for (int word = 1; word <= n; word++) require(dd_sentence_head(again, word) == word - 1);
    dd_sentence_free(again);
    dd_reader_close(reader);
    dd_buffer_free(&out);
}

static void read_all(dd_text bytes, dd_format format)
{
    dd_reader *reader;
    dd_sentence *sentence;
    dd_buffer output = {0};
    dd_status status;
    require(dd_reader_open_memory(&reader, "fuzz", bytes, format, NULL) == DD_OK);
    require(dd_sentence_new(&sentence, NULL) == DD_OK);
    for (;;) {
        dd_error error = {.status = DD_OK};
        status = dd_reader_next(reader, sentence, &error);
        if (status != DD_OK && status != DD_ERROR_FORMAT) break;
        require(dd_sentence_format(sentence, DD_FORMAT_AUTO, &output, NULL) == DD_OK);
        require((status == DD_OK) == (dd_sentence_size(sentence) > 0));
        require(status == DD_OK || (error.line > 0 && error.message[0]));
        if (status == DD_OK) change(sentence, format);
    }
    if (!is_packed(bytes)) {
        require(status == DD_END && output.size == bytes.size);
        require(bytes.size == 0 || memcmp(output.data, bytes.data, bytes.size) == 0);
    }
    dd_buffer_free(&output);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_all((dd_text){(const char *)data, size}, DD_FORMAT_CONLLU);
    read_all((dd_text){(const char *)data, size}, DD_FORMAT_CONLLX);
    return 0;
}

static const char conllu[] =
    "# sent_id = a\n# text = \xC3\xA9t\xC3\xA9 don't\n"
    "0.1\tx\t_\tV\t_\t_\t_\t_\t0:root\t_\n"
    "1\t\xC3\xA9t\xC3\xA9\tx y\tN\tN\tA=b|C=d\t2\tnsubj\t2:nsubj\tScore=1\n"
    "2-3\tdon't\t_\t_\t_\tTypo=Yes\t_\t_\t_\tSpaceAfter=No\n"
    "2\tdo\tdo\tV\tV\t_\t0\troot\t0:root|1:x:y\t_\n"
    "2.1\ty\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "3\tn't\tnot\tP\t_\t_\t2\tadv\t_\ta|b\n"
    "\n"
    "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "\n";
static const char dos[] = "\xEF\xBB\xBF# c\r\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\r\n\r\n"
                          "1\tb\t_\t_\t_\t_\t2\tx\t_\t_\r\n2\tc\t_\t_\t_\t_\t0\ty\t_\t_";
static const char conllx[] =
    "1\ta b\t_\tN\tN\tfree\t2\tx y\t2\tz\n2\tb\t_\t_\t_\t_\t0\tR\t_\t_\n\n";
/* gzip of "1\ta\n" */
static const char gzip[] =
    "\x1F\x8B\x08\0\0\0\0\0\x02\x03\x33\xE4\x4C\xE4\x02\0\xAF\xC8\x31\xFA\x04\0\0\0";

fuzz_seed fuzz_seed_at(size_t index)
{
    static const fuzz_seed seeds[] = {
        {conllu, sizeof conllu - 1},
        {dos, sizeof dos - 1},
        {conllx, sizeof conllx - 1},
        {gzip, sizeof gzip - 1},
    };
    return index < sizeof seeds / sizeof *seeds ? seeds[index] : (fuzz_seed){NULL, 0};
}
