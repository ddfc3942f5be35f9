/* Whether covington-nm can still reach a given tree is NP-complete: formulas as configurations and
 * trees, after the proof in docs/theory/constraints.md. For every assignment that satisfies a
 * formula the moves of the proof must lead to the tree; and exhaustive search must reach the tree
 * of a small formula exactly if there is such an assignment. Then, and only then, its loss is 0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <xxhash.h>

#include "core/random.h"
#include "systems/covington/covington.h"
#include "systems/covington_nm/covington_nm.h"
#include "systems/registry.h"

enum { MOST_VARIABLES = 6, MOST_CLAUSES = 12, LITERALS = 3 };
enum { MOST_WORDS = 5 + 2 * MOST_VARIABLES + MOST_CLAUSES * (3 * LITERALS + 1) };
enum { SLOTS = 1 << 22 }; /* of the configurations that a search has seen */

typedef struct literal {
    int variable; /* from 0 */
    bool negated;
} literal;

typedef struct formula {
    int variables, clauses, lengths[MOST_CLAUSES];
    literal literals[MOST_CLAUSES][LITERALS];
} formula;

static formula draw_formula(dd_random *random, int variables, int clauses, int literals)
{
    formula f = {.variables = 1 + (int)dd_random_below(random, (uint32_t)variables),
                 .clauses = 1 + (int)dd_random_below(random, (uint32_t)clauses)};
    for (int c = 0; c < f.clauses; c++) {
        f.lengths[c] = 1 + (int)dd_random_below(random, (uint32_t)literals);
        for (int i = 0; i < f.lengths[c]; i++)
            f.literals[c][i] = (literal){(int)dd_random_below(random, (uint32_t)f.variables),
                                         dd_random_below(random, 2)};
    }
    return f;
}

static bool is_true(unsigned assignment, literal l)
{
    return (assignment >> l.variable & 1) != l.negated;
}

/* The first true literal of a clause, DD_NONE: there is none. */
static int find_true(const formula *f, unsigned assignment, int clause)
{
    for (int i = 0; i < f->lengths[clause]; i++)
        if (is_true(assignment, f->literals[clause][i])) return i;
    return DD_NONE;
}

static bool satisfies(const formula *f, unsigned assignment)
{
    for (int c = 0; c < f->clauses; c++)
        if (find_true(f, assignment, c) == DD_NONE) return false;
    return true;
}

/* ---- a formula as a configuration and a tree; names as in the proof ------------------------ */

typedef struct puzzle {
    const formula *formula;
    int n;
    int32_t heads[MOST_WORDS + 1]; /* that are built, DD_NONE: none */
    int32_t tree[MOST_WORDS + 1];  /* that are wanted */
    int e, w, s, r, fw;
    int h[MOST_VARIABLES], y[MOST_VARIABLES], k[MOST_CLAUSES];
    int x[MOST_CLAUSES][LITERALS], f[MOST_CLAUSES][LITERALS], b[MOST_CLAUSES][LITERALS];
} puzzle;

static int add(puzzle *p, int head)
{
    p->heads[++p->n] = head;
    return p->n;
}

/* The heads are filled in when all words are there. */
static void add_options(puzzle *p, bool negated)
{
    const formula *f = p->formula;
    for (int c = 0; c < f->clauses; c++)
        for (int i = 0; i < f->lengths[c]; i++)
            if (f->literals[c][i].negated == negated) p->x[c][i] = add(p, DD_NONE);
}

static void add_left_words(puzzle *p)
{
    const formula *f = p->formula;
    p->e = add(p, DD_NONE);
    p->w = add(p, p->e);
    for (int v = 0; v < f->variables; v++) p->h[v] = add(p, DD_NONE);
    add_options(p, false);
    for (int v = 0; v < f->variables; v++) p->heads[p->h[v]] = p->y[v] = add(p, DD_NONE);
    add_options(p, true);
    p->fw = add(p, p->w);
    for (int c = 0; c < f->clauses; c++)
        for (int i = 0; i < f->lengths[c]; i++) {
            literal l = f->literals[c][i];
            p->heads[p->x[c][i]] = l.negated ? p->y[l.variable] : p->h[l.variable];
            p->f[c][i] = add(p, p->x[c][i]);
        }
}

static void add_late_words(puzzle *p)
{
    const formula *f = p->formula;
    p->s = add(p, DD_NONE);
    for (int c = 0; c < f->clauses; c++) {
        for (int i = 0; i < f->lengths[c]; i++) p->b[c][i] = add(p, DD_NONE);
        p->k[c] = add(p, DD_NONE);
    }
    p->r = add(p, DD_NONE);
}

