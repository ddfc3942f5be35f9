/* tagger_train.c - the tags of the training data, and a tagger that learns them with a perceptron
 */
#include "core/learning.h"
#include "core/memory.h"
#include "tag/tagger_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- the tags of the training data -------------------------------------------------------- */

void dd_tag_gold_free(dd_tag_gold *g)
{
    dd_vocab_free(&g->names);
    dd_buffer_free(&g->name);
    dd_buffer_free(&g->head);
    free(g->tags);
    free(g->all);
    dd_tagset_free(&g->tagger.tagset);
}

/* The word's tag as a line. False if allocation fails. */
static bool write_name(dd_tag_gold *g, const dd_sentence *sentence, int word)
{
    g->name.size = 0;
    for (int column = DD_UPOS; column <= DD_FEATS; column++) {
        dd_text cell = dd_cell(sentence, word, column);
        if (!dd_buffer_append(&g->name, cell.data, cell.size) ||
            !dd_buffer_append(&g->name, column == DD_FEATS ? "\n" : "\t", 1))
            return false;
    }
    return true;
}

/* The word's tag, added if new; -1 if allocation fails. */
static int name_tag(dd_tag_gold *g, const dd_sentence *sentence, int word)
{
    if (!write_name(g, sentence, word)) return -1;
    return dd_vocab_add(&g->names, (dd_text){g->name.data, g->name.size});
}

int dd_tag_gold_find(dd_tag_gold *g, const dd_sentence *sentence, int word)
{
    if (!write_name(g, sentence, word)) return DD_TAG_NO_MEMORY;
    int tag = dd_vocab_find(&g->names, (dd_text){g->name.data, g->name.size});
    return tag < 0 ? DD_NO_TAG : tag;
}

static dd_status name_tags(dd_tag_gold *g, dd_error *error)
{
    size_t words = 0, at = 0;
    for (size_t s = 0; s < g->count; s++) words += (size_t)g->sentences[s]->n;
    if (words == 0) return dd_fail(error, DD_ERROR_DATA, "no words to train a tagger on");
    g->tags = dd_calloc(g->count, sizeof *g->tags);
    g->all = dd_calloc(words, sizeof *g->all);
    if (!g->tags || !g->all) return dd_fail_memory(error);
    for (size_t s = 0; s < g->count; s++) {
        g->tags[s] = g->all + at;
        for (int word = 1; word <= g->sentences[s]->n; word++) {
            int tag = name_tag(g, g->sentences[s], word);
            if (tag < 0) return dd_fail_memory(error);
            if (tag >= DD_MAX_TAGS)
                return dd_fail(error, DD_ERROR_DATA, "more than %d different tags", DD_MAX_TAGS);
            g->all[at++] = (uint16_t)tag;
        }
    }
    return DD_OK;
}

/* CoNLL-X if any sentence is: CoNLL-U may not be able to hold its tags. */
static dd_format format_of(const dd_tag_gold *g)
{
    for (size_t s = 0; s < g->count; s++)
        if (dd_is_conllx(g->sentences[s])) return DD_FORMAT_CONLLX;
    return DD_FORMAT_CONLLU;
}

/* Tags and lexicon as in the section; training reads them as tagging will. */
static dd_status write_head(dd_tag_gold *g, bool endings, dd_error *error)
{
    const uint32_t numbers[2] = {DD_TAGGER_VERSION, format_of(g) == DD_FORMAT_CONLLX};
    dd_text lines = {g->names.bytes, g->names.bytes_size};
    dd_tagset tagset;
    if (!dd_block_put(&g->head, DD_ALIGN_NUMBERS, numbers, sizeof numbers) ||
        !dd_block_put(&g->head, DD_ALIGN_NUMBERS, lines.data, lines.size))
        return dd_fail_memory(error);
    dd_status status = dd_tagset_make(&tagset, lines, format_of(g), error);
    if (status != DD_OK) return status;
    status = dd_lexicon_write(g->sentences, g->count, g->tags, &tagset, endings, &g->head, error);
    dd_tagset_free(&tagset);
    return status;
}

dd_status dd_tag_gold_set(dd_tag_gold *g, dd_sentence *const *sentences, size_t count, bool endings,
                          dd_error *error)
{
    g->sentences = sentences;
    g->count = count;
    dd_status status = name_tags(g, error);
    if (status == DD_OK) status = write_head(g, endings, error);
    dd_cursor head = {{g->head.data, g->head.size}, DD_ALIGN_NUMBERS, false};
    return status == DD_OK ? dd_tagger_map_tags(&g->tagger, &head, error) : status;
}

/* ---- the perceptron ----------------------------------------------------------------------- */

