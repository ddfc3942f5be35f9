/* A drawing as SVG. */
#include "view/measure.h"
#include "view/render.h"

#include <string.h>

/* Pixels. */
enum {
    FORM_SIZE = 17,
    TAG_SIZE = 11,
    LABEL_SIZE = 12,
    MARGIN = 16,
    LEVEL = 25,      /* from level to level */
    LOWEST = 9,      /* from the words' arrows to half a level below the first */
    FORM_LINE = 22,  /* from the arrows to the feet of the words */
    TAG_LINE = 17,   /* from there to those of the tags */
    SPAN_LINE = 22,  /* from level to level of spans */
    ROW_GAP = 26,    /* between rows */
    WIDEST_TURN = 40 /* of an arc's corner; its height is LEVEL, so it crosses no other level */
};

static int label_width(dd_text text)
{
    return dd_text_pixels(text, LABEL_SIZE);
}

static int word_width(dd_text form, dd_text tag)
{
    int of_form = dd_text_pixels(form, FORM_SIZE), of_tag = dd_text_pixels(tag, TAG_SIZE);
    return of_form > of_tag ? of_form : of_tag;
}

const dd_metrics dd_svg_metrics = {
    .label_width = label_width,
    .word_width = word_width,
    .thickness = 0,
    .port_gap = 11,
    .word_gap = 18,
    .label_side = 13,
    .label_clear = 6,
    .bare = 24,
    .edge = 18,
};

bool dd_append_xml(dd_buffer *out, dd_text text)
{
    bool ok = true;
    for (size_t i = 0; i < text.size && ok; i++) {
        switch (text.data[i]) {
        case '<': ok = dd_buffer_text(out, "&lt;"); break;
        case '>': ok = dd_buffer_text(out, "&gt;"); break;
        case '&': ok = dd_buffer_text(out, "&amp;"); break;
        case '"': ok = dd_buffer_text(out, "&quot;"); break;
        default: ok = dd_buffer_append(out, text.data + i, 1);
        }
    }
    return ok;
}

static bool write_text(dd_drawing *drawing, const char *class, int x, int y, dd_view view)
{
    if (view.size == 0) return true;
    return dd_buffer_printf(&drawing->out, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, x, y) &&
           dd_append_xml(&drawing->out, dd_picture_text(&drawing->picture, view)) &&
           dd_buffer_text(&drawing->out, "</text>");
}

/* ---- arcs --------------------------------------------------------------------------------- */

static const char *const class_names[DD_ARC_KINDS] = {
    [DD_ARC_PLAIN] = "",           [DD_ARC_WRONG] = " wrong",         [DD_ARC_GOLD] = " gold",
    [DD_ARC_MISSING] = " missing", [DD_ARC_FORBIDDEN] = " forbidden",
};

/* A segment as it stands in the drawing, mirrored or not. */
typedef struct stretch {
    int left, right;            /* legs, or edges of the row */
    bool open_left, open_right; /* carried on there */
    bool arrow_left;            /* the dependent is the left end */
    int label, label_width;     /* its middle */
    int top, bottom;            /* of the segment, of its legs */
} stretch;

