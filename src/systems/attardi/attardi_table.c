#include "systems/attardi/attardi.h"

#include "core/memory.h"

#include <string.h>

enum { NOTHING = -1, FIRST_SLOTS = 256 };

typedef struct item {
    int32_t frame, second, top, front; /* second: NOTHING if 0 is alone on the stack */
    int32_t wrong;                     /* arcs built that differ from a gold arc of the forest */
    int32_t next;                      /* in its bucket; then of the frame's results */
    int32_t next_waiter;               /* of the items that wait for results of (top, front) */
} item;

enum { ITEM_CELLS = sizeof(item) / sizeof(int32_t) };

/* All arrays lie in the space, behind one another; items, which grow, last. */
typedef struct table {
    dd_loss_space *space;
    size_t used; /* cells of the space that are not the table's */
    bool single_root;
    int size, depth;
    int width;           /* i of a frame (x, i) takes so many values */
    int32_t *heads;      /* [size] of the forest */
    int32_t *first;      /* [size + 1] dependents of h: dependents[first[h] .. first[h+1] - 1] */
    int32_t *dependents; /* [size] */
    int32_t *buckets;    /* [size + 1] open items by their bound */
    int32_t *results;    /* [frames] expanded items of the frame */
    int32_t *waiters;    /* [frames] expanded items that continue with the frame */
    int32_t *slots;      /* [n_slots] items by hash, a power of two */
    item *items;         /* [n_items] */
    size_t frames, n_slots, n_items;
    int level;   /* no open item has a smaller bound */
    bool failed; /* allocation failed, or the work was cancelled */
} table;

/* The top of the stack before an arc is built: third may be NOTHING, or not known. */
typedef struct scene {
    int frame, third, second, top, front;
} scene;

static int open_frame(const table *t, int x, int i)
{
    return t->depth + 1 + x * t->width + (i - t->depth);
}

/* ---- what is known of a scene ---- */

/* A node has been attached for sure. */
static bool gone(const table *t, const scene *s, int node)
{
    if (node >= s->front || node == s->top || node == s->second || node == s->third) return false;
    if (s->frame <= t->depth) return node >= s->frame;
    int code = s->frame - t->depth - 1;
    return node >= t->depth + code % t->width || node == code / t->width;
}

static bool head_gone(const table *t, const scene *s, int word)
{
    return t->heads[word] >= 0 && gone(t, s, t->heads[word]);
}

static bool complete(const table *t, const scene *s, int word)
{
    for (int at = t->first[word]; at < t->first[word + 1]; at++)
        if (!gone(t, s, t->dependents[at])) return false;
    return true;
}

static int wrong(const table *t, int head, int word)
{
    return t->heads[word] >= 0 && t->heads[word] != head;
}

static bool permissible(const table *t, const scene *s, int head, int word)
{
    if (word <= 0 || head < 0) return false;
    if (head != 0 || !t->single_root) return true;
    return s->frame == 0 && s->third == NOTHING && s->front == t->size;
}

/* Fact 1 of dd_forest (attardi.h) holds for all configurations that the scene stands for. */
static bool costs_nothing(const table *t, const scene *s, int head, int word)
{
    if (!permissible(t, s, head, word)) return false;
    return (!wrong(t, head, word) || head_gone(t, s, word)) && complete(t, s, word);
}

/* Words that are still there for sure and whose gold head has gone: each will get a wrong one. */
static int doomed(const table *t, const scene *s)
{
    int count = s->second > 0 && head_gone(t, s, s->second);
    count += s->top > 0 && head_gone(t, s, s->top);
    for (int word = s->front; word < t->size; word++) count += head_gone(t, s, word);
    for (int word = 1; s->frame <= t->depth && word < s->frame; word++)
        count += head_gone(t, s, word);
    return count;
}

/* ---- the set of items ---- */

static void lay_out(table *t)
{
    size_t size = (size_t)t->size;
    t->heads = t->space->memory + t->used;
    t->first = t->heads + size;
    t->dependents = t->first + size + 1;
    t->buckets = t->dependents + size;
    t->results = t->buckets + size + 1;
    t->waiters = t->results + t->frames;
    t->slots = t->waiters + t->frames;
    t->items = (item *)(void *)(t->slots + t->n_slots);
}

