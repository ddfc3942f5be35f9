#include "text/json.h"

#include "core/strings.h"
#include "text/conll.h"
#include "text/utf8.h"

#include <dodona_tools.h>
#include <string.h>

typedef struct json_line {
    dd_buffer *out;
    bool failed; /* allocation failed, and nothing is appended any more */
} json_line;

static void append(json_line *json, const char *data, size_t size)
{
    if (!json->failed) json->failed = !dd_buffer_append(json->out, data, size);
}

static void put_raw(json_line *json, const char *text)
{
    append(json, text, strlen(text));
}

static void put_whole(json_line *json, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    append(json, digits + at, sizeof digits - at);
}

/* ---- strings ------------------------------------------------------------------------------ */

static void escape(json_line *json, uint32_t code)
{
    static const char digits[] = "0123456789abcdef";
    char text[] = {'\\',
                   'u',
                   digits[code >> 12 & 15],
                   digits[code >> 8 & 15],
                   digits[code >> 4 & 15],
                   digits[code & 15]};
    char quoted[] = {'\\', (char)code};
    if (code == '"' || code == '\\')
        append(json, quoted, sizeof quoted);
    else
        append(json, text, sizeof text);
}

static bool is_plain_byte(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/* Decodes the character at the start of bytes that are not plain; *escaped: it must be escaped. */
static size_t look(const char *data, size_t size, uint32_t *code, bool *escaped)
{
    *code = (unsigned char)data[0];
    *escaped = true;
    if (*code < 0x80) return 1;
    bool broken;
    size_t used = dd_char_decode(data, size, code, &broken);
    *escaped = broken || *code == 0x85 || *code == 0x2028 || *code == 0x2029;
    return used;
}

/* Quoted and escaped. What is not UTF-8 becomes U+FFFD, and every character that some programs take
 * for the end of a line is escaped, so that one line of JSON is one line to all. */
static void put_string(json_line *json, dd_text text)
{
    size_t done = 0, at = 0;
    append(json, "\"", 1);
    while (at < text.size) {
        uint32_t code;
        bool escaped;
        if (is_plain_byte((unsigned char)text.data[at])) {
            at++;
            continue;
        }
        size_t used = look(text.data + at, text.size - at, &code, &escaped);
        if (escaped) {
            append(json, text.data + done, at - done);
            escape(json, code);
            done = at + used;
        }
        at += used;
    }
    if (done < text.size) append(json, text.data + done, text.size - done);
    append(json, "\"", 1);
}

dd_status dd_text_json(dd_text text, dd_buffer *out, dd_error *error)
{
    json_line json = {.out = out};
    size_t before = out->size;
    put_string(&json, text);
    if (!json.failed) return DD_OK;
    out->size = before;
    return dd_fail_memory(error);
}

/* ---- numbers ------------------------------------------------------------------------------ */

/* Skips digits; returns their end, or NULL if there are none. */
static const char *skip_digits(const char *at, const char *end)
{
    const char *start = at;
    while (at < end && *at >= '0' && *at <= '9') at++;
    return at > start ? at : NULL;
}

bool dd_json_is_number(dd_text text)
{
    const char *at = text.data, *end = at + text.size;
    if (at < end && *at == '-') at++;
    bool zero = at < end && *at == '0';
    at = zero ? at + 1 : skip_digits(at, end);
    if (at && at < end && *at == '.') at = skip_digits(at + 1, end);
    if (at && at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < end && (*at == '+' || *at == '-')) at++;
        at = skip_digits(at, end);
    }
    return at && at == end;
}

/* ---- a sentence --------------------------------------------------------------------------- */

static void write_key(json_line *json, const char *key)
{
    put_raw(json, ",\"");
    put_raw(json, key);
    put_raw(json, "\":");
}

static void write_cell(json_line *json, const char *key, dd_text cell)
{
    write_key(json, key);
    if (dd_rule_is_blank(cell))
        put_raw(json, "null");
    else
        put_string(json, cell);
}

static void write_head(json_line *json, dd_text cell)
{
    int head = dd_rule_number(cell);
    write_key(json, "head");
    if (head < 0)
        put_raw(json, "null");
    else
        put_whole(json, (uint64_t)head);
}

/* Margins can be infinite, which JSON cannot express. */
static void write_number(json_line *json, const char *key, dd_text value)
{
    write_key(json, key);
    if (dd_json_is_number(value))
        json->failed = json->failed || !dd_buffer_append(json->out, value.data, value.size);
    else
        put_raw(json, "null");
}

