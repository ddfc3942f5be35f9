#include "parse/input.h"

#include "core/options.h"
#include "core/strings.h"
#include "model/model.h"
#include "segment/documents.h"
#include "text/io.h"
#include "text/rules.h"

#include <string.h>

void dd_input_options_init_size(dd_input_options *options, size_t size)
{
    const dd_input_options defaults = {.format = DD_FORMAT_AUTO};
    dd_options_init(options, size, &defaults, sizeof defaults);
}

static dd_status take(dd_input_options *how, const dd_input_options *options, dd_error *error)
{
    dd_input_options_init(how);
    return DD_OPTIONS_TAKE(how, options, abbreviations, "options were", error);
}

/* ---- guessing ----------------------------------------------------------------------------- */

static bool has_ending(const char *path, const char *ending)
{
    char packed[24];
    size_t size = strlen(ending);
    if (dd_ends_with(path, ending)) return true;
    memcpy(packed, ending, size);
    memcpy(packed + size, ".gz", 4);
    if (dd_ends_with(path, packed)) return true;
    memcpy(packed + size, ".zst", 5);
    return dd_ends_with(path, packed);
}

/* The format by the name alone; DD_FORMAT_AUTO: the name does not tell. */
static dd_format guess_by_name(const char *path)
{
    if (!path) return DD_FORMAT_AUTO;
    if (has_ending(path, ".conllu")) return DD_FORMAT_CONLLU;
    if (has_ending(path, ".txt")) return DD_FORMAT_TEXT;
    dd_format conll = dd_format_of(path);
    return conll == DD_FORMAT_CONLLX ? conll : DD_FORMAT_AUTO;
}

/* Whether the name or the options are of documents in JSON lines. */
static bool is_of_documents(const char *path, const dd_input_options *how)
{
    if (how->field || how->id) return true;
    return path && (has_ending(path, ".jsonl") || has_ending(path, ".ndjson"));
}

/* `1<TAB>`, `1-2<TAB>` or `1.1<TAB>` */
static bool starts_token(const char *at, const char *end)
{
    const char *start = at;
    while (at < end && *at >= '0' && *at <= '9') at++;
    if (at == start) return false;
    if (at < end && (*at == '-' || *at == '.'))
        for (at++; at < end && *at >= '0' && *at <= '9';) at++;
    return at < end && *at == '\t';
}

/* `{"` */
static bool starts_object(const char *at, const char *end)
{
    if (at == end || *at++ != '{') return false;
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    return at < end && *at == '"';
}

static dd_format guess_by_line(const char *at, const char *end)
{
    if (starts_object(at, end)) return DD_FORMAT_JSONL;
    return starts_token(at, end) ? DD_FORMAT_CONLLU : DD_FORMAT_TEXT;
}

/* The format by the first line that is neither empty nor begins with #. DD_FORMAT_AUTO: more bytes
 * are needed. */
static dd_format guess_by_text(dd_text text, bool all)
{
    const char *at = text.data, *end = at + text.size;
    if (text.size >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0) at += 3;
    bool comments = false;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        bool passed = *at == '#' || *at == '\n' || *at == '\r';
        if (!passed && (newline || all)) return guess_by_line(at, newline ? newline : end);
        comments |= *at == '#';
        if (!newline) break;
        at = newline + 1;
    }
    if (!all) return DD_FORMAT_AUTO;
    return comments ? DD_FORMAT_CONLLU : DD_FORMAT_TEXT;
}

enum { ENOUGH_TO_GUESS = 1 << 14 };

/* Reads ahead until the first lines are there; *seen is what was read. */
static dd_status guess(dd_reader *reader, dd_format *format, dd_text *seen, dd_error *error)
{
    *seen = (dd_text){"", 0};
    while (*format == DD_FORMAT_AUTO) {
        bool ended;
        dd_status status = dd_reader_look_ahead(reader, seen, &ended, error);
        if (status != DD_OK) return status;
        *format = guess_by_text(*seen, ended || seen->size >= ENOUGH_TO_GUESS);
    }
    return DD_OK;
}

/* Whether the first line that is neither empty nor begins with # has no columns. Without a
 * tokenizer everything else is read as CoNLL, so that the reader reports what is wrong with it. */
static bool is_plainly_text(dd_text text)
{
    while (text.size > 0) {
        dd_text line = dd_text_cut(&text, '\n');
        if (line.size > 0 && line.data[0] != '#' && line.data[0] != '\r')
            return !memchr(line.data, '\t', line.size);
    }
    return false;
}

/* ---- opening ------------------------------------------------------------------------------ */

static dd_status check(const dd_reader *reader, const dd_model *model,
                       const dd_input_options *options, dd_error *error)
{
    bool text = options->format == DD_FORMAT_TEXT || options->format == DD_FORMAT_JSONL;
    bool vertical = options->format == DD_FORMAT_VERTICAL;
    bool words = options->given == DD_GIVEN_WORDS, tokens = options->given == DD_GIVEN_TOKENS;
    bool lines = options->given == DD_GIVEN_TEXT || options->given == DD_GIVEN_SENTENCES;
    if ((lines && !text) || (tokens && !text && !vertical))
        return dd_fail(error, DD_ERROR_ARGUMENT, "%.200s: %s can be given only for plain text",
                       dd_reader_name(reader), tokens ? "tokens" : "text or sentences");
    if (((text && !words) || tokens) && (!model || !model->segmenter))
        return dd_fail(error, DD_ERROR_DATA,
                       "%.200s: this model has no tokenizer for plain text; give it CoNLL-U, or "
                       "train a model that has one ('only' with tokenizer)",
                       dd_reader_name(reader));
    return DD_OK;
}

