/* tag_silver.c - words that a tagger has tagged, for another to learn from beside the treebank */
#include "core/memory.h"
#include "core/status.h"
#include "tag/tag_network.h"

#include <stdlib.h>

void dd_tag_silver_free(dd_tag_silver *silver)
{
    free(silver->tags);
    free(silver->starts);
    dd_draws_free(&silver->draws);
}

/* False if allocation fails. */
static bool add_tags(dd_tag_silver *silver, dd_tag_gold *gold, const dd_sentence *sentence)
{
    size_t at = silver->starts[silver->count];
    if (!DD_RESERVE(&silver->tags, &silver->tags_capacity, at + (size_t)sentence->n)) return false;
    for (int word = 1; word <= sentence->n; word++) {
        int tag = dd_tag_gold_find(gold, sentence, word);
        if (tag == DD_TAG_NO_MEMORY) return false;
        silver->tags[at++] = tag < 0 ? (uint16_t)DD_NOT_TAUGHT : (uint16_t)tag;
        silver->taught += tag >= 0;
    }
    silver->starts[silver->count + 1] = at;
    return true;
}

static bool add(dd_tag_silver *silver, dd_tag_gold *gold, const dd_sentence *sentence)
{
    size_t count = silver->count;
    if (!DD_RESERVE(&silver->starts, &silver->starts_capacity, count + 2) ||
        !dd_draws_add(&silver->draws, count))
        return false;
    if (count == 0) silver->starts[0] = 0;
    if (!add_tags(silver, gold, sentence)) return false;
    silver->count++;
    return true;
}

/* DD_END: there are no more. */
static dd_status read_some(dd_tag_silver *silver, dd_reader *reader, dd_sentence *sentence,
                           const dd_tagger_options *options, dd_tag_gold *gold,
                           const dd_coder *coder, dd_codes *codes, dd_error *error)
{
    dd_error why;
    dd_status status = dd_reader_next(reader, sentence, &why);
    if (status == DD_ERROR_FORMAT && options->skip_bad) {
        if (options->bad) options->bad(options->user, &why);
        return DD_OK;
    }
    if (status != DD_OK) {
        if (error && status != DD_END) *error = why;
        return status;
    }
    if (gold->count + silver->count >= UINT32_MAX)
        return dd_fail(error, DD_ERROR_DATA, "%.200s: too many sentences", options->silver);
    return add(silver, gold, sentence) && dd_codes_add(codes, coder, sentence)
               ? DD_OK
               : dd_fail_memory(error);
}

dd_status dd_tag_silver_read(dd_tag_silver *silver, const dd_tagger_options *options,
                             dd_tag_gold *gold, const dd_coder *coder, dd_codes *codes,
                             dd_error *error)
{
    if (!options->silver) return DD_OK;
    dd_reader *reader = NULL;
    dd_sentence *sentence = NULL;
    dd_draws_seed(&silver->draws, options->seed);
    dd_status status = dd_reader_open(&reader, options->silver, options->format, error);
    if (status == DD_OK) status = dd_sentence_new(&sentence, error);
    while (status == DD_OK)
        status = read_some(silver, reader, sentence, options, gold, coder, codes, error);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    if (status != DD_END) return status;
    if (silver->taught > 0) return DD_OK;
    return dd_fail(error, DD_ERROR_DATA, "%.200s: no word has tags of the treebank",
                   options->silver);
}

uint32_t dd_tag_silver_next(dd_tag_silver *silver)
{
    uint32_t sentence = dd_draws_next(&silver->draws, silver->count);
    silver->drawn += silver->starts[sentence + 1] - silver->starts[sentence];
    return sentence;
}
