#include "parse/beam.h"

#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEPS_KEPT = 1 << 14, /* at least, unless the caller asks for whole derivations */
    STEPS_TO_COPY = 10,   /* to copy a node, for dd_tick */
    NEAR = 256,           /* two derivations are near that parted at most so many steps ago */
};

void dd_beam_free(dd_beam *beam)
{
    for (size_t i = 0; i < beam->items_capacity; i++) {
        dd_config_free(&beam->items[i].config);
        free(beam->items[i].margins);
    }
    for (int i = 0; i < DD_SCORED_TOGETHER; i++) dd_decoder_free(&beam->decoders[i]);
    free(beam->items);
    free(beam->ranked);
    free(beam->next);
    free(beam->children);
    free(beam->vacant);
    free(beam->pairs);
    free(beam->heap);
    free(beam->steps);
    free(beam->touched);
    free(beam->rounds);
    *beam = (dd_beam){0};
}

/* ---- memory ------------------------------------------------------------------------------- */

/* Places for items start empty. */
static bool reserve_items(dd_beam *beam, size_t places)
{
    size_t before = beam->items_capacity;
    if (!DD_RESERVE(&beam->items, &beam->items_capacity, places)) return false;
    if (beam->items_capacity > before)
        memset(beam->items + before, 0, (beam->items_capacity - before) * sizeof *beam->items);
    return true;
}

static bool reserve_decoders(dd_beam *beam, const dd_beam_search *search)
{
    for (int i = 0; i < DD_SCORED_TOGETHER && i < search->width; i++) {
        if (!dd_decoder_reserve(&beam->decoders[i], search->inventory, search->n)) return false;
        beam->decoders[i].constraints = search->constraints;
        beam->decoders[i].view.sentence = search->sentence;
    }
    return true;
}

/* Places for items, more than there are items: see take_place. */
static size_t most_places(const dd_beam_search *search)
{
    return (size_t)search->width + ((size_t)search->width + 1) / 2;
}

static bool reserve(dd_beam *beam, size_t width)
{
    size_t places = most_places(beam->search);
    return reserve_decoders(beam, beam->search) && reserve_items(beam, places) &&
           DD_RESERVE(&beam->ranked, &beam->ranked_capacity, width) &&
           DD_RESERVE(&beam->next, &beam->next_capacity, width) &&
           DD_RESERVE(&beam->children, &beam->children_capacity, width) &&
           DD_RESERVE(&beam->vacant, &beam->vacant_capacity, places) &&
           DD_RESERVE(&beam->pairs, &beam->pairs_capacity, width) &&
           DD_RESERVE(&beam->heap, &beam->heap_capacity, width);
}

/* Reserves all memory that the next round can need. */
static bool reserve_round(dd_beam *beam)
{
    size_t width = (size_t)beam->search->width;
    if (beam->n_steps > INT32_MAX - width) return false;
    return DD_RESERVE(&beam->steps, &beam->steps_capacity, beam->n_steps + width) &&
           DD_RESERVE(&beam->touched, &beam->touched_capacity,
                      beam->n_touched + width * DD_MAX_TOUCHED) &&
           (!beam->search->remember ||
            DD_RESERVE(&beam->rounds, &beam->rounds_capacity, beam->n_rounds + 1));
}

static bool reserve_margins(const dd_beam *beam, dd_beam_item *item)
{
    return beam->search->unit <= 0 ||
           DD_RESERVE(&item->margins, &item->margins_capacity, (size_t)beam->search->n + 1);
}

/* ---- derivations -------------------------------------------------------------------------- */

static int32_t add_step(dd_beam *beam, dd_beam_step step)
{
    beam->steps[beam->n_steps] = step;
    return (int32_t)beam->n_steps++;
}

/* Long derivations would fill the memory with steps, so they are forgotten now and then. A
 * configuration whose steps are forgotten must be copied whole once, so the number of steps to keep
 * grows with the cost of that. */
static bool has_many_steps(const dd_beam *beam)
{
    size_t work = (size_t)beam->search->n * (size_t)beam->search->width / 8;
    return beam->n_steps > (work > STEPS_KEPT ? work : STEPS_KEPT);
}

