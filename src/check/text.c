/* text.c - comments: `# sent_id`, `# newdoc` and `# newpar`; `# text` against the tokens, and
 * SpaceAfter in MISC */
#include "check/check.h"
#include "core/memory.h"
#include "text/utf8.h"

#include <string.h>

/* ---- comments ------------------------------------------------------------------------------- */

static dd_text skip(dd_text text, size_t size)
{
    return (dd_text){text.data + size, text.size - size};
}

/* The comment behind its key; false if it begins with another one. */
static bool has_key(dd_text comment, const char *key, dd_text *rest)
{
    size_t size = strlen(key);
    if (comment.size < size || memcmp(comment.data, key, size) != 0) return false;
    *rest = skip(comment, size);
    if (rest->size == 0 || rest->data[0] == '=') return true;
    if (dd_white_size(*rest) == 0) return false;
    for (size_t white; (white = dd_white_size(*rest)) > 0;) *rest = skip(*rest, white);
    return true;
}

/* X of a comment `# KEY = X`; false if it is no such comment. */
static bool comment_value(dd_text comment, const char *key, dd_text *value)
{
    if (!has_key(comment, key, value) || value->size == 0 || value->data[0] != '=') return false;
    *value = skip(*value, 1);
    for (size_t white; (white = dd_white_size(*value)) > 0;) *value = skip(*value, white);
    return true;
}

/* The file's other sentences are known by their ids. */
static void check_repeated(dd_check *check, dd_text id, uint64_t line)
{
    int known = check->ids.count;
    int number = dd_vocab_add(&check->ids, id);
    bool made =
        number >= 0 && DD_RESERVE(&check->id_lines, &check->id_lines_capacity, (size_t)number + 1);
    if (!dd_check_room(check, made)) return;
    if (number < known)
        dd_check_found(check, DD_FAULT_SENT_ID_REPEATED, line, DD_NO_COLUMN,
                       "sent_id '%s' is already in line %llu", DD_QUOTE(id),
                       (unsigned long long)check->id_lines[number]);
    else
        check->id_lines[number] = line;
}

static bool has_white(dd_text text)
{
    for (; text.size; text = skip(text, 1))
        if (dd_white_size(text) > 0) return true;
    return false;
}

static void check_sent_id(dd_check *check)
{
    int count = 0;
    for (int i = 0; i < check->n_comments; i++) {
        dd_text id, comment = check->comments[i].text;
        uint64_t line = check->comments[i].line;
        if (!has_key(comment, "sent_id", &id)) continue;
        count++;
        bool has_value = comment_value(comment, "sent_id", &id);
        if (!has_value || id.size == 0)
            dd_check_found(check, DD_FAULT_SENT_ID_FORM, line, DD_NO_COLUMN,
                           "expected '# sent_id = ID'");
        else if (has_white(id))
            dd_check_found(check, DD_FAULT_SENT_ID_FORM, line, DD_NO_COLUMN,
                           "white space in sent_id '%s'", DD_QUOTE(id));
        if (count > 1)
            dd_check_found(check, DD_FAULT_SENT_ID_SEVERAL, line, DD_NO_COLUMN,
                           "a second # sent_id in one sentence");
        else if (has_value && id.size > 0)
            check_repeated(check, id, line);
    }
    if (count == 0)
        dd_check_found(check, DD_FAULT_SENT_ID_MISSING, dd_sentence_line(check->sentence),
                       DD_NO_COLUMN, "the sentence has no # sent_id");
}

static void check_beginnings(dd_check *check)
{
    static const char *const keys[] = {"newdoc", "newpar"};
    uint64_t first = 0;
    for (int key = 0; key < 2; key++) {
        int count = 0;
        for (int i = 0; i < check->n_comments; i++) {
            dd_text rest;
            if (!has_key(check->comments[i].text, keys[key], &rest)) continue;
            if (!first) first = check->comments[i].line;
            if (++count > 1)
                dd_check_found(check, DD_FAULT_NEWPAR_SEVERAL, check->comments[i].line,
                               DD_NO_COLUMN, "a second # %s in one sentence", keys[key]);
        }
    }
    if (first && check->glued)
        dd_check_found(check, DD_FAULT_NEWPAR_SPACE, first, DD_NO_COLUMN,
                       "a paragraph starts here, but the token before it has SpaceAfter=No");
}

void dd_check_comments(dd_check *check)
{
    if (check->level < 2 || check->n_rows + check->n_comments == 0) return;
    check_sent_id(check);
    check_beginnings(check);
}

/* ---- SpaceAfter ---------------------------------------------------------------------------- */

static bool says_no_space(const dd_check_row *row)
{
    return dd_check_has(row->cells[DD_MISC], "SpaceAfter=No");
}

