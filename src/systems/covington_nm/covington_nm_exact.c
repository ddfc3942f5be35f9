#include "systems/covington_nm/covington_nm.h"

#include "core/memory.h"
#include "systems/covington/covington.h"

#include <string.h>
#include <xxhash.h>

/* A move on the way, and how to take it back. */
typedef struct step {
    int32_t tried;                 /* how many moves were tried after it */
    int32_t dependent, old_head;   /* DD_NONE: no arc */
    int32_t freed, old_freed_head; /* DD_NONE: no word */
    int32_t focus, front;          /* before it */
    int32_t order;                 /* of the moves to try after it, two bits each */
} step;
_Static_assert(sizeof(step) == 8 * sizeof(int32_t), "steps are kept in an array of int32_t");

/* A configuration from which no derivation has the loss that is tried. */
typedef struct failure {
    uint32_t key[2];
    int32_t loss; /* 0: a free entry; else the loss + 1 */
} failure;
_Static_assert(sizeof(failure) == 3 * sizeof(int32_t), "failures are kept in an array of int32_t");

/* All in the loss space: what bounds need | heads | steps | failures */
typedef struct search {
    dd_loss_space *space;
    const dd_gold *gold;
    dd_nm_view view;
    size_t fixed; /* size of what stands before the failures */
    step *steps;  /* [depth] */
    int depth;
    failure *failures; /* [slots] */
    size_t slots, n_failures;
    int wanted; /* the loss to find a way to */
    uint32_t visited;
    dd_nm_search how;
} search;

/* NO_MEMORY: or it was cancelled. */
typedef enum outcome { FAILED, FOUND, LIMIT_REACHED, NO_MEMORY } outcome;

enum { STEPS_FOR_WORD = 20 }; /* for dd_tick */

static size_t scratch_size(int n)
{
    return (2 + DD_CYCLE_MEMORY) * ((size_t)n + 1);
}

static int32_t *own_heads(const search *s)
{
    return s->space->memory + scratch_size(s->view.n);
}

/* Makes room for the failures and finds everything again. */
static bool place(search *s, size_t slots)
{
    size_t need = s->fixed + slots * sizeof(failure) / sizeof(int32_t);
    if (!DD_RESERVE(&s->space->memory, &s->space->capacity, need)) return false;
    s->view.heads = own_heads(s);
    s->steps = (step *)(own_heads(s) + s->view.n + 1);
    s->failures = (failure *)(s->space->memory + s->fixed);
    s->slots = slots;
    return true;
}

/* ---- failures ---- */

static failure *find_failure(const search *s, const uint32_t key[2])
{
    size_t slot = key[0] & (s->slots - 1);
    while (s->failures[slot].loss != 0 && memcmp(s->failures[slot].key, key, sizeof(uint64_t)) != 0)
        slot = (slot + 1) & (s->slots - 1);
    return &s->failures[slot];
}

static void forget_failures(search *s)
{
    memset(s->failures, 0, s->slots * sizeof *s->failures);
    s->n_failures = 0;
}

/* A full table of failures is emptied and made larger; its entries only save time. */
static bool make_room(search *s)
{
    if (2 * s->n_failures < s->slots) return true;
    if (!place(s, 4 * s->slots)) return false;
    forget_failures(s);
    return true;
}

/* 64 bits stand for the configuration. */
static void make_key(const search *s, uint32_t key[2])
{
    uint64_t place_of_focus = (uint64_t)s->view.focus << 32 | (uint32_t)s->view.front;
    uint64_t hash = XXH3_64bits_withSeed(
        s->view.heads, ((size_t)s->view.n + 1) * sizeof *s->view.heads, place_of_focus);
    memcpy(key, &hash, sizeof hash);
}

static bool failed_before(const search *s)
{
    uint32_t key[2];
    make_key(s, key);
    return find_failure(s, key)->loss > s->wanted;
}

