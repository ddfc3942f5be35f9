#include "systems/soft_stack.h"

/* One configuration's tables, in dd_soft.rows. Columns are positions from front - 1, which stands
 * for the top of the stack, to n + 1. */
typedef struct stack_tables {
    const dd_soft *soft;
    const dd_config *config;
    bool heads_stay;
    int front, last; /* of the positions that can be heads */
    size_t width;
    int32_t *right; /* [depth][width] */
    int32_t *left;  /* [depth][width] */
    int32_t *inner; /* [width] of the present row: sk.. head, without the arc between the two */
    int32_t *outer; /* [width] with the arc from sk */
} stack_tables;

static int word_at(const stack_tables *t, int k)
{
    return t->config->stack[k];
}

static int32_t *right_of(const stack_tables *t, int k)
{
    return t->right + (size_t)k * t->width;
}

static int32_t *left_of(const stack_tables *t, int k)
{
    return t->left + (size_t)k * t->width;
}

/* Of the arc from sk-1 to sk. */
static int32_t chain_weight(const stack_tables *t, int k)
{
    if (t->heads_stay && dd_headless(t->config, word_at(t, k))) return DD_SOFT_NEVER;
    return dd_soft_weight(t->soft, word_at(t, k - 1), word_at(t, k));
}

/* Of the arc from a position in the buffer to sk. */
static int32_t weight_from_buffer(const stack_tables *t, int head, int k)
{
    int word = word_at(t, k);
    if (word == 0 || (t->heads_stay && !dd_headless(t->config, word))) return DD_SOFT_NEVER;
    return dd_soft_weight(t->soft, head <= t->soft->n ? head : 0, word);
}

/* sk.. head divide within the stack: sk to si hang from each other, si+1.. are the head's. */
static void divide_stack(const stack_tables *t, int k)
{
    int32_t chain = 0;
    for (int i = k + 1; i < t->config->depth && chain >= 0; i++) {
        const int32_t *left = left_of(t, i);
        for (int head = t->front; head <= t->last; head++)
            t->inner[head] = dd_soft_larger(t->inner[head], chain + left[head]);
        chain += chain_weight(t, i);
    }
    right_of(t, k)[t->front - 1] = chain >= 0 ? chain : DD_SOFT_NEVER;
}

/* One column of row k, when all columns before it are known. */
static void fill_column(const stack_tables *t, int k, int at)
{
    const dd_soft *soft = t->soft;
    const dd_soft_spans *s = &soft->spans;
    int32_t *right = right_of(t, k), *left = left_of(t, k);
    int front = t->front;
    int32_t both =
        dd_soft_best_sum(right + front - 1, dd_soft_row(soft, s->left, at) + front, at - front + 1);
    t->inner[at] = dd_soft_larger(t->inner[at], both);
    left[at] = dd_soft_larger(
        dd_soft_best_sum(left + front, dd_soft_row(soft, s->link_left, at) + front, at - front),
        t->inner[at] + weight_from_buffer(t, at, k));
    if (at > soft->n) return;
    t->outer[at] = t->inner[at] + dd_soft_weight(soft, word_at(t, k), at);
    right[at] = dd_soft_best_sum(t->outer + front, dd_soft_row(soft, s->right_by_last, at) + front,
                                 at - front + 1);
    if (k + 1 < t->config->depth)
        right[at] = dd_soft_larger(right[at], right_of(t, k + 1)[at] + chain_weight(t, k + 1));
}

static void fill_row(const stack_tables *t, int k)
{
    for (int at = t->front; at <= t->last; at++) t->inner[at] = DD_SOFT_NEVER;
    divide_stack(t, k);
    for (int at = t->front; at <= t->last; at++) fill_column(t, k, at);
}

static bool fill(stack_tables *t, dd_soft *soft, const dd_config *config, bool heads_stay,
                 int lowest)
{
    size_t width = (size_t)soft->n + 2, depth = (size_t)config->depth;
    if (!dd_soft_fill_spans(soft) || !dd_soft_reserve(soft, (2 * depth + 2) * width)) return false;
    *t = (stack_tables){.soft = soft,
                        .config = config,
                        .heads_stay = heads_stay,
                        .front = config->front,
                        .last = config->root_last ? soft->n + 1 : soft->n,
                        .width = width,
                        .right = soft->rows,
                        .left = soft->rows + depth * width};
    t->inner = t->left + depth * width;
    t->outer = t->inner + width;
    int64_t buffer = t->last - t->front + 2;
    for (int k = config->depth - 1; k >= lowest; k--) {
        if (!dd_tick(soft->ticker, buffer * (buffer + config->depth))) return false;
        fill_row(t, k);
    }
    return true;
}

/* A tree of sk.. n with one root that hangs from 0: sk, or a word in the buffer. */
static int32_t best_with_one_root(const stack_tables *t, int k)
{
    const dd_soft *soft = t->soft;
    if (k == t->config->depth) return dd_soft_one_root(soft, t->front);
    int32_t best = right_of(t, k)[soft->n] + dd_soft_weight(soft, 0, word_at(t, k));
    for (int root = t->front; root <= soft->n; root++)
        best = dd_soft_larger(best, left_of(t, k)[root] +
                                        dd_soft_row(soft, soft->spans.right, root)[soft->n] +
                                        dd_soft_weight(soft, 0, root));
    return best;
}

/* 0 is s0, or the last position. */
static bool best_of(dd_soft *soft, const dd_config *config, bool heads_stay, int32_t *best)
{
    stack_tables t;
    int lowest = config->single_root && !config->root_last ? 1 : 0;
    if (!fill(&t, soft, config, heads_stay, lowest)) return false;
    *best = dd_soft_settled(soft, config);
    if (config->single_root)
        *best += best_with_one_root(&t, lowest);
    else if (!config->root_last)
        *best += right_of(&t, 0)[soft->n];
    else if (config->depth > 0)
        *best += left_of(&t, 0)[soft->n + 1];
    else
        *best += dd_soft_row(soft, soft->spans.left, soft->n + 1)[config->front];
    return true;
}

bool dd_soft_best_eager(dd_soft *soft, const dd_config *config, int32_t *best)
{
    return best_of(soft, config, true, best);
}

bool dd_soft_best_hybrid(dd_soft *soft, const dd_config *config, int32_t *best)
{
    return best_of(soft, config, false, best);
}