static void forget_steps(dd_beam *beam)
{
    beam->n_steps = beam->n_touched = 0;
    for (int i = 0; i < beam->n_places; i++) beam->items[i].last = DD_NONE;
    for (int rank = 0; rank < beam->n_ranked; rank++)
        dd_beam_at(beam, rank)->last = add_step(beam, (dd_beam_step){.before = DD_NONE});
}

/* Copies only the nodes that changed since the two derivations parted; a later step has the larger
 * number. False if the steps do not tell, or copying all is cheaper. */
static bool copy_changes(dd_beam *beam, dd_beam_item *to, const dd_beam_item *from)
{
    int32_t one = to->last, other = from->last;
    int budget = beam->search->n, same_below = from->config.depth;
    if (one == DD_NONE) return false;
    while (one != other) {
        int32_t *younger = one > other ? &one : &other;
        const dd_beam_step *step = &beam->steps[*younger];
        budget -= step->n_touched + 1;
        if (step->before == DD_NONE || step->n_touched > DD_MAX_TOUCHED || budget < 0) return false;
        const int32_t *nodes = beam->touched + step->touched;
        dd_config_copy_nodes(&to->config, &from->config, nodes, step->n_touched);
        for (int i = 0; beam->search->unit > 0 && i < step->n_touched; i++)
            to->margins[nodes[i]] = from->margins[nodes[i]];
        if (step->same_below < same_below) same_below = step->same_below;
        *younger = step->before;
    }
    dd_config_copy_rest(&to->config, &from->config, same_below);
    beam->copied += (uint64_t)(beam->search->n - budget + from->config.depth - same_below);
    return true;
}

static bool copy_item(dd_beam *beam, dd_beam_item *to, const dd_beam_item *from)
{
    if (!copy_changes(beam, to, from)) {
        if (!dd_tick(beam->search->ticker, STEPS_TO_COPY * (int64_t)beam->search->n) ||
            !reserve_margins(beam, to) || !dd_config_copy(&to->config, &from->config))
            return false;
        if (beam->search->unit > 0)
            memcpy(to->margins, from->margins, ((size_t)beam->search->n + 1) * sizeof *to->margins);
        beam->copied += (uint64_t)beam->search->n;
    }
    to->score = from->score;
    to->last = from->last;
    to->final = from->final;
    return true;
}

static bool is_near(const dd_beam *beam, int32_t one, int32_t other)
{
    for (int steps = 0; one != other; steps++) {
        int32_t *younger = one > other ? &one : &other;
        if (steps == NEAR || *younger == DD_NONE) return false;
        *younger = beam->steps[*younger].before;
    }
    return true;
}

/* Chooses a place for a copy of an item, if possible one whose configuration differs little.
 * Derivations that parted long ago may take turns in having more items, so there are some more
 * places than items: each finds one that it left. */
static int32_t take_place(dd_beam *beam, const dd_beam_item *from)
{
    int at = beam->n_vacant - 1;
    if (beam->search->n > NEAR / 2)
        while (at >= 0 && !is_near(beam, beam->items[beam->vacant[at]].last, from->last)) at--;
    if (at < 0) { /* a place that must be copied to whole anyway */
        at = beam->n_vacant - 1;
        while (at >= 0 && beam->items[beam->vacant[at]].last != DD_NONE) at--;
    }
    if (at < 0 && (size_t)beam->n_places < most_places(beam->search)) {
        beam->items[beam->n_places].last = DD_NONE;
        return beam->n_places++;
    }
    if (at < 0) at = 0; /* the place that has been vacant for longest */
    int32_t place = beam->vacant[at];
    memmove(beam->vacant + at, beam->vacant + at + 1,
            (size_t)(--beam->n_vacant - at) * sizeof *beam->vacant);
    return place;
}

/* ---- rounds ------------------------------------------------------------------------------- */

static float margin_of(const dd_beam *beam, const dd_beam_candidate *candidate)
{
    const dd_beam_pair *pair = &beam->pairs[candidate->rank];
    int64_t other = candidate->gain == pair->best ? pair->second : pair->best;
    if (other == INT64_MIN) return INFINITY;
    return (float)((double)(candidate->gain - other) * beam->search->unit);
}

