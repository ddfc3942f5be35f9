/* arcs.c - which arcs are right, by length and projectivity (McDonald and Nivre 2007,
 * "Characterizing the errors of data-driven dependency parsing models") */
#include "core/memory.h"
#include "core/status.h"
#include "text/sentence.h"
#include "tree/tree.h"

#include <stdlib.h>

static dd_status check_tree(dd_tree_space *space, const int32_t *heads, int n, const char *which,
                            dd_error *error)
{
    dd_tree_fault fault;
    int word;
    if (!dd_tree_check(space, heads, n, &fault, &word)) return dd_fail_memory(error);
    if (fault == DD_TREE_OK) return DD_OK;
    return dd_fail(error, DD_ERROR_DATA, "the %s heads are not a tree: %s", which,
                   dd_tree_fault_text(fault));
}

static int length_of(int head, int dependent)
{
    int length = head == 0 ? 0 : abs(head - dependent);
    return length < DD_ARC_LENGTHS ? length : DD_ARC_LENGTHS - 1;
}

static void add_arcs(dd_arc_counts *counts, const dd_sentence *s, const bool *gold_strays,
                     const bool *system_strays)
{
    for (int word = 1; word <= s->n; word++) {
        bool right = s->gold[word] == s->heads[word];
        dd_arc_count *gold = &counts->length[length_of(s->gold[word], word)];
        dd_arc_count *system = &counts->length[length_of(s->heads[word], word)];
        gold->gold++;
        gold->found += right;
        system->system++;
        system->right += right;
        gold = gold_strays[word] ? &counts->nonprojective : &counts->projective;
        system = system_strays[word] ? &counts->nonprojective : &counts->projective;
        gold->gold++;
        gold->found += right;
        system->system++;
        system->right += right;
    }
}

dd_status dd_arc_counts_add(dd_arc_counts *counts, const dd_sentence *parsed, dd_error *error)
{
    dd_tree_space space = {0};
    size_t nodes = (size_t)parsed->n + 1;
    int arcs;
    bool *strays = dd_calloc(2 * nodes, sizeof *strays);
    dd_status status = strays ? DD_OK : dd_fail_memory(error);
    if (status == DD_OK) status = check_tree(&space, parsed->gold, parsed->n, "gold", error);
    if (status == DD_OK) status = check_tree(&space, parsed->heads, parsed->n, "system's", error);
    if (status == DD_OK &&
        (!dd_tree_mark_nonprojective(&space, parsed->gold, parsed->n, strays, &arcs) ||
         !dd_tree_mark_nonprojective(&space, parsed->heads, parsed->n, strays + nodes, &arcs)))
        status = dd_fail_memory(error);
    if (status == DD_OK) add_arcs(counts, parsed, strays, strays + nodes);
    free(strays);
    dd_tree_space_free(&space);
    return status;
}
