#include "segment/segment_network.h"

#include "core/memory.h"
#include "neural/run.h"

#include <stdlib.h>

/* Windows that are read together: what one round keeps is bounded by them. */
enum { WINDOWS_TOGETHER = 8 };

struct dd_segment_network {
    dd_frozen frozen;
    dd_hash_table symbols[DD_UNIT_TABLES];
    dd_hash_table words;
    const dd_kernels *kernels;
};

struct dd_segment_network_space {
    dd_unit_text text;
    dd_codes codes;
    dd_window_room room;
    dd_network_run run;
    int16_t *units; /* [hidden] */
    uint8_t *ends;  /* [units of the text] dd_unit_end */
    size_t ends_capacity;
};

/* ---- the sections -------------------------------------------------------------------------- */

bool dd_segment_network_is_in(const dd_sections *sections)
{
    dd_text section;
    return dd_sections_find(sections, DD_SEGMENT_NETWORK, &section);
}

void dd_segment_network_free(dd_segment_network *network)
{
    if (!network) return;
    for (int t = 0; t < DD_UNIT_TABLES; t++) dd_hash_table_free(&network->symbols[t]);
    dd_hash_table_free(&network->words);
    free(network);
}

static bool do_ascend(const uint32_t *hashes, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (hashes[i] <= hashes[i - 1]) return false;
    return true;
}

static dd_status read_symbols(dd_segment_network *n, dd_text section, dd_error *error)
{
    dd_cursor cursor = {section, DD_ALIGN_NUMBERS, false};
    for (int t = 0; t <= DD_UNIT_TABLES; t++) {
        bool words = t == DD_UNIT_TABLES;
        size_t count;
        const uint32_t *hashes = dd_cursor_block(&cursor, sizeof *hashes, &count);
        uint32_t vocabulary = words ? 0 : n->frozen.header.vocabulary[dd_unit_inputs[t]];
        if (cursor.failed || (!words && count + DD_SYMBOL_ROOT + 1 != vocabulary) ||
            !do_ascend(hashes, count))
            return dd_fail(error, DD_ERROR_MODEL, "the tokenizer's symbols are damaged");
        if (words && count == 0) continue;
        dd_hash_table *to = words ? &n->words : &n->symbols[t];
        if (!dd_hash_table_set(to, hashes, count, words ? 1 : DD_SYMBOL_ROOT + 1))
            return dd_fail_memory(error);
    }
    return dd_cursor_ended(&cursor)
               ? DD_OK
               : dd_fail(error, DD_ERROR_MODEL, "the tokenizer's symbols are damaged");
}

static dd_status read_sections(dd_segment_network *n, const dd_sections *sections, dd_error *error)
{
    dd_text network, symbols;
    if (!dd_sections_find(sections, DD_SEGMENT_NETWORK, &network) ||
        !dd_sections_find(sections, DD_SEGMENT_SYMBOLS, &symbols))
        return dd_fail(error, DD_ERROR_MODEL, "a section is missing");
    dd_status status = dd_frozen_map(&n->frozen, network, (dd_text){NULL, 0}, error);
    if (status != DD_OK) return status;
    const dd_frozen_header *h = &n->frozen.header;
    if (h->slots != 1 || h->outputs != DD_UNIT_ENDS || h->vocabulary[DD_INPUT_CHARS] ||
        h->vocabulary[DD_INPUT_VECTOR])
        return dd_fail(error, DD_ERROR_MODEL, "the tokenizer's network does not fit its decisions");
    return read_symbols(n, symbols, error);
}

dd_status dd_segment_network_find(dd_segment_network **out, const dd_sections *sections,
                                  dd_error *error)
{
    dd_segment_network *network = dd_calloc(1, sizeof *network);
    if (!network) return dd_fail_memory(error);
    network->kernels = dd_kernels_best();
    dd_status status = read_sections(network, sections, error);
    if (status == DD_OK)
        *out = network;
    else
        dd_segment_network_free(network);
    return status;
}

void dd_segment_network_choose_kernels(dd_segment_network *network, const dd_kernels *kernels)
{
    network->kernels = kernels;
}

/* ---- deciding ------------------------------------------------------------------------------ */