static void make(dd_beam *beam, dd_beam_item *item, const dd_beam_candidate *candidate)
{
    const dd_inventory *inventory = beam->search->inventory;
    if (candidate->move.kind == DD_NONE) return;
    if (beam->search->unit > 0) {
        dd_arc arc = dd_system_arc(inventory->system, &item->config, candidate->move);
        if (arc.dependent != DD_NONE) item->margins[arc.dependent] = margin_of(beam, candidate);
    }
    dd_config_mark(&item->config);
    dd_decoder_make(inventory, beam->search->constraints, &item->config, candidate->move,
                    candidate->class_id);
    int count = item->config.n_touched;
    int listed = count < DD_MAX_TOUCHED ? count : DD_MAX_TOUCHED;
    memcpy(beam->touched + beam->n_touched, item->config.touched,
           (size_t)listed * sizeof *beam->touched);
    item->last = add_step(beam, (dd_beam_step){.before = item->last,
                                               .class_id = candidate->class_id,
                                               .move = candidate->move,
                                               .scored = candidate->scored,
                                               .touched = beam->n_touched,
                                               .n_touched = count,
                                               .same_below = item->config.same_below});
    beam->n_touched += (size_t)listed;
    item->score = candidate->score;
}

static void count_children(dd_beam *beam)
{
    memset(beam->children, 0, (size_t)beam->n_ranked * sizeof *beam->children);
    for (int i = 0; i < beam->n_heap; i++) beam->children[beam->heap[i].rank]++;
    for (int rank = 0; rank < beam->n_ranked; rank++)
        if (beam->children[rank] == 0) beam->vacant[beam->n_vacant++] = beam->ranked[rank];
}

/* Makes items of the candidates; the last candidate of an item takes over its configuration. */
static bool take_candidates(dd_beam *beam)
{
    count_children(beam);
    for (int i = 0; i < beam->n_heap; i++) {
        const dd_beam_candidate *candidate = &beam->heap[i];
        int32_t place = beam->ranked[candidate->rank];
        if (--beam->children[candidate->rank] > 0) {
            int32_t copy = take_place(beam, &beam->items[place]);
            if (!copy_item(beam, &beam->items[copy], &beam->items[place])) return false;
            place = copy;
        }
        make(beam, &beam->items[place], candidate);
        beam->next[i] = place;
    }
    int32_t *held = beam->ranked;
    size_t held_capacity = beam->ranked_capacity;
    beam->ranked = beam->next;
    beam->ranked_capacity = beam->next_capacity;
    beam->next = held;
    beam->next_capacity = held_capacity;
    beam->n_ranked = beam->n_heap;
    return true;
}

static void note_round(dd_beam *beam)
{
    const dd_beam_item *best = dd_beam_at(beam, 0), *worst = dd_beam_at(beam, beam->n_ranked - 1);
    if (!beam->search->remember) return;
    beam->rounds[beam->n_rounds++] =
        (dd_beam_round){beam->progress, best->last, best->score, worst->score,
                        beam->n_ranked == beam->search->width};
}

static bool all_final(const dd_beam *beam)
{
    for (int rank = 0; rank < beam->n_ranked; rank++)
        if (!dd_beam_at(beam, rank)->final) return false;
    return true;
}

static bool begin(dd_beam *beam)
{
    const dd_beam_search *search = beam->search;
    if (!reserve(beam, (size_t)search->width)) return false;
    dd_beam_item *first = &beam->items[0];
    beam->n_steps = beam->n_touched = beam->n_rounds = beam->round = 0;
    beam->copied = 0;
    if (!dd_system_begin(search->inventory->system, &first->config, search->n,
                         search->single_root) ||
        !reserve_margins(beam, first) || !reserve_round(beam))
        return false;
    for (int word = 0; search->unit > 0 && word <= search->n; word++)
        first->margins[word] = INFINITY;
    first->score = 0;
    first->final = false;
    beam->ranked[0] = 0;
    beam->n_ranked = 1;
    beam->n_places = 1;
    beam->n_vacant = 0;
    forget_steps(beam);
    return true;
}

bool dd_beam_run(dd_beam *beam, const dd_beam_search *search)
{
    beam->search = search;
    if (!begin(beam)) return false;
    for (;; beam->round++) {
        if (!reserve_round(beam) || !dd_beam_find_candidates(beam)) return false;
        if (all_final(beam)) return true;
        if (beam->n_heap == 0) {
            beam->n_ranked = 1;
            return true;
        }
        dd_beam_sort_candidates(beam);
        if (!take_candidates(beam)) return false;
        note_round(beam);
        if (!search->remember && has_many_steps(beam)) forget_steps(beam);
    }
}
