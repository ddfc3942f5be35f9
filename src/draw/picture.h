/* picture.h - what a drawing of one sentence shows, independent of the format
 *
 *     sentence, gold, constraints -> picture -> layout -> text or SVG
 *                                       `----> TikZ, DOT
 *
 * picture_words.c makes the nodes, picture.c the arcs and spans; layout.h says where they stand.
 * A node is a word or an empty node, in the order of their lines; word 7 is node 7 unless there are
 * empty nodes before it. */
#ifndef DODONA_DRAW_PICTURE_H
#define DODONA_DRAW_PICTURE_H

#include "constraints/constraints.h"
#include "core/strings.h"
#include "text/conll.h"

/* ---- how much room text takes (picture_words.c) ------------------------------------------- */

/* One character with the marks that combine with it. */
typedef struct dd_cluster {
    size_t size; /* bytes */
    int columns; /* 0, 1 or 2 */
} dd_cluster;

/* The first cluster of a text that is not empty. */
dd_cluster dd_cluster_of(dd_text text);
/* Columns on a terminal. */
int dd_text_columns(dd_text text);
/* Of texts with line ends in them: how many lines, and the columns or pixels of the widest. */
int dd_text_lines(dd_text text);
int dd_widest_line(dd_text text, int (*width_of)(dd_text line));
/* Estimated width in a proportional sans-serif font of so many pixels, rather too large than too
 * small, as the font is not known. */
int dd_text_pixels(dd_text text, int font_size);
/* Letters of right-to-left scripts minus all others that have a direction. */
int dd_text_direction(dd_text text);
/* Appends the text with U+FFFD in place of control characters and what else cannot be printed, or
 * would turn the order of characters around; behind `most` columns it is cut, and ends in "…".
 * False if allocation fails. */
bool dd_text_printable(dd_buffer *out, dd_text text, int most);

/* ---- the picture --------------------------------------------------------------------------- */

#include <dodona_tools.h>

typedef enum dd_arc_kind {
    DD_ARC_PLAIN = 0,
    DD_ARC_WRONG,     /* in the tree, but the gold tree has another head */
    DD_ARC_GOLD,      /* what the gold tree has there */
    DD_ARC_MISSING,   /* required, but not in the tree */
    DD_ARC_FORBIDDEN, /* whether the tree has it or not */
    DD_ARC_ENHANCED,  /* of DEPS, drawn below the words */
    DD_ARC_KINDS,
} dd_arc_kind;

/* Bytes in dd_picture.texts: printable, well-formed. */
typedef struct dd_stretch {
    uint32_t start, size;
} dd_stretch;

typedef struct dd_drawn_word {
    dd_stretch
        form;       /* a long one has line ends where it is to be broken; brackets: an empty node */
    dd_stretch tag; /* size 0: none */
    dd_stretch cells[DD_COLUMNS]; /* shown when the reader points at the word; empty in formats that
                                     cannot do that */
    int id, minor;                /* 8 and 1 of the empty node 8.1; minor 0: a word */
    int token; /* number in dd_picture.spans, from 1, of its multiword token; 0: none */
} dd_drawn_word;

typedef struct dd_drawn_arc {
    int head, dependent; /* nodes; head 0: the root, drawn as a stem at the word */
    dd_arc_kind kind;
    bool required;
    bool wrong_label; /* the head is right; the label tells both: "obj (obl)" */
    dd_stretch label; /* size 0: none */
} dd_drawn_arc;

/* A mark below nodes: a bracket, of a multiword token or of a span that is to be one subtree; or
 * the sign of a word that is to have no dependents. */
typedef struct dd_drawn_span {
    int first, last;
    bool token, leaf;
    int level;        /* 1.. those that overlap have different levels, tokens the first */
    dd_stretch label; /* the token's form, the span's mode, or the sign */
} dd_drawn_span;

typedef struct dd_picture {
    int n; /* nodes */
    bool right_to_left;
    dd_drawn_word *words; /* [n + 1] */
    int32_t *nodes;       /* [words + 1] the node of each word; of 0, the root, 0 */
    dd_drawn_arc *arcs;   /* [n_arcs] */
    int n_arcs;
    dd_drawn_span *spans; /* [n_spans] */
    int n_spans;
    int span_levels;
    dd_buffer texts;
    dd_stretch title;    /* the sentence's id */
    dd_stretch sentence; /* its text, for formats that show it */
    dd_buffer lines, space;
    size_t words_capacity, nodes_capacity, arcs_capacity, spans_capacity;
} dd_picture; /* {0} is valid */

void dd_picture_free(dd_picture *picture);
/* Gold may be NULL, or must have the same number of words. DD_ERROR_DATA: a constraint is
 * malformed, or there is more than can be drawn. */
dd_status dd_picture_set(dd_picture *picture, const dd_draw_options *options,
                         const dd_sentence *sentence, const dd_sentence *gold, dd_error *error);

static inline dd_text dd_picture_text(const dd_picture *picture, dd_stretch view)
{
    return (dd_text){view.size ? picture->texts.data + view.start : "", view.size};
}

/* What a legend must explain, bit by bit. */
enum {
    DD_SHOWS_WRONG = 1,
    DD_SHOWS_GOLD = 2,
    DD_SHOWS_WRONG_LABEL = 4,
    DD_SHOWS_REQUIRED = 8,
    DD_SHOWS_MISSING = 16,
    DD_SHOWS_FORBIDDEN = 32,
    DD_SHOWS_SPAN = 64,
    DD_SHOWS_LEAF = 128,
    DD_SHOWS_ENHANCED = 256,
    DD_SHOWS_EMPTY = 512,
};
int dd_picture_shows(const dd_picture *picture);

/* What stands below a leaf: the set of its dependents is empty. */
#define DD_LEAF_SIGN "∅"

/* ---- making a picture: all functions are false if allocation fails ------------------------- */

/* picture.c */
enum { DD_ANY_WIDTH = INT32_MAX };
/* A limit, because laying out labels takes quadratic time. */
enum { DD_MOST_ENHANCED = 4 * DD_DRAW_MAX_WORDS };
/* Text that is cut behind `most` columns. */
bool dd_picture_add_text(dd_picture *picture, dd_stretch *out, dd_text text, int most);
bool dd_picture_add_span(dd_picture *picture, dd_drawn_span span, dd_text label);

static inline dd_text dd_unless_missing(dd_text cell)
{
    return dd_is_missing(cell) ? (dd_text){"", 0} : cell;
}

/* picture_words.c: nodes and multiword tokens of the sentence's lines; `empty`: with empty nodes.
 * It stops after DD_DRAW_MAX_WORDS nodes; the caller then refuses the picture. */
bool dd_picture_add_words(dd_picture *picture, const dd_draw_options *options, dd_text lines,
                          bool empty);

#endif
