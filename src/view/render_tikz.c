/* A drawing for LaTeX, with the package tikz-dependency. Its own layout serves. */
#include "view/render.h"

#include <string.h>

/* In deptext `\&` parts the words, so that an ampersand is written by its number. */
static bool write_latex(dd_buffer *out, dd_text text)
{
    bool ok = true;
    for (size_t i = 0; i < text.size && ok; i++) {
        switch (text.data[i]) {
        case '\\': ok = dd_buffer_text(out, "\\textbackslash{}"); break;
        case '~': ok = dd_buffer_text(out, "\\textasciitilde{}"); break;
        case '^': ok = dd_buffer_text(out, "\\textasciicircum{}"); break;
        case '&': ok = dd_buffer_text(out, "{\\char38}"); break;
        case '{':
        case '}':
        case '$':
        case '#':
        case '_':
        case '%': ok = dd_buffer_printf(out, "\\%c", text.data[i]); break;
        case '[':
        case ']': ok = dd_buffer_printf(out, "{%c}", text.data[i]); break;
        case '\n': break; /* in a long form; LaTeX has one row for all */
        default: ok = dd_buffer_append(out, text.data + i, 1);
        }
    }
    return ok;
}

static bool write_words(dd_drawing *drawing, bool tags)
{
    const dd_picture *picture = &drawing->picture;
    dd_buffer *out = &drawing->out;
    bool ok = dd_buffer_text(out, "  ");
    for (int i = 1; i <= picture->n && ok; i++) {
        /* LaTeX sets the cells from left to right, whatever the script. */
        int word = picture->right_to_left ? picture->n + 1 - i : i;
        const dd_drawn_word *drawn = &picture->words[word];
        ok = (i == 1 || dd_buffer_text(out, " \\& ")) &&
             (!tags || dd_buffer_text(out, "\\scriptsize ")) &&
             (tags || !drawn->minor || dd_buffer_text(out, "\\itshape ")) &&
             write_latex(out, dd_picture_text(picture, tags ? drawn->tag : drawn->form));
    }
    return ok && dd_buffer_text(out, " \\\\\n");
}

/* From the last row to what stands below it: brackets have room there. */
#define BELOW "4ex"

static const char *style_of(const dd_drawn_arc *arc)
{
    switch (arc->kind) {
    case DD_ARC_WRONG: return "edge style={red,thick},label style={text=red,draw=red}";
    case DD_ARC_GOLD: return "edge style={green!50!black,dashed},label style={text=green!50!black}";
    case DD_ARC_MISSING: return "edge style={blue,dotted},label style={text=blue}";
    case DD_ARC_FORBIDDEN: return "edge style={gray,dotted},label style={text=gray}";
    case DD_ARC_ENHANCED:
        return "edge below,edge vertical padding=" BELOW
               ",edge style={violet,densely dotted},label style={text=violet,draw=violet}";
    default: break;
    }
    if (arc->required) return "edge style={blue,very thick},label style={text=blue}";
    return arc->wrong_label ? "label style={text=red,draw=red}" : NULL;
}

static bool write_arc(dd_drawing *drawing, const dd_drawn_arc *arc)
{
    const dd_picture *picture = &drawing->picture;
    dd_buffer *out = &drawing->out;
    const char *style = style_of(arc);
    int mirror = picture->right_to_left ? picture->n + 1 : 0;
    int head = mirror ? mirror - arc->head : arc->head;
    int dependent = mirror ? mirror - arc->dependent : arc->dependent;
    bool ok = dd_buffer_text(out, arc->head ? "\\depedge" : "\\deproot") &&
              (!style || dd_buffer_printf(out, "[%s]", style)) &&
              (arc->head == 0 || dd_buffer_printf(out, "{%d}", head)) &&
              dd_buffer_printf(out, "{%d}{", dependent);
    if (ok && arc->kind == DD_ARC_FORBIDDEN)
        ok = dd_buffer_text(out, "$\\times$");
    else if (ok)
        ok = write_latex(out, dd_picture_text(picture, arc->label));
    return ok && dd_buffer_text(out, "}\n");
}

/* A bracket below the words of a multiword token, with its form, in row `row`; or a frame around
 * those of a span and around leaves. */
static bool write_span(dd_drawing *drawing, int number, int row)
{
    const dd_picture *picture = &drawing->picture;
    const dd_drawn_span *span = &picture->spans[number - 1];
    dd_buffer *out = &drawing->out;
    int mirror = picture->right_to_left ? picture->n + 1 : 0;
    int first = mirror ? mirror - span->last : span->first;
    int last = mirror ? mirror - span->first : span->last;
    if (!span->token)
        return dd_buffer_printf(out, "\\wordgroup[style={draw=blue%s}]{1}{%d}{%d}{span%d}\n",
                                span->leaf ? ",dashed" : "", first, last, number);
    return dd_buffer_printf(out,
                            "\\draw[gray] (\\wordref{%d}{%d}.south west) -- ++(0,-.5ex) -| "
                            "node[pos=.25,below,inner sep=.3ex,font=\\scriptsize]{",
                            row, first) &&
           write_latex(out, dd_picture_text(picture, span->label)) &&
           dd_buffer_printf(out, "} (\\wordref{%d}{%d}.south east);\n", row, last);
}

bool dd_render_tikz(dd_drawing *drawing)
{
    const dd_picture *picture = &drawing->picture;
    dd_buffer *out = &drawing->out;
    bool tags = false;
    for (int word = 1; word <= picture->n; word++) tags = tags || picture->words[word].tag.size;
    bool ok = !drawing->options.title ||
              (dd_buffer_text(out, "% sentence ") &&
               dd_buffer_append(out, dd_picture_text(picture, picture->title).data,
                                picture->title.size) &&
               dd_buffer_text(out, "\n"));
    ok = ok && dd_buffer_text(out, "\\begin{dependency}\n\\begin{deptext}[column sep=1em]\n") &&
         write_words(drawing, false) && (!tags || write_words(drawing, true)) &&
         dd_buffer_text(out, "\\end{deptext}\n");
    for (int a = 0; a < picture->n_arcs && ok; a++) ok = write_arc(drawing, &picture->arcs[a]);
    for (int i = 1; i <= picture->n_spans && ok; i++) ok = write_span(drawing, i, tags ? 2 : 1);
    return ok && dd_buffer_text(out, "\\end{dependency}\n\n");
}
