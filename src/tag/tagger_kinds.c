#include "tag/tagger.h"

#include <string.h>

/* A new kind of tagger is a row here. */
const dd_tagger_kind *const dd_tagger_kinds[] = {&dd_linear_tagger, &dd_neural_tagger, NULL};

const dd_tagger_kind *dd_tagger_kind_find(const char *name)
{
    for (size_t i = 0; name && dd_tagger_kinds[i]; i++)
        if (strcmp(dd_tagger_kinds[i]->name, name) == 0) return dd_tagger_kinds[i];
    return dd_tagger_kinds[0];
}
