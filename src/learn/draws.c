#include "learn/draws.h"

#include "core/memory.h"

#include <stdlib.h>

void dd_draws_free(dd_draws *draws)
{
    free(draws->order);
}

void dd_draws_seed(dd_draws *draws, uint64_t seed)
{
    draws->random = (dd_random){~seed};
}

bool dd_draws_add(dd_draws *draws, size_t count)
{
    if (!DD_RESERVE(&draws->order, &draws->capacity, count + 1)) return false;
    draws->order[count] = (uint32_t)count;
    draws->next = count + 1;
    return true;
}

uint32_t dd_draws_next(dd_draws *draws, size_t count)
{
    if (draws->next == count) {
        dd_shuffle(&draws->random, draws->order, count);
        draws->next = 0;
    }
    return draws->order[draws->next++];
}
