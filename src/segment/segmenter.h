/* segmenter.h - plain text into tokens, words and sentences, as learnt from a treebank
 *
 *     characters -> runs between white space -> tokens -> sentences
 *                                                  `- words, where a token is several
 *
 * Two linear classifiers over hashed features: does a token end between two characters of a run,
 * and does a sentence end behind a token. White space always ends a token. Both were trained as
 * averaged perceptrons; see docs/text.md.
 *
 * The section of a model file, all little-endian:
 *
 *     header (64 bytes) | pairs | lexicon | token weights | sentence weights | rules
 *
 *     pairs     [DD_CHAR_CLASSES squared] bytes: 0 between two characters of these classes no token
 *               ever ends, 1 the classifier is asked
 *     lexicon   [DD_LEXICON_SIZE] bytes: tags below DD_LEXICON_TAGS
 *     weights   int16, 2 to the power of the bits told in the header
 *     rules     text, see segment/multiword.h */
#ifndef DODONA_SEGMENT_SEGMENTER_H
#define DODONA_SEGMENT_SEGMENTER_H

#include "core/learning.h"
#include "core/sections.h"
#include "core/strings.h"
#include "score/train_options.h"
#include "segment/features.h"
#include "segment/multiword.h"

enum {
    DD_SEGMENTER_VERSION = 2,
    DD_SEGMENTER_PAIRS = DD_CHAR_CLASSES * DD_CHAR_CLASSES,
    DD_SEGMENTER_MOST_BITS = 24,
    /* Limits, whatever the text: characters of a token and tokens of a sentence. */
    DD_MOST_TOKEN_CHARACTERS = 1000,
    DD_MOST_SENTENCE_TOKENS = 1000,
};

typedef struct dd_segmenter_header {
    uint32_t version;
    uint32_t token_bits, sentence_bits;
    uint32_t rules; /* bytes */
    uint8_t reserved[48];
} dd_segmenter_header;

typedef struct dd_segmenter {
    const uint8_t *pairs;                            /* [DD_SEGMENTER_PAIRS] */
    const uint8_t *lexicon;                          /* [DD_LEXICON_SIZE] */
    const int16_t *token_weights, *sentence_weights; /* [1 << bits] */
    int token_bits, sentence_bits;
    dd_multiword multiword;
    struct dd_segment_network *network; /* that decides instead of the classifiers; NULL: none */
    struct dd_token_lists *lists;       /* of the user who trained it; NULL: none */
} dd_segmenter;

typedef struct dd_segmenter_options {
    int iterations;                /* 12 */
    uint64_t seed;                 /* 1 */
    int token_bits, sentence_bits; /* of the tables; 0: chosen by the data */
    bool advises;                  /* a network decides, and is told what this one says */
    int threads;                   /* that train a network: 1 */
    const dd_network_options *how; /* of a network; NULL, the default: without one */
    /* May be NULL; called after each iteration. If it returns false, training stops, and what was
     * learnt so far is written. */
    bool (*report)(void *user, const dd_component_progress *progress);
    void *user;
    const dd_learning_part *part; /* of which this is one; NULL: it is all */
} dd_segmenter_options;

void dd_segmenter_options_init(dd_segmenter_options *options);
/* Learns from sentences in the order of their file, and appends the section. DD_ERROR_DATA: no
 * sentence shows how words are spaced. DD_INTERRUPTED, with a section: the report callback stopped
 * it. */
dd_status dd_segmenter_train(dd_buffer *section, struct dd_sentence *const *sentences, size_t count,
                             const dd_segmenter_options *options, dd_error *error);

/* A kind of segmenter, by what decides where tokens and sentences end. */
typedef struct dd_segmenter_kind {
    const char *name; /* of the setting */
    /* Adds its sections; else as dd_segmenter_train. */
    dd_status (*train)(dd_draft *sections, struct dd_sentence *const *sentences, size_t count,
                       const dd_segmenter_options *options, dd_error *error);
    /* Parts that training has, all but the last of the linear kind; NULL: one. */
    int (*parts)(size_t sentences);
    int iterations;     /* passes over the data, unless there are too few words */
    double least_words; /* to learn from in all passes: small treebanks need more; 0: no matter */
    bool takes_network; /* options->how is looked at, but for layers and width, which are these */
    int layers, width;
    /* Words a second that one core of a processor of 2021 learns from, in one iteration. */
    double pace;
} dd_segmenter_kind;

