#include "constraints/projective.h"

#include "core/memory.h"

#include <stdlib.h>

/* Where the root of a word's span is. A word in no span counts as the root of its own. */
enum { HERE, EARLIER, LATER, PLACES };
enum { STEPS_FOR_PAIR = 16 }; /* for dd_effort, besides the comparison of sets */

/* A part of the tree that has not been read off the chart yet. */
typedef struct part {
    enum { TO_RIGHT, TO_LEFT, BETWEEN } kind;
    int32_t head, end; /* controls */
    int32_t from;      /* BETWEEN: the right part of the head ends just before this or later */
} part;

/* How 0 came to take the words before a control. */
typedef struct chain {
    int32_t root, end; /* controls: the last dependent of 0, and the last node below it */
    int32_t start;     /* control: the first node below it; DD_NONE: nothing came before */
} chain;

struct dd_chart {
    const dd_chart_task *task;
    int n_controls;
    int beyond;           /* first control behind task->reach */
    size_t row;           /* 64-bit words in a set of controls */
    int32_t *word;        /* [n_controls] */
    int32_t *place;       /* [n_controls] */
    int32_t *next;        /* [n_controls] first control of the next word */
    uint64_t *right;      /* [n_controls] sets, see projective.h */
    uint64_t *left;       /* [n_controls] sets */
    uint64_t *behind;     /* [n_controls] sets: what can stand right behind a node of `right` */
    uint64_t *right_arcs; /* [n_controls] sets: dependents to the right, with all between them */
    uint64_t *left_arcs;  /* [n_controls] sets: the same to the left */
    uint64_t *complete;   /* set: heads whose trees can end at the control in hand */
    uint64_t *starts;     /* set: controls up to which 0 has taken everything */
    chain *chains;        /* [n_controls] */
    part *parts;          /* [2 * n_controls + 2] */
    int32_t *numbers;     /* holds word, place and next */
    uint64_t *sets;       /* holds the sets */
    size_t numbers_capacity, sets_capacity, chains_capacity, parts_capacity;
};

void dd_chart_free(dd_chart *chart)
{
    if (!chart) return;
    free(chart->chains);
    free(chart->parts);
    free(chart->numbers);
    free(chart->sets);
    free(chart);
}

static bool reserve_sets(dd_chart *c)
{
    size_t controls = (size_t)c->n_controls;
    c->row = dd_bits_row(controls);
    return DD_RESERVE(&c->sets, &c->sets_capacity, (5 * controls + 2) * c->row) &&
           DD_RESERVE(&c->chains, &c->chains_capacity, controls) &&
           DD_RESERVE(&c->parts, &c->parts_capacity, 2 * controls + 2);
}

dd_chart *dd_chart_new(void)
{
    return dd_calloc(1, sizeof(dd_chart));
}

static uint64_t *set_of(const dd_chart *c, uint64_t *sets, int control)
{
    return sets + (size_t)control * c->row;
}

/* ---- controls ----------------------------------------------------------------------------- */

static int span_of(const dd_chart *c, int control)
{
    return c->task->outlook->constraints->span_of[c->word[control]];
}

/* The root of the word's span as settled heads show it. */
static int known_root(const dd_chart *c, int word)
{
    const dd_outlook *outlook = c->task->outlook;
    return outlook->span_root[outlook->constraints->span_of[word]];
}

static bool place_exists(const dd_chart *c, int word, int place)
{
    const dd_outlook *outlook = c->task->outlook;
    if (outlook->constraints->span_of[word] == DD_NONE) return place == HERE;
    int root = known_root(c, word);
    if (root != DD_NONE) return place == (root == word ? HERE : root < word ? EARLIER : LATER);
    return place != HERE || !dd_outlook_inner(outlook, word);
}

static void place_sets(dd_chart *c)
{
    size_t size = (size_t)c->n_controls * c->row;
    c->right = c->sets;
    c->left = c->right + size;
    c->behind = c->left + size;
    c->right_arcs = c->behind + size;
    c->left_arcs = c->right_arcs + size;
    c->complete = c->left_arcs + size;
    c->starts = c->complete + c->row;
    dd_bits_clear(c->sets, 5 * size + 2 * c->row);
}

