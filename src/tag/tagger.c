#include "tag/tagger_parts.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

static dd_status damaged(dd_error *error)
{
    return dd_fail(error, DD_ERROR_MODEL, "the tagger is damaged");
}

void dd_tagger_free(dd_tagger *tagger)
{
    if (!tagger) return;
    dd_tagset_free(&tagger->tagset);
    dd_tag_network_free(tagger->network);
    free(tagger);
}

dd_status dd_tagger_map_tags(dd_tagger *tagger, dd_cursor *section, dd_error *error)
{
    size_t count;
    const uint32_t *numbers = dd_cursor_block(section, sizeof *numbers, &count);
    dd_text lines = dd_cursor_text(section);
    if (count != 2) return damaged(error);
    if (numbers[0] != DD_TAGGER_VERSION)
        return dd_fail(error, DD_ERROR_MODEL, "the tagger is of version %u, not %d", numbers[0],
                       DD_TAGGER_VERSION);
    tagger->format = numbers[1] ? DD_FORMAT_CONLLX : DD_FORMAT_CONLLU;
    if (section->failed) return damaged(error);
    dd_status status = dd_tagset_make(&tagger->tagset, lines, tagger->format, error);
    if (status != DD_OK) return status;
    if (tagger->tagset.count == 0) return damaged(error);
    return dd_lexicon_map(&tagger->lexicon, section, tagger->tagset.count) ? DD_OK : damaged(error);
}

/* If the section has no weights, a network gives the scores. */
static dd_status map(dd_tagger *tagger, dd_text section, const dd_sections *sections,
                     dd_error *error)
{
    dd_cursor cursor = {.rest = section, .alignment = DD_ALIGN_NUMBERS};
    dd_status status = dd_tagger_map_tags(tagger, &cursor, error);
    if (status != DD_OK) return status;
    if (sections && dd_cursor_ended(&cursor))
        return dd_tag_network_find(&tagger->network, sections, tagger->tagset.parts, error);
    bool ok = dd_tag_weights_map(&tagger->weights, &cursor, tagger->tagset.parts) &&
              dd_cursor_ended(&cursor);
    return ok ? DD_OK : damaged(error);
}

static dd_status make(dd_tagger **out, dd_text section, const dd_sections *sections,
                      dd_error *error)
{
    dd_tagger *tagger = dd_calloc(1, sizeof *tagger);
    if (!tagger) return dd_fail_memory(error);
    dd_status status = map(tagger, section, sections, error);
    if (status == DD_OK)
        *out = tagger;
    else
        dd_tagger_free(tagger);
    return status;
}

dd_status dd_tagger_map(dd_tagger **out, dd_text section, dd_error *error)
{
    return make(out, section, NULL, error);
}

dd_status dd_tagger_find(dd_tagger **out, const dd_sections *sections, dd_error *error)
{
    dd_text section;
    if (!dd_sections_find(sections, "tagger", &section)) return damaged(error);
    return make(out, section, sections, error);
}

void dd_tagger_choose_kernels(dd_tagger *tagger, const dd_kernels *kernels)
{
    if (tagger->network) tagger->network->kernels = kernels;
}

static bool reserve(dd_tagger_space *space, const dd_tagger *tagger)
{
    const dd_tagset *tagset = &tagger->tagset;
    space->scores = dd_calloc((size_t)tagset->parts, sizeof *space->scores);
    space->heads = dd_calloc((size_t)tagset->heads, sizeof *space->heads);
    space->bundles = dd_calloc((size_t)tagset->bundles, sizeof *space->bundles);
    if (!space->scores || !space->heads || !space->bundles) return false;
    if (tagger->network) return dd_tag_network_space_new(&space->network, tagger->network);
    space->cached = dd_calloc(DD_TAGGER_CACHE, sizeof *space->cached);
    space->cache = dd_calloc((size_t)tagset->parts, DD_TAGGER_CACHE * sizeof *space->cache);
    return space->cached && space->cache;
}

dd_status dd_tagger_space_new(dd_tagger_space **out, const dd_tagger *tagger, dd_error *error)
{
    dd_tagger_space *space = dd_calloc(1, sizeof *space);
    if (!space) return dd_fail_memory(error);
    if (reserve(space, tagger)) {
        *out = space;
        return DD_OK;
    }
    dd_tagger_space_free(space);
    return dd_fail_memory(error);
}

