/* lr_spine.c - LR-spine (Sartorio, Satta and Nivre 2013; tabular-oracles-2014, section 6)
 *
 * ([], [0..n]) -> ([0], []). Each node on the stack stands for the tree below it; with j the top
 * and i the node below it, an arc between the two trees starts from any node on the inner spine of
 * the head's tree: the left spine of j's (j, its leftmost left dependent, and so on) or the right
 * spine of i's. The spines are read off the arcs: when the k-th node of a spine takes a dependent,
 * that dependent lies outside all others, so the spine continues with it and what followed the k-th
 * node is cut off, as section 6.1 defines. Losses come from systems/lr_spine/lr_spine_loss.c. */
#include "systems/lr_spine/lr_spine.h"
#include "systems/arc_standard/arc_standard.h"
#include "systems/projective_part.h"
#include "systems/registry.h"

enum { SHIFT = DD_SPINE_SHIFT, LEFT = DD_SPINE_LEFT, RIGHT = DD_SPINE_RIGHT };

/* The tree whose spine has the head of an arc. */
static int head_tree(const dd_config *c, int kind)
{
    return dd_stack(c, kind == LEFT ? 0 : 1);
}

static int dependent_tree(const dd_config *c, int kind)
{
    return dd_stack(c, kind == LEFT ? 1 : 0);
}

/* The next node on the left spine (LA) or the right spine (RA). */
static int next_on_spine(const dd_config *c, int kind, int node)
{
    return kind == LEFT ? c->nodes[node].left[0] : c->nodes[node].right[0];
}

static int spine_length(const dd_config *c, int kind)
{
    int length = 0;
    for (int node = head_tree(c, kind); node != DD_NONE; node = next_on_spine(c, kind, node))
        length++;
    return length;
}

/* SH: ([..], [k..]) -> ([.. k], [..])
 * LA@k: ([.. i j], ..) -> ([.. j], ..), the k-th node on j's left spine takes i, a word
 * RA@k: ([.. i j], ..) -> ([.. i], ..), the k-th node on i's right spine takes j; under the
 * single-root rule 0 takes j last, and has no other words on its spine then */

static bool arc_legal(const dd_config *c, int kind)
{
    if (c->depth < 2) return false;
    bool from_root_tree = dd_stack(c, 1) == 0;
    if (kind == LEFT) return !from_root_tree;
    return !from_root_tree || !c->single_root || c->front == c->end;
}

static int permissible(const dd_config *c, dd_move *moves)
{
    int count = 0;
    if (c->front < c->end) moves[count++] = (dd_move){SHIFT, 0};
    for (int kind = LEFT; kind <= RIGHT; kind++) {
        if (!arc_legal(c, kind)) continue;
        int length = spine_length(c, kind);
        for (int k = 1; k <= length; k++) moves[count++] = (dd_move){kind, k};
    }
    return count;
}

/* SH, and the two spines have no node in common. */
static int max_moves(int n)
{
    return n + 2;
}

static dd_arc arc(const dd_config *c, dd_move move)
{
    if (move.kind == SHIFT) return (dd_arc){DD_NONE, DD_NONE};
    int head = head_tree(c, move.kind);
    for (int k = 1; k < move.k; k++) head = next_on_spine(c, move.kind, head);
    return (dd_arc){head, dependent_tree(c, move.kind)};
}

static void apply(dd_config *c, dd_move move, int label)
{
    if (move.kind == SHIFT) {
        dd_shift(c);
        return;
    }
    dd_arc built = arc(c, move);
    dd_add_arc(c, built.head, built.dependent, label);
    int top = dd_pop(c);
    if (move.kind == RIGHT) return;
    dd_pop(c);
    dd_push(c, top);
}

/* Along each spine once, as there may be as many moves as the sentence has words. */
static void candidates(const dd_config *c, const dd_move *moves, int n_moves, dd_candidate *arcs)
{
    int kind = SHIFT, k = 0, length = 0, node = DD_NONE;
    for (int m = 0; m < n_moves; m++) {
        arcs[m] = (dd_candidate){.head = DD_NONE, .dependent = DD_NONE};
        if (moves[m].kind == SHIFT) continue;
        if (moves[m].kind != kind) {
            kind = moves[m].kind;
            node = head_tree(c, kind);
            length = spine_length(c, kind);
            k = 1;
        }
        for (; k < moves[m].k; k++) node = next_on_spine(c, kind, node);
        arcs[m] = (dd_candidate){node, dependent_tree(c, kind), k, length - k};
    }
}

