/* What there is to draw: the tree, where it differs from gold, and the constraints. */
#include "view/picture.h"

#include "core/memory.h"
#include "core/strings.h"
#include "text/rules.h"
#include "view/measure.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_OF_FORM = 40, MOST_OF_LABEL = 30, MOST_OF_TITLE = 120 /* columns */ };

void dd_picture_free(dd_picture *picture)
{
    free(picture->words);
    free(picture->arcs);
    free(picture->spans);
    dd_buffer_free(&picture->texts);
    *picture = (dd_picture){0};
}

static bool add_text(dd_picture *picture, dd_view *out, dd_text text, int most)
{
    size_t start = picture->texts.size;
    if (!dd_text_printable(&picture->texts, text, most) || picture->texts.size > UINT32_MAX)
        return false;
    *out = (dd_view){(uint32_t)start, (uint32_t)(picture->texts.size - start)};
    return true;
}

static dd_text unless_missing(dd_text cell)
{
    return dd_is_missing(cell) ? (dd_text){"", 0} : cell;
}

static bool add_arc(dd_picture *picture, dd_drawn_arc arc, dd_text label)
{
    size_t need = (size_t)picture->n_arcs + 1;
    if (!DD_RESERVE(&picture->arcs, &picture->arcs_capacity, need) ||
        !add_text(picture, &arc.label, unless_missing(label), MOST_OF_LABEL))
        return false;
    picture->arcs[picture->n_arcs++] = arc;
    return true;
}

/* ---- words -------------------------------------------------------------------------------- */

static bool add_words(dd_picture *picture, const dd_sentence *sentence, bool tags)
{
    for (int word = 1; word <= picture->n; word++) {
        dd_drawn_word *drawn = &picture->words[word];
        drawn->token = 0;
        dd_text tag = tags ? dd_cell(sentence, word, DD_UPOS) : (dd_text){"", 0};
        if (!add_text(picture, &drawn->form, dd_cell(sentence, word, DD_FORM), MOST_OF_FORM) ||
            !add_text(picture, &drawn->tag, unless_missing(tag), MOST_OF_LABEL))
            return false;
    }
    return true;
}

static bool runs_right_to_left(const dd_sentence *sentence)
{
    int64_t vote = 0;
    for (int word = 1; word <= sentence->n; word++)
        vote += dd_text_direction(dd_cell(sentence, word, DD_FORM));
    return vote > 0;
}

/* ---- brackets below words ----------------------------------------------------------------- */