/* Writes all columns but ID. FORM is never missing: `_` is a word there. */
static void write_columns(json_line *json, const dd_conll_row *word)
{
    static const char *const keys[] = {
        [DD_LEMMA] = "lemma", [DD_UPOS] = "upos", [DD_XPOS] = "xpos", [DD_FEATS] = "feats"};
    dd_text value;
    write_key(json, "form");
    put_string(json, word->cells[DD_FORM]);
    for (int column = DD_LEMMA; column <= DD_FEATS; column++)
        write_cell(json, keys[column], word->cells[column]);
    write_head(json, word->cells[DD_HEAD]);
    write_cell(json, "deprel", word->cells[DD_DEPREL]);
    write_cell(json, "deps", word->cells[DD_DEPS]);
    write_cell(json, "misc", word->cells[DD_MISC]);
    if (dd_conll_misc(word->cells[DD_MISC], "Score=", &value)) write_number(json, "score", value);
    if (dd_conll_misc(word->cells[DD_MISC], "Prob=", &value))
        write_number(json, "probability", value);
}

static void write_nodes(json_line *json, const char *key, dd_text tree, dd_id_kind kind)
{
    dd_conll_row node;
    const char *before = "{\"id\":";
    write_key(json, key);
    put_raw(json, "[");
    while (dd_conll_next(&tree, &node)) {
        if (node.kind != kind) continue;
        put_raw(json, before);
        if (kind == DD_ID_WORD)
            put_whole(json, (uint64_t)node.first);
        else
            put_string(json, node.cells[DD_ID]);
        write_columns(json, &node);
        put_raw(json, "}");
        before = ",{\"id\":";
    }
    put_raw(json, "]");
}

static void write_place(json_line *json, dd_place *at, dd_text form)
{
    bool found = dd_place_pass(at, form);
    write_key(json, "start");
    if (!found) {
        put_raw(json, "null,\"end\":null");
        return;
    }
    put_whole(json, (uint64_t)(at->character - dd_count_characters(form)));
    write_key(json, "end");
    put_whole(json, (uint64_t)at->character);
}

static void write_token(json_line *json, const dd_conll_row *token, dd_place *at)
{
    int last = token->kind == DD_ID_RANGE ? token->second : token->first;
    put_raw(json, "{\"form\":");
    put_string(json, token->cells[DD_FORM]);
    write_place(json, at, token->cells[DD_FORM]);
    write_key(json, "words");
    for (int word = token->first; word <= last; word++) {
        put_raw(json, word == token->first ? "[" : ",");
        put_whole(json, (uint64_t)word);
    }
    put_raw(json, "]");
    if (token->kind == DD_ID_RANGE) {
        write_cell(json, "feats", token->cells[DD_FEATS]);
        write_cell(json, "misc", token->cells[DD_MISC]);
    }
    put_raw(json, "}");
}

static void write_tokens(json_line *json, dd_text tree, dd_text text)
{
    dd_conll_row token;
    int end = 0;
    dd_place at = {.rest = text};
    const char *before = "";
    write_key(json, "tokens");
    put_raw(json, "[");
    while (dd_conll_token(&tree, &end, &token)) {
        put_raw(json, before);
        write_token(json, &token, &at);
        before = ",";
    }
    put_raw(json, "]");
}

/* Whether the comment tells of a document whose object tells the same. */
static bool is_of_document(const dd_json_space *space, const dd_sentence *sentence, dd_text line)
{
    dd_text id;
    bool carried = sentence->document.begins && dd_text_begins(line, DD_CARRIED_COMMENT);
    return space->open && (carried || dd_comment_newdoc(line, &id));
}

static void write_comments(json_line *json, const dd_sentence *sentence, dd_text tree,
                           const dd_json_space *space)
{
    dd_text line;
    const char *before = "";
    write_key(json, "comments");
    put_raw(json, "[");
    while (dd_conll_comment(&tree, &line)) {
        if (is_of_document(space, sentence, line)) continue;
        put_raw(json, before);
        put_string(json, line);
        before = ",";
    }
    put_raw(json, "]");
}

static void write_id(json_line *json, const dd_sentence *sentence)
{
    put_raw(json, "{\"sent_id\":");
    put_string(json, dd_sentence_id(sentence));
}

/* Either both comments are present or none. */
static void write_rank(json_line *json, dd_text tree)
{
    dd_text rank, score;
    if (!dd_conll_find_comment(tree, "nbest", &rank) ||
        !dd_conll_find_comment(tree, "score", &score))
        return;
    write_number(json, "nbest", rank);
    write_number(json, "score", score);
}

static void write_tree(json_line *json, const dd_sentence *sentence, dd_text tree,
                       dd_json_space *space)
{
    dd_text text;
    json->failed = json->failed || !dd_conll_text(tree, &space->text, &text);
    if (json->failed) return;
    write_id(json, sentence);
    write_rank(json, tree);
    write_key(json, "text");
    put_string(json, text);
    write_comments(json, sentence, tree, space);
    write_tokens(json, tree, text);
    write_nodes(json, "words", tree, DD_ID_WORD);
    write_nodes(json, "empty_nodes", tree, DD_ID_EMPTY);
    put_raw(json, "}");
}

