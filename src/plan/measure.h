/* measure.h - what a plan has to know of a part of a file, in one pass over its bytes */
#ifndef DODONA_PLAN_MEASURE_H
#define DODONA_PLAN_MEASURE_H

#include "plan/checksum.h"
#include "plan/range.h"

typedef struct dd_measure {
    uint64_t lines;
    uint64_t characters; /* as plain text is read */
    uint64_t blocks;     /* through empty lines: sentences of CoNLL, well-formed or not */
    bool visible;        /* there is surely more than white space */
    char checksum[DD_CHECKSUM_SIZE];
} dd_measure;

/* Adds what `place` has to lines, characters and blocks; the rest is of the place alone. */
dd_status dd_measure_add(dd_measure *measure, const char *path, const dd_range_place *place,
                         dd_error *error);

#endif
