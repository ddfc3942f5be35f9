/* constraints.h - what the tree of one sentence must have: arcs, spans, leaves, and arcs that it
 * must not have
 *
 *     comments, calls -> texts -> items -> tables, checked once -> which moves may be taken
 *     text/sentence.c    build.c, check.c, conflict.c              one guard a system, or search.c
 *
 * The tables are the same for all configurations of a sentence. What a guard must remember along a
 * derivation lives in dd_config.guard_state, so that a copy of a configuration has it too. */
#ifndef DODONA_CONSTRAINTS_CONSTRAINTS_H
#define DODONA_CONSTRAINTS_CONSTRAINTS_H

#include "core/cancel.h"
#include "text/sentence.h"
#include "transition/inventory.h"

/* ---- effort ------------------------------------------------------------------------------- */

/* The work that the constraints of one sentence have taken. Usually a tree that is already known
 * shows that a move is allowed, but with many constraints in a long sentence the search for another
 * tree may take hours. So work is counted, in steps of roughly a nanosecond, and a sentence that
 * takes too many is refused. Steps are counted, not timed, so that a sentence is refused on every
 * machine or on none. */

#define DD_MOST_EFFORT (UINT64_C(20) * 1000 * 1000 * 1000)

typedef struct dd_effort {
    uint64_t spent;
    bool no_memory;    /* a search ended because allocation failed */
    dd_ticker *ticker; /* NULL: it is not cancelled */
} dd_effort;           /* {0}: nothing yet */

static inline void dd_effort_reset(dd_effort *effort)
{
    *effort = (dd_effort){.ticker = effort->ticker};
}

static inline bool dd_effort_is_over(const dd_effort *effort)
{
    return effort->spent > DD_MOST_EFFORT || effort->no_memory || dd_is_cancelled(effort->ticker);
}

/* Before the work. False if it would be too much. */
static inline bool dd_effort_spend(dd_effort *effort, uint64_t steps)
{
    effort->spent += steps;
    return !dd_effort_is_over(effort) && dd_tick(effort->ticker, (int64_t)steps);
}

/* ---- constraints -------------------------------------------------------------------------- */

typedef enum dd_constraint_kind {
    DD_REQUIRE_ARC = 0,
    DD_FORBID_ARC,
    DD_REQUIRE_SPAN,
    DD_REQUIRE_LEAF,
} dd_constraint_kind;

/* One constraint, read from its text. */
typedef struct dd_constraint {
    dd_constraint_kind kind;
    int head, dependent; /* of arcs */
    dd_text deprel;      /* of a required arc, a view of the text; "_": any */
    int first, last;     /* of a span */
    dd_span_mode mode;
    int word; /* that is a leaf */
} dd_constraint;

typedef struct dd_span {
    int first, last;
    dd_span_mode mode;
} dd_span;

typedef struct dd_constraints {
    int n;
    const dd_system *system;
    bool single_root;
    int n_arcs, n_spans, n_forbidden, n_leaves; /* different ones */

    /* Index 0 is the root's. */
    int32_t *heads;           /* [n + 1] required head, DD_NONE: any */
    int32_t *labels;          /* [n + 1] required label, in dd_inventory.labels; DD_NONE: any */
    int32_t *span_of;         /* [n + 1] index in spans, DD_NONE: in none */
    dd_span *spans;           /* [n_spans] in order of position */
    int32_t *forbidden_first; /* [n + 2] heads that word d must not have are forbidden_heads */
    int32_t *forbidden_heads; /* [forbidden_first[d] .. forbidden_first[d + 1] - 1], ascending */

    bool *leaf;       /* [n + 1] has no dependents */
    int last_head;    /* the last word that is no leaf; 0: all are */
    bool only_leaves; /* nothing else is asked for, and dd_leaves_allow can tell what they allow */

    /* The outermost required dependents. */
    int32_t *leftmost;  /* [n + 1] first required dependent by position, DD_NONE: none */
    int32_t *rightmost; /* [n + 1] last one */

    int32_t *arc_items;   /* [n + 1] index in items of the arc into each word, DD_NONE: none */
    int32_t *span_items;  /* [n_spans] the same of spans */
    dd_constraint *items; /* [n_items] as read */
    int n_items;
    const bool *left_out; /* [n_items] items to ignore; NULL: none. For finding what conflicts */
    const bool *wished; /* [n + 1] leaves besides those of the items; NULL: none. See conflict.c */

    dd_effort effort; /* since the tables were made for a sentence */
    void *guard;      /* the guard's own tables, NULL: none yet */
    dd_config trial;  /* for the search of one tree that satisfies them */
    dd_move *moves;   /* [dd_system_max_moves] */
    int32_t *scratch; /* [3 * (n + 1)] */
    size_t heads_capacity, labels_capacity, span_of_capacity, spans_capacity,
        forbidden_first_capacity, forbidden_heads_capacity, leftmost_capacity, rightmost_capacity,
        arc_items_capacity, span_items_capacity, items_capacity, moves_capacity, scratch_capacity,
        leaf_capacity;
} dd_constraints; /* {0} is valid */

