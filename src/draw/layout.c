/* layout.c - lays out ports, slots and rows; segments.c lays out the arcs of each row */
#include "draw/layout.h"

#include "core/memory.h"
#include "draw/picture.h"

#include <stdlib.h>

void dd_drawn_free(dd_drawn *layout)
{
    free(layout->slots);
    free(layout->ends);
    free(layout->order);
    free(layout->first_of);
    free(layout->arcs_of);
    free(layout->heights);
    free(layout->rows);
    free(layout->segments);
    free(layout->legged);
    *layout = (dd_drawn){0};
}

static bool reserve(dd_drawn *layout)
{
    size_t nodes = (size_t)layout->picture->n + 2, arcs = (size_t)layout->picture->n_arcs;
    return DD_RESERVE(&layout->slots, &layout->slots_capacity, nodes) &&
           DD_RESERVE(&layout->first_of, &layout->first_of_capacity, nodes) &&
           DD_RESERVE(&layout->heights, &layout->heights_capacity, nodes) &&
           DD_RESERVE(&layout->rows, &layout->rows_capacity, nodes) &&
           DD_RESERVE(&layout->ends, &layout->ends_capacity, arcs + 1) &&
           DD_RESERVE(&layout->legged, &layout->legged_capacity, arcs + 1) &&
           DD_RESERVE(&layout->order, &layout->order_capacity, arcs + 1) &&
           DD_RESERVE(&layout->arcs_of, &layout->arcs_of_capacity, 2 * arcs + 1);
}

/* ---- ports -------------------------------------------------------------------------------- */

static void find_ends(dd_drawn *layout)
{
    const dd_picture *picture = layout->picture;
    for (int word = 0; word <= picture->n; word++) layout->slots[word] = (dd_slot){0};
    for (int a = 0; a < picture->n_arcs; a++) {
        const dd_drawn_arc *arc = &picture->arcs[a];
        dd_arc_ends *ends = &layout->ends[a];
        int head = arc->head == 0 ? arc->dependent : arc->head;
        *ends = (dd_arc_ends){.side = arc->kind == DD_ARC_ENHANCED ? DD_BELOW : DD_ABOVE,
                              .left = head < arc->dependent ? head : arc->dependent,
                              .right = head < arc->dependent ? arc->dependent : head};
        if (arc->label.size)
            ends->label_width = layout->metrics->label_width(dd_picture_text(picture, arc->label));
        if (dd_is_stem(ends)) {
            layout->slots[ends->left].sides[ends->side].stems++;
        } else {
            layout->slots[ends->left].sides[ends->side].rights++;
            layout->slots[ends->right].sides[ends->side].lefts++;
        }
    }
}

/* Counts the arcs of each length, so that they can be put in order of it; arcs of one length keep
 * their order. `heights` serves as the counter. */
static void sort_arcs(dd_drawn *layout)
{
    int n = layout->picture->n, n_arcs = layout->picture->n_arcs;
    int32_t *starts = layout->heights;
    for (int length = 0; length <= n; length++) starts[length] = 0;
    for (int a = 0; a < n_arcs; a++) starts[layout->ends[a].right - layout->ends[a].left + 1]++;
    for (int length = 1; length <= n; length++) starts[length] += starts[length - 1];
    for (int a = 0; a < n_arcs; a++)
        layout->order[starts[layout->ends[a].right - layout->ends[a].left]++] = a;
}

static int count_ports(const dd_ports *ports)
{
    return ports->lefts + ports->stems + ports->rights;
}

/* Short arcs come first, and have the outer ports at either end. Until the slots are placed, their
 * fields serve as counters of ports: x of those that lead left, width of those in the middle, row
 * of those that lead right. */
static void give_ports(dd_drawn *layout, int side)
{
    for (int word = 1; word <= layout->picture->n; word++) {
        dd_slot *slot = &layout->slots[word];
        slot->x = 0;
        slot->width = slot->sides[side].lefts;
        slot->row = count_ports(&slot->sides[side]);
    }
    for (int i = 0; i < layout->picture->n_arcs; i++) {
        dd_arc_ends *ends = &layout->ends[layout->order[i]];
        dd_slot *left = &layout->slots[ends->left], *right = &layout->slots[ends->right];
        if (ends->side != side) continue;
        if (dd_is_stem(ends)) {
            ends->left_port = ends->right_port = left->width++;
        } else {
            ends->left_port = --left->row;
            ends->right_port = right->x++;
        }
    }
}