/* An id, or a part of one; NULL: none. */
static dd_status check_id(const char *id, const char *what, dd_error *error)
{
    if (!id || dd_rule_label((dd_text){id, strlen(id)})) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT, "%s is empty or has control characters", what);
}

/* Makes a reader of CoNLL read plain text. `before`: what stands before a part of it; NULL: it is
 * no part. */
static dd_status use_plain(dd_reader *reader, const dd_segmenter *segmenter,
                           const dd_input_options *how, const dd_before *before, dd_error *error)
{
    dd_plain *plain;
    dd_status status = dd_plain_new(&plain, segmenter, how, error);
    if (status != DD_OK) return status;
    if (before) dd_plain_continue(plain, before->bytes, before->characters, before->lines);
    dd_reader_use_maker(reader, dd_plain_maker(plain));
    return DD_OK;
}

/* The same for documents in JSON lines. */
static dd_status use_documents(dd_reader *reader, const dd_segmenter *segmenter,
                               const dd_input_options *how, const dd_before *before,
                               dd_error *error)
{
    dd_documents *documents;
    dd_status status = dd_documents_new(&documents, segmenter, how, error);
    if (status != DD_OK) return status;
    if (before) dd_documents_continue(documents, before->lines);
    dd_reader_use_maker(reader, dd_documents_maker(documents));
    return DD_OK;
}

/* Makes a reader of CoNLL read what the options say. */
static dd_status set_up(dd_reader *reader, const dd_model *model, const char *path,
                        const dd_input_options *options, const dd_before *before, dd_error *error)
{
    const dd_segmenter *segmenter = model ? model->segmenter : NULL;
    dd_input_options how = *options;
    dd_text seen;
    if (how.format == DD_FORMAT_AUTO && is_of_documents(path, &how)) how.format = DD_FORMAT_JSONL;
    bool plain = how.given != DD_GIVEN_AUTO && how.given != DD_GIVEN_WORDS;
    if (how.format == DD_FORMAT_AUTO && plain) how.format = DD_FORMAT_TEXT;
    if (how.format == DD_FORMAT_AUTO) how.format = guess_by_name(path);
    bool by_text = how.format == DD_FORMAT_AUTO;
    dd_status status = guess(reader, &how.format, &seen, error);
    if (by_text && !segmenter && how.given != DD_GIVEN_WORDS && !is_plainly_text(seen))
        how.format = dd_reader_format(reader);
    if (status == DD_OK) status = check(reader, model, &how, error);
    if (status != DD_OK) return status;
    if (how.format == DD_FORMAT_JSONL) return use_documents(reader, segmenter, &how, before, error);
    /* Whoever types a line wants to see what becomes of it. */
    if (how.paragraphs == DD_PARAGRAPHS_AUTO && dd_reader_is_terminal(reader))
        how.paragraphs = DD_PARAGRAPHS_LINE;
    if (how.format > DD_FORMAT_CONLLX) return use_plain(reader, segmenter, &how, before, error);
    return how.document ? dd_reader_set_document(reader, how.document, error) : DD_OK;
}

/* The format to open a reader with before it is set up for plain text. */
static dd_format conll_of(dd_format format)
{
    bool plain =
        format == DD_FORMAT_TEXT || format == DD_FORMAT_VERTICAL || format == DD_FORMAT_JSONL;
    return plain ? DD_FORMAT_AUTO : format;
}

static dd_status finish(dd_reader **out, dd_reader *reader, const dd_model *model, const char *path,
                        const dd_input_options *options, const dd_before *before, dd_error *error)
{
    dd_status status = check_id(options->document, "a document's id", error);
    if (status == DD_OK) status = check_id(options->prefix, "the prefix of ids", error);
    if (status == DD_OK) status = dd_reader_set_encoding(reader, options->encoding, error);
    if (status == DD_OK) status = set_up(reader, model, path, options, before, error);
    if (status == DD_OK)
        *out = reader;
    else
        dd_reader_close(reader);
    return status;
}

static dd_status open_conll(dd_reader **out, const dd_input *from, dd_format format,
                            dd_error *error)
{
    switch (from->kind) {
    case DD_INPUT_BYTES: return dd_reader_open_memory(out, from->name, from->bytes, format, error);
    case DD_INPUT_FUNCTION:
        return dd_reader_open_from(out, from->name, from->read, from->user, format, error);
    case DD_INPUT_DESCRIPTOR: return dd_reader_open_fd(out, from->name, from->file, format, error);
    case DD_INPUT_FILE: break;
    }
    return dd_reader_open(out, from->name, format, error);
}

dd_status dd_reader_open_input(dd_reader **out, const dd_model *model, const dd_input *from,
                               const dd_input_options *options, dd_error *error)
{
    dd_reader *reader = NULL;
    dd_input_options how;
    dd_status status = take(&how, options, error);
    if (status == DD_OK) status = open_conll(&reader, from, conll_of(how.format), error);
    return status == DD_OK ? finish(out, reader, model, from->name, &how, NULL, error) : status;
}

dd_status dd_reader_open_part(dd_reader **out, const dd_model *model, const dd_part_source *from,
                              const dd_input_options *options, dd_error *error)
{
    dd_reader *reader = NULL;
    dd_input_options how = *options;
    const dd_before *before = from->before.bytes > 0 ? &from->before : NULL;
    if (before) how.document = NULL; /* which the first part begins */
    dd_status status = dd_reader_open_chunks(&reader, from->name, from->give, from->user,
                                             conll_of(how.format), error);
    if (status == DD_OK && before) dd_reader_continue(reader, before->lines, before->sentences);
    return status == DD_OK ? finish(out, reader, model, from->name, &how, before, error) : status;
}
