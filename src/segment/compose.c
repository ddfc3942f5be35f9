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

static void add_range(dd_builder *b, const dd_chars *chars, int start, int end)
{
    dd_build_text(b, "TokenRange=");
    dd_build_number(b, chars->positions[start]);
    dd_build_bytes(b, ":", 1);
    dd_build_number(b, chars->positions[end - 1] + 1);
}

static void add_misc(dd_builder *b, const dd_plain_sentence *s, const dd_piece *piece)
{
    bool spaced = has_space_after(s, piece);
    if (!spaced) dd_build_text(b, s->ranges ? "SpaceAfter=No|" : "SpaceAfter=No");
    if (s->ranges)
        add_range(b, s->chars, piece->start, piece->end);
    else if (spaced)
        dd_build_bytes(b, "_", 1);
}

/* How many characters of the text from `start` on the word is; 0: it is not what stands there. */
static int count_same(const dd_chars *chars, int start, int end, dd_text word)
{
    int at = start;
    for (size_t i = 0; i < word.size; at++) {
        uint32_t code;
        bool broken;
        i += dd_char_decode(word.data + i, word.size - i, &code, &broken);
        if (at >= end || chars->codes[at] != code) return 0;
    }
    return at - start;
}

/* Where the words of a piece end in it. False: together they are not the piece. */
static bool find_places(const dd_chars *chars, const dd_piece *piece, const dd_buffer *words,
                        const size_t *sizes, int count, int *ends)
{
    const char *word = words->data;
    int at = piece->start;
    for (int i = 0; i < count; i++) {
        int size = count_same(chars, at, piece->end, (dd_text){word, sizes[i]});
        if (size == 0) return false;
        word += sizes[i];
        ends[i] = at += size;
    }
    return at == piece->end;
}

/* The words of a multiword token, of which `first` is the number of the first. The range of a word
 * is its own part of the token; if the words are not its parts (del: de el), that of the token. */
static void add_words(dd_builder *b, const dd_plain_sentence *s, const dd_piece *piece,
                      const dd_buffer *words, const size_t *sizes, int count, int first)
{
    const char *at = words->data;
    int ends[DD_MULTIWORD_MOST_WORDS];
    bool parts = s->ranges && find_places(s->chars, piece, words, sizes, count, ends);
    for (int i = 0; i < count; i++) {
        dd_build_row(b, first + i, first + i);
        dd_build_bytes(b, at, sizes[i]);
        dd_build_blanks(b);
        if (s->ranges)
            add_range(b, s->chars, parts && i > 0 ? ends[i - 1] : piece->start,
                      parts ? ends[i] : piece->end);
        else
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
    if (s->multiword && !piece->listed)
        count = dd_multiword_split(s->multiword, s->chars, piece->start, piece->end, words, sizes);
    b->failed = b->failed || count < 0;
    dd_build_row(b, first, first + count - 1);
    add_characters(b, s->chars, piece->start, piece->end);
    dd_build_blanks(b);
    add_misc(b, s, piece);
    dd_build_end_row(b);
    if (count > 1) add_words(b, s, piece, words, sizes, count, first);
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
