#include "judge.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 20, KEY_SIZE = 3 * JUDGE_MAX_N + 8 };

typedef struct entry {
    unsigned char key[KEY_SIZE];
    int loss; /* -1: free slot */
} entry;

struct judge {
    const dd_system *system;
    const dd_gold *gold;
    bool stackless; /* as Covington's: what is possible depends on the arcs */
    bool whole;     /* the key has all heads, and results count them all */
    bool spines;    /* the key has the heads of all nodes on spines */
    entry *entries; /* [SLOTS] */
    entry **used;   /* [n_used] those that hold something */
    int n_used;
};

/* Whether the first word shifted is on no stack. */
static bool has_no_stack(const dd_system *system)
{
    dd_config c = {0};
    if (!dd_system_begin(system, &c, 2, false)) abort();
    dd_system_apply(system, &c, (dd_move){0, 0}, 0);
    bool answer = c.depth == 0;
    dd_config_free(&c);
    return answer;
}

judge *judge_new(const dd_system *system)
{
    judge *j = calloc(1, sizeof *j);
    j->system = system;
    j->stackless = has_no_stack(system);
    j->spines = system->moves.candidates;
    j->whole = j->stackless || ((system->moves.permissible || system->moves.apply) && !j->spines);
    j->entries = malloc(SLOTS * sizeof *j->entries);
    memset(j->entries, 0xFF, SLOTS * sizeof *j->entries);
    j->used = malloc(SLOTS / 2 * sizeof *j->used);
    return j;
}

void judge_free(judge *j)
{
    free(j->entries);
    free(j->used);
    free(j);
}

void judge_reset(judge *j, const dd_gold *gold)
{
    j->gold = gold;
    while (j->n_used > 0) j->used[--j->n_used]->loss = -1;
}

static void fail(const judge *j, const dd_config *c, const char *what)
{
    fprintf(stderr, "%s: %s; gold", j->system->name, what);
    for (int word = 1; word <= c->n; word++) fprintf(stderr, " %d", j->gold->heads[word]);
    fprintf(stderr, "; heads");
    for (int word = 1; word <= c->n; word++) fprintf(stderr, " %d", c->nodes[word].head);
    fprintf(stderr, "\n");
    abort();
}

static int head_of(const dd_config *c, int word)
{
    return c->nodes[word].head == DD_NONE ? 0 : c->nodes[word].head;
}

static void check_tree(const judge *j, const dd_config *c)
{
    int roots = 0;
    for (int word = 1; word <= c->n; word++) {
        if (head_of(c, word) == 0) roots++;
        int node = word;
        for (int steps = 0; node > 0 && steps <= c->n; steps++) node = head_of(c, node);
        if (node != 0) fail(j, c, "final, but not a tree");
    }
    if (c->single_root && roots != 1) fail(j, c, "final, but not one root");
}

/* Wrong heads, those of headless words only in a final configuration; or the weights of the right
 * ones. */
static int wrong_heads(const judge *j, const dd_config *c, bool final)
{
    int wrong = 0;
    for (int word = 1; word <= c->n; word++)
        if ((final || !dd_headless(c, word)) && j->gold->heads[word] != DD_NONE &&
            head_of(c, word) != j->gold->heads[word])
            wrong += j->gold->weights ? j->gold->weights[word] : 1;
    return wrong;
}

/* On the left or right spine of a tree on the stack: each node the outermost dependent of its head.
 */
static bool on_spine(const dd_config *c, int word)
{
    bool left = true, right = true;
    if (dd_in_buffer(c, word)) return false;
    for (int node = word; !dd_headless(c, node); node = c->nodes[node].head) {
        int head = c->nodes[node].head;
        for (int other = 1; other <= c->n; other++) {
            if (c->nodes[other].head != head) continue;
            left = left && node < head && other >= node;
            right = right && node > head && other <= node;
        }
    }
    return left || right;
}

static void make_key(const judge *j, const dd_config *c, unsigned char *key)
{
    memset(key, 0, KEY_SIZE);
    *key++ = (unsigned char)c->front;
    *key++ = (unsigned char)c->focus;
    *key++ = (unsigned char)c->depth;
    for (int at = 0; at < c->depth; at++) {
        *key++ = (unsigned char)c->stack[at];
        *key++ = dd_headless(c, c->stack[at]);
    }
    for (int word = 1; word <= c->n; word++)
        if (j->whole || (j->spines && on_spine(c, word)))
            key[word] = (unsigned char)(c->nodes[word].head + 2);
}

static entry *find(judge *j, const unsigned char *key)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int i = 0; i < KEY_SIZE; i++) hash = (hash ^ key[i]) * UINT64_C(1099511628211);
    size_t slot = (size_t)(hash >> 20) % SLOTS;
    while (j->entries[slot].loss >= 0 && memcmp(j->entries[slot].key, key, KEY_SIZE) != 0)
        slot = (slot + 1) % SLOTS;
    return &j->entries[slot];
}

