#include "parse/beam.h"

#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps that are kept where nobody asks for whole derivations. */
enum { STEPS_KEPT = 1 << 14 };

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
static bool reserve_items(dd_beam *beam, size_t width)
{
    size_t before = beam->items_capacity;
    if (!DD_RESERVE(&beam->items, &beam->items_capacity, width)) return false;
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

static bool reserve(dd_beam *beam, size_t width)
{
    return reserve_decoders(beam, beam->search) && reserve_items(beam, width) &&
           DD_RESERVE(&beam->ranked, &beam->ranked_capacity, width) &&
           DD_RESERVE(&beam->next, &beam->next_capacity, width) &&
           DD_RESERVE(&beam->children, &beam->children_capacity, width) &&
           DD_RESERVE(&beam->vacant, &beam->vacant_capacity, width) &&
           DD_RESERVE(&beam->pairs, &beam->pairs_capacity, width) &&
           DD_RESERVE(&beam->heap, &beam->heap_capacity, width);
}

/* All that the next round can need. */
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

/* Long derivations would fill the memory with steps. What comes behind a step without one before it
 * is copied whole once. */
static void forget_steps(dd_beam *beam)
{
    beam->n_steps = beam->n_touched = 0;
    for (int i = 0; i < beam->search->width; i++) beam->items[i].last = DD_NONE;
    for (int rank = 0; rank < beam->n_ranked; rank++)
        dd_beam_at(beam, rank)->last = add_step(beam, (dd_beam_step){.before = DD_NONE});
}

/* Copies the nodes that changed since the two derivations parted, as the steps tell; a younger step
 * has the larger number. False if they cannot tell or it is not worth while. */
static bool copy_changes(const dd_beam *beam, dd_beam_item *to, const dd_beam_item *from)
{
    int32_t one = to->last, other = from->last;
    int budget = beam->search->n;
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
        *younger = step->before;
    }
    dd_config_copy_rest(&to->config, &from->config);
    return true;
}

static bool copy_item(const dd_beam *beam, dd_beam_item *to, const dd_beam_item *from)
{
    if (!copy_changes(beam, to, from)) {
        if (!reserve_margins(beam, to) || !dd_config_copy(&to->config, &from->config)) return false;
        if (beam->search->unit > 0)
            memcpy(to->margins, from->margins, ((size_t)beam->search->n + 1) * sizeof *to->margins);
    }
    to->score = from->score;
    to->last = from->last;
    to->final = from->final;
    return true;
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
    item->config.n_touched = 0;
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
                                               .n_touched = count});
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

/* The candidates become items; the last one that continues an item takes its place. */
static bool take_candidates(dd_beam *beam)
{
    count_children(beam);
    for (int i = 0; i < beam->n_heap; i++) {
        const dd_beam_candidate *candidate = &beam->heap[i];
        int32_t place = beam->ranked[candidate->rank];
        if (--beam->children[candidate->rank] > 0) {
            int32_t copy = beam->vacant[--beam->n_vacant];
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
    beam->n_vacant = 0;
    for (int32_t i = search->width - 1; i > 0; i--) beam->vacant[beam->n_vacant++] = i;
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
        if (!search->remember && beam->n_steps > STEPS_KEPT) forget_steps(beam);
    }
}