static int legs_of(const dd_slot *slot)
{
    const dd_ports *above = &slot->sides[DD_ABOVE], *below = &slot->sides[DD_BELOW];
    return above->lefts + above->rights + below->lefts + below->rights;
}

static void list_arcs(dd_drawn *layout)
{
    int n = layout->picture->n;
    int32_t *first = layout->first_of;
    first[0] = first[1] = 0;
    for (int word = 1; word <= n; word++)
        first[word + 1] = first[word] + legs_of(&layout->slots[word]);
    for (int word = 1; word <= n; word++) layout->heights[word] = first[word];
    for (int a = 0; a < layout->picture->n_arcs; a++) {
        const dd_arc_ends *ends = &layout->ends[a];
        if (dd_is_stem(ends)) continue;
        layout->arcs_of[layout->heights[ends->left]++] = a;
        layout->arcs_of[layout->heights[ends->right]++] = a;
    }
}

/* ---- slots -------------------------------------------------------------------------------- */

static void size_slots(dd_drawn *layout)
{
    const dd_picture *picture = layout->picture;
    const dd_metrics *metrics = layout->metrics;
    for (int word = 1; word <= picture->n; word++) {
        dd_slot *slot = &layout->slots[word];
        const dd_drawn_word *drawn = &picture->words[word];
        slot->width = metrics->word_width(dd_picture_text(picture, drawn->form),
                                          dd_picture_text(picture, drawn->tag));
        for (int side = 0; side < DD_SIDES; side++) {
            int ports = count_ports(&slot->sides[side]);
            int span = ports ? (ports - 1) * metrics->port_gap + metrics->thickness : 0;
            if (slot->width < span) slot->width = span;
            slot->sides[side].x = span; /* until center_ports */
        }
    }
}

/* The label over a stem stays within the slot. */
static void widen_for_stems(dd_drawn *layout)
{
    const dd_metrics *metrics = layout->metrics;
    for (int a = 0; a < layout->picture->n_arcs; a++) {
        const dd_arc_ends *ends = &layout->ends[a];
        dd_slot *slot = &layout->slots[ends->left];
        if (!dd_is_stem(ends)) continue;
        int aside = 2 * ends->left_port * metrics->port_gap + metrics->thickness -
                    slot->sides[ends->side].x;
        int need = abs(aside) + ends->label_width + 1;
        if (slot->width < need) slot->width = need;
    }
}

static void center_ports(dd_drawn *layout)
{
    for (int word = 1; word <= layout->picture->n; word++) {
        dd_slot *slot = &layout->slots[word];
        for (int side = 0; side < DD_SIDES; side++)
            slot->sides[side].x = (slot->width - slot->sides[side].x) / 2;
    }
}

/* ---- rows --------------------------------------------------------------------------------- */

static const dd_arc_ends *arc_of(const dd_drawn *layout, int word, int i)
{
    return &layout->ends[layout->arcs_of[layout->first_of[word] + i]];
}

static int arcs_at(const dd_drawn *layout, int word)
{
    return layout->first_of[word + 1] - layout->first_of[word];
}

/* The multiword token of a word, or NULL. */
static const dd_drawn_span *token_of(const dd_picture *picture, int word)
{
    int number = picture->words[word].token;
    return number ? &picture->spans[number - 1] : NULL;
}

/* How far right a word must end, so that the form of the multiword token that ends with it has room
 * below, in a row that has all of it. */
static int token_end(const dd_drawn *layout, int word, int first)
{
    const dd_picture *picture = layout->picture;
    const dd_drawn_span *token = token_of(picture, word);
    if (!token || token->last != word || token->first < first) return 0;
    int label = layout->metrics->label_width(dd_picture_text(picture, token->label));
    return layout->slots[token->first].x + label + 2 * layout->metrics->thickness;
}

