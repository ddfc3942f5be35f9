/* segments.c - the parts of arcs in each row: their levels, and where their labels stand */
#include "core/memory.h"
#include "draw/layout.h"

#include <stdlib.h>

enum { STEPS_FOR_PAIR = 3 }; /* for dd_tick */

/* ---- which there are ---------------------------------------------------------------------- */

static void count_segments(dd_drawn *layout)
{
    for (int r = 0; r < layout->n_rows; r++) layout->rows[r].n_segments = 0;
    for (int a = 0; a < layout->picture->n_arcs; a++) {
        const dd_arc_ends *ends = &layout->ends[a];
        int to = layout->slots[ends->right].row;
        for (int r = layout->slots[ends->left].row; r <= to; r++) layout->rows[r].n_segments++;
    }
    layout->n_segments = 0;
    for (int r = 0; r < layout->n_rows; r++) {
        layout->rows[r].segments = layout->n_segments;
        layout->n_segments += layout->rows[r].n_segments;
        layout->rows[r].n_segments = 0; /* counted again while they are added */
    }
}

static dd_segment cut_segment(const dd_drawn *layout, int arc, int row)
{
    const dd_arc_ends *ends = &layout->ends[arc];
    dd_segment segment = {
        .arc = arc,
        .open_left =
            layout->slots[ends->left].row<row, .open_right = layout->slots[ends->right].row> row,
    };
    segment.left = segment.open_left ? 0 : dd_left_x(layout, ends);
    segment.right = segment.open_right ? layout->rows[row].width - layout->metrics->thickness
                                       : dd_right_x(layout, ends);
    return segment;
}

/* Short arcs first, so that what lies inside another is lower. */
static void add_segments(dd_drawn *layout)
{
    for (int i = 0; i < layout->picture->n_arcs; i++) {
        int arc = layout->order[i];
        const dd_arc_ends *ends = &layout->ends[arc];
        int to = layout->slots[ends->right].row;
        for (int r = layout->slots[ends->left].row; r <= to; r++) {
            dd_drawn_row *row = &layout->rows[r];
            layout->segments[row->segments + row->n_segments++] = cut_segment(layout, arc, r);
        }
    }
}

/* ---- levels ------------------------------------------------------------------------------- */

/* heights[g] is the highest level over gap g: 0 is left of the row's first word, 1 between it and
 * the second, and so on to the right edge. */
static void raise_segment(dd_drawn *layout, const dd_drawn_row *row, dd_segment *segment)
{
    const dd_arc_ends *ends = &layout->ends[segment->arc];
    int32_t *heights = layout->heights;
    int from = segment->open_left ? 0 : ends->left - row->first + 1;
    int to = segment->open_right ? row->last - row->first + 1 : ends->right - row->first;
    int level = 0;
    for (int gap = from; gap <= to; gap++)
        if (level < heights[gap]) level = heights[gap];
    segment->level = level + 1;
    for (int gap = from; gap <= to; gap++) heights[gap] = segment->level;
}

/* A stem leads beyond all arcs at its word, and beyond the stems already there. */
static void raise_stem(dd_drawn *layout, const dd_drawn_row *row, dd_segment *segment)
{
    int32_t *heights = layout->heights + layout->ends[segment->arc].left - row->first;
    int level = heights[0] > heights[1] ? heights[0] : heights[1];
    segment->level = heights[0] = heights[1] = level + 1;
}

static void raise_row(dd_drawn *layout, dd_drawn_row *row, int side)
{
    row->levels[side] = 0;
    for (int gap = 0; gap <= row->last - row->first + 1; gap++) layout->heights[gap] = 0;
    for (int stems = 0; stems <= 1; stems++) {
        for (int s = row->segments; s < row->segments + row->n_segments; s++) {
            dd_segment *segment = &layout->segments[s];
            const dd_arc_ends *ends = &layout->ends[segment->arc];
            if (ends->side != side || dd_is_stem(ends) != stems) continue;
            if (stems)
                raise_stem(layout, row, segment);
            else
                raise_segment(layout, row, segment);
            if (row->levels[side] < segment->level) row->levels[side] = segment->level;
        }
    }
}