static stretch stretch_of(const dd_drawing *drawing, const dd_segment *segment, int bottom)
{
    const dd_drawn *layout = &drawing->layout;
    const dd_drawn_arc *arc = &drawing->picture.arcs[segment->arc];
    bool turned = drawing->picture.right_to_left;
    int width = layout->ends[segment->arc].label_width;
    return (stretch){
        .left = MARGIN + dd_mirror(layout, turned ? segment->right : segment->left, 0),
        .right = MARGIN + dd_mirror(layout, turned ? segment->left : segment->right, 0),
        .open_left = turned ? segment->open_right : segment->open_left,
        .open_right = turned ? segment->open_left : segment->open_right,
        .arrow_left = (arc->dependent < arc->head) != turned,
        .label = MARGIN + dd_mirror(layout, segment->label, width) + width / 2,
        .label_width = width,
        .top = bottom - LOWEST - LEVEL * segment->level,
        .bottom = bottom,
    };
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* From the left leg to the gap for the label, and from there to the right leg. */
static bool write_path(dd_buffer *out, const stretch *s)
{
    int half = s->label_width ? s->label_width / 2 + 4 : 0;
    int from = s->label - half, to = s->label + half;
    int turn_left = smaller(WIDEST_TURN, from - s->left);
    int turn_right = smaller(WIDEST_TURN, s->right - to);
    bool ok = dd_buffer_text(out, "<path class=\"line\" d=\"");
    if (ok && s->open_left)
        ok = dd_buffer_printf(out, "M%d %d", s->left, s->top);
    else if (ok)
        ok = dd_buffer_printf(out, "M%d %dV%dA%d %d 0 0 1 %d %d", s->left, s->bottom,
                              s->top + LEVEL, turn_left, LEVEL, s->left + turn_left, s->top);
    ok = ok && dd_buffer_printf(out, "H%d", from);
    if (ok && half) ok = dd_buffer_printf(out, "M%d %d", to, s->top);
    if (ok && s->open_right)
        ok = dd_buffer_printf(out, "H%d", s->right);
    else if (ok)
        ok = dd_buffer_printf(out, "H%dA%d %d 0 0 1 %d %dV%d", s->right - turn_right, turn_right,
                              LEVEL, s->right, s->top + LEVEL, s->bottom);
    return ok && dd_buffer_text(out, "\"/>");
}

static bool write_arrow(dd_buffer *out, int x, int bottom)
{
    return dd_buffer_printf(out, "<path class=\"tip\" d=\"M%d %dl-4 -8q4 2 8 0z\"/>", x,
                            bottom + 1);
}

static bool write_segment(dd_drawing *drawing, const dd_segment *segment, int bottom)
{
    const dd_drawn_arc *arc = &drawing->picture.arcs[segment->arc];
    dd_buffer *out = &drawing->out;
    stretch s = stretch_of(drawing, segment, bottom);
    bool stem = dd_is_stem(&drawing->layout.ends[segment->arc]);
    bool ok =
        dd_buffer_printf(out, "<g class=\"arc%s%s%s\" data-head=\"%d\" data-dependent=\"%d\">",
                         class_names[arc->kind], arc->required ? " required" : "",
                         arc->wrong_label ? " mislabelled" : "", arc->head, arc->dependent);
    if (ok && stem)
        ok = dd_buffer_printf(out, "<path class=\"line\" d=\"M%d %dV%d\"/>", s.left,
                              s.top + (s.label_width ? LABEL_SIZE : 0), bottom) &&
             write_arrow(out, s.left, bottom);
    else if (ok)
        ok = write_path(out, &s) &&
             (!s.arrow_left || s.open_left || write_arrow(out, s.left, bottom)) &&
             (s.arrow_left || s.open_right || write_arrow(out, s.right, bottom));
    return ok && write_text(drawing, "label", s.label, s.top + LABEL_SIZE / 3, arc->label) &&
           dd_buffer_text(out, "</g>\n");
}

/* ---- rows --------------------------------------------------------------------------------- */

static bool write_leaf(dd_drawing *drawing, const dd_drawn_span *leaf, int middle, int y)
{
    return dd_buffer_text(&drawing->out, "<g class=\"span leaf\">") &&
           write_text(drawing, "label", middle, y + 12, leaf->label) &&
           dd_buffer_text(&drawing->out, "</g>\n");
}

static bool write_span(dd_drawing *drawing, const dd_row *row, const dd_drawn_span *span, int top)
{
    const dd_drawn *layout = &drawing->layout;
    int first = span->first > row->first ? span->first : row->first;
    int last = span->last < row->last ? span->last : row->last;
    if (first > last) return true;
    int x = layout->slots[first].x, width = layout->slots[last].x + layout->slots[last].width - x;
    int left = MARGIN + dd_mirror(layout, x, width), y = top + (span->level - 1) * SPAN_LINE;
    if (span->leaf) return write_leaf(drawing, span, left + width / 2, y);
    bool whole = first == span->first && last == span->last;
    bool fits = whole || !span->token ||
                width >= label_width(dd_picture_text(&drawing->picture, span->label));
    return dd_buffer_printf(&drawing->out,
                            "<g class=\"%s\"><path d=\"M%d %dv4q0 4 4 4H%dq4 0 4 -4v-4\"/>",
                            span->token ? "token" : "span", left - 3, y, left + width - 1) &&
           (!fits || write_text(drawing, "label", left + width / 2, y + 20, span->label)) &&
           dd_buffer_text(&drawing->out, "</g>\n");
}

static int row_height(const dd_drawing *drawing, const dd_row *row)
{
    int arcs = row->levels ? LOWEST + row->levels * LEVEL + LABEL_SIZE / 2 : 0;
    return arcs + FORM_LINE + TAG_LINE + drawing->picture.span_levels * SPAN_LINE;
}

static bool write_row(dd_drawing *drawing, const dd_row *row, int top)
{
    const dd_picture *picture = &drawing->picture;
    const dd_drawn *layout = &drawing->layout;
    int bottom = top + (row->levels ? LOWEST + row->levels * LEVEL + LABEL_SIZE / 2 : 0);
    bool ok = true;
    for (int word = row->first; word <= row->last && ok; word++) {
        const dd_slot *slot = &layout->slots[word];
        int x = MARGIN + dd_mirror(layout, slot->x, slot->width) + slot->width / 2;
        int y = bottom + FORM_LINE;
        ok = write_text(drawing, "form", x, y, picture->words[word].form) &&
             write_text(drawing, "tag", x, y + TAG_LINE, picture->words[word].tag) &&
             dd_buffer_text(&drawing->out, "\n");
    }
    for (int s = row->segments; s < row->segments + row->n_segments && ok; s++)
        ok = write_segment(drawing, &layout->segments[s], bottom);
    for (int i = 0; i < picture->n_spans && ok; i++)
        ok = write_span(drawing, row, &picture->spans[i], bottom + FORM_LINE + TAG_LINE + 5);
    return ok;
}

/* ---- the legend --------------------------------------------------------------------------- */

enum {
    LEGEND_LINE = 22,
    LEGEND_MARK = 30,
    LEGEND_GAP = 18,
    LEGEND_WIDTH = 260, /* of a drawing that has one, at least */
};

static const struct {
    int shows;
    const char *class, *text;
} legend[] = {
    {DD_SHOWS_WRONG, "arc wrong", "wrong"},
    {DD_SHOWS_GOLD, "arc gold", "gold"},
    {DD_SHOWS_WRONG_LABEL, "arc mislabelled", "a (b): label a, gold b"},
    {DD_SHOWS_REQUIRED, "arc required", "required"},
    {DD_SHOWS_MISSING, "arc missing required", "required, not in the tree"},
    {DD_SHOWS_FORBIDDEN, "arc forbidden", "forbidden"},
    {DD_SHOWS_SPAN, "span", "span that is one subtree"},
    {DD_SHOWS_LEAF, "span", "no dependents"},
};

/* What stands before the entry's text, from its left end on: a line, unless it is something else.
 */
static const char *legend_mark(int shows)
{
    if (shows == DD_SHOWS_SPAN) return "m0 -3v3q0 3 3 3h16q3 0 3 -3v-3";
    return shows == DD_SHOWS_LEAF ? "m15 -4l-8 8m9 -4a5 5 0 1 1 -10 0a5 5 0 1 1 10 0" : "h22";
}

/* Entries filled into lines; with `out` NULL only their number is told. */
static int fill_legend(const dd_drawing *drawing, int width, int top, dd_buffer *out, bool *ok)
{
    int shows = dd_picture_shows(&drawing->picture), x = MARGIN, lines = 0;
    for (size_t i = 0; i < sizeof legend / sizeof *legend; i++) {
        if (!(shows & legend[i].shows)) continue;
        dd_text text = {legend[i].text, strlen(legend[i].text)};
        int size = LEGEND_MARK + dd_text_pixels(text, LABEL_SIZE);
        if (lines == 0 || x + size > width - MARGIN) {
            lines++;
            x = MARGIN;
        }
        int y = top + lines * LEGEND_LINE;
        if (out && *ok)
            *ok = dd_buffer_printf(out,
                                   "<g class=\"%s\"><path class=\"line\" d=\"M%d %d%s\"/>"
                                   "<text class=\"legend\" x=\"%d\" y=\"%d\">%s</text></g>\n",
                                   legend[i].class, x, y - 4, legend_mark(legend[i].shows),
                                   x + LEGEND_MARK, y, legend[i].text);
        x += size + LEGEND_GAP;
    }
    return lines;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static bool write_head(dd_drawing *drawing, int width, int height)
{
    const dd_picture *picture = &drawing->picture;
    dd_buffer *out = &drawing->out;
    bool ok = dd_buffer_printf(out,
                               "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"dodona\" "
                               "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\"%s>\n"
                               "<title>",
                               width, height, width, height,
                               picture->right_to_left ? " direction=\"rtl\"" : "") &&
              dd_append_xml(out, dd_picture_text(picture, picture->title)) &&
              dd_buffer_text(out, "</title>\n");
    if (ok && drawing->options.format == DD_DRAW_SVG)
        ok = dd_buffer_printf(out, "<style>\n%s</style>\n", dd_svg_style);
    return ok && dd_buffer_text(out, "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
}

bool dd_render_svg(dd_drawing *drawing)
{
    const dd_drawn *layout = &drawing->layout;
    int width = layout->width + 2 * MARGIN, height = MARGIN;
    if (dd_picture_shows(&drawing->picture) && width < LEGEND_WIDTH) width = LEGEND_WIDTH;
    for (int r = 0; r < layout->n_rows; r++)
        height += row_height(drawing, &layout->rows[r]) + (r > 0 ? ROW_GAP : 0);
    bool ok = true;
    int lines = fill_legend(drawing, width, 0, NULL, &ok);
    ok = write_head(drawing, width, height + lines * LEGEND_LINE + MARGIN);
    int top = MARGIN;
    for (int r = 0; r < layout->n_rows && ok; r++) {
        ok = write_row(drawing, &layout->rows[r], top);
        top += row_height(drawing, &layout->rows[r]) + ROW_GAP;
    }
    fill_legend(drawing, width, height, &drawing->out, &ok);
    return ok && dd_buffer_text(&drawing->out, "</svg>\n");
}
