/* system.h - what a transition system is
 *
 * Each system is one file or folder. The rule of each move (legality, arc, application, cost)
 * stands in one place, and the file ends in the const descriptor; systems/registry.h lists the
 * descriptors. Costs here are unlabelled; label loss is added once for all systems in
 * transition/oracle.h. */
#ifndef DODONA_TRANSITION_SYSTEM_H
#define DODONA_TRANSITION_SYSTEM_H

#include "core/cancel.h"
#include "transition/config.h"
#include "tree/gold.h"

/* An unlabelled transition of a system. */
typedef struct dd_move {
    int32_t kind; /* index in dd_system.rules */
    int32_t k;    /* for systems whose moves carry a number, such as LA@k; 0 elsewhere */
} dd_move;

typedef struct dd_arc {
    int head, dependent; /* DD_NONE: the move builds no arc */
} dd_arc;

/* The arc that a move would build, and where its head stands in a spine (systems without spines:
 * 0). */
typedef struct dd_candidate {
    int head, dependent; /* DD_NONE: no arc */
    int place, rest;     /* nodes of the spine above and below the head */
} dd_candidate;

typedef enum dd_direction {
    DD_NO_ARC = 0,
    DD_LEFT_ARC,
    DD_RIGHT_ARC,
    DD_RIGHT_ARC_OR_NONE, /* as the configuration has it; only between words */
} dd_direction;

/* Working memory of losses that need a table, grown as needed; {0} is valid. */
typedef struct dd_loss_space {
    int variant;       /* which of dd_system_oracle.loss_names; 0: the first */
    bool unproved;     /* set where an exact loss was asked for and a search gave up with a bound */
    uint64_t searched; /* configurations that such searches have looked at so far */
    dd_ticker *ticker; /* NULL: losses are not cancelled */
    int32_t *memory;
    size_t capacity;
} dd_loss_space;

typedef struct dd_move_rule {
    const char *name; /* SH, LA, ... as in the papers */
    dd_direction direction;
    bool (*legal)(const dd_config *config);
    dd_arc (*arc)(const dd_config *config); /* NULL: no arc */
    void (*advance)(dd_config *config);     /* the stack and the buffer, not the arc */
    int (*cost)(const dd_config *config,
                const dd_gold *gold); /* NULL: see dd_system_oracle.losses */
} dd_move_rule;

/* In fields that name a kind of move, so that 0 means none: DD_KIND(NO_ARC). */
#define DD_KIND(kind) ((kind) + 1)
/* The kind in such a field; DD_NONE: none. */
static inline int dd_kind_of(int field)
{
    return field - 1;
}

/* What scorers look at. */
typedef struct dd_system_features {
    const char *templates; /* name of its default feature templates */
    const char *slots;     /* nodes that its moves look at, for the neural scorer */
    bool products; /* the neural scorer also gets the product of dependent and head of each arc */
} dd_system_features;

/* Systems whose moves carry a number, or do more than add an arc, replace what the rules say. Each
 * may be NULL. */
typedef struct dd_system_moves {
    int (*most)(int n); /* most permissible moves in a sentence of n words */
    int (*permissible)(const dd_config *config, dd_move *moves);
    dd_arc (*arc)(const dd_config *config, dd_move move);
    void (*apply)(dd_config *config, dd_move move, int label);
    /* The arcs of all moves at once. The moves are in the order of `permissible`, but some may be
     * missing. NULL: `arc` is called for each move. */
    void (*candidates)(const dd_config *config, const dd_move *moves, int n_moves,
                       dd_candidate *arcs);
} dd_system_moves;

/* How its derivations are searched. */
typedef struct dd_system_search {
    /* Longer sentences are parsed in pieces unless the caller says otherwise, because derivations
     * or lists of moves are so long that time is quadratic; 0: no limit. */
    int max_words;
    /* The kind of a move that builds no arc and after which every tree is still reachable, so that
     * there is nothing to decide; DD_NONE if there is no such move here; NULL: never. */
    int (*idle)(const dd_config *config);
    /* Where derivations differ in length: the progress of a configuration, which grows with each
     * transition. Beam search compares configurations of equal progress; NULL: the number of
     * transitions is the progress. */
    int64_t (*progress)(const dd_config *config);
    /* DD_KIND of a move that only moves on to the next pair of words; 0: there is none. Derivations
     * contain it any number of times, so scores are counted relative to its score, and it adds
     * nothing itself. */
    int goes_on;
} dd_system_search;

struct dd_soft;

/* The oracles. Functions return false if allocation fails or the ticker of the space is cancelled.
 */
