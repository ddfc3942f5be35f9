#include "constraints/arborescence.h"

#include "core/memory.h"

#include <stdlib.h>

void dd_arborescence_free(dd_arborescence *tree)
{
    free(tree->arcs);
    free(tree->numbers);
    *tree = (dd_arborescence){0};
}

bool dd_arborescence_reserve(dd_arborescence *tree, const dd_outlook *outlook)
{
    size_t nodes = (size_t)outlook->constraints->n + 1;
    size_t spans = (size_t)outlook->constraints->n_spans;
    tree->outlook = outlook;
    if (!DD_RESERVE(&tree->arcs, &tree->arcs_capacity, (2 * nodes + 1) * outlook->row) ||
        !DD_RESERVE(&tree->numbers, &tree->numbers_capacity, 3 * nodes + 3 * spans))
        return false;
    tree->liked = tree->arcs + nodes * outlook->row;
    tree->reached = tree->liked + nodes * outlook->row;
    tree->queue = tree->numbers;
    tree->heads = tree->queue + nodes;
    tree->enters = tree->heads + nodes;
    tree->chosen = tree->enters + nodes;
    tree->entry = tree->chosen + spans;
    tree->trials = tree->entry + spans;
    return true;
}

void dd_arborescence_clear(dd_arborescence *tree)
{
    size_t nodes = (size_t)tree->outlook->constraints->n + 1;
    dd_bits_clear(tree->arcs, 2 * nodes * tree->outlook->row);
}

static const dd_constraints *constraints_of(const dd_arborescence *t)
{
    return t->outlook->constraints;
}

/* ---- inside a span ------------------------------------------------------------------------ */

static int follow_inside(dd_arborescence *t, const dd_span *span, const uint64_t *arcs, int head,
                         int count)
{
    for (int word = span->first; word <= span->last; word++) {
        if (!dd_bits_has(arcs, word) || dd_bits_has(t->reached, word)) continue;
        dd_bits_add(t->reached, word);
        t->heads[word] = head;
        t->queue[count++] = word;
    }
    return count;
}