/* ---- guards ------------------------------------------------------------------------------- */

/* How a system keeps constraints satisfiable; dd_system.guard points to it, and dd_guard_of gives
 * it. */
typedef struct dd_guard {
    bool projective;        /* the system builds projective trees only */
    bool refuses_spans;     /* the system scores arcs independently and takes no spans */
    bool searches_leaves;   /* `allows` judges leaves, too, even if there is nothing else */
    int longest;            /* words of a sentence with constraints, 0: any number */
    int longest_forbidding; /* with forbidden arcs, 0: as many */
    /* See constraints/projective.h; NULL in systems that do not use that. */
    const struct dd_horizon *horizon;
    /* Makes the tables of the guard, kept in constraints->guard, for constraints that have passed
     * the checks of check.c. False if allocation fails. */
    bool (*prepare)(dd_constraints *constraints);
    void (*release)(void *tables);
    /* Whether a tree that satisfies the constraints can be reached from an initial configuration.
     * NULL: a derivation of allowed moves decides it. */
    bool (*possible)(const dd_constraints *constraints, const dd_config *start);
    /* Whether a tree that satisfies the constraints can still be reached after a permissible move,
     * if one can be reached from the configuration. It is not called for arcs from leaves. */
    bool (*allows)(const dd_constraints *constraints, const dd_config *config, dd_move move);
    /* The same where leaves are the only constraints; no other function of the guard is called
     * then. NULL: all moves are allowed that build no arc from a leaf. */
    bool (*allows_under_leaves)(const dd_constraints *constraints, const dd_config *config,
                                dd_move move);
    /* What the move changes in the state that the guard keeps in the configuration, called before
     * the move is applied; or NULL. */
    void (*follow)(const dd_constraints *constraints, dd_config *config, dd_move move);
    /* Whether a move has been forbidden since `prepare` because a search gave up; NULL: never. */
    bool (*gave_up)(const dd_constraints *constraints);
} dd_guard;

/* search.c: works for every system by a search over its moves; refuses sentences that take too
 * long. */
extern const dd_guard dd_search_guard;

static inline const dd_guard *dd_guard_of(const dd_system *system)
{
    return system->guard ? system->guard : &dd_search_guard;
}

/* ---- a sentence --------------------------------------------------------------------------- */

void dd_constraints_free(dd_constraints *constraints);

/* build.c: reads the text of a constraint. False, with the reason as a message, if it is none. */
enum { DD_REASON_SIZE = 160 };
bool dd_constraint_read(dd_constraint *out, dd_text text, char reason[DD_REASON_SIZE]);

/* Reads the sentence's constraints, makes the tables and checks each item for itself.
 * DD_ERROR_DATA, with file, line, sentence, constraint and reason, if one is wrong. */
dd_status dd_constraints_build(dd_constraints *constraints, const dd_sentence *sentence,
                               const dd_inventory *inventory, bool single_root, dd_error *error);
/* check.c: contradictions that can be named. */
dd_status dd_constraints_check(dd_constraints *constraints, const dd_sentence *sentence,
                               dd_error *error);
/* conflict.c: all of it. DD_ERROR_DATA if no tree of the system satisfies the constraints; where no
 * simple reason is known, the message lists a smallest set of constraints that conflict. */
dd_status dd_constraints_set(dd_constraints *constraints, const dd_sentence *sentence,
                             const dd_inventory *inventory, bool single_root, dd_error *error);
/* The same with leaves that are wished for ([n + 1] by word) and dropped where they
 * contradict the sentence's constraints. granted: [n + 1] those that are not. */
