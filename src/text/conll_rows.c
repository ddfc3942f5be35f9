#include "text/conll.h"

#include "core/strings.h"
#include "text/utf8.h"

bool dd_conll_line(dd_text *rest, dd_text *line)
{
    if (rest->size == 0) return false;
    *line = dd_text_cut(rest, '\n');
    if (line->size > 0 && line->data[line->size - 1] == '\r') line->size--;
    return line->size > 0;
}

bool dd_conll_comment(dd_text *rest, dd_text *line)
{
    return dd_conll_line(rest, line) && line->data[0] == '#';
}

bool dd_conll_next(dd_text *rest, dd_conll_row *out)
{
    dd_text line;
    do
        if (!dd_conll_line(rest, &line)) return false;
    while (line.data[0] == '#');
    for (int column = 0; column < DD_COLUMNS; column++)
        out->cells[column] = dd_text_cut(&line, '\t');
    out->kind = dd_rule_id(out->cells[DD_ID], &out->first, &out->second);
    return true;
}

bool dd_conll_token(dd_text *rest, int *end, dd_conll_row *out)
{
    while (dd_conll_next(rest, out)) {
        bool starts = out->kind == DD_ID_RANGE || (out->kind == DD_ID_WORD && out->first > *end);
        if (out->kind == DD_ID_RANGE) *end = out->second;
        if (starts) return true;
    }
    return false;
}

bool dd_conll_misc(dd_text misc, const char *name, dd_text *value)
{
    while (misc.size > 0) {
        *value = dd_text_cut(&misc, '|');
        if (!dd_text_begins(*value, name)) continue;
        *value = dd_text_skip(*value, strlen(name));
        return true;
    }
    return false;
}

bool dd_conll_find_comment(dd_text tree, const char *key, dd_text *value)
{
    dd_text line;
    while (dd_conll_comment(&tree, &line))
        if (dd_comment_value(line, key, value)) return true;
    return false;
}

static bool join_tokens(dd_text tree, dd_buffer *out)
{
    dd_conll_row token;
    int end = 0;
    bool space = false;
    out->size = 0;
    while (dd_conll_token(&tree, &end, &token)) {
        dd_text form = token.cells[DD_FORM], after;
        if ((space && !dd_buffer_text(out, " ")) || !dd_buffer_append(out, form.data, form.size))
            return false;
        space = !(dd_conll_misc(token.cells[DD_MISC], "SpaceAfter=", &after) &&
                  dd_text_is(after, "No"));
    }
    return true;
}

bool dd_conll_text(dd_text tree, dd_buffer *space, dd_text *out)
{
    if (dd_conll_find_comment(tree, "text", out) && out->size > 0) return true;
    bool made = join_tokens(tree, space);
    *out = (dd_text){space->data, space->size};
    return made;
}

/* ---- where tokens are in the text --------------------------------------------------------- */

int64_t dd_count_characters(dd_text text)
{
    int64_t count = 0;
    for (size_t i = 0; i < text.size; i++) count += ((unsigned char)text.data[i] & 0xC0) != 0x80;
    return count;
}

static void skip(dd_place *at, size_t size, int64_t characters)
{
    at->rest = dd_text_skip(at->rest, size);
    at->byte += (int64_t)size;
    at->character += characters;
}

bool dd_place_pass(dd_place *at, dd_text form)
{
    while (!at->lost) {
        dd_text here = {at->rest.data, form.size};
        if (form.size <= at->rest.size && dd_text_same(here, form)) {
            skip(at, form.size, dd_count_characters(form));
            return true;
        }
        size_t white = dd_white_size(at->rest);
        at->lost = white == 0;
        skip(at, white, 1);
    }
    return false;
}