static bool add_span(dd_picture *picture, dd_drawn_span span, dd_text label)
{
    size_t need = (size_t)picture->n_spans + 1;
    if (!DD_RESERVE(&picture->spans, &picture->spans_capacity, need) ||
        !add_text(picture, &span.label, label, MOST_OF_FORM))
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

/* Up to the next tab or line end. */
static dd_text cell_at(dd_text raw, size_t start)
{
    size_t end = start;
    while (end < raw.size && raw.data[end] != '\t' && raw.data[end] != '\n') end++;
    return (dd_text){raw.data + start, end - start};
}

/* A sentence keeps of multiword tokens only their lines. */
static bool add_tokens(dd_picture *picture, const dd_sentence *sentence)
{
    dd_text raw = {sentence->raw.data, sentence->raw.size};
    bool ok = true;
    for (size_t at = 0; at < raw.size && sentence->ranges > 0 && ok;) {
        dd_text id = cell_at(raw, at);
        dd_drawn_span span = {.token = true};
        if (dd_rule_id(id, &span.first, &span.last) == DD_ID_RANGE) {
            ok = add_span(picture, span, cell_at(raw, at + id.size + 1));
            for (int word = span.first; word <= span.last; word++)
                picture->words[word].token = picture->n_spans;
        }
        const char *end = memchr(raw.data + at, '\n', raw.size - at);
        at = end ? (size_t)(end - raw.data) + 1 : raw.size;
    }
    return ok;
}

/* ---- the tree and the gold tree ----------------------------------------------------------- */

/* A right head with a wrong label: both labels are told. */
static bool add_labels(dd_picture *picture, dd_drawn_arc arc, dd_text label, dd_text gold)
{
    dd_buffer both = {0};
    bool ok = dd_buffer_append(&both, label.data, label.size) && dd_buffer_text(&both, " (") &&
              dd_buffer_append(&both, gold.data, gold.size) && dd_buffer_text(&both, ")") &&
              add_arc(picture, arc, (dd_text){both.data, both.size});
    dd_buffer_free(&both);
    return ok;
}

static bool add_word_arcs(dd_picture *picture, const dd_sentence *sentence, const dd_sentence *gold,
                          int word)
{
    int head = dd_sentence_head(sentence, word);
    int right = gold ? dd_sentence_head(gold, word) : DD_HEAD_UNKNOWN;
    dd_text label = dd_sentence_deprel(sentence, word);
    dd_text right_label = gold ? dd_sentence_deprel(gold, word) : label;
    bool differs = right != DD_HEAD_UNKNOWN && right != head;
    dd_drawn_arc arc = {.head = head, .dependent = word};
    arc.kind = differs ? DD_ARC_WRONG : DD_ARC_PLAIN;
    arc.wrong_label =
        right == head && !dd_is_missing(right_label) && !dd_text_same(label, right_label);
    if (head != DD_HEAD_UNKNOWN && arc.wrong_label && !add_labels(picture, arc, label, right_label))
        return false;
    if (head != DD_HEAD_UNKNOWN && !arc.wrong_label && !add_arc(picture, arc, label)) return false;
    arc = (dd_drawn_arc){.head = right, .dependent = word, .kind = DD_ARC_GOLD};
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
    return add_span(picture, leaf, (dd_text){DD_LEAF_SIGN, sizeof DD_LEAF_SIGN - 1});
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
    return add_span(picture, span, (dd_text){mode, strlen(mode)});
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
    for (int i = 0; i < sentence->n_constraints; i++) {
        dd_text text;
        dd_constraint item;
        char reason[DD_REASON_SIZE];
        dd_sentence_constraint(sentence, (size_t)i, &text);
        if (!dd_constraint_read(&item, text, reason))
            return dd_constraint_fail(sentence, i, error, "%s", reason);
        const char *fault = fault_of(&item, sentence->n);
        if (fault) return dd_constraint_fail(sentence, i, error, "%s", fault);
        if (!add_constraint(picture, &item)) return dd_fail_memory(error);
    }
    return DD_OK;
}

/* ---- all of it ---------------------------------------------------------------------------- */

dd_status dd_picture_set(dd_picture *picture, const dd_draw_options *options,
                         const dd_sentence *sentence, const dd_sentence *gold, dd_error *error)
{
    picture->n = sentence->n;
    picture->n_arcs = picture->n_spans = picture->span_levels = 0;
    picture->texts.size = 0;
    picture->right_to_left = options->direction == DD_DRAW_AUTO ? runs_right_to_left(sentence)
                                                                : options->direction == DD_DRAW_RTL;
    bool ok = DD_RESERVE(&picture->words, &picture->words_capacity, (size_t)sentence->n + 1) &&
              add_text(picture, &picture->title, dd_sentence_id(sentence), MOST_OF_TITLE) &&
              add_words(picture, sentence, options->tags) && add_tokens(picture, sentence);
    for (int word = 1; word <= sentence->n && ok; word++)
        ok = add_word_arcs(picture, sentence, gold, word);
    if (!ok) return dd_fail_memory(error);
    return options->constraints ? add_constraints(picture, sentence, error) : DD_OK;
}

int dd_picture_shows(const dd_picture *picture)
{
    static const int of_kind[DD_ARC_KINDS] = {
        [DD_ARC_WRONG] = DD_SHOWS_WRONG,
        [DD_ARC_GOLD] = DD_SHOWS_GOLD,
        [DD_ARC_MISSING] = DD_SHOWS_MISSING,
        [DD_ARC_FORBIDDEN] = DD_SHOWS_FORBIDDEN,
    };
    int shows = 0;
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