void dd_segment_network_space_free(dd_segment_network_space *space)
{
    if (!space) return;
    dd_unit_text_free(&space->text);
    dd_codes_free(&space->codes);
    dd_network_run_free(&space->run);
    free(space->room.nodes);
    free(space->units);
    free(space->ends);
    free(space);
}

bool dd_segment_network_space_new(dd_segment_network_space **out, const dd_segment_network *network)
{
    dd_segment_network_space *space = dd_calloc(1, sizeof *space);
    if (!space) return false;
    dd_network_run_start(&space->run, &network->frozen, network->kernels);
    space->units = dd_calloc(network->frozen.header.hidden, sizeof *space->units);
    if (!space->units) {
        dd_segment_network_space_free(space);
        return false;
    }
    *out = space;
    return true;
}

/* The decision with the best score, of equal ones the first; white space ends every token. */
static uint8_t decide(dd_segment_network_space *space, int window, int node, bool spaced)
{
    int32_t scores[DD_UNIT_ENDS];
    uint8_t best = spaced ? DD_UNIT_TOKEN : DD_UNIT_INSIDE;
    dd_network_run_outputs(&space->run, window, &node, space->units, scores);
    for (uint8_t end = best + 1; end < DD_UNIT_ENDS; end++)
        if (scores[end] > scores[best]) best = end;
    return best;
}

static bool read_windows(const dd_segment_network *network, dd_segment_network_space *space,
                         int first, int count)
{
    const dd_unit_text *text = &space->text;
    if (!dd_codes_begin(&space->codes)) return false;
    for (int i = 0; i < count; i++) {
        dd_unit_window window = dd_unit_window_at(text->count, first + i);
        if (!dd_codes_add_window(&space->codes, text, &window, &space->room)) return false;
    }
    dd_codes_name_hashes(&space->codes, 0, network->symbols);
    if (!dd_network_run_encode(&space->run, &space->codes)) return false;
    for (int i = 0; i < count; i++) {
        dd_unit_window window = dd_unit_window_at(text->count, first + i);
        for (int unit = window.first; unit < window.last; unit++)
            space->ends[unit] =
                decide(space, i, dd_unit_node(&window, unit), text->units[unit].spaced);
    }
    return true;
}

static bool make_pieces(const dd_segmenter *segmenter, const dd_segment_network_space *space,
                        const dd_chars *chars, dd_segments *out)
{
    const dd_unit_text *text = &space->text;
    int start = 0, sentence = 0; /* first unit of the token, first piece of the sentence */
    out->count = 0;
    for (int unit = 0; unit < text->count; unit++) {
        const dd_unit *last = &text->units[unit];
        bool full = unit + 1 < text->count &&
                    text->units[unit + 1].end - text->units[start].start > DD_MOST_TOKEN_CHARACTERS;
        if (space->ends[unit] == DD_UNIT_INSIDE && !full) continue;
        if (!dd_segments_add(out, chars, segmenter->lexicon, text->units[start].start, last->end))
            return false;
        start = unit + 1;
        bool ends = space->ends[unit] == DD_UNIT_SENTENCE || unit + 1 == text->count ||
                    out->count - sentence >= DD_MOST_SENTENCE_TOKENS;
        out->ends[out->count - 1] = ends;
        if (ends) sentence = out->count;
    }
    return true;
}

bool dd_segment_network_cut(const dd_segmenter *segmenter, dd_segment_network_space *space,
                            const dd_chars *chars, int size, dd_segments *out)
{
    const dd_segment_network *network = segmenter->network;
    dd_unit_maker maker = {
        .linear = segmenter, .pairs = segmenter->pairs, .words = &network->words};
    if (!dd_unit_text_make(&space->text, &maker, chars, size) ||
        !DD_RESERVE(&space->ends, &space->ends_capacity, (size_t)space->text.count))
        return false;
    int windows = dd_unit_windows(space->text.count);
    for (int first = 0; first < windows; first += WINDOWS_TOGETHER) {
        int left = windows - first;
        if (!read_windows(network, space, first, left < WINDOWS_TOGETHER ? left : WINDOWS_TOGETHER))
            return false;
    }
    return make_pieces(segmenter, space, chars, out);
}
