/* The guard of covington-nm at the end of sentences, where no word is to come that could take all
 * others: each move along random walks against a search of all that can follow. What is allowed
 * must be possible; what is blocked wrongly is counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <xxhash.h>

#include "constrained.h"
#include "judge.h"
#include "systems/covington/covington.h"
#include "systems/covington_nm/covington_nm.h"
#include "systems/registry.h"

enum { MOST_WORDS = 12, SLOTS = 1 << 20 };

/* ---- the judge ------------------------------------------------------------------------------ */

typedef struct judge_room {
    const constrained *s;
    const dd_constraints *c;
    int n;
    int32_t heads[MOST_WORDS + 1];
    uint64_t keys[SLOTS];
    int stamp[SLOTS], now, used;
} judge_room;

static bool is_new(judge_room *r, int focus, int front)
{
    uint64_t seed = (uint64_t)focus << 32 | (uint32_t)front;
    uint64_t key = XXH3_64bits_withSeed(r->heads, sizeof r->heads, seed);
    size_t slot = (size_t)(key >> 1) % SLOTS;
    while (r->stamp[slot] == r->now && r->keys[slot] != key) slot = (slot + 1) % SLOTS;
    if (r->stamp[slot] == r->now) return false;
    r->stamp[slot] = r->now;
    r->keys[slot] = key;
    assert_true(++r->used < SLOTS / 2);
    return true;
}

static dd_nm_view view_of(const judge_room *r, int focus, int front)
{
    return (dd_nm_view){.n = r->n,
                        .single_root = r->s->single_root,
                        .focus = focus,
                        .front = front,
                        .heads = r->heads,
                        .stride = 1,
                        .added = {DD_NONE, DD_NONE},
                        .freed = DD_NONE};
}

static bool satisfied(const judge_room *r)
{
    int32_t heads[MOST_WORDS + 1];
    int roots = 0;
    for (int word = 1; word <= r->n; word++) {
        heads[word] = r->heads[word] == DD_NONE ? 0 : r->heads[word];
        roots += heads[word] == 0;
    }
    heads[0] = DD_NONE;
    if (r->s->single_root && roots != 1) return false;
    return constrained_satisfied(r->s, heads);
}

static bool can_end(judge_room *r, int focus, int front)
{
    if (front > r->n) return satisfied(r);
    if (!is_new(r, focus, front)) return false;
    dd_nm_view now = view_of(r, focus, front);
    bool found = false;
    for (int kind = focus > 0 ? DD_NM_NO_ARC : DD_NM_SHIFT;
         kind <= (focus > 0 ? DD_NM_RIGHT : DD_NM_SHIFT) && !found; kind++) {
        dd_nm_view after = dd_nm_after(&now, kind);
        if (dd_starts_at_leaf(r->c, after.added)) continue;
        int dependent = after.added.dependent == DD_NONE ? 0 : after.added.dependent;
        int freed = after.freed == DD_NONE ? 0 : after.freed;
        int old_head = r->heads[dependent], freed_head = r->heads[freed];
        if (freed) r->heads[freed] = DD_NONE;
        if (dependent) r->heads[dependent] = after.added.head;
        found = can_end(r, after.focus, after.front);
        r->heads[freed] = freed_head;
        r->heads[dependent] = old_head;
    }
    return found;
}

static bool judge_says(judge_room *r, const dd_config *config, int kind)
{
    dd_nm_view now = dd_nm_now(config), after = dd_nm_after(&now, kind);
    r->now++;
    r->used = 0;
    r->heads[0] = DD_NONE;
    for (int word = 1; word <= r->n; word++) r->heads[word] = dd_nm_head(&after, word);
    return can_end(r, after.focus, after.front);
}

/* ---- walks ---------------------------------------------------------------------------------- */

enum { SPANS_LAST, SPANS_EARLIER, ARCS_LAST, ARCS_EARLIER, KINDS };

typedef struct count {
    uint64_t moves, wrong, right_blocks;
} count;

