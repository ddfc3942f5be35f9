#include "segment/features.h"

#include "core/random.h"

/* ---- hashing ------------------------------------------------------------------------------ */

static inline uint64_t pair(uint64_t kind, uint64_t a, uint64_t b)
{
    return dd_hash_join(dd_hash_join(kind, a), b);
}

static inline uint32_t join2(uint64_t kind, uint64_t a, uint64_t b)
{
    return dd_hash_finish(pair(kind, a, b));
}

static inline uint32_t join3(uint64_t kind, uint64_t a, uint64_t b, uint64_t c)
{
    return dd_hash_finish(dd_hash_join(pair(kind, a, b), c));
}

static inline uint32_t join4(uint64_t kind, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    return dd_hash_finish(pair(pair(kind, a, b), c, d));
}

uint64_t dd_chars_hash(const dd_chars *chars, int start, int end)
{
    uint64_t hash = 1;
    for (int i = start; i < end; i++) hash = dd_hash_join(hash, dd_char_lower(chars->codes[i]));
    return hash;
}

/* 0 1 2 3 4 5-6 7-9 10-14 15-.. */
static inline uint64_t bucket(int count)
{
    if (count < 5) return (uint64_t)count;
    return count < 7 ? 5 : count < 10 ? 6 : count < 15 ? 7 : count < 25 ? 8 : count < 40 ? 9 : 10;
}

/* ---- tokens ------------------------------------------------------------------------------- */

enum { LONG_RUN = 30, NEAR = 10 };

static bool is_address(const dd_chars *chars, int start, int end)
{
    const uint32_t *codes = chars->codes;
    for (int i = start; i < end; i++) {
        if (codes[i] == '@') return true;
        if (codes[i] == ':' && end - i > 2 && codes[i + 1] == '/' && codes[i + 2] == '/')
            return true;
    }
    return end - start > 4 && dd_char_lower(codes[start]) == 'w' &&
           dd_char_lower(codes[start + 1]) == 'w' && dd_char_lower(codes[start + 2]) == 'w' &&
           codes[start + 3] == '.';
}

dd_run dd_run_find(const dd_chars *chars, int from)
{
    dd_run run = {.start = from};
    while (run.start < chars->count && chars->classes[run.start] == DD_CHAR_SPACE) run.start++;
    for (run.end = run.start; run.end < chars->count; run.end++) {
        if (chars->classes[run.end] == DD_CHAR_SPACE) break;
        run.kinds |= UINT32_C(1) << chars->classes[run.end];
    }
    if (run.end - run.start > 1) {
        run.address = is_address(chars, run.start, run.end);
        if (run.end - run.start <= LONG_RUN) run.all = dd_chars_hash(chars, run.start, run.end);
    }
    return run;
}

/* The character at an offset from the boundary, 0 beyond the run. */
static inline uint64_t code_at(const dd_chars *chars, const dd_run *run, int at)
{
    return at >= run->start && at < run->end ? chars->codes[at] : 0;
}

static inline uint64_t class_at(const dd_chars *chars, const dd_run *run, int at)
{
    return at >= run->start && at < run->end ? chars->classes[at] : 0;
}

/* Letters and digits up to the boundary, or behind it, or the one other character there. */
static uint64_t word_before(const dd_chars *chars, const dd_run *run, int at)
{
    int start = at + 1;
    while (start > run->start && at + 1 - start < NEAR &&
           dd_char_is_word(chars->classes[start - 1]))
        start--;
    return dd_chars_hash(chars, start > at ? at : start, at + 1);
}

static uint64_t word_behind(const dd_chars *chars, const dd_run *run, int at)
{
    int end = at + 1;
    while (end < run->end && end - at <= NEAR && dd_char_is_word(chars->classes[end])) end++;
    return dd_chars_hash(chars, at + 1, end > at + 1 ? end : at + 2);
}

/* What a feature is about; the values are part of model files. L1 is the character before the
 * boundary, L2 the one before that; R1 is the character behind the boundary, and so on. */
