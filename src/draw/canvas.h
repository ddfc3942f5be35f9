/* canvas.h - a page of character cells for drawings on a terminal */
#ifndef DODONA_DRAW_CANVAS_H
#define DODONA_DRAW_CANVAS_H

#include "core/strings.h"

typedef enum dd_stroke {
    DD_STROKE_LIGHT = 0,
    DD_STROKE_HEAVY,
    DD_STROKE_DASHED,
    DD_STROKE_DOUBLE,
    DD_STROKE_DOTTED,
    DD_STROKES,
} dd_stroke;

typedef enum dd_ink {
    DD_INK_PLAIN = 0,
    DD_INK_RED,
    DD_INK_GREEN,
    DD_INK_CYAN,
    DD_INK_MAGENTA,
    DD_INK_DIM,
    DD_INKS,
} dd_ink;

typedef struct dd_pen {
    dd_stroke stroke;
    dd_ink ink;
} dd_pen;

enum { DD_CELL_UP = 1, DD_CELL_DOWN = 2, DD_CELL_LEFT = 4, DD_CELL_RIGHT = 8 };

typedef struct dd_cell_content {
    dd_text text;   /* a cluster; size 0: a line or nothing */
    uint8_t lines;  /* DD_CELL_*: to which sides they lead */
    uint8_t stroke; /* dd_stroke */
    uint8_t ink;    /* dd_ink */
    bool covered;   /* by the wide character to its left */
    bool ends_word; /* in a drawing from right to left */
} dd_cell_content;

typedef struct dd_canvas {
    int lines, columns;
    dd_cell_content *cells; /* [lines * columns] */
    size_t capacity;
} dd_canvas; /* {0} is valid */

void dd_canvas_free(dd_canvas *canvas);
/* An empty page; false if allocation fails. What lies outside of it is not drawn. */
bool dd_canvas_reset(dd_canvas *canvas, int lines, int columns);
/* Lines from cell to cell, ends included. `lines`: the sides to which the lines of a corner lead
 * (DD_CELL_*). */
void dd_canvas_across(dd_canvas *canvas, int line, int from, int to, dd_pen pen);
void dd_canvas_down(dd_canvas *canvas, int column, int from, int to, dd_pen pen);
void dd_canvas_corner(dd_canvas *canvas, int line, int column, int lines, dd_pen pen);
/* The text is not copied. `isolated`: followed by a mark that keeps the text beside it in its own
 * direction. */
void dd_canvas_text(dd_canvas *canvas, int line, int column, dd_text text, dd_ink ink,
                    bool isolated);
/* Appends all lines, without blanks at their ends; with colours as ANSI escape sequences. False
 * if allocation fails. */
bool dd_canvas_write(const dd_canvas *canvas, dd_buffer *out, bool colour);
/* One character of a line across. */
const char *dd_stroke_sample(dd_stroke stroke);

#endif
