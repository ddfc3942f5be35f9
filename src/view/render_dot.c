/* A drawing for Graphviz: the tree from its root down, dependents in the order of words. */
#include "view/render.h"

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

static const char *style_of(const dd_drawn_arc *arc)
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

static bool write_arc(dd_drawing *drawing, const dd_drawn_arc *arc)
{
    dd_buffer *out = &drawing->out;
    return dd_buffer_text(out, "  ") && write_name(drawing, arc->head) &&
           dd_buffer_text(out, " -> ") && write_name(drawing, arc->dependent) &&
           dd_buffer_text(out, " [label=\"") &&
           write_string(out, dd_picture_text(&drawing->picture, arc->label)) &&
           dd_buffer_printf(out, "\"%s];\n", style_of(arc));
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

static bool write_span(dd_drawing *drawing, const dd_drawn_span *span, int number)
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
    for (int a = 0; a < picture->n_arcs && ok; a++) ok = write_arc(drawing, &picture->arcs[a]);
    for (int i = 0; i < picture->n_spans && ok; i++)
        ok = write_span(drawing, &picture->spans[i], i + 1);
    return ok && dd_buffer_text(out, "}\n");
}
