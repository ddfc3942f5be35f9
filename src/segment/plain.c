#include "segment/plain.h"

#include "core/memory.h"
#include "text/sentence.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 1 << 15,          /* characters */
    VERTICAL_WINDOW = 1 << 20, /* characters, if the sentences are given */
    CONTEXT = 8,           /* tokens that must be known behind a sentence end before it is final */
    LONGEST_CHARACTER = 4, /* bytes */
};

struct dd_plain {
    const dd_segmenter *segmenter;
    dd_input_options options;
    dd_buffer document, prefix; /* of ids; empty: none */
    dd_buffer comments;         /* behind `# newdoc` */

    dd_buffer joint; /* the end of a chunk and the beginning of the next */
    bool source_ended;
    uint64_t offset;   /* of the next byte */
    uint64_t position; /* of the next character */
    uint64_t line;     /* of the next character, from 1 */
    bool after_return; /* the last character was CR */
    uint64_t broken;
    dd_error first_broken;

    dd_chars window;
    bool line_empty; /* no character but white space in this line so far */
    bool closed;     /* the window ends where the paragraph, line or file does */
    bool ended;      /* no characters are left behind the window */
    dd_segments segments;
    int next, ready; /* the next piece to hand out; the number of pieces that can be */
    bool new_paragraph, new_document;
    uint64_t sentences;
};

static void free_plain(void *state)
{
    dd_plain *plain = state;
    dd_buffer_free(&plain->document);
    dd_buffer_free(&plain->prefix);
    dd_buffer_free(&plain->comments);
    dd_buffer_free(&plain->joint);
    dd_chars_free(&plain->window);
    dd_segments_free(&plain->segments);
    free(plain);
}

static bool copy_ids(dd_plain *plain, const dd_input_options *options)
{
    plain->options.document = plain->options.prefix = NULL; /* they need not live as long */
    return (!options->document || dd_buffer_text(&plain->document, options->document)) &&
           (!options->prefix || dd_buffer_text(&plain->prefix, options->prefix));
}

dd_status dd_plain_new(dd_plain **out, const dd_segmenter *segmenter,
                       const dd_input_options *options, dd_error *error)
{
    dd_plain *plain = dd_calloc(1, sizeof *plain);
    if (!plain) return dd_fail_memory(error);
    plain->segmenter = segmenter;
    plain->options = *options;
    plain->line = 1;
    plain->line_empty = plain->new_document = plain->new_paragraph = true;
    if (!copy_ids(plain, options)) {
        free_plain(plain);
        return dd_fail_memory(error);
    }
    *out = plain;
    return DD_OK;
}

void dd_plain_continue(dd_plain *plain, uint64_t bytes, uint64_t characters, uint64_t lines)
{
    plain->offset = bytes;
    plain->position = characters;
    plain->line = lines + 1;
    plain->new_document = false;
}

static bool replace(dd_buffer *buffer, dd_text text)
{
    buffer->size = 0;
    return dd_buffer_append(buffer, text.data, text.size);
}

bool dd_plain_restart(dd_plain *plain, dd_text document, dd_text prefix, dd_text comments)
{
    dd_plain_continue(plain, 0, 0, 0);
    plain->window.count = plain->segments.count = plain->next = plain->ready = 0;
    plain->closed = plain->ended = plain->after_return = false;
    plain->source_ended = plain->line_empty = plain->new_document = plain->new_paragraph = true;
    plain->sentences = 0;
    return replace(&plain->document, document) && replace(&plain->prefix, prefix) &&
           replace(&plain->comments, comments);
}

/* ---- characters --------------------------------------------------------------------------- */

/* Whether the bytes begin with a complete character, or with bytes that are broken whatever
 * follows. */
static bool has_character(dd_text bytes)
{
    unsigned char lead = bytes.size ? (unsigned char)bytes.data[0] : 0;
    size_t need = lead < 0xC2 || lead > 0xF4 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    for (size_t i = 1; i < bytes.size && i < need; i++)
        if (((unsigned char)bytes.data[i] & 0xC0) != 0x80) return true;
    return bytes.size >= need;
}

/* Makes sure that the chunk begins with a complete character, unless input has run dry. DD_END at
 * the end of the text. */
static dd_status need_bytes(dd_plain *plain, dd_feed *feed, dd_error *error)
{
    while (!has_character(feed->chunk) && !plain->source_ended) {
        char kept[LONGEST_CHARACTER];
        size_t size = feed->chunk.size;
        if (size) memcpy(kept, feed->chunk.data, size);
        dd_status status = dd_feed_refill(feed, error);
        plain->source_ended = status == DD_END;
        if (status != DD_OK && status != DD_END) return status;
        if (status == DD_OK && feed->dry) return DD_OK;
        if (status == DD_END) break;
        if (size == 0) continue;
        plain->joint.size = 0;
        if (!dd_buffer_append(&plain->joint, kept, size) ||
            !dd_buffer_append(&plain->joint, feed->chunk.data, feed->chunk.size))
            return dd_fail_memory(error);
        feed->chunk = (dd_text){plain->joint.data, plain->joint.size};
    }
    return feed->chunk.size ? DD_OK : DD_END;
}

