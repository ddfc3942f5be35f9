/* attardi_levels.c - whether the stack of a configuration can be emptied; see attardi_pushdown.h
 *
 * Level 0 has nothing below the control, level 1 the node below 0, and the others the stack without
 * its two topmost nodes. The words of a span are together on the stack, so that it is enough to
 * know of the span of a level's topmost word whether its root is due there or below. */
#include "core/bits.h"
#include "core/memory.h"
#include "systems/attardi/attardi_pushdown.h"

/* What a word of the stack can be: the root of its span, or another word. */
enum { OTHER = 1, ROOT = 2 };

static int span_of(const dd_attardi_pushdown *p, int word)
{
    return p->nodes.outlook->constraints->span_of[word];
}

static dd_attardi_level describe(const dd_attardi_pushdown *p, const dd_config *config, int word,
                                 int lowest)
{
    dd_attardi_level level = {.word = word, .kinds = OTHER, .lowest = lowest};
    int span = span_of(p, word);
    if (span == DD_NONE) return level;
    int root = p->nodes.outlook->span_root[span];
    if (root == DD_NONE) level.kinds = OTHER | ROOT;
    if (root == word) level.kinds = ROOT;
    level.due = root == DD_NONE || dd_headless(config, root);
    return level;
}

/* How many roots are due when the next word of the stack is looked at, after one of a span of which
 * so many are due; negative: it cannot be. */
static int due_next(const dd_attardi_pushdown *p, int span, int due, const dd_attardi_level *next)
{
    if (due < 0 || (span != DD_NONE && span == span_of(p, next->word))) return due;
    return due == 0 ? next->due : -1;
}

static int due_after(int due, int kind)
{
    return kind == ROOT ? due - 1 : due;
}

static uint64_t *emptied(const dd_attardi_pushdown *p, int level, int due)
{
    return p->emptied + (2 * (size_t)level + (size_t)due) * (size_t)p->n_rows;
}

/* ---- one level ------------------------------------------------------------------------------ */

/* Top nodes of controls with that second node. */
static uint64_t tops_over(const dd_attardi_pushdown *p, const uint64_t *rows, int second, int front)
{
    uint64_t tops = 0;
    for (int top = DD_ATTARDI_ROOT; top < p->nodes.count && p->lowest_front[top] <= front; top++)
        tops |= (rows[dd_attardi_row(p, top, front)] >> second & 1) << top;
    return tops;
}

/* Adds the controls from which an arc, which pops the node, leads to one of those below. */
static void add_pops(const dd_attardi_pushdown *p, uint64_t *rows, const uint64_t *below, int node,
                     int lowest)
{
    const dd_attardi_nodes *nodes = &p->nodes;
    for (int front = lowest; front < nodes->n_fronts; front++) {
        uint64_t tops = tops_over(p, below, node, front);
        for (int top = DD_ATTARDI_ROOT; top < nodes->count && p->lowest_front[top] <= front;
             top++) {
            int row = dd_attardi_row(p, top, front);
            bool far = dd_attardi_far_heads(p, top) >> node & 1;
            rows[row] |= tops & (far ? UINT64_MAX : dd_attardi_next_heads(p, top, front));
            if (tops >> top & 1) rows[row] |= nodes->dependents[top];
            if (nodes->dependents[top] >> node & 1) rows[row] |= below[row];
        }
    }
}

/* Second nodes of controls from which SH, what can follow, and a pop lead to one of those. */
static uint64_t leading(const dd_attardi_pushdown *p, const uint64_t *rows, int top, int front)
{
    const dd_attardi_nodes *nodes = &p->nodes;
    const uint64_t *after = p->rows + p->after[dd_attardi_entry(p, top, front)];
    const uint64_t *kept = p->rows + p->kept[dd_attardi_entry(p, top, front)];
    uint64_t seconds = 0;
    for (int row = 0; row < p->rows_from[nodes->place[top]]; row++)
        seconds |= kept[row] & rows[row];
    for (int head = nodes->first_node[nodes->place_of_front[front]]; head < nodes->count; head++) {
        int end = p->row_of[head] + nodes->n_fronts - p->lowest_front[head];
        uint64_t common = 0;
        for (int row = p->row_of[head]; row < end; row++) common |= after[row] & rows[row];
        if (common) seconds |= nodes->dependents[head];
    }
    return seconds;
}

static void add_leading(const dd_attardi_pushdown *p, uint64_t *rows, int lowest)
{
    for (int front = dd_attardi_end(p) - 1; front >= lowest; front--)
        for (int top = DD_ATTARDI_ROOT; top < p->nodes.count && p->lowest_front[top] <= front;
             top++)
            rows[dd_attardi_row(p, top, front)] |= leading(p, rows, top, front);
}

static bool is_empty(const uint64_t *rows, int count)
{
    for (int row = 0; row < count; row++)
        if (rows[row]) return false;
    return true;
}

