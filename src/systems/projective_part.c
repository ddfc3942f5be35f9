#include "systems/projective_part.h"

#include "core/memory.h"

enum { RIGHT, LEFT, ANY, KINDS };
enum { STEPS_FOR_SPAN = 20 }; /* for dd_tick */

/* Nodes i..j and what is asked of them. */
typedef struct span {
    int32_t kind, from, to;
} span;

typedef struct parts {
    const dd_gold *gold;
    size_t width;
    int32_t *most[KINDS]; /* [width * width] arcs kept, by from and to */
    int32_t *below;       /* [width] by dependent: arcs kept from one end of its arc to the other */
    span *agenda;         /* [open] spans whose arcs are not written down yet */
    int open;
} parts;

static bool lay_out(parts *p, dd_loss_space *space, const dd_gold *gold)
{
    size_t width = (size_t)gold->n + 1, cells = width * width;
    if (!DD_RESERVE(&space->memory, &space->capacity, KINDS * cells + 4 * width)) return false;
    *p = (parts){.gold = gold, .width = width, .below = space->memory + KINDS * cells};
    for (size_t kind = 0; kind < KINDS; kind++) p->most[kind] = space->memory + kind * cells;
    p->agenda = (span *)(void *)(p->below + width);
    return true;
}

static int32_t *cell(const parts *p, int kind, int from, int to)
{
    return &p->most[kind][(size_t)from * p->width + (size_t)to];
}

static int most(const parts *p, int kind, int from, int to)
{
    return from < to ? *cell(p, kind, from, to) : 0;
}

/* ---- where a span is divided; the first of equals counts ---------------------------------- */

/* The last node below an arc that hangs from its left end. */
static int divide_below(const parts *p, int left, int right, int *arcs)
{
    int last = left;
    *arcs = -1;
    for (int at = left; at < right; at++) {
        int both = most(p, RIGHT, left, at) + most(p, LEFT, at + 1, right);
        if (both > *arcs) {
            *arcs = both;
            last = at;
        }
    }
    return last;
}

/* The farthest dependent that `from` keeps; 0: none. */
static int divide_right(const parts *p, int from, int to, int *arcs)
{
    const dd_gold *gold = p->gold;
    int farthest = 0;
    *arcs = most(p, ANY, from + 1, to);
    for (int at = gold->first[from]; at < gold->first[from + 1]; at++) {
        int word = gold->dependents[at];
        if (word < from || word > to) continue;
        int kept = p->below[word] + most(p, RIGHT, word, to);
        if (kept > *arcs) {
            *arcs = kept;
            farthest = word;
        }
    }
    return farthest;
}

/* The farthest dependent that `to` keeps; 0: none. */
static int divide_left(const parts *p, int from, int to, int *arcs)
{
    const dd_gold *gold = p->gold;
    int farthest = 0;
    *arcs = most(p, ANY, from, to - 1);
    for (int at = gold->first[to]; at < gold->first[to + 1]; at++) {
        int word = gold->dependents[at];
        if (word < from || word > to) continue;
        int kept = p->below[word] + most(p, LEFT, from, word);
        if (kept > *arcs) {
            *arcs = kept;
            farthest = word;
        }
    }
    return farthest;
}

/* The head of `from`, if its arc is kept; 0: it is not. */
static int divide_any(const parts *p, int from, int to, int *arcs)
{
    int head = p->gold->heads[from];
    *arcs = most(p, RIGHT, from, to);
    if (head <= from || head > to) return 0;
    int kept = p->below[from] + most(p, ANY, head, to);
    if (kept <= *arcs) return 0;
    *arcs = kept;
    return head;
}

/* ---- the table ---------------------------------------------------------------------------- */

static void fill_below(parts *p, int left, int right)
{
    const dd_gold *gold = p->gold;
    int word = gold->heads[right] == left ? right : gold->heads[left] == right ? left : 0;
    if (word == 0) return;
    divide_below(p, left, right, &p->below[word]);
    p->below[word]++;
}

static bool fill(parts *p, int first, dd_ticker *ticker)
{
    for (int from = p->gold->n - 1; from >= first; from--) {
        int64_t dependents = p->gold->first[from + 1] - p->gold->first[from];
        if (!dd_tick(ticker, (dependents + STEPS_FOR_SPAN) * (p->gold->n - from))) return false;
        for (int to = from + 1; to <= p->gold->n; to++) {
            fill_below(p, from, to);
            divide_right(p, from, to, cell(p, RIGHT, from, to));
            divide_any(p, from, to, cell(p, ANY, from, to));
            divide_left(p, from, to, cell(p, LEFT, from, to));
        }
    }
    return true;
}

/* ---- the way back ------------------------------------------------------------------------- */

static void put(parts *p, int kind, int from, int to)
{
    if (from < to) p->agenda[p->open++] = (span){kind, from, to};
}

static void keep(parts *p, int word, int32_t *heads)
{
    int arcs, head = p->gold->heads[word];
    int left = word < head ? word : head, right = word < head ? head : word;
    int last = divide_below(p, left, right, &arcs);
    heads[word] = head;
    put(p, RIGHT, left, last);
    put(p, LEFT, last + 1, right);
}

static void take_right(parts *p, span s, int32_t *heads)
{
    int arcs, word = divide_right(p, s.from, s.to, &arcs);
    if (word == 0) {
        put(p, ANY, s.from + 1, s.to);
        return;
    }
    keep(p, word, heads);
    put(p, RIGHT, word, s.to);
}

static void take_left(parts *p, span s, int32_t *heads)
{
    int arcs, word = divide_left(p, s.from, s.to, &arcs);
    if (word == 0) {
        put(p, ANY, s.from, s.to - 1);
        return;
    }
    keep(p, word, heads);
    put(p, LEFT, s.from, word);
}

static void take_any(parts *p, span s, int32_t *heads)
{
    int arcs, head = divide_any(p, s.from, s.to, &arcs);
    if (head == 0) {
        take_right(p, s, heads);
        return;
    }
    keep(p, s.from, heads);
    put(p, ANY, head, s.to);
}

static void take_all(parts *p, int32_t *heads)
{
    static void (*const take[KINDS])(parts *, span, int32_t *) = {
        [RIGHT] = take_right, [LEFT] = take_left, [ANY] = take_any};
    while (p->open > 0) {
        span s = p->agenda[--p->open];
        take[s.kind](p, s, heads);
    }
}

/* Of several roots only the one with which most arcs are kept, or none, may stay. */
static void take_one_root(parts *p, int32_t *heads)
{
    const dd_gold *gold = p->gold;
    int root = 0, arcs = most(p, ANY, 1, gold->n);
    for (int at = 0; at < gold->roots; at++) {
        int word = gold->dependents[at];
        int kept = 1 + most(p, LEFT, 1, word) + most(p, RIGHT, word, gold->n);
        if (kept <= arcs) continue;
        arcs = kept;
        root = word;
    }
    if (root > 0) {
        heads[root] = 0;
        put(p, LEFT, 1, root);
        put(p, RIGHT, root, gold->n);
    } else {
        put(p, ANY, 1, gold->n);
    }
}

bool dd_keep_projective(dd_loss_space *space, const dd_gold *gold, bool single_root, int32_t *heads)
{
    parts p;
    if (!lay_out(&p, space, gold)) return false;
    for (int word = 1; word <= gold->n; word++) heads[word] = DD_NONE;
    if (!fill(&p, single_root ? 1 : 0, space->ticker)) return false;
    if (single_root)
        take_one_root(&p, heads);
    else
        put(&p, RIGHT, 0, gold->n);
    take_all(&p, heads);
    return true;
}
