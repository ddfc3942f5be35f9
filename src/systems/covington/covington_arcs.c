#include "systems/covington/covington_guard.h"

/* The words with which a word will be in focus. */
static void add_open(uint64_t *set, int word, int n, int focus, int front)
{
    dd_bits_add_run(set, word > front ? 1 : front + 1, n);
    if (word == front) dd_bits_add_run(set, 1, focus);
    if (word < front && word <= focus && front <= n) dd_bits_add(set, front);
}

void dd_covington_fill_arcs(dd_arborescence *tree, int focus, int front)
{
    const dd_outlook *outlook = tree->outlook;
    int n = outlook->constraints->n;
    uint64_t *open = tree->reached; /* free until the search */
    dd_arborescence_clear(tree);
    dd_bits_clear(open, tree->row);
    for (int word = 1; word <= n; word++)
        if (outlook->settled[word] == DD_NONE) dd_bits_add(open, word);
    for (int head = 0; head <= n; head++) {
        const uint64_t *allowed = dd_arborescence_allowed(tree, head);
        uint64_t *arcs = dd_arborescence_arcs(tree, head);
        if (head == 0)
            dd_bits_add_run(arcs, 1, n);
        else
            add_open(arcs, head, n, focus, front);
        for (size_t i = 0; i < tree->row; i++) arcs[i] &= allowed[i] & open[i];
    }
    for (int word = 1; word <= n; word++)
        if (outlook->settled[word] != DD_NONE)
            dd_bits_add(dd_arborescence_arcs(tree, outlook->settled[word]), word);
}

/* SH is kind 0 and NA kind 1 in both systems. */
bool dd_covington_passes(const dd_witnesses *witnesses, const dd_config *config, dd_move move)
{
    if (move.kind != 1) return false;
    const int32_t *heads = dd_witness_find(witnesses, config->guard_state);
    return heads && heads[config->focus] != config->front && heads[config->front] != config->focus;
}
