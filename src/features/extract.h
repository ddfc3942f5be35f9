/* extract.h - from words and configurations to feature keys */
#ifndef DODONA_FEATURES_EXTRACT_H
#define DODONA_FEATURES_EXTRACT_H

#include "config/config.h"
#include "features/templates.h"
#include "text/sentence.h"

/* The token values of a sentence: what the templates ask of each word, as hashes. */
typedef struct dd_tokens {
    int n;
    int columns;      /* values a word */
    uint64_t *values; /* [(n + 2) * columns], word by word, the root first; 0 behind the last */
    size_t capacity;
} dd_tokens; /* {0} is valid */

void dd_tokens_free(dd_tokens *tokens);
/* Hashes what the templates use. Bit c of *present is added for each column c of the text that is
 * not `_` in some word. False when memory is out. */
bool dd_tokens_set(dd_tokens *tokens, const dd_templates *templates, const dd_sentence *sentence,
                   uint32_t *present);

/* Nodes and values of the configuration at hand. */
typedef struct dd_extraction {
    int nodes[DD_MAX_NODES];
    const uint64_t *words[DD_MAX_NODES]; /* the nodes' values in dd_tokens */
    uint64_t values[DD_MAX_VALUES];      /* odd; 0: absent */
    uint64_t products[DD_MAX_PRODUCTS];  /* 0: a value is absent */
} dd_extraction;

/* The arc that a move would build, and where its head stands in a spine (systems without spines:
 * 0).
 */
typedef struct dd_candidate {
    int head, dependent; /* DD_NONE: no arc */
    int place, rest;     /* nodes of the spine above and below the head */
} dd_candidate;

/* One key a template, in keys[templates->n_templates]; templates that ask for something absent (a
 * node that is not there, the label of a headless word) give none. Returns the number of keys. */
int dd_extract(const dd_templates *templates, const dd_config *config, const dd_tokens *tokens,
               dd_extraction *extraction, uint64_t *keys);
/* The same for one move, in keys[templates->n_move_templates], after dd_extract. */
int dd_extract_move(const dd_templates *templates, const dd_config *config, const dd_tokens *tokens,
                    dd_candidate candidate, dd_extraction *extraction, uint64_t *keys);

#endif