/* As far left as the words, arcs and tokens before it allow. */
static void place_word(dd_drawn *layout, int word, int first)
{
    const dd_metrics *metrics = layout->metrics;
    dd_slot *slot = &layout->slots[word];
    const dd_slot *before = slot - 1;
    slot->row = layout->n_rows;
    slot->x = word > first ? before->x + before->width + metrics->word_gap
                           : (first > 1 ? metrics->edge : 0);
    int end = token_end(layout, word, first);
    if (slot->x + slot->width < end) slot->x = end - slot->width;
    for (int i = 0; i < arcs_at(layout, word); i++) {
        const dd_arc_ends *ends = arc_of(layout, word, i);
        if (ends->right != word) continue;
        int from = ends->left >= first ? dd_left_x(layout, ends) : 0;
        int least = from + dd_arc_need(layout, ends) + slot->x - dd_right_x(layout, ends);
        if (slot->x < least) slot->x = least;
    }
}

/* The width of a row with these words, of which the last has its place. */
static int row_width(const dd_drawn *layout, int first, int last)
{
    const dd_slot *slot = &layout->slots[last];
    int width = slot->x + slot->width + (last < layout->picture->n ? layout->metrics->edge : 0);
    for (int word = first; word <= last; word++) {
        for (int i = 0; i < arcs_at(layout, word); i++) {
            const dd_arc_ends *ends = arc_of(layout, word, i);
            if (ends->left != word || ends->right <= last) continue;
            int need =
                dd_left_x(layout, ends) + dd_arc_need(layout, ends) + layout->metrics->thickness;
            if (width < need) width = need;
        }
    }
    return width;
}

static void close_row(dd_drawn *layout, int first, int last, int width)
{
    const dd_picture *picture = layout->picture;
    dd_drawn_row *row = &layout->rows[layout->n_rows++];
    *row = (dd_drawn_row){.first = first, .last = last, .lines = 1, .width = width};
    for (int word = first; word <= last; word++) {
        int lines = dd_text_lines(dd_picture_text(picture, picture->words[word].form));
        if (row->lines < lines) row->lines = lines;
    }
    if (layout->width < width) layout->width = width;
}

/* Where the row behind one that has no room for this word begins: a token stays whole unless it is
 * too wide for any row. */
static int next_row(const dd_drawn *layout, int word, int first)
{
    const dd_drawn_span *token = token_of(layout->picture, word);
    return token && token->first > first ? token->first : word;
}

static void break_rows(dd_drawn *layout)
{
    int n = layout->picture->n, first = 1;
    layout->n_rows = layout->width = 0;
    for (int word = 1; word <= n; word++) {
        place_word(layout, word, first);
        if (layout->most && word > first && row_width(layout, first, word) > layout->most) {
            int next = next_row(layout, word, first);
            close_row(layout, first, next - 1, row_width(layout, first, next - 1));
            first = next;
            word = next - 1; /* it and those behind it are placed again */
        }
    }
    if (n > 0) close_row(layout, first, n, row_width(layout, first, n));
}

/* Arcs that pass over a whole row have labels there too. */
static void widen_rows(dd_drawn *layout)
{
    for (int a = 0; a < layout->picture->n_arcs; a++) {
        const dd_arc_ends *ends = &layout->ends[a];
        int need = dd_arc_need(layout, ends) + layout->metrics->thickness;
        int from = layout->slots[ends->left].row, to = layout->slots[ends->right].row;
        for (int r = from + 1; r < to; r++)
            if (layout->rows[r].width < need) layout->rows[r].width = need;
        if (to > from + 1 && layout->width < need) layout->width = need;
    }
}

bool dd_drawn_set(dd_drawn *layout, const dd_picture *picture, const dd_metrics *metrics, int most)
{
    layout->picture = picture;
    layout->metrics = metrics;
    layout->most = most;
    if (!reserve(layout)) return false;
    find_ends(layout);
    sort_arcs(layout);
    for (int side = 0; side < DD_SIDES; side++) give_ports(layout, side);
    list_arcs(layout);
    size_slots(layout);
    widen_for_stems(layout);
    center_ports(layout);
    break_rows(layout);
    widen_rows(layout);
    return dd_drawn_segments(layout);
}
