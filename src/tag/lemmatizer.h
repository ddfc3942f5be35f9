/* lemmatizer.h - LEMMA of a sentence's words, from FORM and the tags in force
 *
 *     form, tags -> exception? -> its rule
 *                -> features -> scores of rules -> best rule that fits -> lemma
 *
 * A lemma depends on the form and the tags alone, so a word met again needs no scoring. Exceptions
 * are the forms of the training data that the weights get wrong: all that was seen with one lemma
 * is reproduced. A new form gets a lemma that is known if one of the better rules makes one:
 * "closest" is "close" and not "clos". */
#ifndef DODONA_TAG_LEMMATIZER_H
#define DODONA_TAG_LEMMATIZER_H

#include "core/strings.h"

typedef struct dd_lemmatizer_options {
    int iterations;    /* 10 */
    uint64_t seed;     /* 1 */
    size_t most_bytes; /* about so many for the weights: the smallest are left out. 0, the default:
                          no limit */
    /* May be NULL; called after each iteration. If it returns false, training stops, and what was
     * learnt so far is written. */
    bool (*report)(void *user, const dd_component_progress *progress);
    void *user;
} dd_lemmatizer_options;

void dd_lemmatizer_options_init(dd_lemmatizer_options *options);

/* Appends the section to the buffer. Words whose LEMMA is `_` are skipped; if all are, the
 * lemmatizer writes `_` for every word. DD_INTERRUPTED, with a section: the report callback stopped
 * it. */
dd_status dd_lemmatizer_train(dd_buffer *section, dd_sentence *const *sentences, size_t count,
                              const dd_lemmatizer_options *options, dd_error *error);

/* Immutable and shared by threads. */
typedef struct dd_lemmatizer dd_lemmatizer;

/* Reads the section in place: it must outlive the lemmatizer and be 8-byte aligned. */
dd_status dd_lemmatizer_map(dd_lemmatizer **out, dd_text section, dd_error *error);
void dd_lemmatizer_free(dd_lemmatizer *lemmatizer);

/* One thread's workspace. */
typedef struct dd_lemmatizer_space dd_lemmatizer_space;

dd_status dd_lemmatizer_space_new(dd_lemmatizer_space **out, const dd_lemmatizer *lemmatizer,
                                  dd_error *error);
void dd_lemmatizer_space_free(dd_lemmatizer_space *space);

/* Sets LEMMA of every word. */
dd_status dd_lemmatizer_apply(const dd_lemmatizer *lemmatizer, dd_lemmatizer_space *space,
                              dd_sentence *sentence, dd_error *error);

#endif
