#include "segment/running_text.h"

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