static void check_space_after(dd_check *check, const dd_check_row *row, bool is_token)
{
    static const char name[] = "SpaceAfter=";
    int count = dd_check_split(check, row->cells[DD_MISC], '|');
    for (int i = 0; i < count; i++) {
        dd_text item = check->items[i];
        if (item.size < sizeof name - 1 || memcmp(item.data, name, sizeof name - 1) != 0) continue;
        if (!dd_check_equals(item, "SpaceAfter=No"))
            dd_check_found(check, DD_FAULT_SPACE_AFTER_VALUE, row->line, DD_MISC,
                           "'%s': the only value of SpaceAfter is No", DD_QUOTE(item));
        else if (!is_token)
            dd_check_found(check, DD_FAULT_SPACE_AFTER_PLACE, row->line, DD_MISC,
                           "SpaceAfter=No of %s",
                           row->kind == DD_ID_EMPTY ? "an empty node, which is not in the text"
                                                    : "a word within a range, which ends no token");
    }
}

/* ---- the text ------------------------------------------------------------------------------ */

/* Removes the token from the start of the text; false if the text continues otherwise. */
static bool take_token(dd_check *check, const dd_check_row *row, dd_text *text, bool last)
{
    dd_text form = row->cells[DD_FORM];
    dd_quote id = dd_quote_text(row->cells[DD_ID]);
    if (form.size > text->size || memcmp(form.data, text->data, form.size) != 0) {
        dd_check_found(check, DD_FAULT_TEXT_TOKENS, row->line, DD_FORM,
                       "# text continues with '%s' where token %s is '%s'", DD_QUOTE(*text),
                       id.text, DD_QUOTE(form));
        return false;
    }
    *text = skip(*text, form.size);
    bool space = dd_white_size(*text) > 0, no = says_no_space(row);
    if (!last && text->size > 0 && space == no)
        dd_check_found(check, DD_FAULT_SPACE_AFTER, row->line, DD_MISC,
                       no ? "token %s has SpaceAfter=No, but # text has a space after it"
                          : "token %s has no SpaceAfter=No, but # text has no space after it",
                       id.text);
    for (size_t size; (size = dd_white_size(*text)) > 0;) *text = skip(*text, size);
    return true;
}

/* The row of the token that follows; n_rows if there is none. `end` is the last word of the range
 * that was last. */
static int next_token(const dd_check *check, int row, int *end)
{
    for (row++; row < check->n_rows; row++) {
        const dd_check_row *at = &check->rows[row];
        if (at->kind == DD_ID_RANGE) {
            *end = at->second;
            return row;
        }
        if (at->kind == DD_ID_WORD && at->first > *end) return row;
    }
    return row;
}

static void compare(dd_check *check, const dd_check_comment *comment, dd_text text)
{
    int end = 0;
    for (int row = next_token(check, -1, &end); row < check->n_rows;) {
        int next = next_token(check, row, &end);
        if (!take_token(check, &check->rows[row], &text, next == check->n_rows)) return;
        row = next;
    }
    if (text.size > 0)
        dd_check_found(check, DD_FAULT_TEXT_TOKENS, comment->line, DD_NO_COLUMN,
                       "# text has '%s' after the last token", DD_QUOTE(text));
}

/* Returns whether the last token says SpaceAfter=No. */
static bool check_misc(dd_check *check)
{
    bool glued = false;
    int end = 0, token = next_token(check, -1, &end);
    for (int row = 0; row < check->n_rows && check->status == DD_OK; row++) {
        bool is_token = row == token;
        check_space_after(check, &check->rows[row], is_token);
        if (!is_token) continue;
        glued = says_no_space(&check->rows[row]);
        token = next_token(check, row, &end);
    }
    return glued;
}

void dd_check_text(dd_check *check)
{
    if (check->level < 2 || check->n_rows == 0) return;
    int count = 0;
    const dd_check_comment *comment = NULL;
    dd_text text = {NULL, 0};
    for (int i = 0; i < check->n_comments; i++) {
        dd_text value;
        if (!comment_value(check->comments[i].text, "text", &value)) continue;
        if (++count > 1)
            dd_check_found(check, DD_FAULT_TEXT_SEVERAL, check->comments[i].line, DD_NO_COLUMN,
                           "a second # text in one sentence");
        else
            comment = &check->comments[i], text = value;
    }
    if (!comment)
        dd_check_found(check, DD_FAULT_TEXT_MISSING, dd_sentence_line(check->sentence),
                       DD_NO_COLUMN, "the sentence has no # text");
    else if (text.size == 0)
        dd_check_found(check, DD_FAULT_TEXT_MISSING, comment->line, DD_NO_COLUMN,
                       "# text is empty");
    bool tokens_whole = check->ids_whole && check->ranges_whole;
    check->glued = tokens_whole && check_misc(check);
    if (tokens_whole && count == 1 && text.size > 0) compare(check, comment, text);
}