static bool reserve(table *t, size_t n_slots)
{
    size_t cells = t->used + 4 * (size_t)t->size + 2 + 2 * t->frames + n_slots;
    cells += (n_slots / 2 + 1) * ITEM_CELLS;
    return DD_RESERVE(&t->space->memory, &t->space->capacity, cells);
}

static size_t hash(const table *t, const item *i)
{
    uint64_t h = (uint64_t)i->frame * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 29 ^ (uint64_t)(i->second + 1)) * UINT64_C(0xBF58476D1CE4E5B9);
    h = (h ^ h >> 32 ^ (uint64_t)i->top) * UINT64_C(0x94D049BB133111EB);
    h = (h ^ h >> 29 ^ (uint64_t)i->front) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(h >> 32) & (t->n_slots - 1);
}

static int32_t *find_slot(const table *t, const item *i)
{
    for (size_t at = hash(t, i);; at = (at + 1) & (t->n_slots - 1)) {
        if (t->slots[at] == NOTHING) return &t->slots[at];
        const item *held = &t->items[t->slots[at]];
        if (held->frame == i->frame && held->second == i->second && held->top == i->top &&
            held->front == i->front)
            return &t->slots[at];
    }
}

/* Slots four times as many; the items move behind them. */
static void grow(table *t)
{
    if (!reserve(t, 4 * t->n_slots)) {
        t->failed = true;
        return;
    }
    lay_out(t);
    const item *from = t->items;
    t->n_slots *= 4;
    lay_out(t);
    memmove(t->items, from, t->n_items * sizeof *from);
    memset(t->slots, 0xFF, t->n_slots * sizeof *t->slots);
    /* The newest of equals is the best. */
    for (size_t at = 0; at < t->n_items; at++) *find_slot(t, &t->items[at]) = (int32_t)at;
}

static void add(table *t, item i)
{
    t->failed = t->failed || !dd_tick(t->space->ticker, t->size);
    if (t->failed) return;
    int32_t *slot = find_slot(t, &i);
    if (*slot != NOTHING && t->items[*slot].wrong <= i.wrong) return;
    scene s = {i.frame, NOTHING, i.second, i.top, i.front};
    int bound = i.wrong + doomed(t, &s);
    if (bound < t->level) t->level = bound;
    i.next = t->buckets[bound];
    t->buckets[bound] = *slot = (int32_t)t->n_items;
    t->items[t->n_items++] = i;
    if (2 * t->n_items >= t->n_slots) grow(t);
}

/* ---- how items follow from items ---- */

/* Attaches the word at `word` of third, second and top (0 to 2) to the one at `head`. */
static void attach(table *t, const scene *s, int so_far, int head, int word)
{
    const int nodes[] = {s->third, s->second, s->top};
    add(t, (item){.frame = s->frame,
                  .second = nodes[word == 0],
                  .top = nodes[word == 2 ? 1 : 2],
                  .front = s->front,
                  .wrong = so_far + wrong(t, nodes[head], nodes[word]),
                  .next_waiter = NOTHING});
}

/* RA, LA, RA2, LA2. True if one of them costs nothing. */
static bool build_arc(table *t, scene s, int so_far)
{
    static const int moves[][2] = {{1, 2}, {2, 1}, {0, 2}, {2, 0}}; /* head, word */
    const int nodes[] = {s.third, s.second, s.top};
    for (int m = 0; m < 4; m++) {
        if (!costs_nothing(t, &s, nodes[moves[m][0]], nodes[moves[m][1]])) continue;
        attach(t, &s, so_far, moves[m][0], moves[m][1]);
        return true;
    }
    for (int m = 0; m < 4; m++)
        if (permissible(t, &s, nodes[moves[m][0]], nodes[moves[m][1]]))
            attach(t, &s, so_far, moves[m][0], moves[m][1]);
    return false;
}

/* What `waiter` left on top continues as `result` says, and an arc is built (Figure 3). */
static void combine(table *t, int waiter, int result)
{
    item w = t->items[waiter], r = t->items[result];
    scene s = {w.frame, w.second, r.second, r.top, r.front};
    build_arc(t, s, w.wrong + r.wrong);
}