static void note_broken(dd_plain *plain, const dd_feed *feed)
{
    dd_error error;
    plain->broken++;
    if (plain->broken > 1 && !plain->options.broken) return;
    dd_fail(&error, DD_ERROR_FORMAT, "%.300s:%llu: %s at offset %llu, replaced by U+FFFD",
            dd_source_name(feed->source), (unsigned long long)plain->line,
            dd_utf8_fault(feed->chunk), (unsigned long long)plain->offset);
    error.line = plain->line;
    if (plain->broken == 1) plain->first_broken = error;
    if (plain->options.broken) plain->options.broken(plain->options.user, &error);
}

/* The character that starts the chunk, which is consumed. */
static uint32_t take_character(dd_plain *plain, dd_feed *feed)
{
    uint32_t code;
    bool broken;
    size_t used = dd_char_decode(feed->chunk.data, feed->chunk.size, &code, &broken);
    if (broken) note_broken(plain, feed);
    dd_feed_consume(feed, used);
    plain->offset += used;
    plain->position++;
    return code;
}

/* LF, CR, CR LF, and the line ends of Unicode. */
static bool is_line_end(const dd_plain *plain, uint32_t code)
{
    if (code == '\n') return !plain->after_return;
    return code == '\r' || code == 0x85 || code == 0x2028 || code == 0x2029;
}

/* ---- the window --------------------------------------------------------------------------- */

static bool in_lines(const dd_plain *plain)
{
    return plain->options.presegmented || plain->options.format == DD_FORMAT_VERTICAL;
}

static bool add_space(dd_plain *plain, uint32_t code)
{
    dd_chars *window = &plain->window;
    int last = window->count - 1;
    if (last < 0 || window->classes[last] == DD_CHAR_SPACE) return true;
    return dd_chars_add(window, code, DD_CHAR_SPACE, plain->position - 1, plain->line);
}

/* Takes white space; sets `closed` if it ends the paragraph or sentence in the window. In vertical
 * text a line end is kept as '\n' and other space as ' '. */
static bool take_space(dd_plain *plain, uint32_t code)
{
    bool vertical = plain->options.format == DD_FORMAT_VERTICAL;
    bool line_end = is_line_end(plain, code), empty = plain->line_empty;
    plain->after_return = code == '\r';
    if (!line_end) return add_space(plain, vertical && code == '\t' ? '\t' : ' ');
    plain->closed = empty || code == 0x2029 || (plain->options.presegmented && !vertical);
    plain->line_empty = true;
    dd_chars *window = &plain->window;
    bool ok = true;
    if (vertical && window->count > 0 && window->classes[window->count - 1] == DD_CHAR_SPACE)
        window->codes[window->count - 1] = '\n';
    else
        ok = add_space(plain, vertical ? '\n' : ' ');
    plain->line++;
    return ok;
}

/* Fills the window up to the end of the paragraph or sentence, or until it is full. If input has
 * run dry, the next call continues. */
static dd_status fill(dd_plain *plain, dd_feed *feed, dd_error *error)
{
    int room = plain->options.format == DD_FORMAT_VERTICAL ? VERTICAL_WINDOW : WINDOW;
    plain->closed = false;
    while (plain->window.count < room) {
        dd_status status = DD_OK;
        if (feed->chunk.size < LONGEST_CHARACTER) status = need_bytes(plain, feed, error);
        if (status == DD_END) {
            plain->ended = plain->closed = true;
            return DD_OK;
        }
        if (status != DD_OK || feed->dry) return status;
        bool first = plain->offset == 0;
        uint32_t code = take_character(plain, feed);
        dd_char_class class = dd_char_classify(code);
        if (first && code == 0xFEFF) continue; /* a byte order mark */
        if (class == DD_CHAR_SPACE) {
            if (!take_space(plain, code)) return dd_fail_memory(error);
            if (plain->closed && plain->window.count > 0) return DD_OK;
            plain->new_paragraph |= plain->closed && !in_lines(plain);
            plain->closed = false;
            continue;
        }
        plain->after_return = plain->line_empty = false;
        if (!dd_chars_add(&plain->window, code, (uint8_t) class, plain->position - 1, plain->line))
            return dd_fail_memory(error);
    }
    return DD_OK;
}

/* ---- pieces ------------------------------------------------------------------------------- */

/* How many characters of a window that holds only part of a paragraph are cut into tokens: up to
 * its last white space, so that no word is torn. */
static int whole_tokens(const dd_chars *window)
{
    int size = window->count;
    while (size > window->count / 2 && window->classes[size - 1] != DD_CHAR_SPACE) size--;
    return size > window->count / 2 ? size : window->count;
}

/* How many pieces belong to sentences whose ends are final; all pieces if there is no such
 * sentence, so that some progress is made. */
static int count_ready(const dd_plain *plain)
{
    const dd_segments *s = &plain->segments;
    if (plain->closed) return s->count;
    for (int at = s->count - 1 - CONTEXT; at >= 0; at--)
        if (s->ends[at]) return at + 1;
    return s->count;
}

