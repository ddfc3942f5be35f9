/* Comments: `# sent_id`, `# newdoc` and `# newpar`. */
#include "check/check.h"
#include "core/memory.h"
#include "text/utf8.h"

#include <string.h>

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

bool dd_check_comment_value(dd_text comment, const char *key, dd_text *value)
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
                       "sent_id '%s' stands in line %llu already", DD_QUOTE(id),
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
        bool has_value = dd_check_comment_value(comment, "sent_id", &id);
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
        dd_check_found(check, DD_FAULT_SENT_ID_MISSING, check->sentence->line, DD_NO_COLUMN,
                       "the sentence has no # sent_id");
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
