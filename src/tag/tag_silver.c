/* tag_silver.c - words that a tagger has tagged, for another to learn from beside the treebank
 *
 * The whole file is read and checked once; then a window of it is in memory at a time. */
#include "core/memory.h"
#include "core/status.h"
#include "tag/tag_network.h"

#include <stdlib.h>

void dd_tag_silver_free(dd_tag_silver *silver)
{
    dd_windows_close(&silver->windows);
    free(silver->tags);
    free(silver->starts);
    dd_draws_free(&silver->draws);
}

/* ---- one sentence ------------------------------------------------------------------------- */

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

static bool add(dd_tag_silver *silver, const dd_tag_lessons *to, const dd_sentence *sentence)
{
    size_t count = silver->count;
    if (!DD_RESERVE(&silver->starts, &silver->starts_capacity, count + 2) ||
        !dd_draws_add(&silver->draws, count))
        return false;
    if (count == 0) silver->starts[0] = 0;
    if (!add_tags(silver, to->gold, sentence) || !dd_codes_add(to->codes, to->coder, sentence))
        return false;
    silver->count++;
    return true;
}

/* Without keeping it. False if allocation fails. */
static bool count_taught(dd_tag_silver *silver, dd_tag_gold *gold, const dd_sentence *sentence)
{
    for (int word = 1; word <= sentence->n && silver->taught == 0; word++) {
        int tag = dd_tag_gold_find(gold, sentence, word);
        if (tag == DD_TAG_NO_MEMORY) return false;
        silver->taught += tag >= 0;
    }
    return true;
}

/* DD_END: there are no more. Malformed ones were told of when they were first read. */
static dd_status read_sentence(dd_tag_silver *silver, const dd_tag_lessons *to, bool keep,
                               dd_error *error)
{
    dd_error why;
    const dd_tagger_options *options = to->options;
    dd_status status = dd_reader_next(silver->windows.reader, silver->sentence, &why);
    if (status == DD_ERROR_FORMAT && options->skip_bad) {
        if (options->bad && !silver->windows.known) options->bad(options->user, &why);
        return DD_OK;
    }
    if (status != DD_OK) {
        if (error && status != DD_END) *error = why;
        return status;
    }
    dd_windows_note(&silver->windows, silver->sentence);
    if (to->gold->count + silver->count >= UINT32_MAX)
        return dd_fail(error, DD_ERROR_DATA, "%.200s: too many sentences", options->silver);
    bool ok =
        keep ? add(silver, to, silver->sentence) : count_taught(silver, to->gold, silver->sentence);
    return ok ? DD_OK : dd_fail_memory(error);
}

/* ---- windows ------------------------------------------------------------------------------ */

/* DD_END: it was the last of the file. */
static dd_status read_window(dd_tag_silver *silver, const dd_tag_lessons *to, bool keep,
                             dd_error *error)
{
    dd_status ended, status = dd_sentence_new(&silver->sentence, error);
    while (status == DD_OK && dd_windows_left(&silver->windows) > 0)
        status = read_sentence(silver, to, keep, error);
    dd_sentence_free(silver->sentence);
    silver->sentence = NULL;
    if (status != DD_OK && status != DD_END) return status;
    ended = dd_windows_end(&silver->windows, status == DD_END, error);
    return ended == DD_OK ? status : ended;
}

dd_status dd_tag_silver_read(dd_tag_silver *silver, const dd_tag_lessons *to, dd_error *error)
{
    const dd_tagger_options *options = to->options;
    if (!options->silver) return DD_OK;
    dd_draws_seed(&silver->draws, options->seed);
    dd_status status = dd_windows_open(&silver->windows, options->silver, options->format,
                                       options->silver_window, error);
    while (status == DD_OK) status = read_window(silver, to, silver->windows.count == 0, error);
    if (status != DD_END) return status;
    if (silver->taught > 0) return DD_OK;
    return dd_fail(error, DD_ERROR_DATA, "%.200s: no word has tags of the treebank",
                   options->silver);
}

dd_status dd_tag_silver_next_window(dd_tag_silver *silver, const dd_tag_lessons *to,
                                    dd_error *error)
{
    silver->count = silver->drawn_here = 0;
    dd_codes_forget(to->codes, to->gold->count);
    dd_status status = dd_windows_next(&silver->windows, error);
    if (status == DD_OK) status = read_window(silver, to, true, error);
    return status == DD_END ? DD_OK : status;
}

uint32_t dd_tag_silver_next(dd_tag_silver *silver)
{
    uint32_t sentence = dd_draws_next(&silver->draws, silver->count);
    silver->drawn += silver->starts[sentence + 1] - silver->starts[sentence];
    silver->drawn_here++;
    return sentence;
}
