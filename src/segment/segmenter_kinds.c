#include "segment/segmenter.h"

#include <string.h>

/* A new kind of segmenter is a row here. */
const dd_segmenter_kind *const dd_segmenter_kinds[] = {&dd_linear_segmenter, &dd_neural_segmenter,
                                                       NULL};

const dd_segmenter_kind *dd_segmenter_kind_find(const char *name)
{
    for (size_t i = 0; name && dd_segmenter_kinds[i]; i++)
        if (strcmp(dd_segmenter_kinds[i]->name, name) == 0) return dd_segmenter_kinds[i];
    return dd_segmenter_kinds[0];
}
