/* drawing.c - pictures of trees: the interface, and pages of them in HTML */
#include "draw/drawing.h"

#include "core/memory.h"
#include "core/options.h"
#include "core/strings.h"

#include <dodona_tools.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- a page of drawings --------------------------------------------------------------------- */

/* Each drawing with the text of its sentence and a table of its columns. */

static const char html_head[] =
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

static const char html_tail[] = "</body>\n</html>\n";

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

/* The columns of a word, which a browser shows when the reader points at it. */
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

static bool render_html(dd_drawing *drawing)
{
    dd_buffer *out = &drawing->out;
    return dd_buffer_text(out, drawing->picture.right_to_left ? "<figure dir=\"rtl\">\n"
                                                              : "<figure>\n") &&
           write_caption(drawing) && dd_render_svg(drawing) &&
           write_table(out, &drawing->picture) && dd_buffer_text(out, "</figure>\n");
}

/* ---- the interface -------------------------------------------------------------------------- */

typedef struct renderer {
    const dd_metrics *metrics; /* NULL: the format has a layout of its own */
    bool (*render)(dd_drawing *drawing);
    int width, least_width; /* of rows */
} renderer;

static const renderer renderers[] = {
    [DD_DRAW_TEXT] = {&dd_text_metrics, dd_render_text, 100, 40},
    [DD_DRAW_SVG] = {&dd_svg_metrics, dd_render_svg, 1000, 300},
    [DD_DRAW_HTML] = {&dd_svg_metrics, render_html, 1000, 300},
    [DD_DRAW_TIKZ] = {NULL, dd_render_tikz, 0, 0},
    [DD_DRAW_DOT] = {NULL, dd_render_dot, 0, 0},
};

enum { FORMATS = sizeof renderers / sizeof *renderers };

void dd_draw_options_init_size(dd_draw_options *options, size_t size)
{
    const dd_draw_options defaults = {
        .tags = true, .constraints = true, .title = true, .enhanced = true};
    dd_options_init(options, size, &defaults, sizeof defaults);
}

static dd_status check_options(const dd_draw_options *options, dd_error *error)
{
    if ((int)options->format < 0 || (int)options->format >= FORMATS)
        return dd_fail(error, DD_ERROR_ARGUMENT, "no such drawing format");
    int least = renderers[options->format].least_width;
    if (options->width < 0 || options->width > DD_DRAW_MAX_WIDTH ||
        (options->width > 0 && options->width < least))
        return dd_fail(error, DD_ERROR_ARGUMENT, "the width must lie between %d and %d", least,
                       DD_DRAW_MAX_WIDTH);
    if ((int)options->direction < DD_DRAW_AUTO || options->direction > DD_DRAW_RTL)
        return dd_fail(error, DD_ERROR_ARGUMENT, "no such drawing direction");
    return DD_OK;
}

dd_status dd_drawing_new(dd_drawing **out, const dd_draw_options *options, dd_error *error)
{
    dd_draw_options how;
    dd_draw_options_init(&how);
    dd_status status = DD_OPTIONS_TAKE(&how, options, cancel, "options were", error);
    if (status == DD_OK) status = check_options(&how, error);
    if (status != DD_OK) return status;
    dd_drawing *drawing = dd_calloc(1, sizeof *drawing);
    if (!drawing) return dd_fail_memory(error);
    drawing->options = how;
    *out = drawing;
    return DD_OK;
}

void dd_drawing_free(dd_drawing *drawing)
{
    if (!drawing) return;
    dd_picture_free(&drawing->picture);
    dd_drawn_free(&drawing->layout);
    dd_canvas_free(&drawing->canvas);
    dd_buffer_free(&drawing->out);
    free(drawing);
}

static dd_status check_gold(const dd_sentence *sentence, const dd_sentence *gold, dd_error *error)
{
    if (gold->n != sentence->n)
        return dd_fail(error, DD_ERROR_DATA, "%d words, but %d in the gold sentence", sentence->n,
                       gold->n);
    for (int word = 1; word <= gold->n; word++) {
        dd_text a = dd_cell(sentence, word, DD_FORM), b = dd_cell(gold, word, DD_FORM);
        if (!dd_text_same(a, b))
            return dd_fail(error, DD_ERROR_DATA, "word %d differs from the gold sentence's", word);
    }
    return DD_OK;
}

