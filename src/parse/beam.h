/* beam.h - beam search: of the derivations of each length, the best ones by score
 *
 *     items -> what can be done in each (parse/decode.h) -> scores -> the best candidates -> items
 *
 * A scorer is faster on several configurations at once, so that items are scored in groups: all of
 * a group are made ready, then scored, then their candidates are offered.
 *
 * In most systems all derivations of a sentence have the same number of transitions. In the others
 * an item that is ahead of the rest waits with its score until they have made the same progress
 * (dd_system_search.progress). A finished item waits in all systems. Candidates are ordered by
 * score, then by the rank of the item that they continue, then by the order of the decoder's moves
 * and classes; so a beam of 1 is the greedy parser. An item that is not finished and has no
 * permissible transition is dropped; if all items would be dropped, the best of them is the result,
 * and its headless words depend on 0.
 *
 * Configurations are copied only for candidates that are taken, and the last candidate of an item
 * gets the item's own configuration. A place that is reused holds an older configuration of the
 * same sentence, so only the nodes that changed since the two derivations parted are copied;
 * `steps`, the tree of all derivations, records which nodes these are. The search prefers a place
 * whose derivation parted recently. */
#ifndef DODONA_PARSE_BEAM_H
#define DODONA_PARSE_BEAM_H

#include "parse/decode.h"

typedef struct dd_beam_step {
    int32_t before; /* the step before it; DD_NONE: none */
    int32_t class_id;
    dd_move move;
    bool scored; /* it was chosen by a score and not because nothing was to be decided, and is not
                    the move dd_system_search.goes_on */
    size_t touched;            /* first of the nodes that changed, in dd_beam.touched */
    int n_touched, same_below; /* as in dd_config */
} dd_beam_step;

typedef struct dd_beam_item {
    dd_config config;
    int64_t score;  /* sum over its transitions */
    int32_t last;   /* step that made it; DD_NONE: the place was not used in this sentence */
    bool final;     /* no transition is left */
    float *margins; /* [n + 1] of the transition that attached each word, if wanted */
    size_t margins_capacity;
} dd_beam_item;

/* What is left after each item that did not wait has made a transition. */
typedef struct dd_beam_round {
    int64_t progress; /* of the items that made it; grows from round to round */
    int32_t best;     /* last step of the best item */
    int64_t best_score, worst_score;
    bool full; /* as many items as the beam is wide */
} dd_beam_round;

typedef struct dd_beam_candidate {
    int64_t score;
    uint64_t order; /* of those with the same score the first wins */
    int64_t gain;   /* what the transition adds */
    int32_t rank;   /* of the item that it continues */
    int32_t class_id;
    dd_move move; /* of kind DD_NONE: the item stays as it is */
    bool scored;  /* as in dd_beam_step */
} dd_beam_candidate;

/* What the best transition from an item adds, and the second. */
typedef struct dd_beam_pair {
    int64_t best, second; /* INT64_MIN: there is none */
} dd_beam_pair;

typedef struct dd_beam_search {
    const dd_inventory *inventory;
    int n;        /* words */
    int sentence; /* as in dd_view */
    bool single_root;
    const dd_constraints *constraints; /* NULL: none */
    int width;                         /* items, 1.. */
    double unit;                       /* of margins; 0: they are not wanted */
    dd_ticker *ticker;                 /* NULL: it is not cancelled */
    bool remember;                     /* keep all steps and rounds */
    void *user;
    /* Scores at most DD_SCORED_TOGETHER configurations. False: allocation failed. */
    bool (*score)(void *user, dd_decoder *const *decoders, int count);
    /* With a gold tree only moves of cost 0 and labels without loss are taken. */
    const dd_gold *gold;
    bool (*costs)(void *user, const dd_decoder *decoder, const int **costs);
} dd_beam_search;

typedef struct dd_beam {
    const dd_beam_search *search;
    dd_decoder decoders[DD_SCORED_TOGETHER]; /* items lend them their configurations in turn */
    dd_beam_item *items;                     /* [n_places] in no order */
    int32_t *ranked;                         /* [n_ranked] indices in items, the best first */
    int32_t *next;                           /* [width] the same for the next round */
    int32_t *children;       /* [width] candidates taken of each item, by its rank */
    int32_t *vacant;         /* [n_vacant] items that are not ranked */
    dd_beam_pair *pairs;     /* [width] by rank */
    dd_beam_candidate *heap; /* [n_heap] the worst first; sorted in the end, the best first */
    int n_places, n_ranked, n_vacant, n_heap;
    uint64_t offered;      /* candidates of this round */
    int64_t progress;      /* of the items that continue in this round */
    dd_beam_step *steps;   /* [n_steps] */
    int32_t *touched;      /* [n_touched] */
    dd_beam_round *rounds; /* [n_rounds] */
    size_t n_steps, n_touched, n_rounds;
    size_t round;    /* from 0 */
    uint64_t copied; /* nodes and places of the stack, from item to item; for tests */
    size_t items_capacity, ranked_capacity, next_capacity, children_capacity, vacant_capacity,
        pairs_capacity, heap_capacity, steps_capacity, touched_capacity, rounds_capacity;
} dd_beam; /* {0} is valid */

void dd_beam_free(dd_beam *beam);
/* Leaves the items in `ranked`, at least one. False: allocation failed, or the search is cancelled.
 */
bool dd_beam_run(dd_beam *beam, const dd_beam_search *search);

/* A round's candidates, into the heap; also whether items are final. False: allocation failed. */
bool dd_beam_find_candidates(dd_beam *beam);
/* The best first. */
void dd_beam_sort_candidates(dd_beam *beam);

static inline dd_beam_item *dd_beam_at(const dd_beam *beam, int rank)
{
    return &beam->items[beam->ranked[rank]];
}

#endif
