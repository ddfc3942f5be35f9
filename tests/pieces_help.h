/* pieces_help.h - a text that a function hands out in pieces, for readers over functions */
#ifndef DODONA_TESTS_PIECES_HELP_H
#define DODONA_TESTS_PIECES_HELP_H

#include <dodona_tools.h>

#include <string.h>

typedef struct pieces {
    dd_text rest;
    const unsigned char *sizes; /* [n_sizes] of the pieces, over and over; 0 counts as 256 */
    size_t n_sizes, at;
    dd_status last; /* what is returned behind the last piece; DD_OK: no bytes */
    int calls;
    bool ended; /* a call after the last one is a fault of the reader */
} pieces;

static inline dd_status read_piece(void *user, char *data, size_t size, size_t *got,
                                   dd_error *error)
{
    pieces *p = user;
    size_t wanted = p->n_sizes > 0 ? p->sizes[p->at++ % p->n_sizes] : 1;
    if (wanted == 0) wanted = 256;
    if (wanted > size) wanted = size;
    if (wanted > p->rest.size) wanted = p->rest.size;
    (void)error;
    p->calls += p->ended ? 1000000 : 1;
    *got = wanted;
    p->ended = wanted == 0;
    if (wanted == 0) return p->last;
    memcpy(data, p->rest.data, wanted);
    p->rest = (dd_text){p->rest.data + wanted, p->rest.size - wanted};
    return DD_OK;
}

#endif
