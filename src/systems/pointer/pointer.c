/* pointer.c - left-to-right pointing (Fernandez-Gonzalez and Gomez-Rodriguez 2019)
 *
 * The words are processed from left to right, and each points to its head, which is any node that
 * closes no cycle: n transitions, and all trees. Starts with the first word in front; ends when
 * all words have their heads. The focus is on the last word before j. systems/graph.c has the same
 * moves, but chooses the heads independently; here a choice sees those before it. */
#include "systems/pointer/pointer.h"
#include "core/memory.h"
#include "systems/registry.h"
#include "systems/soft_tree.h"

#include <limits.h>

enum { LEFT, RIGHT };

/* ---- the moves: LA@h and RA@h make the node h the head of the word in front, j ----------------
 */

static dd_move pointing_to(const dd_config *c, int head)
{
    return (dd_move){head < c->front ? RIGHT : LEFT, head};
}

static bool has_root(const dd_config *c)
{
    return c->nodes[0].rights > 0;
}

/* h must not be below j, which is the top of its component; under the single-root rule 0 takes one
 * word only. If no other word depends on 0, all are below the last one, which must take 0; if one
 * does, j can always depend on it. So a parser is never stuck. */
static int permissible(const dd_config *c, dd_move *moves)
{
    int count = 0, own = dd_component_of(c, c->front);
    for (int head = c->single_root && has_root(c) ? 1 : 0; head <= c->n; head++)
        if (dd_component_of(c, head) != own) moves[count++] = pointing_to(c, head);
    return count;
}

static int max_moves(int n)
{
    return n;
}

static dd_arc arc(const dd_config *c, dd_move move)
{
    return (dd_arc){move.k, c->front};
}

static void apply(dd_config *c, dd_move move, int label)
{
    dd_add_arc(c, move.k, c->front, label);
    c->focus = c->front++;
}

static const dd_move_rule rules[] = {
    [LEFT] = {.name = "LA", .direction = DD_LEFT_ARC},
    [RIGHT] = {.name = "RA", .direction = DD_RIGHT_ARC},
};

static void start(dd_config *c)
{
    c->front = 1;
}

static bool final(const dd_config *c)
{
    return c->front > c->n;
}

/* ---- the loss -------------------------------------------------------------------------------- */

/* The graph of pointer.h, perhaps without the arc of one word. */
typedef struct graph {
    const dd_config *config;
    const dd_gold *gold;
    int cut;        /* the word without its arc, 0: none */
    int32_t *least; /* [n + 1] filled: see survey */
    int32_t *path;  /* [n + 1] */
} graph;

enum { UNSEEN = -1, ON_PATH = -2 }; /* in least */

static int parent(const graph *g, int word)
{
    if (word == g->cut) return DD_NONE;
    return word < g->config->front ? g->config->nodes[word].head : g->gold->heads[word];
}

/* The cost of losing the gold arc of a word; arcs that are built cannot be lost. */
static int weight(const graph *g, int word)
{
    return word < g->config->front ? INT_MAX : dd_gold_cost(g->gold, word, true);
}

static int least_of(int a, int b)
{
    return a < b ? a : b;
}

/* The cheapest arc of a cycle, which is the end of a path from one of its words on. */
static int weight_of_cycle(const graph *g, int length, int word)
{
    int least = weight(g, g->path[--length]);
    while (g->path[length] != word) least = least_of(least, weight(g, g->path[--length]));
    return least;
}

/* Walks each path of heads once. Fills in the cheapest arc on the way from each word up to the one
 * that is cut, 0 if it is not below that; returns what the cycles cost. */
static int survey(const graph *g)
{
    int n = g->config->n, cycles = 0;
    for (int word = 0; word <= n; word++) g->least[word] = UNSEEN;
    g->least[g->cut] = INT_MAX;
    for (int from = 1; from <= n; from++) {
        int word = from, length = 0, least = 0;
        for (; word > 0 && g->least[word] == UNSEEN; word = parent(g, word)) {
            g->least[word] = ON_PATH;
            g->path[length++] = word;
        }
        if (word > 0 && g->least[word] == ON_PATH)
            cycles += weight_of_cycle(g, length, word);
        else if (word > 0)
            least = g->least[word];
        while (length > 0) {
            word = g->path[--length];
            if (least > 0) least = least_of(least, weight(g, word));
            g->least[word] = least;
        }
    }
    return cycles;
}

static bool take_graph(dd_loss_space *space, graph *g)
{
    size_t nodes = (size_t)g->config->n + 1;
    if (!DD_RESERVE(&space->memory, &space->capacity, 2 * nodes)) return false;
    g->least = space->memory;
    g->path = g->least + nodes;
    return true;
}

/* The gold root cannot be one any more, although it has no head yet. */
static int cost_of_root(const dd_config *c, const dd_gold *gold, bool taken, int front)
{
    bool lost = c->single_root && taken && gold->root >= front;
    return dd_gold_cost(gold, gold->root, lost);
}

/* All moves in O(n): an arc from h to j closes a cycle if h is below j in the graph without j's own
 * arc. */
static bool losses(dd_loss_space *space, const dd_config *c, const dd_gold *gold,
                   const dd_move *moves, int n_moves, int *after)
{
    graph g = {.config = c, .gold = gold, .cut = c->front};
    if (!take_graph(space, &g)) return false;
    int cycles = survey(&g);
    for (int m = 0; m < n_moves; m++) {
        int head = moves[m].k;
        after[m] = cycles + dd_gold_cost(gold, c->front, dd_gold_rejects(gold, head, c->front)) +
                   (head > 0 ? g.least[head] : 0) +
                   cost_of_root(c, gold, head == 0 || has_root(c), c->front + 1);
    }
    return true;
}

static bool loss(dd_loss_space *space, const dd_config *c, const dd_gold *gold, int *total)
{
    graph g = {.config = c, .gold = gold};
    if (!take_graph(space, &g)) return false;
    *total = survey(&g) + dd_wrong_arcs(c, gold) + cost_of_root(c, gold, has_root(c), c->front);
    return true;
}

static dd_move canonical(const dd_config *c, const dd_gold *gold)
{
    return pointing_to(c, gold->heads[c->front]);
}

static bool free_on_gold_path(const dd_config *c, const dd_gold *gold, dd_move move)
{
    return move.k == gold->heads[c->front];
}

const dd_system dd_pointer = {
    .name = "pointer",
    .transitions = "LA@h RA@h",
    .trees = "all",
    .summary = "each word points to its head (Fernández-González and Gómez-Rodríguez 2019)",
    .rules = rules,
    .n_rules = sizeof rules / sizeof *rules,
    .lists = true,
    .start = start,
    .final = final,
    .features =
        {
            .templates = "pointer",
            .slots = "B0 H",
            .products = true,
        },
    .moves =
        {
            .most = max_moves,
            .permissible = permissible,
            .arc = arc,
            .apply = apply,
        },
    .search =
        {
            .max_words = 2000,
        },
    .oracle =
        {
            .canonical = canonical,
            .losses = losses,
            .losses_are_ahead = true,
            .free_on_gold_path = free_on_gold_path,
            .loss = loss,
            .weighs_arcs = true,
            .best = dd_soft_best_pointer,
            .refuses = dd_refuse_several_roots,
            .keep = dd_keep_first_root,
        },
    .guard = &dd_pointer_guard,
};
