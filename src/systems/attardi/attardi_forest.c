#include "systems/attardi/attardi.h"
#include "transition/config.h"

#include <string.h>

/* A run of the parser of fact 2 (attardi.h). */
typedef struct run {
    const dd_forest *forest;
    int depth, front;
    int32_t *stack, *missing;
} run;

/* Whether `head` may take `word` without loss; 0 takes its only word last under the single-root
 * rule. */
static bool fits(const run *r, int head, int word)
{
    if (r->missing[word] > 0) return false;
    if (r->forest->heads[word] >= 0 && r->forest->heads[word] != head) return false;
    bool last = r->depth == 2 && r->front == r->forest->size;
    return head != 0 || !r->forest->single_root || last;
}

static void attach(run *r, int at)
{
    int head = r->forest->heads[r->stack[at]];
    if (head >= 0) r->missing[head]--;
    r->depth--;
    for (; at < r->depth; at++) r->stack[at] = r->stack[at + 1];
}

/* RA, LA, RA2, LA2: the first that costs nothing. Their order does not matter. */
static bool attach_one(run *r)
{
    int d = r->depth;
    if (d < 2) return false;
    int top = r->stack[d - 1], second = r->stack[d - 2];
    if (fits(r, second, top)) return attach(r, d - 1), true;
    if (second > 0 && fits(r, top, second)) return attach(r, d - 2), true;
    if (d < 3) return false;
    int third = r->stack[d - 3];
    if (fits(r, third, top)) return attach(r, d - 1), true;
    if (third > 0 && fits(r, top, third)) return attach(r, d - 3), true;
    return false;
}

static run begin(const dd_forest *forest)
{
    run r = {forest, forest->depth, forest->depth, forest->stack, forest->waiting};
    for (int i = 0; i < forest->depth; i++) r.stack[i] = i;
    memcpy(r.missing, forest->missing, (size_t)forest->size * sizeof *r.missing);
    return r;
}

bool dd_forest_builds(const dd_forest *forest)
{
    run r = begin(forest);
    for (;;) {
        while (attach_one(&r)) continue;
        if (r.front == forest->size) return r.depth == 1;
        r.stack[r.depth++] = r.front++;
    }
}

/* The buffer's words go on top of the stack one by one, but the stack's own nodes stay out of it:
 * `floor` of them. */
static bool attach_in_buffer(run *r, int floor)
{
    int d = r->depth, top = r->stack[d - 1];
    if (d > floor && top > 0 && r->missing[top] == 0 && r->forest->heads[top] < 0)
        return attach(r, d - 1), true;
    if (d < floor + 2) return false;
    int second = r->stack[d - 2];
    bool may = second > 0 || !r->forest->single_root;
    if (may && r->missing[top] == 0 && r->forest->heads[top] == second)
        return attach(r, d - 1), true;
    bool gone = r->forest->heads[second] == top || r->forest->heads[second] < 0;
    if (second > 0 && r->missing[second] == 0 && gone) return attach(r, d - 2), true;
    return false;
}

/* Renumbers the nodes that remain; their heads remain as well. */
static void keep(dd_forest *forest, const run *r, int floor)
{
    int32_t *number = forest->waiting;
    for (int i = 0; i < r->depth; i++) forest->missing[i] = r->missing[r->stack[i]];
    for (int i = 0; i < r->depth; i++) number[r->stack[i]] = i;
    for (int i = 0; i < r->depth; i++) {
        int head = forest->heads[r->stack[i]];
        forest->heads[i] = head < 0 ? head : number[head];
    }
    forest->size = r->depth;
    forest->depth = floor;
}

void dd_forest_shrink(dd_forest *forest)
{
    run r = begin(forest);
    while (attach_one(&r)) continue;
    int floor = r.depth;
    while (r.front < forest->size) {
        r.stack[r.depth++] = r.front++;
        while (attach_in_buffer(&r, floor)) continue;
    }
    keep(forest, &r, floor);
}

/* ---- arcs to give up ------------------------------------------------------------------------ */

enum { STEPS_FOR_WORD = 10 }; /* for dd_tick */

typedef struct list {
    int32_t *words;
    int count;
} list;

