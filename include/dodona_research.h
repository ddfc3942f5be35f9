/* dodona_research.h - what only papers ask of training
 *
 * How large the configurations are that greedy training visits, final ones left out. The time of an
 * oracle that needs a table depends on it, so they are counted for the systems with such an oracle
 * only: arc-standard, lr-spine and attardi. See docs/experiments.md.
 *
 *     dd_shapes shapes = {.tables_every = 100};
 *     watch.shapes = &shapes;
 *     dd_train(..., &watch, ...);
 */
#ifndef DODONA_RESEARCH_H
#define DODONA_RESEARCH_H

#include <dodona.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DD_SHAPE_DIAGONALS = 100 };

typedef struct dd_shapes {
    int tables_every;        /* to be set: of how many configurations one has the table of lr-spine
                                filled, which is slow; 0: none */
    uint64_t configurations; /* the sums below are over these */
    uint64_t stack, buffer;  /* nodes, 0 included */
    uint64_t reduced; /* what is left of the buffer: the right stack (tabular-oracles-2014, section
                         4.2), in attardi the reduced buffer (attardi-oracle-2014, section 5.2) */
    int largest_stack, largest_buffer, largest_reduced;
    double share;                    /* (stack + reduced) / words of the sentence */
    uint64_t tables;                 /* filled */
    int longest[DD_SHAPE_DIAGONALS]; /* list T[i, j] with i + j - 1 = 1, 2, .., the last: or more */
} dd_shapes;                         /* {0} is empty; training adds to it */

#ifdef __cplusplus
}
#endif
#endif
