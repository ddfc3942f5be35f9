#include "serve/annotate/keep.h"

#include <stdlib.h>
#include <string.h>

/* ---- CoNLL-U of annotation tools ---------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* At most one byte is added for each byte. */
static char *clean_line(const char *at, const char *end, char *out)
{
    bool cells = at < end && *at != '#';
    while (end > at && is_blank(end[-1])) end--;
    for (; at < end; at++) {
        *out++ = *at;
        if (cells && *at == '\t' && at[1] == '\t') *out++ = '_';
    }
    return out;
}

char *keep_clean(const char *text, size_t *size)
{
    size_t length = strlen(text);
    char *made = malloc(2 * length + 1), *out = made;
    if (!made) return NULL;
    for (const char *at = text, *end = text + length; at < end; at++) {
        const char *close = memchr(at, '\n', (size_t)(end - at));
        out = clean_line(at, close ? close : end, out);
        if (close) *out++ = '\n';
        if (!close) break;
        at = close;
    }
    *out = '\0';
    *size = (size_t)(out - made);
    return made;
}

/* ---- a slice of sentences ----------------------------------------------------------------- */

enum { SLICE = 64 };

typedef struct slice {
    dd_parser *parser;
    const dd_model *model;
    const keep_rules *rules;
    dd_sentence *sentences[SLICE];
    dd_buffer given[SLICE]; /* as they were read */
    dd_buffer made;
    char *refused[SLICE]; /* why no tree fits; NULL: one does */
    size_t count;
} slice;

static bool is_kept(const keep_rules *rules, int column, dd_text cell)
{
    keep_rule rule = rules->column[column];
    bool open = cell.size == 1 && *cell.data == '_';
    return rule == KEEP_ALL || (rule == KEEP_EXISTING && !open);
}

/* Tags everything, and puts back what is kept. */
static dd_status annotate(const slice *own, size_t i, const dd_sentence *given, dd_error *error)
{
    dd_sentence *sentence = own->sentences[i];
    dd_status status = dd_parser_annotate(own->parser, sentence, true, error);
    for (int word = 1; word <= dd_sentence_size(sentence); word++) {
        for (int column = DD_LEMMA; column <= DD_FEATS && status == DD_OK; column++) {
            dd_text cell = dd_sentence_cell(given, word, (dd_column)column);
            if (is_kept(own->rules, column, cell))
                status = dd_sentence_set_cell(sentence, word, (dd_column)column, cell, error);
        }
    }
    return status;
}

static dd_text kept_label(const slice *own, const dd_sentence *given, int word)
{
    dd_text label = dd_sentence_cell(given, word, DD_DEPREL);
    bool known =
        own->rules->column[DD_DEPREL] != KEEP_NONE && dd_model_find_label(own->model, label) >= 0;
    return known ? label : (dd_text){"", 0};
}

/* A label that the model does not know is put in afterwards, like all that is kept. */
static dd_status require(const slice *own, size_t i, const dd_sentence *given, bool labels,
                         dd_error *error)
{
    dd_status status = DD_OK;
    if (own->rules->column[DD_HEAD] == KEEP_NONE) return DD_OK;
    for (int word = 1; word <= dd_sentence_size(given) && status == DD_OK; word++) {
        int head = dd_sentence_head(given, word);
        dd_text label = labels ? kept_label(own, given, word) : (dd_text){"", 0};
        if (head >= 0)
            status = dd_sentence_require_arc(own->sentences[i], head, label, word, error);
    }
    return status;
}

static dd_status read_again(const slice *own, size_t i, dd_sentence *given, dd_error *error)
{
    dd_reader *reader;
    dd_text text = {own->given[i].data, own->given[i].size};
    dd_status status = dd_reader_open_memory(&reader, "sentence", text, DD_FORMAT_CONLLU, error);
    if (status != DD_OK) return status;
    status = dd_reader_next(reader, given, error);
    dd_reader_close(reader);
    return status;
}

static dd_status note_refused(slice *own, size_t i, const dd_error *error)
{
    own->refused[i] = strdup(error->message);
    return own->refused[i] ? DD_OK : DD_ERROR_MEMORY;
}

static dd_status prepare(slice *own, size_t i, dd_sentence *given, dd_error *error)
{
    dd_status status = read_again(own, i, given, error);
    if (status == DD_OK) status = annotate(own, i, given, error);
    if (status == DD_OK) status = require(own, i, given, true, error);
    if (status != DD_ERROR_ARGUMENT) return status;
    dd_sentence_clear_constraints(own->sentences[i]);
    return note_refused(own, i, error);
}

/* Where no tree has the kept labels on the kept arcs, the arcs alone. */
static dd_status parse_without_labels(slice *own, size_t i, dd_sentence *given, dd_error *error)
{
    dd_status status = read_again(own, i, given, error);
    dd_sentence_clear_constraints(own->sentences[i]);
    if (status == DD_OK) status = require(own, i, given, false, error);
    if (status == DD_OK) status = dd_parser_parse(own->parser, own->sentences[i], false, error);
    return status == DD_ERROR_DATA ? note_refused(own, i, error) : status;
}

static bool needs_trees(const slice *own)
{
    const keep_rule *rule = own->rules->column;
    return rule[DD_HEAD] != KEEP_ALL || rule[DD_DEPREL] != KEEP_ALL;
}