typedef struct stage {
    constrained s;
    judge_room *room;
    dd_random random;
    count counts[KINDS];
} stage;

static void complain(const stage *g, const dd_config *c, const char *what)
{
    char room[1000];
    print_error("%s%s, n = %d: %s\n heads:", g->s.single_root ? "single root, " : "", what, c->n,
                constrained_text(&g->s, room, sizeof room));
    for (int word = 1; word <= c->n; word++) print_error(" %d", c->nodes[word].head);
    print_error("  focus %d %d\n", c->focus, c->front);
}

static void compare(stage *g, const dd_config *c, dd_move move, bool allowed, int rows)
{
    const dd_constraints *constraints = &g->s.constraints;
    if (c->front + rows <= c->n) return;
    if (dd_covington_hub(constraints, c->front) != DD_NONE) return;
    if (constraints->only_leaves) return;
    bool arcs = constraints->n_arcs + constraints->n_forbidden > 0;
    bool last = c->front + (move.kind == DD_NM_SHIFT) >= c->n;
    count *counted = &g->counts[2 * arcs + !last];
    bool expected = !dd_starts_at_leaf(constraints, dd_system_arc(constraints->system, c, move)) &&
                    judge_says(g->room, c, move.kind);
    counted->moves++;
    counted->right_blocks += !expected;
    if (allowed == expected) return;
    if (counted->wrong++ < 3 || allowed)
        complain(g, c, allowed ? "allowed wrongly" : "blocked wrongly");
    if (allowed) fail();
}

static void walk(stage *g, int rows)
{
    const dd_constraints *constraints = &g->s.constraints;
    dd_config c = {0};
    assert_true(dd_system_begin(constraints->system, &c, constraints->n, g->s.single_root));
    while (!constraints->system->final(&c)) {
        dd_move moves[DD_NM_MOVES];
        int n_moves = dd_system_permissible(constraints->system, &c, moves), n_kept = 0;
        for (int m = 0; m < n_moves; m++) {
            bool allowed = dd_constraints_allow(constraints, &c, moves[m]);
            compare(g, &c, moves[m], allowed, rows);
            if (allowed) moves[n_kept++] = moves[m];
        }
        assert_true(n_kept > 0);
        bool arc = moves[n_kept - 1].kind >= DD_NM_LEFT && dd_random_below(&g->random, 2);
        dd_move move = moves[arc ? n_kept - 1 : (int)dd_random_below(&g->random, (uint32_t)n_kept)];
        dd_constraints_follow(constraints, &c, move);
        dd_system_apply(constraints->system, &c, move, 0);
    }
    dd_config_free(&c);
}

static void draw_tree(stage *g, int32_t *heads)
{
    dd_config c = {0};
    const dd_system *system = g->s.inventory.system;
    assert_true(dd_system_begin(system, &c, g->s.sentence->n, g->s.single_root));
    while (!system->final(&c)) {
        dd_move moves[DD_NM_MOVES];
        int n_moves = dd_system_permissible(system, &c, moves);
        dd_system_apply(system, &c, moves[dd_random_below(&g->random, (uint32_t)n_moves)], 0);
    }
    dd_attach_rest(&c, 0);
    for (int word = 1; word <= c.n; word++) heads[word] = c.nodes[word].head;
    dd_config_free(&c);
}

static void draw(stage *g, int n, bool arcs)
{
    int32_t heads[MOST_WORDS + 1];
    constrained_words(&g->s, n);
    draw_tree(g, heads);
    constrained_draw_spans(&g->s, &g->random, heads);
    if (arcs)
        constrained_draw_arcs(&g->s, &g->random, heads, (int)dd_random_below(&g->random, 3),
                              (int)dd_random_below(&g->random, 8));
    if (dd_random_below(&g->random, 2)) constrained_draw_leaves(&g->s, &g->random, heads, 4);
}

