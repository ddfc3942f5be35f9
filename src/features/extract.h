/* extract.h - from words and configurations to feature keys */
#ifndef DODONA_FEATURES_EXTRACT_H
#define DODONA_FEATURES_EXTRACT_H

#include "config/config.h"
#include "features/templates.h"
#include "text/sentence.h"

/* The token values of a sentence: what the templates ask of each word, as hashes. */
typedef struct dd_tokens {
    int n;
    int stride;       /* values a word, with 0 behind those that are used */
    uint32_t *values; /* [(n + 1) * stride], word by word, the root first */
    size_t capacity;
} dd_tokens; /* {0} is valid */

/* Bits of dd_column. */
#define DD_ALL_COLUMNS UINT32_MAX

void dd_tokens_free(dd_tokens *tokens);
/* Hashes what the templates use; columns whose bit is not in `columns` are taken for `_`. Bit c of
 * *present is added for each other column c that is not `_` in some word. False when memory is out.
 */
bool dd_tokens_set(dd_tokens *tokens, const dd_templates *templates, const dd_sentence *sentence,
                   uint32_t columns, uint32_t *present);
/* Takes these columns for `_` after all. */
void dd_tokens_leave_out(dd_tokens *tokens, const dd_templates *templates, uint32_t columns);

/* Nodes and values of the configuration at hand. */
typedef struct dd_extraction {
    int nodes[DD_MAX_NODES];
    uint32_t values[DD_MAX_PLACES]; /* see dd_value_place; those that are there hold */
    dd_lane_set present;            /* templates that gave the keys made last, in order */
    dd_lane_set present_moves;      /* of moves, as far as the configuration tells */
    uint32_t base[DD_MAX_TEMPLATES + DD_KEY_LANES]; /* the same for their keys */
} dd_extraction;

/* The arc that a move would build, and where its head stands in a spine (systems without spines:
 * 0).
 */
typedef struct dd_candidate {
    int head, dependent; /* DD_NONE: no arc */
    int place, rest;     /* nodes of the spine above and below the head */
} dd_candidate;

/* Room for the keys of either kind of templates. */
static inline size_t dd_keys_room(const dd_templates *templates)
{
    return (size_t)dd_templates_count(templates) + DD_KEY_LANES;
}

/* One key a template, in keys[dd_keys_room]; templates that ask for something absent (a
 * node that is not there, the label of a headless word) give none. Returns the number of keys. */
int dd_extract(const dd_templates *templates, const dd_config *config, const dd_tokens *tokens,
               dd_extraction *extraction, uint32_t *keys);
/* The same for one move, after dd_extract. */
int dd_extract_move(const dd_templates *templates, const dd_config *config, const dd_tokens *tokens,
                    dd_candidate candidate, dd_extraction *extraction, uint32_t *keys);

#endif
