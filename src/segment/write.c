#include "segment/write.h"

#include <string.h>

static bool append_number(dd_buffer *out, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    return dd_buffer_append(out, digits + at, sizeof digits - at);
}

static bool append_characters(dd_buffer *out, const dd_chars *chars, int start, int end)
{
    if (!dd_buffer_reserve(out, 4 * (size_t)(end - start))) return false;
    for (int i = start; i < end; i++) {
        if (chars->codes[i] < 0x80)
            out->data[out->size++] = (char)chars->codes[i];
        else if (!dd_char_append(out, chars->codes[i]))
            return false;
    }
    return true;
}

static bool space_after(const dd_plain_sentence *s, const dd_piece *piece)
{
    uint8_t behind = s->chars->classes[piece->end];
    return s->spaced || behind == DD_CHAR_SPACE || (behind == DD_CHAR_NONE && s->closed);
}

/* The text between two others, and nothing if it is empty. */
static bool append_between(dd_buffer *out, const char *before, dd_text text, const char *behind)
{
    return text.size == 0 ||
           (dd_buffer_text(out, before) && dd_buffer_append(out, text.data, text.size) &&
            dd_buffer_text(out, behind));
}

static bool write_newdoc(dd_buffer *out, dd_text id)
{
    return dd_buffer_text(out, "# newdoc") && append_between(out, " id = ", id, "") &&
           dd_buffer_text(out, "\n");
}

static bool write_comments(dd_buffer *out, const dd_plain_sentence *s)
{
    bool ok = (!s->new_document || write_newdoc(out, s->document)) &&
              (!s->new_paragraph || dd_buffer_text(out, "# newpar\n")) &&
              dd_buffer_text(out, "# sent_id = ") && append_between(out, "", s->prefix, "-") &&
              append_number(out, s->number) && dd_buffer_text(out, "\n# text = ");
    for (int i = 0; i < s->count && ok; i++) {
        const dd_piece *piece = &s->pieces[i];
        ok = append_characters(out, s->chars, piece->start, piece->end) &&
             (i + 1 == s->count || !space_after(s, piece) || dd_buffer_text(out, " "));
    }
    return ok && dd_buffer_text(out, "\n");
}

/* Closes a line behind its FORM. */
static bool write_rest(dd_buffer *out, const dd_plain_sentence *s, const dd_piece *piece)
{
    if (!dd_buffer_text(out, "\t_\t_\t_\t_\t_\t_\t_\t")) return false;
    bool spaced = !piece || space_after(s, piece), ranges = piece && s->ranges;
    if (!spaced && !dd_buffer_text(out, ranges ? "SpaceAfter=No|" : "SpaceAfter=No")) return false;
    if (ranges) {
        uint64_t start = s->chars->positions[piece->start];
        uint64_t end = s->chars->positions[piece->end - 1] + 1;
        if (!dd_buffer_text(out, "TokenRange=") || !append_number(out, start) ||
            !dd_buffer_text(out, ":") || !append_number(out, end))
            return false;
    } else if (spaced && !dd_buffer_text(out, "_")) {
        return false;
    }
    return dd_buffer_text(out, "\n");
}

static bool write_words(dd_buffer *out, const dd_buffer *words, const size_t *sizes, int count,
                        uint64_t id)
{
    const char *at = words->data;
    for (int i = 0; i < count; i++) {
        if (!append_number(out, id + (uint64_t)i) || !dd_buffer_text(out, "\t") ||
            !dd_buffer_append(out, at, sizes[i]) || !write_rest(out, NULL, NULL))
            return false;
        at += sizes[i];
    }
    return true;
}

/* The token's line or lines; *id is that of its first word, and then of the next one's. */
static bool write_token(dd_buffer *out, const dd_plain_sentence *s, const dd_piece *piece,
                        uint64_t *id, dd_buffer *words)
{
    size_t sizes[DD_MULTIWORD_MOST_WORDS];
    words->size = 0;
    int count = s->multiword ? dd_multiword_split(s->multiword, s->chars, piece->start, piece->end,
                                                  words, sizes)
                             : 1;
    if (count < 0 || !append_number(out, *id)) return false;
    if (count > 1 && (!dd_buffer_text(out, "-") || !append_number(out, *id + (uint64_t)count - 1)))
        return false;
    if (!dd_buffer_text(out, "\t") || !append_characters(out, s->chars, piece->start, piece->end) ||
        !write_rest(out, s, piece))
        return false;
    if (count > 1 && !write_words(out, words, sizes, count, *id)) return false;
    *id += (uint64_t)count;
    return true;
}

bool dd_plain_write(dd_buffer *out, const dd_plain_sentence *sentence)
{
    dd_buffer words = {0};
    uint64_t id = 1;
    bool ok = write_comments(out, sentence);
    for (int i = 0; i < sentence->count && ok; i++)
        ok = write_token(out, sentence, &sentence->pieces[i], &id, &words);
    dd_buffer_free(&words);
    return ok && dd_buffer_text(out, "\n");
}
