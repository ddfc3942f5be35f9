/* render_text.c - a drawing for the terminal: arcs above the words, enhanced arcs below */
#include "core/strings.h"
#include "draw/drawing.h"
#include "draw/picture.h"

static int word_width(dd_text form, dd_text tag)
{
    int of_form = dd_widest_line(form, dd_text_columns), of_tag = dd_text_columns(tag);
    return of_form > of_tag ? of_form : of_tag;
}

const dd_metrics dd_text_metrics = {
    .label_width = dd_text_columns,
    .word_width = word_width,
    .thickness = 1,
    .port_gap = 2,
    .word_gap = 2,
    .label_side = 2,
    .label_clear = 1,
    .bare = 2,
    .edge = 2,
};

static dd_pen pen_of(const dd_drawn_arc *arc)
{
    static const dd_pen pens[DD_ARC_KINDS] = {
        [DD_ARC_PLAIN] = {DD_STROKE_LIGHT, DD_INK_PLAIN},
        [DD_ARC_WRONG] = {DD_STROKE_HEAVY, DD_INK_RED},
        [DD_ARC_GOLD] = {DD_STROKE_DASHED, DD_INK_GREEN},
        [DD_ARC_MISSING] = {DD_STROKE_DOTTED, DD_INK_CYAN},
        [DD_ARC_FORBIDDEN] = {DD_STROKE_DOTTED, DD_INK_DIM},
        [DD_ARC_ENHANCED] = {DD_STROKE_DOTTED, DD_INK_MAGENTA},
    };
    if (arc->required && arc->kind == DD_ARC_PLAIN) return (dd_pen){DD_STROKE_DOUBLE, DD_INK_CYAN};
    return pens[arc->kind];
}

/* ---- lines -------------------------------------------------------------------------------- */

/* Where the parts of a row stand, from the top. */
typedef struct places {
    int arrows[DD_SIDES]; /* behind the levels above, before those below */
    int forms, tags, spans;
    int lines;
} places;

static int span_levels_of(const dd_picture *picture, const dd_drawn_row *row)
{
    int levels = 0;
    for (int i = 0; i < picture->n_spans; i++) {
        const dd_drawn_span *span = &picture->spans[i];
        bool here = span->first <= row->last && span->last >= row->first;
        if (here && levels < span->level) levels = span->level;
    }
    return levels;
}

static bool has_tags(const dd_picture *picture)
{
    for (int word = 1; word <= picture->n; word++)
        if (picture->words[word].tag.size) return true;
    return false;
}

static places places_of(const dd_picture *picture, const dd_drawn_row *row)
{
    int above = row->levels[DD_ABOVE], below = row->levels[DD_BELOW];
    places at = {.arrows[DD_ABOVE] = above, .forms = above + (above > 0)};
    at.tags = at.forms + row->lines;
    at.spans = at.tags + has_tags(picture);
    at.arrows[DD_BELOW] = at.spans + span_levels_of(picture, row);
    at.lines = at.arrows[DD_BELOW] + below + (below > 0);
    return at;
}

/* ---- arcs --------------------------------------------------------------------------------- */

typedef struct leg_line {
    int side, line, arrow; /* from this line to that of the arrows */
    dd_pen pen;
} leg_line;

/* From the line next to the arc to the word; that of the dependent ends in an arrow. */
static void draw_leg(dd_drawing *drawing, const leg_line *leg, int column, bool arrow)
{
    static const dd_text arrows[DD_SIDES] = {{"▼", sizeof "▼" - 1}, {"▲", sizeof "▲" - 1}};
    bool below = leg->side == DD_BELOW;
    dd_canvas_down(&drawing->canvas, column, below ? leg->arrow : leg->line,
                   below ? leg->line : leg->arrow, leg->pen);
    if (arrow)
        dd_canvas_text(&drawing->canvas, leg->arrow, column, arrows[leg->side], leg->pen.ink,
                       false);
}

static int line_of(const places *at, int side, int level)
{
    return side == DD_BELOW ? at->arrows[side] + level : at->arrows[side] - level;
}

static void draw_label(dd_drawing *drawing, const places *at, const dd_segment *segment)
{
    const dd_drawn *layout = &drawing->layout;
    const dd_arc_ends *ends = &layout->ends[segment->arc];
    const dd_drawn_arc *arc = &drawing->picture.arcs[segment->arc];
    dd_ink ink = arc->wrong_label ? DD_INK_RED : pen_of(arc).ink;
    dd_canvas_text(&drawing->canvas, line_of(at, ends->side, segment->level),
                   dd_mirror(layout, segment->label, ends->label_width),
                   dd_picture_text(&drawing->picture, arc->label), ink, false);
}

