#include "tag/lemmatizer_parts.h"

#include "core/memory.h"
#include "core/random.h"
#include "core/strings.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { CACHED = 4096 }; /* words whose rule a thread remembers; a power of two */

typedef struct memory {
    uint64_t identity; /* of a word; 0: none */
    int32_t rule;
} memory;

struct dd_lemmatizer_space {
    int32_t *scores; /* [rules] */
    memory *cache;   /* [CACHED] each word in one place */
    dd_buffer lemma;
    bool failed; /* allocation failed */
};

static dd_status damaged(dd_error *error)
{
    return dd_fail(error, DD_ERROR_MODEL, "the lemmatizer is damaged");
}

void dd_lemmatizer_free(dd_lemmatizer *lemmatizer)
{
    if (!lemmatizer) return;
    free(lemmatizer->rules);
    free(lemmatizer);
}

/* ---- mapping ------------------------------------------------------------------------------ */

bool dd_lemmatizer_read_rules(dd_lemmatizer *lemmatizer, dd_text lines, bool *is_damaged)
{
    *is_damaged = false;
    while (lines.size > 0) {
        dd_text line;
        size_t count = (size_t)lemmatizer->count;
        if (!DD_RESERVE(&lemmatizer->rules, &lemmatizer->rules_capacity, count + 1)) return false;
        *is_damaged = count == DD_MAX_LEMMA_RULES || !dd_text_cut_at(&lines, '\n', &line) ||
                      !dd_lemma_rule_read(&lemmatizer->rules[count], line);
        if (*is_damaged) return false;
        lemmatizer->count++;
    }
    return true;
}

static bool map_exceptions(dd_lemmatizer *l, dd_cursor *section)
{
    if (!dd_tag_slots_map(&l->exceptions, section)) return false;
    for (size_t i = 0; i < l->exceptions.count; i++) {
        const dd_tag_slot *slot = &l->exceptions.slots[i];
        if (slot->check && slot->rule >= (uint32_t)l->count) return false;
    }
    return true;
}

static dd_status map(dd_lemmatizer *l, dd_text section, dd_error *error)
{
    dd_cursor cursor = {.rest = section, .alignment = DD_ALIGN_NUMBERS};
    size_t count;
    bool bad;
    const uint32_t *version = dd_cursor_block(&cursor, sizeof *version, &count);
    dd_text lines = dd_cursor_text(&cursor);
    if (count != 1) return damaged(error);
    if (*version != DD_LEMMATIZER_VERSION)
        return dd_fail(error, DD_ERROR_MODEL, "the lemmatizer is of version %u, not %d", *version,
                       DD_LEMMATIZER_VERSION);
    if (cursor.failed) return damaged(error);
    if (!dd_lemmatizer_read_rules(l, lines, &bad))
        return bad ? damaged(error) : dd_fail_memory(error);
    bool ok = dd_tag_weights_map(&l->weights, &cursor, l->count) && map_exceptions(l, &cursor) &&
              dd_cursor_ended(&cursor);
    return ok ? DD_OK : damaged(error);
}

dd_status dd_lemmatizer_map(dd_lemmatizer **out, dd_text section, dd_error *error)
{
    dd_lemmatizer *lemmatizer = dd_calloc(1, sizeof *lemmatizer);
    if (!lemmatizer) return dd_fail_memory(error);
    dd_status status = map(lemmatizer, section, error);
    if (status == DD_OK)
        *out = lemmatizer;
    else
        dd_lemmatizer_free(lemmatizer);
    return status;
}

dd_status dd_lemmatizer_space_new(dd_lemmatizer_space **out, const dd_lemmatizer *lemmatizer,
                                  dd_error *error)
{
    dd_lemmatizer_space *space = dd_calloc(1, sizeof *space);
    if (!space) return dd_fail_memory(error);
    space->scores = dd_calloc((size_t)lemmatizer->count, sizeof *space->scores);
    space->cache = dd_calloc(CACHED, sizeof *space->cache);
    if (!space->scores || !space->cache) {
        dd_lemmatizer_space_free(space);
        return dd_fail_memory(error);
    }
    *out = space;
    return DD_OK;
}

void dd_lemmatizer_space_free(dd_lemmatizer_space *space)
{
    if (!space) return;
    free(space->scores);
    free(space->cache);
    dd_buffer_free(&space->lemma);
    free(space);
}

/* ---- words and features ------------------------------------------------------------------- */

