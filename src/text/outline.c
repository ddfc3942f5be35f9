/* outline.c - one tree in CoNLL, line by line; what stands around the words of a sentence: its
 * text, and where tokens are in it; comments; empty nodes */
#include "core/memory.h"
#include "core/strings.h"
#include "text/conll.h"
#include "text/sentence.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>

/* ---- the lines of one tree ---------------------------------------------------------------- */

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

bool dd_conll_newdoc(dd_text tree, dd_text *id)
{
    dd_text line;
    while (dd_conll_comment(&tree, &line))
        if (dd_comment_newdoc(line, id)) return true;
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

static void skip_text(dd_place *at, size_t size, int64_t characters)
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
            skip_text(at, form.size, dd_count_characters(form));
            return true;
        }
        size_t white = dd_white_size(at->rest);
        at->lost = white == 0;
        skip_text(at, white, 1);
    }
    return false;
}

/* ---- the outline of a sentence ------------------------------------------------------------ */

struct dd_outline {
    dd_text text;
    dd_buffer joined; /* the text of a sentence that has none */
    dd_token *tokens; /* [n_tokens] */
    size_t n_tokens, tokens_capacity;
};

dd_status dd_outline_new(dd_outline **out, dd_error *error)
{
    dd_outline *outline = dd_calloc(1, sizeof *outline);
    if (!outline) return dd_fail_memory(error);
    outline->text = (dd_text){"", 0};
    *out = outline;
    return DD_OK;
}

void dd_outline_free(dd_outline *outline)
{
    if (!outline) return;
    dd_buffer_free(&outline->joined);
    free(outline->tokens);
    free(outline);
}

static void clear_outline(dd_outline *outline)
{
    outline->text = (dd_text){"", 0};
    outline->n_tokens = 0;
}

/* ---- making ------------------------------------------------------------------------------- */

static void set_place(dd_token *token, dd_place *at)
{
    bool found = dd_place_pass(at, token->form);
    token->end = found ? at->character : -1;
    token->end_byte = found ? at->byte : -1;
    token->start = found ? token->end - dd_count_characters(token->form) : -1;
    token->start_byte = found ? token->end_byte - (int64_t)token->form.size : -1;
}

static bool add_token(dd_outline *o, const dd_conll_row *row, dd_place *at)
{
    static const dd_text none = {"_", 1};
    bool range = row->kind == DD_ID_RANGE;
    if (!DD_RESERVE(&o->tokens, &o->tokens_capacity, o->n_tokens + 1)) return false;
    dd_token *token = &o->tokens[o->n_tokens];
    *token = (dd_token){.first = row->first,
                        .last = range ? row->second : row->first,
                        .form = row->cells[DD_FORM],
                        .feats = range ? row->cells[DD_FEATS] : none,
                        .misc = range ? row->cells[DD_MISC] : none};
    set_place(token, at);
    o->n_tokens++;
    return true;
}

static bool add_tokens(dd_outline *o, dd_text tree)
{
    dd_conll_row row;
    dd_place at = {.rest = o->text};
    int end = 0;
    while (dd_conll_token(&tree, &end, &row))
        if (!add_token(o, &row, &at)) return false;
    return true;
}

/* Made of the bytes as they were read: what a tagger and a parser have set is not in an outline. */
dd_status dd_outline_make(dd_outline *outline, const dd_sentence *sentence, dd_error *error)
{
    clear_outline(outline);
    if (sentence->n == 0) return DD_OK;
    size_t mark = dd_has_bom(sentence) ? DD_BOM_SIZE : 0;
    dd_text tree = {sentence->origin.raw.data + mark, sentence->origin.raw.size - mark};
    if (dd_conll_text(tree, &outline->joined, &outline->text) && add_tokens(outline, tree))
        return DD_OK;
    clear_outline(outline);
    return dd_fail_memory(error);
}

/* ---- looking ------------------------------------------------------------------------------ */

dd_text dd_outline_text(const dd_outline *outline)
{
    return outline->text;
}

const dd_token *dd_outline_token(const dd_outline *outline, size_t index)
{
    return index < outline->n_tokens ? &outline->tokens[index] : NULL;
}
