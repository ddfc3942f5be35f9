#include "segment/documents.h"

#include "core/memory.h"
#include "text/conll.h"
#include "text/rules.h"
#include "text/sentence.h"
#include "text/utf8.h"

#include <dodona_tools.h>
#include <stdlib.h>
#include <string.h>

/* The list that is added to a document, and left out if one was there. */
static const char added_key[] = "sentences";

struct dd_documents {
    dd_plain *plain;
    char *field, *id, *prefix; /* id and prefix may be NULL */
    dd_paragraphs paragraphs;  /* of each text */
    uint64_t line;             /* of the next byte, from 1 */
    dd_buffer bytes;           /* of the line, or what there is of it */
    bool inside;               /* a document has sentences left */
    bool begins;               /* none of them was handed out */
    char *text;                /* of the document */
    dd_feed feed;              /* of the text */
    uint64_t text_line;        /* that the document stands in */
    dd_buffer members, comments, name, sent_id;
};

static void free_documents(void *state)
{
    dd_documents *d = state;
    if (d->plain) {
        dd_sentence_maker maker = dd_plain_maker(d->plain);
        maker.free(maker.state);
    }
    dd_buffer *const buffers[] = {&d->bytes, &d->members, &d->comments, &d->name, &d->sent_id};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) dd_buffer_free(buffers[i]);
    free(d->text);
    free(d->field);
    free(d->id);
    free(d->prefix);
    free(d);
}

static bool copy(char **out, const char *text)
{
    *out = text ? dd_copy_text(text, strlen(text)) : NULL;
    return !text || *out;
}

dd_status dd_documents_new(dd_documents **out, const dd_segmenter *segmenter,
                           const dd_input_options *options, dd_error *error)
{
    dd_input_options how = *options;
    how.format = DD_FORMAT_TEXT;
    how.document = how.prefix = NULL;
    how.decided = NULL; /* each document decides for itself */
    dd_documents *d = dd_calloc(1, sizeof *d);
    if (!d) return dd_fail_memory(error);
    d->line = 1;
    d->paragraphs = options->paragraphs;
    bool copied = copy(&d->field, options->field ? options->field : "text") &&
                  copy(&d->id, options->id) && copy(&d->prefix, options->prefix);
    dd_status status =
        copied ? dd_plain_new(&d->plain, segmenter, &how, error) : dd_fail_memory(error);
    if (status == DD_OK)
        *out = d;
    else
        free_documents(d);
    return status;
}

void dd_documents_continue(dd_documents *documents, uint64_t lines)
{
    documents->line = lines + 1;
}

/* ---- lines -------------------------------------------------------------------------------- */

/* Takes the next line, its end included; DD_END behind the last. If input has run dry, the next
 * call continues. */
static dd_status take_line(dd_documents *d, dd_feed *feed, dd_error *error)
{
    for (;;) {
        dd_status status = feed->chunk.size == 0 ? dd_feed_refill(feed, error) : DD_OK;
        if (status == DD_END) return d->bytes.size > 0 ? DD_OK : DD_END;
        if (status != DD_OK || feed->dry) return status;
        const char *newline = memchr(feed->chunk.data, '\n', feed->chunk.size);
        size_t size = newline ? (size_t)(newline - feed->chunk.data) + 1 : feed->chunk.size;
        if (size > DD_MAX_SENTENCE_BYTES - d->bytes.size)
            return dd_fail_at(error, DD_ERROR_DATA, dd_source_name(feed->source), d->line, 0,
                              "the document is larger than %d MiB", DD_MAX_SENTENCE_BYTES >> 20);
        if (!dd_buffer_append(&d->bytes, feed->chunk.data, size)) return dd_fail_memory(error);
        dd_feed_consume(feed, size);
        if (newline) return DD_OK;
    }
}