/* By how much the right tag must lead, in weights of one feature. */
enum { MARGIN = 100 };

typedef struct trainer {
    const dd_tagger_options *options;
    dd_tag_gold gold;
    dd_tagger_space *space;
    dd_rows rows;
    dd_tally tally;
} trainer;

void dd_tagger_options_init(dd_tagger_options *options)
{
    *options = (dd_tagger_options){
        .iterations = dd_linear_tagger.iterations,
        .seed = 1,
        .threads = 1,
        .train = dd_linear_tagger.train,
        .silver_weight = 1,
        .format = DD_FORMAT_CONLLU,
    };
}

static void free_trainer(trainer *t)
{
    dd_tag_gold_free(&t->gold);
    dd_tagger_space_free(t->space);
    dd_rows_free(&t->rows);
}

static dd_status prepare(trainer *t, dd_sentence *const *sentences, size_t count, dd_error *error)
{
    dd_status status = dd_tag_gold_set(&t->gold, sentences, count, true, error);
    return status == DD_OK ? dd_tagger_space_new(&t->space, &t->gold.tagger, error) : status;
}

/* ---- learning ----------------------------------------------------------------------------- */

/* The parts of a tag, at most as many as its FEATS have bytes and four. */
static bool change_tag(trainer *t, const uint64_t *features, int count, const dd_tag *tag,
                       const dd_tag *other, int32_t change)
{
    const dd_tagset *set = &t->gold.tagger.tagset;
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

/* False: allocation failed. */
static bool learn_word(trainer *t, int at, uint16_t gold)
{
    const dd_tagset *set = &t->gold.tagger.tagset;
    dd_tagger_space *space = t->space;
    dd_tag_word *word = dd_tag_word_at(&space->words, at);
    uint64_t features[DD_MAX_TAG_FEATURES];
    int count = dd_tag_form_features(&space->words, at, features);
    count += dd_tag_context_features(&space->words, at, features + count);
    t->rows.steps++;
    memset(space->scores, 0, (size_t)set->parts * sizeof *space->scores);
    dd_rows_score(&t->rows, features, count, space->scores);
    int32_t lead = dd_tag_score(set, &set->tags[gold], space->scores), score = 0;
    int other = dd_tagger_best(&t->gold.tagger, space, word, gold, &score);
    bool right = other == DD_NO_TAG || score < lead;
    dd_choose_tag(&t->gold.tagger, word, right ? gold : other);
    t->tally.asked++;
    t->tally.right += right;
    if (other == DD_NO_TAG || score + MARGIN < lead) return true;
    return change_tag(t, features, count, &set->tags[gold], &set->tags[other], 1) &&
           change_tag(t, features, count, &set->tags[other], &set->tags[gold], -1);
}

static bool learn_sentence(void *learner, size_t sentence)
{
    trainer *t = learner;
    const dd_sentence *s = t->gold.sentences[sentence];
    if (!dd_tag_words_read(&t->space->words, s, &t->gold.tagger.lexicon, &t->gold.tagger.tagset))
        return false;
    for (int i = 0; i < s->n; i++)
        if (!learn_word(t, i, t->gold.tags[sentence][i])) return false;
    t->tally.words += (uint64_t)s->n;
    return true;
}

static double least_weight(const trainer *t)
{
    return dd_tag_weights_least(&t->rows, t->gold.tagger.tagset.parts, t->options->most_bytes);
}

static void prune(void *learner)
{
    trainer *t = learner;
    dd_rows_prune(&t->rows, least_weight(t));
}

static bool write_section(void *learner, dd_buffer *section)
{
    const trainer *t = learner;
    return dd_buffer_append(section, t->gold.head.data, t->gold.head.size) &&
           dd_tag_weights_write(&t->rows, t->gold.tagger.tagset.parts, least_weight(t), section);
}

dd_status dd_tagger_train(dd_buffer *section, dd_sentence *const *sentences, size_t count,
                          const dd_tagger_options *options, dd_error *error)
{
    trainer t = {.options = options};
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
    dd_status status = prepare(&t, sentences, count, error);
    if (status == DD_OK) status = dd_learn(&learning, section, error);
    free_trainer(&t);
    return status;
}

static dd_status train_linear(dd_draft *sections, dd_sentence *const *sentences, size_t count,
                              const dd_tagger_options *options, dd_error *error)
{
    return dd_tagger_train(dd_draft_add(sections, "tagger"), sentences, count, options, error);
}

static double pace(const dd_network_options *network, double words)
{
    (void)network;
    (void)words;
    return 100e3;
}

const dd_tagger_kind dd_linear_tagger = {
    .name = "linear",
    .train = train_linear,
    .iterations = 8,
    .pace = pace,
};
