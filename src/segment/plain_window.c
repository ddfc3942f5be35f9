#include "segment/plain_window.h"

#include "core/status.h"
#include "text/utf8.h"

#include <string.h>

enum {
    WINDOW = 1 << 15,          /* characters */
    VERTICAL_WINDOW = 1 << 20, /* characters, if the sentences are given */
    LONGEST_CHARACTER = 4,     /* bytes */
};

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

dd_status dd_plain_decide(dd_plain *plain, dd_feed *feed, dd_error *error)
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

/* Chinese and Japanese characters with their punctuation. */
static bool is_unspaced(uint32_t code)
{
    return (code >= 0x2E80 && code < 0xA000) || (code >= 0xF900 && code < 0xFB00) ||
           (code >= 0xFF01 && code < 0xFFA0) || (code >= 0x20000 && code < 0x40000);
}

/* The line continues the one before: between Chinese or Japanese characters the line break is no
 * space. */
static void join_line(dd_plain *plain)
{
    dd_chars *window = &plain->window;
    int at = plain->line_at;
    bool inner = at >= 2 && window->classes[at - 1] == DD_CHAR_SPACE && !plain->indented;
    if (inner && is_unspaced(window->codes[at - 2]) && is_unspaced(window->codes[at]))
        dd_chars_remove(window, at - 1, 1);
}

/* Takes the marks of quoted mail away: they are left only where a paragraph begins. */
static void remove_marks(dd_plain *plain)
{
    dd_chars *window = &plain->window;
    int at = plain->line_at, end = at;
    while (end < window->count &&
           (window->codes[end] == '>' || window->classes[end] == DD_CHAR_SPACE))
        end++;
    dd_chars_remove(window, at, end - at);
}

/* Decides, once enough of the line has been read, whether it begins a paragraph. */
static void judge_line(dd_plain *plain, bool ended)
{
    bool known = plain->line_at < 0 || dd_plain_in_lines(plain), first = plain->line_number == 0;
    dd_line_kind kind = known ? DD_LINE_UNKNOWN : dd_line_kind_of(&plain->line, ended);
    if (kind == DD_LINE_UNKNOWN) return;
    bool begins = !first && dd_line_begins(kind, &plain->line, plain->block, &plain->before,
                                           plain->line_number == 1);
    if (first || begins) plain->block = first ? kind : dd_line_block(kind, plain->block);
    if (plain->line.quotes > 0 && (kind == DD_LINE_QUOTE || (!first && !begins)))
        remove_marks(plain);
    if (begins && plain->line_at > 0) {
        close_before_line(plain);
        return;
    }
    join_line(plain);
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
    return dd_plain_in_lines(plain) || plain->paragraphs == DD_PARAGRAPHS_LINE;
}

/* Takes white space; sets `closed` if it ends the paragraph or sentence in the window. In vertical
 * text a line end is kept as '\n' and other space as ' '. */
static bool take_space(dd_plain *plain, uint32_t code)
{
    bool vertical = plain->options.format == DD_FORMAT_VERTICAL;
    bool line_end = is_line_end(plain, code);
    plain->after_return = code == '\r';
    if (!line_end) {
        plain->indented = plain->indented || (plain->line_empty && code != '\n');
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
    plain->indented = false;
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

/* Takes the next character; there must be one. */
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

/* If the line that has begun does not belong to the paragraph before, closes that paragraph. */
static dd_status place_line(dd_plain *plain, dd_feed *feed, dd_error *error)
{
    dd_status status = DD_OK;
    if (plain->line_at < 0 || dd_plain_in_lines(plain)) return DD_OK;
    bool inner = plain->line_number > 0;
    if (inner && plain->paragraphs == DD_PARAGRAPHS_AUTO)
        status = dd_plain_decide(plain, feed, error);
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

dd_status dd_plain_fill(dd_plain *plain, dd_feed *feed, dd_error *error)
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
        plain->new_paragraph |= plain->closed && !dd_plain_in_lines(plain);
        plain->closed = false;
    }
    return DD_OK;
}
