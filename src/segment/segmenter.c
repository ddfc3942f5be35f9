#include "segment/segmenter.h"

#include "core/learning.h"
#include "core/memory.h"
#include "core/sections.h"
#include "segment/segment_network.h"
#include "segment/token_lists.h"

#include <math.h>
#include <stdlib.h>

_Static_assert(sizeof(dd_segmenter_header) == 64, "the layout of the file has no padding");

/* ---- the section -------------------------------------------------------------------------- */

static dd_status wrong_size(dd_error *error)
{
    return dd_fail(error, DD_ERROR_MODEL, "the tokenizer's section has the wrong size");
}

static dd_status check(const dd_segmenter_header *header, dd_error *error)
{
    if (!header) return wrong_size(error);
    if (header->version != DD_SEGMENTER_VERSION)
        return dd_fail(error, DD_ERROR_MODEL, "tokenizer of version %u, not %d", header->version,
                       DD_SEGMENTER_VERSION);
    if (header->token_bits < 1 || header->token_bits > DD_SEGMENTER_MOST_BITS ||
        header->sentence_bits < 1 || header->sentence_bits > DD_SEGMENTER_MOST_BITS)
        return dd_fail(error, DD_ERROR_MODEL, "the tokenizer's tables are too large");
    return DD_OK;
}

static dd_status map(dd_segmenter *s, const dd_segmenter_header *header, dd_cursor *section,
                     dd_error *error)
{
    s->token_bits = (int)header->token_bits;
    s->sentence_bits = (int)header->sentence_bits;
    s->pairs = dd_cursor_items(section, DD_SEGMENTER_PAIRS, sizeof *s->pairs);
    s->lexicon = dd_cursor_items(section, DD_LEXICON_SIZE, sizeof *s->lexicon);
    s->token_weights = dd_cursor_items(section, (size_t)1 << s->token_bits, sizeof(int16_t));
    s->sentence_weights = dd_cursor_items(section, (size_t)1 << s->sentence_bits, sizeof(int16_t));
    dd_text rules = {dd_cursor_items(section, header->rules, 1), header->rules};
    if (!dd_cursor_ended(section)) return wrong_size(error);
    return dd_multiword_map(&s->multiword, rules, error);
}

dd_status dd_segmenter_map(dd_segmenter **out, dd_text section, dd_error *error)
{
    dd_cursor cursor = {.rest = section};
    const dd_segmenter_header *header = dd_cursor_items(&cursor, 1, sizeof *header);
    dd_status status = check(header, error);
    if (status != DD_OK) return status;
    dd_segmenter *made = dd_calloc(1, sizeof *made);
    if (!made) return dd_fail_memory(error);
    status = map(made, header, &cursor, error);
    if (status == DD_OK)
        *out = made;
    else
        dd_segmenter_free(made);
    return status;
}

static dd_status find_lists(dd_segmenter *s, const dd_sections *sections, dd_error *error)
{
    dd_text section;
    if (!dd_sections_find(sections, DD_TOKEN_LISTS, &section)) return DD_OK;
    s->lists = dd_calloc(1, sizeof *s->lists);
    return s->lists ? dd_token_lists_read(s->lists, section, error) : dd_fail_memory(error);
}

dd_status dd_segmenter_find(dd_segmenter **out, const dd_sections *sections, dd_error *error)
{
    dd_text section;
    if (!dd_sections_find(sections, "tokenizer", &section))
        return dd_fail(error, DD_ERROR_MODEL, "a section is missing");
    dd_status status = dd_segmenter_map(out, section, error);
    if (status != DD_OK) return status;
    if (dd_segment_network_is_in(sections))
        status = dd_segment_network_find(&(*out)->network, sections, error);
    if (status == DD_OK) status = find_lists(*out, sections, error);
    if (status == DD_OK) return DD_OK;
    dd_segmenter_free(*out);
    *out = NULL;
    return status;
}

void dd_segmenter_free(dd_segmenter *segmenter)
{
    if (!segmenter) return;
    dd_multiword_free(&segmenter->multiword);
    dd_segment_network_free(segmenter->network);
    if (segmenter->lists) dd_token_lists_free(segmenter->lists);
    free(segmenter->lists);
    free(segmenter);
}

/* ---- cutting ------------------------------------------------------------------------------ */

void dd_segments_free(dd_segments *segments)
{
    free(segments->pieces);
    free(segments->ends);
    *segments = (dd_segments){0};
}

bool dd_segments_add(dd_segments *segments, const dd_chars *chars, const uint8_t *lexicon,
                     int start, int end)
{
    size_t at = (size_t)segments->count;
    if (!DD_RESERVE(&segments->pieces, &segments->pieces_capacity, at + 1) ||
        !DD_RESERVE(&segments->ends, &segments->ends_capacity, at + 1))
        return false;
    dd_piece piece = {.start = start, .end = end};
    piece.space_before = start == 0 || chars->classes[start - 1] == DD_CHAR_SPACE;
    dd_piece_describe(chars, lexicon, &piece);
    segments->pieces[at] = piece;
    segments->ends[at] = 0;
    segments->count++;
    return true;
}

static inline int32_t score(const int16_t *weights, int bits, const uint32_t *features, int count)
{
    int32_t sum = 0;
    for (int i = 0; i < count; i++) sum += weights[features[i] >> (32 - bits)];
    return sum;
}

