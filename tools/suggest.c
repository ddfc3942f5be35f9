#include "suggest.h"

#include "dodona_tools.h"

#include <limits.h>

suggestion suggest_for(const char *wanted, size_t size)
{
    return (suggestion){wanted, size, NULL, INT_MAX};
}

void suggest_consider(suggestion *best, const char *known)
{
    int slips = dd_misspelling(best->wanted, best->size, known);
    if (slips < 0 || slips >= best->slips) return;
    best->nearest = known;
    best->slips = slips;
}