/* Level 0 ends with 0 alone. */
static void begin_level(const dd_attardi_pushdown *p, int at, int due)
{
    const dd_attardi_level *level = &p->levels[at];
    uint64_t *rows = emptied(p, at, due);
    if (at == 0 && due == 0)
        rows[dd_attardi_row(p, DD_ATTARDI_ROOT, dd_attardi_end(p))] |= UINT64_C(1)
                                                                       << DD_ATTARDI_BELOW;
    for (int kind = OTHER; kind <= ROOT && at > 0; kind++) {
        if (!(level->kinds & kind)) continue;
        int left = due_next(p, span_of(p, level->word), due_after(due, kind), level - 1);
        int node =
            at == 1 ? DD_ATTARDI_BELOW : dd_attardi_node(&p->nodes, level->word, kind == ROOT);
        if (left >= 0) add_pops(p, rows, emptied(p, at - 1, left), node, level->lowest);
    }
}

static bool make_room(dd_attardi_pushdown *p, int at)
{
    size_t levels = (size_t)at + 1;
    if (DD_RESERVE(&p->levels, &p->levels_capacity, levels) &&
        DD_RESERVE(&p->emptied, &p->emptied_capacity, 2 * levels * (size_t)p->n_rows))
        return true;
    p->nodes.outlook->effort->no_memory = true;
    return false;
}

/* Effort is spent before memory is reserved, so that it limits both. Rows are joined several at a
 * time. */
static bool make_level(dd_attardi_pushdown *p, int at, dd_attardi_level level)
{
    uint64_t rows = (uint64_t)p->n_rows;
    if (!dd_effort_spend(p->nodes.outlook->effort, rows * (rows / 4 + 8)) || !make_room(p, at))
        return false;
    p->levels[at] = level;
    memset(emptied(p, at, 0), 0, 2 * (size_t)p->n_rows * sizeof *p->emptied);
    for (int due = 0; due <= 1; due++) {
        begin_level(p, at, due);
        if (!is_empty(emptied(p, at, due), p->n_rows))
            add_leading(p, emptied(p, at, due), level.lowest);
    }
    return true;
}

/* ---- all levels of a stack ------------------------------------------------------------------ */

static bool serves(const dd_attardi_level *made, const dd_attardi_level *wanted)
{
    return made->word == wanted->word && made->kinds == wanted->kinds && made->due == wanted->due &&
           made->lowest <= wanted->lowest;
}

static bool make_levels(dd_attardi_pushdown *p, const dd_config *config, int count, int lowest)
{
    for (int at = 0; at < count; at++) {
        dd_attardi_level level = describe(p, config, at < 2 ? 0 : config->stack[at - 2], lowest);
        if (at < p->n_levels && serves(&p->levels[at], &level)) continue;
        p->n_levels = at;
        if (!make_level(p, at, level)) return false;
        p->n_levels = at + 1;
    }
    return true;
}

/* Whether the stack can be emptied from one of the controls that the two topmost words can be. */
static bool can_empty(const dd_attardi_pushdown *p, const dd_config *config, int front, int span,
                      int due)
{
    int depth = config->depth, at = depth > 1 ? depth - 1 : 0;
    dd_attardi_level top = describe(p, config, depth > 0 ? dd_stack(config, 0) : 0, front);
    dd_attardi_level second = describe(p, config, depth > 1 ? dd_stack(config, 1) : 0, front);
    int due_at_top = due_next(p, span, due, &top);
    for (int kinds = 0; kinds < 4; kinds++) {
        int upper = kinds & 1 ? ROOT : OTHER, lower = kinds & 2 ? ROOT : OTHER;
        if (!(top.kinds & upper) || !(second.kinds & lower)) continue;
        int left = due_next(p, span_of(p, top.word), due_after(due_at_top, upper), &second);
        left = due_next(p, span_of(p, second.word), due_after(left, lower), &p->levels[at]);
        if (left < 0) continue;
        int node = dd_attardi_node(&p->nodes, top.word, upper == ROOT);
        int below =
            depth > 1 ? dd_attardi_node(&p->nodes, second.word, lower == ROOT) : DD_ATTARDI_BELOW;
        if (emptied(p, at, left)[dd_attardi_row(p, node, front)] >> below & 1) return true;
    }
    return false;
}

static int front_word(const dd_config *config)
{
    return config->front > 0 ? config->front : 1; /* 0 is shifted first, without a choice */
}

/* The root of a span that has begun is on the stack, or has gone, or is still to come. */
static bool can_be_emptied(const dd_attardi_pushdown *p, const dd_config *config)
{
    const dd_constraints *c = p->nodes.outlook->constraints;
    int word = front_word(config);
    int span = word <= c->n ? c->span_of[word] : DD_NONE;
    int before = dd_attardi_front(&p->nodes, word, false);
    if (span == DD_NONE || c->spans[span].first == word)
        return can_empty(p, config, before, DD_NONE, 0);
    int root = p->nodes.outlook->span_root[span];
    int due = root == DD_NONE || dd_headless(config, root);
    return can_empty(p, config, before + 1, span, due) ||
           (root == DD_NONE && can_empty(p, config, before, span, 0));
}

dd_verdict dd_attardi_pushdown_decide(dd_attardi_pushdown *pushdown, const dd_config *config)
{
    int word = front_word(config), depth = config->depth > 1 ? config->depth : 1;
    int front = dd_attardi_front(&pushdown->nodes, word, false);
    if (!make_levels(pushdown, config, depth, front)) return DD_IMPOSSIBLE;
    if (can_be_emptied(pushdown, config)) return DD_POSSIBLE;
    return dd_attardi_enough(&pushdown->nodes, word, depth - 1) ? DD_IMPOSSIBLE : DD_UNDECIDED;
}