/* segmenter_kinds.c: all there are, the default first, NULL after the last. */
extern const dd_segmenter_kind *const dd_segmenter_kinds[];
extern const dd_segmenter_kind dd_linear_segmenter, dd_neural_segmenter;
/* NULL: the default; one that is not there is taken for it too. */
const dd_segmenter_kind *dd_segmenter_kind_find(const char *name);
/* Passes over a treebank of so many words. */
int dd_segmenter_kind_iterations(const dd_segmenter_kind *kind, uint64_t words);
int dd_segmenter_kind_parts(const dd_segmenter_kind *kind, size_t sentences);
/* Seconds that training takes for each word, with so many passes. */
double dd_segmenter_kind_cost(const dd_segmenter_kind *kind, size_t sentences, int iterations);

/* ---- cutting text -------------------------------------------------------------------------- */

/* The section must outlive the segmenter. */
dd_status dd_segmenter_map(dd_segmenter **out, dd_text section, dd_error *error);
/* The same from a model's sections, which may have a network and lists of tokens. */
dd_status dd_segmenter_find(dd_segmenter **out, const dd_sections *sections, dd_error *error);
void dd_segmenter_free(dd_segmenter *segmenter);

/* A stretch of text in pieces. */
typedef struct dd_segments {
    dd_piece *pieces; /* [count] */
    uint8_t *ends;    /* [count] a sentence ends behind the piece */
    int count;
    size_t pieces_capacity, ends_capacity;
} dd_segments; /* {0} is empty and valid */

void dd_segments_free(dd_segments *segments);
/* The lexicon may be NULL. */
bool dd_segments_add(dd_segments *segments, const dd_chars *chars, const uint8_t *lexicon,
                     int start, int end);

/* What one reader of text needs besides. */
typedef struct dd_segmenter_space dd_segmenter_space;
dd_status dd_segmenter_space_new(dd_segmenter_space **out, const dd_segmenter *segmenter,
                                 dd_error *error);
void dd_segmenter_space_free(dd_segmenter_space *space);

/* Cuts the first `size` characters into tokens and these into sentences, the last of which ends
 * with the last token. False if allocation fails. */
bool dd_segmenter_cut(const dd_segmenter *segmenter, dd_segmenter_space *space,
                      const dd_chars *chars, int size, dd_segments *out);

/* The two steps of that without a network. `scores`, if not NULL, gets what the classifiers say of
 * an end behind each of the `size` characters or tokens, and DD_NOT_ASKED where they are not asked.
 */
enum { DD_NOT_ASKED = INT32_MIN };
bool dd_segmenter_find_tokens(const dd_segmenter *segmenter, const dd_chars *chars, int size,
                              dd_segments *out, int32_t *scores);
/* Sets `ends`; the last token ends a sentence. */
void dd_segmenter_find_sentences(const dd_segmenter *segmenter, const dd_chars *chars,
                                 dd_segments *segments, int32_t *scores);

static inline bool dd_pair_is_asked(const uint8_t *pairs, uint8_t left, uint8_t right)
{
    return pairs[(size_t)left * DD_CHAR_CLASSES + right];
}

/* ---- learning one yes-or-no question with hashed features --------------------------------- */

/* The averaged perceptron with a margin (Freund and Schapire 1999; Collins 2002). All sums are
 * whole numbers, so that equal data gives equal weights on every machine. */

typedef struct dd_perceptron_table {
    int bits;
    int32_t *weights; /* [1 << bits] */
    int64_t *sums;    /* [1 << bits] see core/learning.h */
    uint64_t steps;
} dd_perceptron_table;

bool dd_perceptron_table_make(dd_perceptron_table *table, int bits);
void dd_perceptron_table_free(dd_perceptron_table *table);
/* One example; updates where the answer is wrong or leads by less than the margin. Returns whether
 * it was right before. */
bool dd_perceptron_table_learn(dd_perceptron_table *table, const uint32_t *features, int count,
                               bool answer, int margin);
/* Appends the averages as int16, scaled so that the largest is 32767, or the last multiple of the
 * step before it; all are multiples of the step. */
bool dd_perceptron_table_write(const dd_perceptron_table *table, int step, dd_buffer *out);

#endif
