#include "systems/covington_nm/covington_nm.h"

#include <string.h>

enum { STEPS_FOR_NODE = 10 }; /* for dd_tick */

/* An edge is 2 * node + slot: from the node to heads[slot] of it. Edges are 2..2n+1, 0 is none. */
typedef struct search {
    const dd_cycle_graph *graph;
    int start;           /* least node of the cycles looked for */
    int32_t *left;       /* [n + 1] dependents not peeled off; 0: the node is peeled off too */
    int32_t *first_edge; /* [n + 1] edges into a node, as a list */
    int32_t *next_edge;  /* [2n + 2] */
    int32_t *noted;      /* [2n + 2] the edge's node is in the list B of its head */
    int32_t *blocked;    /* [n + 1] */
    int32_t *found;      /* [n + 1] a cycle was found below the node */
    int32_t *path, *via; /* [n + 1] nodes from start on, and the slots that lead on from them */
    int32_t *pending;    /* [n + 1] nodes to unblock */
    int depth;
} search;

static void lay_out(search *s, int32_t *memory)
{
    size_t nodes = (size_t)s->graph->n + 1;
    s->left = memory;
    s->first_edge = s->left + nodes;
    s->next_edge = s->first_edge + nodes;
    s->noted = s->next_edge + 2 * nodes;
    s->blocked = s->noted + 2 * nodes;
    s->found = s->blocked + nodes;
    s->path = s->found + nodes;
    s->via = s->path + nodes;
    s->pending = s->via + nodes;
}

static int head_of(const search *s, int node, int slot)
{
    return s->graph->heads[slot][node];
}

/* Takes away nodes without dependents until none is left; true if there is no cycle then. */
static bool peel(search *s)
{
    int n = s->graph->n, waiting = 0, peeled = 0;
    memset(s->left, 0, ((size_t)n + 1) * sizeof *s->left);
    for (int node = 1; node <= n; node++)
        for (int slot = 0; slot < 2; slot++)
            if (head_of(s, node, slot) > 0) s->left[head_of(s, node, slot)]++;
    for (int node = 1; node <= n; node++)
        if (s->left[node] == 0) s->pending[waiting++] = node;
    while (peeled < waiting) {
        int node = s->pending[peeled++];
        for (int slot = 0; slot < 2; slot++) {
            int head = head_of(s, node, slot);
            if (head > 0 && --s->left[head] == 0) s->pending[waiting++] = head;
        }
    }
    return peeled == n;
}

static void list_edges(search *s)
{
    memset(s->first_edge, 0, ((size_t)s->graph->n + 1) * sizeof *s->first_edge);
    for (int node = 1; node <= s->graph->n; node++) {
        for (int slot = 0; slot < 2 && s->left[node] > 0; slot++) {
            int head = head_of(s, node, slot), edge = 2 * node + slot;
            if (head <= 0) continue;
            s->next_edge[edge] = s->first_edge[head];
            s->first_edge[head] = edge;
        }
    }
}

/* UNBLOCK of the paper, without recursion. */
static void unblock(search *s, int node)
{
    int waiting = 0;
    s->pending[waiting++] = node;
    s->blocked[node] = 0;
    while (waiting > 0) {
        int free_node = s->pending[--waiting];
        for (int edge = s->first_edge[free_node]; edge != 0; edge = s->next_edge[edge]) {
            if (!s->noted[edge]) continue;
            s->noted[edge] = 0;
            if (!s->blocked[edge / 2]) continue;
            s->blocked[edge / 2] = 0;
            s->pending[waiting++] = edge / 2;
        }
    }
}

static void enter(search *s, int node)
{
    s->path[s->depth] = node;
    s->via[s->depth++] = -1;
    s->blocked[node] = 1;
    s->found[node] = 0;
}

/* The end of CIRCUIT(v): v is free again if it led to a cycle, else only when a head of it is. */
static void leave(search *s)
{
    int node = s->path[--s->depth];
    if (s->found[node]) {
        unblock(s, node);
        if (s->depth > 0) s->found[s->path[s->depth - 1]] = 1;
        return;
    }
    for (int slot = 0; slot < 2; slot++)
        if (head_of(s, node, slot) >= s->start) s->noted[2 * node + slot] = 1;
}

/* The next step of the walk; true if it closes a cycle. */
static bool step(search *s)
{
    int at = s->depth - 1, node = s->path[at];
    if (++s->via[at] == 2) {
        leave(s);
        return false;
    }
    int head = head_of(s, node, s->via[at]);
    if (head == s->start) {
        s->found[node] = 1;
        return true;
    }
    if (head > s->start && !s->blocked[head]) enter(s, head);
    return false;
}

static void begin(search *s, int start)
{
    size_t nodes = (size_t)s->graph->n + 1;
    s->start = start;
    s->depth = 0;
    memset(s->noted, 0, 2 * nodes * sizeof *s->noted);
    memset(s->blocked, 0, nodes * sizeof *s->blocked);
    enter(s, start);
}

bool dd_cycles_none(const dd_cycle_graph *graph, int32_t *memory)
{
    search s = {.graph = graph};
    lay_out(&s, memory);
    return peel(&s);
}

dd_cycle_count dd_cycles_count(const dd_cycle_graph *graph, int32_t *memory, int limit,
                               bool (*chooses)(const void *user, dd_cycle cycle), const void *user)
{
    search s = {.graph = graph};
    dd_cycle_count count = {.complete = true};
    lay_out(&s, memory);
    if (peel(&s)) return count;
    list_edges(&s);
    for (int start = 1; start <= graph->n; start++) {
        if (s.left[start] == 0) continue;
        begin(&s, start);
        bool goes_on = dd_tick(graph->ticker, graph->n);
        while (s.depth > 0) {
            goes_on = goes_on && dd_tick(graph->ticker, STEPS_FOR_NODE);
            if (goes_on && !step(&s)) continue;
            if (!goes_on || count.all == limit) {
                count.complete = false;
                return count;
            }
            count.all++;
            if (chooses) count.chosen += chooses(user, (dd_cycle){s.path, s.via, s.depth});
        }
    }
    return count;
}
