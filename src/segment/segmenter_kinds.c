#include "segment/segmenter.h"

#include <math.h>
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

int dd_segmenter_kind_iterations(const dd_segmenter_kind *kind, uint64_t words)
{
    /* Beyond that there is nothing left to learn from the same few words. */
    const int most = 40;
    double wanted = words > 0 ? ceil(kind->least_words / (double)words) : 0;
    if (wanted <= kind->iterations) return kind->iterations;
    return wanted < most ? (int)wanted : most;
}

int dd_segmenter_kind_parts(const dd_segmenter_kind *kind, size_t sentences)
{
    return kind->parts ? kind->parts(sentences) : 1;
}

double dd_segmenter_kind_cost(const dd_segmenter_kind *kind, size_t sentences, int iterations)
{
    double linear = dd_linear_segmenter.iterations / dd_linear_segmenter.pace;
    return iterations / kind->pace + linear * (dd_segmenter_kind_parts(kind, sentences) - 1);
}