static void plant_tree(puzzle *p)
{
    const formula *f = p->formula;
    p->tree[p->e] = p->k[0];
    p->tree[p->w] = p->r;
    p->tree[p->fw] = p->w;
    p->tree[p->s] = p->e;
    p->tree[p->r] = 0;
    for (int v = 0; v < f->variables; v++) {
        p->tree[p->h[v]] = p->k[0];
        p->tree[p->y[v]] = p->r;
    }
    for (int c = 0; c < f->clauses; c++) {
        p->tree[p->k[c]] = p->fw;
        for (int i = 0; i < f->lengths[c]; i++) {
            p->tree[p->x[c][i]] = c + 1 < f->clauses ? p->k[c + 1] : p->r;
            p->tree[p->f[c][i]] = p->x[c][i];
            p->tree[p->b[c][i]] = p->f[c][i];
        }
    }
}

static puzzle write_puzzle(const formula *f)
{
    puzzle p = {.formula = f};
    add_left_words(&p);
    add_late_words(&p);
    plant_tree(&p);
    return p;
}

/* ---- the moves of the proof ---------------------------------------------------------------- */

static int arc_between(const int32_t *heads, int i, int j)
{
    return heads[i] == j ? DD_NM_LEFT : heads[j] == i ? DD_NM_RIGHT : DD_NM_NO_ARC;
}

/* s takes the true variables, which makes headless what waits for them. */
static int move_of_s(const puzzle *p, unsigned assignment, int i)
{
    const formula *f = p->formula;
    for (int v = 0; v < f->variables; v++)
        if (p->y[v] == i && assignment >> v & 1) return DD_NM_LEFT;
    for (int c = 0; c < f->clauses; c++)
        for (int o = 0; o < f->lengths[c]; o++)
            if (p->x[c][o] == i && !f->literals[c][o].negated &&
                is_true(assignment, f->literals[c][o]))
                return DD_NM_RIGHT;
    return DD_NM_NO_ARC;
}

/* w moves on to a true option of each clause. */
static int move_of_proof(const puzzle *p, unsigned assignment, int i, int j)
{
    int kind = arc_between(p->tree, i, j);
    if (kind != DD_NM_NO_ARC) return kind;
    if (j == p->s) return move_of_s(p, assignment, i);
    for (int c = 0; c < p->formula->clauses && i == p->w; c++)
        if (j == p->b[c][find_true(p->formula, assignment, c)]) return DD_NM_LEFT;
    return DD_NM_NO_ARC;
}

static void apply(dd_config *c, int kind)
{
    assert_true(dd_covington_nm.rules[kind].legal(c));
    dd_system_apply(&dd_covington_nm, c, (dd_move){kind, 0}, 0);
}

static void build_left_words(const puzzle *p, dd_config *c)
{
    while (c->front < p->s) apply(c, c->focus ? arc_between(p->heads, c->focus, c->front) : 0);
    for (int word = 1; word <= p->n; word++) assert_int_equal(c->nodes[word].head, p->heads[word]);
}

static void play(const puzzle *p, unsigned assignment, bool single_root)
{
    dd_config c = {0};
    assert_true(dd_system_begin(&dd_covington_nm, &c, p->n, single_root));
    build_left_words(p, &c);
    while (!dd_covington_nm.final(&c))
        apply(&c, c.focus ? move_of_proof(p, assignment, c.focus, c.front) : DD_NM_SHIFT);
    for (int word = 1; word <= p->n; word++)
        assert_int_equal(c.nodes[word].head, p->tree[word] ? p->tree[word] : DD_NONE);
    dd_config_free(&c);
}

static void assignments_lead_to_trees(void **state)
{
    (void)state;
    dd_random random = {5};
    int played = 0;
    for (int round = 0; round < 300; round++) {
        formula f = draw_formula(&random, MOST_VARIABLES, MOST_CLAUSES, LITERALS);
        puzzle p = write_puzzle(&f);
        for (unsigned assignment = 0; assignment < 1U << f.variables; assignment++) {
            if (!satisfies(&f, assignment)) continue;
            play(&p, assignment, played % 2);
            played++;
        }
    }
    print_message("# %d assignments\n", played);
    assert_true(played > 300);
}

/* ---- exhaustive search --------------------------------------------------------------------- */

typedef struct search {
    const puzzle *puzzle;
    int32_t heads[MOST_WORDS + 1];
    uint64_t *seen; /* [SLOTS] by hash; 0: free */
    int visited;
} search;

/* All heads are part of the key; 64 bits stand for it. */
static bool is_new(search *t, int focus, int front)
{
    uint64_t seed = (uint64_t)focus << 32 | (uint32_t)front;
    uint64_t key = XXH3_64bits_withSeed(t->heads, sizeof t->heads, seed) | 1;
    size_t slot = (size_t)(key >> 1) % SLOTS;
    while (t->seen[slot] && t->seen[slot] != key) slot = (slot + 1) % SLOTS;
    if (t->seen[slot]) return false;
    t->seen[slot] = key;
    assert_true(++t->visited < SLOTS / 2);
    return true;
}

