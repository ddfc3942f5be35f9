/* count.h - how many sentences and words there are */
#ifndef DODONA_PLAN_COUNT_H
#define DODONA_PLAN_COUNT_H

#include <dodona.h>

typedef struct dd_count {
    uint64_t sentences; /* malformed ones too, */
    uint64_t words;     /* which have none */
} dd_count;

/* Of all that the reader has left. */
dd_status dd_count_sentences(dd_reader *reader, dd_count *count, dd_error *error);

#endif
