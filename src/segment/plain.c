#include "segment/plain.h"

#include "core/memory.h"
#include "segment/lines.h"
#include "segment/units.h"
#include "segment/whole.h"
#include "text/sentence.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 1 << 15,          /* characters */
    VERTICAL_WINDOW = 1 << 20, /* characters, if the sentences are given */
    CONTEXT = 8, /* tokens that must be known behind a sentence end before it is final; more where a
                    network looks at them */
    LONGEST_CHARACTER = 4, /* bytes */
};

struct dd_plain {
    const dd_segmenter *segmenter;
    dd_segmenter_space *space; /* NULL without a segmenter */
    dd_input_options options;
    dd_buffer document, prefix; /* of ids; empty: none */
    dd_buffer comments;         /* behind `# newdoc` */

    dd_buffer joint; /* the end of a chunk and the beginning of the next */
    bool source_ended;
    uint64_t offset;   /* of the next byte */
    uint64_t position; /* of the next character */
    uint64_t line_now; /* of the next character, from 1 */
    bool after_return; /* the last character was CR */
    uint64_t broken;
    dd_error first_broken;

    dd_chars window;
    bool line_empty; /* no character but white space in this line so far */
    bool closed;     /* the window holds a paragraph or line up to its end */
    int end;         /* if it is closed: characters in it; the rest begins the next */
    bool ended;      /* no characters are left behind the window */

    dd_paragraphs paragraphs; /* AUTO: it is not decided yet */
    dd_lines lines;           /* until it is decided */
    dd_line line, before;     /* of wrapped text: this line and the one before in the paragraph */
    dd_line_kind block;       /* of the line that began the paragraph */
    int line_at;              /* where this line begins in the window; -1: it is known to go on */
    int line_number;          /* in its paragraph, from 0 */

    dd_segments segments, spare;
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
    dd_segments_free(&plain->spare);
    dd_segmenter_space_free(plain->space);
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
    plain->line_now = 1;
    plain->line_empty = plain->new_document = plain->new_paragraph = true;
    plain->paragraphs = options->paragraphs;
    plain->line_at = -1;
    dd_status status = copy_ids(plain, options) ? DD_OK : dd_fail_memory(error);
    if (status == DD_OK && segmenter)
        status = dd_segmenter_space_new(&plain->space, segmenter, error);
    if (status == DD_OK)
        *out = plain;
    else
        free_plain(plain);
    return status;
}

