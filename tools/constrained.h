/* constrained.h - constraints that are given beside the input: "arc 3 nsubj 2", or "2: arc 3 nsubj
 * 2" for the second sentence. They become comments of the sentence, so that the library reads them,
 * the output shows them, and it can be parsed again. */
#ifndef TOOLS_CONSTRAINED_H
#define TOOLS_CONSTRAINED_H

#include "options.h"
#include "output.h"

/* The constraint itself, and the number of the sentence that it is for. */
const char *constraint_of(const char *given, size_t *sentence);
/* Whether it can be written in a comment. */
bool constraint_is_line(const char *given);
/* Reads as many sentences as the constraints are for, and keeps them with their constraints as
 * CoNLL-U. Reports errors; returns the exit status. */
int constrain_input(dd_reader *reader, const option_list *constraints, output *out);

#endif
