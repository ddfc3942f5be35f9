/* input.h - opens a reader over whatever a user has: CoNLL, plain text, or one token a line; and
 * over a part of a file */
#ifndef DODONA_PARSE_INPUT_H
#define DODONA_PARSE_INPUT_H

#include "text/reader.h"

/* How much of the file stands before a part of it. */
typedef struct dd_before {
    uint64_t bytes, characters, lines;
    uint64_t sentences; /* of CoNLL; those of plain text start at 1 in each part */
} dd_before;

typedef struct dd_part_source {
    const char *name; /* of the file */
    dd_source_function *give;
    void *user;
    dd_before before;
} dd_part_source;

/* As dd_reader_open_input; the options must give the format. Only the first part of a file begins
 * the document that they name. */
dd_status dd_reader_open_part(dd_reader **out, const dd_model *model, const dd_part_source *from,
                              const dd_input_options *options, dd_error *error);

#endif
