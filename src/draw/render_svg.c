/* render_svg.c - a drawing as SVG: what its arcs look like, its words, the rows of them, and all of
 * it */
#include "core/strings.h"
#include "draw/drawing.h"
#include "draw/picture.h"

/* ---- what each kind of arc looks like ------------------------------------------------------- */

static const char fonts[] =
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans Arabic', "
    "'Noto Sans CJK SC', sans-serif";

/* Classes are looked up below .dodona, so that drawings can stand in any page. The light colours
 * are those of the attributes. */
const char dd_svg_style[] =
    ".dodona{--paper:#fff;--ink:#1c2230;--soft:#6a7285;--line:#8a92a6;--label:#3b4458;"
    "--wrong:#d1242f;--gold:#1a7f37;--known:#0b63c5;--out:#8a6d00;--deps:#8250df}\n"
    "@media (prefers-color-scheme:dark){.dodona{--paper:#12151c;--ink:#edf0f7;--soft:#929bb0;"
    "--line:#77809a;--label:#c5ccdc;--wrong:#ff7b72;--gold:#56d364;--known:#79b8ff;"
    "--out:#e3b341;--deps:#d2a8ff}}\n"
    ".dodona .paper{fill:var(--paper)}\n"
    ".dodona .form{fill:var(--ink)}\n"
    ".dodona .tag{fill:var(--soft)}\n"
    ".dodona .label,.dodona .legend{fill:var(--label)}\n"
    ".dodona .line,.dodona .token path{stroke:var(--line)}\n"
    ".dodona .tip{fill:var(--line)}\n"
    ".dodona .required .line,.dodona .span path{stroke:var(--known)}\n"
    ".dodona .required .tip,.dodona .required .label,.dodona .span .label{fill:var(--known)}\n"
    ".dodona .wrong .line{stroke:var(--wrong)}\n"
    ".dodona .wrong .tip,.dodona .wrong .label,.dodona .mislabelled .label{fill:var(--wrong)}\n"
    ".dodona .gold .line{stroke:var(--gold)}\n"
    ".dodona .gold .tip,.dodona .gold .label{fill:var(--gold)}\n"
    ".dodona .forbidden .line{stroke:var(--out)}\n"
    ".dodona .forbidden .tip,.dodona .forbidden .label{fill:var(--out)}\n"
    ".dodona .enhanced .line{stroke:var(--deps)}\n"
    ".dodona .enhanced .tip,.dodona .enhanced .label,.dodona .empty{fill:var(--deps)}\n";

#define LINE            "#8a92a6"
#define LABEL           "#3b4458"
#define WRONG           "#d1242f"
#define GOLD            "#1a7f37"
#define KNOWN           "#0b63c5"
#define OUT             "#8a6d00"
#define DEPS            "#8250df"
#define DASHED(lengths) "stroke-width=\"1.5\" stroke-dasharray=\"" lengths "\""

dd_svg_look dd_svg_look_of(const dd_drawn_arc *arc)
{
    static const dd_svg_look looks[DD_ARC_KINDS] = {
        [DD_ARC_PLAIN] = {"arc", LINE, LABEL, "stroke-width=\"1.5\"", false},
        [DD_ARC_WRONG] = {"arc wrong", WRONG, WRONG, "stroke-width=\"2\"", true},
        [DD_ARC_GOLD] = {"arc gold", GOLD, GOLD, DASHED("6 4"), false},
        [DD_ARC_MISSING] = {"arc missing required", KNOWN, KNOWN, DASHED("2 4"), false},
        [DD_ARC_FORBIDDEN] = {"arc forbidden", OUT, OUT, DASHED("1.5 4"), false},
        [DD_ARC_ENHANCED] = {"arc enhanced", DEPS, DEPS, DASHED("1.5 3"), false},
    };
    static const dd_svg_look required = {"arc required", KNOWN, KNOWN, "stroke-width=\"2.5\"",
                                         false},
                             wrong_and_required = {"arc wrong required", WRONG, WRONG,
                                                   "stroke-width=\"2.5\"", true},
                             mislabelled = {"arc mislabelled", LINE, WRONG, "stroke-width=\"1.5\"",
                                            true},
                             both = {"arc required mislabelled", KNOWN, WRONG,
                                     "stroke-width=\"2.5\"", true};
    bool mine = arc->required && arc->kind != DD_ARC_MISSING;
    if (arc->wrong_label) return mine ? both : mislabelled;
    if (mine) return arc->kind == DD_ARC_WRONG ? wrong_and_required : required;
    return looks[arc->kind];
}