static bool is_white(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The line without the white space at its end, and without a byte order mark. */
static dd_text trim_line(const dd_documents *d)
{
    dd_text line = {d->bytes.data, d->bytes.size};
    if (d->line == 1 && dd_text_begins(line, "\xEF\xBB\xBF")) line = dd_text_skip(line, 3);
    while (line.size > 0 && is_white(line.data[line.size - 1])) line.size--;
    return line;
}

/* The same, but passes over empty lines; *line is a view. */
static dd_status next_line(dd_documents *d, dd_feed *feed, dd_text *line, dd_error *error)
{
    for (;;) {
        dd_status status = take_line(d, feed, error);
        if (status != DD_OK || feed->dry) return status;
        *line = trim_line(d);
        if (line->size > 0) return DD_OK;
        d->bytes.size = 0;
        d->line++;
    }
}

/* ---- fields ------------------------------------------------------------------------------- */

static const dd_value *member(const dd_value *object, const char *key, size_t size)
{
    for (size_t i = 0; object->kind == DD_JSON_OBJECT && i < object->count; i++)
        if (strlen(object->values[i].key) == size && memcmp(object->values[i].key, key, size) == 0)
            return &object->values[i];
    return NULL;
}

/* The value at a path such as a.b: of that key, or else within the value of the key before the
 * first dot. *top is the member of the object that it is, or is in. NULL: there is none. */
static const dd_value *find(const dd_value *object, const char *path, const dd_value **top)
{
    const dd_value *found = member(object, path, strlen(path));
    *top = found;
    if (found) return found;
    const char *dot = strchr(path, '.');
    const dd_value *inner = dot ? member(object, path, (size_t)(dot - path)) : NULL, *ignored;
    found = inner ? find(inner, dot + 1, &ignored) : NULL;
    if (found) *top = inner;
    return found;
}

/* What is wrong with a line; the byte counts from 1 in the line as it is. */
static dd_status fail(const dd_documents *d, const dd_feed *feed, const char *at, dd_error *error,
                      const char *what, const char *name)
{
    return dd_fail_at(error, DD_ERROR_FORMAT, dd_source_name(feed->source), d->line, 0,
                      "byte %zu: the field '%s' %s", (size_t)(at - d->bytes.data) + 1,
                      dd_quote_text((dd_text){name, strlen(name)}).text, what);
}

/* A document as it stands in its line. */
typedef struct record {
    dd_value object;
    const dd_value *text, *text_top, *id, *id_top; /* id NULL: it has none */
} record;

static dd_status find_id(const dd_documents *d, const dd_feed *feed, record *r, dd_error *error)
{
    const char *name = d->id ? d->id : "id";
    r->id = find(&r->object, name, &r->id_top);
    if (!r->id && d->id) return fail(d, feed, r->object.source.data, error, "is missing", name);
    bool string = r->id && r->id->kind == DD_JSON_STRING;
    if (string && !dd_rule_label((dd_text){r->id->string, strlen(r->id->string)}))
        return fail(d, feed, r->id->source.data, error, "is empty or has control characters", name);
    if (string || (r->id && r->id->kind == DD_JSON_NUMBER)) return DD_OK;
    if (r->id && d->id)
        return fail(d, feed, r->id->source.data, error, "is neither a string nor a number", name);
    r->id = r->id_top = NULL;
    return DD_OK;
}

static dd_status find_fields(const dd_documents *d, const dd_feed *feed, record *r, dd_error *error)
{
    const char *start = r->object.source.data;
    if (r->object.kind != DD_JSON_OBJECT)
        return dd_fail_at(error, DD_ERROR_FORMAT, dd_source_name(feed->source), d->line, 0,
                          "byte %zu: not an object, as a document is",
                          (size_t)(start - d->bytes.data) + 1);
    r->text = find(&r->object, d->field, &r->text_top);
    if (!r->text) return fail(d, feed, start, error, "is missing; 'field' names another", d->field);
    if (r->text->kind != DD_JSON_STRING)
        return fail(d, feed, r->text->source.data, error, "is not a string", d->field);
    return find_id(d, feed, r, error);
}

/* ---- what is carried ---------------------------------------------------------------------- */

static bool append(dd_buffer *out, dd_text text)
{
    return dd_buffer_append(out, text.data, text.size);
}

/* The members as they were read, for documents that are written in JSON lines. */
static bool keep_members(dd_documents *d, const dd_value *object)
{
    bool ok = true;
    d->members.size = 0;
    for (size_t i = 0; i < object->count && ok; i++) {
        const dd_value *item = &object->values[i];
        if (strcmp(item->key, added_key) == 0) continue;
        ok = (d->members.size == 0 || dd_buffer_text(&d->members, ",")) &&
             append(&d->members, item->key_source) && dd_buffer_text(&d->members, ":") &&
             append(&d->members, item->source);
    }
    return ok;
}

/* A string as it is, if it can stand in a comment, else its JSON, of which only white space can be
 * a control character. */
static bool append_shown(dd_buffer *out, const char *string, dd_text source)
{
    dd_text plain = {string, string ? strlen(string) : 0};
    bool ok = true;
    if (string && dd_rule_label(plain)) return append(out, plain);
    for (size_t i = 0; i < source.size && ok; i++)
        if ((unsigned char)source.data[i] >= 0x20) ok = dd_buffer_append(out, source.data + i, 1);
    return ok;
}

/* The members as comments, but for text and id. */
static bool keep_comments(dd_documents *d, const record *r)
{
    bool ok = true;
    d->comments.size = 0;
    for (size_t i = 0; i < r->object.count && ok; i++) {
        const dd_value *item = &r->object.values[i];
        if (item == r->text_top || item == r->id_top || strcmp(item->key, added_key) == 0) continue;
        ok = dd_buffer_text(&d->comments, DD_CARRIED_COMMENT) &&
             append_shown(&d->comments, item->key, item->key_source) &&
             dd_buffer_text(&d->comments, " = ") &&
             append_shown(&d->comments, dd_value_string(item), item->source) &&
             dd_buffer_text(&d->comments, "\n");
    }
    return ok;
}

/* The document's id, and the same without white space for the sentences. */
static bool keep_id(dd_documents *d, const dd_value *id)
{
    dd_buffer *name = &d->name, *plain = &d->sent_id;
    name->size = plain->size = 0;
    bool ok = id ? append_shown(name, dd_value_string(id), id->source)
                 : dd_buffer_printf(name, "%s%s%llu", d->prefix ? d->prefix : "",
                                    d->prefix ? "-" : "", (unsigned long long)d->line);
    dd_text rest = {name->data, name->size};
    while (ok && rest.size > 0) {
        size_t white = dd_white_size(rest), size = white > 0 ? white : 1;
        ok = dd_buffer_append(plain, white > 0 ? "_" : rest.data, 1);
        rest = dd_text_skip(rest, size);
    }
    return ok;
}

/* Begins the document; nothing of its line is needed any more. */
static bool begin(dd_documents *d, record *r)
{
    dd_value *text = (dd_value *)r->text; /* of r->object, which is not const */
    if (!keep_members(d, &r->object) || !keep_comments(d, r) || !keep_id(d, r->id)) return false;
    free(d->text);
    d->text = text->string;
    text->kind = DD_JSON_NULL;
    d->feed = (dd_feed){.chunk = {d->text, strlen(d->text)}};
    d->text_line = d->line;
    d->begins = true;
    return dd_plain_restart(d->plain, (dd_text){d->name.data, d->name.size},
                            (dd_text){d->sent_id.data, d->sent_id.size},
                            (dd_text){d->comments.data, d->comments.size});
}

/* ---- documents ---------------------------------------------------------------------------- */

static dd_status read_document(dd_documents *d, const dd_feed *feed, dd_text line, dd_error *error)
{
    record r = {0};
    dd_error why;
    dd_status status = dd_value_read(&r.object, line, DD_JSON_MOST_VALUES, &why);
    if (status != DD_OK)
        return status == DD_ERROR_FORMAT ? dd_fail_at(error, status, dd_source_name(feed->source),
                                                      d->line, 0, "%s", why.message)
                                         : dd_fail_memory(error);
    status = find_fields(d, feed, &r, error);
    size_t text_at = status == DD_OK ? (size_t)(r.text->source.data - d->bytes.data) : 0;
    if (status == DD_OK && !begin(d, &r)) status = dd_fail_memory(error);
    dd_value_free(&r.object);
    if (status == DD_OK) status = dd_plain_more(d->plain, &d->feed, error);
    if (status != DD_END) return status;
    return fail(d, feed, d->bytes.data + text_at, error, "has no text", d->field);
}

/* The sentence holds the bytes of a line that is no document, and behind them an empty line, which
 * parts it from others in CoNLL-U. */
static bool keep_bad(const dd_documents *d, dd_sentence *sentence)
{
    dd_buffer *raw = &sentence->origin.raw;
    bool ended = d->bytes.data[d->bytes.size - 1] == '\n';
    raw->size = 0;
    sentence->origin.line = d->line;
    sentence->origin.format = DD_FORMAT_JSONL;
    dd_sentence_set_position(sentence, d->line);
    return dd_buffer_append(raw, d->bytes.data, d->bytes.size) &&
           dd_buffer_text(raw, ended ? "\n" : "\n\n");
}

static dd_status next_document(dd_documents *d, dd_feed *feed, dd_sentence *sentence,
                               dd_error *error)
{
    dd_text line;
    dd_status status = next_line(d, feed, &line, error);
    if (status != DD_OK || feed->dry) return status;
    status = read_document(d, feed, line, error);
    if (status == DD_ERROR_FORMAT && !keep_bad(d, sentence)) status = dd_fail_memory(error);
    d->inside = status == DD_OK;
    d->bytes.size = 0;
    d->line++;
    return status;
}

/* Marks the sentence with its place in the document. */
static dd_status place(dd_documents *d, dd_sentence *sentence, dd_error *error)
{
    dd_sentence_document *document = &sentence->document;
    sentence->origin.line = d->text_line;
    document->begins = d->begins;
    if (d->begins && !append(&document->members, (dd_text){d->members.data, d->members.size}))
        return dd_fail_memory(error);
    d->begins = false;
    dd_status status = dd_plain_more(d->plain, &d->feed, error);
    document->ends = status == DD_END;
    d->inside = status == DD_OK;
    return status == DD_END ? DD_OK : status;
}

static dd_status next_sentence(void *state, dd_feed *feed, dd_sentence *sentence, dd_error *error)
{
    dd_documents *d = state;
    dd_status status = d->inside ? DD_OK : next_document(d, feed, sentence, error);
    if (status != DD_OK || feed->dry) return status;
    status = dd_plain_next(d->plain, &d->feed, sentence, error);
    return status == DD_OK ? place(d, sentence, error) : status;
}

static uint64_t count_broken(const void *state, dd_error *first)
{
    (void)state;
    (void)first;
    return 0;
}

static dd_status find_paragraphs(void *state, dd_feed *feed, dd_paragraphs *out, dd_error *error)
{
    (void)feed;
    (void)error;
    *out = ((const dd_documents *)state)->paragraphs;
    return DD_OK;
}

dd_sentence_maker dd_documents_maker(dd_documents *documents)
{
    return (dd_sentence_maker){.format = DD_FORMAT_JSONL,
                               .state = documents,
                               .next = next_sentence,
                               .broken = count_broken,
                               .paragraphs = find_paragraphs,
                               .free = free_documents};
}
