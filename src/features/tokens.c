#include "features/tokens.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const uint32_t root_value = UINT32_C(0x509E6557);

void dd_token_batch_free(dd_token_batch *batch)
{
    free(batch->tokens);
    free(batch->values);
    *batch = (dd_token_batch){0};
}

uint32_t dd_templates_columns(const dd_templates *templates)
{
    uint32_t columns = 0;
    for (int i = 0; i < templates->n_columns; i++)
        columns |= UINT32_C(1) << templates->columns[i].column;
    return columns;
}

static uint32_t hash_text(dd_text text)
{
    return (uint32_t)XXH3_64bits(text.data, text.size);
}

/* The value of one feature in Name=Value|Name=Value, or of `_` if it is not there. */
static uint32_t hash_feature(dd_text feats, dd_text name)
{
    const char *at = feats.data, *end = feats.data + feats.size;
    while (at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        const char *stop = bar ? bar : end;
        size_t size = (size_t)(stop - at);
        if (size > name.size && at[name.size] == '=' && memcmp(at, name.data, name.size) == 0)
            return hash_text((dd_text){at + name.size + 1, size - name.size - 1});
        at = bar ? bar + 1 : end;
    }
    return hash_text((dd_text){"_", 1});
}

static void set_word(uint32_t *values, const dd_templates *templates, const dd_sentence *sentence,
                     int word, uint32_t columns)
{
    for (int i = 0; i < templates->n_columns; i++) {
        const dd_token_column *rule = &templates->columns[i];
        bool used = columns >> rule->column & 1;
        dd_text cell = used ? dd_cell(sentence, word, rule->column) : (dd_text){"_", 1};
        values[i] = rule->feature.size ? hash_feature(cell, rule->feature) : hash_text(cell);
    }
}

static void set_sentence(dd_tokens *tokens, const dd_templates *templates,
                         const dd_sentence *sentence, uint32_t columns)
{
    size_t stride = (size_t)templates->stride;
    memset(tokens->values, 0, ((size_t)sentence->n + 1) * stride * sizeof *tokens->values);
    for (int i = 0; i < templates->n_columns; i++) tokens->values[i] = root_value;
    for (int word = 1; word <= sentence->n; word++)
        set_word(tokens->values + (size_t)word * stride, templates, sentence, word, columns);
}

/* Room for more nodes; those that there are may move. There is room even where no template asks for
 * a column, so that values are not NULL. */
static bool reserve_nodes(dd_token_batch *batch, int stride, size_t nodes)
{
    uintptr_t before = (uintptr_t)batch->values;
    if (!DD_RESERVE(&batch->values, &batch->values_capacity,
                    batch->used + nodes * (size_t)stride + 1))
        return false;
    if ((uintptr_t)batch->values == before) return true;
    size_t at = 0;
    for (size_t i = 0; i < batch->count; i++) {
        batch->tokens[i].values = batch->values + at;
        at += ((size_t)batch->tokens[i].n + 1) * (size_t)stride;
    }
    return true;
}

static void add_sentence(dd_token_batch *batch, const dd_templates *templates,
                         const dd_sentence *sentence, uint32_t columns)
{
    dd_tokens *tokens = &batch->tokens[batch->count++];
    *tokens = (dd_tokens){sentence->n, templates->stride, batch->values + batch->used};
    set_sentence(tokens, templates, sentence, columns);
    batch->used += ((size_t)sentence->n + 1) * (size_t)templates->stride;
}

bool dd_token_batch_set(dd_token_batch *batch, const dd_templates *templates,
                        const dd_sentence *const *sentences, size_t count, uint32_t columns)
{
    size_t nodes = 0;
    batch->count = batch->used = 0;
    for (size_t i = 0; i < count; i++) nodes += (size_t)sentences[i]->n + 1;
    if (!DD_RESERVE(&batch->tokens, &batch->tokens_capacity, count) ||
        !reserve_nodes(batch, templates->stride, nodes))
        return false;
    for (size_t i = 0; i < count; i++) add_sentence(batch, templates, sentences[i], columns);
    return true;
}

bool dd_token_batch_add(dd_token_batch *batch, const dd_templates *templates,
                        const dd_sentence *sentence, uint32_t columns)
{
    if (!DD_RESERVE(&batch->tokens, &batch->tokens_capacity, batch->count + 1) ||
        !reserve_nodes(batch, templates->stride, (size_t)sentence->n + 1))
        return false;
    add_sentence(batch, templates, sentence, columns);
    return true;
}
