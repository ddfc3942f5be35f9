/* picture.c - what there is to draw: the tree, where it differs from gold, the constraints, and the
 * enhanced graph, that is, the arcs of DEPS that are not those of the tree */
#include "draw/picture.h"

#include "core/memory.h"
#include "core/strings.h"
#include "text/conll.h"

#include <stdlib.h>
#include <string.h>

/* Columns: what is longer is cut, as labels and brackets are not broken into lines. */
enum { MOST_OF_LABEL = 60, MOST_OF_SPAN = 200, MOST_OF_TITLE = 120 };

void dd_picture_free(dd_picture *picture)
{
    free(picture->words);
    free(picture->nodes);
    free(picture->arcs);
    free(picture->spans);
    dd_buffer_free(&picture->texts);
    dd_buffer_free(&picture->lines);
    dd_buffer_free(&picture->space);
    *picture = (dd_picture){0};
}

bool dd_picture_add_text(dd_picture *picture, dd_stretch *out, dd_text text, int most)
{
    size_t start = picture->texts.size;
    if (!dd_text_printable(&picture->texts, text, most) || picture->texts.size > UINT32_MAX)
        return false;
    *out = (dd_stretch){(uint32_t)start, (uint32_t)(picture->texts.size - start)};
    return true;
}

static bool add_arc(dd_picture *picture, dd_drawn_arc arc, dd_text label)
{
    size_t need = (size_t)picture->n_arcs + 1;
    if (!DD_RESERVE(&picture->arcs, &picture->arcs_capacity, need) ||
        !dd_picture_add_text(picture, &arc.label, dd_unless_missing(label), MOST_OF_LABEL))
        return false;
    picture->arcs[picture->n_arcs++] = arc;
    return true;
}

bool dd_picture_add_span(dd_picture *picture, dd_drawn_span span, dd_text label)
{
    size_t need = (size_t)picture->n_spans + 1;
    if (!DD_RESERVE(&picture->spans, &picture->spans_capacity, need) ||
        !dd_picture_add_text(picture, &span.label, label, MOST_OF_SPAN))
        return false;
    span.level = 1;
    for (int i = 0; i < picture->n_spans; i++) {
        const dd_drawn_span *other = &picture->spans[i];
        bool overlap = span.first <= other->last && other->first <= span.last;
        if (overlap && span.level <= other->level) span.level = other->level + 1;
    }
    picture->spans[picture->n_spans++] = span;
    if (picture->span_levels < span.level) picture->span_levels = span.level;
    return true;
}

/* ---- the tree and the gold tree ----------------------------------------------------------- */

/* A right head with a wrong label: both labels are shown. */
static bool add_labels(dd_picture *picture, dd_drawn_arc arc, dd_text label, dd_text gold)
{
    dd_buffer both = {0};
    bool ok = dd_buffer_append(&both, label.data, label.size) && dd_buffer_text(&both, " (") &&
              dd_buffer_append(&both, gold.data, gold.size) && dd_buffer_text(&both, ")") &&
              add_arc(picture, arc, (dd_text){both.data, both.size});
    dd_buffer_free(&both);
    return ok;
}

/* The root and heads that are not known stay what they are. */
static int node_of(const dd_picture *picture, int word)
{
    return word > 0 ? picture->nodes[word] : word;
}

static bool add_word_arcs(dd_picture *picture, const dd_sentence *sentence, const dd_sentence *gold,
                          int word)
{
    int head = dd_sentence_head(sentence, word);
    int right = gold ? dd_sentence_head(gold, word) : DD_HEAD_UNKNOWN;
    dd_text label = dd_sentence_deprel(sentence, word);
    dd_text right_label = gold ? dd_sentence_deprel(gold, word) : label;
    bool differs = right != DD_HEAD_UNKNOWN && right != head;
    dd_drawn_arc arc = {.head = node_of(picture, head), .dependent = node_of(picture, word)};
    arc.kind = differs ? DD_ARC_WRONG : DD_ARC_PLAIN;
    arc.wrong_label =
        right == head && !dd_is_missing(right_label) && !dd_text_same(label, right_label);
    if (head != DD_HEAD_UNKNOWN && arc.wrong_label && !add_labels(picture, arc, label, right_label))
        return false;
    if (head != DD_HEAD_UNKNOWN && !arc.wrong_label && !add_arc(picture, arc, label)) return false;
    arc = (dd_drawn_arc){
        .head = node_of(picture, right), .dependent = arc.dependent, .kind = DD_ARC_GOLD};
    return !differs || add_arc(picture, arc, right_label);
}

/* ---- constraints -------------------------------------------------------------------------- */

