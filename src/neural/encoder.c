#include "neural/encoder.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

const dd_encoder *dd_encoder_find(const char *name)
{
    for (size_t i = 0; name && dd_encoders[i]; i++)
        if (strcmp(dd_encoders[i]->name, name) == 0) return dd_encoders[i];
    return dd_encoders[0];
}

const dd_encoder *dd_encoder_numbered(uint32_t number)
{
    for (size_t i = 0; dd_encoders[i]; i++)
        if (dd_encoders[i]->number == number) return dd_encoders[i];
    return NULL;
}

void dd_scratch_free(dd_scratch *scratch)
{
    for (int i = 0; i < DD_SCRATCHES; i++) free(scratch->memory[i]);
    *scratch = (dd_scratch){0};
}

void *dd_scratch_get(dd_scratch *scratch, int i, size_t bytes)
{
    return DD_RESERVE(&scratch->memory[i], &scratch->capacity[i], bytes + 1) ? scratch->memory[i]
                                                                             : NULL;
}

/* ---- batches of sequences ------------------------------------------------------------------ */

void dd_steps_free(dd_steps *steps)
{
    free(steps->lengths);
    free(steps->active);
    free(steps->first);
    *steps = (dd_steps){0};
}

/* Room for lengths. False if allocation fails. */
static bool reserve_lengths(dd_steps *steps, int sequences)
{
    return DD_RESERVE(&steps->lengths, &steps->lengths_capacity, (size_t)sequences);
}

/* Once lengths are set. False if allocation fails. */
static bool set_steps(dd_steps *steps, int sequences)
{
    int longest = sequences > 0 ? steps->lengths[0] : 0, active = sequences;
    steps->sequences = sequences;
    steps->steps = longest;
    if (!DD_RESERVE(&steps->active, &steps->active_capacity, (size_t)longest + 1) ||
        !DD_RESERVE(&steps->first, &steps->first_capacity, (size_t)longest + 1))
        return false;
    steps->first[0] = 0;
    for (int s = 0; s < longest; s++) {
        while (steps->lengths[active - 1] <= s) active--;
        steps->active[s] = active;
        steps->first[s + 1] = steps->first[s] + (size_t)active;
    }
    return true;
}

bool dd_steps_sort(dd_steps *steps, int *sequence, const void *items, int count,
                   int (*length_of)(const void *items, int i))
{
    int longest = 0, at = 0;
    if (!reserve_lengths(steps, count)) return false;
    for (int i = 0; i < count; i++)
        if (length_of(items, i) > longest) longest = length_of(items, i);
    int *places = dd_calloc((size_t)longest + 1, sizeof *places);
    if (!places) return false;
    for (int i = 0; i < count; i++) places[length_of(items, i)]++;
    for (int length = longest; length >= 0; length--) {
        int here = places[length];
        places[length] = at;
        at += here;
    }
    for (int i = 0; i < count; i++) {
        sequence[i] = places[length_of(items, i)]++;
        steps->lengths[sequence[i]] = length_of(items, i);
    }
    free(places);
    return set_steps(steps, count);
}
