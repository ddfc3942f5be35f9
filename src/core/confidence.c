#include "core/confidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 50 /* verdicts for a point to mean something */ };

/* Words with neighbouring margins. */
typedef struct group {
    double margins; /* their sum */
    size_t right, count;
} group;

static int by_margin(const void *left, const void *right)
{
    const dd_verdict *a = left, *b = right;
    if (a->margin != b->margin) return a->margin < b->margin ? -1 : 1;
    return (int)a->right - (int)b->right;
}

/* Never 0 or 1: a group whose words are all right, or all wrong, makes nothing certain. */
static double share_of(const group *of)
{
    return ((double)of->right + 0.5) / ((double)of->count + 1);
}

/* Groups of about the same size, from the smallest margins on; equal margins stay together. */
static size_t end_of_group(const dd_verdict *verdicts, size_t from, size_t count)
{
    size_t size = count / DD_CONFIDENCE_POINTS + 1;
    size_t to = from + (size < LEAST ? LEAST : size);
    if (to >= count) return count;
    while (to < count && verdicts[to].margin == verdicts[to - 1].margin) to++;
    return count - to < LEAST ? count : to;
}

static group sum_up(const dd_verdict *verdicts, size_t from, size_t to)
{
    group sum = {.count = to - from};
    for (size_t i = from; i < to; i++) {
        sum.margins += (double)verdicts[i].margin;
        sum.right += verdicts[i].right;
    }
    return sum;
}

/* Isotonic regression: neighbours whose shares descend are one group (Ayer et al. 1955, for
 * probabilities Zadrozny and Elkan 2002). Returns how many are left. */
static size_t add_group(group *groups, size_t count, group new)
{
    groups[count++] = new;
    while (count > 1 && share_of(&groups[count - 2]) >= share_of(&groups[count - 1])) {
        const group *last = &groups[--count];
        groups[count - 1].margins += last->margins;
        groups[count - 1].right += last->right;
        groups[count - 1].count += last->count;
    }
    return count;
}

void dd_confidence_fit(dd_confidence *confidence, dd_verdict *verdicts, size_t count)
{
    group groups[DD_CONFIDENCE_POINTS + 1];
    size_t finite = 0, points = 0;
    *confidence = (dd_confidence){0};
    if (count) qsort(verdicts, count, sizeof *verdicts, by_margin);
    while (finite < count && verdicts[finite].margin < INFINITY) finite++;
    for (size_t from = 0, to; from < finite; from = to) {
        to = end_of_group(verdicts, from, finite);
        points = add_group(groups, points, sum_up(verdicts, from, to));
    }
    for (size_t i = 0; i < points; i++) {
        confidence->margins[i] = (float)(groups[i].margins / (double)groups[i].count);
        confidence->probabilities[i] = (float)share_of(&groups[i]);
    }
    confidence->count = (uint32_t)points;
    group forced = sum_up(verdicts, finite, count);
    confidence->forced = (float)share_of(&forced);
}

float dd_confidence_of(const dd_confidence *c, float margin)
{
    if (c->count == 0 || isnan(margin)) return NAN;
    if (margin == INFINITY) return c->forced;
    uint32_t i = 0;
    while (i < c->count && c->margins[i] < margin) i++;
    if (i == 0) return c->probabilities[0];
    if (i == c->count) return c->probabilities[i - 1];
    float part = (margin - c->margins[i - 1]) / (c->margins[i] - c->margins[i - 1]);
    return c->probabilities[i - 1] + part * (c->probabilities[i] - c->probabilities[i - 1]);
}

static bool is_probability(float value)
{
    return value > 0 && value < 1;
}

bool dd_confidence_read(dd_confidence *c, dd_text section)
{
    if (section.size != sizeof *c) return false;
    memcpy(c, section.data, sizeof *c);
    if (c->count == 0 || c->count > DD_CONFIDENCE_POINTS || !is_probability(c->forced))
        return false;
    for (uint32_t i = 0; i < c->count; i++) {
        if (!isfinite(c->margins[i]) || !is_probability(c->probabilities[i])) return false;
        if (i > 0 &&
            !(c->margins[i] >= c->margins[i - 1] && c->probabilities[i] >= c->probabilities[i - 1]))
            return false;
    }
    return true;
}