dd_status dd_constraints_set_wishing(dd_constraints *constraints, const dd_sentence *sentence,
                                     const dd_inventory *inventory, bool single_root,
                                     const bool *wished, bool *granted, dd_error *error);
/* Checks a tree that was parsed. DD_ERROR_DATA if it breaks a constraint or the effort was over,
 * DD_ERROR_MEMORY if allocation failed, DD_INTERRUPTED if the work was cancelled. */
dd_status dd_constraints_end(const dd_constraints *constraints, const dd_sentence *sentence,
                             const int32_t *heads, dd_error *error);

/* "FILE:LINE: sentence 'ID': constraint 'arc 3 _ 2': reason" */
dd_status dd_constraint_fail(const dd_sentence *sentence, int item, dd_error *error,
                             const char *format, ...) DD_PRINTF(4, 5);

/* guard.c: whether a permissible move keeps the constraints satisfiable. In a configuration that
 * was reached by such moves and is not final, at least one move does, unless the effort is
 * exhausted. */
bool dd_constraints_allow(const dd_constraints *constraints, const dd_config *config, dd_move move);
/* The moves among the permissible ones that do; returns how many. */
int dd_constraints_filter(const dd_constraints *constraints, const dd_config *config,
                          dd_move *moves, int n_moves);
/* Call it before each move that is applied, so that the guard can update its state in the
 * configuration. */
void dd_constraints_follow(const dd_constraints *constraints, dd_config *config, dd_move move);
/* Whether any tree satisfies them: 1 or 0, -1 if allocation fails. */
int dd_constraints_satisfiable(dd_constraints *constraints);
/* Whether a tree may satisfy them although none was found. */
bool dd_constraints_gave_up(const dd_constraints *constraints);
/* Whether a finished tree satisfies them. */
bool dd_constraints_hold(const dd_constraints *constraints, const int32_t *heads);

static inline bool dd_requires_arc(const dd_constraints *constraints, int head, int dependent)
{
    return constraints->heads[dependent] == head;
}

/* Whether the arc is forbidden, by name or because its head is a leaf. */
bool dd_forbids_arc(const dd_constraints *constraints, int head, int dependent);

/* The label that an arc must have, DD_NONE: any. */
static inline int dd_required_label(const dd_constraints *constraints, dd_arc arc)
{
    if (arc.dependent == DD_NONE || constraints->heads[arc.dependent] != arc.head) return DD_NONE;
    return constraints->labels[arc.dependent];
}

/* ---- leaves ------------------------------------------------------------------------------- */

/* If leaves are the only constraints, no search is needed. As long as a word that is not a leaf is
 * still to come, it can take all words that lack a head, and then those after it. So every move
 * that builds no arc from a leaf, not even temporarily, is allowed. Only from the last such word
 * on, the remaining words must find a head among those that are there already. Each system has its
 * own short rule for this. */

/* For dd_guard.allows_under_leaves: */
/* Whether a word may be pushed, where what is on the stack hangs from the node below it. */
bool dd_leaves_let_push(const dd_constraints *constraints, const dd_config *config);
/* Whether one of the `count` topmost nodes after the move is not a leaf, or such words are still to
 * come. */
bool dd_leaves_top_serves(const dd_constraints *constraints, const dd_config *config, dd_move move,
                          int count);

/* Whether some tree has all these leaves: with one root, something must take the others. */
static inline bool dd_leaves_can_hold(const dd_constraints *constraints)
{
    return !constraints->single_root || constraints->last_head > 0 || constraints->n == 1;
}

static inline bool dd_starts_at_leaf(const dd_constraints *constraints, dd_arc arc)
{
    return arc.dependent != DD_NONE && constraints->leaf[arc.head];
}

/* Whether the move, which builds the arc, keeps the leaves possible where they are all that is
 * asked for. */
static inline bool dd_leaves_allow(const dd_constraints *constraints, const dd_config *config,
                                   dd_move move, dd_arc arc)
{
    const dd_guard *guard = dd_guard_of(constraints->system);
    if (dd_starts_at_leaf(constraints, arc)) return false;
    if (!guard->allows_under_leaves || config->front + 1 < constraints->last_head) return true;
    return guard->allows_under_leaves(constraints, config, move);
}

#endif
