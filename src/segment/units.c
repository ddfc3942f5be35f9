#include "segment/units.h"

#include "core/memory.h"
#include "core/random.h"
#include "segment/treebank_text.h"

#include <stdlib.h>
#include <string.h>

/* ---- sets of hashes ------------------------------------------------------------------------ */

void dd_hash_table_free(dd_hash_table *table)
{
    free(table->keys);
    free(table->values);
    *table = (dd_hash_table){0};
}

bool dd_hash_table_set(dd_hash_table *table, const uint32_t *hashes, size_t count, uint32_t first)
{
    *table = (dd_hash_table){.size = 4};
    while (table->size < 2 * count) table->size *= 2;
    table->keys = dd_calloc(table->size, sizeof *table->keys);
    table->values = dd_calloc(table->size, sizeof *table->values);
    if (!table->keys || !table->values) {
        dd_hash_table_free(table);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        size_t at = hashes[i] & (table->size - 1);
        while (table->values[at]) at = (at + 1) & (table->size - 1);
        table->keys[at] = hashes[i];
        table->values[at] = first + (uint32_t)i;
    }
    return true;
}

/* ---- units --------------------------------------------------------------------------------- */

void dd_unit_text_free(dd_unit_text *text)
{
    free(text->units);
    free(text->nodes);
    dd_segments_free(&text->pieces);
    free(text->token_scores);
    free(text->sentence_scores);
    free(text->begins);
    free(text->ends);
    *text = (dd_unit_text){0};
}

bool dd_pairs_are_unspaced(const uint8_t *pairs)
{
    return dd_pair_is_asked(pairs, DD_CHAR_IDEOGRAPH, DD_CHAR_IDEOGRAPH) ||
           dd_pair_is_asked(pairs, DD_CHAR_LETTER, DD_CHAR_LETTER);
}

static bool add_unit(dd_unit_text *text, int start, int end, bool spaced)
{
    size_t at = (size_t)text->count;
    if (!DD_RESERVE(&text->units, &text->units_capacity, at + 1)) return false;
    text->units[at] = (dd_unit){start, end, spaced};
    text->count++;
    return true;
}

/* A unit ends at white space, where the classifiers would be asked, and where a token is at its
 * longest. */
static bool find_units(dd_unit_text *text, const uint8_t *pairs, const dd_chars *chars, int size)
{
    text->count = 0;
    for (int at = 0, start = 0; at < size; at++) {
        uint8_t class = chars->classes[at];
        if (class == DD_CHAR_SPACE) {
            start = at + 1;
            continue;
        }
        bool spaced = at + 1 == size || chars->classes[at + 1] == DD_CHAR_SPACE;
        if (!spaced && at + 1 - start < DD_MOST_TOKEN_CHARACTERS &&
            !dd_pair_is_asked(pairs, class, chars->classes[at + 1]))
            continue;
        if (!add_unit(text, start, at + 1, spaced)) return false;
        start = at + 1;
    }
    return true;
}

static bool ask_linear(dd_unit_text *text, const dd_segmenter *linear, const dd_chars *chars,
                       int size)
{
    if (!DD_RESERVE(&text->token_scores, &text->token_capacity, (size_t)size + 1) ||
        !dd_segmenter_find_tokens(linear, chars, size, &text->pieces, text->token_scores) ||
        !DD_RESERVE(&text->sentence_scores, &text->sentence_capacity,
                    (size_t)text->pieces.count + 1))
        return false;
    dd_segmenter_find_sentences(linear, chars, &text->pieces, text->sentence_scores);
    return true;
}

/* ---- words of the treebank ------------------------------------------------------------------ */

static uint32_t word_hash(uint64_t hash)
{
    return dd_hash_finish(dd_hash_join(hash, 77));
}

uint32_t dd_word_hash(const dd_chars *chars, int start, int end)
{
    return word_hash(dd_chars_hash(chars, start, end));
}

/* Whether the characters are a token. */
static bool is_marked(const uint8_t *marks, int start, int end)
{
    if (start > 0 && !(marks[start - 1] & DD_TOKEN_END)) return false;
    for (int i = start; i + 1 < end; i++)
        if (marks[i] & DD_TOKEN_END) return false;
    return marks[end - 1] & DD_TOKEN_END;
}

