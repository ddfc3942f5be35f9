/* system.h - what a transition system is
 *
 * One file a system: the rule of each move (legality, arc, application, cost) stands in one place
 * and the file ends in its const descriptor; registry.c lists the descriptors. Costs here are
 * unlabelled; label loss is added once for all systems in oracles/oracle.c. */
#ifndef DODONA_SYSTEMS_SYSTEM_H
#define DODONA_SYSTEMS_SYSTEM_H

#include "config/config.h"
#include "tree/gold.h"

/* An unlabelled transition of a system. */
typedef struct dd_move {
    int16_t kind; /* index in dd_system.rules */
    int16_t k;    /* for systems whose moves carry a number, such as LA@k; 0 elsewhere */
} dd_move;

typedef struct dd_arc {
    int head, dependent; /* DD_NONE: the move builds no arc */
} dd_arc;

typedef enum dd_direction { DD_NO_ARC = 0, DD_LEFT_ARC, DD_RIGHT_ARC } dd_direction;

/* Working memory of losses that need a table, grown as needed; {0} is valid. */
typedef struct dd_loss_space {
    int32_t *memory;
    size_t capacity;
} dd_loss_space;

typedef struct dd_move_rule {
    const char *name; /* SH, LA, ... as in the papers */
    dd_direction direction;
    bool (*legal)(const dd_config *config);
    dd_arc (*arc)(const dd_config *config); /* NULL: no arc */
    void (*advance)(dd_config *config);     /* the stack and the buffer, not the arc */
    int (*cost)(const dd_config *config, const dd_gold *gold); /* NULL: see dd_system.losses */
} dd_move_rule;

typedef struct dd_system {
    const char *name;
    const char *transitions; /* names of the moves, for people */
    const char *trees;       /* the trees it can build */
    const char *summary;
    const char *templates;     /* name of its default feature templates */
    const dd_move_rule *rules; /* [n_rules] */
    int n_rules;
    bool root_last;                   /* where the root stands in the buffer */
    void (*start)(dd_config *config); /* what an initial configuration has on its stack; or NULL */
    bool (*final)(const dd_config *config);
    /* The static oracle: the canonical transition on the gold path, as the papers choose it. */
    int (*canonical)(const dd_config *config, const dd_gold *gold);
    /* For systems that are not arc-decomposable: loss[m] = the smallest number of wrong arcs among
     * those that moves[m] and its successors build. False when memory is out. */
    bool (*losses)(dd_loss_space *space, const dd_config *config, const dd_gold *gold,
                   const dd_move *moves, int n_moves, int *loss);
    /* Whether a permissible move has cost 0 in a configuration of loss 0, where that is cheaper to
     * tell than by `losses`; or NULL. */
    bool (*free_on_gold_path)(const dd_config *config, const dd_gold *gold, dd_move move);
    /* Smallest number of wrong arcs among those still to be built. False when memory is out. */
    bool (*remaining_loss)(dd_loss_space *space, const dd_config *config, const dd_gold *gold,
                           int *loss);
    /* NULL if the system can build the tree, else the reason why not. */
    const char *(*refuses)(const dd_gold *gold, bool single_root);
} dd_system;

/* registry.c */
size_t dd_system_count(void);
const dd_system *dd_system_get(size_t index);      /* NULL beyond the last */
const dd_system *dd_system_find(const char *name); /* NULL if there is none */

/* system.c */
bool dd_system_begin(const dd_system *system, dd_config *config, int n, bool single_root);
/* Fills moves (room for dd_system_max_moves) and returns how many; 0 only in final configurations.
 */
int dd_system_permissible(const dd_system *system, const dd_config *config, dd_move *moves);
int dd_system_max_moves(const dd_system *system, int n);
dd_arc dd_system_arc(const dd_system *system, const dd_config *config, dd_move move);
void dd_system_apply(const dd_system *system, dd_config *config, dd_move move, int label);
/* The cost of each move: how much the loss grows. False when memory is out. */
bool dd_system_costs(const dd_system *system, dd_loss_space *space, const dd_config *config,
                     const dd_gold *gold, const dd_move *moves, int n_moves, int *costs);
/* Wrong arcs built so far plus the wrong ones that cannot be avoided any more. */
bool dd_system_loss(const dd_system *system, dd_loss_space *space, const dd_config *config,
                    const dd_gold *gold, int *loss);
/* The direction in which the system builds the arc head -> dependent. */
dd_direction dd_system_direction(const dd_system *system, int head, int dependent);
void dd_loss_space_free(dd_loss_space *space);

/* "non-projective tree" or "several roots", NULL if neither: what a projective system refuses. */
const char *dd_refuse_nonprojective(const dd_gold *gold, bool single_root);

#endif
