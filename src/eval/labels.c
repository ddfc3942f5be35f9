/* labels.c - the scores of each label, and which labels are confused with which */
#include "core/memory.h"
#include "eval/evaluation.h"

#include <stdlib.h>
#include <string.h>

/* A label and its number in the vocabulary. */
typedef struct entry {
    dd_text name;
    int32_t label;
} entry;

typedef struct entries {
    entry *at; /* [count] */
    size_t count, capacity;
} entries;

static int by_name(const void *left, const void *right)
{
    dd_text a = ((const entry *)left)->name, b = ((const entry *)right)->name;
    int order = memcmp(a.data, b.data, a.size < b.size ? a.size : b.size);
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

/* Adds the labels of a file that are new; their row_of is no longer -1 then. */
static bool collect(entries *list, int32_t *row_of, const dd_eval_pair_of_files *files,
                    const dd_eval_corpus *corpus)
{
    for (size_t i = 0; i < corpus->n_words; i++) {
        int32_t label = corpus->words[i].deprel;
        if (row_of[label] >= 0 || !dd_eval_is_scored(files, &corpus->words[i])) continue;
        if (!DD_RESERVE(&list->at, &list->capacity, list->count + 1)) return false;
        list->at[list->count++] = (entry){dd_vocab_text(files->vocab, label), label};
        row_of[label] = 0;
    }
    return true;
}

static bool add_rows(dd_evaluation *evaluation, int32_t *row_of, const entries *list)
{
    evaluation->labels = dd_calloc(list->count, sizeof *evaluation->labels);
    if (!evaluation->labels) return false;
    for (size_t row = 0; row < list->count; row++) {
        char *name = dd_copy_text(list->at[row].name.data, list->at[row].name.size);
        if (!name) return false;
        evaluation->labels[evaluation->n_labels++] = (dd_metric){.name = name, .on_aligned = true};
        row_of[list->at[row].label] = (int32_t)row;
    }
    return true;
}

/* A row for each label of either file, in alphabetical order. */
static bool make_rows(dd_evaluation *evaluation, int32_t *row_of,
                      const dd_eval_pair_of_files *files)
{
    entries list = {0};
    for (int i = 0; i < files->vocab->count; i++) row_of[i] = -1;
    bool ok =
        collect(&list, row_of, files, files->gold) && collect(&list, row_of, files, files->system);
    if (list.count) qsort(list.at, list.count, sizeof *list.at, by_name);
    ok = ok && add_rows(evaluation, row_of, &list);
    free(list.at);
    return ok;
}

static void count_rows(dd_metric *rows, const int32_t *row_of, const dd_eval_pair_of_files *files)
{
    for (size_t i = 0; i < files->system->n_words; i++) {
        const dd_eval_word *word = &files->system->words[i];
        if (dd_eval_is_scored(files, word)) rows[row_of[word->deprel]].system++;
    }
    for (size_t i = 0; i < files->gold->n_words; i++) {
        const dd_eval_word *gold = &files->gold->words[i];
        int32_t partner = files->alignment->system_of[i];
        if (!dd_eval_is_scored(files, gold)) continue;
        dd_metric *row = &rows[row_of[gold->deprel]];
        row->gold++;
        if (partner < 0) continue;
        const dd_eval_word *system = &files->system->words[partner];
        row->aligned++;
        row->correct += gold->deprel == system->deprel && dd_eval_same_head(files, gold, system);
    }
}

/* ---- confusions ---- */

static int by_number(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* The most frequent first; equal ones in the order of their labels. */
static int by_count(const void *left, const void *right)
{
    const dd_confusion *a = left, *b = right;
    if (a->count != b->count) return a->count < b->count ? 1 : -1;
    int order = strcmp(a->gold, b->gold);
    return order ? order : strcmp(a->system, b->system);
}

/* Gold and system row of each aligned word whose labels differ, as one sorted number a word.
 * Aligned words are both punctuation or both not, so each label has its row. */
static size_t list_differences(uint64_t *list, const int32_t *row_of,
                               const dd_eval_pair_of_files *files)
{
    size_t count = 0;
    for (size_t i = 0; i < files->gold->n_words; i++) {
        const dd_eval_word *gold = &files->gold->words[i];
        int32_t partner = files->alignment->system_of[i];
        if (partner < 0 || !dd_eval_is_scored(files, gold)) continue;
        int32_t label = files->system->words[partner].deprel;
        if (gold->deprel == label) continue;
        list[count++] = (uint64_t)row_of[gold->deprel] << 32 | (uint32_t)row_of[label];
    }
    if (count) qsort(list, count, sizeof *list, by_number);
    return count;
}

static bool make_confusions(dd_evaluation *evaluation, const uint64_t *list, size_t count)
{
    size_t capacity = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && list[i] == list[i - 1]) {
            evaluation->confusions[evaluation->n_confusions - 1].count++;
            continue;
        }
        if (!DD_RESERVE(&evaluation->confusions, &capacity, evaluation->n_confusions + 1))
            return false;
        evaluation->confusions[evaluation->n_confusions++] =
            (dd_confusion){.gold = evaluation->labels[list[i] >> 32].name,
                           .system = evaluation->labels[(uint32_t)list[i]].name,
                           .count = 1};
    }
    if (evaluation->n_confusions)
        qsort(evaluation->confusions, evaluation->n_confusions, sizeof *evaluation->confusions,
              by_count);
    return true;
}

bool dd_eval_count_labels(dd_evaluation *evaluation, const dd_eval_pair_of_files *files)
{
    int32_t *row_of = dd_calloc((size_t)files->vocab->count, sizeof *row_of);
    uint64_t *list = dd_calloc(files->gold->n_words, sizeof *list);
    bool ok = row_of && list && make_rows(evaluation, row_of, files);
    if (ok) {
        count_rows(evaluation->labels, row_of, files);
        size_t count = list_differences(list, row_of, files);
        ok = make_confusions(evaluation, list, count);
    }
    free(row_of);
    free(list);
    return ok;
}
