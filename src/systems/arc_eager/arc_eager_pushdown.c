#include "systems/arc_eager/arc_eager.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

/* Where the root of the front's span is. Outside of spans a word counts as its own span's root. */
enum { HERE = 0, EARLIER, LATER, PLACES };

/* A cache entry for a word on the stack with all words below it, as derivations and beams ask for
 * the same stacks again and again. */
typedef struct frame {
    int word;
    bool headless, root;
    uint64_t below; /* id of the frame below, 0: none */
    uint64_t id;    /* 0: the frame holds nothing */
} frame;

/* Frames kept for each depth of the stack: one for each guess about the span that has begun. */
enum { FRAMES = 2 };

struct dd_pushdown {
    int places;      /* PLACES, or 1 without spans */
    size_t row;      /* 64-bit words in a set of controls */
    uint64_t *runs;  /* [(n + 1) * places] sets: what word w sees if its span's root is there */
    uint64_t *pops;  /* [(n + 1) * places] sets: those where a headless w can get its head */
    uint64_t *done;  /* set: controls from which an empty stack reaches the end */
    uint64_t *ends;  /* [(n + 1) * FRAMES] sets: the same for the stack up to a frame */
    size_t capacity; /* of the block that holds them, which begins at runs */
    frame *frames;   /* [(n + 1) * FRAMES] */
    size_t frames_capacity;
    uint64_t last_id;
};

static int control(const dd_pushdown *p, int front, int place)
{
    return front * p->places + place;
}

static bool has(const uint64_t *set, int at)
{
    return set[at / 64] >> (at % 64) & 1;
}

static void add(uint64_t *set, int at)
{
    set[at / 64] |= UINT64_C(1) << (at % 64);
}

static void drop(uint64_t *set, int at)
{
    set[at / 64] &= ~(UINT64_C(1) << (at % 64));
}

/* Adds the controls at or behind a front; sets of a word hold none before it. */
static void unite(const dd_pushdown *p, uint64_t *set, const uint64_t *other, int front)
{
    for (size_t i = (size_t)control(p, front, 0) / 64; i < p->row; i++) set[i] |= other[i];
}

/* Whether two sets have a control in common at or behind a front. */
static bool meet(const dd_pushdown *p, const uint64_t *a, const uint64_t *b, int front)
{
    for (size_t i = (size_t)control(p, front, 0) / 64; i < p->row; i++)
        if (a[i] & b[i]) return true;
    return false;
}

static uint64_t *set_of(uint64_t *sets, const dd_pushdown *p, int word, int place)
{
    return sets + (size_t)control(p, word, place) * p->row;
}

void dd_pushdown_free(dd_pushdown *pushdown)
{
    if (!pushdown) return;
    free(pushdown->runs);
    free(pushdown->frames);
    free(pushdown);
}

static bool reserve(dd_pushdown *p, const dd_constraints *c)
{
    p->places = c->n_spans > 0 ? PLACES : 1;
    p->row = (size_t)control(p, c->n + 2, 0) / 64 + 1;
    size_t sets = (size_t)control(p, c->n + 1, 0), frames = ((size_t)c->n + 1) * FRAMES;
    if (!DD_RESERVE(&p->runs, &p->capacity, (2 * sets + 1 + frames) * p->row) ||
        !DD_RESERVE(&p->frames, &p->frames_capacity, frames))
        return false;
    memset(p->runs, 0, (2 * sets + 1) * p->row * sizeof *p->runs);
    memset(p->frames, 0, frames * sizeof *p->frames);
    p->pops = p->runs + sets * p->row;
    p->done = p->pops + sets * p->row;
    p->ends = p->done + p->row;
    return true;
}

/* ---- arcs --------------------------------------------------------------------------------- */

/* Nodes by position here: n + 1 is the root. */
static int span_at(const dd_constraints *c, int position)
{
    return position <= c->n ? c->span_of[position] : DD_NONE;
}

/* Whether the constraints let head and dependent have this arc, when it is known of each whether it
 * is the root of its span. */
static bool arc_fits(const dd_constraints *c, int head, bool head_is_root, int dependent,
                     bool dependent_is_root)
{
    int node = head <= c->n ? head : 0;
    if (c->heads[dependent] != DD_NONE && c->heads[dependent] != node) return false;
    if (c->n_forbidden + c->n_leaves > 0 && dd_forbids_arc(c, node, dependent)) return false;
    int from = span_at(c, head), to = span_at(c, dependent);
    if (from != DD_NONE && from == to) return !dependent_is_root;
    if (!dependent_is_root) return false;
    if (from == DD_NONE || c->spans[from].mode == DD_SPAN_ANY) return true;
    return c->spans[from].mode == DD_SPAN_ROOT && head_is_root;
}

/* ---- controls ----------------------------------------------------------------------------- */

/* The places that the root of the front's span can have when the span begins there. */
static int begin_span(const dd_constraints *c, int front, int places[2])
{
    int span = span_at(c, front);
    places[0] = HERE;
    places[1] = LATER;
    return span != DD_NONE && c->spans[span].last > front ? 2 : 1;
}

