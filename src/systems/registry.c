#include "systems/registry.h"

#include <dodona_tools.h>
#include <string.h>

/* For a test, which adds a system of its own: &toy, */
#ifndef DD_MORE_SYSTEMS
#define DD_MORE_SYSTEMS
#endif

#define ADDRESS_OF(name) &name,
static const dd_system *const systems[] = {DD_SYSTEMS(ADDRESS_OF) DD_MORE_SYSTEMS};

_Static_assert(sizeof systems / sizeof *systems <= DD_MAX_SYSTEMS, "dd_stats has no room for all");

size_t dd_system_count(void)
{
    return sizeof systems / sizeof *systems;
}

const dd_system *dd_system_get(size_t index)
{
    return index < dd_system_count() ? systems[index] : NULL;
}

const dd_system *dd_system_find(const char *name)
{
    for (size_t i = 0; i < dd_system_count(); i++)
        if (strcmp(systems[i]->name, name) == 0) return systems[i];
    return NULL;
}

const dd_system *dd_system_or_graph(dd_text name)
{
    for (size_t i = 0; i < dd_system_count(); i++)
        if (dd_text_is(name, systems[i]->name)) return systems[i];
    return dd_text_is(name, dd_graph.name) ? &dd_graph : NULL;
}

static void describe(const dd_system *system, dd_system_info *out)
{
    *out = (dd_system_info){.name = system->name,
                            .transitions = system->transitions,
                            .trees = system->trees,
                            .summary = system->summary,
                            .nonmonotonic = system->nonmonotonic};
}

bool dd_system_at(size_t index, dd_system_info *out)
{
    const dd_system *system = dd_system_get(index);
    if (!system) return false;
    describe(system, out);
    return true;
}

void dd_graph_info(dd_system_info *out)
{
    describe(&dd_graph, out);
}
