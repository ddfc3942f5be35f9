#include <dodona.h>

#include <stdlib.h>
#include <string.h>

#include "document.h"

static dd_status fail_memory(dd_error *error)
{
    *error = (dd_error){.status = DD_ERROR_MEMORY, .message = "out of memory"};
    return DD_ERROR_MEMORY;
}

/* ---- documents ---------------------------------------------------------------------------- */

static bool add_sentence(dp_document *document, dd_sentence *sentence)
{
    if (document->count == document->capacity) {
        int capacity = document->capacity ? 2 * document->capacity : 1;
        dd_sentence **sentences =
            realloc(document->sentences, (size_t)capacity * sizeof *sentences);
        if (!sentences) return false;
        document->sentences = sentences;
        document->capacity = capacity;
    }
    document->sentences[document->count++] = sentence;
    document->words += (uint64_t)dd_sentence_size(sentence);
    return true;
}

void dp_free(dp_document *document)
{
    if (!document) return;
    for (int i = 0; i < document->count; i++) dd_sentence_free(document->sentences[i]);
    free(document->sentences);
    free(document);
}

dd_status dp_wrap(dp_document **out, dd_sentence *sentence, dd_error *error)
{
    dp_document *document = calloc(1, sizeof *document);
    if (document && add_sentence(document, sentence)) {
        *out = document;
        return DD_OK;
    }
    free(document);
    dd_sentence_free(sentence);
    return fail_memory(error);
}

/* ---- reading ------------------------------------------------------------------------------ */

/* One sentence; DD_END: there is none left. */
static dd_status read_sentence(dp_document *document, dd_reader *reader, dd_error *error)
{
    dd_sentence *sentence = NULL;
    dd_status status = dd_sentence_new(&sentence, error);
    if (status == DD_OK) status = dd_reader_next(reader, sentence, error);
    if (status == DD_OK && !add_sentence(document, sentence)) status = fail_memory(error);
    if (status != DD_OK) dd_sentence_free(sentence);
    return status;
}

static dd_status read_all(dp_document **out, dd_reader *reader, dd_cancel *cancel, dd_error *error)
{
    dp_document *document = calloc(1, sizeof *document);
    if (!document) return fail_memory(error);
    dd_status status = DD_OK;
    while (status == DD_OK) {
        if (dd_cancel_is_due(cancel)) status = DD_INTERRUPTED;
        if (status == DD_OK) status = read_sentence(document, reader, error);
    }
    if (status == DD_END)
        *out = document;
    else
        dp_free(document);
    return status == DD_END ? DD_OK : status;
}

static dd_input_options input_options(const dp_options *options)
{
    dd_input_options from = options->input;
    from.format = (dd_format)options->format;
    return from;
}

static dd_status read_text(dp_document **out, const dd_model *model, const char *name, dd_text text,
                           const dp_options *options, dd_cancel *cancel, dd_error *error)
{
    dd_reader *reader = NULL;
    dd_input_options from = input_options(options);
    dd_status status =
        options->conll
            ? dd_reader_open_memory(&reader, name, text, from.format, error)
            : dd_reader_open_input(&reader, model,
                                   &(dd_input){.name = name, .kind = DD_INPUT_BYTES, .bytes = text},
                                   &from, error);
    if (status == DD_OK) status = read_all(out, reader, cancel, error);
    dd_reader_close(reader);
    return status;
}

static dd_status read_file(dp_document **out, const dd_model *model, const char *path,
                           const dp_options *options, dd_cancel *cancel, dd_error *error)
{
    dd_reader *reader = NULL;
    dd_input_options from = input_options(options);
    dd_status status =
        options->conll
            ? dd_reader_open(&reader, path, from.format, error)
            : dd_reader_open_input(&reader, model, &(dd_input){.name = path}, &from, error);
    if (status == DD_OK) status = read_all(out, reader, cancel, error);
    dd_reader_close(reader);
    return status;
}

/* ---- parsing ------------------------------------------------------------------------------ */

/* *done: how many are parsed. A model without a parser tags and lemmatises. */
static dd_status parse_all(dd_parser *parser, dd_sentence *const *sentences, size_t count,
                           const dp_options *options, dd_cancel *cancel, size_t *done,
                           dd_error *error)
{
    dd_parser_set_cancel(parser, cancel);
    dd_status status =
        dd_parser_parse_batch(parser, sentences, count, &options->parse, done, error);
    dd_parser_set_cancel(parser, NULL);
    return status;
}

dd_status dp_parse_sentence(dd_parser *parser, dd_sentence *sentence, const dp_options *options,
                            dd_cancel *cancel, dd_error *error)
{
    size_t done;
    return parse_all(parser, &sentence, 1, options, cancel, &done, error);
}

