/* picture_words.c - the nodes of a picture: words, empty nodes, what stands in their columns, and
 * how much room it takes */
#include "core/memory.h"
#include "core/strings.h"
#include "draw/picture.h"
#include "text/utf8.h"

#include <utf8proc.h>

/* ---- how much room text takes --------------------------------------------------------------- */

dd_cluster dd_cluster_of(dd_text text)
{
    size_t size;
    int32_t character = dd_char_first(text, &size);
    dd_cluster cluster = {size, character < 0 ? 1 : utf8proc_charwidth(character)};
    while (cluster.size < text.size) {
        character = dd_char_first(dd_text_skip(text, cluster.size), &size);
        if (character < 0 || utf8proc_charwidth(character) != 0) break;
        cluster.size += size;
    }
    return cluster;
}

int dd_text_columns(dd_text text)
{
    int columns = 0;
    while (text.size) {
        dd_cluster cluster = dd_cluster_of(text);
        columns += cluster.columns;
        text = dd_text_skip(text, cluster.size);
    }
    return columns;
}

int dd_text_lines(dd_text text)
{
    int lines = 1;
    for (size_t i = 0; i < text.size; i++) lines += text.data[i] == '\n';
    return lines;
}

int dd_widest_line(dd_text text, int (*width_of)(dd_text line))
{
    int widest = 0;
    while (text.size) {
        int width = width_of(dd_text_cut(&text, '\n'));
        if (widest < width) widest = width;
    }
    return widest;
}

/* In hundredths of the font's size; near the widest of the usual sans-serif fonts. */
static int letter_width(int32_t character)
{
    int columns = utf8proc_charwidth(character);
    if (columns != 1) return columns == 0 ? 0 : 100;
    if (character >= 0x590 && character < 0x900) return 56; /* Hebrew, Arabic and their kin */
    if (character >= 0x250) return 68;
    if (character >= 0x80) return 64;
    if (strchr("iljI.,:;'|!`", character)) return 34;
    if (strchr("frt()[]/\\ -\"", character)) return 43;
    if (strchr("mwMW%@", character)) return 98;
    if (character >= 'A' && character <= 'Z') return 74;
    return strchr("+<=>~#", character) ? 84 : 63;
}

int dd_text_pixels(dd_text text, int font_size)
{
    int64_t sum = 0;
    while (text.size) {
        size_t size;
        int32_t character = dd_char_first(text, &size);
        sum += letter_width(character < 0 ? 0xFFFD : character);
        text = dd_text_skip(text, size);
    }
    return (int)((sum * font_size + 99) / 100);
}

int dd_text_direction(dd_text text)
{
    int vote = 0;
    while (text.size) {
        size_t size;
        int32_t character = dd_char_first(text, &size);
        utf8proc_propval_t class =
            character < 0 ? UTF8PROC_BIDI_CLASS_ON : utf8proc_get_property(character)->bidi_class;
        vote += class == UTF8PROC_BIDI_CLASS_R || class == UTF8PROC_BIDI_CLASS_AL;
        vote -= class == UTF8PROC_BIDI_CLASS_L;
        text = dd_text_skip(text, size);
    }
    return vote;
}

/* Marks of direction are for running text; a drawing places each word itself. The joiners are
 * letters' shapes and stay. */
static bool is_printable(int32_t character)
{
    if (character < 0 || (character & 0xFFFE) == 0xFFFE) return false;
    if (character >= 0xFDD0 && character <= 0xFDEF) return false;
    switch (utf8proc_category(character)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return false;
    default: break;
    }
    return !(character >= 0x202A && character <= 0x202E) &&
           !(character >= 0x2066 && character <= 0x2069) && character != 0x200E &&
           character != 0x200F && character != 0x061C;
}

/* Where the text is to be cut: the bytes that take at most so many columns. */
static size_t bytes_within(dd_text text, int most)
{
    size_t at = 0;
    for (int columns = 0; at < text.size;) {
        dd_cluster cluster = dd_cluster_of(dd_text_skip(text, at));
        columns += cluster.columns;
        if (columns > most) break;
        at += cluster.size;
    }
    return at;
}

bool dd_text_printable(dd_buffer *out, dd_text text, int most)
{
    size_t start = out->size;
    while (text.size) {
        size_t size;
        bool shown = is_printable(dd_char_first(text, &size));
        if (!(shown ? dd_buffer_append(out, text.data, size) : dd_buffer_text(out, "\xEF\xBF\xBD")))
            return false;
        text = dd_text_skip(text, size);
    }
    dd_text whole = {out->data + start, out->size - start};
    if (out->size == start || dd_text_columns(whole) <= most) return true;
    out->size = start + bytes_within(whole, most - 1);
    return dd_buffer_text(out, "…");
}

/* ---- forms -------------------------------------------------------------------------------- */

enum {
    MOST_OF_LINE = 40, /* columns of a form before it is broken, the least width of a row */
    MOST_OF_TAG = 30,
};

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
