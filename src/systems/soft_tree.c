#include "systems/soft_tree.h"

#include "systems/covington/covington.h"

/* Whether an arc between two words can still be built. */
typedef bool is_open(const dd_config *config, int word, int head);

static bool in_focus_later(const dd_config *config, int word, int head)
{
    return dd_covington_open(config->focus, config->front, word, head);
}

/* A word without a head is still to point. */
static bool any(const dd_config *config, int word, int head)
{
    (void)config, (void)word, (void)head;
    return true;
}

static void note_words(const dd_soft *soft, const dd_config *config, is_open *open, int word,
                       int32_t *scores)
{
    int built = config->nodes[word].head;
    for (int head = 0; head <= config->n; head++) {
        bool free = head == 0 || (head != word && open(config, word, head));
        bool in_reach = built == DD_NONE ? free : head == built;
        scores[head] = in_reach ? dd_soft_weight(soft, head, word) : DD_NO_SCORE;
    }
}

static bool best_of(dd_soft *soft, const dd_config *config, is_open *open, int32_t *best)
{
    size_t nodes = (size_t)config->n + 1;
    if (!dd_soft_reserve(soft, nodes * nodes + nodes) ||
        !dd_tick(soft->ticker, (int64_t)(4 * nodes * nodes)))
        return false;
    int32_t *scores = soft->rows, *heads = soft->rows + nodes * nodes;
    for (size_t head = 0; head < nodes; head++) scores[head] = DD_NO_SCORE;
    for (int word = 1; word <= config->n; word++)
        note_words(soft, config, open, word, scores + (size_t)word * nodes);
    dd_max_tree_result found =
        dd_max_tree_find(&soft->tree, scores, config->n, config->single_root, heads);
    if (found == DD_MAX_TREE_MEMORY) return false;
    *best = 0;
    for (int word = 1; word <= config->n && found == DD_MAX_TREE_FOUND; word++)
        *best += dd_soft_weight(soft, heads[word], word);
    return true;
}

bool dd_soft_best_covington(dd_soft *soft, const dd_config *config, int32_t *best)
{
    return best_of(soft, config, in_focus_later, best);
}

bool dd_soft_best_pointer(dd_soft *soft, const dd_config *config, int32_t *best)
{
    return best_of(soft, config, any, best);
}
