/* layout.h - where words, arcs and labels stand
 *
 *     level 2    ┌────────obj────────┐       a segment: the part of an arc in one row
 *     level 1    │         ┌──det──┐ │       a leg: what leads from its end to the word
 *                │         ▼       │ ▼
 *     slots    [eats]     [the] [apple]      a port: where a leg meets the slot of a word
 *
 * Enhanced arcs are laid out in the same way below the words, where level 1 is the highest.
 * Lengths are whole numbers of whatever the metrics count: columns or pixels. Everything is laid
 * out from left to right; a drawing from right to left is the mirror image. Rules:
 *
 * - no two legs share a port, and over one word legs that lead further stand further inside, so
 *   that arcs of one word never cross;
 * - an arc is wide enough for its label: words are moved apart as far as need be, and no further;
 * - two segments of a row that overlap have different levels, the inner one the lower;
 * - arcs that leave a row run to its edge, and begin at the edge of the next. */
#ifndef DODONA_DRAW_LAYOUT_H
#define DODONA_DRAW_LAYOUT_H

#include "draw/picture.h"

typedef struct dd_metrics {
    int (*label_width)(dd_text text);
    int (*word_width)(dd_text form, dd_text tag);
    int thickness;   /* of a leg */
    int port_gap;    /* from leg to leg */
    int word_gap;    /* from slot to slot */
    int label_side;  /* from an end of an arc to its label, at least */
    int label_clear; /* from a label to a leg that crosses its arc, where there is room */
    int bare;        /* width of an arc without a label, at least */
    int edge;        /* from the outermost slot to the edge of a row that is carried on */
} dd_metrics;

enum { DD_ABOVE, DD_BELOW, DD_SIDES };

/* Of one side of a slot. */
typedef struct dd_ports {
    int x;                    /* of the leftmost port, counted from the slot's */
    int lefts, stems, rights; /* legs that lead to the left, to the root, to the right */
} dd_ports;

typedef struct dd_slot {
    int row;
    int x, width;
    dd_ports sides[DD_SIDES];
} dd_slot;

/* Of each arc in the picture. */
typedef struct dd_arc_ends {
    int side;                  /* DD_ABOVE or DD_BELOW */
    int left, right;           /* words; the same for a stem */
    int left_port, right_port; /* counted from the slot's leftmost */
    int label_width;           /* 0: no label */
} dd_arc_ends;

typedef struct dd_segment {
    int arc;
    int level;                  /* 1.. */
    bool open_left, open_right; /* continued from the row before, continued in the next row */
    int left, right;            /* of the legs, or the edges of the row */
    int label;                  /* left end of the label */
} dd_segment;

typedef struct dd_drawn_row {
    int first, last;          /* words */
    int segments, n_segments; /* first, how many */
    int levels[DD_SIDES];     /* highest level, 0: no arcs */
    int lines;                /* of its highest form */
    int width;
} dd_drawn_row;

typedef struct dd_drawn {
    const dd_metrics *metrics;
    const dd_picture *picture;
    int most;           /* width at which rows are broken, 0: one row */
    int max_segments;   /* more are not laid out; 0: any number */
    dd_ticker *ticker;  /* ends the layout; NULL: nothing does */
    dd_slot *slots;     /* [n + 1] */
    dd_arc_ends *ends;  /* [n_arcs] */
    int32_t *order;     /* [n_arcs] arcs, short ones first */
    int32_t *first_of;  /* [n + 2] the arcs of a word are */
    int32_t *arcs_of;   /* [first_of[w] .. first_of[w + 1] - 1] */
    int32_t *heights;   /* [n + 2] highest level between two words of a row */
    dd_drawn_row *rows; /* [n_rows] */
    int n_rows;
    dd_segment *segments; /* [n_segments] row by row */
    int n_segments;
    int32_t *legged; /* [n_legged] segments of a row that have a leg there */
    int n_legged;
    int width; /* of the widest row */
    size_t slots_capacity, ends_capacity, order_capacity, first_of_capacity, arcs_of_capacity,
        heights_capacity, rows_capacity, segments_capacity, legged_capacity;
} dd_drawn; /* {0} is valid */

void dd_drawn_free(dd_drawn *layout);
/* False if allocation fails, there are more than `max_segments` or the work is cancelled. The
 * picture must outlive the layout. */
bool dd_drawn_set(dd_drawn *layout, const dd_picture *picture, const dd_metrics *metrics, int most);
/* segments.c: the segments of all rows with their levels and labels. False as above. */
bool dd_drawn_segments(dd_drawn *layout);

static inline bool dd_is_stem(const dd_arc_ends *ends)
{
    return ends->left == ends->right;
}

/* Where the legs stand. */
static inline int dd_left_x(const dd_drawn *layout, const dd_arc_ends *ends)
{
    const dd_slot *slot = &layout->slots[ends->left];
    return slot->x + slot->sides[ends->side].x + ends->left_port * layout->metrics->port_gap;
}

static inline int dd_right_x(const dd_drawn *layout, const dd_arc_ends *ends)
{
    const dd_slot *slot = &layout->slots[ends->right];
    return slot->x + slot->sides[ends->side].x + ends->right_port * layout->metrics->port_gap;
}

/* The least width of an arc, from leg to leg. */
static inline int dd_arc_need(const dd_drawn *layout, const dd_arc_ends *ends)
{
    const dd_metrics *metrics = layout->metrics;
    if (!ends->label_width) return metrics->bare;
    return ends->label_width + 2 * metrics->label_side - metrics->thickness;
}

/* The x of something of that width in the drawing, which may be a mirror image. */
static inline int dd_mirror(const dd_drawn *layout, int x, int width)
{
    return layout->picture->right_to_left ? layout->width - x - width : x;
}

#endif