static bool cut_run(const dd_segmenter *segmenter, const dd_chars *chars, const dd_run *run,
                    dd_segments *out, int32_t *scores)
{
    int start = run->start;
    uint32_t features[DD_TOKEN_FEATURES];
    for (int at = start; at + 1 < run->end; at++) {
        bool ends = at + 1 - start >= DD_MOST_TOKEN_CHARACTERS;
        if (!ends &&
            dd_pair_is_asked(segmenter->pairs, chars->classes[at], chars->classes[at + 1])) {
            dd_token_features(chars, run, start, at, features);
            int32_t sum =
                score(segmenter->token_weights, segmenter->token_bits, features, DD_TOKEN_FEATURES);
            if (scores) scores[at] = sum;
            ends = sum > 0;
        }
        if (!ends) continue;
        if (!dd_segments_add(out, chars, segmenter->lexicon, start, at + 1)) return false;
        start = at + 1;
    }
    return dd_segments_add(out, chars, segmenter->lexicon, start, run->end);
}

bool dd_segmenter_find_tokens(const dd_segmenter *segmenter, const dd_chars *chars, int size,
                              dd_segments *out, int32_t *scores)
{
    out->count = 0;
    for (int i = 0; scores && i < size; i++) scores[i] = DD_NOT_ASKED;
    for (dd_run run = {.end = 0};;) {
        run = dd_run_find(chars, run.end);
        if (run.start == run.end || run.start >= size) break;
        if (run.end > size) run.end = size;
        if (!cut_run(segmenter, chars, &run, out, scores)) return false;
    }
    dd_pieces_look_ahead(out->pieces, out->count);
    return true;
}

void dd_segmenter_find_sentences(const dd_segmenter *segmenter, const dd_chars *chars,
                                 dd_segments *segments, int32_t *scores)
{
    dd_sentence_state state = {0};
    uint32_t features[DD_SENTENCE_FEATURES];
    for (int at = 0; at < segments->count; at++) {
        const dd_piece *piece = &segments->pieces[at];
        dd_sentence_state_add(&state, piece, chars->codes[piece->start]);
        bool ends = at + 1 == segments->count || at + 1 - state.start >= DD_MOST_SENTENCE_TOKENS;
        if (scores) scores[at] = DD_NOT_ASKED;
        if (!ends) {
            dd_sentence_features(segments->pieces, segments->count, at, &state, features);
            int32_t sum = score(segmenter->sentence_weights, segmenter->sentence_bits, features,
                                DD_SENTENCE_FEATURES);
            if (scores) scores[at] = sum;
            ends = sum > 0;
        }
        segments->ends[at] = ends;
        if (ends) dd_sentence_state_begin(&state, at + 1, piece->last);
    }
}

struct dd_segmenter_space {
    dd_segment_network_space *network; /* NULL: without one */
};

dd_status dd_segmenter_space_new(dd_segmenter_space **out, const dd_segmenter *segmenter,
                                 dd_error *error)
{
    dd_segmenter_space *space = dd_calloc(1, sizeof *space);
    if (!space) return dd_fail_memory(error);
    if (segmenter->network && !dd_segment_network_space_new(&space->network, segmenter->network)) {
        free(space);
        return dd_fail_memory(error);
    }
    *out = space;
    return DD_OK;
}

void dd_segmenter_space_free(dd_segmenter_space *space)
{
    if (!space) return;
    dd_segment_network_space_free(space->network);
    free(space);
}

bool dd_segmenter_cut(const dd_segmenter *segmenter, dd_segmenter_space *space,
                      const dd_chars *chars, int size, dd_segments *out)
{
    if (segmenter->network)
        return dd_segment_network_cut(segmenter, space->network, chars, size, out);
    if (!dd_segmenter_find_tokens(segmenter, chars, size, out, NULL)) return false;
    dd_segmenter_find_sentences(segmenter, chars, out, NULL);
    return true;
}

/* ---- the perceptron ----------------------------------------------------------------------- */

bool dd_perceptron_table_make(dd_perceptron_table *table, int bits)
{
    size_t size = (size_t)1 << bits;
    *table = (dd_perceptron_table){.bits = bits, .steps = 1};
    table->weights = dd_calloc(size, sizeof *table->weights);
    table->sums = dd_calloc(size, sizeof *table->sums);
    if (table->weights && table->sums) return true;
    dd_perceptron_table_free(table);
    return false;
}

void dd_perceptron_table_free(dd_perceptron_table *table)
{
    free(table->weights);
    free(table->sums);
    *table = (dd_perceptron_table){0};
}

bool dd_perceptron_table_learn(dd_perceptron_table *table, const uint32_t *features, int count,
                               bool answer, int margin)
{
    int64_t score = 0;
    int shift = 32 - table->bits, step = answer ? 1 : -1;
    for (int i = 0; i < count; i++) score += table->weights[features[i] >> shift];
    bool right = score * step > 0;
    table->steps++;
    if (score * step > margin) return right;
    for (int i = 0; i < count; i++) {
        table->weights[features[i] >> shift] += step;
        dd_average_change(&table->sums[features[i] >> shift], table->steps, step);
    }
    return right;
}

static double average(const dd_perceptron_table *table, size_t at)
{
    return dd_average(table->weights[at], table->sums[at], table->steps);
}

bool dd_perceptron_table_write(const dd_perceptron_table *table, int step, dd_buffer *out)
{
    int most_steps = INT16_MAX / step;
    size_t size = (size_t)1 << table->bits;
    double most = 0;
    for (size_t i = 0; i < size; i++) most = fmax(most, fabs(average(table, i)));
    if (!dd_buffer_reserve(out, size * sizeof(int16_t))) return false;
    for (size_t i = 0; i < size; i++) {
        long steps = most > 0 ? lrint(average(table, i) / most * most_steps) : 0;
        int16_t weight = (int16_t)(steps * step);
        if (!dd_buffer_append(out, &weight, sizeof weight)) return false;
    }
    return true;
}
