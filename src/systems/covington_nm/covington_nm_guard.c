/* covington_nm_guard.c - constraints in covington-nm; see covington.h */
#include "constraints/constraints.h"
#include "core/memory.h"
#include "systems/covington/covington.h"
#include "systems/covington_nm/covington_nm.h"

#include <stdlib.h>
#include <xxhash.h>

/* Enough for a beam: the witness of a configuration is still there when the beam returns to it. */
enum { MOST_WITNESSES = 256 };
/* Configurations to search after a move; fewer in long sentences, where each takes longer. */
enum { MOST_VISITED = 4096, LEAST_VISITED = 32, WORK = 1 << 16 };
/* For dd_effort. */
enum { STEPS_FOR_WORD = 2 };

typedef struct place {
    int focus, front;
} place;

typedef struct guard_tables {
    dd_outlook outlook;
    dd_arborescence tree;
    dd_witnesses witnesses; /* heads, then words in the order in which their arcs are built */
    int32_t *heads;         /* [n + 1] of the configuration in hand, DD_NONE: headless */
    int32_t *trial;         /* [n + 1] heads while a tree is tried */
    int64_t *keys;          /* [n] for the order of arcs */
    uint64_t *seen;         /* [2 * MOST_VISITED] configurations of a search, by hash; 0: free */
    int visited, limit;
    size_t heads_capacity, trial_capacity, keys_capacity, seen_capacity;
} guard_tables;

static void release(void *tables)
{
    guard_tables *t = tables;
    dd_outlook_free(&t->outlook);
    dd_arborescence_free(&t->tree);
    dd_witnesses_free(&t->witnesses);
    free(t->heads);
    free(t->trial);
    free(t->keys);
    free(t->seen);
    free(t);
}

static bool prepare(dd_constraints *constraints)
{
    if (!constraints->guard) constraints->guard = dd_calloc(1, sizeof(guard_tables));
    guard_tables *t = constraints->guard;
    size_t nodes = (size_t)constraints->n + 1;
    if (!t || !dd_outlook_reset(&t->outlook, constraints) ||
        !dd_arborescence_reset(&t->tree, &t->outlook) ||
        !dd_witnesses_reset(&t->witnesses, 2 * nodes, MOST_WITNESSES) ||
        !DD_RESERVE(&t->heads, &t->heads_capacity, nodes) ||
        !DD_RESERVE(&t->trial, &t->trial_capacity, nodes) ||
        !DD_RESERVE(&t->keys, &t->keys_capacity, nodes) ||
        !DD_RESERVE(&t->seen, &t->seen_capacity, 2 * (size_t)MOST_VISITED))
        return false;
    size_t limit = WORK / (nodes * nodes);
    t->limit = limit > MOST_VISITED    ? MOST_VISITED
               : limit < LEAST_VISITED ? LEAST_VISITED
                                       : (int)limit;
    return true;
}

static int words_of(const guard_tables *t)
{
    return t->outlook.constraints->n;
}

/* ---- whether a tree is reached by building what is missing of it -------------------------- */

