#include "constraints/arborescence.h"

/* For dd_effort. */
enum { STEPS_FOR_WORD = 8 };

/* ---- by which words to enter one ---------------------------------------------------------- */

/* Reaches what an arc leads to from a word; returns how many words are in the queue then. */
static int follow_inside(dd_arborescence *t, const dd_span *span, const uint64_t *arcs, int head,
                         int count)
{
    for (int i = span->first / 64; i <= span->last / 64; i++) {
        for (uint64_t left = arcs[i] & ~t->reached[i]; left; left &= left - 1) {
            int word = i * 64 + dd_bits_lowest(left);
            if (word < span->first || word > span->last) continue;
            dd_bits_add(t->reached, word);
            t->heads[word] = head;
            t->queue[count++] = word;
        }
    }
    return count;
}

/* Reaches what can be reached from a word inside its span and was not before; how many words. */
static int go_on_inside(dd_arborescence *t, const dd_span *span, int from)
{
    int count = 1, liked = 0;
    dd_bits_add(t->reached, from);
    t->queue[0] = from;
    for (int at = 0; at < count; at++) {
        for (; liked < count; liked++) {
            int head = t->queue[liked];
            count = follow_inside(t, span, dd_arborescence_liked(t, head), head, count);
        }
        int head = t->queue[at];
        count = follow_inside(t, span, dd_arborescence_arcs(t, head), head, count);
    }
    return count;
}

int dd_arborescence_inside(dd_arborescence *tree, const dd_span *span, int from)
{
    dd_bits_clear(tree->reached, tree->row);
    return go_on_inside(tree, span, from);
}

/* A word from which all of the span can be reached, DD_NONE: there is none. If there is one, the
 * walk that reaches it leaves nothing over, so it is the last, and where that starts is one, too.
 */
static int find_entry(dd_arborescence *t, const dd_span *span)
{
    int last = DD_NONE;
    dd_bits_clear(t->reached, t->row);
    for (int word = span->first; word <= span->last; word++) {
        if (dd_bits_has(t->reached, word)) continue;
        go_on_inside(t, span, word);
        last = word;
    }
    return dd_arborescence_inside(t, span, last) == span->last - span->first + 1 ? last : DD_NONE;
}

/* Marks the words that reach one word inside the span. */
static void mark_sources(dd_arborescence *t, const dd_span *span, int word)
{
    int count = 1, n_others = 0;
    for (int other = span->first; other <= span->last; other++) {
        t->enters[other] = other == word;
        if (other != word) t->others[n_others++] = other;
    }
    t->queue[0] = word;
    for (int at = 0; at < count; at++) {
        int to = t->queue[at], kept = 0;
        for (int i = 0; i < n_others; i++) {
            int from = t->others[i];
            t->enters[from] = dd_bits_has(dd_arborescence_arcs(t, from), to);
            if (t->enters[from])
                t->queue[count++] = from;
            else
                t->others[kept++] = from;
        }
        n_others = kept;
    }
}

/* All words of a span can be reached from one, and then from those from which it can be. */
bool dd_arborescence_enters(dd_arborescence *tree, int span)
{
    const dd_outlook *outlook = tree->outlook;
    const dd_span *it = &outlook->constraints->spans[span];
    uint64_t words = (uint64_t)(it->last - it->first + 1);
    int root = outlook->span_root[span], found = 0;
    if (!dd_effort_spend(outlook->effort, words * (STEPS_FOR_WORD + words / 16))) return false;
    int entry = find_entry(tree, it);
    if (entry == DD_NONE) return false;
    mark_sources(tree, it, entry);
    for (int word = it->first; word <= it->last; word++) {
        bool possible = (root == DD_NONE || root == word) && !dd_outlook_inner(outlook, word);
        tree->enters[word] = tree->enters[word] && possible;
        found += tree->enters[word];
    }
    return found > 0;
}

/* ---- and by which it need not be ---------------------------------------------------------- */

static bool is_outside(const dd_span *span, int node)
{
    return node < span->first || node > span->last;
}

/* Whether all that a word of a span may have outside, another of it may have, too. */
static bool could_replace(const dd_arborescence *t, const dd_span *span, int other, int word)
{
    const uint64_t *of_word = dd_arborescence_arcs(t, word);
    const uint64_t *of_other = dd_arborescence_arcs(t, other);
    for (int node = 0; node <= t->outlook->constraints->n; node++) {
        if (!is_outside(span, node)) continue;
        const uint64_t *arcs = dd_arborescence_arcs(t, node);
        if (dd_bits_has(of_word, node) && !dd_bits_has(of_other, node)) return false;
        if (dd_bits_has(arcs, word) && !dd_bits_has(arcs, other)) return false;
    }
    return true;
}

/* Drops words by which a span of mode root need not be entered. If one can be the root of a tree's
 * span, so can any that could replace it: it gets the head and the dependents outside, and reaches
 * the others inside. */
static void narrow_span(dd_arborescence *t, const dd_span *span)
{
    uint64_t nodes = (uint64_t)t->outlook->constraints->n + 1;
    for (int word = span->first; word <= span->last; word++) {
        if (!t->enters[word]) continue;
        for (int other = span->first; other <= span->last && t->enters[word]; other++) {
            if (other == word || !t->enters[other]) continue;
            if (!dd_effort_spend(t->outlook->effort, nodes)) return;
            t->enters[word] = !could_replace(t, span, other, word);
        }
    }
}

void dd_arborescence_narrow(dd_arborescence *tree)
{
    const dd_constraints *c = tree->outlook->constraints;
    for (int s = 0; s < c->n_spans && !tree->narrowed; s++)
        if (c->spans[s].mode == DD_SPAN_ROOT) narrow_span(tree, &c->spans[s]);
    tree->narrowed = true;
}