/* The bytes of a malformed sentence, without the empty line that was put behind a line of JSON
 * lines for CoNLL-U. */
static dd_text read_bytes(const dd_sentence *sentence)
{
    size_t more = sentence->origin.format == DD_FORMAT_JSONL;
    return (dd_text){sentence->origin.raw.data, sentence->origin.raw.size - more};
}

/* Writes a malformed sentence, of which only the bytes are known. */
static void write_malformed(json_line *json, const dd_sentence *sentence)
{
    write_id(json, sentence);
    write_key(json, "line");
    put_whole(json, sentence->origin.line);
    write_key(json, "malformed");
    put_string(json, read_bytes(sentence));
    put_raw(json, "}");
}

/* Cuts the first tree off a list; each ends with its empty line. */
static dd_text cut_tree(dd_text *rest)
{
    dd_text tree = *rest, line;
    while (dd_conll_line(rest, &line)) {
    }
    tree.size = (size_t)(rest->data - tree.data);
    return tree;
}

/* All trees of the sentence, or the bytes of a malformed one, with `between` them. */
static void write_trees(json_line *json, const dd_sentence *sentence, dd_json_space *space,
                        const char *between)
{
    dd_text rest;
    json->failed = json->failed || !dd_sentence_text(sentence, &space->conllu, &rest);
    if (json->failed) return;
    if (dd_has_bom(sentence)) rest = dd_text_skip(rest, DD_BOM_SIZE);
    if (sentence->n == 0) write_malformed(json, sentence);
    while (sentence->n > 0 && rest.size > 0 && !json->failed) {
        write_tree(json, sentence, cut_tree(&rest), space);
        if (rest.size > 0) put_raw(json, between);
    }
}

static bool finish(json_line *json, size_t before)
{
    if (json->failed) json->out->size = before;
    return !json->failed;
}

bool dd_sentence_append_json(const dd_sentence *sentence, dd_json_space *space, dd_buffer *out)
{
    json_line json = {.out = out};
    size_t before = out->size;
    if (sentence->origin.raw.size == 0) return true;
    write_trees(&json, sentence, space, "\n");
    put_raw(&json, "\n");
    return finish(&json, before);
}

/* ---- a document --------------------------------------------------------------------------- */

static const char document_end[] = "]}\n";

static bool begins_document(const dd_sentence *sentence, dd_text *id)
{
    const dd_buffer *lead = &sentence->edits.lead;
    dd_text text = dd_sentence_raw(sentence);
    *id = (dd_text){"", 0};
    if (sentence->n == 0) return false;
    if (lead->size > 0) return dd_comment_newdoc((dd_text){lead->data, lead->size}, id);
    return dd_conll_newdoc(dd_has_bom(sentence) ? dd_text_skip(text, DD_BOM_SIZE) : text, id);
}

/* Begins the object: with the members that were read, or the id of `# newdoc`. */
static void open_document(json_line *json, const dd_sentence *sentence, dd_text id)
{
    const dd_buffer *members = &sentence->document.members;
    put_raw(json, "{");
    if (members->size > 0) {
        append(json, members->data, members->size);
        put_raw(json, ",");
    } else if (id.size > 0) {
        put_raw(json, "\"id\":");
        put_string(json, id);
        put_raw(json, ",");
    }
    put_raw(json, "\"sentences\":[");
}

bool dd_sentence_append_document(const dd_sentence *sentence, dd_json_space *space, dd_buffer *out)
{
    json_line json = {.out = out};
    size_t before = out->size;
    bool was_open = space->open, line = sentence->origin.format == DD_FORMAT_JSONL;
    dd_text id;
    if (sentence->origin.raw.size == 0) return true;
    bool begins = begins_document(sentence, &id) || !was_open;
    if (was_open && (begins || line)) put_raw(&json, document_end);
    if (!line && begins) open_document(&json, sentence, id);
    if (!line && !begins) put_raw(&json, ",");
    space->open = !line;
    if (line)
        append(&json, read_bytes(sentence).data, read_bytes(sentence).size);
    else
        write_trees(&json, sentence, space, ",");
    if (sentence->document.ends) put_raw(&json, document_end);
    if (sentence->document.ends) space->open = false;
    if (json.failed) space->open = was_open;
    return finish(&json, before);
}

bool dd_document_close(dd_json_space *space, dd_buffer *out)
{
    if (space->open && !dd_buffer_text(out, document_end)) return false;
    space->open = false;
    return true;
}

void dd_json_space_free(dd_json_space *space)
{
    dd_buffer_free(&space->conllu);
    dd_buffer_free(&space->text);
}
