#include "core/memory.h"
#include "tag/tagger_parts.h"

#include <stdlib.h>

void dd_tag_network_free(dd_tag_network *network)
{
    if (!network) return;
    dd_coder_free(&network->coder);
    free(network);
}

static dd_status find(dd_tag_network *n, const dd_sections *sections, int parts, dd_error *error)
{
    const dd_network_names names = {"tagger-network", "tagger-symbols"};
    dd_status status =
        dd_frozen_find(&n->frozen, &n->coder, sections, &names, 1u << DD_FORM, error);
    if (status != DD_OK) return status;
    if (n->frozen.header.slots != 1 || n->frozen.header.outputs != (uint32_t)parts)
        return dd_fail(error, DD_ERROR_MODEL, "the tagger's network does not fit its tags");
    return DD_OK;
}

dd_status dd_tag_network_find(dd_tag_network **out, const dd_sections *sections, int parts,
                              dd_error *error)
{
    dd_tag_network *network = dd_calloc(1, sizeof *network);
    if (!network) return dd_fail_memory(error);
    network->kernels = dd_kernels_best();
    dd_status status = find(network, sections, parts, error);
    if (status == DD_OK)
        *out = network;
    else
        dd_tag_network_free(network);
    return status;
}

void dd_tag_network_space_free(dd_tag_network_space *space)
{
    if (!space) return;
    dd_codes_free(&space->codes);
    dd_network_run_free(&space->run);
    free(space->units);
    free(space);
}

bool dd_tag_network_space_new(dd_tag_network_space **out, const dd_tag_network *network)
{
    dd_tag_network_space *space = dd_calloc(1, sizeof *space);
    if (!space) return false;
    dd_network_run_start(&space->run, &network->frozen, network->kernels);
    space->units = dd_calloc(network->frozen.header.hidden, sizeof *space->units);
    if (!space->units) {
        dd_tag_network_space_free(space);
        return false;
    }
    *out = space;
    return true;
}

bool dd_tag_network_read(const dd_tag_network *network, dd_tag_network_space *space,
                         const dd_sentence *const *sentences, size_t count)
{
    return dd_codes_set(&space->codes, &network->coder, sentences, count) &&
           dd_network_run_encode(&space->run, &space->codes);
}

/* A tag has as many parts as its features and three. */
enum { MOST_SCORE = INT32_MAX / (DD_MAX_FEATURES + 3), COARSER = 16 };

void dd_tag_network_score(dd_tag_network_space *space, int sentence, int word, int32_t *scores)
{
    dd_network_run_outputs(&space->run, sentence, &word, space->units, scores);
    for (uint32_t i = 0; i < space->run.frozen->header.outputs; i++) {
        int32_t score = scores[i] / COARSER;
        scores[i] = score > MOST_SCORE ? MOST_SCORE : score < -MOST_SCORE ? -MOST_SCORE : score;
    }
}
