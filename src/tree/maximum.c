#include "tree/maximum.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

#define NO_ARC UINT32_MAX

enum { NONE = -1 };
/* Of a place: not on a path yet, on the one that is followed, or led to 0. */
enum { FRESH, ON_PATH, SETTLED };

void dd_max_tree_free(dd_max_tree *space)
{
    free(space->arcs);
    free(space->taken);
    free(space->numbers);
    free(space->best);
    *space = (dd_max_tree){0};
}

static bool reserve(dd_max_tree *t, int n)
{
    size_t places = (size_t)n + 1, nodes = 2 * (size_t)n + 1;
    if (n > DD_MAX_TREE_WORDS || !DD_RESERVE(&t->arcs, &t->arcs_capacity, places * places) ||
        !DD_RESERVE(&t->taken, &t->taken_capacity, places) ||
        !DD_RESERVE(&t->numbers, &t->numbers_capacity, 5 * places + 3 * nodes) ||
        !DD_RESERVE(&t->best, &t->best_capacity, nodes))
        return false;
    t->node_at = t->numbers;
    t->state = t->node_at + places;
    t->path = t->state + places;
    t->members = t->path + places;
    t->next_word = t->members + places;
    t->parent = t->next_word + places;
    t->child = t->parent + nodes;
    t->sibling = t->child + nodes;
    return true;
}

static void begin(dd_max_tree *t, const int32_t *scores, int n, bool single_root)
{
    size_t places = (size_t)n + 1;
    t->n = n;
    t->scores = scores;
    t->from_root = single_root ? -2 * (int64_t)DD_MAX_ARC_SCORE * ((int64_t)n + 1) : 0;
    t->nodes = n + 1;
    for (size_t at = 0; at < places * places; at++)
        t->arcs[at] = scores[at] == DD_NO_SCORE ? NO_ARC : (uint32_t)at;
    for (int place = 0; place <= n; place++) {
        t->taken[place] = 0;
        t->node_at[place] = t->next_word[place] = place;
        t->state[place] = place == 0 ? SETTLED : FRESH;
        t->parent[place] = t->child[place] = NONE;
    }
}

/* ---- arcs --------------------------------------------------------------------------------- */

static int head_of(const dd_max_tree *t, uint32_t arc)
{
    return (int)(arc % ((uint32_t)t->n + 1));
}

static int dependent_of(const dd_max_tree *t, uint32_t arc)
{
    return (int)(arc / ((uint32_t)t->n + 1));
}

static uint32_t *arc_between(const dd_max_tree *t, int dependent, int head)
{
    return &t->arcs[(size_t)dependent * ((size_t)t->n + 1) + (size_t)head];
}

/* What an arc adds to the best tree in which its dependent's node is entered elsewhere. */
static int64_t value(const dd_max_tree *t, uint32_t arc)
{
    if (arc == NO_ARC) return INT64_MIN;
    int64_t more = head_of(t, arc) == 0 ? t->from_root : 0;
    return t->scores[arc] + more - t->taken[dependent_of(t, arc)];
}

/* The place that the best arc into a place comes from; NONE: there is no arc. */
static int best_head(const dd_max_tree *t, int place)
{
    int64_t most = INT64_MIN;
    int best = NONE;
    for (int head = 0; head <= t->n; head++) {
        if (head == place || t->node_at[head] == NONE) continue;
        int64_t here = value(t, *arc_between(t, place, head));
        if (here <= most) continue;
        most = here;
        best = head;
    }
    return best;
}

/* ---- cycles ------------------------------------------------------------------------------- */

/* From now on an arc into a member stands for a change of the arc by which the cycle entered it. */
static void take_off_best(dd_max_tree *t, int place)
{
    int64_t most = value(t, t->best[t->node_at[place]]);
    int word = place;
    do {
        t->taken[word] += most;
        word = t->next_word[word];
    } while (word != place);
}