bool dd_svg_line(dd_buffer *out, const dd_svg_look *look)
{
    return dd_buffer_printf(out, "<path class=\"line\" fill=\"none\" stroke=\"%s\" %s d=\"",
                            look->line, look->shape);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Pixels. */
enum {
    FORM_LINE = 22, /* from the arrows to the feet of the words, and from line to line of a word */
    TAG_LINE = 17,  /* from there to those of the tags */
    SPAN_LINE = 22, /* from level to level of spans */
    SPAN_GAP = 5,   /* from the tags to the spans */
    ROW_GAP = 26,   /* between rows */
};

static int label_width(dd_text text)
{
    return dd_text_pixels(text, DD_SVG_LABEL_SIZE);
}

static int form_width(dd_text line)
{
    return dd_text_pixels(line, DD_SVG_FORM_SIZE);
}

static int word_width(dd_text form, dd_text tag)
{
    int of_form = dd_widest_line(form, form_width), of_tag = dd_text_pixels(tag, DD_SVG_TAG_SIZE);
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

/* ---- texts -------------------------------------------------------------------------------- */

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

bool dd_svg_text(dd_drawing *drawing, const char *attributes, int x, int y, dd_stretch view)
{
    dd_text rest = dd_picture_text(&drawing->picture, view);
    dd_buffer *out = &drawing->out;
    if (rest.size == 0) return true;
    bool ok = dd_buffer_printf(out, "<text %s x=\"%d\" y=\"%d\">", attributes, x, y) &&
              dd_append_xml(out, dd_text_cut(&rest, '\n'));
    while (ok && rest.size > 0)
        ok = dd_buffer_printf(out, "<tspan x=\"%d\" dy=\"%d\">", x, FORM_LINE) &&
             dd_append_xml(out, dd_text_cut(&rest, '\n')) && dd_buffer_text(out, "</tspan>");
    return ok && dd_buffer_text(out, "</text>");
}

/* What browsers show of a word that is pointed at: its columns, a line each. */
static bool write_columns(dd_drawing *drawing, const dd_drawn_word *word)
{
    dd_buffer *out = &drawing->out;
    const dd_picture *picture = &drawing->picture;
    bool ok = dd_buffer_text(out, "<title>") &&
              dd_append_xml(out, dd_picture_text(picture, word->cells[DD_ID])) &&
              dd_buffer_text(out, " ") &&
              dd_append_xml(out, dd_picture_text(picture, word->cells[DD_FORM]));
    for (int column = DD_LEMMA; column < DD_COLUMNS && ok; column++)
        if (word->cells[column].size)
            ok = dd_buffer_printf(out, "\n%s ", dd_column_name(column)) &&
                 dd_append_xml(out, dd_picture_text(picture, word->cells[column]));
    return ok && dd_buffer_text(out, "</title>");
}

static bool write_word(dd_drawing *drawing, int node, int x, int y, int tag_y)
{
    const dd_drawn_word *word = &drawing->picture.words[node];
    dd_buffer *out = &drawing->out;
    const char *form = word->minor ? "class=\"form empty\" fill=\"#8250df\" font-size=\"17\" "
                                     "font-style=\"italic\""
                                   : "class=\"form\" fill=\"#1c2230\" font-size=\"17\" "
                                     "font-weight=\"500\"";
    return dd_buffer_text(out, "<g class=\"word\">") && write_columns(drawing, word) &&
           dd_svg_text(drawing, form, x, y, word->form) &&
           dd_svg_text(drawing, "class=\"tag\" fill=\"#6a7285\" font-size=\"11\"", x, tag_y,
                       word->tag) &&
           dd_buffer_text(out, "</g>\n");
}

/* ---- spans -------------------------------------------------------------------------------- */

static bool write_leaf(dd_drawing *drawing, const dd_drawn_span *leaf, int middle, int y)
{
    return dd_buffer_text(&drawing->out, "<g class=\"span leaf\">") &&
           dd_svg_text(drawing, "class=\"label\" fill=\"#0b63c5\" font-size=\"12\"", middle, y + 12,
                       leaf->label) &&
           dd_buffer_text(&drawing->out, "</g>\n");
}

static bool write_bracket(dd_drawing *drawing, const dd_drawn_span *span, int left, int right,
                          int y)
{
    return dd_buffer_printf(
        &drawing->out,
        "<g class=\"%s\"><path fill=\"none\" stroke=\"%s\"%s d=\"M%d %dv4q0 4 4 4H%dq4 0 4 -4v-4\""
        "/>",
        span->token ? "token" : "span", span->token ? "#8a92a6" : "#0b63c5",
        span->token ? "" : " stroke-width=\"1.5\"", left - 3, y, right - 1);
}

static bool write_span(dd_drawing *drawing, const dd_drawn_row *row, const dd_drawn_span *span,
                       int top)
{
    const dd_drawn *layout = &drawing->layout;
    int first = span->first > row->first ? span->first : row->first;
    int last = span->last < row->last ? span->last : row->last;
    if (first > last) return true;
    int x = layout->slots[first].x, width = layout->slots[last].x + layout->slots[last].width - x;
    int left = DD_SVG_MARGIN + dd_mirror(layout, x, width);
    int y = top + (span->level - 1) * SPAN_LINE;
    if (span->leaf) return write_leaf(drawing, span, left + width / 2, y);
    bool whole = first == span->first && last == span->last;
    bool fits = whole || !span->token ||
                width >= label_width(dd_picture_text(&drawing->picture, span->label));
    const char *text = span->token ? "class=\"label\" fill=\"#3b4458\" font-size=\"12\""
                                   : "class=\"label\" fill=\"#0b63c5\" font-size=\"12\"";
    return write_bracket(drawing, span, left, left + width, y) &&
           (!fits || dd_svg_text(drawing, text, left + width / 2, y + 20, span->label)) &&
           dd_buffer_text(&drawing->out, "</g>\n");
}

/* ---- rows --------------------------------------------------------------------------------- */

/* Where the parts of a row stand, counted from its top. */
typedef struct places {
    int feet[DD_SIDES]; /* where legs meet the words, or what stands below them */
    int forms, tags, spans;
    int height;
} places;

static places places_of(const dd_drawing *drawing, const dd_drawn_row *row)
{
    int heights[DD_SIDES];
    for (int side = 0; side < DD_SIDES; side++)
        heights[side] = row->levels[side] ? DD_SVG_LOWEST + row->levels[side] * DD_SVG_LEVEL +
                                                DD_SVG_LABEL_SIZE / 2
                                          : 0;
    places at = {.feet[DD_ABOVE] = heights[DD_ABOVE]};
    at.forms = at.feet[DD_ABOVE] + FORM_LINE;
    at.tags = at.forms + (row->lines - 1) * FORM_LINE + TAG_LINE;
    at.spans = at.tags + SPAN_GAP;
    int below = at.tags + drawing->picture.span_levels * SPAN_LINE;
    at.feet[DD_BELOW] = below + SPAN_GAP;
    at.height = heights[DD_BELOW] ? at.feet[DD_BELOW] + heights[DD_BELOW] : below;
    return at;
}

static bool write_row(dd_drawing *drawing, const dd_drawn_row *row, int top)
{
    const dd_picture *picture = &drawing->picture;
    const dd_drawn *layout = &drawing->layout;
    places at = places_of(drawing, row);
    bool ok = true;
    for (int word = row->first; word <= row->last && ok; word++) {
        const dd_slot *slot = &layout->slots[word];
        int x = DD_SVG_MARGIN + dd_mirror(layout, slot->x, slot->width) + slot->width / 2;
        ok = dd_drawing_goes_on(drawing) &&
             write_word(drawing, word, x, top + at.forms, top + at.tags);
    }
    for (int s = row->segments; s < row->segments + row->n_segments && ok; s++) {
        const dd_segment *segment = &layout->segments[s];
        ok = dd_drawing_goes_on(drawing) &&
             dd_svg_segment(drawing, segment, top + at.feet[layout->ends[segment->arc].side]);
    }
    for (int i = 0; i < picture->n_spans && ok; i++)
        ok = write_span(drawing, row, &picture->spans[i], top + at.spans);
    return ok;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static bool write_head(dd_drawing *drawing, int width, int height)
{
    const dd_picture *picture = &drawing->picture;
    dd_buffer *out = &drawing->out;
    bool ok = dd_buffer_printf(out,
                               "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"dodona\" "
                               "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" "
                               "font-family=\"%s\" text-anchor=\"middle\"%s>\n<title>",
                               width, height, width, height, fonts,
                               picture->right_to_left ? " direction=\"rtl\"" : "") &&
              dd_append_xml(out, dd_picture_text(picture, picture->title)) &&
              dd_buffer_text(out, "</title>\n<desc>") &&
              dd_append_xml(out, dd_picture_text(picture, picture->sentence)) &&
              dd_buffer_text(out, "</desc>\n");
    if (ok && drawing->options.format == DD_DRAW_SVG)
        ok = dd_buffer_printf(out, "<style>\n%s</style>\n", dd_svg_style);
    return ok && dd_buffer_text(
                     out, "<rect class=\"paper\" fill=\"#fff\" width=\"100%\" height=\"100%\"/>\n");
}

bool dd_render_svg(dd_drawing *drawing)
{
    const dd_drawn *layout = &drawing->layout;
    int width = layout->width + 2 * DD_SVG_MARGIN, height = DD_SVG_MARGIN;
    int least = dd_svg_legend_width(drawing);
    if (width < least) width = least;
    for (int r = 0; r < layout->n_rows; r++)
        height += places_of(drawing, &layout->rows[r]).height + (r > 0 ? ROW_GAP : 0);
    bool ok =
        write_head(drawing, width, height + dd_svg_legend_height(drawing, width) + DD_SVG_MARGIN);
    int top = DD_SVG_MARGIN;
    for (int r = 0; r < layout->n_rows && ok; r++) {
        ok = write_row(drawing, &layout->rows[r], top);
        top += places_of(drawing, &layout->rows[r]).height + ROW_GAP;
    }
    return ok && dd_svg_legend(drawing, width, height) && dd_buffer_text(&drawing->out, "</svg>\n");
}
