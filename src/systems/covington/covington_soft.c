/* covington_soft.c - the greatest weight of a tree in reach in covington
 *
 * The trees in reach are those that have all arcs built so far, and others only from 0 and between
 * words that will still be in focus together; under the single-root rule, those of them with one
 * root. So the best one is a maximum spanning tree (tree/maximum.h): O(n^2). */
#include "systems/covington/covington.h"

static void note_words(const dd_soft *soft, const dd_config *config, int word, int32_t *scores)
{
    int built = config->nodes[word].head;
    for (int head = 0; head <= config->n; head++) {
        bool open = head == 0 ||
                    (head != word && dd_covington_open(config->focus, config->front, word, head));
        bool in_reach = built == DD_NONE ? open : head == built;
        scores[head] = in_reach ? dd_soft_weight(soft, head, word) : DD_NO_SCORE;
    }
}

bool dd_covington_best(dd_soft *soft, const dd_config *config, int32_t *best)
{
    size_t nodes = (size_t)config->n + 1;
    if (!dd_soft_reserve(soft, nodes * nodes + nodes) ||
        !dd_tick(soft->ticker, (int64_t)(4 * nodes * nodes)))
        return false;
    int32_t *scores = soft->rows, *heads = soft->rows + nodes * nodes;
    for (size_t head = 0; head < nodes; head++) scores[head] = DD_NO_SCORE;
    for (int word = 1; word <= config->n; word++)
        note_words(soft, config, word, scores + (size_t)word * nodes);
    dd_max_tree_result found =
        dd_max_tree_find(&soft->tree, scores, config->n, config->single_root, heads);
    if (found == DD_MAX_TREE_MEMORY) return false;
    *best = 0;
    for (int word = 1; word <= config->n && found == DD_MAX_TREE_FOUND; word++)
        *best += dd_soft_weight(soft, heads[word], word);
    return true;
}
