/* score.c - the scores of aligned words: attachment, labels, tags, and arcs by length and
 * projectivity */
#include "core/memory.h"
#include "core/status.h"
#include "eval/evaluation.h"
#include "text/sentence.h"
#include "tree/tree.h"

#include <stdlib.h>

/* ---- arcs ----------------------------------------------------------------------------------- */

/* Which arcs are right, by length and projectivity (McDonald and Nivre 2007, "Characterizing the
 * errors of data-driven dependency parsing models"). */

static dd_status check_tree(dd_tree_space *space, const int32_t *heads, int n, const char *which,
                            dd_error *error)
{
    dd_tree_fault fault;
    int word;
    if (!dd_tree_check(space, heads, n, &fault, &word)) return dd_fail_memory(error);
    if (fault == DD_TREE_OK) return DD_OK;
    return dd_fail(error, DD_ERROR_DATA, "the %s heads are not a tree: %s", which,
                   dd_tree_fault_text(fault));
}

static int length_of(int head, int dependent)
{
    int length = head == 0 ? 0 : abs(head - dependent);
    return length < DD_ARC_LENGTHS ? length : DD_ARC_LENGTHS - 1;
}

static void add_arcs(dd_arc_counts *counts, const dd_sentence *s, const bool *gold_strays,
                     const bool *system_strays)
{
    for (int word = 1; word <= s->n; word++) {
        bool right = s->gold[word] == s->heads[word];
        dd_arc_count *gold = &counts->length[length_of(s->gold[word], word)];
        dd_arc_count *system = &counts->length[length_of(s->heads[word], word)];
        gold->gold++;
        gold->found += right;
        system->system++;
        system->right += right;
        gold = gold_strays[word] ? &counts->nonprojective : &counts->projective;
        system = system_strays[word] ? &counts->nonprojective : &counts->projective;
        gold->gold++;
        gold->found += right;
        system->system++;
        system->right += right;
    }
}

dd_status dd_arc_counts_add(dd_arc_counts *counts, const dd_sentence *parsed, dd_error *error)
{
    dd_tree_space space = {0};
    size_t nodes = (size_t)parsed->n + 1;
    int arcs;
    bool *strays = dd_calloc(2 * nodes, sizeof *strays);
    dd_status status = strays ? DD_OK : dd_fail_memory(error);
    if (status == DD_OK) status = check_tree(&space, parsed->gold, parsed->n, "gold", error);
    if (status == DD_OK) status = check_tree(&space, parsed->heads, parsed->n, "system's", error);
    if (status == DD_OK &&
        (!dd_tree_mark_nonprojective(&space, parsed->gold, parsed->n, strays, &arcs) ||
         !dd_tree_mark_nonprojective(&space, parsed->heads, parsed->n, strays + nodes, &arcs)))
        status = dd_fail_memory(error);
    if (status == DD_OK) add_arcs(counts, parsed, strays, strays + nodes);
    free(strays);
    dd_tree_space_free(&space);
    return status;
}

/* ---- scores --------------------------------------------------------------------------------- */

/* What two aligned words have in common. */
enum {
    SAME_UPOS = 1 << 0,
    SAME_XPOS = 1 << 1,
    SAME_FEATS = 1 << 2,
    SAME_LEMMA = 1 << 3, /* or the gold file has none */
    SAME_HEAD = 1 << 4,
    SAME_LABEL = 1 << 5,
    SAME_CHILDREN = 1 << 6, /* functional ones, with their label, UPOS and FEATS */
};

typedef struct word_metric {
    const char *name;
    unsigned needs;    /* what makes an aligned word correct */
    bool content_only; /* counts only words with a content relation */
} word_metric;

static const word_metric conll2018_metrics[] = {
    {"Words", 0, false},
    {"UPOS", SAME_UPOS, false},
    {"XPOS", SAME_XPOS, false},
    {"UFeats", SAME_FEATS, false},
    {"AllTags", SAME_UPOS | SAME_XPOS | SAME_FEATS, false},
    {"Lemmas", SAME_LEMMA, false},
    {"UAS", SAME_HEAD, false},
    {"LAS", SAME_HEAD | SAME_LABEL, false},
    {"CLAS", SAME_HEAD | SAME_LABEL, true},
    {"MLAS", SAME_HEAD | SAME_LABEL | SAME_UPOS | SAME_FEATS | SAME_CHILDREN, true},
    {"BLEX", SAME_HEAD | SAME_LABEL | SAME_LEMMA, true},
    {"LabelAcc", SAME_LABEL, false},
};

static const word_metric conllx_metrics[] = {
    {"LAS", SAME_HEAD | SAME_LABEL, false},
    {"UAS", SAME_HEAD, false},
    {"LabelAcc", SAME_LABEL, false},
};

static bool same_children(const dd_eval_pair_of_files *files, const dd_eval_word *gold,
                          const dd_eval_word *system)
{
    int32_t g = gold->child, s = system->child;
    while (g >= 0 && s >= 0) {
        const dd_eval_word *left = &files->gold->words[g], *right = &files->system->words[s];
        if (files->alignment->gold_of[s] != g || left->deprel != right->deprel ||
            left->upos != right->upos || left->feats != right->feats)
            return false;
        g = left->sibling;
        s = right->sibling;
    }
    return g < 0 && s < 0;
}