enum {
    CLASSES_L1_R1 = 1,
    L1_R1,
    L2_L1_R1,
    L1_R1_R2,
    L3_L2_L1,
    R1_R2_R3,
    L2_L1_R1_R2,
    WIDE_CLASSES,
    NEAR_CLASSES,
    L1_CLASSES_R1_R2,
    R1_CLASSES_L2_L1,
    TOKEN_R1,
    SIZE_CLASSES,
    REST_L1,
    RUN_PLACE,
    WORDS_L1_R1,
    ADDRESS_NEAR_CLASSES,
    KINDS_CLASSES,
    FIRST_NEAR_CLASSES,
    LEFT_L1_R1,
    BEFORE_L1_R1,
    BEHIND_L1_R1,
    L2_L1,
    R1_R2,
    L1_CLASS_R1,
    R1_CLASS_L1,
    SIZE_L1_R1,
};

_Static_assert(SIZE_L1_R1 - CLASSES_L1_R1 + 1 == DD_TOKEN_FEATURES, "each feature has a name");

void dd_token_features(const dd_chars *chars, const dd_run *run, int token_start, int at,
                       uint32_t *out)
{
    uint64_t c[8], k[8]; /* of L4 to L1, and of R1 to R4 */
    for (int i = 0; i < 8; i++) {
        c[i] = code_at(chars, run, at - 3 + i);
        k[i] = class_at(chars, run, at - 3 + i);
    }
    uint64_t near = k[2] << 24 | k[3] << 16 | k[4] << 8 | k[5];
    uint64_t wide = near << 32 | k[0] << 24 | k[1] << 16 | k[6] << 8 | k[7];
    int so_far = at + 1 - token_start, left = run->end - at - 1;
    uint64_t token =
        dd_chars_hash(chars, so_far > LONG_RUN ? at + 1 - LONG_RUN : token_start, at + 1);
    uint64_t rest = dd_chars_hash(chars, at + 1, left > NEAR ? at + 1 + NEAR : run->end);
    uint64_t before = word_before(chars, run, at), behind = word_behind(chars, run, at);
    int n = 0;
    out[n++] = join2(CLASSES_L1_R1, k[3], k[4]);
    out[n++] = join2(L1_R1, c[3], c[4]);
    out[n++] = join3(L2_L1_R1, c[2], c[3], c[4]);
    out[n++] = join3(L1_R1_R2, c[3], c[4], c[5]);
    out[n++] = join3(L3_L2_L1, c[1], c[2], c[3]);
    out[n++] = join3(R1_R2_R3, c[4], c[5], c[6]);
    out[n++] = join4(L2_L1_R1_R2, c[2], c[3], c[4], c[5]);
    out[n++] = join2(WIDE_CLASSES, wide, 0);
    out[n++] = join2(NEAR_CLASSES, near, 0);
    out[n++] = join3(L1_CLASSES_R1_R2, c[3], k[4], k[5]);
    out[n++] = join3(R1_CLASSES_L2_L1, k[2], k[3], c[4]);
    out[n++] = join2(TOKEN_R1, token, c[4]);
    out[n++] = join3(SIZE_CLASSES, bucket(so_far), k[3], k[4]);
    out[n++] = join2(REST_L1, rest, c[3]);
    out[n++] = join2(RUN_PLACE, run->all, run->all ? (uint64_t)(at - run->start) : 0);
    out[n++] = join4(WORDS_L1_R1, before, behind, c[3], c[4]);
    out[n++] = join3(ADDRESS_NEAR_CLASSES, run->address, near, at + 2 == run->end);
    out[n++] = join3(KINDS_CLASSES, run->kinds, k[3], k[4]);
    out[n++] = join3(FIRST_NEAR_CLASSES, class_at(chars, run, token_start), near,
                     token_start == run->start);
    out[n++] = join3(LEFT_L1_R1, bucket(left), c[3], c[4]);
    out[n++] = join3(BEFORE_L1_R1, before, c[3], c[4]);
    out[n++] = join3(BEHIND_L1_R1, behind, c[3], c[4]);
    out[n++] = join2(L2_L1, c[2], c[3]);
    out[n++] = join2(R1_R2, c[4], c[5]);
    out[n++] = join2(L1_CLASS_R1, c[3], k[4]);
    out[n++] = join2(R1_CLASS_L1, c[4], k[3]);
    out[n++] = join3(SIZE_L1_R1, bucket(so_far), c[3], c[4]);
}

/* ---- sentences ---------------------------------------------------------------------------- */