static dd_drawn_arc *find_arc(const dd_picture *picture, const dd_constraint *item, int kinds)
{
    for (int a = 0; a < picture->n_arcs; a++) {
        dd_drawn_arc *arc = &picture->arcs[a];
        if (arc->head == item->head && arc->dependent == item->dependent && kinds >> arc->kind & 1)
            return arc;
    }
    return NULL;
}

static bool add_required(dd_picture *picture, const dd_constraint *item)
{
    int kinds = 1 << DD_ARC_PLAIN | 1 << DD_ARC_WRONG | 1 << DD_ARC_MISSING;
    dd_drawn_arc *arc = find_arc(picture, item, kinds);
    if (arc) {
        arc->required = true;
        return true;
    }
    dd_drawn_arc missing = {
        .head = item->head, .dependent = item->dependent, .kind = DD_ARC_MISSING, .required = true};
    return add_arc(picture, missing, item->deprel);
}

static bool add_leaf(dd_picture *picture, int word)
{
    dd_drawn_span leaf = {.first = word, .last = word, .leaf = true};
    for (int i = 0; i < picture->n_spans; i++)
        if (picture->spans[i].leaf && picture->spans[i].first == word) return true;
    return dd_picture_add_span(picture, leaf, (dd_text){DD_LEAF_SIGN, sizeof DD_LEAF_SIGN - 1});
}

static bool add_constraint(dd_picture *picture, const dd_constraint *item)
{
    if (item->kind == DD_REQUIRE_LEAF) return add_leaf(picture, item->word);
    if (item->kind == DD_REQUIRE_ARC) return add_required(picture, item);
    if (item->kind == DD_FORBID_ARC) {
        dd_drawn_arc arc = {
            .head = item->head, .dependent = item->dependent, .kind = DD_ARC_FORBIDDEN};
        return find_arc(picture, item, 1 << DD_ARC_FORBIDDEN) ||
               add_arc(picture, arc, (dd_text){"✗", sizeof "✗" - 1});
    }
    const char *mode = item->mode == DD_SPAN_ANY    ? "any"
                       : item->mode == DD_SPAN_ROOT ? "root"
                                                    : "none";
    dd_drawn_span span = {.first = item->first, .last = item->last};
    return dd_picture_add_span(picture, span, (dd_text){mode, strlen(mode)});
}

/* Words become nodes. */
static dd_constraint on_nodes(const dd_picture *picture, dd_constraint item)
{
    if (item.kind == DD_REQUIRE_LEAF) {
        item.word = node_of(picture, item.word);
    } else if (item.kind == DD_REQUIRE_SPAN) {
        item.first = node_of(picture, item.first);
        item.last = node_of(picture, item.last);
    } else {
        item.head = node_of(picture, item.head);
        item.dependent = node_of(picture, item.dependent);
    }
    return item;
}

static const char *fault_of(const dd_constraint *item, int n)
{
    if (item->kind == DD_REQUIRE_LEAF)
        return item->word < 1 || item->word > n ? "there is no such word" : NULL;
    if (item->kind == DD_REQUIRE_SPAN) {
        if (item->first < 1 || item->last > n) return "there is no such word";
        return item->first > item->last ? "the span's last word lies before its first" : NULL;
    }
    if (item->head > n || item->dependent < 1 || item->dependent > n)
        return "there is no such word";
    return item->head == item->dependent ? "a word cannot be its own head" : NULL;
}

static dd_status add_constraints(dd_picture *picture, const dd_sentence *sentence, dd_error *error)
{
    for (int i = 0; i < dd_constraint_count(sentence); i++) {
        dd_text text;
        dd_constraint item;
        char reason[DD_REASON_SIZE];
        dd_sentence_constraint(sentence, (size_t)i, &text);
        if (!dd_constraint_read(&item, text, reason))
            return dd_constraint_fail(sentence, i, error, "%s", reason);
        const char *fault = fault_of(&item, sentence->n);
        if (fault) return dd_constraint_fail(sentence, i, error, "%s", fault);
        item = on_nodes(picture, item);
        if (!add_constraint(picture, &item)) return dd_fail_memory(error);
    }
    return DD_OK;
}

/* ---- the enhanced graph --------------------------------------------------------------------- */

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
 * without any has its head of the tree. Items that are no arcs are ignored here; `dodona check`
 * reports them. */
static bool add_arcs(dd_picture *picture, int node, const dd_conll_row *line)
{
    dd_text deps = dd_unless_missing(line->cells[DD_DEPS]);
    while (deps.size > 0 && picture->n_arcs <= DD_MOST_ENHANCED) {
        dd_text label;
        int head = read_item(picture, dd_text_cut(&deps, '|'), &label);
        dd_drawn_arc arc = {.head = head, .dependent = node, .kind = DD_ARC_ENHANCED};
        if (head < 0 || head == node) continue;
        if (!add_arc(picture, arc, label)) return false;
    }
    return true;
}

