/* arc_standard.h - what other systems have of arc-standard: attardi its moves, and under
 * constraints what can still be reached; lr-spine its rule for leaves */
#ifndef DODONA_SYSTEMS_ARC_STANDARD_H
#define DODONA_SYSTEMS_ARC_STANDARD_H

#include "constraints/projective.h"

bool dd_standard_shift_legal(const dd_config *config);
bool dd_standard_left_legal(const dd_config *config);
dd_arc dd_standard_left_arc(const dd_config *config);
void dd_standard_drop_second(dd_config *config);
bool dd_standard_right_legal(const dd_config *config);
dd_arc dd_standard_right_arc(const dd_config *config);
void dd_standard_drop_top(dd_config *config);

extern const dd_horizon dd_standard_horizon;
bool dd_standard_leaves(const dd_constraints *constraints, const dd_config *config, dd_move move);

#endif