/* ---- labels ------------------------------------------------------------------------------- */

enum { MOST_LEGS = 64 /* that a label is moved out of the way of */ };

typedef struct legs {
    int at[MOST_LEGS];
    int count;
} legs;

static void add_leg(legs *found, const dd_segment *segment, int x)
{
    if (x > segment->left && x < segment->right && found->count < MOST_LEGS)
        found->at[found->count++] = x;
}

/* In a long sentence most segments of a row only pass over it. */
static void list_legged(dd_drawn *layout, const dd_drawn_row *row)
{
    layout->n_legged = 0;
    for (int s = row->segments; s < row->segments + row->n_segments; s++)
        if (!layout->segments[s].open_left || !layout->segments[s].open_right)
            layout->legged[layout->n_legged++] = s;
}

/* Legs of arcs further out that come through the segment: only where arcs cross. */
static legs find_legs(const dd_drawn *layout, const dd_segment *segment)
{
    legs found = {.count = 0};
    for (int i = 0; i < layout->n_legged; i++) {
        const dd_segment *other = &layout->segments[layout->legged[i]];
        if (other->level <= segment->level ||
            layout->ends[other->arc].side != layout->ends[segment->arc].side)
            continue;
        if (!other->open_left) add_leg(&found, segment, other->left);
        if (!other->open_right) add_leg(&found, segment, other->right);
    }
    return found;
}

static bool is_free(const dd_drawn *layout, const legs *found, int label, int width)
{
    int clear = layout->metrics->label_clear;
    for (int i = 0; i < found->count; i++)
        if (found->at[i] + layout->metrics->thickness + clear > label &&
            found->at[i] < label + width + clear)
            return false;
    return true;
}

/* The middle, or the place nearest to it where no leg is in the way; if there is none, the middle.
 */
static int place_label(const dd_drawn *layout, const dd_segment *segment)
{
    const dd_metrics *metrics = layout->metrics;
    int width = layout->ends[segment->arc].label_width;
    int middle = (segment->left + segment->right + metrics->thickness - width) / 2;
    if (width == 0 || dd_is_stem(&layout->ends[segment->arc])) return middle;
    int least = segment->left + metrics->label_side;
    int most = segment->right + metrics->thickness - metrics->label_side - width;
    legs found = find_legs(layout, segment);
    int best = is_free(layout, &found, middle, width) ? middle : least - 1;
    for (int i = 0; i < 2 * found.count && best != middle; i++) {
        int leg = found.at[i / 2];
        int at = i % 2 ? leg + metrics->thickness + metrics->label_clear
                       : leg - width - metrics->label_clear;
        bool fits = at >= least && at <= most && is_free(layout, &found, at, width);
        if (fits && (best < least || abs(at - middle) < abs(best - middle))) best = at;
    }
    return best < least ? middle : best;
}

bool dd_drawn_segments(dd_drawn *layout)
{
    count_segments(layout);
    if (layout->max_segments && layout->n_segments > layout->max_segments) return false;
    if (!DD_RESERVE(&layout->segments, &layout->segments_capacity, (size_t)layout->n_segments + 1))
        return false;
    add_segments(layout);
    for (int r = 0; r < layout->n_rows; r++) {
        dd_drawn_row *row = &layout->rows[r];
        for (int side = 0; side < DD_SIDES; side++) raise_row(layout, row, side);
        list_legged(layout, row);
        int64_t steps = STEPS_FOR_PAIR * (int64_t)row->n_segments * (layout->n_legged + 10);
        if (!dd_tick(layout->ticker, steps)) return false;
        for (int s = row->segments; s < row->segments + row->n_segments; s++)
            layout->segments[s].label = place_label(layout, &layout->segments[s]);
    }
    return true;
}
