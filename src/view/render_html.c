/* A page of drawings, each with the text of its sentence and a table of its columns. */
#include "view/render.h"

const char dd_html_head[] =
    "<!DOCTYPE html>\n"
    "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\"/>\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
    "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
    "<title>Dependency trees</title>\n"
    "<style>\n"
    "body{margin:0 auto;padding:24px;max-width:max-content;background:#f3f4f8;color:#4a5266;"
    "font:14px system-ui,-apple-system,\"Segoe UI\",Roboto,sans-serif}\n"
    "figure{margin:0 0 24px;background:#fff;border:1px solid #dde0e8;border-radius:10px;"
    "overflow-x:auto}\n"
    "figcaption{padding:12px 16px 0;font-size:16px;color:#1c2230}\n"
    "figcaption small{color:#6a7285;margin-inline-end:6px}\n"
    "details{padding:0 16px 12px}summary{cursor:pointer;color:#6a7285;font-size:12px}\n"
    "table{border-collapse:collapse;font-size:12px;margin-top:6px}\n"
    "th,td{padding:2px 8px;text-align:start;border-top:1px solid #dde0e8}\n"
    "th{color:#6a7285;font-weight:500}.empty td{font-style:italic}\n"
    "svg.dodona{display:block}\n"
    "@media (prefers-color-scheme:dark){body{background:#0b0d12}"
    "figure{background:#12151c;border-color:#262b38}figcaption{color:#edf0f7}"
    "figcaption small,summary,th{color:#929bb0}td{color:#c5ccdc}"
    "th,td{border-color:#262b38}}\n";

const char dd_html_tail[] = "</body>\n</html>\n";

/* ---- the table below a drawing ------------------------------------------------------------ */

static bool write_cells(dd_buffer *out, const dd_picture *picture, const dd_drawn_word *word)
{
    bool ok = dd_buffer_text(out, word->minor ? "<tr class=\"empty\">" : "<tr>");
    for (int column = 0; column < DD_COLUMNS && ok; column++)
        ok = dd_buffer_text(out, "<td>") &&
             dd_append_xml(out, dd_picture_text(picture, word->cells[column])) &&
             dd_buffer_text(out, "</td>");
    return ok && dd_buffer_text(out, "</tr>\n");
}

static bool write_token(dd_buffer *out, const dd_picture *picture, const dd_drawn_span *token)
{
    return dd_buffer_printf(out, "<tr><td>%d-%d</td><td colspan=\"9\">",
                            picture->words[token->first].id, picture->words[token->last].id) &&
           dd_append_xml(out, dd_picture_text(picture, token->label)) &&
           dd_buffer_text(out, "</td></tr>\n");
}

/* What the drawing shows of a word only to those who can point at it. */
static bool write_table(dd_buffer *out, const dd_picture *picture)
{
    bool ok = dd_buffer_text(out, "<details><summary>columns</summary>\n<table>\n<tr>");
    for (int column = 0; column < DD_COLUMNS && ok; column++)
        ok = dd_buffer_printf(out, "<th>%s</th>", dd_column_name(column));
    ok = ok && dd_buffer_text(out, "</tr>\n");
    for (int node = 1; node <= picture->n && ok; node++) {
        const dd_drawn_word *word = &picture->words[node];
        const dd_drawn_span *token = word->token ? &picture->spans[word->token - 1] : NULL;
        if (token && token->first == node) ok = write_token(out, picture, token);
        ok = ok && write_cells(out, picture, word);
    }
    return ok && dd_buffer_text(out, "</table>\n</details>\n");
}

/* ---- all of it ---------------------------------------------------------------------------- */

static bool write_caption(dd_drawing *drawing)
{
    const dd_picture *picture = &drawing->picture;
    dd_buffer *out = &drawing->out;
    bool ok = dd_buffer_text(out, "<figcaption>");
    if (ok && drawing->options.title)
        ok = dd_buffer_text(out, "<small>") &&
             dd_append_xml(out, dd_picture_text(picture, picture->title)) &&
             dd_buffer_text(out, "</small> ");
    return ok && dd_buffer_text(out, "<span dir=\"auto\">") &&
           dd_append_xml(out, dd_picture_text(picture, picture->sentence)) &&
           dd_buffer_text(out, "</span></figcaption>\n");
}

bool dd_render_html(dd_drawing *drawing)
{
    dd_buffer *out = &drawing->out;
    return dd_buffer_text(out, drawing->picture.right_to_left ? "<figure dir=\"rtl\">\n"
                                                              : "<figure>\n") &&
           write_caption(drawing) && dd_render_svg(drawing) &&
           write_table(out, &drawing->picture) && dd_buffer_text(out, "</figure>\n");
}