/* Wrong heads from here on: to be added to those that the configuration has, or in all. */
static int remaining(judge *j, const dd_config *c);

static int search(judge *j, const dd_config *c)
{
    dd_move moves[JUDGE_MAX_MOVES];
    int n_moves = dd_system_permissible(j->system, c, moves);
    if (j->system->final(c)) {
        check_tree(j, c);
        return wrong_heads(j, c, true) - (j->whole ? 0 : wrong_heads(j, c, false));
    }
    if (n_moves == 0) fail(j, c, "stuck");
    int least = INT_MAX;
    for (int m = 0; m < n_moves; m++) {
        dd_config next = {0};
        if (!dd_config_copy(&next, c)) abort();
        dd_system_apply(j->system, &next, moves[m], 0);
        int loss = remaining(j, &next);
        if (!j->whole) loss += wrong_heads(j, &next, false) - wrong_heads(j, c, false);
        if (loss < least) least = loss;
        dd_config_free(&next);
    }
    return least;
}

static int remaining(judge *j, const dd_config *c)
{
    unsigned char key[KEY_SIZE];
    make_key(j, c, key);
    entry *known = find(j, key);
    if (known->loss >= 0) return known->loss;
    int loss = search(j, c);
    entry *free_slot = find(j, key);
    memcpy(free_slot->key, key, KEY_SIZE);
    free_slot->loss = loss;
    if (j->n_used == SLOTS / 2) fail(j, c, "the judge's memory is too small");
    j->used[j->n_used++] = free_slot;
    return loss;
}

bool judge_affords(const judge *j, const dd_config *c)
{
    int pairs = c->focus;
    for (int right = c->front + 1; right <= c->n; right++) pairs += right - 1;
    return !j->stackless || pairs <= JUDGE_MAX_PAIRS;
}

int judge_loss(judge *j, const dd_config *c)
{
    return remaining(j, c) + (j->whole ? 0 : wrong_heads(j, c, false));
}

static bool is_tree(const int32_t *heads, int n)
{
    for (int word = 1; word <= n; word++) {
        int node = word;
        for (int steps = 0; node > 0 && steps <= n; steps++) node = heads[node];
        if (node != 0) return false;
    }
    return true;
}

bool tree_by_index(int32_t *heads, int n, uint64_t index)
{
    heads[0] = -1;
    for (int word = 1; word <= n; word++) {
        heads[word] = (int32_t)(index % (uint64_t)(n + 1));
        index /= (uint64_t)(n + 1);
    }
    return is_tree(heads, n);
}

/* Splits first..last into subtrees below head: a random root word for each. */
static void grow(dd_random *random, int32_t *heads, int first, int last, int head, bool one)
{
    while (first <= last) {
        int size = last - first + 1;
        int end = one ? last : first + (int)dd_random_below(random, (uint32_t)size);
        int root = first + (int)dd_random_below(random, (uint32_t)(end - first + 1));
        heads[root] = head;
        grow(random, heads, first, root - 1, root, false);
        grow(random, heads, root + 1, end, root, false);
        first = end + 1;
    }
}

void random_projective_tree(dd_random *random, int32_t *heads, int n, bool several_roots)
{
    heads[0] = -1;
    grow(random, heads, 1, n, 0, !several_roots);
}

void random_tree(dd_random *random, int32_t *heads, int n, bool several_roots)
{
    int order[RANDOM_TREE_MAX_N + 1] = {0};
    heads[0] = -1;
    for (int at = 1; at <= n; at++) {
        int to = 1 + (int)dd_random_below(random, (uint32_t)at);
        order[at] = order[to];
        order[to] = at;
    }
    for (int at = 1; at <= n; at++) {
        int low = at > 1 && !several_roots;
        heads[order[at]] = order[low + (int)dd_random_below(random, (uint32_t)(at - low))];
    }
}

uint64_t partial_indices(int n)
{
    uint64_t count = 1;
    for (int i = 0; i < n; i++) count *= (uint64_t)(n + 2);
    return count;
}

bool partial_by_index(int32_t *heads, int n, uint64_t index)
{
    heads[0] = -1;
    for (int word = 1; word <= n; word++) {
        heads[word] = (int32_t)(index % (uint64_t)(n + 2)) - 1;
        index /= (uint64_t)(n + 2);
    }
    for (int word = 1; word <= n; word++) {
        int node = word;
        for (int steps = 0; node > 0 && steps <= n; steps++) node = heads[node];
        if (node > 0) return false;
    }
    return true;
}

void forget_heads(dd_random *random, int32_t *heads, int n)
{
    uint32_t quarters = 1 + dd_random_below(random, 3);
    for (int word = 1; word <= n; word++)
        if (dd_random_below(random, 4) < quarters) heads[word] = -1;
}
