#include "sample.h"

#include <string.h>

/* Without a model, which is still to be found: plain text then is words between spaces. */
static dd_input_options read_words(const dd_input_options *how)
{
    dd_input_options words = *how;
    words.given = DD_GIVEN_WORDS;
    words.broken = NULL;
    words.decided = NULL;
    words.document = words.prefix = NULL;
    words.keep_tokens = words.abbreviations = NULL;
    return words;
}

/* A word that does not fit is cut. */
static void add_word(sample *out, dd_text form)
{
    size_t room = SAMPLE_BYTES - out->size;
    size_t size = form.size < room ? form.size : room;
    memcpy(out->text + out->size, form.data, size);
    out->size += size;
    if (out->size < SAMPLE_BYTES) out->text[out->size++] = ' ';
}

static void add_sentence(sample *out, const dd_sentence *sentence)
{
    int words = dd_sentence_size(sentence);
    for (int word = 1; word <= words && out->size < SAMPLE_BYTES; word++)
        add_word(out, dd_sentence_cell(sentence, word, DD_FORM));
}

static dd_status add_sentences(sample *out, dd_reader *reader, dd_error *error)
{
    dd_sentence *sentence;
    dd_status status = dd_sentence_new(&sentence, error), wrong = DD_OK;
    if (status != DD_OK) return status;
    while (out->size < SAMPLE_BYTES && (status == DD_OK || status == DD_ERROR_FORMAT)) {
        status = dd_reader_next(reader, sentence, error);
        if (status == DD_OK) add_sentence(out, sentence);
        if (status != DD_OK && status != DD_END) wrong = status;
    }
    dd_sentence_free(sentence);
    return out->size > 0 && wrong != DD_ERROR_MEMORY ? DD_OK : wrong;
}

dd_status sample_take(sample *out, const dd_input *from, const dd_input_options *how,
                      dd_error *error)
{
    dd_reader *reader;
    dd_input_options words = read_words(how);
    out->size = 0;
    dd_status status = dd_reader_open_input(&reader, NULL, from, &words, error);
    if (status != DD_OK) return status;
    status = add_sentences(out, reader, error);
    dd_reader_close(reader);
    return status;
}
