/* beam_candidates.c - the candidates of a round: the transitions of all items, of which the best
 * are kept */
#include "parse/beam.h"
#include "transition/oracle.h"

/* ---- the best so far ---------------------------------------------------------------------- */

static bool worse(const dd_beam_candidate *one, const dd_beam_candidate *other)
{
    return one->score < other->score || (one->score == other->score && one->order > other->order);
}

static void swap(dd_beam_candidate *heap, int one, int other)
{
    dd_beam_candidate held = heap[one];
    heap[one] = heap[other];
    heap[other] = held;
}

static void sift_down(dd_beam_candidate *heap, int count, int at)
{
    for (int child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && worse(&heap[child + 1], &heap[child])) child++;
        if (!worse(&heap[child], &heap[at])) return;
        swap(heap, at, child);
    }
}

static void sift_up(dd_beam_candidate *heap, int at)
{
    for (int parent; at > 0 && worse(&heap[at], &heap[parent = (at - 1) / 2]); at = parent)
        swap(heap, at, parent);
}

/* Offers a candidate to the heap, whose top is the worst: it is dropped or replaces the worst. */
static void offer(dd_beam *beam, dd_beam_candidate candidate)
{
    candidate.order = beam->offered++;
    if (beam->n_heap < beam->search->width) {
        beam->heap[beam->n_heap] = candidate;
        sift_up(beam->heap, beam->n_heap++);
    } else if (candidate.score > beam->heap[0].score) {
        beam->heap[0] = candidate;
        sift_down(beam->heap, beam->n_heap, 0);
    }
}

/* The best first. */
void dd_beam_sort_candidates(dd_beam *beam)
{
    for (int end = beam->n_heap - 1; end > 0; end--) {
        swap(beam->heap, 0, end);
        sift_down(beam->heap, end, 0);
    }
}

static void note_gain(dd_beam_pair *pair, int64_t gain)
{
    if (gain > pair->best) {
        pair->second = pair->best;
        pair->best = gain;
    } else if (gain > pair->second) {
        pair->second = gain;
    }
}

static bool offer_moves(dd_beam *beam, int rank, const dd_decoder *decoder)
{
    const dd_beam_search *search = beam->search;
    const dd_view *view = &decoder->view;
    const dd_class *classes = search->inventory->classes;
    int64_t score = dd_beam_at(beam, rank)->score;
    const int *costs = NULL;
    if (search->gold && !search->costs(search->user, decoder, &costs)) return false;
    beam->pairs[rank] = (dd_beam_pair){INT64_MIN, INT64_MIN};
    for (int m = 0; m < view->n_moves; m++) {
        if (costs && costs[m] != 0) continue;
        dd_arc arc = {view->arcs[m].head, view->arcs[m].dependent};
        dd_class_list list = dd_decoder_classes(decoder, m);
        for (int id = list.first; id < list.first + list.count; id++) {
            if (costs && dd_label_cost(search->gold, arc, classes[id].label)) continue;
            int64_t gain = dd_decoder_gain(decoder, dd_decoder_score(decoder, m, id));
            note_gain(&beam->pairs[rank], gain);
            offer(beam, (dd_beam_candidate){.score = score + gain,
                                            .rank = rank,
                                            .gain = gain,
                                            .class_id = id,
                                            .move = view->moves[m],
                                            .scored = id != search->inventory->going_on});
        }
    }
    return true;
}

static void offer_idle_move(dd_beam *beam, int rank, const dd_decoder *decoder, dd_choice idle)
{
    beam->pairs[rank] = (dd_beam_pair){0, INT64_MIN};
    offer(beam, (dd_beam_candidate){.score = dd_beam_at(beam, rank)->score,
                                    .rank = rank,
                                    .class_id = idle.class_id,
                                    .move = decoder->view.moves[idle.move]});
}