static void close_open_frame(table *t, int at)
{
    int frame = t->items[at].frame;
    t->items[at].next = t->results[frame];
    t->results[frame] = at;
    for (int w = t->waiters[frame]; w != NOTHING && !t->failed; w = t->items[w].next_waiter)
        combine(t, w, at);
}

static void shift(table *t, int at)
{
    item i = t->items[at];
    int frame = open_frame(t, i.top, i.front);
    bool first = t->waiters[frame] == NOTHING;
    t->items[at].next_waiter = t->waiters[frame];
    t->waiters[frame] = at;
    if (first)
        add(t, (item){.frame = frame,
                      .second = i.top,
                      .top = i.front,
                      .front = i.front + 1,
                      .next_waiter = NOTHING});
    for (int r = t->results[frame]; r != NOTHING && !t->failed; r = t->items[r].next)
        combine(t, at, r);
}

/* Everything that follows from an item and those expanded before it. */
static void expand(table *t, int at)
{
    item i = t->items[at];
    bool settled;
    if (i.frame > t->depth) {
        close_open_frame(t, at);
        scene s = {i.frame, NOTHING, i.second, i.top, i.front};
        settled = costs_nothing(t, &s, i.second, i.top) || costs_nothing(t, &s, i.top, i.second);
    } else {
        int below = i.frame - 1;
        scene s = {below < 0 ? 0 : below, below, i.second, i.top, i.front};
        settled = i.second != NOTHING && build_arc(t, s, i.wrong);
    }
    if (!settled && i.front < t->size && !t->failed) shift(t, at);
}

/* ---- the search ---- */

static void list_dependents(table *t)
{
    memset(t->first, 0, ((size_t)t->size + 1) * sizeof *t->first);
    for (int word = 1; word < t->size; word++)
        if (t->heads[word] >= 0) t->first[t->heads[word]]++;
    for (int node = 1; node <= t->size; node++) t->first[node] += t->first[node - 1];
    for (int word = t->size - 1; word > 0; word--)
        if (t->heads[word] >= 0) t->dependents[--t->first[t->heads[word]]] = word;
}

static bool begin(table *t, const dd_forest *forest)
{
    t->width = t->size - t->depth + 1;
    t->frames = (size_t)t->depth + 1 + (size_t)t->size * (size_t)t->width;
    t->n_slots = FIRST_SLOTS;
    ptrdiff_t heads = forest->heads - t->space->memory;
    if (t->frames > INT32_MAX || !reserve(t, t->n_slots)) return false;
    lay_out(t);
    memcpy(t->heads, t->space->memory + heads, (size_t)t->size * sizeof *t->heads);
    list_dependents(t);
    /* From the buckets on, all cells up to the items. */
    memset(t->buckets, 0xFF, (size_t)((char *)t->items - (char *)t->buckets));
    item start = {.front = t->depth, .next_waiter = NOTHING};
    if (t->depth >= 2) {
        start.frame = start.second = t->depth - 2;
        start.top = t->depth - 1;
    } else {
        start.second = NOTHING;
        start.front = 1;
    }
    add(t, start);
    return true;
}

/* The next item to expand, or NOTHING. */
static int next_item(table *t, int limit)
{
    while (t->level <= limit && t->level <= t->size) {
        int at = t->buckets[t->level];
        if (at == NOTHING) {
            t->level++;
            continue;
        }
        t->buckets[t->level] = t->items[at].next;
        if (*find_slot(t, &t->items[at]) == at) return at;
    }
    return NOTHING;
}

bool dd_attardi_table(dd_loss_space *space, size_t used, const dd_forest *forest, int limit,
                      int *given_up)
{
    table t = {
        .space = space,
        .used = used,
        .single_root = forest->single_root,
        .size = forest->size,
        .depth = forest->depth,
    };
    if (!begin(&t, forest)) return false;
    for (int at; !t.failed && (at = next_item(&t, limit)) != NOTHING;) {
        const item *i = &t.items[at];
        if (i->frame == 0 && i->second == NOTHING && i->front == t.size) break;
        expand(&t, at);
    }
    *given_up = t.level;
    return !t.failed;
}