/* From corner to corner, or to the edge of the row; mirrored if the drawing is. */
static void draw_bow(dd_drawing *drawing, const dd_segment *segment, int line, leg_line leg)
{
    const dd_drawn *layout = &drawing->layout;
    const dd_drawn_arc *arc = &drawing->picture.arcs[segment->arc];
    dd_canvas *canvas = &drawing->canvas;
    bool turned = drawing->picture.right_to_left;
    int left = dd_mirror(layout, turned ? segment->right : segment->left, 1);
    int right = dd_mirror(layout, turned ? segment->left : segment->right, 1);
    bool left_open = turned ? segment->open_right : segment->open_left;
    bool right_open = turned ? segment->open_left : segment->open_right;
    bool arrow_left = (arc->dependent < arc->head) != turned;
    int inwards = leg.side == DD_BELOW ? DD_CELL_UP : DD_CELL_DOWN;
    dd_canvas_across(canvas, line, left + !left_open, right - !right_open, leg.pen);
    if (!left_open) {
        dd_canvas_corner(canvas, line, left, inwards | DD_CELL_RIGHT, leg.pen);
        draw_leg(drawing, &leg, left, arrow_left);
    }
    if (!right_open) {
        dd_canvas_corner(canvas, line, right, inwards | DD_CELL_LEFT, leg.pen);
        draw_leg(drawing, &leg, right, !arrow_left);
    }
}

static void draw_segment(dd_drawing *drawing, const places *at, const dd_segment *segment)
{
    const dd_drawn *layout = &drawing->layout;
    const dd_arc_ends *ends = &layout->ends[segment->arc];
    int line = line_of(at, ends->side, segment->level);
    leg_line leg = {.side = ends->side,
                    .line = ends->side == DD_BELOW ? line - 1 : line + 1,
                    .arrow = at->arrows[ends->side],
                    .pen = pen_of(&drawing->picture.arcs[segment->arc])};
    if (!dd_is_stem(ends)) {
        draw_bow(drawing, segment, line, leg);
        return;
    }
    if (!ends->label_width) leg.line = line;
    draw_leg(drawing, &leg, dd_mirror(layout, segment->left, 1), true);
}

/* ---- words and spans ---------------------------------------------------------------------- */

static void draw_centred(dd_drawing *drawing, int line, const dd_slot *slot, dd_text text,
                         dd_ink ink)
{
    int width = dd_text_columns(text);
    int at = dd_mirror(&drawing->layout, slot->x + (slot->width - width) / 2, width);
    dd_canvas_text(&drawing->canvas, line, at, text, ink,
                   drawing->picture.right_to_left && dd_text_direction(text) > 0);
}

/* A bracket below the words of the span that stand in this row. */
static void draw_span(dd_drawing *drawing, const dd_drawn_row *row, const dd_drawn_span *span,
                      int line)
{
    dd_pen pen = {DD_STROKE_LIGHT, span->token ? DD_INK_DIM : DD_INK_CYAN};
    const dd_drawn *layout = &drawing->layout;
    dd_canvas *canvas = &drawing->canvas;
    int first = span->first > row->first ? span->first : row->first;
    int last = span->last < row->last ? span->last : row->last;
    if (first > last) return;
    const dd_slot *to = &layout->slots[last];
    int x = layout->slots[first].x, width = to->x + to->width - x;
    int left = dd_mirror(layout, x, width), right = left + width - 1;
    bool turned = drawing->picture.right_to_left;
    if (span->leaf) {
        draw_centred(drawing, line, to, dd_picture_text(&drawing->picture, span->label), pen.ink);
        return;
    }
    bool left_open = turned ? last < span->last : first > span->first;
    bool right_open = turned ? first > span->first : last < span->last;
    dd_canvas_across(canvas, line, left + !left_open, right - !right_open, pen);
    if (!left_open) dd_canvas_corner(canvas, line, left, DD_CELL_UP | DD_CELL_RIGHT, pen);
    if (!right_open) dd_canvas_corner(canvas, line, right, DD_CELL_UP | DD_CELL_LEFT, pen);
    dd_text label = dd_picture_text(&drawing->picture, span->label);
    int size = dd_text_columns(label);
    if (width >= size + 2)
        dd_canvas_text(canvas, line, left + (width - size) / 2, label, pen.ink,
                       turned && dd_text_direction(label) > 0);
}

