/* lines.c - lines, characters and the column ID: what can be told before the other columns are read
 */
#include "check/check.h"
#include "core/memory.h"
#include "text/conll.h"
#include "text/utf8.h"

#include <string.h>
#include <utf8proc.h>

/* ---- characters --------------------------------------------------------------------------- */

size_t dd_check_white_end(dd_text text)
{
    size_t size = 0;
    while (size < text.size && size < 4) {
        size++;
        if (((unsigned char)text.data[text.size - size] & 0xC0) != 0x80) break;
    }
    dd_text last = {text.data + text.size - size, size};
    return size && dd_white_size(last) == size ? size : 0;
}

/* Why a character should not be in a text; NULL if it may. */
static const char *bad_character(int32_t code)
{
    if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return "a control character";
    if (code == 0xFEFF) return "a byte order mark that does not begin the file";
    if (code == 0xFFFD) return "put where a character was lost";
    if (code == 0x2028 || code == 0x2029) return "an end of line";
    if ((code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF)) return "no character";
    return NULL;
}

static bool is_plain(char byte)
{
    return (byte >= ' ' && byte < 0x7F) || byte == '\t';
}

/* The first of each line is reported. Returns the highest code point. */
static int32_t check_characters(dd_check *check, dd_text line, uint64_t number)
{
    int32_t highest = 0;
    bool reported = false;
    for (size_t at = 0, size = 1; at < line.size; at += size, size = 1) {
        if (is_plain(line.data[at])) continue; /* most of them */
        int32_t code = dd_char_first((dd_text){line.data + at, line.size - at}, &size);
        if (code > highest) highest = code;
        const char *why = reported ? NULL : bad_character(code);
        if (!why) continue;
        dd_check_found(check, DD_FAULT_CHARACTER, number, DD_NO_COLUMN, "U+%04X is %s",
                       (unsigned)code, why);
        reported = true;
    }
    return highest;
}

/* Nothing below U+0300 composes or is put in another order. */
static void check_normal_form(dd_check *check, dd_text line, uint64_t number)
{
    const utf8proc_option_t how = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
    const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)line.data;
    utf8proc_ssize_t size = (utf8proc_ssize_t)line.size;
    utf8proc_ssize_t room = utf8proc_decompose(bytes, size, NULL, 0, how);
    if (room <= 0) return;
    if (!dd_check_room(check, DD_RESERVE(&check->codes, &check->codes_capacity, (size_t)room)))
        return;
    utf8proc_decompose(bytes, size, check->codes, room, how);
    utf8proc_ssize_t count = utf8proc_normalize_utf32(check->codes, room, how);
    size_t at = 0, used = 0;
    for (utf8proc_ssize_t i = 0; i < count; i++, at += used) {
        dd_text rest = {line.data + at, line.size - at};
        int32_t code = rest.size ? dd_char_first(rest, &used) : -1;
        if (code == check->codes[i]) continue;
        dd_check_found(check, DD_FAULT_NFC, number, DD_NO_COLUMN,
                       "not in normal form NFC from '%s' on, where U+%04X should be U+%04X",
                       DD_QUOTE(rest), (unsigned)code, (unsigned)check->codes[i]);
        return;
    }
}

static void check_bytes(dd_check *check, dd_text line, uint64_t number)
{
    size_t good = dd_utf8_check(line);
    if (good < line.size) {
        dd_text rest = {line.data + good, line.size - good};
        dd_check_found(check, DD_FAULT_UTF8, number, DD_NO_COLUMN, "%s at byte %zu of the line",
                       dd_utf8_fault(rest), good + 1);
        return;
    }
    if (check_characters(check, line, number) >= 0x300) check_normal_form(check, line, number);
}

/* ---- lines -------------------------------------------------------------------------------- */

static void add_row(dd_check *check, dd_text line, uint64_t number)
{
    size_t count = (size_t)check->n_rows;
    if (!dd_check_room(check, DD_RESERVE(&check->rows, &check->rows_capacity, count + 1))) return;
    dd_check_row *row = &check->rows[count];
    int columns = 0;
    const char *at = line.data, *end = line.data + line.size;
    for (const char *tab; at; at = tab ? tab + 1 : NULL, columns++) {
        tab = at < end ? memchr(at, '\t', (size_t)(end - at)) : NULL;
        if (columns < DD_COLUMNS)
            row->cells[columns] = (dd_text){at, (size_t)((tab ? tab : end) - at)};
    }
    if (columns != DD_COLUMNS) {
        check->rows_whole = false;
        dd_check_found(check, DD_FAULT_COLUMNS, number, DD_NO_COLUMN,
                       "%d column%s, but ten separated by tabs are expected", columns,
                       columns == 1 ? "" : "s");
        return;
    }
    row->line = number;
    row->kind = dd_rule_id(row->cells[DD_ID], &row->first, &row->second);
    check->n_rows++;
}

