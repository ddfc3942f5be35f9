/* arc_standard.h - the rules of arc-standard's moves, which attardi has too */
#ifndef DODONA_SYSTEMS_ARC_STANDARD_H
#define DODONA_SYSTEMS_ARC_STANDARD_H

#include "transition/system.h"

bool dd_standard_shift_legal(const dd_config *config);
bool dd_standard_left_legal(const dd_config *config);
dd_arc dd_standard_left_arc(const dd_config *config);
void dd_standard_drop_second(dd_config *config);
bool dd_standard_right_legal(const dd_config *config);
dd_arc dd_standard_right_arc(const dd_config *config);
void dd_standard_drop_top(dd_config *config);

#endif
