/* The legend under a drawing in SVG: one entry for each mark that is in it. */
#include "view/measure.h"
#include "view/svg.h"

#include <string.h>

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

/* Entries filled into lines; with `out` NULL only their number is told. */
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