/* ---- rows --------------------------------------------------------------------------------- */

static void draw_word(dd_drawing *drawing, const places *at, int word)
{
    const dd_picture *picture = &drawing->picture;
    const dd_slot *slot = &drawing->layout.slots[word];
    dd_text form = dd_picture_text(picture, picture->words[word].form);
    dd_ink ink = picture->words[word].minor ? DD_INK_MAGENTA : DD_INK_PLAIN;
    for (int line = at->forms; form.size; line++)
        draw_centred(drawing, line, slot, dd_text_cut(&form, '\n'), ink);
    draw_centred(drawing, at->tags, slot, dd_picture_text(picture, picture->words[word].tag),
                 DD_INK_DIM);
}

static bool draw_row(dd_drawing *drawing, const dd_drawn_row *row)
{
    const dd_picture *picture = &drawing->picture;
    places at = places_of(picture, row);
    if (!dd_canvas_reset(&drawing->canvas, at.lines, drawing->layout.width)) return false;
    for (int s = row->segments; s < row->segments + row->n_segments; s++)
        draw_segment(drawing, &at, &drawing->layout.segments[s]);
    /* Labels come last, in front of all lines. */
    for (int s = row->segments; s < row->segments + row->n_segments; s++)
        draw_label(drawing, &at, &drawing->layout.segments[s]);
    for (int word = row->first; word <= row->last; word++) draw_word(drawing, &at, word);
    for (int i = 0; i < picture->n_spans; i++)
        draw_span(drawing, row, &picture->spans[i], at.spans + picture->spans[i].level - 1);
    return dd_canvas_write(&drawing->canvas, &drawing->out, drawing->options.colour);
}

static bool write_legend(dd_drawing *drawing)
{
    static const struct {
        int shows;
        dd_stroke stroke;
        const char *text;
    } entries[] = {
        {DD_SHOWS_WRONG, DD_STROKE_HEAVY, "wrong"},
        {DD_SHOWS_GOLD, DD_STROKE_DASHED, "gold"},
        {DD_SHOWS_REQUIRED, DD_STROKE_DOUBLE, "required"},
        {DD_SHOWS_MISSING, DD_STROKE_DOTTED, "required, not in the tree"},
        {DD_SHOWS_FORBIDDEN, DD_STROKE_DOTTED, "✗ forbidden"},
        {DD_SHOWS_ENHANCED, DD_STROKE_DOTTED, "below: enhanced"},
    };
    static const struct {
        int shows;
        const char *text;
    } others[] = {
        {DD_SHOWS_WRONG_LABEL, "a (b): label a, gold b"},
        {DD_SHOWS_SPAN, "└─┘ span"},
        {DD_SHOWS_LEAF, DD_LEAF_SIGN " no dependents"},
        {DD_SHOWS_EMPTY, "(word): empty node"},
    };
    int shows = dd_picture_shows(&drawing->picture);
    dd_buffer *out = &drawing->out;
    size_t start = out->size;
    bool ok = true;
    for (size_t i = 0; i < sizeof entries / sizeof *entries && ok; i++) {
        if (!(shows & entries[i].shows)) continue;
        const char *line = dd_stroke_sample(entries[i].stroke);
        ok = dd_buffer_printf(out, "%s%s%s%s %s", out->size > start ? "   " : "", line, line, line,
                              entries[i].text);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others && ok; i++)
        if (shows & others[i].shows)
            ok = dd_buffer_printf(out, "%s%s", out->size > start ? "   " : "", others[i].text);
    return ok && (out->size == start || dd_buffer_text(out, "\n"));
}

bool dd_render_text(dd_drawing *drawing)
{
    dd_text title = dd_picture_text(&drawing->picture, drawing->picture.title);
    bool ok = !drawing->options.title || (dd_buffer_text(&drawing->out, "sentence ") &&
                                          dd_buffer_append(&drawing->out, title.data, title.size) &&
                                          dd_buffer_text(&drawing->out, "\n"));
    for (int r = 0; r < drawing->layout.n_rows && ok; r++)
        ok = (r == 0 || dd_buffer_text(&drawing->out, "\n")) &&
             draw_row(drawing, &drawing->layout.rows[r]);
    return ok && write_legend(drawing) && dd_buffer_text(&drawing->out, "\n");
}
