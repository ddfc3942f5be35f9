#include "segment/token_lists.h"

#include "core/bits.h"
#include "core/memory.h"
#include "core/status.h"
#include "text/io.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

static void free_list(dd_token_list *list)
{
    for (size_t i = 0; i < list->n_patterns; i++) dd_pattern_free(list->patterns[i]);
    free(list->patterns);
    dd_vocab_free(&list->forms);
    dd_buffer_free(&list->text);
    *list = (dd_token_list){0};
}

void dd_token_lists_free(dd_token_lists *lists)
{
    free_list(&lists->keep);
    free_list(&lists->abbreviations);
}

/* ---- reading ------------------------------------------------------------------------------ */

typedef struct reading {
    dd_token_list *list;
    const char *name;
    uint64_t line;
    dd_text whole; /* the line */
    dd_error *error;
} reading;

/* Columns count characters, from 1. */
static int column_of(const reading *r, const char *at)
{
    int column = 1;
    for (const char *c = r->whole.data; c < at; c++) column += ((unsigned char)*c & 0xC0) != 0x80;
    return column;
}

static dd_status fail(const reading *r, const char *at, const char *why)
{
    return dd_fail_at(r->error, DD_ERROR_FORMAT, r->name, r->line, 0, "column %d: %s",
                      column_of(r, at), why);
}

static dd_text trim(dd_text text)
{
    size_t white;
    while ((white = dd_white_size(text)) > 0) text = dd_text_skip(text, white);
    size_t end = 0;
    for (size_t at = 0; at < text.size;) {
        white = dd_white_size(dd_text_skip(text, at));
        at += white > 0 ? white : 1;
        if (white == 0) end = at;
    }
    text.size = end;
    return text;
}

static int count_characters(dd_text text)
{
    int count = 0;
    for (size_t i = 0; i < text.size; i++) count += ((unsigned char)text.data[i] & 0xC0) != 0x80;
    return count;
}

static dd_status add_form(reading *r, dd_text form)
{
    if (form.data[0] == '\\') form = dd_text_skip(form, 1);
    if (form.size == 0) return fail(r, form.data, "nothing after the backslash");
    for (size_t i = 0; i < form.size; i++)
        if (dd_white_size(dd_text_skip(form, i)) > 0)
            return fail(r, form.data + i, "a token has no white space");
    int size = count_characters(form);
    if (size > DD_PATTERN_LONGEST)
        return fail(r, form.data, "the form is longer than 100 characters");
    if (size > r->list->longest) r->list->longest = size;
    return dd_vocab_add(&r->list->forms, form) >= 0 ? DD_OK : dd_fail_memory(r->error);
}

static dd_status compile(reading *r, dd_text source, bool ignore_case)
{
    dd_token_list *list = r->list;
    dd_error why;
    size_t where = 0;
    dd_pattern *made;
    if (!DD_RESERVE(&list->patterns, &list->patterns_capacity, list->n_patterns + 1))
        return dd_fail_memory(r->error);
    dd_status status = dd_pattern_compile(&made, source, ignore_case, &where, &why);
    if (status == DD_ERROR_FORMAT) return fail(r, source.data + where, why.message);
    if (status != DD_OK) return dd_fail_memory(r->error);
    list->patterns[list->n_patterns++] = made;
    list->positions += dd_pattern_positions(made);
    return DD_OK;
}

/* `/../` or `/../i`; the last slash of the line closes the pattern. */
static dd_status add_pattern(reading *r, dd_text line)
{
    const dd_token_list *list = r->list;
    size_t close = line.size - 1;
    while (line.data[close] != '/') close--;
    if (close == 0)
        return fail(r, line.data,
                    "no slash closes the pattern; a form that begins with a slash is "
                    "written with a backslash before it");
    dd_text flags = dd_text_skip(line, close + 1);
    bool ignore_case = dd_text_is(flags, "i");
    if (flags.size > 0 && !ignore_case)
        return fail(r, flags.data,
                    "only i may follow a pattern; a form that begins with a "
                    "slash is written with a backslash before it");
    if (list->n_patterns == DD_LIST_PATTERNS) return fail(r, line.data, "more than 200 patterns");
    dd_status status = compile(r, (dd_text){line.data + 1, close - 1}, ignore_case);
    if (status == DD_OK && list->positions > DD_LIST_POSITIONS)
        return fail(r, line.data,
                    "the patterns are too large: together they have more than 2000 characters to "
                    "match");
    return status;
}

static dd_status read_line(reading *r)
{
    dd_text line = trim(r->whole);
    dd_buffer *text = &r->list->text;
    if (line.size == 0 || line.data[0] == '#') return DD_OK;
    dd_status status = line.data[0] == '/' ? add_pattern(r, line) : add_form(r, line);
    if (status != DD_OK) return status;
    if (text->size + line.size >= DD_LIST_BYTES) return fail(r, line.data, "the list is too long");
    return dd_buffer_append(text, line.data, line.size) && dd_buffer_append(text, "\n", 1)
               ? DD_OK
               : dd_fail_memory(r->error);
}

dd_status dd_token_list_read(dd_token_list *list, const char *name, dd_text lines, dd_error *error)
{
    reading r = {.list = list, .name = name, .error = error};
    dd_status status = DD_OK;
    if (dd_text_begins(lines, "\xEF\xBB\xBF")) lines = dd_text_skip(lines, 3);
    while (lines.size > 0 && status == DD_OK) {
        r.line++;
        r.whole = dd_text_cut(&lines, '\n');
        size_t valid = dd_utf8_check(r.whole);
        if (valid < r.whole.size)
            return fail(&r, r.whole.data + valid, dd_utf8_fault(dd_text_skip(r.whole, valid)));
        status = read_line(&r);
    }
    return status;
}

