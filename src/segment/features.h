/* features.h - what the two classifiers of a segmenter look at
 *
 *     characters -> [token end?] -> pieces (tokens with their hashes) -> [sentence end?]
 *
 * A feature is a 32-bit hash; its weight stands at the hash's upper bits in a table. Collisions are
 * harmless: the tables have room for several times the features that matter. */
#ifndef DODONA_SEGMENT_FEATURES_H
#define DODONA_SEGMENT_FEATURES_H

#include "segment/chars.h"

enum { DD_TOKEN_FEATURES = 27, DD_SENTENCE_FEATURES = 38 };

/* A hash of characters in lower case. */
uint64_t dd_chars_hash(const dd_chars *chars, int start, int end);

/* Characters between white space. */
typedef struct dd_run {
    int start, end; /* in dd_chars */
    uint64_t all;   /* hash of all characters, lower case; 0 for a long run */
    uint32_t kinds; /* bit c: class c occurs */
    bool address;   /* has @, :// or www. */
} dd_run;

/* The run that starts at or behind the character; start == end: none. */
dd_run dd_run_find(const dd_chars *chars, int from);

/* Does a token, which began at token_start, end behind the character `at`, which is not the run's
 * last? Fills out[DD_TOKEN_FEATURES]. */
void dd_token_features(const dd_chars *chars, const dd_run *run, int token_start, int at,
                       uint32_t *out);

typedef struct dd_piece {
    int start, end;      /* in dd_chars */
    uint64_t lower;      /* hash of the lower-case form */
    uint64_t shape;      /* hash of its classes, runs of a class cut short */
    uint8_t first, last; /* classes of the first and last character */
    uint8_t tag;         /* what the lexicon has for the form, 0: nothing */
    bool space_before;
    uint8_t to_stop;           /* pieces up to the next stop or question mark, at most 15 */
    bool listed, abbreviation; /* see segment/keep.h */
} dd_piece;

/* Which part of speech a form most often is, so that sentence ends are found between words that
 * were not seen together: forms by a 16-bit hash, tags as numbers from 1. Wrong words that share a
 * hash do little harm. */
enum { DD_LEXICON_SIZE = 1 << 16, DD_LEXICON_TAGS = 18 };

/* Hashes of a piece whose start, end and space_before are set; the lexicon may be NULL. */
void dd_piece_describe(const dd_chars *chars, const uint8_t *lexicon, dd_piece *piece);

/* The index of a form with that hash in the lexicon. */
static inline size_t dd_lexicon_at(uint64_t lower)
{
    return (size_t)(lower >> 48);
}
/* Sets to_stop of all. */
void dd_pieces_look_ahead(dd_piece *pieces, int count);

/* What is known of the sentence under way. */
typedef struct dd_sentence_state {
    int start;     /* its first piece */
    int depth;     /* open brackets */
    bool quoted;   /* an odd number of quotes */
    uint8_t ended; /* class of the last character of the sentence before, in the paragraph */
} dd_sentence_state;

void dd_sentence_state_begin(dd_sentence_state *state, int start, uint8_t ended);
void dd_sentence_state_add(dd_sentence_state *state, const dd_piece *piece, uint32_t code);

/* Does a sentence end behind the piece `at`, which is not the paragraph's last? Fills
 * out[DD_SENTENCE_FEATURES]. */
void dd_sentence_features(const dd_piece *pieces, int count, int at, const dd_sentence_state *state,
                          uint32_t *out);

#endif
