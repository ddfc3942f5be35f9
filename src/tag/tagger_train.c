#include "core/learning.h"
#include "core/memory.h"
#include "tag/tagger_parts.h"
#include "text/rules.h"

#include <stdlib.h>
#include <string.h>

/* By how much the right tag shall lead, in weights of one feature. */
enum { MARGIN = 100 };

typedef struct trainer {
    const dd_tagger_options *options;
    dd_sentence *const *sentences;
    size_t count;
    dd_vocab names; /* tags as lines of the tagset */
    dd_buffer name;
    dd_buffer head;   /* section without the weights */
    uint16_t **gold;  /* [count] tags of the words */
    uint16_t *golds;  /* what they point into */
    dd_tagger tagger; /* of head */
    dd_tagger_space *space;
    dd_rows rows;
    dd_tally tally;
} trainer;

void dd_tagger_options_init(dd_tagger_options *options)
{
    *options = (dd_tagger_options){.iterations = 8, .seed = 1, .threads = 1};
}

static void free_trainer(trainer *t)
{
    dd_vocab_free(&t->names);
    dd_buffer_free(&t->name);
    dd_buffer_free(&t->head);
    free(t->gold);
    free(t->golds);
    dd_tagset_free(&t->tagger.tagset);
    dd_tagger_space_free(t->space);
    dd_rows_free(&t->rows);
}

/* ---- preparing ---------------------------------------------------------------------------- */

/* The word's tag, added if new; -1 when memory is out. */
static int name_tag(trainer *t, const dd_sentence *sentence, int word)
{
    t->name.size = 0;
    for (int column = DD_UPOS; column <= DD_FEATS; column++) {
        dd_text cell = dd_cell(sentence, word, column);
        if (!dd_buffer_append(&t->name, cell.data, cell.size) ||
            !dd_buffer_append(&t->name, column == DD_FEATS ? "\n" : "\t", 1))
            return -1;
    }
    return dd_vocab_add(&t->names, (dd_text){t->name.data, t->name.size});
}

static dd_status name_tags(trainer *t, dd_error *error)
{
    size_t words = 0, at = 0;
    for (size_t s = 0; s < t->count; s++) words += (size_t)t->sentences[s]->n;
    if (words == 0) return dd_fail(error, DD_ERROR_DATA, "no words to train a tagger on");
    t->gold = dd_calloc(t->count, sizeof *t->gold);
    t->golds = dd_calloc(words, sizeof *t->golds);
    if (!t->gold || !t->golds) return dd_fail_memory(error);
    for (size_t s = 0; s < t->count; s++) {
        t->gold[s] = t->golds + at;
        for (int word = 1; word <= t->sentences[s]->n; word++) {
            int tag = name_tag(t, t->sentences[s], word);
            if (tag < 0) return dd_fail_memory(error);
            if (tag >= DD_MAX_TAGS)
                return dd_fail(error, DD_ERROR_DATA, "more than %d different tags", DD_MAX_TAGS);
            t->golds[at++] = (uint16_t)tag;
        }
    }
    return DD_OK;
}

/* One sentence in CoNLL-X is enough for tags that CoNLL-U may not be able to hold. */
static dd_format format_of(const trainer *t)
{
    for (size_t s = 0; s < t->count; s++)
        if (t->sentences[s]->format == DD_FORMAT_CONLLX) return DD_FORMAT_CONLLX;
    return DD_FORMAT_CONLLU;
}

/* Tags and lexicon as in the section; training reads them as tagging will. */
static dd_status write_head(trainer *t, dd_error *error)
{
    const uint32_t numbers[2] = {DD_TAGGER_VERSION, format_of(t) == DD_FORMAT_CONLLX};
    dd_text lines = {t->names.bytes, t->names.bytes_size};
    dd_tagset tagset;
    if (!dd_block_put(&t->head, DD_ALIGN_NUMBERS, numbers, sizeof numbers) ||
        !dd_block_put(&t->head, DD_ALIGN_NUMBERS, lines.data, lines.size))
        return dd_fail_memory(error);
    dd_status status = dd_tagset_make(&tagset, lines, format_of(t), error);
    if (status != DD_OK) return status;
    status = dd_lexicon_write(t->sentences, t->count, t->gold, &tagset, &t->head, error);
    dd_tagset_free(&tagset);
    return status;
}

