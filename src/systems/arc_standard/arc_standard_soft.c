/* arc_standard_soft.c - the greatest weight of a tree in reach in arc-standard
 *
 * The table T[i, j](h) of tabular-oracles-2014 with weights, for all projective trees, divided into
 * halves as in Nederhof (2019), so that it is cubic. With s0 s1 .. the stack, bottom first, sk can
 * only take part when everything above it is one tree, whose root h then takes sk or is taken:
 *
 *     root on the stack   T(sk.. last, root sq) = right[q][last] + weights of sk..sq-1 from sq
 *     root in the buffer  T(sk.. last, root h)  = left[k][h] + right half of h in the buffer
 *
 *     right[q][last]  sq has taken what is above it, and words of the buffer
 *     left[k][h]      h has taken sk-1.. as they are, or a tree with sk in it; and buffer words
 *
 * Rows are filled from the top of the stack down: O(|stack| |buffer| (|stack| + |buffer|)). */
#include "systems/arc_standard/arc_standard.h"

/* One configuration's tables, in dd_soft.rows. Columns are positions from front - 1, which stands
 * for the top of the stack, to n. */
typedef struct standard_tables {
    const dd_soft *soft;
    const int32_t *stack;
    int depth, front;
    size_t width;
    int32_t *right;   /* [depth][width] */
    int32_t *taken;   /* [depth][width] by q and head: `head` has just taken sq and all above it */
    int32_t *left;    /* [width] of the present row */
    int32_t *by_next; /* [width] by last: the tree above sk, and the arc from sk to its root */
    int32_t *outer;   /* [width] by dependent: sk.. dependent with the arc between the two */
    int32_t *own;     /* [depth] weights of the words below sq that it has taken, down to sk */
} standard_tables;

static int32_t *right_of(const standard_tables *t, int q)
{
    return t->right + (size_t)q * t->width;
}

static int32_t *taken_of(const standard_tables *t, int q)
{
    return t->taken + (size_t)q * t->width;
}

/* The best tree of sk+1.. last that sk takes. */
static int32_t take_next(const standard_tables *t, int k, int last)
{
    const dd_soft *soft = t->soft;
    int word = t->stack[k];
    int32_t best = DD_SOFT_NEVER;
    for (int q = k + 1; q < t->depth; q++)
        best = dd_soft_larger(best, right_of(t, q)[last] + t->own[q] +
                                        dd_soft_weight(soft, word, t->stack[q]));
    const int32_t *right = dd_soft_row(soft, soft->spans.right_by_last, last);
    for (int head = t->front; head <= last; head++)
        best = dd_soft_larger(best, t->left[head] + right[head] + dd_soft_weight(soft, word, head));
    return best;
}

/* right[k]: the tree above sk, then words of the buffer. */
static void fill_right(const standard_tables *t, int k)
{
    const dd_soft *soft = t->soft;
    const dd_soft_spans *s = &soft->spans;
    int32_t *right = right_of(t, k);
    int front = t->front;
    bool top = k == t->depth - 1;
    for (int last = front - 1; last <= soft->n; last++)
        t->by_next[last] = !top ? take_next(t, k, last) : last == front - 1 ? 0 : DD_SOFT_NEVER;
    right[front - 1] = t->by_next[front - 1];
    for (int at = front; at <= soft->n; at++) {
        int count = at - front + 1;
        t->outer[at] =
            dd_soft_weight(soft, t->stack[k], at) +
            dd_soft_best_sum(right + front - 1, dd_soft_row(soft, s->left, at) + front, count);
        int32_t more = dd_soft_best_sum(t->outer + front,
                                        dd_soft_row(soft, s->right_by_last, at) + front, count);
        right[at] = dd_soft_larger(t->by_next[at], more);
    }
}

static void fill_taken(const standard_tables *t, int k)
{
    const dd_soft *soft = t->soft;
    int front = t->front;
    for (int head = front; head <= soft->n; head++)
        taken_of(t, k)[head] =
            dd_soft_weight(soft, head, t->stack[k]) +
            dd_soft_best_sum(right_of(t, k) + front - 1,
                             dd_soft_row(soft, soft->spans.left, head) + front, head - front + 1);
}

/* left[k] from left[k + 1]. */
static void fill_left(const standard_tables *t, int k)
{
    const dd_soft *soft = t->soft;
    int front = t->front;
    for (int head = front; head <= soft->n; head++) {
        int32_t best = dd_soft_best_sum(
            t->left + front, dd_soft_row(soft, soft->spans.link_left, head) + front, head - front);
        best = dd_soft_larger(best, t->left[head] + dd_soft_weight(soft, head, t->stack[k]));
        for (int q = k; q < t->depth; q++)
            best = dd_soft_larger(best, taken_of(t, q)[head] + t->own[q]);
        t->left[head] = best;
    }
}

static void fill_row(const standard_tables *t, int k)
{
    fill_right(t, k);
    if (t->stack[k] == 0) return;
    t->own[k] = 0;
    for (int q = k + 1; q < t->depth; q++)
        t->own[q] += dd_soft_weight(t->soft, t->stack[q], t->stack[k]);
    fill_taken(t, k);
    fill_left(t, k);
}

static bool fill(standard_tables *t, dd_soft *soft, const dd_config *config, int lowest)
{
    size_t width = (size_t)soft->n + 2, depth = (size_t)config->depth;
    if (!dd_soft_reserve(soft, (2 * depth + 4) * width)) return false;
    *t = (standard_tables){.soft = soft,
                           .stack = config->stack,
                           .depth = config->depth,
                           .front = config->front,
                           .width = width,
                           .right = soft->rows};
    t->taken = t->right + depth * width;
    t->left = t->taken + depth * width;
    t->by_next = t->left + width;
    t->outer = t->by_next + width;
    t->own = t->outer + width;
    for (int head = t->front; head <= soft->n; head++) t->left[head] = DD_SOFT_NEVER;
    int64_t buffer = soft->n - t->front + 2;
    for (int k = config->depth - 1; k >= lowest; k--) {
        if (!dd_tick(soft->ticker, (buffer + config->depth) * buffer)) return false;
        fill_row(t, k);
    }
    return true;
}

bool dd_arc_standard_best(dd_soft *soft, const dd_config *config, int32_t *best)
{
    standard_tables t;
    if (!dd_soft_fill_spans(soft)) return false;
    *best = dd_soft_settled(soft, config);
    if (config->depth == 0) { /* only SH is possible, of the root */
        int32_t root_alone[] = {0};
        dd_config shifted = *config;
        shifted.stack = root_alone;
        shifted.depth = shifted.front = 1;
        return dd_arc_standard_best(soft, &shifted, best);
    }
    if (config->single_root && config->depth == 1) {
        *best += dd_soft_one_root(soft, config->front);
        return true;
    }
    if (!fill(&t, soft, config, config->single_root ? 1 : 0)) return false;
    *best += config->single_root ? take_next(&t, 0, soft->n) : right_of(&t, 0)[soft->n];
    return true;
}
