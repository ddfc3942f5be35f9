#include "draw/canvas.h"

#include "core/memory.h"
#include "draw/picture.h"

#include <stdlib.h>
#include <string.h>

void dd_canvas_free(dd_canvas *canvas)
{
    free(canvas->cells);
    *canvas = (dd_canvas){0};
}

bool dd_canvas_reset(dd_canvas *canvas, int lines, int columns)
{
    size_t cells = (size_t)lines * (size_t)columns;
    if (!DD_RESERVE(&canvas->cells, &canvas->capacity, cells + 1)) return false;
    memset(canvas->cells, 0, cells * sizeof *canvas->cells);
    canvas->lines = lines;
    canvas->columns = columns;
    return true;
}

static dd_cell_content *cell_at(const dd_canvas *canvas, int line, int column)
{
    if (line < 0 || line >= canvas->lines || column < 0 || column >= canvas->columns) return NULL;
    return &canvas->cells[(size_t)line * (size_t)canvas->columns + (size_t)column];
}

/* Where lines of two strokes meet, the cell gets the plainer stroke. */
void dd_canvas_corner(dd_canvas *canvas, int line, int column, int lines, dd_pen pen)
{
    dd_cell_content *cell = cell_at(canvas, line, column);
    if (!cell) return;
    bool mixed = cell->lines && cell->stroke != pen.stroke;
    cell->lines |= (uint8_t)lines;
    cell->stroke = mixed ? DD_STROKE_LIGHT : (uint8_t)pen.stroke;
    cell->ink = (uint8_t)pen.ink;
}

void dd_canvas_across(dd_canvas *canvas, int line, int from, int to, dd_pen pen)
{
    for (int column = from; column <= to; column++)
        dd_canvas_corner(canvas, line, column, DD_CELL_LEFT | DD_CELL_RIGHT, pen);
}

void dd_canvas_down(dd_canvas *canvas, int column, int from, int to, dd_pen pen)
{
    for (int line = from; line <= to; line++)
        dd_canvas_corner(canvas, line, column, DD_CELL_UP | DD_CELL_DOWN, pen);
}

void dd_canvas_text(dd_canvas *canvas, int line, int column, dd_text text, dd_ink ink,
                    bool isolated)
{
    dd_cell_content *cell = NULL;
    while (text.size) {
        dd_cluster cluster = dd_cluster_of(text);
        cell = cell_at(canvas, line, column);
        if (cell) *cell = (dd_cell_content){.text = {text.data, cluster.size}, .ink = (uint8_t)ink};
        for (int covered = 1; covered < cluster.columns; covered++) {
            dd_cell_content *under = cell_at(canvas, line, column + covered);
            if (under) *under = (dd_cell_content){.covered = true};
        }
        column += cluster.columns;
        text = (dd_text){text.data + cluster.size, text.size - cluster.size};
    }
    if (cell) cell->ends_word = isolated;
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Across, down, the corners that lead down to the right, to the left, up to the right, to the left,
 * and a crossing. */
static const char *const glyphs[DD_STROKES][7] = {
    [DD_STROKE_LIGHT] = {"─", "│", "┌", "┐", "└", "┘", "┼"},
    [DD_STROKE_HEAVY] = {"━", "┃", "┏", "┓", "┗", "┛", "╋"},
    [DD_STROKE_DASHED] = {"╌", "╎", "┌", "┐", "└", "┘", "┼"},
    [DD_STROKE_DOUBLE] = {"═", "║", "╔", "╗", "╚", "╝", "╬"},
    [DD_STROKE_DOTTED] = {"┈", "┊", "┌", "┐", "└", "┘", "┼"},
};

const char *dd_stroke_sample(dd_stroke stroke)
{
    return glyphs[stroke][0];
}

static const char *glyph_of(const dd_cell_content *cell)
{
    const char *const *of = glyphs[cell->stroke];
    switch (cell->lines) {
    case 0: return " ";
    case DD_CELL_LEFT | DD_CELL_RIGHT: return of[0];
    case DD_CELL_UP | DD_CELL_DOWN: return of[1];
    case DD_CELL_DOWN | DD_CELL_RIGHT: return of[2];
    case DD_CELL_DOWN | DD_CELL_LEFT: return of[3];
    case DD_CELL_UP | DD_CELL_RIGHT: return of[4];
    case DD_CELL_UP | DD_CELL_LEFT: return of[5];
    default: return of[6];
    }
}

static const char *const escapes[DD_INKS] = {
    [DD_INK_PLAIN] = "\x1b[0m", [DD_INK_RED] = "\x1b[31m",     [DD_INK_GREEN] = "\x1b[32m",
    [DD_INK_CYAN] = "\x1b[36m", [DD_INK_MAGENTA] = "\x1b[35m", [DD_INK_DIM] = "\x1b[2m",
};

static bool set_ink(dd_buffer *out, int *now, int ink)
{
    if (*now == ink) return true;
    bool ok = *now == DD_INK_PLAIN || dd_buffer_text(out, escapes[DD_INK_PLAIN]);
    *now = ink;
    return ok && (ink == DD_INK_PLAIN || dd_buffer_text(out, escapes[ink]));
}

static bool write_cell(const dd_cell_content *cell, dd_buffer *out)
{
    if (cell->text.size == 0) return dd_buffer_text(out, glyph_of(cell));
    /* LEFT-TO-RIGHT MARK: terminals that order right-to-left text do so word by word. */
    return dd_buffer_append(out, cell->text.data, cell->text.size) &&
           (!cell->ends_word || dd_buffer_text(out, "\u200e"));
}

static bool write_line(const dd_canvas *canvas, int line, dd_buffer *out, bool colour)
{
    int last = canvas->columns - 1, ink = DD_INK_PLAIN;
    while (last >= 0) {
        const dd_cell_content *cell = cell_at(canvas, line, last);
        if (cell->text.size || cell->lines || cell->covered) break;
        last--;
    }
    bool ok = true;
    for (int column = 0; column <= last && ok; column++) {
        const dd_cell_content *cell = cell_at(canvas, line, column);
        bool blank = cell->text.size == 0 && !cell->lines;
        if (cell->covered) continue;
        if (colour && !blank) ok = set_ink(out, &ink, cell->ink);
        ok = ok && write_cell(cell, out);
    }
    return ok && set_ink(out, &ink, DD_INK_PLAIN) && dd_buffer_text(out, "\n");
}

bool dd_canvas_write(const dd_canvas *canvas, dd_buffer *out, bool colour)
{
    bool ok = true;
    for (int line = 0; line < canvas->lines && ok; line++)
        ok = write_line(canvas, line, out, colour);
    return ok;
}
