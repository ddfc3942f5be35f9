/* tokens.h - what the templates ask of each word, as hashes: from columns to numbers, once a
 * sentence
 */
#ifndef DODONA_FEATURES_TOKENS_H
#define DODONA_FEATURES_TOKENS_H

#include "features/templates.h"
#include "text/sentence.h"

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

/* Bits of dd_column. */
#define DD_ALL_COLUMNS UINT32_MAX

void dd_token_batch_free(dd_token_batch *batch);
/* Hashes what the templates use; columns whose bit is not in `columns` are taken for `_`. False
 * if allocation fails. */
bool dd_token_batch_set(dd_token_batch *batch, const dd_templates *templates,
                        const dd_sentence *const *sentences, size_t count, uint32_t columns);
/* Adds one more, likewise; it need not stay. */
bool dd_token_batch_add(dd_token_batch *batch, const dd_templates *templates,
                        const dd_sentence *sentence, uint32_t columns);
/* The columns that the templates use, as bits. */
uint32_t dd_templates_columns(const dd_templates *templates);

#endif
