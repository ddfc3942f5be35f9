#include "systems/attardi/attardi_pushdown.h"

#include "core/bits.h"
#include "core/memory.h"

#include <stdlib.h>

/* ---- nodes ---------------------------------------------------------------------------------- */

static void nodes_free(dd_attardi_nodes *nodes)
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

/* Lists the words of a sentence; plain: [n + 1] those that no constraint names, spans aside. 1; 0
 * if there are too many nodes, -1 if allocation fails. */
static int nodes_reset(dd_attardi_nodes *nodes, const dd_outlook *outlook, const bool *plain)
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

/* ---- the tables ----------------------------------------------------------------------------- */

void dd_attardi_pushdown_free(dd_attardi_pushdown *pushdown)
{
    nodes_free(&pushdown->nodes);
    free(pushdown->rows);
    free(pushdown->after);
    free(pushdown->kept);
    free(pushdown->levels);
    free(pushdown->emptied);
    *pushdown = (dd_attardi_pushdown){.nodes.most = pushdown->nodes.most};
}

/* ---- room ----------------------------------------------------------------------------------- */

static void number_rows(dd_attardi_pushdown *p)
{
    const dd_attardi_nodes *nodes = &p->nodes;
    p->n_rows = p->rows_from[nodes->n_places + 1] = 0;
    for (int node = nodes->count - 1; node >= DD_ATTARDI_ROOT; node--) {
        int place = nodes->place[node];
        p->row_of[node] = p->n_rows;
        p->lowest_front[node] = place > 0 ? nodes->first_front[place] : 0;
        p->n_rows += nodes->n_fronts - p->lowest_front[node];
        p->rows_from[place] = p->n_rows;
    }
}

/* Each table has the rows of the nodes that can be on top then. Returns how many in all. */
static size_t place_tables(dd_attardi_pushdown *p)
{
    const dd_attardi_nodes *nodes = &p->nodes;
    size_t used = 0;
    for (int top = DD_ATTARDI_ROOT; top < nodes->count; top++)
        for (int front = p->lowest_front[top]; front < dd_attardi_end(p); front++) {
            p->after[dd_attardi_entry(p, top, front)] = used;
            used += (size_t)p->rows_from[nodes->place_of_front[front]];
            p->kept[dd_attardi_entry(p, top, front)] = used;
            used += (size_t)p->rows_from[nodes->place[top]];
        }
    return used;
}

static bool make_room(dd_attardi_pushdown *p)
{
    size_t entries = (size_t)p->nodes.count * (size_t)p->nodes.n_fronts;
    number_rows(p);
    if (!DD_RESERVE(&p->after, &p->after_capacity, entries) ||
        !DD_RESERVE(&p->kept, &p->kept_capacity, entries))
        return false;
    size_t rows = place_tables(p);
    if (!DD_RESERVE(&p->rows, &p->rows_capacity, rows + 1)) return false;
    memset(p->rows, 0, rows * sizeof *p->rows);
    return true;
}

/* ---- what can follow SH --------------------------------------------------------------------- */

/* The front behind a place; seen: the root of its span has come. */
static int next_front(const dd_attardi_nodes *nodes, int place, bool seen)
{
    if (place == nodes->n_places) return nodes->n_fronts - 1;
    int span = dd_attardi_span(nodes, nodes->first_node[place]);
    bool same = span != DD_NONE && span == dd_attardi_span(nodes, nodes->first_node[place + 1]);
    return nodes->first_front[place + 1] + (same && seen);
}

static void add_control(const dd_attardi_pushdown *p, uint64_t *rows, int second, int top,
                        int front)
{
    rows[dd_attardi_row(p, top, front)] |= UINT64_C(1) << second;
}

/* SH: the node at the front comes on top, as the root of its span or not. */
static void shift(const dd_attardi_pushdown *p, uint64_t *rows, int top, int front)
{
    const dd_attardi_nodes *nodes = &p->nodes;
    int place = nodes->place_of_front[front], node = nodes->first_node[place];
    bool in_span = dd_attardi_span(nodes, node) != DD_NONE;
    bool seen = front > nodes->first_front[place];
    bool more = next_front(nodes, place, true) != next_front(nodes, place, false);
    if (!in_span || seen || more) add_control(p, rows, top, node, next_front(nodes, place, seen));
    if (in_span && !seen) add_control(p, rows, top, node + 1, next_front(nodes, place, true));
}