static void look_up_words(dd_unit_text *text, const dd_unit_maker *maker, const dd_chars *chars,
                          int size)
{
    memset(text->begins, 0, (size_t)size);
    memset(text->ends, 0, (size_t)size);
    for (int start = 0; start < size; start++) {
        uint64_t hash = 1;
        for (int end = start + 1; end <= size && end - start <= DD_LONGEST_LISTED; end++) {
            if (chars->classes[end - 1] == DD_CHAR_SPACE) break;
            hash = dd_hash_join(hash, dd_char_lower(chars->codes[end - 1]));
            if (end - start < 2) continue;
            uint32_t known = dd_hash_table_find(maker->words, word_hash(hash));
            if (!known || (known == 1 && maker->marks && is_marked(maker->marks, start, end)))
                continue;
            uint8_t length = (uint8_t)(end - start);
            text->begins[start] = length;
            if (text->ends[end - 1] < length) text->ends[end - 1] = length;
        }
    }
}

/* ---- what is known of a unit ----------------------------------------------------------------- */

/* What a hash is of; the values are part of model files. */
enum {
    FORM = 1001,
    LEFT_PAIR,
    RIGHT_PAIR,
    RIGHT_SHAPES,
    SCORES,
    SHAPE,
    TAG,
    ENDING,
    LENGTH,
    BEGINS,
    ENDS,
    EDGE,
    TEXT_SIZE,
};

static uint32_t key(uint64_t kind, uint64_t a, uint64_t b)
{
    return dd_hash_finish(dd_hash_join(dd_hash_join(kind, a), b));
}

/* Sign and logarithm, in halves. */
static uint64_t rank(int32_t score)
{
    if (score == DD_NOT_ASKED) return 0;
    uint64_t size = (uint64_t)(score < 0 ? -(int64_t)score : score), steps = 1;
    while (size >= 64) {
        size >>= 1;
        steps += 2;
    }
    if (size >= 48) steps++;
    return steps << 1 | (score > 0);
}

static void add_feature(dd_node_symbols *node, uint32_t hash)
{
    if (node->n_features < DD_MOST_NODE_FEATURES) node->features[node->n_features++] = hash;
}

/* The piece of the linear classifiers that ends with the unit, if any: what is said of an end of
 * the sentence there. */
static int32_t sentence_score(const dd_unit_text *text, const dd_unit *unit, int *piece)
{
    const dd_segments *s = &text->pieces;
    while (*piece < s->count && s->pieces[*piece].end < unit->end) (*piece)++;
    if (*piece == s->count || s->pieces[*piece].end != unit->end) return DD_NOT_ASKED;
    return text->sentence_scores[*piece];
}

/* described: the unit before, this one, and the next. */
static void set_columns(dd_node_symbols *node, const dd_piece described[3], bool spaced,
                        uint64_t scores)
{
    const dd_piece *before = &described[0], *here = &described[1], *next = &described[2];
    uint64_t shapes = dd_hash_join(here->shape, next->tag);
    node->symbols[DD_INPUT_FORM] = key(FORM, here->lower, 0);
    node->symbols[DD_INPUT_LEMMA] = key(LEFT_PAIR, before->lower, here->lower);
    node->symbols[DD_INPUT_XPOS] = key(RIGHT_PAIR, here->lower, next->lower);
    node->symbols[DD_UNIT_OTHERWISE] = key(RIGHT_SHAPES, shapes, next->shape);
    node->symbols[DD_INPUT_UPOS] = key(SCORES, scores, spaced);
}

static void add_features(dd_node_symbols *node, const dd_chars *chars, const dd_piece *here)
{
    int size = here->end - here->start;
    bool after_space = here->start == 0 || chars->classes[here->start - 1] == DD_CHAR_SPACE;
    add_feature(node, key(SHAPE, here->shape, after_space));
    add_feature(node, key(TAG, here->tag, 0));
    if (size == 1) return;
    int ending = size > 3 ? 3 : size;
    add_feature(node, key(ENDING, dd_chars_hash(chars, here->end - ending, here->end), 0));
    add_feature(node, key(LENGTH, (uint64_t)(size < 12 ? size : 12), 0));
}

static void describe(dd_unit_text *text, const dd_unit_maker *maker, const dd_chars *chars, int at,
                     const dd_piece described[3], int *piece)
{
    const dd_unit *unit = &text->units[at];
    dd_node_symbols *node = &text->nodes[at];
    uint64_t scores =
        rank(text->token_scores[unit->end - 1]) << 8 | rank(sentence_score(text, unit, piece));
    *node = (dd_node_symbols){0};
    set_columns(node, described, unit->spaced, scores);
    add_features(node, chars, &described[1]);
    if (maker->words->size == 0) return;
    add_feature(node, key(BEGINS, text->begins[unit->start], 0));
    add_feature(node, key(ENDS, text->ends[unit->end - 1], 0));
}

static void describe_unit(const dd_unit_text *text, const dd_unit_maker *maker,
                          const dd_chars *chars, int at, dd_piece *piece)
{
    *piece = (dd_piece){0};
    if (at < 0 || at >= text->count) return;
    piece->start = text->units[at].start;
    piece->end = text->units[at].end;
    dd_piece_describe(chars, maker->linear->lexicon, piece);
}