void dd_plain_continue(dd_plain *plain, uint64_t bytes, uint64_t characters, uint64_t lines)
{
    plain->offset = bytes;
    plain->position = characters;
    plain->line_now = lines + 1;
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
    plain->paragraphs = plain->options.paragraphs;
    plain->lines = (dd_lines){0};
    plain->line = plain->before = (dd_line){0};
    plain->block = (dd_line_kind)0;
    plain->line_at = -1;
    plain->line_number = 0;
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

/* Appends the source's next bytes to the chunk; DD_END: there are none. If there are none now, the
 * chunk stays. */
static dd_status extend_chunk(dd_plain *plain, dd_feed *feed, dd_error *error)
{
    dd_buffer *joint = &plain->joint;
    dd_text *chunk = &feed->chunk;
    if (chunk->size == 0) return dd_feed_refill(feed, error);
    if (!joint->data || chunk->data < joint->data || chunk->data >= joint->data + joint->size) {
        joint->size = 0;
        if (!dd_buffer_append(joint, chunk->data, chunk->size)) return dd_fail_memory(error);
    } else if (chunk->data > joint->data) {
        memmove(joint->data, chunk->data, chunk->size);
        joint->size = chunk->size;
    }
    *chunk = (dd_text){joint->data, joint->size};
    dd_status status = dd_feed_refill(feed, error);
    if (status != DD_OK || feed->dry) return status;
    if (!dd_buffer_append(joint, chunk->data, chunk->size)) return dd_fail_memory(error);
    *chunk = (dd_text){joint->data, joint->size};
    return DD_OK;
}

/* Makes sure that the chunk begins with a complete character, unless input has run dry. DD_END at
 * the end of the text. */
static dd_status need_bytes(dd_plain *plain, dd_feed *feed, dd_error *error)
{
    while (!has_character(feed->chunk) && !plain->source_ended) {
        dd_status status = extend_chunk(plain, feed, error);
        plain->source_ended = status == DD_END;
        if (status != DD_OK && status != DD_END) return status;
        if (status == DD_OK && feed->dry) return DD_OK;
    }
    return feed->chunk.size ? DD_OK : DD_END;
}

static void note_broken(dd_plain *plain, const dd_feed *feed)
{
    dd_error error;
    plain->broken++;
    if (plain->broken > 1 && !plain->options.broken) return;
    dd_fail(&error, DD_ERROR_FORMAT, "%.300s:%llu: %s at offset %llu, replaced by U+FFFD",
            dd_source_name(feed->source), (unsigned long long)plain->line_now,
            dd_utf8_fault(feed->chunk), (unsigned long long)plain->offset);
    error.line = plain->line_now;
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

static bool is_line_end(const dd_plain *plain, uint32_t code)
{
    return dd_char_ends_line(code) && !(code == '\n' && plain->after_return);
}

/* ---- paragraphs --------------------------------------------------------------------------- */

/* Whether the input itself tells where sentences end. */
static bool in_lines(const dd_plain *plain)
{
    return plain->options.given >= DD_GIVEN_SENTENCES ||
           plain->options.format == DD_FORMAT_VERTICAL;
}

/* Looks at the characters of the chunk from the byte `from` on. Returns the bytes looked at, up to
 * a character that may not be whole. */
static size_t look_through(dd_lines *lines, dd_text chunk, size_t from, bool ended)
{
    while (lines->found == DD_PARAGRAPHS_AUTO && from < chunk.size) {
        dd_text rest = dd_text_skip(chunk, from);
        uint32_t code;
        bool broken;
        if (!ended && !has_character(rest)) break;
        from += dd_char_decode(rest.data, rest.size, &code, &broken);
        dd_lines_add(lines, code, (uint8_t)dd_char_classify(code));
    }
    return from;
}

/* Decides about paragraphs, and looks ahead for it as far as need be. If input has run dry, it is
 * not decided, and the next call goes on. */
static dd_status decide(dd_plain *plain, dd_feed *feed, dd_error *error)
{
    dd_lines lines = plain->lines;
    size_t looked = look_through(&lines, feed->chunk, 0, plain->source_ended);
    while (lines.found == DD_PARAGRAPHS_AUTO && !plain->source_ended) {
        dd_status status = extend_chunk(plain, feed, error);
        if (status == DD_END) plain->source_ended = true;
        if ((status != DD_OK && status != DD_END) || feed->dry) return status;
        looked = look_through(&lines, feed->chunk, looked, plain->source_ended);
    }
    dd_lines_end(&lines);
    plain->paragraphs = lines.found;
    if (plain->options.decided && dd_lines_tell(&lines))
        plain->options.decided(plain->options.user, dd_source_name(feed->source), lines.found);
    return DD_OK;
}

static void close_window(dd_plain *plain)
{
    plain->closed = true;
    plain->end = plain->window.count;
}

/* Closes the window before the line, which is the first of the next paragraph. */
static void close_before_line(dd_plain *plain)
{
    plain->closed = true;
    plain->end = plain->line_at;
    plain->line_at = -1;
    plain->line_number = 0;
}

/* Finds out, once enough of the line is known, whether it begins a paragraph. */
static void judge_line(dd_plain *plain, bool ended)
{
    bool known = plain->line_at < 0 || in_lines(plain);
    dd_line_kind kind = known ? DD_LINE_UNKNOWN : dd_line_kind_of(&plain->line, ended);
    if (kind == DD_LINE_UNKNOWN) return;
    bool begins = plain->line_number > 0 && dd_line_begins(kind, &plain->line, plain->block,
                                                           &plain->before, plain->line_number == 1);
    if (begins || plain->line_number == 0) plain->block = kind;
    if (begins && plain->line_at > 0)
        close_before_line(plain);
    else
        plain->line_at = -1;
}

/* The line has ended, and if it is closed the paragraph with it. */
static void end_line(dd_plain *plain, bool closed)
{
    if (plain->line.length > 0) {
        plain->before = plain->line;
        plain->line_number++;
    }
    if (closed) plain->line_number = 0;
    plain->line = (dd_line){0};
    plain->line_at = -1;
}

/* ---- the window --------------------------------------------------------------------------- */

static bool add_space(dd_plain *plain, uint32_t code)
{
    dd_chars *window = &plain->window;
    int last = window->count - 1;
    if (last < 0 || window->classes[last] == DD_CHAR_SPACE) return true;
    return dd_chars_add(window, code, DD_CHAR_SPACE, plain->position - 1, plain->line_now);
}

/* Whether a line end closes the window. */
static bool closes(const dd_plain *plain, uint32_t code)
{
    if (plain->line_empty || code == 0x2029) return true;
    if (plain->options.format == DD_FORMAT_VERTICAL) return false;
    return in_lines(plain) || plain->paragraphs == DD_PARAGRAPHS_LINE;
}

/* Takes white space; sets `closed` if it ends the paragraph or sentence in the window. In vertical
 * text a line end is kept as '\n' and other space as ' '. */
static bool take_space(dd_plain *plain, uint32_t code)
{
    bool vertical = plain->options.format == DD_FORMAT_VERTICAL;
    bool line_end = is_line_end(plain, code);
    plain->after_return = code == '\r';
    if (!line_end) {
        dd_line_add(&plain->line, code, DD_CHAR_SPACE);
        return add_space(plain, vertical && code == '\t' ? '\t' : ' ');
    }
    bool closed = closes(plain, code), ok = true;
    if (!closed) judge_line(plain, true);
    dd_chars *window = &plain->window;
    if (vertical && window->count > 0 && window->classes[window->count - 1] == DD_CHAR_SPACE)
        window->codes[window->count - 1] = '\n';
    else
        ok = add_space(plain, vertical ? '\n' : ' ');
    if (closed) close_window(plain);
    end_line(plain, closed);
    plain->line_empty = true;
    plain->line_now++;
    return ok;
}

/* Takes a character that is not white space. */
static bool take_visible(dd_plain *plain, uint32_t code, uint8_t class)
{
    if (plain->line_empty) plain->line_at = plain->window.count;
    plain->after_return = plain->line_empty = false;
    dd_line_add(&plain->line, code, class);
    return dd_chars_add(&plain->window, code, class, plain->position - 1, plain->line_now);
}

/* Takes the next character, of which there is one. */
static dd_status take_next(dd_plain *plain, dd_feed *feed, dd_error *error)
{
    bool first = plain->offset == 0;
    uint32_t code = take_character(plain, feed);
    uint8_t class = (uint8_t)dd_char_classify(code);
    if (plain->paragraphs == DD_PARAGRAPHS_AUTO) dd_lines_add(&plain->lines, code, class);
    if (first && code == 0xFEFF) return DD_OK; /* a byte order mark */
    bool ok = class == DD_CHAR_SPACE ? take_space(plain, code) : take_visible(plain, code, class);
    return ok ? DD_OK : dd_fail_memory(error);
}

/* Finds out whether the line that has begun belongs to the paragraph before, and closes that if
 * not. */
static dd_status place_line(dd_plain *plain, dd_feed *feed, dd_error *error)
{
    dd_status status = DD_OK;
    if (plain->line_at < 0 || in_lines(plain)) return DD_OK;
    bool inner = plain->line_number > 0;
    if (inner && plain->paragraphs == DD_PARAGRAPHS_AUTO) status = decide(plain, feed, error);
    if (status != DD_OK || feed->dry) return status;
    if (inner && plain->paragraphs == DD_PARAGRAPHS_LINE)
        close_before_line(plain);
    else
        judge_line(plain, false);
    return DD_OK;
}

/* The text has ended; a last line may still be a paragraph of its own. */
static void close_last(dd_plain *plain)
{
    judge_line(plain, true);
    if (plain->closed) return;
    close_window(plain);
    plain->ended = true;
}

/* Fills the window up to the end of the paragraph or sentence, or until it is full. If input has
 * run dry, the next call continues. */
static dd_status fill(dd_plain *plain, dd_feed *feed, dd_error *error)
{
    int room = plain->options.format == DD_FORMAT_VERTICAL ? VERTICAL_WINDOW : WINDOW;
    plain->closed = false;
    while (plain->window.count < room) {
        dd_status status = place_line(plain, feed, error);
        if (status != DD_OK || feed->dry || plain->closed) return status;
        if (feed->chunk.size < LONGEST_CHARACTER) status = need_bytes(plain, feed, error);
        if (status == DD_END) {
            close_last(plain);
            return DD_OK;
        }
        if (status == DD_OK && !feed->dry) status = take_next(plain, feed, error);
        if (status != DD_OK || feed->dry) return status;
        if (plain->closed && plain->end > 0) return DD_OK;
        plain->new_paragraph |= plain->closed && !in_lines(plain);
        plain->closed = false;
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
    int context = plain->segmenter->network ? DD_WINDOW_CONTEXT : CONTEXT;
    if (plain->closed) return s->count;
    for (int at = s->count - 1 - context; at >= 0; at--)
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

static int next_space(const dd_chars *window, int at)
{
    while (at < window->count && window->classes[at] != DD_CHAR_SPACE) at++;
    return at;
}

/* The end of the mark of a list item or of quoted mail that the paragraph begins with, or of the
 * @names of those whom it answers; 0: there is none. */
static int opening_end(const dd_chars *window)
{
    dd_line line = {0};
    for (int i = 0; i < window->count && line.length <= DD_LINE_START; i++)
        dd_line_add(&line, window->codes[i], window->classes[i]);
    if (dd_line_kind_of(&line, true) != DD_LINE_TEXT) return next_space(window, 0);
    int end = 0;
    for (int at = 0; at < window->count && window->codes[at] == '@'; at = end + 1)
        end = next_space(window, at);
    return end;
}

/* What opens a paragraph does not end a sentence. */
static void keep_opening(dd_plain *plain)
{
    const dd_segments *s = &plain->segments;
    int end = opening_end(&plain->window);
    for (int i = 0; i + 1 < s->count && s->pieces[i].end <= end; i++) s->ends[i] = 0;
}

/* Cuts a line at white space, and longer tokens than there may be. */
static bool cut_at_spaces(dd_plain *plain, int size)
{
    const dd_chars *window = &plain->window;
    dd_segments *s = &plain->segments;
    s->count = 0;
    for (int at = 0; at < size;) {
        int end = at;
        while (end < size && end - at < DD_MOST_TOKEN_CHARACTERS &&
               window->classes[end] != DD_CHAR_SPACE)
            end++;
        if (end > at && !dd_segments_add(s, window, NULL, at, end)) return false;
        at = end + (end < size && window->classes[end] == DD_CHAR_SPACE);
    }
    return true;
}

/* Finds tokens and, unless they are given, sentences. */
static bool find_tokens(dd_plain *plain, int size)
{
    dd_segments *s = &plain->segments;
    bool given = in_lines(plain);
    if (plain->options.given >= DD_GIVEN_TOKENS) return cut_at_spaces(plain, size);
    if (!dd_segmenter_cut(plain->segmenter, plain->space, &plain->window, size, s) ||
        !dd_whole_keep(&plain->window, size, s, &plain->spare))
        return false;
    if (!given && plain->new_paragraph) keep_opening(plain);
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
    int size = plain->closed ? plain->end : whole_tokens(&plain->window);
    if (!find_tokens(plain, size)) return false;
    plain->ready = in_lines(plain) ? s->count : count_ready(plain);
    return true;
}

static void drop(dd_plain *plain, int used)
{
    dd_chars_drop(&plain->window, used);
    plain->line_at = plain->line_at < used ? -1 : plain->line_at - used;
}

/* Drops the pieces that were handed out and fills the window again; DD_END at the end of the text.
 * If input has run dry, no piece is ready, and the next call drops nothing. */
static dd_status advance(dd_plain *plain, dd_feed *feed, dd_error *error)
{
    dd_segments *s = &plain->segments;
    do {
        int used = plain->ready > 0 ? s->pieces[plain->ready - 1].end : 0;
        if (plain->closed) used = plain->end;
        while (used < plain->window.count && plain->window.classes[used] == DD_CHAR_SPACE) used++;
        if (used > 0) drop(plain, used);
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

/* Whether tokens may be several words. */
static bool splits(const dd_plain *plain)
{
    dd_given given = plain->options.given;
    bool vertical = plain->options.format == DD_FORMAT_VERTICAL;
    return given == DD_GIVEN_TOKENS || (given != DD_GIVEN_WORDS && !vertical);
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
        .multiword = splits(plain) ? &plain->segmenter->multiword : NULL,
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

static dd_status find_paragraphs(void *state, dd_feed *feed, dd_paragraphs *out, dd_error *error)
{
    dd_plain *plain = state;
    bool asked = plain->paragraphs == DD_PARAGRAPHS_AUTO && !in_lines(plain);
    dd_status status = asked ? decide(plain, feed, error) : DD_OK;
    *out = plain->paragraphs;
    return status;
}

dd_sentence_maker dd_plain_maker(dd_plain *plain)
{
    return (dd_sentence_maker){.format = plain->options.format,
                               .state = plain,
                               .next = next_sentence,
                               .broken = count_broken,
                               .paragraphs = find_paragraphs,
                               .free = free_plain};
}