static uint64_t heads_of_any(const dd_attardi_nodes *nodes, uint64_t set)
{
    uint64_t heads = 0;
    for (; set; set &= set - 1) heads |= nodes->heads[dd_bits_lowest(set)];
    return heads;
}

/* From controls with that top and front and any of the second nodes: SH, what can follow, and the
 * pop of the second node, which is taken or comes back. */
static void join(const dd_attardi_pushdown *p, uint64_t *rows, uint64_t seconds, int top, int front)
{
    const dd_attardi_nodes *nodes = &p->nodes;
    const uint64_t *after = p->rows + p->after[dd_attardi_entry(p, top, front)];
    const uint64_t *kept = p->rows + p->kept[dd_attardi_entry(p, top, front)];
    uint64_t heads = heads_of_any(nodes, seconds);
    for (int head = nodes->first_node[nodes->place_of_front[front]]; head < nodes->count; head++) {
        if (!(heads >> head & 1)) continue;
        int end = p->row_of[head] + nodes->n_fronts - p->lowest_front[head];
        for (int row = p->row_of[head]; row < end; row++) rows[row] |= after[row];
    }
    for (int row = 0; row < p->rows_from[nodes->place[top]]; row++)
        rows[row] |= seconds & kept[row];
}

/* All that can follow the controls that are there without a pop of what is below them. */
static void follow(const dd_attardi_pushdown *p, uint64_t *rows, int shifted)
{
    const dd_attardi_nodes *nodes = &p->nodes;
    int place = nodes->place_of_front[shifted];
    for (int front = nodes->first_front[place + 1]; front < dd_attardi_end(p); front++)
        for (int top = nodes->first_node[place];
             top < nodes->count && nodes->place[top] < nodes->place_of_front[front]; top++) {
            uint64_t seconds = rows[dd_attardi_row(p, top, front)];
            if (seconds) join(p, rows, seconds, top, front);
        }
}

/* With which second nodes LA, RA and RA2 lead back to them, and to which top nodes. */
static void find_kept(const dd_attardi_pushdown *p, const uint64_t *after, uint64_t *kept,
                      int shifted)
{
    const dd_attardi_nodes *nodes = &p->nodes;
    for (int top = nodes->first_node[nodes->place_of_front[shifted]]; top < nodes->count; top++) {
        uint64_t far = dd_attardi_far_heads(p, top);
        for (int front = p->lowest_front[top]; front < nodes->n_fronts; front++) {
            int row = dd_attardi_row(p, top, front);
            uint64_t next = dd_attardi_next_heads(p, top, front);
            if (after[row] & nodes->dependents[top]) kept[row] = UINT64_MAX;
            for (uint64_t left = after[row]; left; left &= left - 1) {
                int second = dd_bits_lowest(left);
                kept[dd_attardi_row(p, second, front)] |= next >> second & 1 ? UINT64_MAX : far;
            }
        }
    }
}

static bool fill_tables(dd_attardi_pushdown *p)
{
    const dd_attardi_nodes *nodes = &p->nodes;
    for (int front = dd_attardi_end(p) - 1; front >= 0; front--)
        for (int top = DD_ATTARDI_ROOT;
             top < nodes->count && nodes->place[top] <= nodes->place_of_front[front]; top++) {
            uint64_t *after = p->rows + p->after[dd_attardi_entry(p, top, front)];
            uint64_t n_after = (uint64_t)p->rows_from[nodes->place_of_front[front]];
            if (!dd_effort_spend(nodes->outlook->effort, n_after * (n_after / 4 + 8))) return false;
            shift(p, after, top, front);
            follow(p, after, front);
            find_kept(p, after, p->rows + p->kept[dd_attardi_entry(p, top, front)], front);
        }
    return true;
}

bool dd_attardi_pushdown_reset(dd_attardi_pushdown *pushdown, const dd_outlook *outlook,
                               const bool *plain)
{
    int listed = nodes_reset(&pushdown->nodes, outlook, plain);
    pushdown->single_root = outlook->constraints->single_root;
    pushdown->n_levels = 0;
    if (listed > 0 && !make_room(pushdown)) listed = -1;
    if (listed < 0) outlook->effort->no_memory = true;
    return listed > 0 && fill_tables(pushdown);
}
