/* The nodes of a picture: words, empty nodes, and what stands in their columns. */
#include "core/memory.h"
#include "core/strings.h"
#include "view/measure.h"
#include "view/picture_parts.h"

enum {
    MOST_OF_LINE = 40, /* columns of a form before it is broken, the least width of a row */
    MOST_OF_TAG = 30,
};

/* ---- forms -------------------------------------------------------------------------------- */

/* How much of a long form stands in its first line: up to a character behind which people break
 * addresses and compounds, if there is one in the second half, else as much as there is room for.
 */
static size_t first_line(dd_text form)
{
    size_t at = 0, good = 0;
    for (int columns = 0; at < form.size;) {
        dd_cluster cluster = dd_cluster_of(dd_text_skip(form, at));
        columns += cluster.columns;
        if (columns > MOST_OF_LINE) return good ? good : at;
        at += cluster.size;
        if (columns > MOST_OF_LINE / 2 && strchr("/-_.,:;?&=+@", form.data[at - 1])) good = at;
    }
    return at;
}

/* Puts line ends into the text that was added last. */
static bool break_form(dd_picture *picture, dd_stretch *form)
{
    dd_buffer *texts = &picture->texts, *space = &picture->space;
    dd_text rest = dd_picture_text(picture, *form);
    space->size = 0;
    while (rest.size) {
        size_t size = first_line(rest);
        if ((space->size && !dd_buffer_text(space, "\n")) ||
            !dd_buffer_append(space, rest.data, size))
            return false;
        rest = dd_text_skip(rest, size);
    }
    texts->size = form->start;
    form->size = (uint32_t)space->size;
    return dd_buffer_append(texts, space->data, space->size) && texts->size <= UINT32_MAX;
}

static bool add_form(dd_picture *picture, dd_stretch *out, dd_text form, bool empty)
{
    dd_buffer *space = &picture->space;
    space->size = 0;
    if ((empty && !dd_buffer_text(space, "(")) || !dd_buffer_append(space, form.data, form.size) ||
        (empty && !dd_buffer_text(space, ")")) ||
        !dd_picture_add_text(picture, out, (dd_text){space->data, space->size}, DD_ANY_WIDTH))
        return false;
    bool fits = dd_text_columns(dd_picture_text(picture, *out)) <= MOST_OF_LINE;
    return fits || break_form(picture, out);
}

/* ---- nodes -------------------------------------------------------------------------------- */

static bool add_cells(dd_picture *picture, dd_drawn_word *word, const dd_conll_row *line)
{
    for (int column = 0; column < DD_COLUMNS; column++) {
        dd_text cell = line->cells[column];
        if (!dd_picture_add_text(picture, &word->cells[column],
                                 column == DD_FORM ? cell : dd_unless_missing(cell), DD_ANY_WIDTH))
            return false;
    }
    return true;
}

static bool add_node(dd_picture *picture, const dd_draw_options *options, const dd_conll_row *line)
{
    bool empty = line->kind == DD_ID_EMPTY;
    size_t need = (size_t)picture->n + 2;
    if (!DD_RESERVE(&picture->words, &picture->words_capacity, need)) return false;
    dd_drawn_word word = {.id = line->first, .minor = empty ? line->second : 0};
    dd_text tag = options->tags ? line->cells[DD_UPOS] : (dd_text){"", 0};
    bool cells = options->format == DD_DRAW_SVG || options->format == DD_DRAW_HTML;
    if (!add_form(picture, &word.form, line->cells[DD_FORM], empty) ||
        !dd_picture_add_text(picture, &word.tag, dd_unless_missing(tag), MOST_OF_TAG) ||
        (cells && !add_cells(picture, &word, line)))
        return false;
    picture->words[++picture->n] = word;
    if (!empty) picture->nodes[line->first] = picture->n;
    return true;
}

/* Where multiword tokens begin is known before their words are, so they come last. */
static bool add_tokens(dd_picture *picture, dd_text lines)
{
    dd_conll_row line;
    while (dd_conll_next(&lines, &line)) {
        if (line.kind != DD_ID_RANGE) continue;
        dd_drawn_span span = {.token = true,
                              .first = picture->nodes[line.first],
                              .last = picture->nodes[line.second]};
        if (!dd_picture_add_span(picture, span, line.cells[DD_FORM])) return false;
        for (int node = span.first; node <= span.last; node++)
            picture->words[node].token = picture->n_spans;
    }
    return true;
}

bool dd_picture_add_words(dd_picture *picture, const dd_draw_options *options, dd_text lines,
                          bool empty)
{
    dd_text rest = lines;
    dd_conll_row line;
    picture->n = 0;
    picture->nodes[0] = 0;
    while (picture->n <= DD_DRAW_MAX_WORDS && dd_conll_next(&rest, &line)) {
        bool drawn = line.kind == DD_ID_WORD || (empty && line.kind == DD_ID_EMPTY);
        if (drawn && !add_node(picture, options, &line)) return false;
    }
    return picture->n > DD_DRAW_MAX_WORDS || add_tokens(picture, lines);
}
