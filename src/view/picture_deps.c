/* The enhanced graph: arcs of DEPS that are not those of the tree. */
#include "core/strings.h"
#include "view/picture_parts.h"

/* `4:nsubj` or `8.1:nsubj`: the head becomes a node, or -1 if there is none such. */
static int read_item(const dd_picture *picture, dd_text item, dd_text *label)
{
    dd_text id = dd_text_cut(&item, ':');
    *label = item;
    int word = 0, minor = 0;
    bool empty = dd_rule_id(id, &word, &minor) == DD_ID_EMPTY;
    if (!empty) minor = 0;
    for (int node = 1; node <= picture->n; node++)
        if (picture->words[node].id == word && picture->words[node].minor == minor) return node;
    return dd_text_is(id, "0") ? 0 : -1;
}

/* Whether DEPS say of the word what HEAD and DEPREL say. */
static bool repeats_tree(const dd_conll_row *line)
{
    dd_text deps = line->cells[DD_DEPS], head = dd_text_cut(&deps, ':');
    return line->kind == DD_ID_WORD && dd_text_same(head, line->cells[DD_HEAD]) &&
           dd_text_same(deps, line->cells[DD_DEPREL]);
}

/* All arcs of a node or none, so that those below a word are its heads in the graph, and a word
 * without any has its head of the tree. What is no arc is left to `dodona check`. */
static bool add_arcs(dd_picture *picture, int node, const dd_conll_row *line)
{
    dd_text deps = dd_unless_missing(line->cells[DD_DEPS]);
    while (deps.size > 0 && picture->n_arcs <= DD_MOST_ENHANCED) {
        dd_text label;
        int head = read_item(picture, dd_text_cut(&deps, '|'), &label);
        dd_drawn_arc arc = {.head = head, .dependent = node, .kind = DD_ARC_ENHANCED};
        if (head < 0 || head == node) continue;
        if (!dd_picture_add_arc(picture, arc, label)) return false;
    }
    return true;
}

bool dd_picture_add_enhanced(dd_picture *picture, dd_text lines)
{
    dd_conll_row line;
    int node = 0;
    while (dd_conll_next(&lines, &line)) {
        if (line.kind != DD_ID_WORD && line.kind != DD_ID_EMPTY) continue;
        node++;
        if (!repeats_tree(&line) && !add_arcs(picture, node, &line)) return false;
    }
    return true;
}