static void check(bool single_root, int from, int to, int rows, int rounds)
{
    stage *g = calloc(1, sizeof *g);
    g->room = calloc(1, sizeof *g->room);
    g->random = (dd_random){(uint64_t)single_root + 1};
    constrained_begin(&g->s, dd_system_find("covington-nm"), single_root);
    for (int round = 0; round < rounds; round++) {
        int n = from + (int)dd_random_below(&g->random, (uint32_t)(to - from + 1));
        draw(g, n, round % 2);
        if (dd_constraint_count(g->s.sentence) == 0) continue;
        assert_int_equal(constrained_set(&g->s), DD_OK);
        g->room->s = &g->s;
        g->room->c = &g->s.constraints;
        g->room->n = n;
        for (int w = 0; w < 3; w++) walk(g, rows);
    }
    for (int kind = 0; kind < KINDS; kind++)
        print_message("# %s, %s: %llu moves, %llu blocked rightly, %llu wrongly\n",
                      kind < ARCS_LAST ? "spans" : "arcs too",
                      kind % 2 ? "rows before" : "last word in front",
                      (unsigned long long)g->counts[kind].moves,
                      (unsigned long long)g->counts[kind].right_blocks,
                      (unsigned long long)g->counts[kind].wrong);
    constrained_end(&g->s);
    free(g->room);
    free(g);
}

static void last_rows(void **state)
{
    (void)state;
    int rounds = getenv("R") ? atoi(getenv("R")) : 1000;
    for (int single_root = 0; single_root <= 1; single_root++) {
        print_message("# the last row, 6 to 11 words\n");
        check(single_root, 6, 11, 1, rounds);
        print_message("# the last three rows, 4 to 7 words\n");
        check(single_root, 4, 7, 3, rounds);
    }
}

/* ---- the last row in polynomial time (docs/theory/constraints.md) ---------------------------- */

enum { ROW_WORDS = 7, ROWS = 200000 };

/* The last word, n, is in front. A word may have the heads in may[word], as bits; bit 0 stands for
 * none. No arc comes from `leaves`. */
typedef struct row {
    int n, focus;
    int32_t heads[ROW_WORDS + 1];
    unsigned may[ROW_WORDS + 1], leaves;
} row;

static dd_nm_view row_view(const row *r)
{
    return (dd_nm_view){.n = r->n,
                        .focus = r->focus,
                        .front = r->n,
                        .heads = r->heads,
                        .stride = 1,
                        .added = {DD_NONE, DD_NONE},
                        .freed = DD_NONE};
}

static bool is_below(const row *r, int word, int ancestor)
{
    dd_nm_view view = row_view(r);
    return word != DD_NONE && dd_nm_below(&view, word, ancestor);
}

/* False: the arc would come from a leaf. */
static bool make(row *r, int kind)
{
    dd_nm_view now = row_view(r), after = dd_nm_after(&now, kind);
    row next = *r;
    if (after.added.head != DD_NONE && r->leaves >> after.added.head & 1) return false;
    for (int word = 1; word <= r->n; word++) next.heads[word] = dd_nm_head(&after, word);
    next.focus--;
    *r = next;
    return true;
}

static bool keeps(const row *r)
{
    for (int word = 1; word <= r->n; word++)
        if (!(r->may[word] >> (r->heads[word] == DD_NONE ? 0 : r->heads[word]) & 1)) return false;
    return true;
}

static bool can_keep(row r)
{
    if (r.focus == 0) return keeps(&r);
    for (int kind = DD_NM_NO_ARC; kind <= DD_NM_RIGHT; kind++) {
        row next = r;
        if (make(&next, kind) && can_keep(next)) return true;
    }
    return false;
}

static bool may_be_taken(const row *r, int word)
{
    return r->may[word] >> r->n & 1 && !(r->leaves >> r->n & 1);
}

/* n takes all words that it may take but those in `kept`; those in `freed` take it and become
 * headless, and so does `last`, 0: none, but without that. */