static bool list_controls(dd_chart *c)
{
    const dd_chart_task *task = c->task;
    size_t room = (size_t)task->n_words * PLACES;
    if (!DD_RESERVE(&c->numbers, &c->numbers_capacity, 3 * room)) return false;
    c->word = c->numbers;
    c->place = c->word + room;
    c->next = c->place + room;
    c->n_controls = 0;
    for (int at = 0; at < task->n_words; at++) {
        int first = c->n_controls;
        for (int place = HERE; place < PLACES; place++) {
            if (!place_exists(c, task->words[at], place)) continue;
            c->word[c->n_controls] = task->words[at];
            c->place[c->n_controls++] = place;
        }
        for (int control = first; control < c->n_controls; control++)
            c->next[control] = c->n_controls;
    }
    for (c->beyond = 0; c->beyond < c->n_controls; c->beyond++)
        if (c->word[c->beyond] > task->reach) break;
    return true;
}

/* Whether a span can have been left or entered there; if its root is known, places are as they must
 * be. */
static bool may_end(const dd_chart *c, int control)
{
    return c->place[control] != LATER || known_root(c, c->word[control]) != DD_NONE;
}

static bool may_begin(const dd_chart *c, int control)
{
    return c->place[control] != EARLIER || known_root(c, c->word[control]) != DD_NONE;
}

/* Whether two controls can stand side by side. */
static bool agree(const dd_chart *c, int a, int b)
{
    int span = span_of(c, a);
    if (span == DD_NONE || span != span_of(c, b)) return may_end(c, a) && may_begin(c, b);
    if (known_root(c, c->word[a]) != DD_NONE) return true;
    return (c->place[a] == LATER) == (c->place[b] != EARLIER);
}

/* Adds what can stand right behind a control. */
static void add_next(const dd_chart *c, uint64_t *set, int control)
{
    for (int next = c->next[control]; next < c->n_controls; next++) {
        if (next > c->next[control] && c->word[next] != c->word[next - 1]) break;
        if (agree(c, control, next)) dd_bits_add(set, next);
    }
}

/* ---- arcs --------------------------------------------------------------------------------- */

/* Whether the spans let a word with such a control have the head; DD_NONE: the head is 0. */
static bool spans_allow(const dd_chart *c, int head, int dependent)
{
    int from = head == DD_NONE ? DD_NONE : span_of(c, head), to = span_of(c, dependent);
    bool root = c->place[dependent] == HERE;
    if (from != DD_NONE && from == to) return !root;
    if (!root || from == DD_NONE) return root;
    return c->task->outlook->constraints->spans[from].mode != DD_SPAN_ROOT ||
           c->place[head] == HERE;
}

static bool fits(const dd_chart *c, int head, int dependent)
{
    const dd_chart_task *task = c->task;
    int word = c->word[dependent], node = head == DD_NONE ? 0 : c->word[head];
    if (task->settled[word] != DD_NONE) return task->settled[word] == node;
    return dd_outlook_allows(task->outlook, node, word) && spans_allow(c, head, dependent) &&
           task->open(task->context, node, word);
}

/* Whether the tree of a head that stands to its left, or that of 0, may end at the control. */
static bool may_close(const dd_chart *c, int head, int control)
{
    return c->task->ends[c->word[head]] != c->word[control];
}

/* Where the right part of a word may end, for its head on the right to take it with the words from
 * `start` on: just before this control or later. */
static int first_split(const dd_chart *c, int word, int start)
{
    bool restricted = c->task->reach != DD_NONE && c->task->ends[c->word[word]] != DD_NONE;
    return restricted && start != word && c->beyond > word ? c->beyond : word;
}

/* Whether two sets have a number in common that is at least `from` and at most `to`. */
static bool meet(const uint64_t *a, const uint64_t *b, int from, int to)
{
    if (from > to) return false;
    uint64_t common = a[from / 64] & b[from / 64];
    if (common >> (from % 64)) return true;
    return from / 64 < to / 64 && dd_bits_meet(a, b, from + 64 - from % 64, to);
}