static dd_status read_all(dd_source *source, dd_buffer *out, dd_error *error)
{
    dd_text chunk;
    dd_status status;
    while ((status = dd_source_next(source, &chunk, error)) == DD_OK) {
        if (chunk.size > DD_LIST_BYTES - out->size)
            return dd_fail(error, DD_ERROR_DATA, "%.300s: larger than 1 MiB",
                           dd_source_name(source));
        if (!dd_buffer_append(out, chunk.data, chunk.size)) return dd_fail_memory(error);
    }
    return status == DD_END ? DD_OK : status;
}

dd_status dd_token_list_load(dd_token_list *list, const char *path, dd_error *error)
{
    dd_source *source;
    dd_buffer lines = {0};
    if (!path) return DD_OK;
    dd_status status = dd_source_open(&source, path, error);
    if (status != DD_OK) return status;
    status = read_all(source, &lines, error);
    if (status == DD_OK)
        status = dd_token_list_read(list, dd_source_name(source), (dd_text){lines.data, lines.size},
                                    error);
    dd_buffer_free(&lines);
    dd_source_close(source);
    return status;
}

bool dd_token_lists_are_empty(const dd_token_lists *lists)
{
    return lists->keep.text.size == 0 && lists->abbreviations.text.size == 0;
}

uint64_t dd_token_list_count(const dd_token_list *list)
{
    return (uint64_t)list->forms.count + list->n_patterns;
}

/* ---- in a model ---------------------------------------------------------------------------- */

bool dd_token_lists_write(const dd_token_lists *lists, dd_buffer *section)
{
    const dd_buffer *keep = &lists->keep.text, *abbreviations = &lists->abbreviations.text;
    return dd_block_put(section, DD_ALIGN_NUMBERS, keep->data, keep->size) &&
           dd_block_put(section, DD_ALIGN_NUMBERS, abbreviations->data, abbreviations->size);
}

dd_status dd_token_lists_read(dd_token_lists *lists, dd_text section, dd_error *error)
{
    dd_cursor cursor = {section, DD_ALIGN_NUMBERS, false};
    dd_text keep = dd_cursor_text(&cursor), abbreviations = dd_cursor_text(&cursor);
    if (!dd_cursor_ended(&cursor))
        return dd_fail(error, DD_ERROR_MODEL, "section '" DD_TOKEN_LISTS "' has the wrong size");
    dd_status status = dd_token_list_read(&lists->keep, "keep-tokens", keep, error);
    if (status == DD_OK)
        status = dd_token_list_read(&lists->abbreviations, "abbreviations", abbreviations, error);
    return status;
}

/* ---- in a text ----------------------------------------------------------------------------- */

/* Ideographs have no edges: in scripts that put no spaces between words a token may be anywhere. */
static bool is_in_word(const dd_unspaced *in, int at)
{
    if (at < in->start || at >= in->end) return false;
    uint8_t class = in->chars->classes[at];
    return dd_char_is_word(class) && class != DD_CHAR_IDEOGRAPH;
}

static bool is_stop(const dd_unspaced *in, int at)
{
    return at < in->end && in->chars->codes[at] == '.';
}

/* The full stop of U.S. is not the end if A follows. */
static bool may_end(const dd_unspaced *in, int end)
{
    return !is_in_word(in, end) || !(is_in_word(in, end - 1) || is_stop(in, end - 1));
}

/* Adds the lengths of the forms that begin there. */
static void match_forms(const dd_token_list *list, const dd_unspaced *in, int at,
                        dd_lengths *lengths)
{
    char form[4 * DD_PATTERN_LONGEST];
    size_t size = 0;
    int most = in->end - at < list->longest ? in->end - at : list->longest;
    for (int i = 0; i < most; i++) {
        size += (size_t)utf8proc_encode_char((utf8proc_int32_t)in->chars->codes[at + i],
                                             (utf8proc_uint8_t *)form + size);
        if ((may_end(in, at + i + 1) || is_stop(in, at + i + 1)) &&
            dd_vocab_find(&list->forms, (dd_text){form, size}) >= 0)
            dd_bits_add(lengths->bits, i + 1);
    }
}

/* The end of a match that the list accepts; `at`: it accepts none. */
typedef int end_rule(const dd_unspaced *in, int at, int end);

static int find_end(const dd_token_list *list, const dd_unspaced *in, int at, end_rule *judge)
{
    dd_lengths lengths = {0};
    bool inside = is_in_word(in, at - 1) && is_in_word(in, at);
    if (inside || list->text.size == 0) return at;
    match_forms(list, in, at, &lengths);
    for (size_t i = 0; i < list->n_patterns; i++)
        dd_pattern_match(list->patterns[i], in->chars, at, in->end, &lengths);
    for (int length = DD_PATTERN_LONGEST; length > 0; length--) {
        int end = dd_bits_has(lengths.bits, length) ? judge(in, at, at + length) : at;
        if (end > at) return end;
    }
    return at;
}

static int end_of_token(const dd_unspaced *in, int at, int end)
{
    return may_end(in, end) ? end : at;
}

/* Where another full stop follows, they are an ellipsis. */
static int end_of_abbreviation(const dd_unspaced *in, int at, int end)
{
    if (!is_stop(in, end - 1) && is_stop(in, end)) end++;
    return is_stop(in, end - 1) && !is_stop(in, end) && may_end(in, end) ? end : at;
}

int dd_token_list_end(const dd_token_list *list, const dd_unspaced *in, int at)
{
    return find_end(list, in, at, end_of_token);
}

int dd_abbreviation_end(const dd_token_list *list, const dd_unspaced *in, int at)
{
    return find_end(list, in, at, end_of_abbreviation);
}