static bool note_failure(search *s)
{
    uint32_t key[2];
    if (!make_room(s)) return false;
    make_key(s, key);
    failure *entry = find_failure(s, key);
    s->n_failures += entry->loss == 0;
    memcpy(entry->key, key, sizeof key);
    entry->loss = s->wanted + 1;
    return true;
}

/* ---- a lower bound without exception ---- */

/* Whether breaking a cycle may make the gold root headless again without the loss of a gold arc: by
 * an arc from it to a word that has not its gold head now. */
static bool may_be_freed(const dd_nm_view *view, const dd_gold *gold, int root)
{
    if (view->front < view->n) return true;
    for (int word = 1; word <= view->n; word++)
        if (word != root && dd_covington_open(view->focus, view->front, word, root) &&
            (dd_nm_head(view, word) != gold->heads[word] || gold->heads[word] == DD_NONE))
            return true;
    return false;
}

/* With several gold roots one word that gives up its gold head may free more than one. */
static int sure_loss(const dd_nm_view *view, const dd_gold *gold, bool trust_lower)
{
    int loss = dd_nm_unreachable(view, gold), headed = 0, freeable = 0;
    if (trust_lower) return loss;
    for (int at = gold->first[0]; at < gold->first[1]; at++) {
        int root = gold->dependents[at];
        if (dd_nm_head(view, root) == DD_NONE) continue;
        headed++;
        freeable += may_be_freed(view, gold, root);
    }
    return gold->roots > 1 ? loss - headed : loss - freeable;
}

/* ---- the search ---- */

static int final_loss(const dd_nm_view *view, const dd_gold *gold)
{
    int wrong = 0;
    for (int word = 1; word <= view->n; word++) {
        int head = dd_nm_head(view, word);
        wrong += dd_gold_rejects(gold, head == DD_NONE ? 0 : head, word);
    }
    return wrong;
}

/* The gold arc first if there is one; arcs that are not gold last. */
static int moves_in_order(const search *s)
{
    int i = s->view.focus, j = s->view.front;
    enum { SH = DD_NM_SHIFT, NA = DD_NM_NO_ARC, LA = DD_NM_LEFT, RA = DD_NM_RIGHT };
    if (i > 0 && s->gold->heads[i] == j) return LA | NA << 2 | RA << 4 | SH << 6;
    if (i > 0 && s->gold->heads[j] == i) return RA | NA << 2 | LA << 4 | SH << 6;
    return NA | LA << 2 | RA << 4 | SH << 6;
}

static void take(search *s, const dd_nm_view *after)
{
    int32_t *heads = own_heads(s);
    int dependent = after->added.dependent, freed = after->freed;
    s->steps[s->depth++] = (step){
        .dependent = dependent,
        .old_head = dependent == DD_NONE ? DD_NONE : heads[dependent],
        .freed = freed,
        .old_freed_head = freed == DD_NONE ? DD_NONE : heads[freed],
        .focus = s->view.focus,
        .front = s->view.front,
    };
    if (freed != DD_NONE) heads[freed] = DD_NONE;
    if (dependent != DD_NONE) heads[dependent] = after->added.head;
    s->view.focus = after->focus;
    s->view.front = after->front;
    s->steps[s->depth - 1].order = moves_in_order(s);
}

static void take_back(search *s)
{
    int32_t *heads = own_heads(s);
    step last = s->steps[--s->depth];
    if (last.freed != DD_NONE) heads[last.freed] = last.old_freed_head;
    if (last.dependent != DD_NONE) heads[last.dependent] = last.old_head;
    s->view.focus = last.focus;
    s->view.front = last.front;
}

/* What the bounds alone say of a configuration: FAILED, FOUND, or -1 if it must be searched. */
static int decide(search *s, const dd_nm_view *view)
{
    dd_nm_bounds bounds;
    if (view->front > view->n) return final_loss(view, s->gold) <= s->wanted ? FOUND : FAILED;
    if (sure_loss(view, s->gold, s->how.trust_lower) > s->wanted) return FAILED;
    if (!dd_nm_bound(s->space, view, s->gold, &bounds)) return NO_MEMORY;
    return bounds.pc_upper <= s->wanted ? FOUND : -1;
}

