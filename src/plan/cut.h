/* cut.h - where a file can be cut so that its parts give what the whole gives, and what the parts
 * hold
 *
 *     CoNLL, one token a line: behind an empty line
 *     text: behind an empty line, which separates paragraphs; one sentence a line: behind any line
 *
 * Paragraphs of text are not cut, because where a sentence ends depends on the text around it. */
#ifndef DODONA_PLAN_CUT_H
#define DODONA_PLAN_CUT_H

#include "plan/range.h"

typedef struct dd_cutting {
    const char *path;
    dd_frames frames;
    uint64_t bytes;       /* of the file, unpacked */
    uint64_t task_bytes;  /* at least so many before a cut */
    bool at_lines;        /* one sentence a line */
    bool before_comments; /* CoNLL-U: prefer a cut before # newdoc or # newpar, if one follows soon
                           */
} dd_cutting;

/* The first place, task_bytes or more behind `start`, where the file can be cut, or its end. */
dd_status dd_cut_find(const dd_cutting *cutting, uint64_t start, uint64_t *end, dd_error *error);

/* ---- what a plan has to know of a part, in one pass over its bytes ------------------------ */

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
