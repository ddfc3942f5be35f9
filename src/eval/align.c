#include "eval/corpus.h"

#include "core/memory.h"
#include "text/utf8.h"

#include <stdlib.h>

void dd_eval_alignment_free(dd_eval_alignment *alignment)
{
    free(alignment->system_of);
    free(alignment->gold_of);
    *alignment = (dd_eval_alignment){0};
}

static bool start(dd_eval_alignment *alignment, size_t n_gold, size_t n_system)
{
    alignment->matched = 0;
    alignment->system_of = dd_calloc(n_gold, sizeof *alignment->system_of);
    alignment->gold_of = dd_calloc(n_system, sizeof *alignment->gold_of);
    if (!alignment->system_of || !alignment->gold_of) return false;
    for (size_t i = 0; i < n_gold; i++) alignment->system_of[i] = -1;
    for (size_t i = 0; i < n_system; i++) alignment->gold_of[i] = -1;
    return true;
}

static void match(dd_eval_alignment *alignment, size_t gold, size_t system)
{
    alignment->system_of[gold] = (int32_t)system;
    alignment->gold_of[system] = (int32_t)gold;
    alignment->matched++;
}

/* ---- the same characters ---- */

/* Up to 20 characters from `at`, as the official evaluation shows them. */
static dd_quote quote_at(const dd_buffer *text, size_t at)
{
    size_t end = at;
    for (int characters = 0; end < text->size; end++) {
        bool starts = ((unsigned char)text->data[end] & 0xC0) != 0x80;
        if (starts && ++characters > 20) break;
    }
    return dd_quote_text((dd_text){text->data ? text->data + at : "", end - at});
}

/* Line of the token that covers the byte `at`; the last token's behind the end. */
static uint64_t line_at(const dd_eval_corpus *corpus, size_t at)
{
    size_t low = 0, high = corpus->n_tokens;
    if (!high) return 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (corpus->tokens[middle].start <= at)
            low = middle;
        else
            high = middle;
    }
    return corpus->tokens[low].line;
}

static dd_status check_characters(const dd_eval_corpus *gold, const dd_eval_corpus *system,
                                  dd_error *error)
{
    const dd_buffer *left = &gold->text, *right = &system->text;
    size_t at = 0;
    while (at < left->size && at < right->size && left->data[at] == right->data[at]) at++;
    if (at == left->size && at == right->size) return DD_OK;
    while (at > 0 && ((at < left->size && ((unsigned char)left->data[at] & 0xC0) == 0x80) ||
                      (at < right->size && ((unsigned char)right->data[at] & 0xC0) == 0x80)))
        at--;
    return dd_fail_at(error, DD_ERROR_DATA, system->name, line_at(system, at), 0,
                      "the characters of the words differ: '%s' here, '%s' in %.150s:%llu",
                      quote_at(right, at).text, quote_at(left, at).text, gold->name,
                      (unsigned long long)line_at(gold, at));
}

/* ---- around multiword tokens ---- */

/* A place in the words of one file. */
typedef struct cursor {
    const dd_eval_word *words; /* [count] */
    size_t count, at;
} cursor;

/* Words at..end of each file, to be aligned with each other. */
typedef struct region {
    size_t gold, system;
    size_t gold_end, system_end;
} region;

static const dd_eval_word *here(const cursor *place)
{
    return &place->words[place->at];
}

static bool is_behind(const cursor *place, size_t end)
{
    if (place->at >= place->count) return true;
    return here(place)->multiword ? here(place)->start >= end : here(place)->end > end;
}

/* Adds a word; a multiword token that reaches beyond the region extends it. */
static void take(cursor *place, size_t *end)
{
    if (here(place)->multiword && here(place)->end > *end) *end = here(place)->end;
    place->at++;
}

/* The smallest region from here beyond which no multiword token reaches. One plain word that begins
 * before the multiword token stays outside; a second one is taken in, as in the official
 * evaluation. */
static region find_region(cursor *gold, cursor *system)
{
    bool gold_leads = here(gold)->multiword;
    const cursor *leader = gold_leads ? gold : system;
    cursor *follower = gold_leads ? system : gold;
    size_t end = here(leader)->end;
    if (!here(follower)->multiword && here(follower)->start < here(leader)->start) follower->at++;

    region found = {.gold = gold->at, .system = system->at};
    while (!is_behind(gold, end) || !is_behind(system, end)) {
        bool gold_left = gold->at < gold->count, system_left = system->at < system->count;
        if (gold_left && (!system_left || here(gold)->start <= here(system)->start))
            take(gold, &end);
        else
            take(system, &end);
    }
    found.gold_end = gold->at;
    found.system_end = system->at;
    return found;
}

/* Longest common subsequence of the FORMs, from the back. The walk from the front needs to know of
 * each pair only whether skipping the gold word loses nothing, so one bit a pair is kept; `rows`
 * holds the lengths of two rows. */
