/* attardi_table.h - the fewest gold arcs to give up so that the rest of a forest can be built
 * (attardi_forest.h), by the tabular method of attardi-oracle-2014, sections 4 and 5
 *
 * An item (frame, a, b, j) stands for all computations that leave a and b on top of what the frame
 * says, with the buffer at j. A frame is one of
 *
 *     p        the lowest p nodes of the stack, as they are now: the whole configuration is known
 *     (x, i)   the paper's item [x, a b]: a and b stand in place of x, which was on top when the
 *              buffer was at i; what lies below is open
 *
 * Unlike the paper's table this one is filled on demand, from the configuration on, those items
 * first that have the fewest arcs given up, and it ends with the final configuration. Where a
 * complete word can be attached at no cost, nothing else is tried. The paper's restriction of arcs
 * among buffer words is not used: it is wrong (docs/theory/errata.md). */
#ifndef DODONA_SYSTEMS_ATTARDI_TABLE_H
#define DODONA_SYSTEMS_ATTARDI_TABLE_H

#include "systems/attardi/attardi_forest.h"
#include "transition/system.h"

/* Counts to limit + 1 at most. Works behind the first `used` cells of the space, where the forest
 * may lie; its pointers are not valid afterwards. False if allocation fails. */
bool dd_attardi_table(dd_loss_space *space, size_t used, const dd_forest *forest, int limit,
                      int *given_up);

#endif
