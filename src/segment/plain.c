#include "segment/plain_window.h"

#include "core/memory.h"
#include "core/status.h"
#include "segment/units.h"
#include "text/sentence.h"

#include <stdlib.h>
#include <string.h>

/* Tokens that must be known behind a sentence end before it is final; more where a network looks at
 * them. */
enum { CONTEXT = 8 };

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
    dd_token_lists_free(&plain->lists);
    free(plain);
}

static bool copy_ids(dd_plain *plain, const dd_input_options *options)
{
    plain->options.document = plain->options.prefix = NULL; /* they need not live as long */
    return (!options->document || dd_buffer_text(&plain->document, options->document)) &&
           (!options->prefix || dd_buffer_text(&plain->prefix, options->prefix));
}

static dd_status read_lists(dd_plain *plain, const dd_input_options *options, dd_error *error)
{
    plain->options.keep_tokens = plain->options.abbreviations = NULL; /* the same */
    dd_status status = dd_token_list_load(&plain->lists.keep, options->keep_tokens, error);
    if (status == DD_OK)
        status = dd_token_list_load(&plain->lists.abbreviations, options->abbreviations, error);
    const dd_token_lists *of_model = plain->segmenter ? plain->segmenter->lists : NULL;
    plain->known = (dd_known_tokens){
        {of_model, dd_token_lists_are_empty(&plain->lists) ? NULL : &plain->lists}};
    return status;
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
    if (status == DD_OK) status = read_lists(plain, options, error);
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
    int end = 0, i = 0; /* of the marks of quoted mail */
    for (; i < window->count && line.length <= DD_LINE_START; i++) {
        dd_line_add(&line, window->codes[i], window->classes[i]);
        if (line.quotes > 0 && line.length == 0) end = i + 1;
    }
    dd_line_kind kind = dd_line_kind_of(&line, i == window->count);
    if (kind != DD_LINE_TEXT && kind != DD_LINE_UNKNOWN) return next_space(window, end);
    for (int at = end; at < window->count && window->codes[at] == '@'; at = end + 1)
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
    bool given = dd_plain_in_lines(plain);
    if (plain->options.given >= DD_GIVEN_TOKENS) {
        if (!cut_at_spaces(plain, size)) return false;
        dd_keep_mark(&plain->known, &plain->window, s);
        return true;
    }
    if (!dd_segmenter_cut(plain->segmenter, plain->space, &plain->window, size, s) ||
        !dd_keep_whole(&plain->known, &plain->window, size, s, &plain->spare))
        return false;
    if (!given) dd_keep_marks(&plain->window, size, s);
    if (!given && plain->new_paragraph) keep_opening(plain);
    return true;
}

static bool cut(dd_plain *plain)
{
    dd_segments *s = &plain->segments;
    if (plain->options.format == DD_FORMAT_VERTICAL) {
        if (!cut_lines(plain)) return false;
        dd_keep_mark(&plain->known, &plain->window, s);
        plain->ready = s->count;
        return true;
    }
    int size = plain->closed ? plain->end : whole_tokens(&plain->window);
    if (!find_tokens(plain, size)) return false;
    plain->ready = dd_plain_in_lines(plain) ? s->count : count_ready(plain);
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
        if (plain->closed && !dd_plain_in_lines(plain)) plain->new_paragraph = true;
        plain->next = plain->ready = 0;
        if (plain->ended && plain->window.count == 0) return DD_END;
        dd_status status = dd_plain_fill(plain, feed, error);
        if (status != DD_OK || feed->dry) return status;
        if (!cut(plain)) return dd_fail_memory(error);
    } while (plain->ready == 0);
    return DD_OK;
}

/* The index behind the last piece of the sentence that starts at the next piece. */
static int sentence_end(const dd_plain *plain)
{
    if (dd_plain_in_lines(plain)) return plain->ready;
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
        .new_paragraph = plain->new_paragraph && !dd_plain_in_lines(plain),
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
    bool asked = plain->paragraphs == DD_PARAGRAPHS_AUTO && !dd_plain_in_lines(plain);
    dd_status status = asked ? dd_plain_decide(plain, feed, error) : DD_OK;
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