static void fill_skips(const region *in, const dd_eval_word *gold, const dd_eval_word *system,
                       uint32_t *rows, uint8_t *skips)
{
    size_t height = in->gold_end - in->gold, width = in->system_end - in->system;
    uint32_t *below = rows, *row = rows + width + 1;
    for (size_t g = height; g-- > 0;) {
        for (size_t s = width; s-- > 0;) {
            bool same = gold[in->gold + g].form == system[in->system + s].form;
            uint32_t longest = same ? 1 + below[s + 1] : 0;
            if (row[s + 1] > longest) longest = row[s + 1];
            if (below[s] > longest) longest = below[s];
            row[s] = longest;
            size_t bit = g * width + s;
            if (longest == below[s]) skips[bit / 8] |= (uint8_t)(1u << (bit % 8));
        }
        uint32_t *swap = below;
        below = row;
        row = swap;
    }
}

static void walk_region(dd_eval_alignment *alignment, const region *in, const dd_eval_word *gold,
                        const dd_eval_word *system, const uint8_t *skips)
{
    size_t width = in->system_end - in->system;
    size_t g = in->gold, s = in->system;
    while (g < in->gold_end && s < in->system_end) {
        size_t bit = (g - in->gold) * width + (s - in->system);
        if (gold[g].form == system[s].form)
            match(alignment, g++, s++);
        else if (skips[bit / 8] >> (bit % 8) & 1)
            g++;
        else
            s++;
    }
}

static bool align_region(dd_eval_alignment *alignment, const region *in, const dd_eval_word *gold,
                         const dd_eval_word *system)
{
    size_t height = in->gold_end - in->gold, width = in->system_end - in->system;
    if (!height || !width) return true;
    if (height > SIZE_MAX / width) return false;
    uint32_t *rows = dd_calloc(2 * (width + 1), sizeof *rows);
    uint8_t *skips = dd_calloc(height * width / 8 + 1, sizeof *skips);
    bool ok = rows && skips;
    if (ok) {
        fill_skips(in, gold, system, rows, skips);
        walk_region(alignment, in, gold, system, skips);
    }
    free(rows);
    free(skips);
    return ok;
}

/* ---- all words ---- */

static void align_plain(dd_eval_alignment *alignment, cursor *gold, cursor *system)
{
    const dd_eval_word *left = here(gold), *right = here(system);
    if (left->start == right->start && left->end == right->end)
        match(alignment, gold->at++, system->at++);
    else if (left->start <= right->start)
        gold->at++;
    else
        system->at++;
}

dd_status dd_eval_align(dd_eval_alignment *alignment, const dd_eval_corpus *gold,
                        const dd_eval_corpus *system, dd_error *error)
{
    dd_status status = check_characters(gold, system, error);
    if (status != DD_OK) return status;
    if (!start(alignment, gold->n_words, system->n_words)) return dd_fail_memory(error);
    cursor left = {gold->words, gold->n_words, 0}, right = {system->words, system->n_words, 0};
    while (left.at < left.count && right.at < right.count) {
        if (!here(&left)->multiword && !here(&right)->multiword) {
            align_plain(alignment, &left, &right);
            continue;
        }
        region in = find_region(&left, &right);
        if (!align_region(alignment, &in, gold->words, system->words)) return dd_fail_memory(error);
    }
    return DD_OK;
}

/* ---- word by word ---- */

static dd_status pair_words(const dd_vocab *vocab, const dd_eval_corpus *gold,
                            const dd_eval_corpus *system, size_t at, dd_error *error)
{
    const dd_eval_word *left = &gold->words[at], *right = &system->words[at];
    if (left->sentence != right->sentence)
        return dd_fail_at(error, DD_ERROR_DATA, system->name, right->line, 0,
                          left->sentence > right->sentence
                              ? "a sentence begins at %.150s:%llu, but not here"
                              : "a sentence begins here, but not at %.150s:%llu",
                          gold->name, (unsigned long long)left->line);
    if (left->form == right->form) return DD_OK;
    dd_text here_form = dd_vocab_text(vocab, right->form);
    dd_text there = dd_vocab_text(vocab, left->form);
    return dd_fail_at(error, DD_ERROR_DATA, system->name, right->line, DD_FORM + 1,
                      "'%s' here, '%s' in %.150s:%llu", dd_quote_text(here_form).text,
                      dd_quote_text(there).text, gold->name, (unsigned long long)left->line);
}

static dd_status check_ends(const dd_eval_corpus *gold, const dd_eval_corpus *system,
                            dd_error *error)
{
    if (gold->n_words == system->n_words) return DD_OK;
    bool shorter = system->n_words < gold->n_words;
    uint64_t line = !shorter              ? system->words[gold->n_words].line
                    : system->n_words > 0 ? system->words[system->n_words - 1].line
                                          : 1;
    return dd_fail_at(error, DD_ERROR_DATA, system->name, line, 0,
                      "%zu words in this file, %zu in %.150s", system->n_words, gold->n_words,
                      gold->name);
}

dd_status dd_eval_pair(dd_eval_alignment *alignment, const dd_vocab *vocab,
                       const dd_eval_corpus *gold, const dd_eval_corpus *system, dd_error *error)
{
    size_t both = gold->n_words < system->n_words ? gold->n_words : system->n_words;
    dd_status status = DD_OK;
    for (size_t i = 0; i < both && status == DD_OK; i++)
        status = pair_words(vocab, gold, system, i, error);
    if (status == DD_OK) status = check_ends(gold, system, error);
    if (status != DD_OK) return status;
    if (!start(alignment, both, both)) return dd_fail_memory(error);
    for (size_t i = 0; i < both; i++) match(alignment, i, i);
    return DD_OK;
}
