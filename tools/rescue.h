/* rescue.h - a place for a model that cannot be saved where it was to be. */
#ifndef TOOLS_RESCUE_H
#define TOOLS_RESCUE_H

#include "dodona_tools.h"

/* Saves it in a new folder below the current one, $TMPDIR or /tmp, whichever can be written to
 * first, and says where. */
void rescue_model(const dd_model *model);

#endif
