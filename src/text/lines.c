#include "text/lines.h"

#include "core/strings.h"
#include "text/block.h"

bool dd_next_line(dd_text *rest, dd_text *line)
{
    if (rest->size == 0) return false;
    *line = dd_text_cut(rest, '\n');
    if (line->size > 0 && line->data[line->size - 1] == '\r') line->size--;
    return line->size > 0;
}

bool dd_next_comment(dd_text *rest, dd_text *comment)
{
    return dd_next_line(rest, comment) && comment->data[0] == '#';
}

bool dd_next_row(dd_text *rest, dd_line *row)
{
    dd_text line;
    do
        if (!dd_next_line(rest, &line)) return false;
    while (line.data[0] == '#');
    for (int column = 0; column < DD_COLUMNS; column++)
        row->cells[column] = dd_text_cut(&line, '\t');
    row->kind = dd_rule_id(row->cells[DD_ID], &row->first, &row->second);
    return true;
}

bool dd_next_token(dd_text *rest, int *end, dd_line *token)
{
    while (dd_next_row(rest, token)) {
        bool starts =
            token->kind == DD_ID_RANGE || (token->kind == DD_ID_WORD && token->first > *end);
        if (token->kind == DD_ID_RANGE) *end = token->second;
        if (starts) return true;
    }
    return false;
}

bool dd_find_comment(dd_text tree, const char *key, dd_text *value)
{
    dd_text comment;
    while (dd_next_comment(&tree, &comment))
        if (dd_comment_value(comment, key, value)) return true;
    return false;
}

bool dd_misc_value(dd_text misc, const char *name, dd_text *value)
{
    while (misc.size > 0) {
        *value = dd_text_cut(&misc, '|');
        if (!dd_text_begins(*value, name)) continue;
        *value = dd_text_skip(*value, strlen(name));
        return true;
    }
    return false;
}

static bool join_tokens(dd_text tree, dd_buffer *out)
{
    dd_line token;
    int end = 0;
    bool space = false;
    out->size = 0;
    while (dd_next_token(&tree, &end, &token)) {
        dd_text form = token.cells[DD_FORM], after;
        if ((space && !dd_buffer_text(out, " ")) || !dd_buffer_append(out, form.data, form.size))
            return false;
        space = !(dd_misc_value(token.cells[DD_MISC], "SpaceAfter=", &after) &&
                  dd_text_is(after, "No"));
    }
    return true;
}

bool dd_running_text(dd_text tree, dd_buffer *space, dd_text *text)
{
    if (dd_find_comment(tree, "text", text) && text->size > 0) return true;
    if (!join_tokens(tree, space)) return false;
    *text = (dd_text){space->data, space->size};
    return true;
}