/* The sentences of all documents in one array, to be freed; NULL: allocation failed. */
static dd_sentence **list_sentences(dp_document *const *documents, int count, size_t *size)
{
    *size = 0;
    for (int i = 0; i < count; i++) *size += (size_t)documents[i]->count;
    dd_sentence **sentences = malloc(*size * sizeof(dd_sentence *) + 1), **at = sentences;
    for (int i = 0; sentences && i < count; i++)
        for (int k = 0; k < documents[i]->count; k++) *at++ = documents[i]->sentences[k];
    return sentences;
}

/* How many documents end before or with that many sentences. */
static int whole_documents(dp_document *const *documents, int count, size_t sentences)
{
    int whole = 0;
    for (; whole < count && sentences >= (size_t)documents[whole]->count; whole++)
        sentences -= (size_t)documents[whole]->count;
    return whole;
}

/* *count becomes the number of documents that are parsed. */
static dd_status parse_documents(dd_parser *parser, dp_document *const *documents, int *count,
                                 const dp_options *options, dd_cancel *cancel, dd_error *error)
{
    size_t size, done = 0;
    dd_sentence **sentences = list_sentences(documents, *count, &size);
    dd_status status = sentences ? parse_all(parser, sentences, size, options, cancel, &done, error)
                                 : fail_memory(error);
    *count = whole_documents(documents, *count, done);
    free(sentences);
    return status;
}

static dd_status read_texts(dp_document **out, int *read, const dd_model *model, const char *name,
                            const char *bytes, const size_t *sizes, int count,
                            const dp_options *options, dd_cancel *cancel, dd_error *error)
{
    dd_status status = DD_OK;
    for (*read = 0; *read < count; bytes += sizes[(*read)++]) {
        dd_text text = {bytes, sizes[*read]};
        status = read_text(&out[*read], model, name, text, options, cancel, error);
        if (status != DD_OK) break;
    }
    return status;
}

dd_status dp_parse_texts(const dd_model *model, dd_parser *parser, const char *name,
                         const char *bytes, const size_t *sizes, int count,
                         const dp_options *options, dd_cancel *cancel, dp_document **out, int *done,
                         dd_error *error)
{
    int read;
    dd_error why = {0};
    dd_status status =
        read_texts(out, &read, model, name, bytes, sizes, count, options, cancel, error);
    *done = read;
    if (!parser) return status;
    dd_status parsed = parse_documents(parser, out, done, options, cancel, &why);
    for (int i = *done; i < read; i++) dp_free(out[i]);
    if (parsed != DD_OK) *error = why;
    return parsed != DD_OK ? parsed : status;
}

dd_status dp_parse_file(const dd_model *model, dd_parser *parser, const char *path,
                        const dp_options *options, dd_cancel *cancel, dp_document **out,
                        dd_error *error)
{
    int one = 1;
    dd_status status = read_file(out, model, path, options, cancel, error);
    if (status != DD_OK || !parser) return status;
    status = parse_documents(parser, out, &one, options, cancel, error);
    if (status != DD_OK) dp_free(*out);
    return status;
}

/* ---- looking ------------------------------------------------------------------------------ */

int32_t *dp_labels(const dd_sentence *sentence, const dd_model *model)
{
    int n = dd_sentence_size(sentence);
    int32_t *labels = malloc((size_t)n * sizeof *labels + 1);
    for (int word = 1; labels && word <= n; word++)
        labels[word - 1] = dd_model_find_label(model, dd_sentence_deprel(sentence, word));
    return labels;
}

void dp_free_labels(int32_t *labels)
{
    free(labels);
}

static dd_text cell(const dd_sentence *sentence, int word, int column)
{
    return column == DD_DEPREL ? dd_sentence_deprel(sentence, word)
                               : dd_sentence_cell(sentence, word, (dd_column)column);
}

dd_text dp_column(const dd_sentence *sentence, int column)
{
    size_t size = 0;
    int n = dd_sentence_size(sentence);
    for (int word = 1; word <= n; word++) size += cell(sentence, word, column).size + 1;
    char *text = malloc(size + 1), *at = text;
    for (int word = 1; text && word <= n; word++) {
        dd_text from = cell(sentence, word, column);
        if (word > 1) *at++ = '\t';
        memcpy(at, from.data, from.size);
        at += from.size;
    }
    return (dd_text){text, (size_t)(at - text)};
}

void dp_free_text(dd_text text)
{
    free((char *)text.data);
}

dd_status dp_format(const dp_document *document, dd_buffer *out, dd_error *error)
{
    dd_status status = DD_OK;
    for (int i = 0; i < document->count && status == DD_OK; i++)
        status = dd_sentence_format(document->sentences[i], DD_FORMAT_AUTO, out, error);
    return status;
}