/* The controls behind a word that was pushed. */
static int next_places(const dd_constraints *c, int word, int place, int places[2])
{
    int span = span_at(c, word);
    if (span == DD_NONE || span_at(c, word + 1) != span) return begin_span(c, word + 1, places);
    if (place == LATER) return begin_span(c, word + 1, places);
    places[0] = EARLIER;
    return 1;
}

/* Words in the middle or at the end of a span may have its root before them, and only words that
 * are not its last may have it behind them. */
static bool place_exists(const dd_constraints *c, int word, int place)
{
    int span = span_at(c, word);
    if (place == HERE) return true;
    if (span == DD_NONE) return false;
    return place == EARLIER ? c->spans[span].first < word : c->spans[span].last > word;
}

/* ---- tables ------------------------------------------------------------------------------- */

/* Closes a set of controls under all that can happen above a word on top of the stack. */
static void close_run(dd_pushdown *p, const dd_constraints *c, uint64_t *set, int top,
                      bool top_is_root, int from)
{
    for (int front = from; front <= c->n; front++) {
        for (int place = HERE; place < p->places; place++) {
            if (!has(set, control(p, front, place))) continue;
            unite(p, set, set_of(p->pops, p, front, place), front);
            if (arc_fits(c, top, top_is_root, front, place == HERE))
                unite(p, set, set_of(p->runs, p, front, place), front);
        }
    }
}

/* Keeps of a run the controls whose front can be the head of the word. */
static void keep_heads(const dd_pushdown *p, const dd_constraints *c, uint64_t *set, int word,
                       bool word_is_root)
{
    for (int front = word + 1; front <= c->n + 1; front++)
        for (int place = HERE; place < p->places; place++)
            if (has(set, control(p, front, place)) &&
                !arc_fits(c, front, place == HERE, word, word_is_root))
                drop(set, control(p, front, place));
}

static void fill_word(dd_pushdown *p, const dd_constraints *c, int word, int place)
{
    uint64_t *run = set_of(p->runs, p, word, place), *pop = set_of(p->pops, p, word, place);
    int places[2], count = next_places(c, word, place, places);
    for (int i = 0; i < count; i++) add(run, control(p, word + 1, places[i]));
    close_run(p, c, run, word, place == HERE, word + 1);
    memcpy(pop, run, p->row * sizeof *run);
    keep_heads(p, c, pop, word, place == HERE);
    /* On an empty stack a word may take 0 for its head under the single-root rule too. */
    if (meet(p, pop, p->done, word)) add(p->done, control(p, word, place));
    if (c->single_root) drop(pop, control(p, c->n + 1, HERE));
}

/* A set for each word and front of the buffer. */
uint64_t dd_pushdown_steps(const dd_constraints *constraints)
{
    uint64_t nodes = (uint64_t)constraints->n + 1;
    return nodes * nodes / 2 * (1 + nodes * (constraints->n_spans > 0 ? PLACES : 1) / 64);
}

/* Before a set for every front behind a word is looked at. */
static bool tick(const dd_pushdown *p, const dd_constraints *c, int word)
{
    return dd_tick(c->effort.ticker,
                   (int64_t)(c->n - word + 1) * p->places * ((int64_t)p->row + 8));
}

bool dd_pushdown_set(dd_pushdown **pushdown, const dd_constraints *constraints)
{
    if (!*pushdown) *pushdown = dd_calloc(1, sizeof **pushdown);
    dd_pushdown *p = *pushdown;
    if (!p || !reserve(p, constraints)) return false;
    add(p->done, control(p, constraints->n + 1, HERE));
    for (int word = constraints->n; word >= 1 && tick(p, constraints, word); word--)
        for (int place = HERE; place < p->places; place++)
            if (place_exists(constraints, word, place)) fill_word(p, constraints, word, place);
    return true;
}

/* ---- configurations ----------------------------------------------------------------------- */

/* A guess about a configuration. */
typedef struct guess {
    int place;     /* of the root of the front's span */
    int span_root; /* the word on the stack that is this root; DD_NONE: it is not there */
} guess;

/* Whether a word is the root of its span: in spans that have ended, that is the one that lacks a
 * head inside. */
static bool is_root(const dd_constraints *c, const dd_config *config, guess g, int word)
{
    int span = c->span_of[word];
    if (span == DD_NONE || word == g.span_root) return true;
    if (c->spans[span].last >= config->front) return false;
    int head = config->nodes[word].head;
    return head == DD_NONE || c->span_of[head] != span;
}

/* Fills the set of a frame from that of the stack below: from the last front on, can the word on
 * top leave here, or does something that can happen above it lead to a front where it can? */
