/* extract.h - from words and configurations to feature keys
 *
 *     sentence -> hashes of what the templates ask of each word, once a sentence
 *     configuration -> nodes, values -> one key a template */
#ifndef DODONA_LINEAR_EXTRACT_H
#define DODONA_LINEAR_EXTRACT_H

#include "linear/templates.h"
#include "text/sentence.h"
#include "transition/system.h"

/* ---- words as hashes ------------------------------------------------------------------------- */

/* The words of one sentence. */
typedef struct dd_tokens {
    int n;
    int stride;       /* values per word, with 0 after those that are used */
    uint32_t *values; /* [(n + 1) * stride], word by word, the root first */
} dd_tokens;

/* Those of several sentences, in one block. */
typedef struct dd_token_batch {
    dd_tokens *tokens; /* [count] */
    uint32_t *values;
    size_t count, used, tokens_capacity, values_capacity;
} dd_token_batch; /* {0} is valid */

/* Keeps the first `count` sentences and forgets the others. */
void dd_token_batch_forget(dd_token_batch *batch, size_t count);

/* Bits of dd_column. */
#define DD_ALL_COLUMNS UINT32_MAX

void dd_token_batch_free(dd_token_batch *batch);
/* Hashes what the templates use; columns whose bit is not in `columns` are taken for `_`. False
 * if allocation fails. */
bool dd_token_batch_set(dd_token_batch *batch, const dd_templates *templates,
                        const dd_sentence *const *sentences, size_t count, uint32_t columns);
/* Adds one more sentence in the same way; it need not outlive the call. */
bool dd_token_batch_add(dd_token_batch *batch, const dd_templates *templates,
                        const dd_sentence *sentence, uint32_t columns);
/* The columns that the templates use, as bits. */
uint32_t dd_templates_columns(const dd_templates *templates);

/* ---- keys of configurations and moves -------------------------------------------------------- */

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
