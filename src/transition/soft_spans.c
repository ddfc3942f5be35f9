#include "transition/soft.h"

#include "core/memory.h"

enum { TABLES = 6 };

bool dd_soft_reserve(dd_soft *soft, size_t rows)
{
    return DD_RESERVE(&soft->rows, &soft->rows_capacity, rows);
}

int32_t dd_soft_best_sum(const int32_t *a, const int32_t *b, int count)
{
    int32_t best = DD_SOFT_NEVER;
    for (int i = 0; i < count; i++) best = dd_soft_larger(best, a[i] + b[i]);
    return best;
}

int32_t dd_soft_settled(const dd_soft *soft, const dd_config *config)
{
    int32_t sum = 0;
    for (int word = 1; word < config->front && word <= config->n; word++)
        if (!config->nodes[word].on_stack)
            sum += dd_soft_weight(soft, config->nodes[word].head, word);
    return sum;
}

int32_t dd_soft_one_root(const dd_soft *soft, int first)
{
    const dd_soft_spans *s = &soft->spans;
    int32_t best = first <= soft->n ? DD_SOFT_NEVER : 0;
    for (int root = first; root <= soft->n; root++)
        best = dd_soft_larger(best, dd_soft_row(soft, s->left, root)[first] +
                                        dd_soft_row(soft, s->right, root)[soft->n] +
                                        dd_soft_weight(soft, 0, root));
    return best;
}

/* ---- Eisner's tables ------------------------------------------------------------------------- */

static bool lay_out(dd_soft *soft)
{
    dd_soft_spans *s = &soft->spans;
    size_t width = (size_t)soft->n + 2, cells = width * width;
    if (!DD_RESERVE(&s->memory, &s->capacity, TABLES * cells)) return false;
    int32_t **tables[TABLES] = {&s->left,          &s->left_by_first, &s->right,
                                &s->right_by_last, &s->link_left,     &s->link_right};
    for (size_t t = 0; t < TABLES; t++) *tables[t] = s->memory + t * cells;
    s->width = width;
    return true;
}

static int32_t *cell(const dd_soft_spans *s, int32_t *table, int row, int column)
{
    return &table[(size_t)row * s->width + (size_t)column];
}

static void set_left(const dd_soft_spans *s, int head, int first, int32_t best)
{
    *cell(s, s->left, head, first) = *cell(s, s->left_by_first, first, head) = best;
}

static void set_right(const dd_soft_spans *s, int head, int last, int32_t best)
{
    *cell(s, s->right, head, last) = *cell(s, s->right_by_last, last, head) = best;
}

/* The words from..to, which divide into those right of `from` that are its own and those left of
 * `to` that are its. */
static void link(const dd_soft *soft, int from, int to)
{
    const dd_soft_spans *s = &soft->spans;
    int32_t between =
        dd_soft_best_sum(cell(s, s->right, from, from), cell(s, s->left, to, from + 1), to - from);
    int head = to <= soft->n ? to : 0;
    *cell(s, s->link_left, to, from) = between + dd_soft_weight(soft, head, from);
    *cell(s, s->link_right, from, to) =
        head == 0 ? DD_SOFT_NEVER : between + dd_soft_weight(soft, from, to);
}

/* The outermost dependent divides the rest. */
static void close_span(const dd_soft *soft, int from, int to)
{
    const dd_soft_spans *s = &soft->spans;
    set_left(s, to, from,
             dd_soft_best_sum(cell(s, s->left_by_first, from, from),
                              cell(s, s->link_left, to, from), to - from));
    set_right(s, from, to,
              dd_soft_best_sum(cell(s, s->link_right, from, from + 1),
                               cell(s, s->right_by_last, to, from + 1), to - from));
}

bool dd_soft_fill_spans(dd_soft *soft)
{
    if (soft->spans.filled) return true;
    if (!lay_out(soft)) return false;
    int end = soft->n + 1;
    for (int from = end; from >= 1; from--) {
        if (!dd_tick(soft->ticker, (int64_t)(end - from + 1) * (end - from + 1))) return false;
        set_left(&soft->spans, from, from, 0);
        set_right(&soft->spans, from, from, 0);
        for (int to = from + 1; to <= end; to++) {
            link(soft, from, to);
            close_span(soft, from, to);
        }
    }
    return soft->spans.filled = true;
}