static void offer_to_stay(dd_beam *beam, int rank)
{
    int64_t score = dd_beam_at(beam, rank)->score;
    offer(beam, (dd_beam_candidate){.score = score, .rank = rank, .move = {.kind = DD_NONE}});
}

/* The progress of an item (dd_system_search.progress). */
static int64_t progress_of(const dd_beam *beam, const dd_beam_item *item)
{
    const dd_system *system = beam->search->inventory->system;
    if (item->final) return INT64_MAX;
    return system->search.progress ? system->search.progress(&item->config) : (int64_t)beam->round;
}

/* The least progress of all items. */
static int64_t least_progress(const dd_beam *beam)
{
    int64_t least = INT64_MAX;
    for (int rank = 0; rank < beam->n_ranked; rank++) {
        int64_t progress = progress_of(beam, dd_beam_at(beam, rank));
        if (progress < least) least = progress;
    }
    return least;
}

/* What can become of an item in a round. */
typedef enum outlook {
    STAYS, /* it is finished, or has to wait */
    DROPS, /* it is not finished, but nothing is permissible */
    IDLES, /* there is nothing to decide */
    MOVES,
} outlook;

/* Whether the one possible move is taken without scoring it: only in systems whose derivations
 * differ in length. In the others the score of a forced move tells how likely the configuration is,
 * and items need equally many scores to be compared. */
static bool idles(const dd_beam *beam, const dd_decoder *decoder, dd_choice *idle)
{
    return beam->search->inventory->going_on != DD_NONE && dd_decoder_idles(decoder, idle);
}

static outlook make_ready(dd_beam *beam, int rank, dd_decoder *decoder)
{
    dd_beam_item *item = dd_beam_at(beam, rank);
    dd_choice idle;
    if (progress_of(beam, item) > beam->progress) return STAYS;
    decoder->config = item->config;
    if (dd_decoder_ready(decoder)) return idles(beam, decoder, &idle) ? IDLES : MOVES;
    item->final = beam->search->inventory->system->final(&item->config);
    return item->final ? STAYS : DROPS;
}

static bool offer_what_follows(dd_beam *beam, int rank, outlook what, const dd_decoder *decoder)
{
    dd_choice idle;
    if (what == MOVES) return offer_moves(beam, rank, decoder);
    if (what == IDLES && idles(beam, decoder, &idle)) offer_idle_move(beam, rank, decoder, idle);
    if (what == STAYS) offer_to_stay(beam, rank);
    return true;
}

/* The candidates of the items of these ranks. */
static bool expand(dd_beam *beam, int from, int to)
{
    outlook what[DD_SCORED_TOGETHER];
    dd_decoder *scored[DD_SCORED_TOGETHER];
    int count = 0;
    for (int rank = from; rank < to; rank++) {
        dd_decoder *decoder = &beam->decoders[rank - from];
        what[rank - from] = make_ready(beam, rank, decoder);
        if (what[rank - from] == MOVES) scored[count++] = decoder;
    }
    int64_t steps = 0;
    for (int i = 0; i < count; i++) steps += dd_decoder_steps(scored[i]);
    bool ok = dd_tick(beam->search->ticker, steps);
    ok = ok && (count == 0 || beam->search->score(beam->search->user, scored, count));
    for (int rank = from; rank < to; rank++) {
        dd_decoder *decoder = &beam->decoders[rank - from];
        ok = ok && offer_what_follows(beam, rank, what[rank - from], decoder);
        decoder->config = (dd_config){0};
    }
    return ok;
}

bool dd_beam_find_candidates(dd_beam *beam)
{
    beam->n_heap = 0;
    beam->offered = 0;
    beam->progress = least_progress(beam);
    for (int from = 0, to; from < beam->n_ranked; from = to) {
        to =
            from + DD_SCORED_TOGETHER < beam->n_ranked ? from + DD_SCORED_TOGETHER : beam->n_ranked;
        if (!expand(beam, from, to)) return false;
    }
    return true;
}
