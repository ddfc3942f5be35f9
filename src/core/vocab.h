/* vocab.h - strings numbered 0.. in the order in which they were first added */
#ifndef DODONA_CORE_VOCAB_H
#define DODONA_CORE_VOCAB_H

#include <dodona.h>

typedef struct dd_vocab {
    char *bytes; /* the strings, one behind the other */
    size_t bytes_size, bytes_capacity;
    uint32_t *starts; /* [count + 1] offsets in bytes */
    size_t starts_capacity;
    uint32_t *slots; /* [slot_count] id + 1, 0 = free; slot_count is a power of two */
    size_t slot_count;
    int count;
} dd_vocab; /* {0} is empty and valid */

void dd_vocab_free(dd_vocab *vocab);
/* The string's number, added if new; -1 if allocation fails. */
int dd_vocab_add(dd_vocab *vocab, dd_text text);
/* The string's number, -1 if it is not there. */
int dd_vocab_find(const dd_vocab *vocab, dd_text text);
dd_text dd_vocab_text(const dd_vocab *vocab, int id);

#endif