void dd_piece_describe(const dd_chars *chars, const uint8_t *lexicon, dd_piece *piece)
{
    uint64_t shape = 1;
    int repeated = 0;
    int end = piece->end - piece->start > LONG_RUN ? piece->start + LONG_RUN : piece->end;
    for (int i = piece->start; i < end; i++) {
        uint8_t class = chars->classes[i];
        repeated = i > piece->start && class == chars->classes[i - 1] ? repeated + 1 : 0;
        if (repeated < 2) shape = dd_hash_join(shape, class);
    }
    piece->shape = shape;
    piece->lower = dd_chars_hash(chars, piece->start, end);
    piece->tag = lexicon ? lexicon[dd_lexicon_at(piece->lower)] : 0;
    piece->first = chars->classes[piece->start];
    piece->last = chars->classes[piece->end - 1];
}

static bool is_stop(const dd_piece *piece)
{
    return piece->last == DD_CHAR_STOP || piece->last == DD_CHAR_ASKING;
}

void dd_pieces_look_ahead(dd_piece *pieces, int count)
{
    uint8_t distance = 15;
    for (int i = count - 1; i >= 0; i--) {
        if (is_stop(&pieces[i]))
            distance = 0;
        else if (distance < 15)
            distance++;
        pieces[i].to_stop = distance;
    }
}

void dd_sentence_state_begin(dd_sentence_state *state, int start, uint8_t ended)
{
    *state = (dd_sentence_state){.start = start, .ended = ended};
}

void dd_sentence_state_add(dd_sentence_state *state, const dd_piece *piece, uint32_t code)
{
    if (piece->first == DD_CHAR_OPEN) state->depth++;
    if (piece->first == DD_CHAR_CLOSE && state->depth > 0) state->depth--;
    if (code == '"') state->quoted = !state->quoted;
}

/* A is the piece before the boundary, B and Z stand before it; C is the piece behind the boundary,
 * D and E follow it. */
enum {
    FORM_A = 31,
    FORM_A_SHAPE_C,
    FORMS_AC,
    FORM_SHAPE_C,
    FORM_C_SHAPE_A,
    SHAPES_AC,
    SHAPES_BACD,
    FORMS_BA,
    FORMS_CD,
    CLASSES_AC_LENGTH,
    FORM_A_LENGTH,
    FORMS_BAC,
    WITHIN_FORM_A_SHAPE_C,
    FORMS_BA_SHAPE_C,
    FORM_A_SHAPES_CD,
    FIRST_FORM_A_SHAPE_C,
    FIRST_SHAPES_AC_LENGTH,
    STOP_SHAPES_AC,
    ENDED_CLASS_A_SHAPE_C,
    FORM_A_SHAPE_C_LEFT,
    FORMS_ZBA,
    SHAPES_CDEA,
    SHAPES_ZB_FORM_A,
    STOP_LENGTH_SHAPE_C,
    LEFT_SHAPES_AC,
    CLASS_A_FORM_C,
    SIZE_CLASS_A_SHAPE_C,
    SIZE_FORM_C,
    SIZE_FORM_A_SHAPE_C,
    TAGS_AC_SIZE,
    TAGS_BAC,
    TAGS_ACD,
    TAGS_BACD,
    TAGS_ZBAC,
    TAGS_ACDE,
    KIND_CLASS_C,
    KIND_TAG_C,
    KIND_FORM_C,
};

_Static_assert(KIND_FORM_C - FORM_A + 1 == DD_SENTENCE_FEATURES, "each feature has a name");

/* What kind of full stop the piece is or ends with, 0: none. In a token of its own it may yet
 * belong to an abbreviation, the more so if the word before is short, is not known, or has a
 * capital. */
static uint64_t kind_of_stop(const dd_piece *piece, const dd_piece *before)
{
    int size = piece->end - piece->start, word = before->end - before->start;
    if (piece->last != DD_CHAR_STOP) return 0;
    if (size > 1) return piece->first == DD_CHAR_STOP ? 1 : piece->first == DD_CHAR_UPPER ? 2 : 3;
    if (piece->space_before || word == 0) return 4;
    return 5 + ((uint64_t)(word < 6 ? word : 6) << 5 | (uint64_t)before->first << 1 |
                (before->tag != 0));
}

