/* sample.h - the beginning of a text, from which its language is identified */
#ifndef TOOLS_SAMPLE_H
#define TOOLS_SAMPLE_H

#include "dodona_tools.h"

enum { SAMPLE_BYTES = 1 << 14 };

typedef struct sample {
    size_t size;
    char text[SAMPLE_BYTES];
} sample;

/* The first words of whatever dd_reader_open_input reads, with spaces between them. Malformed
 * sentences are skipped. An error counts only if no word comes before it. */
dd_status sample_take(sample *out, const dd_input *from, const dd_input_options *how,
                      dd_error *error);

#endif