static dd_status check_heads(const dd_sentence *sentence, const char *whose, dd_error *error)
{
    for (int word = 1; word <= sentence->n; word++)
        if (dd_sentence_head(sentence, word) == word)
            return dd_fail(error, DD_ERROR_DATA, "word %d%s is its own head", word, whose);
    return DD_OK;
}

enum {
    STEPS_FOR_PART = 2000, /* for dd_tick */
    SEGMENT_BYTES = 150,   /* of an arc in a row, at least */
};

bool dd_drawing_goes_on(dd_drawing *drawing)
{
    size_t most = drawing->options.max_bytes;
    if (most && drawing->out.size > most) drawing->too_large = true;
    return !drawing->too_large && dd_tick(&drawing->ticker, STEPS_FOR_PART);
}

static dd_status fail_drawing(const dd_drawing *drawing, dd_error *error)
{
    if (drawing->too_large)
        return dd_fail(error, DD_ERROR_DATA, "the drawing would have more than %zu bytes",
                       drawing->options.max_bytes);
    return dd_fail_unfinished(&drawing->ticker, error);
}

/* An arc that passes over many rows has a segment in each, so a long sentence can have very many.
 * They are counted before any is made. */
static bool lay_out(dd_drawing *drawing, const dd_metrics *metrics, int width)
{
    dd_drawn *layout = &drawing->layout;
    size_t most = drawing->options.max_bytes / SEGMENT_BYTES;
    layout->ticker = &drawing->ticker;
    layout->max_segments = most < INT_MAX ? (int)most : INT_MAX;
    bool ok = dd_drawn_set(layout, &drawing->picture, metrics, width);
    drawing->too_large = !ok && most && layout->n_segments > layout->max_segments;
    return ok;
}

dd_status dd_draw(dd_drawing *drawing, const dd_sentence *sentence, const dd_sentence *gold,
                  dd_text *out, dd_error *error)
{
    const renderer *how = &renderers[drawing->options.format];
    if (sentence->n > DD_DRAW_MAX_WORDS)
        return dd_fail(error, DD_ERROR_DATA, "more than %d words", DD_DRAW_MAX_WORDS);
    dd_status status = check_heads(sentence, "", error);
    if (status == DD_OK && gold) status = check_gold(sentence, gold, error);
    if (status == DD_OK && gold) status = check_heads(gold, " of the gold sentence", error);
    if (status == DD_OK)
        status = dd_picture_set(&drawing->picture, &drawing->options, sentence, gold, error);
    if (status != DD_OK) return status;
    drawing->out.size = 0;
    drawing->too_large = false;
    dd_ticker_start(&drawing->ticker, drawing->options.cancel);
    int width = drawing->options.width ? drawing->options.width : how->width;
    if (drawing->options.one_row) width = 0;
    if ((how->metrics && !lay_out(drawing, how->metrics, width)) || !how->render(drawing) ||
        !dd_drawing_goes_on(drawing))
        return fail_drawing(drawing, error);
    *out = (dd_text){drawing->out.data, drawing->out.size};
    return DD_OK;
}

dd_status dd_draw_begin(dd_drawing *drawing, dd_text *out, dd_error *error)
{
    drawing->out.size = 0;
    if (drawing->options.format == DD_DRAW_HTML &&
        !dd_buffer_printf(&drawing->out, "%s%s</style>\n</head>\n<body>\n", html_head,
                          dd_svg_style))
        return dd_fail_memory(error);
    if (drawing->options.format == DD_DRAW_TIKZ &&
        !dd_buffer_text(&drawing->out, "% \\usepackage{tikz-dependency}\n"))
        return dd_fail_memory(error);
    *out = (dd_text){drawing->out.size ? drawing->out.data : "", drawing->out.size};
    return DD_OK;
}

dd_text dd_draw_end(const dd_drawing *drawing)
{
    const char *text = drawing->options.format == DD_DRAW_HTML ? html_tail : "";
    return (dd_text){text, strlen(text)};
}
