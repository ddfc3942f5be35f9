/* arborescence_spans.h - by which words a span may be entered; for arborescence.c */
#ifndef DODONA_CONSTRAINTS_ARBORESCENCE_SPANS_H
#define DODONA_CONSTRAINTS_ARBORESCENCE_SPANS_H

#include "constraints/arborescence.h"

/* Reaches what can be reached from a word inside its span; how many words. */
int dd_arborescence_inside(dd_arborescence *tree, const dd_span *span, int from);
/* Finds the words of a span from which all of it can be reached. False if there is none. */
bool dd_arborescence_enters(dd_arborescence *tree, int span);
/* Drops those, in spans of mode root, in whose place another would do. */
void dd_arborescence_narrow(dd_arborescence *tree);

#endif
