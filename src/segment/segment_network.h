/* segment_network.h - a segmenter that a network of bytes decides for
 *
 *     units (segment/units.h) -> layers of an encoder -> one of three decisions behind each unit
 *
 * Two sections of a model file besides that of the linear segmenter, whose scores are inputs:
 *
 *     segment-network   see neural/frozen.h: one slot, the unit; an output for each decision
 *     segment-symbols   six blocks (core/sections.h) of 32-bit hashes that ascend: those of the
 *                       symbols from 2 on of each of dd_unit_inputs, and of the treebank's words */
#ifndef DODONA_SEGMENT_SEGMENT_NETWORK_H
#define DODONA_SEGMENT_SEGMENT_NETWORK_H

#include "core/sections.h"
#include "neural/frozen.h"
#include "segment/segmenter.h"
#include "segment/units.h"

/* What comes behind a unit. */
typedef enum dd_unit_end {
    DD_UNIT_INSIDE = 0, /* the rest of the token */
    DD_UNIT_TOKEN,
    DD_UNIT_SENTENCE,
    DD_UNIT_ENDS,
} dd_unit_end;

#define DD_SEGMENT_NETWORK "segment-network"
#define DD_SEGMENT_SYMBOLS "segment-symbols"

typedef struct dd_segment_network dd_segment_network;
typedef struct dd_segment_network_space dd_segment_network_space;

bool dd_segment_network_is_in(const dd_sections *sections);
dd_status dd_segment_network_find(dd_segment_network **out, const dd_sections *sections,
                                  dd_error *error);
void dd_segment_network_free(dd_segment_network *network);
/* For tests and benchmarks: in spaces made from now on. The decisions are the same. */
void dd_segment_network_choose_kernels(dd_segment_network *network, const dd_kernels *kernels);

/* False if allocation fails. */
bool dd_segment_network_space_new(dd_segment_network_space **out,
                                  const dd_segment_network *network);
void dd_segment_network_space_free(dd_segment_network_space *space);
/* As dd_segmenter_cut. */
bool dd_segment_network_cut(const dd_segmenter *segmenter, dd_segment_network_space *space,
                            const dd_chars *chars, int size, dd_segments *out);

#endif