/* The best of all members' arcs with the other places, into the row and column of the first. */
static void join_arcs(dd_max_tree *t, int count)
{
    int first = t->members[0];
    for (int place = 0; place <= t->n; place++) {
        if (t->node_at[place] == NONE) continue;
        uint32_t *into = arc_between(t, first, place), *from = arc_between(t, place, first);
        for (int i = 1; i < count; i++) {
            uint32_t entering = *arc_between(t, t->members[i], place);
            uint32_t leaving = *arc_between(t, place, t->members[i]);
            if (value(t, entering) > value(t, *into)) *into = entering;
            if (value(t, leaving) > value(t, *from)) *from = leaving;
        }
    }
}

static void join_rings(dd_max_tree *t, int one, int other)
{
    int next = t->next_word[one];
    t->next_word[one] = t->next_word[other];
    t->next_word[other] = next;
}

/* The members become one node, in the place of the first. */
static void contract(dd_max_tree *t, int count)
{
    int first = t->members[0], cycle = t->nodes++;
    for (int i = 0; i < count; i++) take_off_best(t, t->members[i]);
    join_arcs(t, count);
    t->parent[cycle] = t->child[cycle] = NONE;
    for (int i = 0; i < count; i++) {
        int place = t->members[i], node = t->node_at[place];
        t->parent[node] = cycle;
        t->sibling[node] = t->child[cycle];
        t->child[cycle] = node;
        t->node_at[place] = NONE;
        if (i > 0) join_rings(t, first, place);
    }
    t->node_at[first] = cycle;
}

/* Takes the cycle that closes in a place off the path, which then ends in its place. */
static int close_cycle(dd_max_tree *t, int length, int place)
{
    int count = 0;
    do {
        t->members[count++] = t->path[--length];
    } while (t->path[length] != place);
    contract(t, count);
    t->path[length++] = t->members[0];
    return length;
}

/* Follows the best arcs back to a settled node. False: some node has no arc into it. */
static bool settle(dd_max_tree *t, int from)
{
    int length = 1;
    t->path[0] = from;
    while (length > 0) {
        int place = t->path[length - 1], head = best_head(t, place);
        if (head == NONE) return false;
        t->state[place] = ON_PATH;
        t->best[t->node_at[place]] = *arc_between(t, place, head);
        if (t->state[head] == ON_PATH)
            length = close_cycle(t, length, head);
        else if (t->state[head] == FRESH)
            t->path[length++] = head;
        else
            break;
    }
    for (int i = 0; i < length; i++) t->state[t->path[i]] = SETTLED;
    return true;
}

/* ---- the tree ----------------------------------------------------------------------------- */

/* Opens the cycles around the word that a node is entered at: the nodes beside the way to it keep
 * the arcs by which their cycle entered them, and are opened in turn. */
static void open_cycles(dd_max_tree *t, int node)
{
    int up = dependent_of(t, t->best[node]);
    while (up != node && t->parent[up] != NONE) {
        int cycle = t->parent[up];
        for (int other = t->child[cycle]; other != NONE; other = t->sibling[other])
            t->parent[other] = NONE;
        t->best[up] = t->best[node];
        up = cycle;
    }
}

/* Cycles have larger numbers than what they are made of. */
static void take_heads(dd_max_tree *t, int32_t *heads)
{
    for (int node = t->nodes - 1; node > 0; node--)
        if (t->parent[node] == NONE) open_cycles(t, node);
    for (int word = 1; word <= t->n; word++) heads[word] = head_of(t, t->best[word]);
}

static bool has_single_root(const int32_t *heads, int n)
{
    int roots = 0;
    for (int word = 1; word <= n; word++) roots += heads[word] == 0;
    return roots == 1;
}

dd_max_tree_result dd_max_tree_find(dd_max_tree *space, const int32_t *scores, int n,
                                    bool single_root, int32_t *heads)
{
    if (!reserve(space, n)) return DD_MAX_TREE_MEMORY;
    begin(space, scores, n, single_root);
    for (int word = 1; word <= n; word++)
        if (space->node_at[word] != NONE && space->state[word] == FRESH && !settle(space, word))
            return DD_MAX_TREE_NONE;
    take_heads(space, heads);
    return !single_root || has_single_root(heads, n) ? DD_MAX_TREE_FOUND : DD_MAX_TREE_NONE;
}