void dd_sentence_features(const dd_piece *pieces, int count, int at, const dd_sentence_state *state,
                          uint32_t *out)
{
    static const dd_piece none;
    const dd_piece *a = &pieces[at], *c = &pieces[at + 1]; /* on both sides of the boundary */
    const dd_piece *b = at > state->start ? a - 1 : &none;
    const dd_piece *z = at > state->start + 1 ? a - 2 : &none;
    const dd_piece *d = at + 2 < count ? c + 1 : &none, *e = at + 3 < count ? c + 2 : &none;
    const dd_piece *first = &pieces[state->start];
    uint64_t length = bucket(at + 1 - state->start), left = bucket(count - at - 1);
    uint64_t within = (uint64_t)(state->depth > 0) << 1 | state->quoted;
    uint64_t stop = c->to_stop, space = c->space_before;
    /* Text without paragraphs has long windows, and more sentence ends without punctuation. */
    uint64_t size = count < 20 ? 0 : count < 80 ? 1 : count < 200 ? 2 : 3;
    uint64_t kind = kind_of_stop(a, b);
    uint64_t tag_a = (uint64_t)a->last << 8 | a->tag, tag_c = (uint64_t)c->first << 8 | c->tag;
    uint64_t tag_d = (uint64_t)d->first << 8 | d->tag, tag_e = (uint64_t)e->first << 8 | e->tag;
    int n = 0;
    out[n++] = join2(FORM_A, a->lower, space);
    out[n++] = join3(FORM_A_SHAPE_C, a->lower, c->shape, space);
    out[n++] = join2(FORMS_AC, a->lower, c->lower);
    out[n++] = join2(FORM_SHAPE_C, c->lower, c->shape);
    out[n++] = join3(FORM_C_SHAPE_A, c->lower, a->shape, c->first);
    out[n++] = join3(SHAPES_AC, a->shape, c->shape, space);
    out[n++] = join4(SHAPES_BACD, b->shape, a->shape, c->shape, d->shape);
    out[n++] = join2(FORMS_BA, b->lower, a->lower);
    out[n++] = join3(FORMS_CD, c->lower, d->lower, c->first);
    out[n++] = join4(CLASSES_AC_LENGTH, a->last, c->first, space, length);
    out[n++] = join2(FORM_A_LENGTH, a->lower, length);
    out[n++] = join3(FORMS_BAC, b->lower, a->lower, c->lower);
    out[n++] = join4(WITHIN_FORM_A_SHAPE_C, within, a->lower, c->shape, space);
    out[n++] = join3(FORMS_BA_SHAPE_C, b->lower, a->lower, c->shape);
    out[n++] = join3(FORM_A_SHAPES_CD, a->lower, c->shape, d->shape);
    out[n++] = join4(FIRST_FORM_A_SHAPE_C, first->lower, a->lower, c->shape, at - state->start < 3);
    out[n++] = join4(FIRST_SHAPES_AC_LENGTH, first->shape, a->shape, c->shape, length);
    out[n++] = join3(STOP_SHAPES_AC, stop, a->shape, c->shape);
    out[n++] = join3(ENDED_CLASS_A_SHAPE_C, state->ended, a->last, c->shape);
    out[n++] = join3(FORM_A_SHAPE_C_LEFT, a->lower, c->shape, left);
    out[n++] = join3(FORMS_ZBA, z->lower, b->lower, a->lower);
    out[n++] = join4(SHAPES_CDEA, c->shape, d->shape, e->shape, a->shape);
    out[n++] = join3(SHAPES_ZB_FORM_A, z->shape, b->shape, a->lower);
    out[n++] = join3(STOP_LENGTH_SHAPE_C, stop, length, c->shape);
    out[n++] = join3(LEFT_SHAPES_AC, left, a->shape, c->shape);
    out[n++] = join2(CLASS_A_FORM_C, a->last, c->lower);
    out[n++] = join3(SIZE_CLASS_A_SHAPE_C, size, a->last, c->shape);
    out[n++] = join3(SIZE_FORM_C, size, c->lower, c->first);
    out[n++] = join3(SIZE_FORM_A_SHAPE_C, size, a->lower, c->shape);
    out[n++] = join3(TAGS_AC_SIZE, tag_a, tag_c, size);
    out[n++] = join3(TAGS_BAC, b->tag, tag_a, tag_c);
    out[n++] = join3(TAGS_ACD, tag_a, tag_c, tag_d);
    out[n++] = join4(TAGS_BACD, b->tag, tag_a, tag_c, tag_d);
    out[n++] = join4(TAGS_ZBAC, z->tag, b->tag, tag_a, tag_c);
    out[n++] = join4(TAGS_ACDE, tag_a, tag_c, tag_d, tag_e);
    out[n++] = join3(KIND_CLASS_C, kind, c->first, space);
    out[n++] = join2(KIND_TAG_C, kind, tag_c);
    out[n++] = join3(KIND_FORM_C, kind, c->lower, c->first);
}
