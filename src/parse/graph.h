/* graph.h - the search of arc-factored parsing (systems/graph.c)
 *
 *     scores of all heads of each word -> the best tree -> labels of its arcs
 *
 * Labels are chosen after heads, so that only the arcs of the tree need them. */
#ifndef DODONA_PARSE_GRAPH_H
#define DODONA_PARSE_GRAPH_H

#include "parse/decode.h"
#include "tree/maximum.h"

/* One thread's workspace. */
typedef struct dd_graph_search {
    int32_t *scores; /* [n + 1][n + 1] by dependent and head */
    int32_t *heads;  /* [n + 1] of the tree */
    dd_max_tree tree;
    size_t scores_capacity, heads_capacity;
} dd_graph_search; /* {0} is valid */

void dd_graph_search_free(dd_graph_search *search);

/* How configurations are scored. */
typedef struct dd_graph_scorer {
    double unit; /* of margins */
    void *user;
    /* Scores the decoder's configuration, and may leave out the labels of all moves but the best.
     * False: allocation failed. */
    bool (*score)(void *user, dd_decoder *decoder);
} dd_graph_scorer;

/* Leaves the tree in the configuration of a decoder that has begun. Each word gets the margin by
 * which it prefers its head to the best other one, which is below 0 where that one would not make a
 * tree. The sum of the scores goes to *sum. False: allocation failed. */
bool dd_graph_search_run(dd_graph_search *search, dd_decoder *decoder,
                         const dd_graph_scorer *scorer, float *margins, int64_t *sum);

#endif