/* Gives up the arc of a word for now. */
static void cut(dd_cuts *cuts, int word)
{
    cuts->forest->missing[cuts->forest->heads[word]]--;
    cuts->forest->heads[word] = DD_NONE;
}

static void join(dd_cuts *cuts, int word)
{
    cuts->forest->heads[word] = cuts->heads[word];
    cuts->forest->missing[cuts->heads[word]]++;
}

static void cut_all(dd_cuts *cuts, list l)
{
    for (int i = 0; i < l.count; i++) cut(cuts, l.words[i]);
}

static void join_all(dd_cuts *cuts, list l)
{
    for (int i = 0; i < l.count; i++) join(cuts, l.words[i]);
}

/* If no runs are left, the answer is yes, which ends the search; its result is not used then. */
static bool builds(dd_cuts *cuts)
{
    if (!dd_tick(cuts->ticker, STEPS_FOR_WORD * (int64_t)cuts->forest->size)) cuts->runs = 0;
    if (cuts->runs <= 0) return true;
    cuts->runs--;
    return dd_forest_builds(cuts->forest);
}

static list joined_words(dd_cuts *cuts)
{
    list l = {cuts->lists + cuts->used, 0};
    for (int word = 1; word < cuts->forest->size; word++)
        if (cuts->forest->heads[word] >= 0) l.words[l.count++] = word;
    return l;
}

/* Leaves out chunks of `size` words of the list as long as the rest is a conflict. */
static list drop_chunks(dd_cuts *cuts, list l, int size)
{
    int kept = 0;
    for (int at = 0; at < l.count; at += size) {
        list chunk = {l.words + at, at + size < l.count ? size : l.count - at};
        cut_all(cuts, chunk);
        if (!builds(cuts)) continue;
        join_all(cuts, chunk);
        for (int i = 0; i < chunk.count; i++) l.words[kept++] = chunk.words[i];
    }
    l.count = kept;
    return l;
}

/* Adds to `lists` a conflict of which no arc can be left out. The forest cannot be built. */
static list find_conflict(dd_cuts *cuts)
{
    list all = joined_words(cuts);
    list left = {all.words + all.count, all.count};
    memcpy(left.words, all.words, (size_t)all.count * sizeof *all.words);
    for (int size = left.count / 2; size >= 1; size = size == 1 ? 0 : (size + 1) / 2)
        left = drop_chunks(cuts, left, size);
    cut_all(cuts, left);
    join_all(cuts, all);
    memmove(all.words, left.words, (size_t)left.count * sizeof *left.words);
    cuts->used += left.count;
    return (list){all.words, left.count};
}

/* How many conflicts there are that share no arc, counted to limit + 1 at most. The first one stays
 * in `lists`. */
static int count_conflicts(dd_cuts *cuts, int limit, list *first)
{
    list all = {cuts->lists + cuts->used, 0};
    int count = 0;
    while (count <= limit && !builds(cuts)) {
        list conflict = find_conflict(cuts);
        if (count++ == 0) *first = conflict;
        cut_all(cuts, conflict);
        all.count += conflict.count;
    }
    join_all(cuts, all);
    cuts->used -= all.count;
    if (count > 0) cuts->used += first->count;
    return count;
}

/* Whether giving up `limit` arcs is enough, one of them from the conflict. */
static bool within(dd_cuts *cuts, int limit, list conflict)
{
    for (int i = 0; i < conflict.count; i++) {
        int word = conflict.words[i], used = cuts->used;
        list next = {0};
        cut(cuts, word);
        int least = count_conflicts(cuts, limit - 1, &next);
        bool enough = least == 0 || (least < limit && within(cuts, limit - 1, next));
        join(cuts, word);
        cuts->used = used;
        if (enough) return true;
    }
    return false;
}

int dd_cuts_least(dd_cuts *cuts, int limit)
{
    list conflict = {0};
    int least = count_conflicts(cuts, limit, &conflict);
    while (least > 0 && least <= limit && cuts->runs > 0 && !within(cuts, least, conflict)) least++;
    return cuts->runs > 0 ? least : DD_NONE;
}

int dd_cuts_conflict(dd_cuts *cuts, int32_t *words)
{
    list conflict = find_conflict(cuts);
    memcpy(words, conflict.words, (size_t)conflict.count * sizeof *words);
    return conflict.count;
}
