/* picture_parts.h - what the files that make a picture share; all are false if allocation fails */
#ifndef DODONA_VIEW_PICTURE_PARTS_H
#define DODONA_VIEW_PICTURE_PARTS_H

#include "text/conll.h"
#include "view/picture.h"

/* picture.c */
enum { DD_ANY_WIDTH = INT32_MAX };
/* Laying labels out takes time in the square of their number. */
enum { DD_MOST_ENHANCED = 4 * DD_DRAW_MAX_WORDS };
/* Text that is cut behind `most` columns. */
bool dd_picture_add_text(dd_picture *picture, dd_stretch *out, dd_text text, int most);
bool dd_picture_add_arc(dd_picture *picture, dd_drawn_arc arc, dd_text label);
bool dd_picture_add_span(dd_picture *picture, dd_drawn_span span, dd_text label);

static inline dd_text dd_unless_missing(dd_text cell)
{
    return dd_is_missing(cell) ? (dd_text){"", 0} : cell;
}

/* picture_words.c: nodes and multiword tokens of the sentence's lines; `empty`: with empty nodes.
 * It stops behind DD_DRAW_MAX_WORDS nodes, the next one behind DD_MOST_ENHANCED arcs: the picture
 * is to be refused. */
bool dd_picture_add_words(dd_picture *picture, const dd_draw_options *options, dd_text lines,
                          bool empty);

/* picture_deps.c: what DEPS have and the tree has not. Drawn nodes must be there. */
bool dd_picture_add_enhanced(dd_picture *picture, dd_text lines);

#endif
