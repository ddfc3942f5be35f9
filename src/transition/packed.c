#include "transition/packed.h"

enum { FRONT, FOCUS, NODES };

static int32_t pack_node(int head, bool on_stack)
{
    return 2 * (head + 1) + on_stack;
}

void dd_config_pack(const dd_config *config, int32_t *packed)
{
    packed[FRONT] = config->front;
    packed[FOCUS] = config->focus;
    for (int node = 0; node <= config->n; node++)
        packed[NODES + node] = pack_node(config->nodes[node].head, config->nodes[node].on_stack);
}

void dd_packed_forget_head(int32_t *packed, int word)
{
    packed[NODES + word] = pack_node(0, packed[NODES + word] & 1);
}

/* Arcs first, in the order of dependents, so that the stack knows who is headless and each head its
 * outermost dependents. */
void dd_config_unpack(dd_config *config, const int32_t *packed)
{
    int n = config->n;
    (void)dd_config_reset(config, n, config->root_last, config->single_root);
    config->front = packed[FRONT];
    config->focus = packed[FOCUS];
    for (int word = 1; word <= n; word++) {
        int head = packed[NODES + word] / 2 - 1;
        if (head != DD_NONE) dd_add_arc(config, head, word, 0);
    }
    for (int node = 0; node <= n; node++)
        if (packed[NODES + node] & 1) dd_push(config, node);
}