static const dd_move_rule rules[] = {
    [SHIFT] = {.name = "SH", .direction = DD_NO_ARC},
    [LEFT] = {.name = "LA", .direction = DD_LEFT_ARC},
    [RIGHT] = {.name = "RA", .direction = DD_RIGHT_ARC},
};

/* The number of the gold arc between the two trees, or 0. */
static int gold_place(const dd_config *c, const dd_gold *gold, int kind)
{
    int head = gold->heads[dependent_tree(c, kind)];
    int k = 1;
    for (int node = head_tree(c, kind); node != DD_NONE; node = next_on_spine(c, kind, node), k++)
        if (node == head) return k;
    return 0;
}

/* Attach as soon as possible (section 8). A dependent need not be complete: its outer spines stay
 * within reach. */
static dd_move canonical(const dd_config *c, const dd_gold *gold)
{
    for (int kind = LEFT; kind <= RIGHT; kind++) {
        int k = arc_legal(c, kind) ? gold_place(c, gold, kind) : 0;
        if (k) return (dd_move){kind, k};
    }
    return (dd_move){SHIFT, 0};
}

static bool final(const dd_config *c)
{
    return c->front == c->end && c->depth == 1;
}

/* Whether a node on the top's right spine has gold dependents in the buffer. */
static bool top_incomplete(const dd_config *c, const dd_gold *gold)
{
    for (int node = dd_stack(c, 0); node != DD_NONE; node = c->nodes[node].right[0])
        if (dd_gold_has_dependent_from(gold, node, c->front)) return true;
    return false;
}

/* With no mistake so far, every gold arc is free: what it cuts off or covers can have no further
 * gold dependents, as these arcs would cross it. SH is free unless it buries j for good: j still
 * waits for a head on the stack, and nothing in the buffer will bring j to the top again. If the
 * head of j is in the buffer, that word takes j and keeps j's left spine within reach. */
static bool free_on_gold_path(const dd_config *c, const dd_gold *gold, dd_move move)
{
    if (move.kind != SHIFT) return gold->heads[dependent_tree(c, move.kind)] == arc(c, move).head;
    if (c->depth < 2) return true;
    return gold->heads[dd_stack(c, 0)] >= c->front || top_incomplete(c, gold);
}

static bool loss(dd_loss_space *space, const dd_config *c, const dd_gold *gold, int *total)
{
    if (!dd_lr_spine_loss(space, c, gold, total)) return false;
    *total += dd_wrong_arcs(c, gold);
    return true;
}

/* ---- constraints -------------------------------------------------------------------------- */

/* In a projective tree that has the arcs built so far, only nodes of a spine can have others. */
static bool is_open(const dd_config *config, const int32_t *rank, int head, int dependent)
{
    (void)config;
    (void)rank;
    (void)head;
    (void)dependent;
    return true;
}

static const dd_horizon horizon = {
    .links = true, .spines = true, .settled = dd_projective_is_settled, .open = is_open};

static const dd_guard guard = {DD_PROJECTIVE_GUARD, .horizon = &horizon,
                               .allows_under_leaves = dd_standard_leaves};

const dd_system dd_lr_spine = {
    .name = "lr-spine",
    .transitions = "SH LA@k RA@k",
    .trees = "projective",
    .summary = "arcs from any node on the inner spines of the two topmost trees (Sartorio et al. "
               "2013)",
    .rules = rules,
    .n_rules = sizeof rules / sizeof *rules,
    .final = final,
    .features =
        {
            .templates = "spine",
            .slots = "S2 S1 S0 B0 H",
        },
    .moves =
        {
            .most = max_moves,
            .permissible = permissible,
            .arc = arc,
            .apply = apply,
            .candidates = candidates,
        },
    .search =
        {
            .max_words = 2000,
        },
    .oracle =
        {
            .max_words = 2000,
            .canonical = canonical,
            .losses = dd_lr_spine_losses,
            .takes_known_arcs_first = true,
            .free_on_gold_path = free_on_gold_path,
            .loss = loss,
            .refuses = dd_refuse_nonprojective,
            .keep = dd_keep_projective,
            .pace = 52000,
        },
    .guard = &guard,
};