/* Cuts vertical text: a token is what stands before the first tab of a line, up to the longest
 * token; the rest of a longer line counts as the next line. */
static bool cut_lines(dd_plain *plain)
{
    const dd_chars *window = &plain->window;
    dd_segments *s = &plain->segments;
    s->count = 0;
    for (int at = 0; at < window->count;) {
        int stop = at, most = window->count - at;
        if (most > DD_MOST_TOKEN_CHARACTERS) most = DD_MOST_TOKEN_CHARACTERS;
        while (stop < at + most && window->codes[stop] != '\n' && window->codes[stop] != '\t')
            stop++;
        int end = stop;
        if (stop < window->count && window->codes[stop] == '\t')
            while (stop < window->count && window->codes[stop] != '\n') stop++;
        while (end > at && window->classes[end - 1] == DD_CHAR_SPACE) end--;
        if (end > at && !dd_segments_add(s, window, NULL, at, end)) return false;
        at = stop;
        while (at < window->count && window->classes[at] == DD_CHAR_SPACE) at++;
    }
    return true;
}

static bool cut(dd_plain *plain)
{
    dd_segments *s = &plain->segments;
    if (plain->options.format == DD_FORMAT_VERTICAL) {
        if (!cut_lines(plain)) return false;
        plain->ready = s->count;
        return true;
    }
    int size = plain->closed ? plain->window.count : whole_tokens(&plain->window);
    if (!dd_segmenter_find_tokens(plain->segmenter, &plain->window, size, s)) return false;
    if (!plain->options.presegmented) {
        dd_segmenter_find_sentences(plain->segmenter, &plain->window, s);
        plain->ready = count_ready(plain);
    } else {
        plain->ready = s->count;
    }
    return true;
}

/* Drops the pieces that were handed out and fills the window again; DD_END at the end of the text.
 * If input has run dry, no piece is ready, and the next call drops nothing. */
static dd_status advance(dd_plain *plain, dd_feed *feed, dd_error *error)
{
    dd_segments *s = &plain->segments;
    do {
        int used = plain->ready > 0 ? s->pieces[plain->ready - 1].end : 0;
        if (plain->closed) used = plain->window.count;
        while (used < plain->window.count && plain->window.classes[used] == DD_CHAR_SPACE) used++;
        if (used > 0) dd_chars_drop(&plain->window, used);
        if (plain->closed && !in_lines(plain)) plain->new_paragraph = true;
        plain->next = plain->ready = 0;
        if (plain->ended && plain->window.count == 0) return DD_END;
        dd_status status = fill(plain, feed, error);
        if (status != DD_OK || feed->dry) return status;
        if (!cut(plain)) return dd_fail_memory(error);
    } while (plain->ready == 0);
    return DD_OK;
}

/* The index behind the last piece of the sentence that starts at the next piece. */
static int sentence_end(const dd_plain *plain)
{
    if (in_lines(plain)) return plain->ready;
    int end = plain->next;
    while (end + 1 < plain->ready && !plain->segments.ends[end]) end++;
    return end + 1;
}

dd_status dd_plain_more(dd_plain *plain, dd_feed *feed, dd_error *error)
{
    return plain->next == plain->ready ? advance(plain, feed, error) : DD_OK;
}

dd_status dd_plain_next(dd_plain *plain, dd_feed *feed, dd_sentence *sentence, dd_error *error)
{
    dd_status status = dd_plain_more(plain, feed, error);
    if (status != DD_OK || feed->dry) return status;
    bool vertical = plain->options.format == DD_FORMAT_VERTICAL;
    int end = sentence_end(plain);
    dd_plain_sentence from = {
        .chars = &plain->window,
        .pieces = plain->segments.pieces + plain->next,
        .count = end - plain->next,
        .multiword = vertical ? NULL : &plain->segmenter->multiword,
        .number = ++plain->sentences,
        .new_document = plain->new_document,
        .new_paragraph = plain->new_paragraph && !in_lines(plain),
        .document = {plain->document.data, plain->document.size},
        .prefix = {plain->prefix.data, plain->prefix.size},
        .comments = {plain->comments.data, plain->comments.size},
        .ranges = plain->options.ranges,
        .spaced = vertical,
        .closed = plain->closed,
    };
    plain->new_document = plain->new_paragraph = false;
    plain->next = end;
    return dd_plain_compose(sentence, &from) ? DD_OK : dd_fail_memory(error);
}

/* ---- for the reader ----------------------------------------------------------------------- */

static dd_status next_sentence(void *state, dd_feed *feed, dd_sentence *sentence, dd_error *error)
{
    return dd_plain_next(state, feed, sentence, error);
}

static uint64_t count_broken(const void *state, dd_error *first)
{
    const dd_plain *plain = state;
    if (first && plain->broken) *first = plain->first_broken;
    return plain->broken;
}

dd_sentence_maker dd_plain_maker(dd_plain *plain)
{
    return (dd_sentence_maker){.format = plain->options.format,
                               .state = plain,
                               .next = next_sentence,
                               .broken = count_broken,
                               .free = free_plain};
}
