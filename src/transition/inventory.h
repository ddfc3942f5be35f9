/* inventory.h - the labelled transitions of a model ("classes"): each move with each label that the
 * training data showed in its direction
 *
 * Root-label rule, for all systems: an arc from 0 takes only labels seen on arcs from 0, any other
 * arc only labels seen on other arcs. */
#ifndef DODONA_TRANSITION_INVENTORY_H
#define DODONA_TRANSITION_INVENTORY_H

#include "core/strings.h"
#include "kernels/kernels.h"
#include "transition/system.h"

enum { DD_MAX_KINDS = 16, DD_MAX_CLASSES = 65536 };

/* Where a label was seen; DD_MAIN_ROOT marks the most frequent label of arcs from 0. */
enum { DD_SEEN_LEFT = 1, DD_SEEN_RIGHT = 2, DD_SEEN_ROOT = 4, DD_MAIN_ROOT = 8 };

typedef struct dd_class {
    int16_t kind;  /* move */
    int16_t label; /* DD_NONE if the move builds no arc */
} dd_class;

/* Which classes of a move can be used depends on the arc that it builds. */
typedef enum dd_use { DD_USE_WORD = 0, DD_USE_ROOT, DD_USE_ARCLESS, DD_USES } dd_use;

/* A run of classes. */
typedef struct dd_class_list {
    int first, count;
} dd_class_list;

typedef struct dd_inventory {
    const dd_system *system;
    dd_vocab labels;
    uint8_t *seen;   /* [labels.count] DD_SEEN_* */
    uint64_t *roots; /* [labels.count] arcs from 0 seen with the label */
    size_t seen_capacity, roots_capacity;
    int root_label; /* the label of words that no transition attached, which depend on 0 */
    int n_classes;
    dd_class *classes; /* [n_classes] */
    dd_class_list lists[DD_MAX_KINDS][DD_USES];
    const dd_kernels *kernels;
    int going_on; /* the class of the move dd_system_search.goes_on; DD_NONE: there is none */
} dd_inventory;   /* {0} is valid */

void dd_inventory_free(dd_inventory *inventory);
/* Where the label of an arc is seen. */
int dd_inventory_place(const dd_system *system, int head, int dependent);
/* The label's number, after noting where it was seen; -1 if allocation fails. */
int dd_inventory_see(dd_inventory *inventory, dd_text label, int seen);
/* Makes the classes once all labels are known. */
dd_status dd_inventory_close(dd_inventory *inventory, const dd_system *system, dd_error *error);
/* Call it after dd_inventory_close: the label's number; DD_NONE if no class gives the label to such
 * an arc. */
int dd_inventory_find(const dd_inventory *inventory, dd_text label, int head, int dependent);

/* One line a label: "lr0m<TAB>name", with a letter for each place where it was seen. */
bool dd_inventory_write(const dd_inventory *inventory, dd_buffer *out);
dd_status dd_inventory_read(dd_inventory *inventory, dd_text text, const dd_system *system,
                            dd_error *error);

static inline dd_use dd_use_of(dd_arc arc)
{
    if (arc.dependent == DD_NONE) return DD_USE_ARCLESS;
    return arc.head == 0 ? DD_USE_ROOT : DD_USE_WORD;
}

static inline dd_class_list dd_classes_of(const dd_inventory *inventory, int kind, dd_use use)
{
    return inventory->lists[kind][use];
}

#endif
