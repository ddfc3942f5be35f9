/* extract.h - from hashed words and configurations to feature keys */
#ifndef DODONA_FEATURES_EXTRACT_H
#define DODONA_FEATURES_EXTRACT_H

#include "features/tokens.h"
#include "transition/system.h"

/* Nodes and values of the configuration at hand. */
typedef struct dd_extraction {
    int nodes[DD_MAX_NODES];
    uint32_t values[DD_MAX_PLACES]; /* see dd_value_place; those that are there hold */
    dd_lane_set present;            /* templates that gave the keys made last, in order */
    dd_lane_set present_moves;      /* of moves, as far as the configuration tells */
    uint32_t base[DD_MAX_TEMPLATES + DD_KEY_LANES]; /* the same for their keys */
} dd_extraction;

/* Room for the keys of either kind of templates. */
static inline size_t dd_keys_room(const dd_templates *templates)
{
    return (size_t)dd_templates_count(templates) + DD_KEY_LANES;
}

/* The nodes that templates of configurations name, in the order of dd_templates.nodes. */
void dd_find_nodes(const dd_templates *templates, const dd_config *config, int *nodes);

/* One key a template, in keys[dd_keys_room]; templates that ask for something absent (a
 * node that is not there, the label of a headless word) give none. Returns the number of keys. */
int dd_extract(const dd_templates *templates, const dd_config *config, const dd_tokens *tokens,
               dd_extraction *extraction, uint32_t *keys);
/* The same for one move, after dd_extract. */
int dd_extract_move(const dd_templates *templates, const dd_config *config, const dd_tokens *tokens,
                    dd_candidate candidate, dd_extraction *extraction, uint32_t *keys);

#endif