static int compare_keys(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* By right end, then from the nearest left end to the farthest. */
static void order_arcs(guard_tables *t, int32_t *heads)
{
    int n = words_of(t);
    int32_t *order = heads + n + 1;
    for (int word = 1; word <= n; word++) {
        int left = heads[word] < word ? heads[word] : word;
        int right = heads[word] < word ? word : heads[word];
        t->keys[word - 1] = ((int64_t)right * (n + 1) + n - left) * (n + 1) + word;
    }
    qsort(t->keys, (size_t)n, sizeof *t->keys, compare_keys);
    for (int i = 0; i < n; i++) order[i] = (int32_t)(t->keys[i] % (n + 1));
}

static bool is_below(const int32_t *heads, int word, int ancestor)
{
    while (word > 0 && word != ancestor) word = heads[word];
    return word == ancestor;
}

/* An arc takes the place of the dependent's old one; closing a cycle makes the head headless. */
static void build(int32_t *heads, int head, int dependent)
{
    if (is_below(heads, head, dependent)) heads[head] = DD_NONE;
    heads[dependent] = head;
}

static bool reaches(guard_tables *t, place at, const int32_t *heads)
{
    int n = words_of(t);
    const int32_t *order = heads + n + 1;
    memcpy(t->trial, t->heads, ((size_t)n + 1) * sizeof *t->trial);
    for (int i = 0; i < n; i++) {
        int word = order[i], head = heads[word];
        if (head == 0 || t->trial[word] == head) continue;
        if (!dd_covington_open(at.focus, at.front, word, head)) return false;
        build(t->trial, head, word);
    }
    for (int word = 1; word <= n; word++)
        if (t->trial[word] != (heads[word] ? heads[word] : DD_NONE)) return false;
    return true;
}

/* ---- new trees ---------------------------------------------------------------------------- */

/* Finds a tree with the arcs that are filled in, and keeps it if it is reached. */
static bool try_tree(guard_tables *t, place at, bool *found)
{
    int32_t *heads = dd_witness_add(&t->witnesses);
    *found = dd_arborescence_find(&t->tree, heads);
    if (*found) {
        order_arcs(t, heads);
        if (reaches(t, at, heads)) return true;
    }
    dd_witness_drop(&t->witnesses);
    return false;
}

/* With all arcs built so far that the constraints allow one by one. */
static bool try_to_keep(guard_tables *t, place at)
{
    bool found;
    for (int word = 1; word <= words_of(t); word++) {
        int head = t->heads[word];
        bool keep = head != DD_NONE && dd_outlook_allows(&t->outlook, head, word);
        t->outlook.settled[word] = keep ? head : DD_NONE;
    }
    if (!dd_outlook_judge(&t->outlook)) return false;
    dd_covington_fill_arcs(&t->tree, at.focus, at.front);
    for (int word = 1; word <= words_of(t); word++)
        if (t->heads[word] != DD_NONE) dd_bits_drop(dd_arborescence_arcs(&t->tree, 0), word);
    return try_tree(t, at, &found);
}

static bool has_open_pair(const guard_tables *t, place at, int word)
{
    if (at.front < words_of(t)) return words_of(t) > 1;
    return at.front == words_of(t) && (word <= at.focus || (word == at.front && at.focus > 0));
}

/* Which words 0 may take: those that are headless; also those that it must take; or all that may
 * become headless when a cycle is broken. */
typedef enum hopes { NONE, FOR_ROOTS, FOR_ALL } hopes;

static bool may_take(const guard_tables *t, place at, hopes hope, int word)
{
    if (hope == NONE || !has_open_pair(t, at, word)) return false;
    return hope == FOR_ALL || dd_requires_arc(t->outlook.constraints, 0, word);
}

/* 0 takes the word first, and it its ancestors: the first of these arcs closes a cycle, which
 * leaves the word headless. */
static void like_freeing(guard_tables *t, place at, int word)
{
    dd_bits_add(dd_arborescence_liked(&t->tree, 0), word);
    for (int node = t->heads[word]; node > 0; node = t->heads[node])
        if (dd_covington_open(at.focus, at.front, word, node) &&
            dd_outlook_allows(&t->outlook, word, node))
            dd_bits_add(dd_arborescence_liked(&t->tree, word), node);
}

/* With any arcs that are built or open, those that are built if nothing else matters. */
static bool try_any(guard_tables *t, place at, hopes hope, bool *found)
{
    for (int word = 1; word <= words_of(t); word++) t->outlook.settled[word] = DD_NONE;
    dd_outlook_judge(&t->outlook);
    dd_covington_fill_arcs(&t->tree, at.focus, at.front);
    for (int word = 1; word <= words_of(t); word++) {
        int head = t->heads[word];
        if (head == DD_NONE) continue;
        if (!may_take(t, at, hope, word))
            dd_bits_drop(dd_arborescence_arcs(&t->tree, 0), word);
        else if (hope == FOR_ROOTS)
            like_freeing(t, at, word);
        if (!dd_outlook_allows(&t->outlook, head, word)) continue;
        dd_bits_add(dd_arborescence_arcs(&t->tree, head), word);
        dd_bits_add(dd_arborescence_liked(&t->tree, head), word);
    }
    return try_tree(t, at, found);
}

/* As long as a word in front has not been in focus, it is as if the word before it were in front
 * with no pair left. */
static place merge_rows(place at)
{
    return at.focus == at.front - 1 ? (place){0, at.front - 1} : at;
}

/* A tree in which one word to come is the head of nearly all others. */
static bool try_hub(guard_tables *t, place at, int hub)
{
    uint64_t steps = STEPS_FOR_WORD * (uint64_t)words_of(t);
    if (!dd_effort_spend(t->outlook.effort, steps)) return false;
    int32_t *heads = dd_witness_add(&t->witnesses);
    if (dd_covington_hub_tree(t->outlook.constraints, hub, at.focus, at.front, t->heads, heads)) {
        order_arcs(t, heads);
        if (reaches(t, at, heads)) return true;
    }
    dd_witness_drop(&t->witnesses);
    return false;
}

typedef enum verdict { HOPELESS, UNKNOWN, FOUND } verdict;

/* Makes the witness that reaches the configuration the first, if there is one. */
static bool is_served(guard_tables *t, place at)
{
    uint64_t steps = STEPS_FOR_WORD * (uint64_t)words_of(t);
    for (int i = 0; i < t->witnesses.count && dd_effort_spend(t->outlook.effort, steps); i++) {
        if (!reaches(t, at, dd_witness(&t->witnesses, i))) continue;
        dd_witness_served(&t->witnesses, i);
        return true;
    }
    return false;
}

static verdict judge(guard_tables *t, place at)
{
    bool found;
    if (is_served(t, at)) return FOUND;
    if (dd_effort_is_over(t->outlook.effort)) return HOPELESS;
    place same = merge_rows(at);
    int hub = dd_covington_hub(t->outlook.constraints, same.front);
    if (hub != DD_NONE) return try_hub(t, same, hub) ? FOUND : HOPELESS;
    if (try_to_keep(t, at) || try_any(t, at, NONE, &found) || try_any(t, at, FOR_ROOTS, &found) ||
        try_any(t, at, FOR_ALL, &found))
        return FOUND;
    return found ? UNKNOWN : HOPELESS;
}

/* ---- search ------------------------------------------------------------------------------- */

/* Whether the configuration is new to the search; its 64-bit hash stands for it. */
static bool note(guard_tables *t, place at)
{
    uint64_t seed = (uint64_t)at.focus << 32 | (uint32_t)at.front;
    uint64_t key =
        XXH3_64bits_withSeed(t->heads, ((size_t)words_of(t) + 1) * sizeof *t->heads, seed) | 1;
    size_t slots = 2 * (size_t)MOST_VISITED, slot = (size_t)(key >> 1) % slots;
    while (t->seen[slot] && t->seen[slot] != key) slot = (slot + 1) % slots;
    if (t->seen[slot]) return false;
    t->seen[slot] = key;
    t->visited++;
    return true;
}

static bool search(guard_tables *t, place at);

/* Depth first. A tree found from a configuration is found with fewer visits from the next one on
 * the path, so a move that was allowed because of it is followed by another that is allowed. */
static bool go_on(guard_tables *t, place at)
{
    dd_nm_view view = {.n = words_of(t),
                       .single_root = t->outlook.constraints->single_root,
                       .focus = at.focus,
                       .front = at.front,
                       .heads = t->heads,
                       .stride = 1,
                       .added = {DD_NONE, DD_NONE},
                       .freed = DD_NONE};
    bool found = false;
    for (int kind = DD_NM_SHIFT; kind < DD_NM_MOVES && !found; kind++) {
        /* NA leads to SH with the same arcs. */
        if ((kind == DD_NM_SHIFT && at.focus > 0) || !dd_nm_permissible(&view, kind)) continue;
        dd_nm_view after = dd_nm_after(&view, kind);
        if (dd_starts_at_leaf(t->outlook.constraints, after.added)) continue;
        int dependent = after.added.dependent, freed = after.freed;
        int old_head = dependent == DD_NONE ? DD_NONE : t->heads[dependent];
        int freed_head = freed == DD_NONE ? DD_NONE : t->heads[freed];
        if (dependent != DD_NONE) build(t->heads, after.added.head, dependent);
        found = search(t, (place){after.focus, after.front});
        if (dependent != DD_NONE) t->heads[dependent] = old_head;
        if (freed != DD_NONE) t->heads[freed] = freed_head;
    }
    return found;
}

static bool search(guard_tables *t, place at)
{
    if (t->visited == t->limit || !note(t, at)) return false;
    verdict now = judge(t, at);
    return now == UNKNOWN ? go_on(t, at) : now == FOUND;
}

/* Whether a tree is in reach, for the heads in hand. */
static bool judge_or_search(guard_tables *t, place at)
{
    verdict first = judge(t, at);
    if (first != UNKNOWN) return first == FOUND;
    memset(t->seen, 0, 2 * (size_t)MOST_VISITED * sizeof *t->seen);
    t->visited = 0;
    note(t, at);
    return go_on(t, at);
}

static place take_heads(guard_tables *t, const dd_nm_view *view)
{
    t->heads[0] = DD_NONE;
    for (int word = 1; word <= words_of(t); word++) t->heads[word] = dd_nm_head(view, word);
    return (place){view->focus, view->front};
}

static place behind(guard_tables *t, const dd_config *config, dd_move move)
{
    dd_nm_view now = dd_nm_now(config), after = dd_nm_after(&now, move.kind);
    return take_heads(t, &after);
}

/* From the start any tree is reached, so nothing is searched for but the tree itself. */
static bool possible(const dd_constraints *constraints, const dd_config *start)
{
    guard_tables *t = constraints->guard;
    dd_nm_view now = dd_nm_now(start);
    return judge_or_search(t, take_heads(t, &now));
}

static bool allows(const dd_constraints *constraints, const dd_config *config, dd_move move)
{
    guard_tables *t = constraints->guard;
    return dd_covington_passes(&t->witnesses, config, move) ||
           judge_or_search(t, behind(t, config, move));
}

/* What a search found is a witness of a configuration farther on. */
static void follow(const dd_constraints *constraints, dd_config *config, dd_move move)
{
    guard_tables *t = constraints->guard;
    if (dd_covington_passes(&t->witnesses, config, move)) return;
    bool served = is_served(t, behind(t, config, move));
    config->guard_state = served ? dd_witness_number(&t->witnesses, 0) : 0;
}

const dd_guard dd_covington_nm_guard = {
    .longest = DD_COVINGTON_LONGEST,
    .prepare = prepare,
    .release = release,
    .possible = possible,
    .allows = allows,
    .allows_under_leaves = dd_covington_leaves,
    .follow = follow,
};
