/* renumber.h - the ids of sentences of plain text, which are counted anew in each part of a file,
 * as they are counted over all of it
 *
 *     # sent_id = 7                                          -> # sent_id = 1007
 *     {"sent_id":"a-7", .. "comments":[.. "# sent_id = a-7"  -> a-1007 in both places
 *
 * All comments of such sentences were written by the library, and none can look like one of these
 * without being it: a text has no line ends, and quotes within JSON's strings stand behind a '\'.
 */
#ifndef DODONA_PLAN_RENUMBER_H
#define DODONA_PLAN_RENUMBER_H

#include "core/strings.h"

typedef struct dd_renumber {
    bool json;
    dd_text prefix;  /* of the ids, without its '-'; empty: none */
    uint64_t before; /* sentences */
    dd_buffer line;  /* what there is so far of a line that is not whole */
    dd_buffer out;   /* the lines that are whole, as they are to be */
} dd_renumber;       /* line and out begin as {0} */

/* Appends what the chunk has of whole lines to `out`. False: allocation failed. */
bool dd_renumber_add(dd_renumber *ids, dd_text chunk);
/* And the rest, of a line without its end. */
bool dd_renumber_end(dd_renumber *ids);
void dd_renumber_free(dd_renumber *ids);

#endif
