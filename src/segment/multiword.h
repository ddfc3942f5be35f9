/* multiword.h - tokens that are several words: don't -> do n't, del -> de el
 *
 * Rules are looked up by the lower-case form, first as a whole and then by its longest ending that
 * has a rule. A rule takes characters off the end, adds some to what is left, which is the first
 * word, and adds further words; or it says that the token is one word. As text, one a line:
 *
 *     KEY<TAB>                            one word
 *     KEY<TAB>DROP<TAB>TAIL<TAB>WORD...   "n't  3    n't", "^del  1    el"
 *
 * KEY begins with ^ if it is a whole form. What is taken off keeps its case where the added
 * characters are the same. */
#ifndef DODONA_SEGMENT_MULTIWORD_H
#define DODONA_SEGMENT_MULTIWORD_H

#include "core/strings.h"
#include "segment/chars.h"

enum { DD_MULTIWORD_LONGEST_KEY = 24, DD_MULTIWORD_MOST_WORDS = 8 };

typedef struct dd_multiword {
    dd_vocab keys;    /* rule i has key i */
    dd_text *actions; /* [keys.count] views: DROP<TAB>TAIL<TAB>WORD.., empty: one word */
    size_t actions_capacity;
    uint64_t endings[64]; /* 4096 bits by the last two characters: some key may end so */
    int longest_ending;   /* characters of the longest key that is no whole form */
} dd_multiword;

/* The text must outlive it. */
dd_status dd_multiword_map(dd_multiword *multiword, dd_text rules, dd_error *error);
void dd_multiword_free(dd_multiword *multiword);

/* The words of a token, appended one behind the other; sizes[] in bytes. Returns their number, 1:
 * the token is one word and nothing is appended; -1 if allocation fails. */
int dd_multiword_split(const dd_multiword *multiword, const dd_chars *chars, int start, int end,
                       dd_buffer *words, size_t sizes[DD_MULTIWORD_MOST_WORDS]);

/* Whether this is a valid action of a rule. */
bool dd_multiword_is_action(dd_text action);

/* ---- learning ----------------------------------------------------------------------------- */

typedef struct dd_multiword_learner dd_multiword_learner;

dd_multiword_learner *dd_multiword_learner_new(void);
void dd_multiword_learner_free(dd_multiword_learner *learner);
/* Learns from a token of the training data and its words (one, if it is no multiword token). False
 * if allocation fails. */
bool dd_multiword_learn(dd_multiword_learner *learner, dd_text form, const dd_text *words,
                        int count);
bool dd_multiword_write(dd_multiword_learner *learner, dd_buffer *rules);

#endif
