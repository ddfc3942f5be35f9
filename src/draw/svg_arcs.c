/* svg_arcs.c - the arcs of a drawing in SVG, above its words and below, and the legend under it:
 * one entry for each mark that is in it */
#include "draw/drawing.h"
#include "draw/picture.h"

#include <stdio.h>
#include <string.h>

/* Of an arc's corner; its height is a level, so it crosses no other. */
enum { WIDEST_TURN = 40 };

/* A segment as it stands in the drawing, mirrored or not. */
typedef struct stretch {
    int left, right;            /* legs, or edges of the row */
    bool open_left, open_right; /* carried on there */
    bool arrow_left;            /* the dependent is the left end */
    int label, label_width;     /* its middle */
    int bow, foot;              /* where it runs across, where its legs end */
    int down;                   /* 1: its legs lead down, -1: up */
} stretch;

static stretch stretch_of(const dd_drawing *drawing, const dd_segment *segment, int foot)
{
    const dd_drawn *layout = &drawing->layout;
    const dd_arc_ends *ends = &layout->ends[segment->arc];
    const dd_drawn_arc *arc = &drawing->picture.arcs[segment->arc];
    bool turned = drawing->picture.right_to_left;
    int width = ends->label_width, down = ends->side == DD_BELOW ? -1 : 1;
    return (stretch){
        .left = DD_SVG_MARGIN + dd_mirror(layout, turned ? segment->right : segment->left, 0),
        .right = DD_SVG_MARGIN + dd_mirror(layout, turned ? segment->left : segment->right, 0),
        .open_left = turned ? segment->open_right : segment->open_left,
        .open_right = turned ? segment->open_left : segment->open_right,
        .arrow_left = (arc->dependent < arc->head) != turned,
        .label = DD_SVG_MARGIN + dd_mirror(layout, segment->label, width) + width / 2,
        .label_width = width,
        .bow = foot - down * (DD_SVG_LOWEST + DD_SVG_LEVEL * segment->level),
        .foot = foot,
        .down = down,
    };
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static bool write_turn(dd_buffer *out, const stretch *s, int width, int x, int y)
{
    return dd_buffer_printf(out, "A%d %d 0 0 %d %d %d", width, DD_SVG_LEVEL, s->down > 0, x, y);
}

/* From the left leg to the gap for the label, and from there to the right leg. */
static bool write_bow(dd_buffer *out, const stretch *s)
{
    int half = s->label_width ? s->label_width / 2 + 4 : 0;
    int from = s->label - half, to = s->label + half, corner = s->bow + s->down * DD_SVG_LEVEL;
    int turn_left = smaller(WIDEST_TURN, from - s->left);
    int turn_right = smaller(WIDEST_TURN, s->right - to);
    bool ok = true;
    if (s->open_left)
        ok = dd_buffer_printf(out, "M%d %d", s->left, s->bow);
    else
        ok = dd_buffer_printf(out, "M%d %dV%d", s->left, s->foot, corner) &&
             write_turn(out, s, turn_left, s->left + turn_left, s->bow);
    ok = ok && dd_buffer_printf(out, "H%d", from);
    if (ok && half) ok = dd_buffer_printf(out, "M%d %d", to, s->bow);
    if (ok && s->open_right)
        ok = dd_buffer_printf(out, "H%d", s->right);
    else if (ok)
        ok = dd_buffer_printf(out, "H%d", s->right - turn_right) &&
             write_turn(out, s, turn_right, s->right, corner) &&
             dd_buffer_printf(out, "V%d", s->foot);
    return ok && dd_buffer_text(out, "\"/>");
}

static bool write_arrow(dd_buffer *out, const stretch *s, const dd_svg_look *look, int x)
{
    return dd_buffer_printf(out, "<path class=\"tip\" fill=\"%s\" d=\"M%d %dl-4 %dq4 %d 8 0z\"/>",
                            look->line, x, s->foot + s->down, -8 * s->down, 2 * s->down);
}

static bool write_arc(dd_buffer *out, const stretch *s, const dd_svg_look *look, bool stem)
{
    bool ok = dd_svg_line(out, look);
    if (stem)
        return ok &&
               dd_buffer_printf(out, "M%d %dV%d\"/>", s->left,
                                s->bow + s->down * (s->label_width ? DD_SVG_LABEL_SIZE : 0),
                                s->foot) &&
               write_arrow(out, s, look, s->left);
    return ok && write_bow(out, s) &&
           (!s->arrow_left || s->open_left || write_arrow(out, s, look, s->left)) &&
           (s->arrow_left || s->open_right || write_arrow(out, s, look, s->right));
}

static bool write_id(dd_buffer *out, const dd_picture *picture, const char *name, int node)
{
    const dd_drawn_word *word = &picture->words[node];
    if (node == 0) return dd_buffer_printf(out, " data-%s=\"0\"", name);
    return dd_buffer_printf(out, word->minor ? " data-%s=\"%d.%d\"" : " data-%s=\"%d\"", name,
                            word->id, word->minor);
}

static bool write_label(dd_drawing *drawing, const stretch *s, const dd_svg_look *look,
                        dd_stretch label)
{
    char attributes[128];
    snprintf(attributes, sizeof attributes, "class=\"label\" fill=\"%s\" font-size=\"%d\"%s",
             look->text, DD_SVG_LABEL_SIZE, look->bold ? " font-weight=\"600\"" : "");
    return dd_svg_text(drawing, attributes, s->label, s->bow + DD_SVG_LABEL_SIZE / 3, label);
}

bool dd_svg_segment(dd_drawing *drawing, const dd_segment *segment, int foot)
{
    const dd_drawn_arc *arc = &drawing->picture.arcs[segment->arc];
    dd_buffer *out = &drawing->out;
    stretch s = stretch_of(drawing, segment, foot);
    dd_svg_look look = dd_svg_look_of(arc);
    return dd_buffer_printf(out, "<g class=\"%s\"", look.class) &&
           write_id(out, &drawing->picture, "head", arc->head) &&
           write_id(out, &drawing->picture, "dependent", arc->dependent) &&
           dd_buffer_text(out, ">") &&
           write_arc(out, &s, &look, dd_is_stem(&drawing->layout.ends[segment->arc])) &&
           write_label(drawing, &s, &look, arc->label) && dd_buffer_text(out, "</g>\n");
}

/* ---- the legend ----------------------------------------------------------------------------- */

enum {
    LINE = 22,
    MARK = 30, /* room for the mark before an entry's text */
    GAP = 18,
    LEAST_WIDTH = 260,
};

static const struct entry {
    int shows;
    dd_drawn_arc like;
    const char *text;
} entries[] = {
    {DD_SHOWS_WRONG, {.kind = DD_ARC_WRONG}, "wrong"},
    {DD_SHOWS_GOLD, {.kind = DD_ARC_GOLD}, "gold"},
    {DD_SHOWS_WRONG_LABEL, {.wrong_label = true}, "a (b): label a, gold b"},
    {DD_SHOWS_REQUIRED, {.required = true}, "required"},
    {DD_SHOWS_MISSING, {.kind = DD_ARC_MISSING}, "required, not in the tree"},
    {DD_SHOWS_FORBIDDEN, {.kind = DD_ARC_FORBIDDEN}, "forbidden"},
    {DD_SHOWS_SPAN, {.required = true}, "span that is one subtree"},
    {DD_SHOWS_LEAF, {.required = true}, "no dependents"},
    {DD_SHOWS_ENHANCED, {.kind = DD_ARC_ENHANCED}, "enhanced, where not as in the tree"},
    {DD_SHOWS_EMPTY, {.kind = DD_ARC_ENHANCED}, "empty node"},
};

/* What stands before the entry's text, from its left end on: a line, unless it is something else.
 */
static const char *mark_of(int shows)
{
    switch (shows) {
    case DD_SHOWS_SPAN: return "m0 -3v3q0 3 3 3h16q3 0 3 -3v-3";
    case DD_SHOWS_LEAF: return "m15 -4l-8 8m9 -4a5 5 0 1 1 -10 0a5 5 0 1 1 10 0";
    case DD_SHOWS_EMPTY: return "m7 -6q-4 6 0 12m8 -12q4 6 0 12";
    default: return "h22";
    }
}

static bool write_entry(dd_buffer *out, const struct entry *entry, int x, int y)
{
    bool line = strcmp(mark_of(entry->shows), "h22") == 0;
    dd_svg_look look = dd_svg_look_of(&entry->like);
    if (!line) look.shape = "stroke-width=\"1.5\"";
    return dd_buffer_printf(out, "<g class=\"%s\">", look.class) && dd_svg_line(out, &look) &&
           dd_buffer_printf(out,
                            "M%d %d%s\"/><text class=\"legend\" fill=\"#3b4458\" font-size=\"%d\" "
                            "text-anchor=\"start\" direction=\"ltr\" x=\"%d\" y=\"%d\">%s</text>"
                            "</g>\n",
                            x, y - 4, mark_of(entry->shows), DD_SVG_LABEL_SIZE, x + MARK, y,
                            entry->text);
}

/* Writes the entries, filled into lines, or only counts the lines if `out` is NULL. */
static int fill(const dd_drawing *drawing, int width, int top, dd_buffer *out, bool *ok)
{
    int shows = dd_picture_shows(&drawing->picture), x = DD_SVG_MARGIN, lines = 0;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (!(shows & entries[i].shows)) continue;
        dd_text text = {entries[i].text, strlen(entries[i].text)};
        int size = MARK + dd_text_pixels(text, DD_SVG_LABEL_SIZE);
        if (lines == 0 || x + size > width - DD_SVG_MARGIN) {
            lines++;
            x = DD_SVG_MARGIN;
        }
        if (out && *ok) *ok = write_entry(out, &entries[i], x, top + lines * LINE);
        x += size + GAP;
    }
    return lines;
}

int dd_svg_legend_width(const dd_drawing *drawing)
{
    return dd_picture_shows(&drawing->picture) ? LEAST_WIDTH : 0;
}

int dd_svg_legend_height(const dd_drawing *drawing, int width)
{
    return fill(drawing, width, 0, NULL, NULL) * LINE;
}

bool dd_svg_legend(dd_drawing *drawing, int width, int top)
{
    bool ok = true;
    fill(drawing, width, top, &drawing->out, &ok);
    return ok;
}