typedef struct dd_system_oracle {
    /* The static oracle: the canonical transition on the gold path, as the papers choose it. For
     * whole trees only. */
    dd_move (*canonical)(const dd_config *config, const dd_gold *gold);
    /* Wrong arcs built so far plus those that cannot be avoided any more. */
    bool (*loss)(dd_loss_space *space, const dd_config *config, const dd_gold *gold, int *loss);
    /* Losses and costs add up the weights of lost gold arcs if dd_gold has weights. If false, they
     * must not be computed for a gold tree with weights. */
    bool weighs_arcs;
    /* Names of the losses to choose from, the default first, ending in NULL; NULL: only the exact
     * one. */
    const char *const *loss_names;
    /* Where the rules have no costs: the loss after each move, up to a constant that is the same
     * for all moves. */
    bool (*losses)(dd_loss_space *space, const dd_config *config, const dd_gold *gold,
                   const dd_move *moves, int n_moves, int *losses);
    /* `losses` are exact and count the wrong arcs that the move and its successors build, so that
     * they can be followed from configuration to configuration. */
    bool losses_are_ahead;
    /* Whether a permissible move has cost 0 in a configuration of loss 0, where that is cheaper to
     * tell than by `losses`; or NULL. For whole trees only. */
    bool (*free_on_gold_path)(const dd_config *config, const dd_gold *gold, dd_move move);
    /* Costs of which only being 0 or not is exact, where that is cheaper to compute; or NULL.
     * `on_gold_path`: the configuration has loss 0. */
    bool (*zero_costs)(dd_loss_space *space, const dd_config *config, const dd_gold *gold,
                       bool on_gold_path, const dd_move *moves, int n_moves, int *costs);
    /* Which of several moves of cost 0 the oracles teach, where it matters; NULL: all of them. */
    bool (*preferred)(const dd_config *config, const dd_gold *gold, dd_move move);
    /* Where heads are unknown and several moves have cost 0, the oracles teach those that build a
     * known arc. A system needs this if it can put off an arc as long as its head has no head:
     * otherwise nothing in training would teach when to build the arc. */
    bool takes_known_arcs_first;
    /* DD_KIND of a move that only delays SH, kind 0, where both are free; 0: there is none.
     * Training then learns SH, so that derivations become shorter. */
    int puts_off_shift;
    /* NULL if the system can build the tree, or some tree that has the known arcs, else the reason
     * why not. */
    const char *(*refuses)(const dd_gold *gold, bool single_root);
    /* The largest part of the known arcs that it can build together: fills heads[1..n], DD_NONE
     * where an arc is left out. If there are several largest parts, it always chooses the same
     * one. */
    bool (*keep)(dd_loss_space *space, const dd_gold *gold, bool single_root, int32_t *heads);
    /* The greatest total weight of a tree in reach, arcs built so far included, where all arcs have
     * weights (transition/soft.h); NULL: no way is known to compute it. */
    bool (*best)(struct dd_soft *soft, const dd_config *config, int32_t *best);
    /* Training leaves out longer sentences, except with the static oracle or if the caller says
     * otherwise, because their losses could take minutes; 0: no limit. */
    int max_words;
    /* Words a second in training with the linear scorer, to estimate the time; 0: as most systems.
     */
    int pace;
} dd_system_oracle;

/* A transition system: its definition, then what the rest of the library has to know of it. In all
 * fields 0 means none. */
typedef struct dd_system {
    const char *name;
    const char *transitions; /* names of the moves, for people */
    const char *trees;       /* the trees it can build */
    const char *summary;
    const dd_move_rule *rules; /* [n_rules] */
    int n_rules;
    bool root_last;    /* where the root stands in the buffer */
    bool lists;        /* two lists of words beside a focus word, as Covington has them; no stack */
    bool nonmonotonic; /* an arc can be replaced by another one */
    bool arc_factored; /* systems/graph.c: no transition system; parse/graph.c finds its trees */
    void (*start)(dd_config *config); /* what an initial configuration has on its stack; or NULL */
    bool (*final)(const dd_config *config);
    dd_system_features features;
    dd_system_moves moves;
    dd_system_search search;
    dd_system_oracle oracle;
    /* Keeps constraints satisfiable (constraints/constraints.h); NULL: a search over the moves
     * does, in sentences that are short or easy enough. */
    const struct dd_guard *guard;
} dd_system;

bool dd_system_begin(const dd_system *system, dd_config *config, int n, bool single_root);
/* Fills moves (room for dd_system_max_moves) and returns how many; 0 only in final configurations.
 */
int dd_system_permissible(const dd_system *system, const dd_config *config, dd_move *moves);
int dd_system_max_moves(const dd_system *system, int n);
dd_arc dd_system_arc(const dd_system *system, const dd_config *config, dd_move move);
void dd_system_apply(const dd_system *system, dd_config *config, dd_move move, int label);
/* Fills arcs[n_moves], of moves in the order in which they are permissible. */
void dd_system_candidates(const dd_system *system, const dd_config *config, const dd_move *moves,
                          int n_moves, dd_candidate *arcs);
/* The cost of each move: how much larger its loss is than the smallest. False if allocation fails.
 */
bool dd_system_costs(const dd_system *system, dd_loss_space *space, const dd_config *config,
                     const dd_gold *gold, const dd_move *moves, int n_moves, int *costs);
/* Words that have a wrong head now, or the weights of their gold arcs. */
int dd_wrong_arcs(const dd_config *config, const dd_gold *gold);
/* SH, or LA@2 for a system whose moves carry numbers. */
enum { DD_MOVE_NAME_SIZE = 16 };
void dd_system_move_name(const dd_system *system, dd_move move, char name[DD_MOVE_NAME_SIZE]);
/* The variant of that name for dd_loss_space, or -1; NULL is the default. */
int dd_system_find_loss(const dd_system *system, const char *name);
/* "arc-eager has no loss 'upper'; ..." with those that it has. */
enum { DD_LOSS_MESSAGE_SIZE = 256 };
void dd_system_no_such_loss(const dd_system *system, const char *name,
                            char message[DD_LOSS_MESSAGE_SIZE]);

static inline bool dd_same_move(dd_move a, dd_move b)
{
    return a.kind == b.kind && a.k == b.k;
}

/* The direction in which the system builds the arc head -> dependent. */
dd_direction dd_system_direction(const dd_system *system, int head, int dependent);
void dd_loss_space_free(dd_loss_space *space);

/* "non-projective tree" or "several roots", NULL if neither: what a projective system refuses. */
const char *dd_refuse_nonprojective(const dd_gold *gold, bool single_root);

/* dd_system_oracle.refuses and .keep where nothing but a second root can be wrong. */
const char *dd_refuse_several_roots(const dd_gold *gold, bool single_root);
bool dd_keep_first_root(dd_loss_space *space, const dd_gold *gold, bool single_root,
                        int32_t *heads);

#endif