static dd_status prepare(trainer *t, dd_error *error)
{
    dd_status status = name_tags(t, error);
    if (status == DD_OK) status = write_head(t, error);
    dd_cursor head = {{t->head.data, t->head.size}, DD_ALIGN_NUMBERS, false};
    if (status == DD_OK) status = dd_tagger_map_tags(&t->tagger, &head, error);
    if (status == DD_OK) status = dd_tagger_space_new(&t->space, &t->tagger, error);
    return status;
}

/* ---- learning ----------------------------------------------------------------------------- */

/* The parts of a tag, at most as many as its FEATS have bytes and four. */
static bool change_tag(trainer *t, const uint64_t *features, int count, const dd_tag *tag,
                       const dd_tag *other, int32_t change)
{
    const dd_tagset *set = &t->tagger.tagset;
    const uint32_t *mine = set->head_parts + (size_t)tag->head * DD_HEAD_PARTS;
    const uint32_t *theirs = set->head_parts + (size_t)other->head * DD_HEAD_PARTS;
    for (int i = 0; i < DD_HEAD_PARTS; i++)
        if (mine[i] != theirs[i] && !dd_rows_change(&t->rows, features, count, mine[i], change))
            return false;
    if (tag->bundle == other->bundle) return true;
    for (uint32_t i = set->bundle_starts[tag->bundle]; i < set->bundle_starts[tag->bundle + 1];
         i++) {
        uint32_t part = set->bundle_parts[i], k = set->bundle_starts[other->bundle];
        while (k < set->bundle_starts[other->bundle + 1] && set->bundle_parts[k] != part) k++;
        if (k == set->bundle_starts[other->bundle + 1] &&
            !dd_rows_change(&t->rows, features, count, part, change))
            return false;
    }
    return true;
}

/* False: memory is out. */
static bool learn_word(trainer *t, int at, uint16_t gold)
{
    const dd_tagset *set = &t->tagger.tagset;
    dd_tagger_space *space = t->space;
    dd_tag_word *word = dd_tag_word_at(&space->words, at);
    uint64_t features[DD_MAX_TAG_FEATURES];
    int count = dd_tag_form_features(&space->words, at, features);
    count += dd_tag_context_features(&space->words, at, features + count);
    t->rows.steps++;
    memset(space->scores, 0, (size_t)set->parts * sizeof *space->scores);
    dd_rows_score(&t->rows, features, count, space->scores);
    int32_t lead = dd_tag_score(set, &set->tags[gold], space->scores), score = 0;
    int other = dd_tagger_best(&t->tagger, space, word, gold, &score);
    bool right = other == DD_NO_TAG || score < lead;
    dd_choose_tag(&t->tagger, word, right ? gold : other);
    t->tally.asked++;
    t->tally.right += right;
    if (other == DD_NO_TAG || score + MARGIN < lead) return true;
    return change_tag(t, features, count, &set->tags[gold], &set->tags[other], 1) &&
           change_tag(t, features, count, &set->tags[other], &set->tags[gold], -1);
}

static bool learn_sentence(void *learner, size_t sentence)
{
    trainer *t = learner;
    const dd_sentence *s = t->sentences[sentence];
    if (!dd_tag_words_read(&t->space->words, s, &t->tagger.lexicon, &t->tagger.tagset))
        return false;
    for (int i = 0; i < s->n; i++)
        if (!learn_word(t, i, t->gold[sentence][i])) return false;
    return true;
}

static double least_weight(const trainer *t)
{
    return dd_tag_weights_least(&t->rows, t->tagger.tagset.parts, t->options->most_bytes);
}

static void prune(void *learner)
{
    trainer *t = learner;
    dd_rows_prune(&t->rows, least_weight(t));
}

static bool write_section(void *learner, dd_buffer *section)
{
    const trainer *t = learner;
    return dd_buffer_append(section, t->head.data, t->head.size) &&
           dd_tag_weights_write(&t->rows, t->tagger.tagset.parts, least_weight(t), section);
}

dd_status dd_tagger_train(dd_buffer *section, dd_sentence *const *sentences, size_t count,
                          const dd_tagger_options *options, dd_error *error)
{
    trainer t = {.options = options, .sentences = sentences, .count = count};
    dd_learning learning = {.component = DD_TAGGER,
                            .iterations = options->iterations,
                            .seed = options->seed,
                            .report = options->report,
                            .user = options->user,
                            .examples = count,
                            .tally = &t.tally,
                            .learner = &t,
                            .learn = learn_sentence,
                            .prune = options->most_bytes ? prune : NULL,
                            .write = write_section};
    dd_status status = prepare(&t, error);
    if (status == DD_OK) status = dd_learn(&learning, section, error);
    free_trainer(&t);
    return status;
}