static void fill_ends(dd_pushdown *p, const dd_constraints *c, const frame *top,
                      const uint64_t *below, uint64_t *ends)
{
    bool from_root = !c->single_root || top->below == 0;
    memset(ends, 0, p->row * sizeof *ends);
    for (int front = c->n + 1; front > top->word; front--) {
        for (int place = HERE; place < p->places; place++) {
            if (front <= c->n ? !place_exists(c, front, place) : place != HERE) continue;
            int at = control(p, front, place);
            bool leaves =
                has(below, at) &&
                (!top->headless || ((front <= c->n || from_root) &&
                                    arc_fits(c, front, place == HERE, top->word, top->root)));
            if (leaves ||
                (front <= c->n && (meet(p, set_of(p->pops, p, front, place), ends, front) ||
                                   (arc_fits(c, top->word, top->root, front, place == HERE) &&
                                    meet(p, set_of(p->runs, p, front, place), ends, front)))))
                add(ends, at);
        }
    }
}

/* The controls from which the lowest `depth` words of the stack can be taken off to the end. */
static const uint64_t *ends_of(dd_pushdown *p, const dd_constraints *c, const dd_config *config,
                               guess g, int depth)
{
    const uint64_t *below = p->done;
    uint64_t below_id = 0;
    for (int at = 0; at < depth; at++) {
        int word = config->stack[at];
        frame wanted = {word, dd_headless(config, word), is_root(c, config, g, word), below_id, 0};
        frame *frames = p->frames + (size_t)at * FRAMES;
        int k = 0;
        while (k < FRAMES && (frames[k].id == 0 || frames[k].word != word ||
                              frames[k].headless != wanted.headless ||
                              frames[k].root != wanted.root || frames[k].below != below_id))
            k++;
        bool known = k < FRAMES;
        if (!known) k = frames[0].id <= frames[1].id ? 0 : 1; /* the older one goes */
        uint64_t *ends = p->ends + ((size_t)at * FRAMES + (size_t)k) * p->row;
        if (!known) {
            if (!tick(p, c, word)) return below;
            wanted.id = ++p->last_id;
            frames[k] = wanted;
            fill_ends(p, c, &wanted, below, ends);
        }
        below = ends;
        below_id = frames[k].id;
    }
    return below;
}

/* The word that a move pushes must leave the stack before the words below it. */
static bool push_allowed(dd_pushdown *p, const dd_constraints *c, const dd_config *config, guess g,
                         bool headed)
{
    int word = config->front;
    if (config->depth == 0) return has(p->done, control(p, word, g.place));
    return meet(p, set_of(headed ? p->runs : p->pops, p, word, g.place),
                ends_of(p, c, config, g, config->depth), word);
}

static bool allowed_under(dd_pushdown *p, const dd_constraints *c, const dd_config *config, guess g,
                          int kind)
{
    int top = dd_stack(config, 0), front = config->front;
    bool front_is_root = g.place == HERE;
    bool top_is_root = top != DD_NONE && is_root(c, config, g, top);
    if (kind == DD_EAGER_SHIFT) return push_allowed(p, c, config, g, false);
    if (kind == DD_EAGER_RIGHT)
        return arc_fits(c, top, top_is_root, front, front_is_root) &&
               push_allowed(p, c, config, g, true);
    if (kind == DD_EAGER_LEFT && !arc_fits(c, front, front_is_root, top, top_is_root)) return false;
    return has(ends_of(p, c, config, g, config->depth - 1), control(p, front, g.place));
}

/* The lowest word on the stack that lies in the span, DD_NONE: none does. */
static int lowest_in_span(const dd_constraints *c, const dd_config *config, int span)
{
    int lowest = DD_NONE;
    for (int at = config->depth - 1; at >= 0; at--) {
        if (c->span_of[config->stack[at]] != span) break;
        lowest = config->stack[at];
    }
    return lowest;
}

/* It has a head outside of its span, or a dependent before it that only the span's root may have.
 */
static bool must_be_root(const dd_constraints *c, const dd_config *config, int span, int word)
{
    const dd_node *node = &config->nodes[word];
    if (node->head != DD_NONE && c->span_of[node->head] != span) return true;
    return c->spans[span].mode == DD_SPAN_ROOT && node->left[0] != DD_NONE &&
           node->left[0] < c->spans[span].first;
}

bool dd_pushdown_allows(dd_pushdown *pushdown, const dd_constraints *constraints,
                        const dd_config *config, dd_move move)
{
    int front = config->front, span = span_at(constraints, front);
    int lowest = span == DD_NONE ? DD_NONE : lowest_in_span(constraints, config, span);
    bool on_stack = lowest != DD_NONE && must_be_root(constraints, config, span, lowest);
    bool at_front = span != DD_NONE && must_be_root(constraints, config, span, front);
    if (!on_stack) {
        int places[2], count = begin_span(constraints, front, places);
        for (int i = 0; i < (at_front ? 1 : count); i++)
            if (allowed_under(pushdown, constraints, config, (guess){places[i], DD_NONE},
                              move.kind))
                return true;
    }
    return lowest != DD_NONE && !at_front &&
           allowed_under(pushdown, constraints, config, (guess){EARLIER, lowest}, move.kind);
}
