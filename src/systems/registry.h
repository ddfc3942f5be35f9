/* registry.h - the list of transition systems */
#ifndef DODONA_SYSTEMS_REGISTRY_H
#define DODONA_SYSTEMS_REGISTRY_H

#include "core/strings.h"
#include "transition/system.h"

/* All transition systems, in the order in which `dodona systems` lists them. A new one is a file or
 * a folder, and a row here. */
#define DD_SYSTEMS(ROW)                                                                            \
    ROW(dd_arc_standard)                                                                           \
    ROW(dd_arc_eager)                                                                              \
    ROW(dd_arc_hybrid)                                                                             \
    ROW(dd_arc_eager_nm)                                                                           \
    ROW(dd_lr_spine)                                                                               \
    ROW(dd_attardi)                                                                                \
    ROW(dd_covington)                                                                              \
    ROW(dd_covington_nm)                                                                           \
    ROW(dd_pointer)

#define DD_DECLARE_SYSTEM(name) extern const dd_system name;
DD_SYSTEMS(DD_DECLARE_SYSTEM)
#undef DD_DECLARE_SYSTEM
/* Not a transition system, so it is not in the list. */
extern const dd_system dd_graph;

size_t dd_system_count(void);
const dd_system *dd_system_get(size_t index);      /* NULL beyond the last */
const dd_system *dd_system_find(const char *name); /* NULL if there is none */
/* What a model can parse with: a transition system, or dd_graph; NULL if there is none. */
const dd_system *dd_system_or_graph(dd_text name);

#endif