bool dd_unit_text_make(dd_unit_text *text, const dd_unit_maker *maker, const dd_chars *chars,
                       int size)
{
    dd_piece described[3];
    int piece = 0;
    if (!find_units(text, maker->pairs, chars, size)) return false;
    if (text->count == 0) return true;
    if (!ask_linear(text, maker->linear, chars, size) ||
        !DD_RESERVE(&text->nodes, &text->nodes_capacity, (size_t)text->count) ||
        !DD_RESERVE(&text->begins, &text->begins_capacity, (size_t)size) ||
        !DD_RESERVE(&text->ends, &text->ends_capacity, (size_t)size))
        return false;
    if (maker->words->size > 0) look_up_words(text, maker, chars, size);
    describe_unit(text, maker, chars, -1, &described[1]);
    describe_unit(text, maker, chars, 0, &described[2]);
    for (int at = 0; at < text->count; at++) {
        described[0] = described[1];
        described[1] = described[2];
        describe_unit(text, maker, chars, at + 1, &described[2]);
        describe(text, maker, chars, at, described, &piece);
    }
    return true;
}

/* ---- windows ------------------------------------------------------------------------------- */

dd_unit_window dd_unit_window_at(int units, int window)
{
    dd_unit_window made = {.first = window * DD_WINDOW_UNITS};
    made.last = made.first + DD_WINDOW_UNITS < units ? made.first + DD_WINDOW_UNITS : units;
    made.start = made.first > DD_WINDOW_CONTEXT ? made.first - DD_WINDOW_CONTEXT : 0;
    made.behind = made.last + DD_WINDOW_CONTEXT < units ? made.last + DD_WINDOW_CONTEXT : units;
    return made;
}

/* The end of a window says whether the text ends there, and how long that is: text without
 * paragraphs is long, and has more sentence ends without punctuation. */
static dd_node_symbols edge(int units, bool whole, bool behind)
{
    uint64_t size = units < 20 ? 0 : units < 80 ? 1 : units < 200 ? 2 : 3;
    dd_node_symbols node = {0};
    add_feature(&node, key(EDGE, (uint64_t)whole << 1 | behind, 0));
    add_feature(&node, key(TEXT_SIZE, size, 0));
    return node;
}

bool dd_codes_add_window(dd_codes *codes, const dd_unit_text *text, const dd_unit_window *window,
                         dd_window_room *room)
{
    int units = window->behind - window->start;
    if (!DD_RESERVE(&room->nodes, &room->capacity, (size_t)units + 2)) return false;
    room->nodes[0] = edge(text->count, window->start == 0, false);
    memcpy(room->nodes + 1, text->nodes + window->start, (size_t)units * sizeof *room->nodes);
    room->nodes[units + 1] = edge(text->count, window->behind == text->count, true);
    return dd_codes_add_nodes(codes, room->nodes, units + 2);
}

const dd_input_kind dd_unit_inputs[DD_UNIT_TABLES] = {DD_INPUT_FORM, DD_INPUT_LEMMA, DD_INPUT_UPOS,
                                                      DD_INPUT_XPOS, DD_INPUT_FEATS};

static void name_all(uint32_t *numbers, size_t count, const dd_hash_table *table)
{
    for (size_t i = 0; i < count; i++) numbers[i] = dd_hash_table_find(table, numbers[i]);
}

/* The next units of a rare pair are told by their shapes. */
static void name_pairs(const dd_coded *coded, const dd_hash_table *table)
{
    uint32_t *pairs = (uint32_t *)(uintptr_t)coded->symbols[DD_INPUT_XPOS];
    uint32_t *shapes = (uint32_t *)(uintptr_t)coded->symbols[DD_UNIT_OTHERWISE];
    for (int node = 0; node <= coded->n; node++) {
        if (pairs[node] == 0) pairs[node] = dd_hash_table_find(table, shapes[node]);
        shapes[node] = 0;
    }
}

void dd_codes_name_hashes(dd_codes *codes, size_t first, const dd_hash_table *tables)
{
    for (size_t i = first; i < codes->count; i++) {
        const dd_coded *coded = &codes->sentences[i];
        size_t nodes = (size_t)coded->n + 1;
        for (int t = 0; t < DD_UNIT_COLUMNS; t++)
            name_all((uint32_t *)(uintptr_t)coded->symbols[dd_unit_inputs[t]], nodes, &tables[t]);
        name_all((uint32_t *)(uintptr_t)coded->features, coded->first_feature[nodes],
                 &tables[DD_UNIT_COLUMNS]);
        name_pairs(coded, &tables[DD_UNIT_PAIRS]);
    }
}