/* Reaches what can be reached from a word inside its span; how many words. */
static int walk_inside(dd_arborescence *t, const dd_span *span, int from)
{
    int count = 1, liked = 0;
    dd_bits_clear(t->reached, t->outlook->row);
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

static bool find_entries(dd_arborescence *t, int s)
{
    const dd_span *span = &constraints_of(t)->spans[s];
    int root = t->outlook->span_root[s], found = 0;
    for (int word = span->first; word <= span->last; word++) {
        bool possible = (root == DD_NONE || root == word) && !dd_outlook_inner(t->outlook, word);
        t->enters[word] = possible && walk_inside(t, span, word) == span->last - span->first + 1;
        found += t->enters[word];
    }
    return found > 0;
}

/* ---- from 0 to all words ------------------------------------------------------------------ */

static void queue_word(dd_arborescence *t, int word)
{
    dd_bits_add(t->reached, word);
    t->queue[t->queued++] = word;
}

/* Enters a span; what can be left is left from there. `hopeful`: other words of it may be entered,
 * too, as long as none is chosen. */
static void enter(dd_arborescence *t, int head, int word, bool hopeful)
{
    const dd_constraints *c = constraints_of(t);
    int s = c->span_of[word];
    const dd_span *span = &c->spans[s];
    if (c->span_of[head] == s || !t->enters[word]) return;
    if (t->chosen[s] != DD_NONE && t->chosen[s] != word) return;
    bool again = hopeful && span->mode == DD_SPAN_ROOT && t->chosen[s] == DD_NONE;
    if (t->entry[s] != DD_NONE && !again) return;
    t->entry[s] = word;
    t->heads[word] = head;
    if (again) {
        queue_word(t, word);
        return;
    }
    dd_bits_add_run(t->reached, span->first, span->last);
    if (span->mode == DD_SPAN_ROOT) t->queue[t->queued++] = word;
    for (int exit = span->first; exit <= span->last && span->mode == DD_SPAN_ANY; exit++)
        t->queue[t->queued++] = exit;
}

static void reach(dd_arborescence *t, int head, int word, bool hopeful)
{
    if (constraints_of(t)->span_of[word] != DD_NONE) {
        enter(t, head, word, hopeful);
        return;
    }
    t->heads[word] = head;
    queue_word(t, word);
}

static void follow(dd_arborescence *t, const uint64_t *arcs, int head, bool hopeful, bool likes);

/* Follows liked arcs before any other. */
static void follow_liked(dd_arborescence *t, bool hopeful)
{
    while (t->liked_from < t->queued) {
        int head = t->queue[t->liked_from++];
        follow(t, dd_arborescence_liked(t, head), head, hopeful, false);
    }
}

static void follow(dd_arborescence *t, const uint64_t *arcs, int head, bool hopeful, bool likes)
{
    for (size_t i = 0; i < t->outlook->row; i++) {
        uint64_t left = arcs[i];
        while (left &= ~t->reached[i]) {
            reach(t, head, (int)i * 64 + dd_bits_lowest(left), hopeful);
            left &= left - 1;
            if (likes) follow_liked(t, hopeful);
        }
    }
}

static void go_on_from(dd_arborescence *t, int head, bool hopeful)
{
    follow(t, dd_arborescence_arcs(t, head), head, hopeful, true);
}

/* Whether everything can be reached; root: the only dependent of 0, DD_NONE: there may be many. */
static bool walk(dd_arborescence *t, int root, bool hopeful)
{
    const dd_constraints *c = constraints_of(t);
    dd_bits_clear(t->reached, t->outlook->row);
    dd_bits_add(t->reached, 0);
    t->queued = t->liked_from = 0;
    for (int s = 0; s < c->n_spans; s++) t->entry[s] = DD_NONE;
    if (root == DD_NONE) {
        follow(t, dd_arborescence_liked(t, 0), 0, hopeful, true);
        go_on_from(t, 0, hopeful);
    } else {
        reach(t, 0, root, hopeful);
    }
    follow_liked(t, hopeful);
    for (int at = 0; at < t->queued; at++) go_on_from(t, t->queue[at], hopeful);
    for (int s = 0; s < c->n_spans; s++)
        if (t->entry[s] == DD_NONE) return false;
    for (int word = 1; word <= c->n; word++)
        if (c->span_of[word] == DD_NONE && !dd_bits_has(t->reached, word)) return false;
    return true;
}

/* ---- choices ------------------------------------------------------------------------------ */

static bool is_choice(const dd_arborescence *t, int s)
{
    return constraints_of(t)->spans[s].mode == DD_SPAN_ROOT && t->chosen[s] == DD_NONE;
}

/* The next choice for a span, if there is any. */
static bool choose_next(dd_arborescence *t, int s)
{
    const dd_span *span = &constraints_of(t)->spans[s];
    int word = t->chosen[s] == DD_NONE ? span->first : t->chosen[s] + 1;
    while (word <= span->last && !t->enters[word]) word++;
    t->chosen[s] = word <= span->last ? word : DD_NONE;
    return word <= span->last;
}

/* Chooses words to enter spans of mode root, one span after the other, and takes a choice back
 * where hope is gone even if all further ones were free. */
static bool try_choices(dd_arborescence *t, int root, int *trials)
{
    const dd_constraints *c = constraints_of(t);
    int depth = 0;
    bool hope = walk(t, root, true);
    t->n_trials = 0;
    for (int s = 0; s < c->n_spans; s++)
        if (is_choice(t, s)) t->trials[t->n_trials++] = s;
    while (*trials > 0) {
        if (hope && depth == t->n_trials) return true;
        if (hope)
            depth++;
        else if (depth == 0)
            return false;
        while (!choose_next(t, t->trials[depth - 1]))
            if (--depth == 0) return false;
        --*trials;
        hope = walk(t, root, true);
    }
    t->gave_up = true;
    return false;
}

static bool walk_or_try(dd_arborescence *t, int root, int *trials)
{
    const dd_constraints *c = constraints_of(t);
    int s = root == DD_NONE ? DD_NONE : c->span_of[root];
    for (int i = 0; i < c->n_spans; i++) t->chosen[i] = DD_NONE;
    if (s != DD_NONE) t->chosen[s] = root;
    if (walk(t, root, false)) return true;
    bool choices = false;
    for (int i = 0; i < c->n_spans; i++) choices = choices || is_choice(t, i);
    return choices && try_choices(t, root, trials);
}

static bool find_root(dd_arborescence *t)
{
    const dd_constraints *c = constraints_of(t);
    int trials = DD_ARBORESCENCE_TRIALS;
    if (!c->single_root) return walk_or_try(t, DD_NONE, &trials);
    for (int root = 1; root <= c->n; root++) {
        if (!dd_bits_has(dd_arborescence_arcs(t, 0), root)) continue;
        if (c->span_of[root] != DD_NONE && !t->enters[root]) continue;
        if (walk_or_try(t, root, &trials)) return true;
    }
    return false;
}

bool dd_arborescence_find(dd_arborescence *tree, int32_t *heads)
{
    const dd_constraints *c = constraints_of(tree);
    for (int s = 0; s < c->n_spans; s++)
        if (!find_entries(tree, s)) return false;
    if (!find_root(tree)) return false;
    for (int s = 0; s < c->n_spans; s++) {
        int entry = tree->entry[s], head = tree->heads[entry];
        walk_inside(tree, &c->spans[s], entry);
        tree->heads[entry] = head;
    }
    for (int word = 1; word <= c->n; word++) heads[word] = tree->heads[word];
    return true;
}