static bool is_the_tree(const search *t)
{
    for (int word = 1; word <= t->puzzle->n; word++)
        if (t->heads[word] != (t->puzzle->tree[word] ? t->puzzle->tree[word] : DD_NONE))
            return false;
    return true;
}

/* Whether a word that has lost its head can still get the one that is wanted. */
static bool is_to_come(const search *t, int focus, int front, int word)
{
    return dd_covington_open(focus - 1, front, word, t->puzzle->tree[word]);
}

static bool is_lost(const search *t, const dd_nm_view *now, const dd_nm_view *after)
{
    int dependent = after->added.dependent, freed = after->freed;
    int wanted = arc_between(t->puzzle->tree, now->focus, now->front);
    int built = dependent == DD_NONE      ? DD_NM_NO_ARC
                : dependent == now->focus ? DD_NM_LEFT
                                          : DD_NM_RIGHT;
    if (wanted != DD_NM_NO_ARC && built != wanted) return true;
    if (freed != DD_NONE && !is_to_come(t, now->focus, now->front, freed)) return true;
    return built != wanted && !is_to_come(t, now->focus, now->front, dependent);
}

static dd_nm_view view_of(int n, const int32_t *heads, int focus, int front)
{
    return (dd_nm_view){.n = n,
                        .focus = focus,
                        .front = front,
                        .heads = heads,
                        .stride = 1,
                        .added = {DD_NONE, DD_NONE},
                        .freed = DD_NONE};
}

static bool reaches(search *t, int focus, int front)
{
    if (focus == 0) {
        focus = front++;
        if (front > t->puzzle->n) return is_the_tree(t);
    }
    if (!is_new(t, focus, front)) return false;
    dd_nm_view now = view_of(t->puzzle->n, t->heads, focus, front);
    bool found = false;
    for (int kind = DD_NM_NO_ARC; kind < DD_NM_MOVES && !found; kind++) {
        dd_nm_view after = dd_nm_after(&now, kind);
        if (is_lost(t, &now, &after)) continue;
        int dependent = after.added.dependent == DD_NONE ? 0 : after.added.dependent;
        int freed = after.freed == DD_NONE ? 0 : after.freed;
        int old_head = t->heads[dependent], freed_head = t->heads[freed];
        if (freed) t->heads[freed] = DD_NONE;
        if (dependent) t->heads[dependent] = after.added.head;
        found = reaches(t, focus - 1, front);
        t->heads[freed] = freed_head;
        t->heads[dependent] = old_head;
    }
    return found;
}

static bool can_reach(const puzzle *p, uint64_t *seen)
{
    search t = {.puzzle = p, .seen = seen};
    memset(seen, 0, SLOTS * sizeof *seen);
    memcpy(t.heads, p->heads, sizeof t.heads);
    return reaches(&t, p->s - 1, p->s);
}

/* The loss of the configuration, the tree being gold. */
static dd_nm_exact find_loss(const puzzle *p, bool single_root)
{
    dd_gold gold = {0};
    dd_loss_space space = {0};
    dd_nm_exact result;
    dd_nm_view now = view_of(p->n, p->heads, p->s - 1, p->s);
    now.single_root = single_root;
    assert_true(dd_gold_set(&gold, p->tree, NULL, p->n));
    assert_true(dd_nm_exact_search(&space, &now, &gold, (dd_nm_search){1 << 17, false}, &result));
    dd_loss_space_free(&space);
    dd_gold_free(&gold);
    return result;
}

static bool is_satisfiable(const formula *f)
{
    for (unsigned assignment = 0; assignment < 1U << f->variables; assignment++)
        if (satisfies(f, assignment)) return true;
    return false;
}

static void trees_are_reached_exactly_if_formulas_hold(void **state)
{
    (void)state;
    dd_random random = {6};
    uint64_t *seen = malloc(SLOTS * sizeof *seen);
    int found = 0, proved = 0, rounds = 100;
    assert_non_null(seen);
    for (int round = 0; round < rounds; round++) {
        formula f = round % 5 ? draw_formula(&random, 2, 3, 1) : draw_formula(&random, 2, 1, 2);
        puzzle p = write_puzzle(&f);
        bool satisfiable = is_satisfiable(&f);
        assert_int_equal(can_reach(&p, seen), satisfiable);
        dd_nm_exact loss = find_loss(&p, round % 2);
        if (loss.proved) assert_int_equal(loss.loss == 0, satisfiable);
        proved += loss.proved;
        found += satisfiable;
    }
    free(seen);
    print_message("# %d formulas can be satisfied, %d cannot; the loss of %d was found\n", found,
                  rounds - found, proved);
    assert_true(found > rounds / 5 && rounds - found > rounds / 5 && proved > rounds / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assignments_lead_to_trees),
        cmocka_unit_test(trees_are_reached_exactly_if_formulas_hold),
    };
    return cmocka_run_group_tests_name("covington-nm-hard", tests, NULL, NULL);
}
