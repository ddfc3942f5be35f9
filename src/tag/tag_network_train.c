#include "tag/tag_network.h"

#include "core/learning.h"
#include "core/memory.h"
#include "neural/frozen.h"
#include "neural/network.h"
#include "neural/network_trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- probabilities of tags ------------------------------------------------------------------- */

void dd_tag_sums_free(dd_tag_sums *s)
{
    free(s->parts);
    free(s->heads);
    free(s->bundles);
    free(s->tags);
    *s = (dd_tag_sums){0};
}

bool dd_tag_sums_set(dd_tag_sums *s, const dd_tagset *set)
{
    s->set = set;
    s->parts = dd_calloc((size_t)set->parts, sizeof *s->parts);
    s->heads = dd_calloc((size_t)set->heads, sizeof *s->heads);
    s->bundles = dd_calloc((size_t)set->bundles, sizeof *s->bundles);
    s->tags = dd_calloc((size_t)set->count, sizeof *s->tags);
    return s->parts && s->heads && s->bundles && s->tags;
}

/* What tags share is added up once. */
static void add_parts(dd_tag_sums *s)
{
    const dd_tagset *set = s->set;
    for (int h = 0; h < set->heads; h++) {
        const uint32_t *part = set->head_parts + (size_t)h * DD_HEAD_PARTS;
        s->heads[h] = (double)s->parts[part[0]] + (double)s->parts[part[1]];
    }
    for (int b = 0; b < set->bundles; b++) {
        s->bundles[b] = 0;
        for (uint32_t i = set->bundle_starts[b]; i < set->bundle_starts[b + 1]; i++)
            s->bundles[b] += (double)s->parts[set->bundle_parts[i]];
    }
}

int dd_tag_weigh(dd_tag_sums *s)
{
    const dd_tagset *set = s->set;
    int best = 0;
    double sum = 0;
    add_parts(s);
    for (int tag = 0; tag < set->count; tag++) {
        s->tags[tag] = s->heads[set->tags[tag].head] + s->bundles[set->tags[tag].bundle];
        if (s->tags[tag] > s->tags[best]) best = tag;
    }
    double most = s->tags[best];
    for (int tag = 0; tag < set->count; tag++) sum += s->tags[tag] = exp(s->tags[tag] - most);
    for (int tag = 0; tag < set->count; tag++) s->tags[tag] /= sum;
    return best;
}

/* Each part's derivative is the probability of all tags that have it, less 1 if the right one has.
 */
void dd_tag_derivatives(dd_tag_sums *s, int gold)
{
    const dd_tagset *set = s->set;
    memset(s->parts, 0, (size_t)set->parts * sizeof *s->parts);
    memset(s->heads, 0, (size_t)set->heads * sizeof *s->heads);
    memset(s->bundles, 0, (size_t)set->bundles * sizeof *s->bundles);
    s->tags[gold] -= 1;
    for (int tag = 0; tag < set->count; tag++) {
        s->heads[set->tags[tag].head] += s->tags[tag];
        s->bundles[set->tags[tag].bundle] += s->tags[tag];
    }
    for (int h = 0; h < set->heads; h++)
        for (int i = 0; i < DD_HEAD_PARTS; i++)
            s->parts[set->head_parts[h * DD_HEAD_PARTS + i]] += (dd_real)s->heads[h];
    for (int b = 0; b < set->bundles; b++)
        for (uint32_t i = set->bundle_starts[b]; i < set->bundle_starts[b + 1]; i++)
            s->parts[set->bundle_parts[i]] += (dd_real)s->bundles[b];
}

/* ---- the trainer ------------------------------------------------------------------------------
 */

/* What a shard's thread works with. */
typedef struct room {
    dd_tag_sums sums;
    uint64_t asked, right;
} room;

typedef struct tagging {
    dd_network_options how; /* with the words of a mini-batch */
    dd_tag_gold gold;
    dd_tag_silver silver; /* its sentences come after those of gold */
    const dd_tagger_options *options;
    dd_status failed; /* of reading silver words; DD_OK: it has not */
    dd_error why;
    uint64_t learnt;    /* words of gold so far */
    dd_vectors vectors; /* until the trainer takes them over */
    dd_network_trainer trainer;
    room rooms[DD_SHARDS];
    uint32_t *batch; /* [count] sentences that the next step is made of */
    int in_batch, words;
    size_t batch_capacity;
    dd_tally tally;
    dd_draft *sections;
} tagging;

