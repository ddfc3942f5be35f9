/* config.h - the parser's configuration: stack, buffer and the arcs built so far
 *
 *     stack  [ .. S1 S0 ]   buffer [ B0 B1 .. ]
 *
 * Nodes are 0 (the root) and the words 1..n. The buffer is a run of positions; the root stands at
 * position 0, or behind the last word, at n + 1, in systems that want it last. Accessors are total:
 * a node that is not there is DD_NONE. */
#ifndef DODONA_TRANSITION_CONFIG_H
#define DODONA_TRANSITION_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DD_NONE = -1, DD_MAX_TOUCHED = 16 };

typedef struct dd_node {
    int32_t head;           /* DD_NONE: headless */
    int32_t label;          /* DD_NONE: headless */
    int32_t left[2];        /* dependents left of the node, outermost first */
    int32_t right[2];       /* dependents right of the node, outermost first */
    int32_t near_left;      /* dependent left of the node, nearest to it */
    int32_t near_right;     /* dependent right of the node, nearest to it */
    uint16_t lefts, rights; /* how many, at most UINT16_MAX */
    bool on_stack;
    uint8_t rank;           /* union-find: no less than the longest path to it */
    int32_t component;      /* union-find: parent in the weakly connected component of the arcs */
    int32_t headless_below; /* how many headless nodes were on the stack when it was pushed */
    /* What the head's right side was before this node became its outermost dependent there: */
    int32_t right_before;               /* right[1] */
    bool counted;                       /* rights grew */
    bool new_label;                     /* right_labels grew */
    uint64_t left_labels, right_labels; /* set of dependents' labels, label modulo 64 */
} dd_node;

typedef struct dd_config {
    int n;            /* words */
    bool root_last;   /* position of the root */
    bool single_root; /* exactly one word may depend on 0 */
    int depth;        /* nodes on the stack */
    int headless;     /* of them, those without a head; the root counts */
    int front, end;   /* the buffer holds positions front..end-1 */
    int focus; /* Covington's left focus word: the lists hold 1..focus and focus+1..front-1 */
    /* What the system's guard, if it has one, remembers along a derivation under constraints; 0 in
     * an initial configuration. Only the guard reads it. */
    uint64_t guard_state;
    int32_t *stack; /* [n + 1] bottom first */
    dd_node *nodes; /* [n + 1] */
    size_t stack_capacity, nodes_capacity;
    /* Nodes that changed since dd_config_mark, for dd_config_copy_nodes; above DD_MAX_TOUCHED: more
     * than are listed. One move never changes that many. */
    int n_touched;
    int32_t touched[DD_MAX_TOUCHED];
    int same_below; /* nodes at the bottom of the stack that have stayed there since dd_config_mark
                     */
} dd_config;        /* {0} is valid for dd_config_reset */

void dd_config_free(dd_config *config);
/* An empty stack, all positions in the buffer, no arcs. False if allocation fails. */
bool dd_config_reset(dd_config *config, int n, bool root_last, bool single_root);
bool dd_config_copy(dd_config *to, const dd_config *from);
/* Copies these nodes. Where `to` is an older copy of `from`, the nodes that changed since then are
 * enough, so that long sentences need not be copied whole. Call it any number of times, then
 * dd_config_copy_rest. */
void dd_config_copy_nodes(dd_config *to, const dd_config *from, const int32_t *nodes, int count);
/* Copies all but the nodes. The stacks already have at least `same_below` nodes in common, at the
 * bottom. */
void dd_config_copy_rest(dd_config *to, const dd_config *from, int same_below);

/* k-th node from the top of the stack. */
static inline int dd_stack(const dd_config *config, int k)
{
    return k < config->depth ? config->stack[config->depth - 1 - k] : DD_NONE;
}

static inline int dd_node_at(const dd_config *config, int position)
{
    return position <= config->n ? position : 0;
}

static inline int dd_position_of(const dd_config *config, int node)
{
    return node == 0 && config->root_last ? config->n + 1 : node;
}

/* k-th node of the buffer. */
static inline int dd_buffer_node(const dd_config *config, int k)
{
    return config->front + k < config->end ? dd_node_at(config, config->front + k) : DD_NONE;
}

static inline bool dd_in_buffer(const dd_config *config, int node)
{
    return dd_position_of(config, node) >= config->front;
}

static inline bool dd_headless(const dd_config *config, int node)
{
    return config->nodes[node].head == DD_NONE;
}

/* Starts to record which nodes change. */
static inline void dd_config_mark(dd_config *config)
{
    config->n_touched = 0;
    config->same_below = config->depth;
}

static inline void dd_touch(dd_config *config, int node)
{
    if (config->n_touched < DD_MAX_TOUCHED) config->touched[config->n_touched] = node;
    config->n_touched += config->n_touched <= DD_MAX_TOUCHED;
}

static inline void dd_push(dd_config *config, int node)
{
    config->stack[config->depth++] = node;
    config->nodes[node].on_stack = true;
    dd_touch(config, node);
    config->nodes[node].headless_below = config->headless;
    config->headless += dd_headless(config, node);
}

static inline int dd_pop(dd_config *config)
{
    int node = config->stack[--config->depth];
    if (config->depth < config->same_below) config->same_below = config->depth;
    config->nodes[node].on_stack = false;
    dd_touch(config, node);
    config->headless -= dd_headless(config, node);
    return node;
}

/* Moves the front of the buffer to the stack. */
static inline void dd_shift(dd_config *config)
{
    dd_push(config, dd_node_at(config, config->front++));
}

/* The dependent must be headless. */
void dd_add_arc(dd_config *config, int head, int dependent, int label);
/* Makes a word headless again. Components are not split, so a system that removes arcs must not ask
 * for them. */
void dd_remove_arc(dd_config *config, int dependent);
/* The same in constant time. The dependent must lie right of its head, and must be the last that
 * the head got on that side and the outermost. */
void dd_take_back_arc(dd_config *config, int dependent);
/* Attaches every word that is still headless to 0. */
void dd_attach_rest(dd_config *config, int label);

/* The representative of a node's weakly connected component. */
static inline int dd_component_of(const dd_config *config, int node)
{
    while (config->nodes[node].component != node) node = config->nodes[node].component;
    return node;
}

#endif
