/* render.h - a picture in each of the formats; all append to `out` and are false when memory is
 * out, or dd_drawing_goes_on is */
#ifndef DODONA_VIEW_RENDER_H
#define DODONA_VIEW_RENDER_H

#include "view/canvas.h"
#include "view/layout.h"

struct dd_drawing {
    dd_draw_options options;
    dd_picture picture;
    dd_drawn layout;
    dd_canvas canvas;
    dd_buffer out;
    dd_ticker ticker; /* of the call in hand */
    bool too_large;   /* the drawing, for dd_draw_options.max_bytes */
};

/* Before something is added to `out`. False: it is not to be, as the drawing is too large or the
 * call is cancelled. */
bool dd_drawing_goes_on(dd_drawing *drawing);

extern const dd_metrics dd_text_metrics, dd_svg_metrics;

bool dd_render_text(dd_drawing *drawing);
bool dd_render_svg(dd_drawing *drawing);
bool dd_render_html(dd_drawing *drawing);
bool dd_render_tikz(dd_drawing *drawing);
bool dd_render_dot(dd_drawing *drawing);

/* render_html.c: the ends of a page. */
extern const char dd_html_head[], dd_html_tail[];

/* render_svg.c: text with what XML asks to be escaped. */
bool dd_append_xml(dd_buffer *out, dd_text text);

#endif