/* Tries the next move after the last step taken. */
static outcome try_next(search *s)
{
    step *last = &s->steps[s->depth - 1];
    if (last->tried == DD_NM_MOVES) {
        if (!note_failure(s)) return NO_MEMORY;
        take_back(s);
        return FAILED;
    }
    int kind = last->order >> (2 * last->tried++) & 3;
    if (kind == DD_NM_SHIFT && s->view.focus > 0) return FAILED;
    if (!dd_nm_permissible(&s->view, kind)) return FAILED;
    if (s->visited++ == s->how.limit) return LIMIT_REACHED;
    if (!dd_tick(s->space->ticker, STEPS_FOR_WORD * (int64_t)s->view.n)) return NO_MEMORY;
    dd_nm_view after = dd_nm_after(&s->view, kind);
    int decided = decide(s, &after);
    if (decided >= 0) return (outcome)decided;
    take(s, &after);
    if (failed_before(s)) take_back(s);
    return FAILED;
}

static outcome search_for(search *s, int wanted)
{
    outcome end = FAILED;
    s->wanted = wanted;
    s->steps[0] = (step){.dependent = DD_NONE, .freed = DD_NONE, .order = moves_in_order(s)};
    s->steps[0].focus = s->view.focus;
    s->steps[0].front = s->view.front;
    s->depth = 1;
    while (end == FAILED && s->depth > 0) end = try_next(s);
    while (s->depth > 0) take_back(s);
    return end;
}

static bool begin(search *s, const dd_nm_view *view)
{
    size_t n = (size_t)view->n, longest = n * (n + 1) / 2 + n + 2;
    if (longest > s->how.limit) longest = (size_t)s->how.limit + 2;
    s->view = *view;
    s->view.stride = 1;
    s->view.added = (dd_arc){DD_NONE, DD_NONE};
    s->view.freed = DD_NONE;
    s->fixed = scratch_size(view->n) + n + 1 + longest * sizeof(step) / sizeof(int32_t);
    if (!place(s, 1024)) return false;
    int32_t *heads = own_heads(s);
    heads[0] = DD_NONE;
    for (int word = 1; word <= view->n; word++) heads[word] = dd_nm_head(view, word);
    forget_failures(s);
    return true;
}

bool dd_nm_exact_search(dd_loss_space *space, const dd_nm_view *view, const dd_gold *gold,
                        dd_nm_search how, dd_nm_exact *result)
{
    search s = {.space = space, .gold = gold, .how = how};
    dd_nm_bounds bounds;
    *result = (dd_nm_exact){.loss = final_loss(view, gold), .proved = true};
    if (view->front > view->n) return true;
    if (!dd_nm_bound(space, view, gold, &bounds)) return false;
    result->loss = bounds.pc_upper;
    int wanted = sure_loss(view, gold, how.trust_lower);
    if (wanted >= bounds.pc_upper) return true;
    if (!begin(&s, view)) return false;
    outcome end = FAILED;
    for (; wanted < bounds.pc_upper && end == FAILED; wanted++) end = search_for(&s, wanted);
    result->visited = s.visited;
    result->proved = end != LIMIT_REACHED;
    if (end == FOUND) result->loss = wanted - 1;
    return end != NO_MEMORY;
}

bool dd_nm_exact_loss(dd_loss_space *space, const dd_nm_view *view, const dd_gold *gold, int *loss)
{
    dd_nm_exact result;
    dd_nm_search how = {.limit = DD_NM_EXACT_LIMIT};
    if (!dd_nm_exact_search(space, view, gold, how, &result)) return false;
    space->unproved |= !result.proved;
    space->searched += result.visited;
    *loss = result.loss;
    return true;
}
