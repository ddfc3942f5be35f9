/* stats.c - counts over a treebank: sizes, shapes of trees, what each system can build */
#include "core/memory.h"
#include "core/status.h"
#include "core/strings.h"
#include "systems/registry.h"
#include "text/sentence.h"

#include <dodona_tools.h>
#include <stdlib.h>

struct dd_stats_collector {
    dd_stats counts;
    bool single_root;
    dd_vocab labels;
    dd_gold gold;
    dd_tree_space space;
};

dd_status dd_stats_collector_new(dd_stats_collector **out, bool single_root, dd_error *error)
{
    dd_stats_collector *stats = dd_calloc(1, sizeof *stats);
    if (!stats) return dd_fail_memory(error);
    stats->single_root = single_root;
    *out = stats;
    return DD_OK;
}

void dd_stats_collector_free(dd_stats_collector *stats)
{
    if (!stats) return;
    dd_vocab_free(&stats->labels);
    dd_gold_free(&stats->gold);
    dd_tree_space_free(&stats->space);
    free(stats);
}

static bool add_words(dd_stats_collector *stats, const dd_sentence *sentence)
{
    dd_stats *counts = &stats->counts;
    counts->sentences++;
    counts->words += (uint64_t)sentence->n;
    counts->ranges += (uint64_t)sentence->origin.ranges;
    counts->empty_nodes += (uint64_t)sentence->origin.empty;
    if (sentence->n > counts->longest) counts->longest = sentence->n;
    counts->unknown_heads += (uint64_t)dd_tree_unknown(sentence->gold, sentence->n);
    for (int word = 1; word <= sentence->n; word++)
        if (sentence->gold[word] != DD_HEAD_UNKNOWN &&
            dd_vocab_add(&stats->labels, dd_cell(sentence, word, DD_DEPREL)) < 0)
            return false;
    return true;
}

static bool add_shape(dd_stats_collector *stats, const dd_sentence *sentence)
{
    dd_stats *counts = &stats->counts;
    int arcs, degree;
    if (!dd_tree_nonprojective_arcs(&stats->space, sentence->gold, sentence->n, &arcs) ||
        !dd_tree_gap_degree(&stats->space, sentence->gold, sentence->n, &degree))
        return false;
    counts->nonprojective_arcs += (uint64_t)arcs;
    counts->gap_degree[degree < DD_MAX_GAP_DEGREE ? degree : DD_MAX_GAP_DEGREE]++;
    return true;
}

static bool add_tree(dd_stats_collector *stats, const dd_sentence *sentence)
{
    dd_stats *counts = &stats->counts;
    if (!dd_gold_set(&stats->gold, sentence->gold, NULL, sentence->n)) return false;
    if (stats->gold.unknown > 0)
        counts->partial++;
    else if (!add_shape(stats, sentence))
        return false;
    counts->several_roots += stats->gold.roots > 1;
    counts->nonprojective_sentences += !stats->gold.projective;
    for (size_t s = 0; s < dd_system_count(); s++)
        counts->buildable[s] += !dd_system_get(s)->oracle.refuses(&stats->gold, stats->single_root);
    return true;
}

dd_status dd_stats_collector_add(dd_stats_collector *stats, const dd_sentence *sentence,
                                 dd_error *error)
{
    dd_tree_fault fault;
    int word;
    if (!add_words(stats, sentence) ||
        !dd_tree_check_partial(&stats->space, sentence->gold, sentence->n, &fault, &word))
        return dd_fail_memory(error);
    if (fault != DD_TREE_OK) {
        stats->counts.invalid++;
        return DD_OK;
    }
    return add_tree(stats, sentence) ? DD_OK : dd_fail_memory(error);
}

void dd_stats_collector_get(const dd_stats_collector *stats, dd_stats *out)
{
    *out = stats->counts;
    out->labels = (uint64_t)stats->labels.count;
}
