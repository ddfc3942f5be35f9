/* columns.h - columns of a treebank, for messages */
#ifndef COLUMNS_H
#define COLUMNS_H

#include <stdint.h>

typedef struct column_list {
    char text[128];
} column_list;

/* Bits of dd_column: "UPOS", "UPOS and FEATS", "LEMMA, UPOS and FEATS". */
column_list columns_listed(uint32_t columns);

#endif
