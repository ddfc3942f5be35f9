#include "tag/lexicon.h"

#include "core/memory.h"
#include "core/random.h"
#include "segment/whole.h"

#include <stdlib.h>
#include <string.h>

void dd_tag_words_free(dd_tag_words *words)
{
    free(words->words);
    *words = (dd_tag_words){0};
}

static uint64_t looks_of(const dd_form *form, uint16_t class_id)
{
    if (class_id) return class_id;
    uint64_t end = form->suffixes[2] ? form->suffixes[2] : form->suffixes[1];
    unsigned kind = form->upper_first | form->digit << 1 | form->mark << 2;
    return dd_hash_mix(end + kind);
}

static void read_word(dd_tag_word *word, dd_text text, const dd_lexicon *lexicon)
{
    dd_form *form = &word->form;
    dd_form_read(form, text);
    const dd_tag_slot *exact = dd_tag_slots_find(&lexicon->forms, form->exact), *folded = exact;
    if (form->folded != form->exact) folded = dd_tag_slots_find(&lexicon->forms, form->folded);
    const dd_tag_slot *slot = exact && exact->class_id ? exact : folded;
    word->looks = looks_of(form, slot ? slot->class_id : 0);
    word->list = dd_lexicon_list(lexicon, exact, form);
    word->frequent = exact && exact->list;
    word->picture = !exact && (form->mark || form->length < 4) && dd_is_picture(text);
    if (!folded) form->folded = 0;
}

/* The words before the first and behind the last differ from all others and from each other. */
static void set_around(dd_tag_word *word, int place, const dd_tagset *tagset)
{
    memset(word, 0, sizeof *word);
    word->form.folded = word->looks = UINT64_MAX - (uint64_t)place;
    word->tag = (uint32_t)tagset->count;
    word->head = (uint32_t)tagset->heads;
}

bool dd_tag_words_read(dd_tag_words *words, const dd_sentence *sentence, const dd_lexicon *lexicon,
                       const dd_tagset *tagset)
{
    size_t need = (size_t)sentence->n + 2 * DD_WORDS_AROUND;
    if (!DD_RESERVE(&words->words, &words->capacity, need)) return false;
    words->n = sentence->n;
    for (int i = 0; i < DD_WORDS_AROUND; i++) {
        set_around(dd_tag_word_at(words, -1 - i), i, tagset);
        set_around(dd_tag_word_at(words, words->n + i), DD_WORDS_AROUND + i, tagset);
    }
    for (int word = 1; word <= sentence->n; word++)
        read_word(dd_tag_word_at(words, word - 1), dd_cell(sentence, word, DD_FORM), lexicon);
    return true;
}

/* What a feature is about; the values are part of model files. */
enum {
    ANY,
    EXACT,
    FOLDED,
    PREFIX,
    SUFFIX = PREFIX + DD_PREFIXES,
    SHAPE = SUFFIX + DD_SUFFIXES,
    LOOKS,
    TRAITS,
    TAG_1,
    HEADS_12,
    HEAD_2,
    HEAD_1_FOLDED,
    HEAD_1_LOOKS,
    HEAD_1_SUFFIX,
    HEAD_1_SHAPE,
    TAG_1_LOOKS,
    TAG_1_SUFFIX,
    TAGS_12,
    BEFORE,
    BEFORE_2,
    BEFORE_FOLDED,
    BEFORE_LOOKS,
    BEFORE_SUFFIX,
    BEFORE_SHAPE,
    BEHIND,
    BEHIND_2,
    BEHIND_FOLDED,
    BEHIND_LOOKS,
    BEHIND_SUFFIX,
    BEHIND_SHAPE,
    LOOKS_BEHIND,
    LOOKS_BEHIND_2,
    LOOKS_LOOKS_BEHIND,
    SUFFIX_LOOKS_BEHIND,
};

static uint64_t traits_of(const dd_form *form, bool first)
{
    return (uint64_t)(form->upper_first | first << 1 | form->upper_other << 2 | form->digit << 3 |
                      form->mark << 4 | (form->length > 6) << 5);
}

