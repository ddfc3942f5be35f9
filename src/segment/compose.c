/* compose.c - a sentence of plain text: its comments, tokens and words */
#include "segment/plain.h"

#include "text/sentence.h"

static void add_characters(dd_builder *b, const dd_chars *chars, int start, int end)
{
    dd_buffer *out = &b->sentence->origin.raw;
    b->failed = b->failed || !dd_buffer_reserve(out, 4 * (size_t)(end - start));
    for (int i = start; i < end && !b->failed; i++) {
        if (chars->codes[i] < 0x80)
            out->data[out->size++] = (char)chars->codes[i];
        else
            b->failed = !dd_char_append(out, chars->codes[i]);
    }
}

static bool has_space_after(const dd_plain_sentence *s, const dd_piece *piece)
{
    uint8_t behind = s->chars->classes[piece->end];
    return s->spaced || behind == DD_CHAR_SPACE || (behind == DD_CHAR_NONE && s->closed);
}

/* ---- comments ----------------------------------------------------------------------------- */

static void add_newdoc(dd_builder *b, dd_text id)
{
    dd_build_text(b, id.size > 0 ? "# newdoc id = " : "# newdoc");
    dd_build_bytes(b, id.data, id.size);
    dd_build_end_line(b);
}

static void add_lines(dd_builder *b, dd_text lines)
{
    dd_build_bytes(b, lines.data, lines.size);
    for (size_t i = 0; i < lines.size; i++) b->line += lines.data[i] == '\n';
}

static void add_text(dd_builder *b, const dd_plain_sentence *s)
{
    dd_build_text(b, "# text = ");
    for (int i = 0; i < s->count; i++) {
        const dd_piece *piece = &s->pieces[i];
        add_characters(b, s->chars, piece->start, piece->end);
        if (i + 1 < s->count && has_space_after(s, piece)) dd_build_bytes(b, " ", 1);
    }
    dd_build_end_line(b);
}

static void add_comments(dd_builder *b, const dd_plain_sentence *s)
{
    if (s->new_document) add_newdoc(b, s->document);
    if (s->new_document) add_lines(b, s->comments);
    if (s->new_paragraph) {
        dd_build_text(b, "# newpar");
        dd_build_end_line(b);
    }
    dd_build_sent_id(b, s->prefix, s->number);
    add_text(b, s);
}

/* ---- tokens and words --------------------------------------------------------------------- */

static void add_misc(dd_builder *b, const dd_plain_sentence *s, const dd_piece *piece)
{
    bool spaced = has_space_after(s, piece);
    if (!spaced) dd_build_text(b, s->ranges ? "SpaceAfter=No|" : "SpaceAfter=No");
    if (s->ranges) {
        dd_build_text(b, "TokenRange=");
        dd_build_number(b, s->chars->positions[piece->start]);
        dd_build_bytes(b, ":", 1);
        dd_build_number(b, s->chars->positions[piece->end - 1] + 1);
    } else if (spaced) {
        dd_build_bytes(b, "_", 1);
    }
}

/* The words of a multiword token, of which `first` is the number of the first. */
static void add_words(dd_builder *b, const dd_buffer *words, const size_t *sizes, int count,
                      int first)
{
    const char *at = words->data;
    for (int i = 0; i < count; i++) {
        dd_build_row(b, first + i, first + i);
        dd_build_bytes(b, at, sizes[i]);
        dd_build_blanks(b);
        dd_build_bytes(b, "_", 1);
        dd_build_end_row(b);
        at += sizes[i];
    }
}

/* The row of the piece, and those of its words if it has several. */
static void add_token(dd_builder *b, const dd_plain_sentence *s, const dd_piece *piece,
                      dd_buffer *words)
{
    size_t sizes[DD_MULTIWORD_MOST_WORDS];
    int first = b->sentence->n + 1, count = 1;
    words->size = 0;
    if (s->multiword)
        count = dd_multiword_split(s->multiword, s->chars, piece->start, piece->end, words, sizes);
    b->failed = b->failed || count < 0;
    dd_build_row(b, first, first + count - 1);
    add_characters(b, s->chars, piece->start, piece->end);
    dd_build_blanks(b);
    add_misc(b, s, piece);
    dd_build_end_row(b);
    if (count > 1) add_words(b, words, sizes, count, first);
}

bool dd_plain_compose(dd_sentence *sentence, const dd_plain_sentence *from)
{
    dd_builder b;
    dd_buffer words = {0};
    dd_build_start(&b, sentence, from->chars->lines[from->pieces[0].start], from->number);
    add_comments(&b, from);
    for (int i = 0; i < from->count && !b.failed; i++)
        add_token(&b, from, &from->pieces[i], &words);
    dd_build_end_line(&b);
    dd_buffer_free(&words);
    return !b.failed;
}
