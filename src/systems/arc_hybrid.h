/* arc_hybrid.h - what arc-eager-nm uses of arc-hybrid */
#ifndef DODONA_SYSTEMS_ARC_HYBRID_H
#define DODONA_SYSTEMS_ARC_HYBRID_H

#include "constraints/projective.h"

/* dd_horizon.open */
bool dd_hybrid_is_open(const dd_config *config, const int32_t *rank, int head, int dependent);

#endif
