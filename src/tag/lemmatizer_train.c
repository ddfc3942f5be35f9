#include "core/learning.h"
#include "core/memory.h"
#include "core/strings.h"
#include "tag/lemmatizer_parts.h"

#include <stdlib.h>
#include <string.h>

/* By how much the right rule must lead, in weights of one feature. */
enum { MARGIN = 40 };

/* A form with its tags, and the rule that makes its lemma most often. */
typedef struct example {
    dd_lemma_word word;
    uint32_t rule;
    uint32_t count; /* in the data */
    uint64_t lemma; /* see dd_lemma_known */
} example;

typedef struct trainer {
    const dd_lemmatizer_options *options;
    dd_vocab names; /* lines of the rules */
    dd_buffer line;
    example *examples; /* [count] */
    size_t count;
    dd_lemmatizer lemmatizer; /* its rules, then all of it */
    int32_t *scores;          /* [rules] */
    dd_rows rows;
    dd_tally tally;
} trainer;

void dd_lemmatizer_options_init(dd_lemmatizer_options *options)
{
    *options = (dd_lemmatizer_options){.iterations = 10, .seed = 1};
}

static void free_trainer(trainer *t)
{
    dd_vocab_free(&t->names);
    dd_buffer_free(&t->line);
    free(t->examples);
    free(t->lemmatizer.rules);
    free(t->scores);
    dd_rows_free(&t->rows);
}

/* ---- examples ----------------------------------------------------------------------------- */

static int by_word(const void *a, const void *b)
{
    const example *x = a, *y = b;
    if (x->word.identity != y->word.identity) return x->word.identity < y->word.identity ? -1 : 1;
    return (x->rule > y->rule) - (x->rule < y->rule);
}

/* By form, and then by tags. */
static int by_form(const void *a, const void *b)
{
    const dd_form *x = &((const example *)a)->word.form, *y = &((const example *)b)->word.form;
    if (x->exact != y->exact) return x->exact < y->exact ? -1 : 1;
    return by_word(a, b);
}

static dd_status collect(trainer *t, dd_sentence *const *sentences, size_t count, dd_error *error)
{
    size_t words = 0;
    for (size_t s = 0; s < count; s++) words += (size_t)sentences[s]->n;
    if (words == 0) return dd_fail(error, DD_ERROR_DATA, "no words to train a lemmatizer on");
    t->examples = dd_calloc(words, sizeof *t->examples);
    if (!t->examples) return dd_fail_memory(error);
    for (size_t s = 0; s < count; s++) {
        for (int at = 1; at <= sentences[s]->n; at++) {
            dd_text form = dd_cell(sentences[s], at, DD_FORM);
            dd_text lemma = dd_cell(sentences[s], at, DD_LEMMA);
            if (dd_is_missing(lemma) && !dd_is_missing(form)) continue;
            t->line.size = 0;
            if (!dd_lemma_rule_find(form, lemma, &t->line)) return dd_fail_memory(error);
            int rule = dd_vocab_add(&t->names, (dd_text){t->line.data, t->line.size});
            if (rule < 0) return dd_fail_memory(error);
            if (rule >= DD_MAX_LEMMA_RULES)
                return dd_fail(error, DD_ERROR_DATA, "more than %d different lemma rules",
                               DD_MAX_LEMMA_RULES);
            example *made = &t->examples[t->count++];
            *made = (example){.rule = (uint32_t)rule, .count = 1};
            dd_lemma_word_read(&made->word, sentences[s], at);
            made->lemma = dd_lemma_known(lemma, made->word.upos);
        }
    }
    return DD_OK;
}

/* Each word once with its most frequent rule. */
static void unite(trainer *t)
{
    size_t kept = 0;
    qsort(t->examples, t->count, sizeof *t->examples, by_word);
    for (size_t i = 0, next; i < t->count; i = next) {
        example best = t->examples[i];
        for (next = i; next < t->count && t->examples[next].word.identity == best.word.identity;) {
            size_t from = next;
            while (next < t->count && by_word(&t->examples[from], &t->examples[next]) == 0) next++;
            if (from == i || next - from > best.count) {
                best = t->examples[from];
                best.count = (uint32_t)(next - from);
            }
        }
        t->examples[kept++] = best;
    }
    t->count = kept;
}

/* A rule that gives a whole lemma does not apply to other forms. */
static void restrict_rules(trainer *t)
{
    for (int rule = 0; rule < t->names.count; rule++) {
        char *line = t->names.bytes + t->names.starts[rule];
        if (*line == DD_LEMMA_WHOLE) dd_lemma_rule_restrict(line);
    }
}

/* The rules, as the lemmatizer will read them, and room for their scores. */
static dd_status read_rules(trainer *t, dd_error *error)
{
    bool is_damaged;
    dd_text lines = {t->names.bytes, t->names.bytes_size};
    if (!dd_lemmatizer_read_rules(&t->lemmatizer, lines, &is_damaged)) return dd_fail_memory(error);
    t->scores = dd_calloc((size_t)t->lemmatizer.count, sizeof *t->scores);
    return t->scores ? DD_OK : dd_fail_memory(error);
}

/* ---- learning ----------------------------------------------------------------------------- */

static bool learn_example(void *learner, size_t at)
{
    trainer *t = learner;
    const example *e = &t->examples[at];
    if (t->lemmatizer.rules[e->rule].particular) return true;
    uint64_t features[DD_MAX_LEMMA_FEATURES];
    int count = dd_lemma_features(&e->word, features);
    t->rows.steps++;
    memset(t->scores, 0, (size_t)t->lemmatizer.count * sizeof *t->scores);
    dd_rows_score(&t->rows, features, count, t->scores);
    int other = dd_lemmatizer_best(&t->lemmatizer, t->scores, e->word.form.length, (int)e->rule);
    t->tally.asked++;
    t->tally.right += other < 0 || t->scores[other] < t->scores[e->rule];
    if (other < 0 || t->scores[other] + MARGIN < t->scores[e->rule]) return true;
    return dd_rows_change(&t->rows, features, count, e->rule, 1) &&
           dd_rows_change(&t->rows, features, count, (uint32_t)other, -1);
}