static bool run(row r, unsigned kept, unsigned freed, int last)
{
    while (r.focus > 0) {
        int word = r.focus;
        bool frees = freed >> word & 1, takes = frees || word == last;
        if (takes && is_below(&r, word, r.n) != frees) return false;
        int kind = takes                                           ? DD_NM_RIGHT
                   : !(kept >> word & 1) && may_be_taken(&r, word) ? DD_NM_LEFT
                                                                   : DD_NM_NO_ARC;
        if (!make(&r, kind)) return false;
    }
    return keeps(&r);
}

/* Words from `word` upwards, before `end`. */
static unsigned way_up(const row *r, int word, int end)
{
    unsigned way = 0;
    for (; word != DD_NONE && word != end; word = r->heads[word]) way |= 1U << word;
    return way;
}

/* x takes n last, and is not freed; f, if not DD_NONE, is freed above it. */
static bool ends_with(const row *r, unsigned must_go, int x, int f)
{
    unsigned way = way_up(r, x, f), freed = must_go | (f == DD_NONE ? 0 : 1U << f);
    return run(*r, way, freed, x) || run(*r, way & ~0U << x, freed, x);
}

static bool decide_last(const row *r, unsigned must_go, int x)
{
    if (must_go & ~(~0U << x)) return false;
    if (r->heads[x] != DD_NONE && run(*r, 0, must_go | 1U << x, 0)) return true;
    if (must_go >> x & 1) return false;
    if (!is_below(r, x, r->n) && ends_with(r, must_go, x, DD_NONE)) return true;
    for (int f = r->heads[x]; f != DD_NONE && f != r->n; f = r->heads[f])
        if (f > x && f <= r->focus && ends_with(r, must_go, x, f)) return true;
    return false;
}

static bool decide(const row *r)
{
    unsigned must_go = 0;
    for (int x = 1; x <= r->focus; x++)
        if (r->heads[x] != DD_NONE && !(r->may[x] >> r->heads[x] & 1) && !may_be_taken(r, x))
            must_go |= 1U << x;
    if (!must_go && (run(*r, way_up(r, r->heads[r->n], DD_NONE), 0, 0) || run(*r, 0, 0, 0)))
        return true;
    for (int x = 1; x <= r->focus; x++)
        if (decide_last(r, must_go, x)) return true;
    return false;
}

static void draw_row(dd_random *random, row *r)
{
    *r = (row){.n = 2 + (int)dd_random_below(random, ROW_WORDS - 1), .heads = {DD_NONE}};
    r->focus = 1 + (int)dd_random_below(random, (uint32_t)r->n - 1);
    for (int word = 1; word <= r->n; word++) r->heads[word] = DD_NONE;
    for (int word = 1; word <= r->n; word++) {
        int head = (int)dd_random_below(random, (uint32_t)r->n + 1);
        if (head > 0 && !is_below(r, head, word)) r->heads[word] = head;
    }
    for (int word = 1; word <= r->n; word++) {
        unsigned heads = dd_random_below(random, 2U << r->n) & ~(1U << word);
        if (dd_random_below(random, 2)) heads &= dd_random_below(random, 2U << r->n);
        if (dd_random_below(random, 2))
            heads |= 1U << (r->heads[word] == DD_NONE ? 0 : r->heads[word]);
        r->may[word] = dd_random_below(random, 5) ? heads : 1;
        if (dd_random_below(random, 10) == 0) r->leaves |= 1U << word;
    }
}

static void the_last_row_is_decided(void **state)
{
    (void)state;
    dd_random random = {6};
    int possible = 0;
    for (int i = 0; i < ROWS; i++) {
        row r;
        draw_row(&random, &r);
        bool expected = can_keep(r);
        assert_true(decide(&r) == expected);
        possible += expected;
    }
    print_message("# %d rows, of which %d can end as they should\n", ROWS, possible);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(last_rows),
                                       cmocka_unit_test(the_last_row_is_decided)};
    return cmocka_run_group_tests_name("covington-nm-end", tests, NULL, NULL);
}
