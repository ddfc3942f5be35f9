#include "systems/attardi/attardi_nodes.h"

#include "core/memory.h"

#include <stdlib.h>

void dd_attardi_nodes_free(dd_attardi_nodes *nodes)
{
    free(nodes->runs);
    free(nodes->run_of);
    *nodes = (dd_attardi_nodes){.most = nodes->most};
}

static const dd_constraints *constraints_of(const dd_attardi_nodes *nodes)
{
    return nodes->outlook->constraints;
}

/* ---- which words ---------------------------------------------------------------------------- */

static void find_runs(dd_attardi_nodes *nodes, const bool *plain)
{
    const dd_constraints *c = constraints_of(nodes);
    nodes->n_runs = 0;
    for (int word = 1, end; word <= c->n; word = end) {
        for (end = word + 1; end <= c->n && plain[word] && plain[end]; end++)
            if (c->span_of[word] != c->span_of[end]) break;
        for (int i = word; i < end; i++) nodes->run_of[i] = nodes->n_runs;
        nodes->runs[nodes->n_runs++] = (dd_attardi_run){.first = word, .last = end - 1};
    }
}

static int length(const dd_attardi_run *run)
{
    return run->last - run->first + 1;
}

static int nodes_for_word(const dd_attardi_nodes *nodes, int word)
{
    return constraints_of(nodes)->span_of[word] == DD_NONE ? 1 : 2;
}

/* Words that are listed of each run: what is enough for a whole sentence, and some more for the
 * words that will be on the stack; or less. Returns the number of nodes. */
static int choose_words(dd_attardi_nodes *nodes, int more)
{
    int count = DD_ATTARDI_ROOT + 1;
    for (int i = 0; i < nodes->n_runs && count <= nodes->most; i++) {
        dd_attardi_run *run = &nodes->runs[i];
        int listed = 1 + i / 2 + more;
        run->listed = listed < 1 ? 1 : listed > length(run) ? length(run) : listed;
        count += run->listed * nodes_for_word(nodes, run->first);
    }
    return count;
}

static bool choose_most(dd_attardi_nodes *nodes)
{
    for (int more = nodes->most; more > -nodes->most; more--)
        if (choose_words(nodes, more) <= nodes->most) return true;
    return false;
}

/* ---- nodes and fronts ----------------------------------------------------------------------- */

static void add_node(dd_attardi_nodes *nodes, int word, bool root, int place)
{
    nodes->word[nodes->count] = word;
    nodes->root[nodes->count] = root;
    nodes->place[nodes->count++] = place;
}

static void add_front(dd_attardi_nodes *nodes, int place)
{
    nodes->place_of_front[nodes->n_fronts++] = place;
}

static void add_place(dd_attardi_nodes *nodes, int word)
{
    int place = ++nodes->n_places;
    bool in_span = nodes_for_word(nodes, word) > 1;
    nodes->first_node[place] = nodes->count;
    nodes->first_front[place] = nodes->n_fronts;
    add_node(nodes, word, false, place);
    add_front(nodes, place);
    if (in_span) add_node(nodes, word, true, place);
    if (in_span) add_front(nodes, place);
}

static void list_words(dd_attardi_nodes *nodes)
{
    nodes->count = nodes->n_places = nodes->n_fronts = 0;
    add_node(nodes, 0, false, 0); /* DD_ATTARDI_BELOW */
    add_node(nodes, 0, false, 0); /* DD_ATTARDI_ROOT */
    for (int i = 0; i < nodes->n_runs; i++) {
        dd_attardi_run *run = &nodes->runs[i];
        run->place = nodes->n_places + 1;
        for (int k = 0; k < run->listed; k++) add_place(nodes, run->first + k);
    }
    nodes->first_front[nodes->n_places + 1] = nodes->n_fronts;
    add_front(nodes, nodes->n_places + 1);
}

int dd_attardi_node(const dd_attardi_nodes *nodes, int word, bool root)
{
    if (word == 0) return DD_ATTARDI_ROOT;
    const dd_attardi_run *run = &nodes->runs[nodes->run_of[word]];
    bool whole = run->listed == length(run);
    return nodes->first_node[run->place + (whole ? word - run->first : 0)] + root;
}

int dd_attardi_front(const dd_attardi_nodes *nodes, int word, bool seen)
{
    if (word > constraints_of(nodes)->n) return nodes->n_fronts - 1;
    const dd_attardi_run *run = &nodes->runs[nodes->run_of[word]];
    int left = run->last - word + 1;
    int skipped = left < run->listed ? run->listed - left : 0;
    return nodes->first_front[run->place + skipped] + seen;
}

bool dd_attardi_enough(const dd_attardi_nodes *nodes, int front, int on_stack)
{
    if (front > constraints_of(nodes)->n) return true;
    for (int i = nodes->run_of[front]; i < nodes->n_runs; i++, on_stack++) {
        const dd_attardi_run *run = &nodes->runs[i];
        int left = run->last - (front > run->first ? front : run->first) + 1;
        if (run->listed < left && run->listed < 1 + on_stack / 2) return false;
    }
    return true;
}

/* ---- arcs ----------------------------------------------------------------------------------- */

/* A plain word may stand for several of its run, which may take each other. */
static bool allows(const dd_attardi_nodes *nodes, const bool *plain, int head, int dependent)
{
    const dd_constraints *c = constraints_of(nodes);
    int from = nodes->word[head], to = nodes->word[dependent];
    if (from == to ? !plain[to] : !dd_outlook_allows(nodes->outlook, from, to)) return false;
    int leaves = c->span_of[from], enters = c->span_of[to];
    if (enters != DD_NONE && nodes->root[dependent] != (leaves != enters)) return false;
    bool inside = leaves == DD_NONE || leaves == enters;
    return inside || c->spans[leaves].mode != DD_SPAN_ROOT || nodes->root[head];
}

static void find_arcs(dd_attardi_nodes *nodes, const bool *plain)
{
    for (int node = 0; node < nodes->count; node++)
        nodes->heads[node] = nodes->dependents[node] = 0;
    for (int head = DD_ATTARDI_ROOT; head < nodes->count; head++)
        for (int dependent = DD_ATTARDI_ROOT + 1; dependent < nodes->count; dependent++) {
            if (!allows(nodes, plain, head, dependent)) continue;
            nodes->dependents[head] |= UINT64_C(1) << dependent;
            nodes->heads[dependent] |= UINT64_C(1) << head;
        }
}

int dd_attardi_nodes_reset(dd_attardi_nodes *nodes, const dd_outlook *outlook, const bool *plain)
{
    size_t n = (size_t)outlook->constraints->n;
    nodes->outlook = outlook;
    if (!DD_RESERVE(&nodes->runs, &nodes->runs_capacity, n) ||
        !DD_RESERVE(&nodes->run_of, &nodes->run_of_capacity, n + 1))
        return -1;
    find_runs(nodes, plain);
    if (!choose_most(nodes)) return 0;
    list_words(nodes);
    find_arcs(nodes, plain);
    return 1;
}