/* What a feature is about; the values are part of model files. */
enum {
    ALONE,
    TAG,
    FOLDED,
    EXACT,
    SHAPE,
    TRAITS,
    PREFIX,
    SUFFIX = PREFIX + DD_PREFIXES,
    SUFFIX_TAG = SUFFIX + DD_SUFFIXES,
    LENGTH = SUFFIX_TAG + DD_SUFFIXES,
    ANY_CASE,
    LEMMA,
};

/* A rule that makes a known lemma is preferred to one that leads it by no more than this; chosen on
 * the dev data of six treebanks. */
enum { LEAD = 4000 };

void dd_lemma_word_read(dd_lemma_word *word, const dd_sentence *sentence, int at)
{
    dd_form_read(&word->form, dd_cell(sentence, at, DD_FORM));
    dd_text upos = dd_cell(sentence, at, DD_UPOS), xpos = dd_cell(sentence, at, DD_XPOS);
    dd_text feats = dd_cell(sentence, at, DD_FEATS);
    word->upos = XXH3_64bits(upos.data, upos.size);
    word->head = XXH3_64bits_withSeed(xpos.data, xpos.size, word->upos);
    word->tag = XXH3_64bits_withSeed(feats.data, feats.size, word->head);
    word->identity = dd_hash_mix(word->form.exact + word->tag);
    word->identity += word->identity == 0;
    bool cased = word->form.upper_first || word->form.upper_other;
    word->alone = cased ? 0 : dd_hash_feature(ALONE, word->form.exact, 0);
}

uint64_t dd_lemma_folded(const dd_lemma_word *word)
{
    return word->form.digit ? 0 : dd_hash_feature(ANY_CASE, word->form.folded, 0);
}

uint64_t dd_lemma_known(dd_text lemma, uint64_t upos)
{
    return dd_hash_feature(LEMMA, XXH3_64bits(lemma.data, lemma.size), upos);
}

int dd_lemma_features(const dd_lemma_word *word, uint64_t *features)
{
    const dd_form *form = &word->form;
    uint64_t *out = features;
    unsigned traits =
        form->upper_first | form->upper_other << 1 | form->digit << 2 | form->mark << 3;
    *out++ = dd_hash_feature(TAG, word->tag, 0);
    *out++ = dd_hash_feature(FOLDED, form->folded, word->head);
    *out++ = dd_hash_feature(EXACT, form->exact, 0);
    *out++ = dd_hash_feature(SHAPE, form->shape, word->head);
    *out++ = dd_hash_feature(TRAITS, traits, word->head);
    *out++ = dd_hash_feature(LENGTH, form->length < 8 ? form->length : 8, word->head);
    for (unsigned i = 0; i < DD_PREFIXES && form->prefixes[i]; i++)
        *out++ = dd_hash_feature(PREFIX + i, form->prefixes[i], word->head);
    for (unsigned i = 0; i < DD_SUFFIXES && form->suffixes[i]; i++)
        *out++ = dd_hash_feature(SUFFIX + i, form->suffixes[i], word->head);
    for (unsigned i = 0; i < 4 && form->suffixes[i]; i++)
        *out++ = dd_hash_feature(SUFFIX_TAG + i, form->suffixes[i], word->tag);
    return (int)(out - features);
}

int dd_lemmatizer_best(const dd_lemmatizer *lemmatizer, const int32_t *scores, uint32_t length,
                       int except)
{
    int best = -1;
    for (int i = 0; i < lemmatizer->count; i++) {
        if (best >= 0 && scores[i] <= scores[best]) continue;
        if (i != except && !lemmatizer->rules[i].particular &&
            dd_lemma_rule_fits(&lemmatizer->rules[i], length))
            best = i;
    }
    return best;
}

/* ---- lemmas ------------------------------------------------------------------------------- */

/* The rule of an exception; -1 if the word is none. */
static int find_exception(const dd_lemmatizer *l, uint64_t identity)
{
    const dd_tag_slot *slot = dd_tag_slots_find(&l->exceptions, identity);
    return slot ? (int)slot->rule : -1;
}

/* A known lemma that is less than half as long as the form is a coincidence. */
static bool makes_known_lemma(const dd_lemmatizer *l, dd_lemmatizer_space *space,
                              const dd_lemma_word *word, dd_text form, int rule)
{
    space->failed = space->failed || !dd_lemma_rule_apply(&l->rules[rule], form, &space->lemma);
    if (space->failed) return false;
    dd_text lemma = {space->lemma.data, space->lemma.size};
    return 2 * lemma.size >= form.size && find_exception(l, dd_lemma_known(lemma, word->upos)) >= 0;
}