void dd_tagger_space_free(dd_tagger_space *space)
{
    if (!space) return;
    dd_tag_words_free(&space->words);
    dd_tag_network_space_free(space->network);
    free(space->scores);
    free(space->heads);
    free(space->bundles);
    free(space->cached);
    free(space->cache);
    free(space);
}

/* For long lists: sums what tags share only once. */
static void add_up(const dd_tagset *tagset, dd_tagger_space *space)
{
    for (uint32_t head = 0; head < (uint32_t)tagset->heads; head++)
        space->heads[head] = dd_head_score(tagset, head, space->scores);
    for (uint32_t bundle = 0; bundle < (uint32_t)tagset->bundles; bundle++)
        space->bundles[bundle] = dd_bundle_score(tagset, bundle, space->scores);
}

static bool is_symbol(const dd_tag *tag)
{
    return dd_text_is(tag->cells[0], "SYM");
}

/* The best of all tags of symbols, for a form that no word of the training data resembles. */
static int best_symbol(const dd_tagset *tagset, const dd_tagger_space *space, int32_t *score)
{
    int best = DD_NO_TAG;
    for (int i = 0; i < tagset->count; i++) {
        if (!is_symbol(&tagset->tags[i])) continue;
        int32_t sum = dd_tag_score(tagset, &tagset->tags[i], space->scores);
        if (best != DD_NO_TAG && sum <= *score) continue;
        best = i;
        *score = sum;
    }
    return best;
}

int dd_tagger_best(const dd_tagger *tagger, dd_tagger_space *space, const dd_tag_word *word,
                   int except, int32_t *score)
{
    const dd_tagset *tagset = &tagger->tagset;
    const dd_lexicon *lexicon = &tagger->lexicon;
    const uint16_t *item = lexicon->items + lexicon->starts[word->list];
    const uint16_t *end = lexicon->items + lexicon->starts[word->list + 1];
    bool many = end - item > 64;
    int best = word->picture ? best_symbol(tagset, space, score) : DD_NO_TAG;
    if (best != DD_NO_TAG && best != except) return best;
    best = DD_NO_TAG;
    if (many) add_up(tagset, space);
    for (; item < end; item++) {
        const dd_tag *tag = &tagset->tags[*item];
        int32_t sum = many ? space->heads[tag->head] + space->bundles[tag->bundle]
                           : dd_tag_score(tagset, tag, space->scores);
        if (*item == except || (best != DD_NO_TAG && sum <= *score)) continue;
        best = *item;
        *score = sum;
    }
    return best;
}

static void score_form(const dd_tagger *tagger, const dd_tag_words *words, int at, int32_t *scores)
{
    uint64_t features[DD_MAX_TAG_FEATURES];
    int count = dd_tag_form_features(words, at, features);
    memset(scores, 0, (size_t)tagger->tagset.parts * sizeof *scores);
    dd_tag_weights_score(&tagger->weights, features, count, scores);
}

/* Sets the scores to those of the word's own features. Only frequent words are cached: rarer ones
 * would replace them and be seldom met again. */
static void begin_scores(const dd_tagger *tagger, dd_tagger_space *space, int at)
{
    const dd_tag_word *word = dd_tag_word_at(&space->words, at);
    if (!word->frequent) {
        score_form(tagger, &space->words, at, space->scores);
        return;
    }
    uint64_t key = (word->form.exact | 1) ^ (uint64_t)(at == 0) << 63;
    size_t place = (size_t)(key >> 40) % DD_TAGGER_CACHE, parts = (size_t)tagger->tagset.parts;
    int32_t *scores = space->cache + place * parts;
    if (space->cached[place] != key) score_form(tagger, &space->words, at, scores);
    space->cached[place] = key;
    memcpy(space->scores, scores, parts * sizeof *scores);
}

static void tag_word(const dd_tagger *tagger, dd_tagger_space *space, int at)
{
    dd_tag_word *word = dd_tag_word_at(&space->words, at);
    uint64_t features[DD_MAX_TAG_FEATURES];
    int32_t score = 0;
    int count = dd_tag_context_features(&space->words, at, features);
    begin_scores(tagger, space, at);
    dd_tag_weights_score(&tagger->weights, features, count, space->scores);
    dd_choose_tag(tagger, word, dd_tagger_best(tagger, space, word, DD_NO_TAG, &score));
}