/* ---- the section -------------------------------------------------------------------------- */

/* Whether the packed weights choose another rule than the example's. */
static bool is_exception(const trainer *t, const dd_tag_weights *weights, const example *e)
{
    uint64_t features[DD_MAX_LEMMA_FEATURES];
    int count = dd_lemma_features(&e->word, features);
    memset(t->scores, 0, (size_t)t->lemmatizer.count * sizeof *t->scores);
    dd_tag_weights_score(weights, features, count, t->scores);
    return dd_lemmatizer_best(&t->lemmatizer, t->scores, e->word.form.length, -1) != (int)e->rule;
}

static bool note(dd_buffer *entries, uint64_t hash, uint32_t rule)
{
    dd_slot_entry e = {.hash = hash, .slot = {.rule = rule}};
    return dd_buffer_append(entries, &e, sizeof e);
}

/* Behind the last example of the same form; whether all have one rule. */
static size_t same_form(const trainer *t, size_t from, bool *one_rule)
{
    size_t to = from;
    *one_rule = true;
    while (to < t->count && t->examples[to].word.form.exact == t->examples[from].word.form.exact) {
        *one_rule &= t->examples[to].rule == t->examples[from].rule;
        to++;
    }
    return to;
}

/* The examples are sorted by form. */
static bool find_exceptions(trainer *t, const dd_tag_weights *weights, dd_buffer *entries)
{
    for (size_t i = 0, next; i < t->count; i = next) {
        bool one_rule;
        next = same_form(t, i, &one_rule);
        const example *first = &t->examples[i];
        if (first->word.alone && one_rule) {
            if (!note(entries, first->word.alone, first->rule)) return false;
            continue;
        }
        for (const example *e = first; e < t->examples + next; e++)
            if (is_exception(t, weights, e) && !note(entries, e->word.identity, e->rule))
                return false;
    }
    return true;
}

static int by_folded(const void *a, const void *b)
{
    const dd_form *x = &((const example *)a)->word.form, *y = &((const example *)b)->word.form;
    if (x->folded != y->folded) return x->folded < y->folded ? -1 : 1;
    return by_word(a, b);
}

/* Adds the forms that need a particular rule, in any casing, and the known lemmas. */
static bool find_known(trainer *t, dd_buffer *entries)
{
    qsort(t->examples, t->count, sizeof *t->examples, by_folded);
    for (size_t i = 0, next; i < t->count; i = next) {
        const example *first = &t->examples[i];
        bool one_rule = t->lemmatizer.rules[first->rule].particular;
        for (next = i; next < t->count; next++) {
            if (t->examples[next].word.form.folded != first->word.form.folded) break;
            one_rule &= t->examples[next].rule == first->rule;
            if (!note(entries, t->examples[next].lemma, first->rule)) return false;
        }
        uint64_t folded = dd_lemma_folded(&first->word);
        if (one_rule && folded && !note(entries, folded, first->rule)) return false;
    }
    return true;
}

static bool put_exceptions(trainer *t, const dd_tag_weights *weights, dd_buffer *section)
{
    dd_buffer found = {0};
    qsort(t->examples, t->count, sizeof *t->examples, by_form);
    bool ok = find_exceptions(t, weights, &found) && find_known(t, &found) &&
              dd_tag_slots_write(&found, section);
    dd_buffer_free(&found);
    return ok;
}

static bool write_section(void *learner, dd_buffer *section)
{
    trainer *t = learner;
    const uint32_t version = DD_LEMMATIZER_VERSION;
    dd_buffer packed = {0};
    dd_tag_weights weights;
    bool ok = dd_tag_weights_write(
        &t->rows, t->lemmatizer.count,
        dd_tag_weights_least(&t->rows, t->lemmatizer.count, t->options->most_bytes), &packed);
    dd_cursor blocks = {{packed.data, packed.size}, DD_ALIGN_NUMBERS, false};
    ok = ok && dd_tag_weights_map(&weights, &blocks, t->lemmatizer.count) &&
         dd_block_put(section, DD_ALIGN_NUMBERS, &version, sizeof version) &&
         dd_block_put(section, DD_ALIGN_NUMBERS, t->names.bytes, t->names.bytes_size) &&
         dd_buffer_append(section, packed.data, packed.size) &&
         put_exceptions(t, &weights, section);
    dd_buffer_free(&packed);
    return ok;
}

dd_status dd_lemmatizer_train(dd_buffer *section, dd_sentence *const *sentences, size_t count,
                              const dd_lemmatizer_options *options, dd_error *error)
{
    trainer t = {.options = options};
    dd_status status = collect(&t, sentences, count, error);
    if (status == DD_OK) unite(&t);
    if (status == DD_OK) restrict_rules(&t);
    if (status == DD_OK) status = read_rules(&t, error);
    dd_learning learning = {.component = DD_LEMMATIZER,
                            .iterations = options->iterations,
                            .seed = options->seed,
                            .report = options->report,
                            .user = options->user,
                            .examples = t.count,
                            .tally = &t.tally,
                            .learner = &t,
                            .learn = learn_example,
                            .write = write_section};
    if (status == DD_OK) status = dd_learn(&learning, section, error);
    free_trainer(&t);
    return status;
}