/* ---- the chart ---------------------------------------------------------------------------- */

/* v takes u, and what u covers on its left as far as it may. */
static void take_left(const dd_chart *c, int v, int u)
{
    uint64_t *left = set_of(c, c->left, v);
    const uint64_t *more = set_of(c, c->left, u);
    dd_bits_add(set_of(c, c->left_arcs, v), u);
    dd_bits_add(left, u);
    if (!meet(set_of(c, c->behind, u), left, first_split(c, u, DD_NONE), v)) return;
    for (int i = 0; i <= u / 64; i++) left[i] |= more[i];
}

/* Joins what ends before a control with what it covers to its left, from near to far. */
static void fill_control(dd_chart *c, int v, int first)
{
    uint64_t *left = set_of(c, c->left, v);
    dd_bits_clear(c->complete, c->row);
    if (may_close(c, v, v)) dd_bits_add(c->complete, v);
    for (int u = first - 1; u >= 0; u--) {
        uint64_t *arcs = set_of(c, c->right_arcs, u);
        if (dd_bits_meet(set_of(c, c->behind, u), left, u, v)) {
            if (fits(c, u, v)) dd_bits_add(arcs, v);
            if (fits(c, v, u)) take_left(c, v, u);
        }
        if (!dd_bits_meet(arcs, c->complete, u, v)) continue;
        dd_bits_add(set_of(c, c->right, u), v);
        add_next(c, set_of(c, c->behind, u), v);
        if (may_close(c, u, v)) dd_bits_add(c->complete, u);
    }
}

/* Before so many controls are compared with one. False: the search is cancelled. */
static bool tick(const dd_chart *c, int controls)
{
    return dd_tick(c->task->outlook->effort->ticker,
                   (int64_t)controls * (STEPS_FOR_PAIR + (int64_t)c->row / 2));
}

static bool fill(dd_chart *c)
{
    for (int first = 0; first < c->n_controls; first = c->next[first]) {
        for (int v = first; v < c->next[first]; v++) {
            dd_bits_add(set_of(c, c->right, v), v);
            dd_bits_add(set_of(c, c->left, v), v);
            add_next(c, set_of(c, c->behind, v), v);
        }
        for (int v = first; v < c->next[first]; v++) {
            if (!tick(c, first)) return false;
            fill_control(c, v, first);
        }
    }
    return true;
}

/* ---- dependents of 0 ---------------------------------------------------------------------- */

/* The lowest number that two sets have in common, from a number on. */
static int lowest_common(const dd_chart *c, const uint64_t *a, const uint64_t *b, int from)
{
    for (size_t i = (size_t)from / 64; i < c->row; i++) {
        uint64_t common = a[i] & b[i];
        if (i == (size_t)from / 64) common &= UINT64_MAX << (from % 64);
        if (common) return (int)i * 64 + dd_bits_lowest(common);
    }
    return DD_NONE;
}

/* 0 takes the tree of a root: notes where the next one may start, or that nothing is left. */
static bool take(dd_chart *c, chain taken, bool single_root, chain *last)
{
    const uint64_t *ends = set_of(c, c->right, taken.root);
    for (int end = taken.root; end < c->n_controls; end++) {
        if (!dd_bits_has(ends, end) || !may_close(c, taken.root, end)) continue;
        taken.end = end;
        if (c->next[end] == c->n_controls) {
            *last = taken;
            if (may_end(c, end)) return true;
            continue;
        }
        if (single_root) continue;
        for (int start = c->next[end]; start < c->next[c->next[end]]; start++) {
            if (dd_bits_has(c->starts, start) || !agree(c, end, start)) continue;
            dd_bits_add(c->starts, start);
            c->chains[start] = taken;
        }
    }
    return false;
}

static bool find_roots(dd_chart *c, chain *last)
{
    bool single_root = c->task->outlook->constraints->single_root;
    for (int start = 0; start < c->next[0]; start++) {
        if (!may_begin(c, start)) continue;
        dd_bits_add(c->starts, start);
        c->chains[start] = (chain){DD_NONE, DD_NONE, DD_NONE};
    }
    for (int root = 0; root < c->n_controls && tick(c, c->n_controls - root); root++) {
        int start = lowest_common(c, c->starts, set_of(c, c->left, root), 0);
        if (start == DD_NONE || !fits(c, DD_NONE, root)) continue;
        if (take(c, (chain){root, DD_NONE, start}, single_root, last)) return true;
    }
    return false;
}

