#include "systems/attardi/attardi_forest.h"

#include <string.h>

/* A run of the parser that fact 2 of the header speaks of. */
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

/* Renumbers the nodes that are left; heads of what is left are left too. */
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
