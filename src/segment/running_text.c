#include "segment/running_text.h"

#include "core/memory.h"
#include "core/strings.h"
#include "text/rules.h"

#include <stdlib.h>
#include <string.h>

void dd_text_layout_free(dd_text_layout *layout)
{
    free(layout->tokens);
    *layout = (dd_text_layout){0};
}

static dd_text skip_spaces(dd_text text)
{
    while (text.size && text.data[0] == ' ') text = dd_text_skip(text, 1);
    return text;
}

static void read_comment(dd_text_layout *layout, dd_text line)
{
    dd_text comment = skip_spaces(dd_text_skip(line, 1));
    if (dd_text_begins(comment, "newpar") || dd_text_begins(comment, "newdoc"))
        layout->paragraph = true;
    if (!dd_text_begins(comment, "text")) return;
    dd_text rest = skip_spaces(dd_text_skip(comment, 4));
    if (dd_text_begins(rest, "=")) layout->text = skip_spaces(dd_text_skip(rest, 1));
}

static dd_text column(dd_text line, int wanted)
{
    for (; wanted > 0; wanted--) dd_text_cut(&line, '\t');
    return dd_text_cut(&line, '\t');
}

/* Whether one of the items between bars is this one. */
static bool has_item(dd_text misc, const char *item)
{
    while (misc.size > 0)
        if (dd_text_is(dd_text_cut(&misc, '|'), item)) return true;
    return false;
}

static bool read_token(dd_text_layout *layout, dd_text line, int *covered)
{
    int first, second;
    dd_id_kind kind = dd_rule_id(column(line, DD_ID), &first, &second);
    if (kind != DD_ID_WORD && kind != DD_ID_RANGE) return true;
    if (kind == DD_ID_WORD && first <= *covered) return true;
    if (!DD_RESERVE(&layout->tokens, &layout->capacity, (size_t)layout->count + 1)) return false;
    *covered = kind == DD_ID_RANGE ? second : first;
    layout->tokens[layout->count++] = (dd_text_layout_token){
        .form = column(line, DD_FORM),
        .first = first,
        .last = *covered,
        .space_after = !has_item(column(line, DD_MISC), "SpaceAfter=No"),
    };
    return true;
}

bool dd_text_layout_set(dd_text_layout *layout, const dd_sentence *sentence)
{
    dd_text rest = dd_sentence_raw(sentence);
    int covered = 0;
    layout->count = 0;
    layout->paragraph = false;
    layout->text = (dd_text){NULL, 0};
    while (rest.size > 0) {
        dd_text line = dd_text_cut(&rest, '\n');
        if (line.size && line.data[line.size - 1] == '\r') line.size--;
        if (line.size == 0) continue;
        if (line.data[0] == '#')
            read_comment(layout, line);
        else if (!read_token(layout, line, &covered))
            return false;
    }
    return true;
}

/* ---- running text ------------------------------------------------------------------------- */

void dd_running_text_free(dd_running_text *text)
{
    dd_buffer_free(&text->text);
    dd_text_layout_free(&text->layout);
}

bool dd_text_layout_tells_spaces(const dd_text_layout *layout)
{
    bool tells = layout->text.data != NULL;
    for (int i = 0; i < layout->count; i++) tells |= !layout->tokens[i].space_after;
    return tells;
}

static bool add_gap(dd_running_text *text)
{
    if (text->text.size == 0) return true;
    if (text->layout.paragraph) return dd_buffer_text(&text->text, "\n\n");
    return !text->space || dd_buffer_text(&text->text, " ");
}

static bool add_tokens(dd_running_text *text)
{
    const dd_text_layout *layout = &text->layout;
    bool ok = true;
    for (int i = 0; i < layout->count && ok; i++) {
        const dd_text_layout_token *token = &layout->tokens[i];
        ok = dd_buffer_append(&text->text, token->form.data, token->form.size);
        if (ok && token->space_after && i + 1 < layout->count)
            ok = dd_buffer_text(&text->text, " ");
    }
    return ok;
}

bool dd_running_text_add(dd_running_text *text, const dd_sentence *sentence)
{
    const dd_text_layout *layout = &text->layout;
    if (!dd_text_layout_set(&text->layout, sentence) || !add_gap(text)) return false;
    text->known |= dd_text_layout_tells_spaces(layout);
    text->space = layout->count == 0 || layout->tokens[layout->count - 1].space_after;
    return layout->text.data ? dd_buffer_append(&text->text, layout->text.data, layout->text.size)
                             : add_tokens(text);
}