/* ---- reading a tree off it ---------------------------------------------------------------- */

static void push(dd_chart *c, int *depth, part what)
{
    if (what.head != what.end || what.kind == BETWEEN) c->parts[(*depth)++] = what;
}

/* Whether the outermost dependent of a head on that side can be d. */
static bool is_outermost(const dd_chart *c, part p, int d)
{
    if (p.kind == TO_RIGHT)
        return dd_bits_has(set_of(c, c->right_arcs, p.head), d) &&
               dd_bits_has(set_of(c, c->right, d), p.end) && may_close(c, d, p.end);
    return dd_bits_has(set_of(c, c->left_arcs, p.head), d) &&
           dd_bits_has(set_of(c, c->left, d), p.end) &&
           meet(set_of(c, c->behind, d), set_of(c, c->left, p.head), first_split(c, d, p.end),
                p.head);
}

static void read_side(dd_chart *c, part p, int *depth, int32_t *heads)
{
    int d = 0;
    while (!is_outermost(c, p, d)) d++;
    heads[c->word[d]] = c->word[p.head];
    push(c, depth, (part){p.kind, d, p.end, 0});
    if (p.kind == TO_RIGHT)
        push(c, depth, (part){BETWEEN, p.head, d, p.head});
    else
        push(c, depth, (part){BETWEEN, d, p.head, first_split(c, d, p.end)});
}

/* Where the right part of one node ends and the left part of the other begins. */
static void read_between(dd_chart *c, part p, int *depth)
{
    int start = lowest_common(c, set_of(c, c->behind, p.head), set_of(c, c->left, p.end), p.from);
    const uint64_t *ends = set_of(c, c->right, p.head);
    int end = p.head;
    while (!dd_bits_has(ends, end) || c->word[c->next[end]] != c->word[start] ||
           !agree(c, end, start))
        end++;
    push(c, depth, (part){TO_RIGHT, p.head, end, 0});
    push(c, depth, (part){TO_LEFT, p.end, start, 0});
}

static void read_tree(dd_chart *c, chain at, int32_t *heads)
{
    int depth = 0;
    for (; at.root != DD_NONE; at = c->chains[at.start]) {
        heads[c->word[at.root]] = 0;
        push(c, &depth, (part){TO_RIGHT, at.root, at.end, 0});
        push(c, &depth, (part){TO_LEFT, at.root, at.start, 0});
        while (depth > 0) {
            part p = c->parts[--depth];
            if (p.kind == BETWEEN)
                read_between(c, p, &depth);
            else
                read_side(c, p, &depth, heads);
        }
    }
}

/* For each pair of controls both arcs are judged and sets of the controls between them compared. */
static bool spend(const dd_chart *c)
{
    uint64_t controls = (uint64_t)c->n_controls;
    return dd_effort_spend(c->task->outlook->effort,
                           controls * (controls / 2 + 1) * (STEPS_FOR_PAIR + controls / 128));
}

static bool make_ready(dd_chart *c)
{
    bool listed = list_controls(c);
    if (listed && !spend(c)) return false;
    if (!listed || !reserve_sets(c)) {
        c->task->outlook->effort->no_memory = true;
        return false;
    }
    place_sets(c);
    return true;
}

bool dd_chart_find(dd_chart *chart, const dd_chart_task *task, int32_t *heads)
{
    const dd_outlook *outlook = task->outlook;
    chain last = {DD_NONE, DD_NONE, DD_NONE};
    chart->task = task;
    if (!make_ready(chart)) return false;
    if (chart->n_controls > 0) {
        if (!fill(chart) || !find_roots(chart, &last)) return false;
    }
    for (int word = 1; word <= outlook->constraints->n; word++)
        heads[word] = outlook->settled[word];
    read_tree(chart, last, heads);
    return true;
}