static bool write_tag(dd_sentence *sentence, int word, const dd_tag *tag)
{
    for (int i = 0; i < 3; i++)
        if (!dd_sentence_put_cell(sentence, word, DD_UPOS + i, tag->cells[i])) return false;
    return true;
}

/* Whether the lexicon allows several tags; if only one, sets it. */
static bool has_choice(const dd_tagger *tagger, dd_tag_word *word)
{
    const dd_lexicon *lexicon = &tagger->lexicon;
    uint32_t first = lexicon->starts[word->list];
    if (lexicon->starts[word->list + 1] - first > 1) return true;
    dd_choose_tag(tagger, word, lexicon->items[first]);
    return false;
}

/* Chooses the tags of space->words, by weights, and leaves the sentence as it is. */
static dd_status choose_tags(const dd_tagger *tagger, dd_tagger_space *space,
                             const dd_sentence *sentence, dd_error *error)
{
    if (!dd_tag_words_read(&space->words, sentence, &tagger->lexicon, &tagger->tagset))
        return dd_fail_memory(error);
    for (int i = 0; i < sentence->n; i++)
        if (has_choice(tagger, dd_tag_word_at(&space->words, i))) tag_word(tagger, space, i);
    return DD_OK;
}

/* The same by the network, which has read the sentence. */
static dd_status choose_by_network(const dd_tagger *tagger, dd_tagger_space *space, int number,
                                   const dd_sentence *sentence, dd_error *error)
{
    if (!dd_tag_words_read(&space->words, sentence, &tagger->lexicon, &tagger->tagset))
        return dd_fail_memory(error);
    for (int i = 0; i < sentence->n; i++) {
        dd_tag_word *word = dd_tag_word_at(&space->words, i);
        int32_t score = 0;
        if (!has_choice(tagger, word)) continue;
        dd_tag_network_score(space->network, number, i + 1, space->scores);
        dd_choose_tag(tagger, word, dd_tagger_best(tagger, space, word, DD_NO_TAG, &score));
    }
    return DD_OK;
}

static dd_status write_tags(const dd_tagger *tagger, const dd_tagger_space *space,
                            dd_sentence *sentence, dd_error *error)
{
    for (int i = 0; i < sentence->n; i++) {
        const dd_tag_word *word = dd_tag_word_at(&space->words, i);
        if (!write_tag(sentence, i + 1, &tagger->tagset.tags[word->tag]))
            return dd_fail_memory(error);
    }
    return DD_OK;
}

dd_status dd_tagger_check(const dd_tagger *tagger, const dd_sentence *sentence, dd_error *error)
{
    if (tagger->format == DD_FORMAT_CONLLX && !dd_is_conllx(sentence))
        return dd_fail(error, DD_ERROR_DATA, "the tagger's tags cannot be written as CoNLL-U");
    return DD_OK;
}

dd_status dd_tagger_apply_all(const dd_tagger *tagger, dd_tagger_space *space,
                              dd_sentence *const *sentences, size_t count, dd_error *error)
{
    dd_status status = DD_OK;
    for (size_t i = 0; i < count && status == DD_OK; i++)
        status = dd_tagger_check(tagger, sentences[i], error);
    if (status != DD_OK) return status;
    if (space->network && !dd_tag_network_read(tagger->network, space->network,
                                               (const dd_sentence *const *)sentences, count))
        return dd_fail_memory(error);
    for (size_t i = 0; i < count && status == DD_OK; i++) {
        status = space->network ? choose_by_network(tagger, space, (int)i, sentences[i], error)
                                : choose_tags(tagger, space, sentences[i], error);
        if (status == DD_OK) status = write_tags(tagger, space, sentences[i], error);
    }
    return status;
}

dd_status dd_tagger_apply(const dd_tagger *tagger, dd_tagger_space *space, dd_sentence *sentence,
                          dd_error *error)
{
    return dd_tagger_apply_all(tagger, space, &sentence, 1, error);
}
