/* registry.h - the descriptors, one a file in this folder */
#ifndef DODONA_SYSTEMS_REGISTRY_H
#define DODONA_SYSTEMS_REGISTRY_H

#include "core/strings.h"
#include "transition/system.h"

extern const dd_system dd_arc_eager;
extern const dd_system dd_arc_eager_nm;
extern const dd_system dd_arc_hybrid;
extern const dd_system dd_arc_standard;
extern const dd_system dd_attardi;
extern const dd_system dd_covington;
extern const dd_system dd_covington_nm;
extern const dd_system dd_lr_spine;
/* Not a transition system, and in no list of them. */
extern const dd_system dd_graph;

size_t dd_system_count(void);
const dd_system *dd_system_get(size_t index);      /* NULL beyond the last */
const dd_system *dd_system_find(const char *name); /* NULL if there is none */
/* What a model can parse with: a transition system, or dd_graph; NULL if there is none. */
const dd_system *dd_system_or_graph(dd_text name);

/* Pairs of words that a configuration of Covington's systems has behind it, those counted that SH
 * leaves out. */
int64_t dd_covington_progress(const dd_config *config);

#endif
