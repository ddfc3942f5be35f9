#include "learn/neural/tag_loss.h"

#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void dd_tag_sums_free(dd_tag_sums *s)
{
    free(s->parts);
    free(s->heads);
    free(s->bundles);
    free(s->tags);
    *s = (dd_tag_sums){0};
}

bool dd_tag_sums_set(dd_tag_sums *s, const dd_tagset *set)
{
    s->set = set;
    s->parts = dd_calloc((size_t)set->parts, sizeof *s->parts);
    s->heads = dd_calloc((size_t)set->heads, sizeof *s->heads);
    s->bundles = dd_calloc((size_t)set->bundles, sizeof *s->bundles);
    s->tags = dd_calloc((size_t)set->count, sizeof *s->tags);
    return s->parts && s->heads && s->bundles && s->tags;
}

/* What tags share is added up once. */
static void add_parts(dd_tag_sums *s)
{
    const dd_tagset *set = s->set;
    for (int h = 0; h < set->heads; h++) {
        const uint32_t *part = set->head_parts + (size_t)h * DD_HEAD_PARTS;
        s->heads[h] = (double)s->parts[part[0]] + (double)s->parts[part[1]];
    }
    for (int b = 0; b < set->bundles; b++) {
        s->bundles[b] = 0;
        for (uint32_t i = set->bundle_starts[b]; i < set->bundle_starts[b + 1]; i++)
            s->bundles[b] += (double)s->parts[set->bundle_parts[i]];
    }
}

int dd_tag_weigh(dd_tag_sums *s)
{
    const dd_tagset *set = s->set;
    int best = 0;
    double sum = 0;
    add_parts(s);
    for (int tag = 0; tag < set->count; tag++) {
        s->tags[tag] = s->heads[set->tags[tag].head] + s->bundles[set->tags[tag].bundle];
        if (s->tags[tag] > s->tags[best]) best = tag;
    }
    double most = s->tags[best];
    for (int tag = 0; tag < set->count; tag++) sum += s->tags[tag] = exp(s->tags[tag] - most);
    for (int tag = 0; tag < set->count; tag++) s->tags[tag] /= sum;
    return best;
}

/* Each part's derivative is the probability of all tags that have it, less 1 if the right one has.
 */
void dd_tag_derivatives(dd_tag_sums *s, int gold)
{
    const dd_tagset *set = s->set;
    memset(s->parts, 0, (size_t)set->parts * sizeof *s->parts);
    memset(s->heads, 0, (size_t)set->heads * sizeof *s->heads);
    memset(s->bundles, 0, (size_t)set->bundles * sizeof *s->bundles);
    s->tags[gold] -= 1;
    for (int tag = 0; tag < set->count; tag++) {
        s->heads[set->tags[tag].head] += s->tags[tag];
        s->bundles[set->tags[tag].bundle] += s->tags[tag];
    }
    for (int h = 0; h < set->heads; h++)
        for (int i = 0; i < DD_HEAD_PARTS; i++)
            s->parts[set->head_parts[h * DD_HEAD_PARTS + i]] += (dd_real)s->heads[h];
    for (int b = 0; b < set->bundles; b++)
        for (uint32_t i = set->bundle_starts[b]; i < set->bundle_starts[b + 1]; i++)
            s->parts[set->bundle_parts[i]] += (dd_real)s->bundles[b];
}
