/* documents.h - what sentences of several files are called, so that they can be told apart when
 * they are joined */
#ifndef TOOLS_DOCUMENTS_H
#define TOOLS_DOCUMENTS_H

#include "options.h"

typedef struct documents {
    char **ids;      /* [count] of the documents: the names of the files */
    char **prefixes; /* [count] of the ids of sentences that have none: the same without folder and
                        ending */
    size_t count;
} documents;

/* No two are the same. One file alone needs no name: count is 0 then. */
void documents_name(documents *out, const operands *files);
void documents_free(documents *names);

#endif
