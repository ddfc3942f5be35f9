#include "constraints/arborescence.h"

#include "core/memory.h"

#include <stdlib.h>

/* For dd_effort. */
enum { STEPS_FOR_WORD = 8 };

void dd_arborescence_free(dd_arborescence *tree)
{
    free(tree->arcs);
    free(tree->numbers);
    *tree = (dd_arborescence){0};
}

static const dd_constraints *constraints_of(const dd_arborescence *t)
{
    return t->outlook->constraints;
}

static bool reserve(dd_arborescence *t)
{
    size_t nodes = (size_t)constraints_of(t)->n + 1, spans = (size_t)constraints_of(t)->n_spans;
    t->row = dd_bits_row(nodes);
    if (!DD_RESERVE(&t->arcs, &t->arcs_capacity, (3 * nodes + 2) * t->row) ||
        !DD_RESERVE(&t->numbers, &t->numbers_capacity, 4 * nodes + 3 * spans))
        return false;
    t->liked = t->arcs + nodes * t->row;
    t->reached = t->liked + nodes * t->row;
    t->vain = t->reached + t->row;
    t->allowed = t->vain + t->row;
    t->queue = t->numbers;
    t->heads = t->queue + nodes;
    t->enters = t->heads + nodes;
    t->others = t->enters + nodes;
    t->chosen = t->others + nodes;
    t->entry = t->chosen + spans;
    t->trials = t->entry + spans;
    return true;
}

static uint64_t *allowed_to(const dd_arborescence *t, int head)
{
    return t->allowed + (size_t)head * t->row;
}

/* All words that are not excluded by a constraint of their own; no arc leaves a span of mode none,
 * and none a leaf. */
static void find_allowed(dd_arborescence *t)
{
    const dd_constraints *c = constraints_of(t);
    dd_bits_clear(t->allowed, ((size_t)c->n + 1) * t->row);
    for (int head = 0; head <= c->n; head++) {
        if (c->leaf[head]) continue;
        int span = c->span_of[head];
        bool closed = span != DD_NONE && c->spans[span].mode == DD_SPAN_NONE;
        dd_bits_add_run(allowed_to(t, head), closed ? c->spans[span].first : 1,
                        closed ? c->spans[span].last : c->n);
        if (head > 0) dd_bits_drop(allowed_to(t, head), head);
    }
    for (int word = 1; word <= c->n; word++) {
        for (int head = 0; head <= c->n && c->heads[word] != DD_NONE; head++)
            if (head != c->heads[word]) dd_bits_drop(allowed_to(t, head), word);
        for (int at = c->forbidden_first[word]; at < c->forbidden_first[word + 1]; at++)
            dd_bits_drop(allowed_to(t, c->forbidden_heads[at]), word);
    }
}

bool dd_arborescence_reset(dd_arborescence *tree, const dd_outlook *outlook)
{
    tree->outlook = outlook;
    if (!reserve(tree)) return false;
    find_allowed(tree);
    return true;
}

void dd_arborescence_clear(dd_arborescence *tree)
{
    size_t nodes = (size_t)constraints_of(tree)->n + 1;
    dd_bits_clear(tree->arcs, 2 * nodes * tree->row);
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
    for (size_t i = 0; i < t->row; i++) {
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
    uint64_t nodes = (uint64_t)c->n + 1;
    if (!dd_effort_spend(t->outlook->effort, nodes * (STEPS_FOR_WORD + t->row))) return false;
    dd_bits_clear(t->reached, t->row);
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

/* Chooses words to enter spans of mode root, one span after the other, and takes a choice back if
 * no tree is possible even if all further spans could be entered anywhere. */
static bool try_choices(dd_arborescence *t, int root)
{
    const dd_constraints *c = constraints_of(t);
    int depth = 0;
    bool hope = walk(t, root, true);
    t->n_trials = 0;
    for (int s = 0; s < c->n_spans; s++)
        if (is_choice(t, s)) t->trials[t->n_trials++] = s;
    while (!hope || depth < t->n_trials) {
        if (hope)
            depth++;
        else if (depth == 0)
            return false;
        while (!choose_next(t, t->trials[depth - 1]))
            if (--depth == 0) return false;
        hope = walk(t, root, true);
    }
    return true;
}

static bool walk_or_try(dd_arborescence *t, int root)
{
    const dd_constraints *c = constraints_of(t);
    int s = root == DD_NONE ? DD_NONE : c->span_of[root];
    for (int i = 0; i < c->n_spans; i++) t->chosen[i] = DD_NONE;
    if (s != DD_NONE) t->chosen[s] = root;
    if (walk(t, root, false)) return true;
    bool choices = false;
    for (int i = 0; i < c->n_spans; i++) choices = choices || is_choice(t, i);
    if (!choices) return false;
    dd_arborescence_narrow(t);
    return try_choices(t, root);
}

/* Whether some words are out of reach even if 0 may have any number of dependents, and spans may be
 * entered at several words. */
static bool is_hopeless(dd_arborescence *t)
{
    for (int s = 0; s < constraints_of(t)->n_spans; s++) t->chosen[s] = DD_NONE;
    return !walk(t, DD_NONE, true);
}

/* Where one word is not enough, none of those that it reaches is: they reach no more. With spans
 * the way by which a word is reached may matter. */
static void exclude(dd_arborescence *t, int root)
{
    dd_bits_add(t->vain, root);
    for (size_t i = 0; i < t->row && constraints_of(t)->n_spans == 0; i++)
        t->vain[i] |= t->reached[i];
}

/* Words that cannot be the only dependent of 0: all but one that must be. */
static void find_vain(dd_arborescence *t)
{
    const dd_constraints *c = constraints_of(t);
    dd_bits_clear(t->vain, t->row);
    for (int word = 1; word <= c->n; word++) {
        if (c->heads[word] != 0) continue;
        dd_bits_add_run(t->vain, 1, c->n);
        dd_bits_drop(t->vain, word);
        return;
    }
}

static bool find_only_root(dd_arborescence *t)
{
    const dd_constraints *c = constraints_of(t);
    find_vain(t);
    if (is_hopeless(t)) return false;
    for (int root = 1; root <= c->n; root++) {
        if (!dd_bits_has(dd_arborescence_arcs(t, 0), root) || dd_bits_has(t->vain, root)) continue;
        if (c->span_of[root] != DD_NONE && !t->enters[root]) continue;
        if (walk_or_try(t, root)) return true;
        exclude(t, root);
    }
    return false;
}

static bool find_root(dd_arborescence *t)
{
    t->narrowed = false;
    return constraints_of(t)->single_root ? find_only_root(t) : walk_or_try(t, DD_NONE);
}

bool dd_arborescence_find(dd_arborescence *tree, int32_t *heads)
{
    const dd_constraints *c = constraints_of(tree);
    for (int s = 0; s < c->n_spans; s++)
        if (!dd_arborescence_enters(tree, s)) return false;
    if (!find_root(tree)) return false;
    for (int s = 0; s < c->n_spans; s++) {
        int entry = tree->entry[s], head = tree->heads[entry];
        dd_arborescence_inside(tree, &c->spans[s], entry);
        tree->heads[entry] = head;
    }
    for (int word = 1; word <= c->n; word++) heads[word] = tree->heads[word];
    return true;
}
