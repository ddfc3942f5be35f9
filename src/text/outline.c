/* outline.c - what stands around the words of a sentence: its text, and where tokens are in it;
 * comments */
#include "core/memory.h"
#include "text/conll.h"
#include "text/sentence.h"

#include <stdlib.h>
#include <string.h>

struct dd_outline {
    dd_text text;
    dd_buffer joined;  /* the text of a sentence that has none */
    dd_text *comments; /* [n_comments] */
    dd_token *tokens;  /* [n_tokens] */
    size_t n_comments, n_tokens;
    size_t comments_capacity, tokens_capacity;
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
    free(outline->comments);
    free(outline->tokens);
    free(outline);
}

static void clear(dd_outline *outline)
{
    outline->text = (dd_text){"", 0};
    outline->n_comments = outline->n_tokens = 0;
}

/* ---- making ------------------------------------------------------------------------------- */

static bool add_comment(dd_outline *o, dd_text line)
{
    if (!DD_RESERVE(&o->comments, &o->comments_capacity, o->n_comments + 1)) return false;
    o->comments[o->n_comments++] = line;
    return true;
}

/* The one that the reader was asked to add comes first, as it is written. */
static bool add_comments(dd_outline *o, const dd_sentence *sentence, dd_text tree)
{
    dd_text line = {sentence->edits.lead.data, sentence->edits.lead.size};
    if (line.size > 0 && !add_comment(o, line)) return false;
    while (dd_conll_comment(&tree, &line))
        if (!add_comment(o, line)) return false;
    return true;
}

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

/* Of the bytes as they were read: what a tagger and a parser set is not in an outline. */
dd_status dd_outline_make(dd_outline *outline, const dd_sentence *sentence, dd_error *error)
{
    clear(outline);
    if (sentence->n == 0) return DD_OK;
    size_t mark = dd_has_bom(sentence) ? DD_BOM_SIZE : 0;
    dd_text tree = {sentence->origin.raw.data + mark, sentence->origin.raw.size - mark};
    if (add_comments(outline, sentence, tree) &&
        dd_conll_text(tree, &outline->joined, &outline->text) && add_tokens(outline, tree))
        return DD_OK;
    clear(outline);
    return dd_fail_memory(error);
}

/* ---- looking ------------------------------------------------------------------------------ */

dd_text dd_outline_text(const dd_outline *outline)
{
    return outline->text;
}

bool dd_outline_comment(const dd_outline *outline, size_t index, dd_text *out)
{
    if (index >= outline->n_comments) return false;
    *out = outline->comments[index];
    return true;
}

const dd_token *dd_outline_token(const dd_outline *outline, size_t index)
{
    return index < outline->n_tokens ? &outline->tokens[index] : NULL;
}
