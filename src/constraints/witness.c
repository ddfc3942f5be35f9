#include "constraints/witness.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

void dd_witnesses_free(dd_witnesses *witnesses)
{
    free(witnesses->heads);
    free(witnesses->order);
    free(witnesses->numbers);
    *witnesses = (dd_witnesses){0};
}

bool dd_witnesses_reset(dd_witnesses *witnesses, size_t row, int most)
{
    size_t rows = (size_t)most;
    witnesses->row = row;
    witnesses->most = most;
    witnesses->count = 0;
    if (!DD_RESERVE(&witnesses->order, &witnesses->order_capacity, rows) ||
        !DD_RESERVE(&witnesses->numbers, &witnesses->numbers_capacity, rows) ||
        !DD_RESERVE(&witnesses->heads, &witnesses->heads_capacity, rows * row))
        return false;
    for (int i = 0; i < most; i++) witnesses->order[i] = i;
    return true;
}

const int32_t *dd_witness_find(const dd_witnesses *witnesses, uint64_t number)
{
    for (int i = 0; i < witnesses->count && number > 0; i++)
        if (dd_witness_number(witnesses, i) == number) return dd_witness(witnesses, i);
    return NULL;
}

void dd_witness_served(dd_witnesses *witnesses, int i)
{
    int32_t slot = witnesses->order[i];
    memmove(witnesses->order + 1, witnesses->order, (size_t)i * sizeof *witnesses->order);
    witnesses->order[0] = slot;
}

int32_t *dd_witness_add(dd_witnesses *witnesses)
{
    if (witnesses->count < witnesses->most) witnesses->count++;
    dd_witness_served(witnesses, witnesses->count - 1);
    witnesses->numbers[witnesses->order[0]] = ++witnesses->last_number;
    return witnesses->heads + (size_t)witnesses->order[0] * witnesses->row;
}

void dd_witness_drop(dd_witnesses *witnesses)
{
    int32_t slot = witnesses->order[0];
    witnesses->count--;
    memmove(witnesses->order, witnesses->order + 1,
            (size_t)witnesses->count * sizeof *witnesses->order);
    witnesses->order[witnesses->count] = slot;
}
