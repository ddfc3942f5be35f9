/* drawing.h - a drawing in each of the formats; all functions append to `out` and are false if
 * allocation fails or dd_drawing_goes_on is */
#ifndef DODONA_DRAW_DRAWING_H
#define DODONA_DRAW_DRAWING_H

#include "draw/canvas.h"
#include "draw/layout.h"

struct dd_drawing {
    dd_draw_options options;
    dd_picture picture;
    dd_drawn layout;
    dd_canvas canvas;
    dd_buffer out;
    dd_ticker ticker; /* of the call in hand */
    bool too_large;   /* the drawing, for dd_draw_options.max_bytes */
};

/* To be asked before something is added to `out`. False: the drawing is too large, or the call is
 * cancelled. */
bool dd_drawing_goes_on(dd_drawing *drawing);

extern const dd_metrics dd_text_metrics, dd_svg_metrics;

bool dd_render_text(dd_drawing *drawing);
bool dd_render_svg(dd_drawing *drawing);
bool dd_render_tikz(dd_drawing *drawing);
bool dd_render_dot(dd_drawing *drawing);

/* render_svg.c: text escaped for XML. */
bool dd_append_xml(dd_buffer *out, dd_text text);

/* ---- SVG (render_svg.c, svg_arcs.c) ---------------------------------------------------------
 *
 * Each element says in attributes what it looks like on white paper, as most programs that show SVG
 * know no custom properties of CSS. The style sheet only sets the colours again, for readers who
 * prefer a dark page. */

#include <dodona_tools.h>

/* Pixels. */
enum {
    DD_SVG_FORM_SIZE = 17,
    DD_SVG_TAG_SIZE = 11,
    DD_SVG_LABEL_SIZE = 12,
    DD_SVG_MARGIN = 16,
    DD_SVG_LEVEL = 25, /* from level to level */
    DD_SVG_LOWEST = 9, /* from the words' arrows to half a level before the first */
};

typedef struct dd_svg_look {
    const char *class;
    const char *line, *text; /* colours */
    const char *shape;       /* attributes of the line besides its colour */
    bool bold;               /* its label */
} dd_svg_look;

extern const char dd_svg_style[];
dd_svg_look dd_svg_look_of(const dd_drawn_arc *arc);
/* Writes the start of an arc's path element, up to its data. */
bool dd_svg_line(dd_buffer *out, const dd_svg_look *look);

/* render_svg.c: a text element; `attributes` are all but its position. An empty text is not
 * written. */
bool dd_svg_text(dd_drawing *drawing, const char *attributes, int x, int y, dd_stretch view);

/* svg_arcs.c: `foot` is where the legs of its side end. */
bool dd_svg_segment(dd_drawing *drawing, const dd_segment *segment, int foot);

/* The height of the legend under a drawing of this width, and the legend itself. */
int dd_svg_legend_height(const dd_drawing *drawing, int width);
bool dd_svg_legend(dd_drawing *drawing, int width, int top);
/* A drawing that has a legend is at least this wide. */
int dd_svg_legend_width(const dd_drawing *drawing);

#endif
