/* fine_tune.c - learning that goes on where a model ends: its symbols and network instead of new
 * ones. What Adam had gathered and the last weights, of which the model has a mean, are gone. */
#include "learn/neural/neural_parts.h"
#include "learn/neural/shard_parts.h"
#include "learn/neural/thaw.h"

#include <string.h>

/* A model of an older version may look at other nodes than the system's do now. */
static dd_status take_slots(dd_neural *l, const dd_sections *from, dd_error *error)
{
    if (!dd_sections_find(from, "slots", &l->slot_names))
        return dd_fail(error, DD_ERROR_MODEL, "a section is missing");
    dd_slots_free(&l->slots);
    return dd_slots_read(&l->slots, l->slot_names, error);
}

/* The network and its symbols. The model's scorer has looked at them when it was loaded. */
static dd_status take_over(dd_neural *l, const dd_descent_plan *plan, const dd_sections *from,
                           dd_frozen *frozen, dd_error *error)
{
    const dd_network_names names = {"network", "symbols"};
    dd_descent *d = &l->descent;
    dd_status status = take_slots(l, from, error);
    if (status == DD_OK)
        status = dd_frozen_find(frozen, &d->coder, from, &names, plan->columns, error);
    if (status != DD_OK) return status;
    bool ok = dd_codes_set(&d->codes, &d->coder, plan->sentences, plan->count);
    return ok ? DD_OK : dd_fail_memory(error);
}

static dd_status take_sizes(dd_neural *l, const dd_frozen_header *header, dd_network_shape *shape,
                            dd_error *error)
{
    if (!dd_network_shape_of(header, shape))
        return dd_fail(error, DD_ERROR_ARGUMENT, "start-from: the network is too large");
    shape->labels = l->inventory->labels.count;
    l->own.layers = shape->layers;
    l->own.width = shape->width;
    l->own.hidden = shape->hidden;
    return DD_OK;
}

dd_status dd_neural_fine_tune(dd_neural *l, const dd_descent_plan *plan, const dd_sections *from,
                              dd_error *error)
{
    dd_frozen frozen;
    dd_network_shape shape;
    dd_descent *d = &l->descent;
    dd_status status = take_over(l, plan, from, &frozen, error);
    if (status == DD_OK) status = take_sizes(l, &frozen.header, &shape, error);
    if (status == DD_OK) status = dd_neural_check_labels(&shape, error);
    if (status == DD_OK) status = dd_descent_start(d, plan, &shape, &l->vectors, error);
    if (status != DD_OK) return status;
    if (!dd_network_thaw(&d->network, &frozen, d->weights)) return dd_fail_memory(error);
    memcpy(d->adam.average, d->weights, d->network.whole * sizeof *d->weights);
    return DD_OK;
}