static void add_comment(dd_check *check, dd_text line, uint64_t number)
{
    if (check->n_rows > 0 || !check->rows_whole) {
        dd_check_found(check, DD_FAULT_COMMENT_PLACE, number, DD_NO_COLUMN,
                       "a comment after the sentence has begun");
        return;
    }
    size_t count = (size_t)check->n_comments;
    if (!dd_check_room(check, DD_RESERVE(&check->comments, &check->comments_capacity, count + 1)))
        return;
    dd_text text = {line.data + 1, line.size - 1};
    for (size_t size; (size = dd_white_size(text)) > 0;)
        text = (dd_text){text.data + size, text.size - size};
    for (size_t size; (size = dd_check_white_end(text)) > 0;) text.size -= size;
    check->comments[check->n_comments++] = (dd_check_comment){text, number};
}

/* What the reader takes as the end of a sentence. */
static bool is_white_line(dd_text line)
{
    size_t at = 0;
    while (at < line.size && strchr(" \t\r", line.data[at]) && line.data[at]) at++;
    return at == line.size;
}

static void check_empty_line(dd_check *check, dd_text line, uint64_t number)
{
    if (line.size > 0)
        dd_check_found(check, DD_FAULT_WHITE_LINE, number, DD_NO_COLUMN,
                       "white space in a line that should be empty");
    if (check->n_rows == 0 && check->rows_whole && check->n_comments == 0)
        dd_check_found(check, DD_FAULT_EMPTY_LINE, number, DD_NO_COLUMN,
                       "an empty line with no sentence before it");
}

static void check_line(dd_check *check, dd_text line, uint64_t number)
{
    check_bytes(check, line, number);
    if (is_white_line(line)) {
        check_empty_line(check, line, number);
        return;
    }
    /* A tab at the end is one column too many, or an empty one. */
    if (line.data[line.size - 1] != '\t' && dd_check_white_end(line) > 0)
        dd_check_found(check, DD_FAULT_TRAILING_SPACE, number, DD_NO_COLUMN,
                       "white space at the end of the line");
    if (line.data[0] == '#')
        add_comment(check, line, number);
    else
        add_row(check, line, number);
}

static void check_end(dd_check *check, uint64_t number, bool ended, bool empty)
{
    if (!empty)
        dd_check_found(check, DD_FAULT_FINAL_LINE, number, DD_NO_COLUMN,
                       ended ? "no empty line after the last sentence"
                             : "the file does not end with a newline and an empty line");
    for (int i = 0; i < check->n_rows; i++)
        if (check->rows[i].kind == DD_ID_WORD) return;
    if (check->rows_whole && check->n_rows + check->n_comments > 0)
        dd_check_found(check, DD_FAULT_NO_WORDS, dd_sentence_line(check->sentence), DD_NO_COLUMN,
                       "a sentence without words");
}

void dd_check_lines(dd_check *check)
{
    const dd_sentence *sentence = check->sentence;
    dd_text raw = dd_sentence_raw(sentence);
    const char *at = raw.data, *end = at + raw.size;
    uint64_t number = dd_sentence_line(sentence), last = number;
    bool ended = false, empty = false;
    check->n_rows = check->n_comments = 0;
    check->rows_whole = true;
    if (dd_has_bom(sentence)) {
        at += DD_BOM_SIZE;
        dd_check_found(check, DD_FAULT_BOM, number, DD_NO_COLUMN,
                       "the file starts with a byte order mark");
    }
    for (; at < end && check->status == DD_OK; number++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        dd_text line = {at, (size_t)((newline ? newline : end) - at)};
        if (newline && line.size && line.data[line.size - 1] == '\r') {
            line.size--;
            dd_check_found(check, DD_FAULT_CRLF, number, DD_NO_COLUMN,
                           "the line ends in CR LF instead of LF");
        }
        check_line(check, line, number);
        ended = newline != NULL;
        empty = ended && is_white_line(line);
        last = number;
        at = newline ? newline + 1 : end;
    }
    check_end(check, last, ended, empty);
}

/* ---- the column ID -------------------------------------------------------------------------- */

/* Words 1, 2, 3, ..., ranges before their first word, empty nodes after a word. */

typedef struct sequence {
    dd_check *check;
    int64_t word;                /* the last number seen, which may be the largest int */
    int64_t node;                /* the last empty node since that word */
    int range_first, range_last; /* the last good range; 0: none */
    uint64_t range_line;
} sequence;

