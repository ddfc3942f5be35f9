/* breaks.h - arcs that remove others on the way to a tree */
#ifndef EXPERIMENT_BREAKS_H
#define EXPERIMENT_BREAKS_H

#include "experiment/result.h"

/* Parses the sentence once more with the trace's model and adds what its transitions do; the
 * sentence has its gold tree. */
bool breaks_add(breaks *to, dd_trace *trace, const dd_sentence *sentence, dd_error *error);

#endif
