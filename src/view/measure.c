#include "view/measure.h"

#include "core/strings.h"

#include <utf8proc.h>

static int32_t first_character(dd_text text, size_t *size)
{
    utf8proc_int32_t character;
    utf8proc_ssize_t used = utf8proc_iterate((const utf8proc_uint8_t *)text.data,
                                             (utf8proc_ssize_t)text.size, &character);
    *size = used > 0 ? (size_t)used : 1;
    return used > 0 ? character : -1;
}

static dd_text behind(dd_text text, size_t size)
{
    return (dd_text){text.data + size, text.size - size};
}

dd_cluster dd_cluster_of(dd_text text)
{
    size_t size;
    int32_t character = first_character(text, &size);
    dd_cluster cluster = {size, character < 0 ? 1 : utf8proc_charwidth(character)};
    while (cluster.size < text.size) {
        character = first_character(behind(text, cluster.size), &size);
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
        text = behind(text, cluster.size);
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
        int32_t character = first_character(text, &size);
        sum += letter_width(character < 0 ? 0xFFFD : character);
        text = behind(text, size);
    }
    return (int)((sum * font_size + 99) / 100);
}

int dd_text_direction(dd_text text)
{
    int vote = 0;
    while (text.size) {
        size_t size;
        int32_t character = first_character(text, &size);
        utf8proc_propval_t class =
            character < 0 ? UTF8PROC_BIDI_CLASS_ON : utf8proc_get_property(character)->bidi_class;
        vote += class == UTF8PROC_BIDI_CLASS_R || class == UTF8PROC_BIDI_CLASS_AL;
        vote -= class == UTF8PROC_BIDI_CLASS_L;
        text = behind(text, size);
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
        dd_cluster cluster = dd_cluster_of(behind(text, at));
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
        bool shown = is_printable(first_character(text, &size));
        if (!(shown ? dd_buffer_append(out, text.data, size) : dd_buffer_text(out, "\xEF\xBF\xBD")))
            return false;
        text = behind(text, size);
    }
    dd_text whole = {out->data + start, out->size - start};
    if (out->size == start || dd_text_columns(whole) <= most) return true;
    out->size = start + bytes_within(whole, most - 1);
    return dd_buffer_text(out, "…");
}
