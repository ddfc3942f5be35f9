/* measure.h - how much room text takes */
#ifndef DODONA_VIEW_MEASURE_H
#define DODONA_VIEW_MEASURE_H

#include "core/strings.h"

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
/* Estimated width in a proportional sans-serif font of so many pixels, rather too much than too
 * little, as the font is not known. */
int dd_text_pixels(dd_text text, int font_size);
/* Letters of right-to-left scripts minus all others that have a direction. */
int dd_text_direction(dd_text text);
/* Appends the text with U+FFFD in place of control characters and what else cannot be printed, or
 * would turn the order of characters around; behind `most` columns it is cut, and ends in "…".
 * False if allocation fails. */
bool dd_text_printable(dd_buffer *out, dd_text text, int most);

#endif
