/* slow_beam.h - beam search and exhaustive search in the plainest way: all is copied, all is
 * sorted. Scores are random but fixed for each configuration and transition. */
#ifndef DODONA_TESTS_SLOW_BEAM_H
#define DODONA_TESTS_SLOW_BEAM_H

#include "parse/beam.h"

typedef struct scenario {
    dd_inventory *inventory;
    int n;
    bool single_root;
    uint64_t seed;
    int range;      /* gains lie in -range..range */
    int shift_gain; /* added to kind 0 */
} scenario;

/* A derivation that has come so far. */
typedef struct slow_item {
    dd_config config;
    int64_t score;
    bool final;
    float *margins; /* [n + 1] */
} slow_item;

typedef struct slow_list {
    slow_item *items;
    size_t count, capacity;
} slow_list;

/* The gain of a transition, and what dd_beam_search.score wants: user is a scenario. */
int32_t slow_gain(const scenario *s, const dd_config *config, dd_move move, int class_id);
bool slow_score(void *user, dd_decoder *const *decoders, int count);
void slow_free(slow_list *list);
/* All derivations, the best first. */
void slow_all(const scenario *s, slow_list *out);
/* What a beam of that width ends with, the best first. */
void slow_beam(const scenario *s, int width, slow_list *out);

#endif
