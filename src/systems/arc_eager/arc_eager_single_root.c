#include "systems/arc_eager/arc_eager_single_root.h"

static int stack_size(dd_eager_view view)
{
    return view.depth + (view.pushed != DD_NONE);
}

static int stack_at(const dd_config *config, dd_eager_view view, int at)
{
    return at < view.depth ? config->stack[at] : view.pushed;
}

static bool headless_at(const dd_config *config, dd_eager_view view, int at)
{
    return at < view.depth ? dd_headless(config, config->stack[at]) : view.pushed_headless;
}

static bool on_stack(const dd_config *config, dd_eager_view view, int word)
{
    if (word == view.pushed) return true;
    if (!config->nodes[word].on_stack) return false;
    return view.depth == config->depth || word != config->stack[config->depth - 1];
}

/* The last buffer word that a reachable gold arc joins to this stack word, or DD_NONE. */
static int linked_word(const dd_config *config, const dd_gold *gold, dd_eager_view view, int at)
{
    int word = stack_at(config, view, at);
    int end = gold->first[word + 1];
    int last = DD_NONE;
    if (end > gold->first[word] && gold->dependents[end - 1] >= view.front)
        last = gold->dependents[end - 1];
    int head = gold->heads[word];
    if (headless_at(config, view, at) && head >= view.front && head > last) last = head;
    return last;
}

/* The last word that a gold arc joins to this one, or the word itself. */
static int farthest(const dd_gold *gold, int word)
{
    int end = gold->first[word + 1], last = word;
    if (end > gold->first[word] && gold->dependents[end - 1] > last)
        last = gold->dependents[end - 1];
    return gold->heads[word] > last ? gold->heads[word] : last;
}

/* A buffer word from `from` on whose gold head is neither in the buffer nor on the stack, or not
 * known. In the latter case the arc of two buffer words may pass over it; then it does not serve.
 */
static bool lost_word_from(const dd_config *config, const dd_gold *gold, dd_eager_view view,
                           int from)
{
    int covered_to = from;
    for (int word = from; word <= config->n; word++) {
        int head = gold->heads[word];
        if (head < 0 ? word >= covered_to : head < view.front && !on_stack(config, view, head))
            return true;
        if (gold->unknown > 0 && farthest(gold, word) > covered_to)
            covered_to = farthest(gold, word);
    }
    return false;
}

/* Case 2 of the header: stack words up to the lowest linked one are covered by no reachable arc. */
static bool stranded(const dd_config *config, const dd_gold *gold, dd_eager_view view)
{
    bool lost_headless = false;
    int size = stack_size(view);
    int last_linked = DD_NONE;
    for (int at = 0; at < size; at++) {
        bool uncovered = last_linked == DD_NONE;
        int head = gold->heads[stack_at(config, view, at)];
        if (at > 0 && uncovered && headless_at(config, view, at) && head < view.front)
            lost_headless = true;
        int linked = linked_word(config, gold, view, at);
        if (linked > last_linked) last_linked = linked;
    }
    int from = last_linked > view.front ? last_linked : view.front;
    return lost_headless && !lost_word_from(config, gold, view, from);
}

int dd_eager_single_root_excess(const dd_config *config, const dd_gold *gold, dd_eager_view view)
{
    if (gold->root >= view.front || view.front > config->n || stack_size(view) == 0) return 0;
    int root_on_stack = DD_NONE;
    for (int at = 0; at < stack_size(view) && root_on_stack == DD_NONE; at++)
        if (stack_at(config, view, at) == gold->root) root_on_stack = at;
    bool root_lost = root_on_stack > 0 && headless_at(config, view, root_on_stack);
    return root_lost + stranded(config, gold, view);
}
