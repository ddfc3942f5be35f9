/* drawing.c - pictures of trees: the interface */
#include "core/memory.h"
#include "core/options.h"
#include "core/strings.h"
#include "view/svg.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct renderer {
    const dd_metrics *metrics; /* NULL: the format has a layout of its own */
    bool (*render)(dd_drawing *drawing);
    int width, least_width; /* of rows */
} renderer;

static const renderer renderers[] = {
    [DD_DRAW_TEXT] = {&dd_text_metrics, dd_render_text, 100, 40},
    [DD_DRAW_SVG] = {&dd_svg_metrics, dd_render_svg, 1000, 300},
    [DD_DRAW_HTML] = {&dd_svg_metrics, dd_render_html, 1000, 300},
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

/* An arc that passes over many rows has a segment in each, so a long sentence can have very many:
 * they are counted before there are any. */
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
        !dd_buffer_printf(&drawing->out, "%s%s</style>\n</head>\n<body>\n", dd_html_head,
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
    const char *text = drawing->options.format == DD_DRAW_HTML ? dd_html_tail : "";
    return (dd_text){text, strlen(text)};
}
