/* What each kind of arc looks like: as attributes, and as a style sheet for light and dark. */
#include "view/svg.h"

const char dd_svg_fonts[] =
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