static void take_word(sequence *s, const dd_check_row *row)
{
    if (row->first != s->word + 1) {
        s->check->ids_whole = false;
        dd_check_found(s->check, DD_FAULT_ID_ORDER, row->line, DD_ID, "word %s follows word %lld",
                       DD_QUOTE(row->cells[DD_ID]), (long long)s->word);
    }
    s->word = row->first;
    s->node = 0;
    s->check->n++;
}

static bool check_range(sequence *s, const dd_check_row *row)
{
    dd_quote id = dd_quote_text(row->cells[DD_ID]);
    dd_check *check = s->check;
    if (row->second <= row->first) {
        dd_check_found(check, DD_FAULT_RANGE_BACKWARD, row->line, DD_ID,
                       "range %s has fewer than two words", id.text);
        return false;
    }
    if (row->first <= s->range_last && row->second >= s->range_first) {
        dd_check_found(check, DD_FAULT_RANGE_OVERLAP, row->line, DD_ID,
                       "range %s overlaps range %d-%d", id.text, s->range_first, s->range_last);
        return false;
    }
    if (row->first != s->word + 1) {
        dd_check_found(check, DD_FAULT_RANGE_PLACE, row->line, DD_ID,
                       "range %s does not stand before its first word, but after word %lld",
                       id.text, (long long)s->word);
        return false;
    }
    return true;
}

static void take_range(sequence *s, const dd_check_row *row)
{
    s->node = 0;
    if (!check_range(s, row)) {
        s->check->ranges_whole = false;
        return;
    }
    s->range_first = row->first;
    s->range_last = row->second;
    s->range_line = row->line;
}

static void take_empty_node(sequence *s, const dd_check_row *row)
{
    dd_quote id = dd_quote_text(row->cells[DD_ID]);
    if (row->first != s->word || row->second != s->node + 1) {
        s->check->ids_whole = false;
        dd_check_found(s->check, DD_FAULT_EMPTY_NODE_ORDER, row->line, DD_ID,
                       "empty node %s is where %lld.%lld is expected", id.text, (long long)s->word,
                       (long long)s->node + 1);
    } else if (s->range_first == s->word + 1) {
        dd_check_found(s->check, DD_FAULT_EMPTY_NODE_PLACE, row->line, DD_ID,
                       "empty node %s is between range %d-%d and its first word", id.text,
                       s->range_first, s->range_last);
    }
    s->node = row->second;
}

static void take_row(sequence *s, const dd_check_row *row)
{
    switch (row->kind) {
    case DD_ID_WORD: take_word(s, row); break;
    case DD_ID_RANGE: take_range(s, row); break;
    case DD_ID_EMPTY: take_empty_node(s, row); break;
    case DD_ID_NONE:
        s->check->ids_whole = false;
        if (row->cells[DD_ID].size) /* else reported as an empty cell */
            dd_check_found(s->check, DD_FAULT_ID, row->line, DD_ID,
                           "'%s' is no word number, range or empty node",
                           DD_QUOTE(row->cells[DD_ID]));
    }
}

/* Where words and empty nodes stand. */
static void list_nodes(dd_check *check)
{
    size_t need = (size_t)check->n + 2, rows = (size_t)check->n_rows;
    if (!dd_check_room(check, DD_RESERVE(&check->words, &check->words_capacity, need) &&
                                  DD_RESERVE(&check->empties, &check->empties_capacity, need) &&
                                  DD_RESERVE(&check->nodes, &check->nodes_capacity, rows)))
        return;
    int n = 0, nodes = 0;
    check->words[0] = -1;
    check->empties[0] = 0;
    for (int i = 0; i < check->n_rows; i++) {
        if (check->rows[i].kind == DD_ID_EMPTY) check->nodes[nodes++] = i;
        if (check->rows[i].kind != DD_ID_WORD) continue;
        check->words[++n] = i;
        check->empties[n] = nodes;
    }
    check->empties[n + 1] = nodes;
}

void dd_check_ids(dd_check *check)
{
    sequence s = {.check = check};
    check->n = 0;
    check->ids_whole = check->ranges_whole = check->rows_whole;
    for (int i = 0; i < check->n_rows; i++) take_row(&s, &check->rows[i]);
    if (s.range_last > s.word) {
        check->ranges_whole = false;
        dd_check_found(check, DD_FAULT_RANGE_END, s.range_line, DD_ID,
                       "range %d-%d ends beyond the last word, %lld", s.range_first, s.range_last,
                       (long long)s.word);
    }
    if (check->n == 0) check->ids_whole = false;
    if (check->ids_whole) list_nodes(check);
}
