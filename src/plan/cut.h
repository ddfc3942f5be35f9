/* cut.h - where a file can be cut so that its parts give what the whole gives
 *
 *     CoNLL, one token a line: behind an empty line
 *     text: behind an empty line, which parts paragraphs; one sentence a line: behind any line
 *
 * Paragraphs of text are not cut: where a sentence ends depends on the text around. */
#ifndef DODONA_PLAN_CUT_H
#define DODONA_PLAN_CUT_H

#include "plan/frames.h"

typedef struct dd_cutting {
    const char *path;
    dd_frames frames;
    uint64_t bytes;       /* of the file, unpacked */
    uint64_t task_bytes;  /* at least so many before a cut */
    bool at_lines;        /* one sentence a line */
    bool before_comments; /* CoNLL-U: rather before # newdoc or # newpar, if one comes soon */
} dd_cutting;

/* The first place, task_bytes or more behind `start`, where the file can be cut, or its end. */
dd_status dd_cut_find(const dd_cutting *cutting, uint64_t start, uint64_t *end, dd_error *error);

#endif
