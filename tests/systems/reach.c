#include "reach.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 20, KEY_SIZE = 3 * REACH_MAX_N + 4, MOST_MOVES = 64 };

typedef struct entry {
    unsigned char key[KEY_SIZE];
    reach_set set;
} entry;

struct reach {
    const dd_system *system;
    int n;
    unsigned leaves;
    int n_trees;
    int32_t trees[REACH_MAX_TREES][REACH_MAX_N + 1];
    entry *entries; /* [n_entries] */
    int n_entries, capacity;
    int *slots; /* [SLOTS] index in entries + 1 */
};

static void make_key(const dd_config *c, unsigned char *key)
{
    memset(key, 0, KEY_SIZE);
    *key++ = (unsigned char)c->front;
    *key++ = (unsigned char)c->focus;
    *key++ = (unsigned char)c->depth;
    for (int word = 1; word <= c->n; word++) *key++ = (unsigned char)(c->nodes[word].head + 2);
    for (int at = 0; at < c->depth; at++) *key++ = (unsigned char)(c->stack[at] + 1);
}

static int *find_slot(const reach *r, const unsigned char *key)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int i = 0; i < KEY_SIZE; i++) hash = (hash ^ key[i]) * UINT64_C(1099511628211);
    size_t slot = (size_t)(hash >> 20) % SLOTS;
    while (r->slots[slot] && memcmp(r->entries[r->slots[slot] - 1].key, key, KEY_SIZE) != 0)
        slot = (slot + 1) % SLOTS;
    return &r->slots[slot];
}

static int add_tree(reach *r, const dd_config *c)
{
    int32_t heads[REACH_MAX_N + 1] = {-1};
    for (int word = 1; word <= c->n; word++)
        heads[word] = dd_headless(c, word) ? 0 : c->nodes[word].head;
    for (int t = 0; t < r->n_trees; t++)
        if (memcmp(r->trees[t], heads, sizeof heads) == 0) return t;
    if (r->n_trees == REACH_MAX_TREES) abort();
    memcpy(r->trees[r->n_trees], heads, sizeof heads);
    return r->n_trees++;
}

static int new_entry(reach *r, const unsigned char *key)
{
    if (r->n_entries == r->capacity) {
        r->capacity = r->capacity ? 2 * r->capacity : 1024;
        r->entries = realloc(r->entries, (size_t)r->capacity * sizeof *r->entries);
        if (!r->entries || r->capacity > SLOTS / 2) abort();
    }
    entry *e = &r->entries[r->n_entries];
    memcpy(e->key, key, KEY_SIZE);
    memset(&e->set, 0, sizeof e->set);
    return r->n_entries++;
}

static int visit(reach *r, const dd_config *c)
{
    unsigned char key[KEY_SIZE];
    make_key(c, key);
    int *slot = find_slot(r, key);
    if (*slot) return *slot - 1;
    int own = new_entry(r, key);
    *slot = own + 1;
    if (r->system->final(c)) reach_add(&r->entries[own].set, add_tree(r, c));
    dd_move moves[MOST_MOVES];
    int n_moves = dd_system_permissible(r->system, c, moves);
    for (int m = 0; m < n_moves; m++) {
        dd_arc arc = dd_system_arc(r->system, c, moves[m]);
        if (arc.dependent != DD_NONE && (r->leaves >> arc.head & 1)) continue;
        dd_config next = {0};
        if (!dd_config_copy(&next, c)) abort();
        dd_system_apply(r->system, &next, moves[m], 0);
        int other = visit(r, &next);
        for (int i = 0; i < REACH_ROW; i++)
            r->entries[own].set.bits[i] |= r->entries[other].set.bits[i];
        dd_config_free(&next);
    }
    return own;
}

reach *reach_new(const dd_system *system, int n, bool single_root, unsigned leaves)
{
    reach *r = calloc(1, sizeof *r);
    dd_config c = {0};
    if (!r || n > REACH_MAX_N || !(r->slots = calloc(SLOTS, sizeof *r->slots))) abort();
    r->system = system;
    r->n = n;
    r->leaves = leaves;
    if (!dd_system_begin(system, &c, n, single_root)) abort();
    visit(r, &c);
    dd_config_free(&c);
    return r;
}

void reach_free(reach *r)
{
    free(r->entries);
    free(r->slots);
    free(r);
}

int reach_trees(const reach *r)
{
    return r->n_trees;
}

const int32_t *reach_tree(const reach *r, int tree)
{
    return r->trees[tree];
}

int reach_configurations(const reach *r)
{
    return r->n_entries;
}

int reach_find(const reach *r, const dd_config *config)
{
    unsigned char key[KEY_SIZE];
    make_key(config, key);
    return *find_slot(r, key) - 1;
}

const reach_set *reach_of(const reach *r, int configuration)
{
    return &r->entries[configuration].set;
}