static dd_status parse(slice *own, dd_sentence *given, dd_error *error)
{
    dd_status status = DD_OK;
    if (!needs_trees(own)) return DD_OK;
    for (size_t at = 0, done; at < own->count && status == DD_OK; at += done) {
        status = dd_parser_parse_batch(own->parser, own->sentences + at, own->count - at, NULL,
                                       &done, error);
        if (status != DD_ERROR_DATA) continue;
        status = parse_without_labels(own, at + done, given, error);
        done++;
    }
    return status;
}

/* ---- lines: what is kept, and what was made ----------------------------------------------- */

static dd_text next_line(dd_text *text)
{
    const char *close = memchr(text->data, '\n', text->size);
    size_t size = close ? (size_t)(close - text->data) : text->size;
    dd_text line = {text->data, size};
    *text = (dd_text){text->data + size + (close != NULL), text->size - size - (close != NULL)};
    return line;
}

static dd_text next_cell(dd_text *line)
{
    const char *close = memchr(line->data, '\t', line->size);
    size_t size = close ? (size_t)(close - line->data) : line->size;
    dd_text cell = {line->data, size};
    *line = (dd_text){line->data + size + (close != NULL), line->size - size - (close != NULL)};
    return cell;
}

/* Of a word, not a range of words or an empty node. */
static bool is_word(dd_text line)
{
    for (size_t i = 0; i < line.size && line.data[i] != '\t'; i++)
        if (line.data[i] < '0' || line.data[i] > '9') return false;
    return line.size > 0;
}

static void write_word(const slice *own, bool refused, dd_text given, dd_text made, output *out)
{
    for (int column = 0; column < DD_COLUMNS; column++) {
        dd_text old = next_cell(&given), new = next_cell(&made);
        bool kept = is_kept(own->rules, column, old) ||
                    (refused && (column == DD_HEAD || column == DD_DEPREL));
        if (column > 0) output_bytes(out, "\t", 1);
        output_bytes(out, kept ? old.data : new.data, kept ? old.size : new.size);
    }
    output_bytes(out, "\n", 1);
}

/* A parser changes cells, and neither adds lines nor takes some away. */
static void write_sentence(const slice *own, size_t i, output *out)
{
    dd_text given = {own->given[i].data, own->given[i].size};
    dd_text made = {own->made.data, own->made.size};
    if (own->refused[i])
        output_format(out, "# dodona = HEAD and DEPREL as sent: %s\n", own->refused[i]);
    while (given.size > 0 && made.size > 0) {
        dd_text old = next_line(&given), new = next_line(&made);
        if (is_word(old)) {
            write_word(own, own->refused[i] != NULL, old, new, out);
        } else {
            output_bytes(out, new.data, new.size);
            output_bytes(out, "\n", 1);
        }
    }
}

/* ---- all ---------------------------------------------------------------------------------- */

static dd_status read_slice(slice *own, dd_reader *reader, dd_error *error)
{
    dd_status status = DD_OK;
    for (own->count = 0; own->count < SLICE && status == DD_OK;) {
        size_t i = own->count;
        if (!own->sentences[i]) status = dd_sentence_new(&own->sentences[i], error);
        if (status == DD_OK) status = dd_reader_next(reader, own->sentences[i], error);
        own->given[i].size = 0;
        if (status == DD_OK)
            status = dd_sentence_format(own->sentences[i], DD_FORMAT_AUTO, &own->given[i], error);
        if (status == DD_OK) own->count++;
    }
    return status;
}

static dd_status write_slice(slice *own, output *out, keep_counts *counts, dd_error *error)
{
    dd_status status = DD_OK;
    for (size_t i = 0; i < own->count && status == DD_OK; i++) {
        own->made.size = 0;
        status = dd_sentence_format(own->sentences[i], DD_FORMAT_AUTO, &own->made, error);
        if (status == DD_OK) write_sentence(own, i, out);
        counts->sentences++;
        counts->words += (uint64_t)dd_sentence_size(own->sentences[i]);
        counts->refused += own->refused[i] != NULL;
        free(own->refused[i]);
        own->refused[i] = NULL;
    }
    return status;
}

static dd_status fill_slice(slice *own, dd_sentence *given, output *out, keep_counts *counts,
                            dd_error *error)
{
    dd_status status = DD_OK;
    for (size_t i = 0; i < own->count && status == DD_OK; i++)
        status = prepare(own, i, given, error);
    if (status == DD_OK) status = parse(own, given, error);
    return status == DD_OK ? write_slice(own, out, counts, error) : status;
}

static void free_slice(slice *own)
{
    for (size_t i = 0; i < SLICE; i++) {
        dd_sentence_free(own->sentences[i]);
        dd_buffer_free(&own->given[i]);
        free(own->refused[i]);
    }
    dd_buffer_free(&own->made);
}

dd_status keep_fill(dd_parser *parser, const dd_model *model, dd_text text, const keep_rules *rules,
                    output *out, keep_counts *counts, dd_error *error)
{
    slice own = {.parser = parser, .model = model, .rules = rules};
    dd_reader *reader;
    dd_sentence *given;
    dd_status status = dd_sentence_new(&given, error);
    if (status != DD_OK) return status;
    status = dd_reader_open_memory(&reader, "sample", text, DD_FORMAT_CONLLU, error);
    while (status == DD_OK) {
        status = read_slice(&own, reader, error);
        dd_status filled = status == DD_OK || status == DD_END
                               ? fill_slice(&own, given, out, counts, error)
                               : status;
        if (filled != DD_OK) status = filled;
    }
    dd_reader_close(reader);
    dd_sentence_free(given);
    free_slice(&own);
    return status == DD_END ? DD_OK : status;
}