static void free_tagging(tagging *t)
{
    dd_tag_gold_free(&t->gold);
    dd_tag_silver_free(&t->silver);
    dd_vectors_free(&t->vectors);
    dd_network_trainer_free(&t->trainer);
    for (int i = 0; i < DD_SHARDS; i++) dd_tag_sums_free(&t->rooms[i].sums);
    free(t->batch);
}

/* ---- preparing ---------------------------------------------------------------------------- */

static bool make_rooms(tagging *t)
{
    for (int i = 0; i < DD_SHARDS; i++)
        if (!dd_tag_sums_set(&t->rooms[i].sums, &t->gold.tagger.tagset)) return false;
    return true;
}

static dd_status start(tagging *t, const dd_network_plan *plan, dd_error *error)
{
    dd_network_shape shape = {.encoder = dd_encoder_find(t->how.encoder),
                              .layers = t->how.layers,
                              .width = (t->how.width + 7) / 8 * 8,
                              .slots = 1,
                              .hidden = (t->how.hidden + 15) / 16 * 16,
                              .outputs = t->gold.tagger.tagset.parts};
    dd_status status = dd_network_trainer_code(&t->trainer, plan, &t->vectors, error);
    if (status != DD_OK) return status;
    dd_network_trainer_shape(&t->trainer, &t->vectors, &shape);
    status = dd_network_trainer_start(&t->trainer, plan, &shape, &t->vectors, error);
    return status != DD_OK || make_rooms(t) ? status : dd_fail_memory(error);
}

static dd_tag_lessons lessons_of(tagging *t)
{
    return (dd_tag_lessons){t->options, &t->gold, &t->trainer.coder, &t->trainer.codes};
}

/* The network reads endings itself. Lists of tags by ending, which help the linear tagger, only
 * take right tags away from it: "stall" would be no verb, as words in -all are not in the treebank.
 */
static dd_status prepare(tagging *t, dd_sentence *const *sentences, size_t count,
                         const dd_tagger_options *options, dd_error *error)
{
    dd_status status = dd_tag_gold_set(&t->gold, sentences, count, false, error);
    if (status != DD_OK) return status;
    dd_network_plan plan = {.how = &t->how,
                            .sentences = (const dd_sentence *const *)sentences,
                            .count = count,
                            .columns = 1u << DD_FORM,
                            .inputs = 1u << DD_INPUT_FORM | 1u << DD_INPUT_CHARS,
                            .iterations = options->iterations,
                            .threads = options->threads,
                            .seed = options->seed};
    for (size_t i = 0; i < count; i++) plan.words += (uint64_t)sentences[i]->n;
    if (options->silver) plan.words += (uint64_t)((double)plan.words * options->silver_weight);
    t->how.batch_words = dd_network_batch_words(&t->how, plan.words);
    status = start(t, &plan, error);
    if (status != DD_OK) return status;
    const dd_tag_lessons lessons = lessons_of(t);
    return dd_tag_silver_read(&t->silver, &lessons, error);
}

/* ---- learning ----------------------------------------------------------------------------- */

static bool is_silver(const tagging *t, uint32_t sentence)
{
    return sentence >= t->gold.count;
}

static const uint16_t *tags_of(const tagging *t, uint32_t sentence)
{
    if (!is_silver(t, sentence)) return t->gold.tags[sentence];
    return t->silver.tags + t->silver.starts[sentence - t->gold.count];
}

/* Only the treebank's words are counted. */
static bool learn_word(dd_shard *shard, int number, int word, int tag, bool counts, room *r)
{
    dd_real *parts = r->sums.parts;
    memcpy(parts, dd_shard_node_scores(shard, number, word),
           (size_t)r->sums.set->parts * sizeof *parts);
    r->right += dd_tag_weigh(&r->sums) == tag && counts;
    r->asked += counts;
    dd_tag_derivatives(&r->sums, tag);
    return dd_shard_decide(shard, number, &word, parts);
}

static bool learn_shard(dd_network_trainer *d, int shard, void *user)
{
    tagging *t = user;
    if (d->first[shard + 1] > d->first[shard]) dd_shard_score_nodes(&d->shards[shard]);
    for (int i = d->first[shard]; i < d->first[shard + 1]; i++) {
        const uint16_t *tags = tags_of(t, t->batch[i]);
        int number = i - d->first[shard];
        for (int word = 1; word <= d->coded[i]->n; word++)
            if (tags[word - 1] != DD_NOT_TAUGHT &&
                !learn_word(&d->shards[shard], number, word, tags[word - 1],
                            !is_silver(t, t->batch[i]), &t->rooms[shard]))
                return false;
    }
    return true;
}

