/* render_markup.c - drawings for programs that find the layout themselves: Graphviz and LaTeX */
#include "draw/drawing.h"

#include <string.h>

/* ---- DOT ------------------------------------------------------------------------------------ */

/* The tree from its root down, dependents in the order of words. */

static bool write_string(dd_buffer *out, dd_text text)
{
    bool ok = true;
    for (size_t i = 0; i < text.size && ok; i++) {
        if (text.data[i] == '"' || text.data[i] == '\\') ok = dd_buffer_text(out, "\\");
        if (text.data[i] == '\n')
            ok = dd_buffer_text(out, "\\n"); /* in a long form */
        else
            ok = ok && dd_buffer_append(out, text.data + i, 1);
    }
    return ok;
}

static bool is_leaf(const dd_picture *picture, int word)
{
    for (int i = 0; i < picture->n_spans; i++)
        if (picture->spans[i].leaf && picture->spans[i].first == word) return true;
    return false;
}

/* Words and empty nodes are called by their IDs. */
static bool write_name(dd_drawing *drawing, int node)
{
    const dd_drawn_word *word = &drawing->picture.words[node];
    if (node == 0) return dd_buffer_text(&drawing->out, "0");
    return dd_buffer_printf(&drawing->out, word->minor ? "\"%d.%d\"" : "%d", word->id, word->minor);
}

static bool write_word(dd_drawing *drawing, int word)
{
    const dd_picture *picture = &drawing->picture;
    const dd_drawn_word *drawn = &picture->words[word];
    dd_buffer *out = &drawing->out;
    const char *style = is_leaf(picture, word) ? ", shape=box, color=blue, style=dashed"
                        : drawn->minor         ? ", fontcolor=purple"
                                               : "";
    return dd_buffer_text(out, "  ") && write_name(drawing, word) &&
           dd_buffer_text(out, " [label=\"") &&
           write_string(out, dd_picture_text(picture, drawn->form)) &&
           (!drawn->tag.size || (dd_buffer_text(out, "\\n") &&
                                 write_string(out, dd_picture_text(picture, drawn->tag)))) &&
           dd_buffer_printf(out, "\"%s];\n", style);
}

static const char *dot_style_of(const dd_drawn_arc *arc)
{
    switch (arc->kind) {
    case DD_ARC_WRONG: return ", color=red, fontcolor=red";
    case DD_ARC_GOLD: return ", color=darkgreen, fontcolor=darkgreen, style=dashed";
    case DD_ARC_MISSING: return ", color=blue, fontcolor=blue, style=dotted";
    case DD_ARC_FORBIDDEN: return ", color=gray, fontcolor=gray, style=dotted, constraint=false";
    case DD_ARC_ENHANCED: return ", color=purple, fontcolor=purple, style=dotted, constraint=false";
    default: break;
    }
    if (arc->required) return ", color=blue, fontcolor=blue, penwidth=2";
    return arc->wrong_label ? ", fontcolor=red" : "";
}

static bool write_dot_arc(dd_drawing *drawing, const dd_drawn_arc *arc)
{
    dd_buffer *out = &drawing->out;
    return dd_buffer_text(out, "  ") && write_name(drawing, arc->head) &&
           dd_buffer_text(out, " -> ") && write_name(drawing, arc->dependent) &&
           dd_buffer_text(out, " [label=\"") &&
           write_string(out, dd_picture_text(&drawing->picture, arc->label)) &&
           dd_buffer_printf(out, "\"%s];\n", dot_style_of(arc));
}

/* The words of a token can stand anywhere in the tree: a box below them is tied to each. */
static bool write_token(dd_drawing *drawing, const dd_drawn_span *token, int number)
{
    dd_buffer *out = &drawing->out;
    bool ok = dd_buffer_printf(out, "  token%d [label=\"", number) &&
              write_string(out, dd_picture_text(&drawing->picture, token->label)) &&
              dd_buffer_text(out, "\", shape=box, color=gray, fontsize=10, height=0.3];\n");
    for (int node = token->first; node <= token->last && ok; node++)
        ok = dd_buffer_text(out, "  ") && write_name(drawing, node) &&
             dd_buffer_printf(out, " -> token%d [dir=none, color=gray];\n", number);
    return ok;
}

static bool write_dot_span(dd_drawing *drawing, const dd_drawn_span *span, int number)
{
    if (span->token) return write_token(drawing, span, number);
    if (span->leaf) return true; /* it has a frame of its own */
    dd_buffer *out = &drawing->out;
    bool ok = dd_buffer_printf(out,
                               "  subgraph cluster_%d { style=rounded; color=blue; "
                               "fontcolor=blue; label=\"",
                               number) &&
              write_string(out, dd_picture_text(&drawing->picture, span->label)) &&
              dd_buffer_text(out, "\";");
    for (int word = span->first; word <= span->last && ok; word++)
        ok = dd_buffer_text(out, " ") && write_name(drawing, word) && dd_buffer_text(out, ";");
    return ok && dd_buffer_text(out, " }\n");
}

static bool has_root_arcs(const dd_picture *picture)
{
    for (int a = 0; a < picture->n_arcs; a++)
        if (picture->arcs[a].head == 0) return true;
    return false;
}

bool dd_render_dot(dd_drawing *drawing)
{
    const dd_picture *picture = &drawing->picture;
    dd_buffer *out = &drawing->out;
    bool ok = dd_buffer_text(out, "digraph \"") &&
              write_string(out, dd_picture_text(picture, picture->title)) &&
              dd_buffer_text(out, "\" {\n  graph [ordering=out];\n  node [shape=plaintext];\n");
    if (ok && has_root_arcs(picture)) ok = dd_buffer_text(out, "  0 [label=\"\", shape=point];\n");
    for (int word = 1; word <= picture->n && ok; word++) ok = write_word(drawing, word);
    for (int a = 0; a < picture->n_arcs && ok; a++) ok = write_dot_arc(drawing, &picture->arcs[a]);
    for (int i = 0; i < picture->n_spans && ok; i++)
        ok = write_dot_span(drawing, &picture->spans[i], i + 1);
    return ok && dd_buffer_text(out, "}\n");
}

/* ---- TikZ ----------------------------------------------------------------------------------- */

/* For the LaTeX package tikz-dependency. */

/* In deptext `\&` separates words, so an ampersand is written by its number. */
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

static const char *tikz_style_of(const dd_drawn_arc *arc)
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

static bool write_tikz_arc(dd_drawing *drawing, const dd_drawn_arc *arc)
{
    const dd_picture *picture = &drawing->picture;
    dd_buffer *out = &drawing->out;
    const char *style = tikz_style_of(arc);
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
static bool write_tikz_span(dd_drawing *drawing, int number, int row)
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
    for (int a = 0; a < picture->n_arcs && ok; a++) ok = write_tikz_arc(drawing, &picture->arcs[a]);
    for (int i = 1; i <= picture->n_spans && ok; i++)
        ok = write_tikz_span(drawing, i, tags ? 2 : 1);
    return ok && dd_buffer_text(out, "\\end{dependency}\n\n");
}