/* Adds the arcs that are in DEPS but not in the tree. The nodes must have been added before. */
static bool add_enhanced(dd_picture *picture, dd_text lines)
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

/* ---- all of it ---------------------------------------------------------------------------- */

static bool runs_right_to_left(const dd_sentence *sentence)
{
    int64_t vote = 0;
    for (int word = 1; word <= sentence->n; word++)
        vote += dd_text_direction(dd_cell(sentence, word, DD_FORM));
    return vote > 0;
}

static dd_status check_size(const dd_picture *picture, dd_error *error)
{
    if (picture->n > DD_DRAW_MAX_WORDS)
        return dd_fail(error, DD_ERROR_DATA, "more than %d words and empty nodes",
                       DD_DRAW_MAX_WORDS);
    if (picture->n_arcs > DD_MOST_ENHANCED)
        return dd_fail(error, DD_ERROR_DATA, "more than %d enhanced arcs", DD_MOST_ENHANCED);
    return DD_OK;
}

/* DEPS are drawn only for CoNLL-U and without gold, as a comparison with gold is one of trees. */
static bool shows_enhanced(const dd_draw_options *options, const dd_sentence *sentence,
                           const dd_sentence *gold)
{
    return options->enhanced && !gold && !dd_is_conllx(sentence);
}

static bool add_sentence(dd_picture *picture, const dd_draw_options *options,
                         const dd_sentence *sentence, bool enhanced)
{
    dd_text lines, text;
    bool ok = dd_sentence_tree_text(sentence, &picture->lines, &lines);
    if (ok && dd_has_bom(sentence)) lines = dd_text_skip(lines, DD_BOM_SIZE);
    ok = ok && dd_conll_text(lines, &picture->space, &text) &&
         dd_picture_add_text(picture, &picture->sentence, text, DD_ANY_WIDTH) &&
         dd_picture_add_text(picture, &picture->title, dd_sentence_id(sentence), MOST_OF_TITLE) &&
         dd_picture_add_words(picture, options, lines, enhanced);
    return ok && (!enhanced || add_enhanced(picture, lines));
}

dd_status dd_picture_set(dd_picture *picture, const dd_draw_options *options,
                         const dd_sentence *sentence, const dd_sentence *gold, dd_error *error)
{
    picture->n_arcs = picture->n_spans = picture->span_levels = 0;
    picture->texts.size = 0;
    picture->right_to_left = options->direction == DD_DRAW_AUTO ? runs_right_to_left(sentence)
                                                                : options->direction == DD_DRAW_RTL;
    bool ok = DD_RESERVE(&picture->nodes, &picture->nodes_capacity, (size_t)sentence->n + 1) &&
              add_sentence(picture, options, sentence, shows_enhanced(options, sentence, gold));
    if (!ok) return dd_fail_memory(error);
    dd_status status = check_size(picture, error);
    for (int word = 1; word <= sentence->n && ok; word++)
        ok = add_word_arcs(picture, sentence, gold, word);
    if (!ok) return dd_fail_memory(error);
    if (status == DD_OK && options->constraints) status = add_constraints(picture, sentence, error);
    return status;
}

int dd_picture_shows(const dd_picture *picture)
{
    static const int of_kind[DD_ARC_KINDS] = {
        [DD_ARC_WRONG] = DD_SHOWS_WRONG,       [DD_ARC_GOLD] = DD_SHOWS_GOLD,
        [DD_ARC_MISSING] = DD_SHOWS_MISSING,   [DD_ARC_FORBIDDEN] = DD_SHOWS_FORBIDDEN,
        [DD_ARC_ENHANCED] = DD_SHOWS_ENHANCED,
    };
    int shows = 0;
    for (int node = 1; node <= picture->n; node++)
        if (picture->words[node].minor) shows |= DD_SHOWS_EMPTY;
    for (int i = 0; i < picture->n_spans; i++)
        if (!picture->spans[i].token)
            shows |= picture->spans[i].leaf ? DD_SHOWS_LEAF : DD_SHOWS_SPAN;
    for (int a = 0; a < picture->n_arcs; a++) {
        const dd_drawn_arc *arc = &picture->arcs[a];
        shows |= of_kind[arc->kind];
        if (arc->wrong_label) shows |= DD_SHOWS_WRONG_LABEL;
        if (arc->required && arc->kind != DD_ARC_MISSING) shows |= DD_SHOWS_REQUIRED;
    }
    return shows;
}