static unsigned compare_words(const dd_eval_pair_of_files *files, const dd_eval_word *gold,
                              const dd_eval_word *system)
{
    bool same_lemma = gold->lemma == DD_EVAL_UNDERSCORE || gold->lemma == system->lemma;
    return (gold->upos == system->upos ? SAME_UPOS : 0u) |
           (gold->xpos == system->xpos ? SAME_XPOS : 0u) |
           (gold->feats == system->feats ? SAME_FEATS : 0u) | (same_lemma ? SAME_LEMMA : 0u) |
           (dd_eval_same_head(files, gold, system) ? SAME_HEAD : 0u) |
           (gold->deprel == system->deprel ? SAME_LABEL : 0u) |
           (same_children(files, gold, system) ? SAME_CHILDREN : 0u);
}

static bool counts_for(const word_metric *metric, const dd_eval_pair_of_files *files,
                       const dd_eval_word *word)
{
    return dd_eval_is_scored(files, word) && (!metric->content_only || dd_eval_is_content(word));
}

/* Adds one gold word, and the system's word where they are aligned, to all metrics. */
static void add_gold_word(dd_metric *metrics, const word_metric *kinds, size_t n,
                          const dd_eval_pair_of_files *files, size_t at)
{
    const dd_eval_word *gold = &files->gold->words[at];
    int32_t partner = files->alignment->system_of[at];
    unsigned same = partner < 0 ? 0 : compare_words(files, gold, &files->system->words[partner]);
    for (size_t i = 0; i < n; i++) {
        if (!counts_for(&kinds[i], files, gold)) continue;
        metrics[i].gold++;
        if (partner < 0) continue;
        metrics[i].aligned++;
        if ((same & kinds[i].needs) == kinds[i].needs) metrics[i].correct++;
    }
}

static void score_words(dd_evaluation *evaluation, const word_metric *kinds, size_t n,
                        const dd_eval_pair_of_files *files)
{
    dd_metric *metrics = evaluation->metrics + evaluation->n_metrics;
    evaluation->n_metrics += n;
    for (size_t i = 0; i < n; i++)
        metrics[i] = (dd_metric){.name = kinds[i].name, .on_aligned = kinds[i].needs != 0};
    for (size_t at = 0; at < files->gold->n_words; at++)
        add_gold_word(metrics, kinds, n, files, at);
    for (size_t at = 0; at < files->system->n_words; at++)
        for (size_t i = 0; i < n; i++)
            metrics[i].system += counts_for(&kinds[i], files, &files->system->words[at]);
}

static dd_metric score_spans(const char *name, const dd_eval_span *gold, size_t n_gold,
                             const dd_eval_span *system, size_t n_system)
{
    dd_metric metric = {.name = name, .gold = n_gold, .system = n_system};
    for (size_t g = 0, s = 0; g < n_gold && s < n_system;) {
        if (gold[g].start == system[s].start)
            metric.correct += gold[g++].end == system[s++].end;
        else if (gold[g].start < system[s].start)
            g++;
        else
            s++;
    }
    return metric;
}

void dd_eval_score(dd_evaluation *evaluation, const dd_eval_pair_of_files *files)
{
    const dd_eval_corpus *gold = files->gold, *system = files->system;
    if (evaluation->options.rule == DD_EVAL_CONLLX) {
        score_words(evaluation, conllx_metrics, sizeof conllx_metrics / sizeof *conllx_metrics,
                    files);
        return;
    }
    dd_metric *spans = evaluation->metrics;
    spans[0] =
        score_spans("Tokens", gold->tokens, gold->n_tokens, system->tokens, system->n_tokens);
    spans[1] = score_spans("Sentences", gold->sentences, gold->n_sentences, system->sentences,
                           system->n_sentences);
    evaluation->n_metrics = 2;
    score_words(evaluation, conll2018_metrics, sizeof conll2018_metrics / sizeof *conll2018_metrics,
                files);
}

bool dd_eval_count_sentences(dd_evaluation *evaluation, const dd_eval_pair_of_files *files)
{
    const dd_eval_corpus *gold = files->gold;
    evaluation->sentences = dd_calloc(gold->n_sentences, sizeof *evaluation->sentences);
    if (!evaluation->sentences) return false;
    evaluation->n_sentences = gold->n_sentences;
    for (size_t at = 0; at < gold->n_words; at++) {
        const dd_eval_word *word = &gold->words[at];
        if (!dd_eval_is_scored(files, word)) continue;
        dd_sentence_score *counts = &evaluation->sentences[word->sentence];
        counts->words++;
        int32_t partner = files->alignment->system_of[at];
        if (partner < 0) continue;
        const dd_eval_word *system = &files->system->words[partner];
        bool head = dd_eval_same_head(files, word, system);
        counts->heads += head;
        counts->labelled += head && word->deprel == system->deprel;
    }
    return true;
}