/* "sing" is the verb itself, not the gerund of "se": where next to nothing would be left of a form
 * that is a known lemma, it is not cut. What was made last is in the space. */
static bool is_better_whole(const dd_lemmatizer *l, const dd_lemmatizer_space *space,
                            const dd_lemma_word *word, dd_text form)
{
    return 2 * space->lemma.size <= form.size && space->lemma.size < 3 &&
           find_exception(l, dd_lemma_known(form, word->upos)) >= 0;
}

/* Of the rules that the best one does not lead by much, the best that makes a known lemma. -1: the
 * form is the lemma. */
static int prefer_known(const dd_lemmatizer *l, dd_lemmatizer_space *space,
                        const dd_lemma_word *word, dd_text form, int best)
{
    int known = -1;
    int32_t least = space->scores[best] - LEAD;
    if (makes_known_lemma(l, space, word, form, best)) return best;
    if (is_better_whole(l, space, word, form)) return -1;
    for (int i = 0; i < l->count; i++) {
        if (space->scores[i] < least || (known >= 0 && space->scores[i] <= space->scores[known]))
            continue;
        if (!l->rules[i].particular && dd_lemma_rule_fits(&l->rules[i], word->form.length) &&
            makes_known_lemma(l, space, word, form, i))
            known = i;
    }
    return known < 0 ? best : known;
}

static int choose(const dd_lemmatizer *l, dd_lemmatizer_space *space, const dd_lemma_word *word,
                  dd_text form)
{
    const uint64_t keys[] = {word->alone, word->identity, dd_lemma_folded(word)};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        int exception = keys[i] ? find_exception(l, keys[i]) : -1;
        if (exception >= 0 && dd_lemma_rule_fits(&l->rules[exception], word->form.length))
            return exception;
    }
    uint64_t features[DD_MAX_LEMMA_FEATURES];
    int count = dd_lemma_features(word, features);
    memset(space->scores, 0, (size_t)l->count * sizeof *space->scores);
    dd_tag_weights_score(&l->weights, features, count, space->scores);
    int best = dd_lemmatizer_best(l, space->scores, word->form.length, -1);
    return best < 0 ? best : prefer_known(l, space, word, form, best);
}

/* The rule is used for a second word of the same identity only if it fits that word too. */
static int remember(const dd_lemmatizer *l, dd_lemmatizer_space *space, const dd_lemma_word *word,
                    dd_text form)
{
    memory *m = &space->cache[word->identity % CACHED];
    if (m->identity == word->identity &&
        (m->rule < 0 || dd_lemma_rule_fits(&l->rules[m->rule], word->form.length)))
        return m->rule;
    int rule = choose(l, space, word, form);
    if (!space->failed) *m = (memory){word->identity, rule};
    return rule;
}

/* If no rule fits, or it makes a lemma that a reader would refuse, the form is the lemma. */
static bool set_lemma(dd_lemmatizer_space *space, dd_sentence *sentence, int at,
                      const dd_lemma_rule *rule)
{
    dd_text form = dd_cell(sentence, at, DD_FORM);
    if (!rule) return dd_sentence_put_cell(sentence, at, DD_LEMMA, form);
    if (!dd_lemma_rule_apply(rule, form, &space->lemma)) return false;
    dd_text lemma = {space->lemma.data, space->lemma.size};
    bool ok = lemma.size > 0 && lemma.data[0] != ' ' && lemma.data[lemma.size - 1] != ' ';
    return dd_sentence_put_cell(sentence, at, DD_LEMMA, ok ? lemma : form);
}

dd_status dd_lemmatizer_apply(const dd_lemmatizer *lemmatizer, dd_lemmatizer_space *space,
                              dd_sentence *sentence, dd_error *error)
{
    for (int at = 1; at <= sentence->n; at++) {
        dd_lemma_word word;
        if (lemmatizer->count == 0) {
            if (!dd_sentence_put_cell(sentence, at, DD_LEMMA, (dd_text){"_", 1}))
                return dd_fail_memory(error);
            continue;
        }
        dd_lemma_word_read(&word, sentence, at);
        space->failed = false;
        int rule = remember(lemmatizer, space, &word, dd_cell(sentence, at, DD_FORM));
        if (space->failed ||
            !set_lemma(space, sentence, at, rule < 0 ? NULL : &lemmatizer->rules[rule]))
            return dd_fail_memory(error);
    }
    return DD_OK;
}