static bool learn_batch(tagging *t)
{
    dd_network_trainer *d = &t->trainer;
    if (t->in_batch == 0) return true;
    if (!dd_network_trainer_prepare(d, t->batch, t->in_batch) ||
        !dd_network_trainer_for_shards(d, learn_shard, t) || !dd_network_trainer_step(d))
        return false;
    for (int i = 0; i < DD_SHARDS; i++) {
        t->tally.asked += t->rooms[i].asked;
        t->tally.right += t->rooms[i].right;
        t->rooms[i].asked = t->rooms[i].right = 0;
    }
    t->in_batch = t->words = 0;
    return true;
}

/* What is left in the end of an iteration goes into the first step of the next. */
static bool add_to_batch(tagging *t, size_t sentence)
{
    if (!DD_RESERVE(&t->batch, &t->batch_capacity, (size_t)t->in_batch + 1)) return false;
    t->batch[t->in_batch++] = (uint32_t)sentence;
    t->words += t->trainer.codes.sentences[sentence].n;
    t->tally.words += (uint64_t)t->trainer.codes.sentences[sentence].n;
    return t->words < t->how.batch_words || learn_batch(t);
}

/* Makes sure that there is a silver sentence to draw. What is left of the last window is learnt
 * before its sentences go; a window may have none. */
static bool reach_silver(tagging *t)
{
    const dd_tag_lessons lessons = lessons_of(t);
    while (dd_tag_silver_is_spent(&t->silver)) {
        if (!learn_batch(t)) return false;
        t->failed = dd_tag_silver_next_window(&t->silver, &lessons, &t->why);
        if (t->failed != DD_OK) return false;
    }
    return true;
}

/* Silver sentences follow as soon as they are due. */
static bool learn_sentence(void *learner, size_t sentence)
{
    tagging *t = learner;
    bool ok = add_to_batch(t, sentence);
    t->learnt += (uint64_t)t->gold.sentences[sentence]->n;
    while (ok && t->options->silver &&
           (double)t->silver.drawn < t->options->silver_weight * (double)t->learnt)
        ok = reach_silver(t) && add_to_batch(t, t->gold.count + dd_tag_silver_next(&t->silver));
    return ok;
}

static bool write_sections(void *learner, dd_buffer *section)
{
    const tagging *t = learner;
    const dd_network_names names = {"tagger-network", "tagger-symbols"};
    const dd_freezing_options how = {.bits = t->how.bits};
    return dd_buffer_append(section, t->gold.head.data, t->gold.head.size) &&
           dd_network_freeze(&t->trainer.network, t->trainer.adam.average, &t->trainer.coder,
                             &names, &how, t->sections);
}

dd_status dd_tagger_train_neural(dd_draft *sections, dd_sentence *const *sentences, size_t count,
                                 const dd_tagger_options *options, dd_error *error)
{
    tagging t = {.how = *(const dd_network_options *)options->how,
                 .sections = sections,
                 .options = options,
                 .failed = DD_OK};
    dd_learning learning = {.component = DD_TAGGER,
                            .iterations = options->iterations,
                            .seed = options->seed,
                            .report = options->report,
                            .user = options->user,
                            .examples = count,
                            .tally = &t.tally,
                            .learner = &t,
                            .learn = learn_sentence,
                            .write = write_sections};
    dd_status status = prepare(&t, sentences, count, options, error);
    if (status == DD_OK) status = dd_learn(&learning, dd_draft_add(sections, "tagger"), error);
    if (t.failed != DD_OK) {
        status = t.failed;
        if (error) *error = t.why;
    }
    free_tagging(&t);
    return status;
}

static double pace(const dd_network_options *network, double words)
{
    return dd_network_pace(network, network->layers, network->width, words);
}

const dd_tagger_kind dd_neural_tagger = {
    .name = "neural",
    .train = dd_tagger_train_neural,
    .iterations = 30,
    .takes_network = true,
    .takes_vectors = true,
    .takes_silver = true,
    .shares = true,
    .folds = &dd_linear_tagger,
    .pace = pace,
};