static uint64_t *form_features(const dd_tag_word *w, bool first, uint64_t *out)
{
    const dd_form *form = &w->form;
    *out++ = dd_hash_feature(ANY, 0, 0);
    if (form->folded) {
        *out++ = dd_hash_feature(EXACT, form->exact, 0);
        *out++ = dd_hash_feature(FOLDED, form->folded, 0);
    }
    for (unsigned i = 0; i < DD_PREFIXES && form->prefixes[i]; i++)
        *out++ = dd_hash_feature(PREFIX + i, form->prefixes[i], 0);
    for (unsigned i = 0; i + 1 < DD_SUFFIXES && form->suffixes[i]; i++)
        *out++ = dd_hash_feature(SUFFIX + i, form->suffixes[i], 0);
    *out++ = dd_hash_feature(SHAPE, form->shape, 0);
    *out++ = dd_hash_feature(LOOKS, w->looks, 0);
    *out++ = dd_hash_feature(TRAITS, traits_of(form, first), 0);
    return out;
}

static uint64_t *before_features(const dd_tag_word *w, uint64_t *out)
{
    const dd_tag_word *one = w - 1, *two = w - 2;
    *out++ = dd_hash_feature(TAG_1, one->tag, 0);
    *out++ = dd_hash_feature(HEADS_12, one->head, two->head);
    *out++ = dd_hash_feature(HEAD_2, two->head, 0);
    if (w->form.folded) {
        *out++ = dd_hash_feature(HEAD_1_FOLDED, one->head, w->form.folded);
        *out++ = dd_hash_feature(BEFORE_FOLDED, one->form.folded, w->form.folded);
    }
    *out++ = dd_hash_feature(HEAD_1_LOOKS, one->head, w->looks);
    *out++ = dd_hash_feature(HEAD_1_SUFFIX, one->head, w->form.suffixes[2]);
    *out++ = dd_hash_feature(HEAD_1_SHAPE, one->head, w->form.shape);
    *out++ = dd_hash_feature(TAG_1_LOOKS, one->tag, w->looks);
    *out++ = dd_hash_feature(TAG_1_SUFFIX, one->tag, w->form.suffixes[1]);
    *out++ = dd_hash_feature(TAGS_12, one->tag, two->tag);
    *out++ = dd_hash_feature(BEFORE, one->form.folded, 0);
    *out++ = dd_hash_feature(BEFORE_2, two->form.folded, 0);
    *out++ = dd_hash_feature(BEFORE_LOOKS, one->form.folded, w->looks);
    *out++ = dd_hash_feature(BEFORE_SUFFIX, one->form.suffixes[2], 0);
    *out++ = dd_hash_feature(BEFORE_SHAPE, one->form.shape, w->form.shape);
    return out;
}

static uint64_t *behind_features(const dd_tag_word *w, uint64_t *out)
{
    const dd_tag_word *one = w + 1, *two = w + 2;
    *out++ = dd_hash_feature(BEHIND, one->form.folded, 0);
    *out++ = dd_hash_feature(BEHIND_2, two->form.folded, 0);
    if (w->form.folded) *out++ = dd_hash_feature(BEHIND_FOLDED, one->form.folded, w->form.folded);
    *out++ = dd_hash_feature(BEHIND_LOOKS, one->form.folded, w->looks);
    *out++ = dd_hash_feature(BEHIND_SUFFIX, one->form.suffixes[2], 0);
    *out++ = dd_hash_feature(BEHIND_SHAPE, one->form.shape, w->form.shape);
    *out++ = dd_hash_feature(LOOKS_BEHIND, one->looks, 0);
    *out++ = dd_hash_feature(LOOKS_BEHIND_2, two->looks, 0);
    *out++ = dd_hash_feature(LOOKS_LOOKS_BEHIND, one->looks, w->looks);
    *out++ = dd_hash_feature(SUFFIX_LOOKS_BEHIND, one->looks, w->form.suffixes[1]);
    return out;
}

int dd_tag_form_features(const dd_tag_words *words, int at, uint64_t *features)
{
    return (int)(form_features(dd_tag_word_at(words, at), at == 0, features) - features);
}

int dd_tag_context_features(const dd_tag_words *words, int at, uint64_t *features)
{
    const dd_tag_word *w = dd_tag_word_at(words, at);
    return (int)(behind_features(w, before_features(w, features)) - features);
}
