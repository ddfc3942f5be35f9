#include "transition/system.h"

#include "core/status.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool dd_system_begin(const dd_system *system, dd_config *config, int n, bool single_root)
{
    if (!dd_config_reset(config, n, system->root_last, single_root)) return false;
    if (system->start) system->start(config);
    return true;
}

int dd_system_max_moves(const dd_system *system, int n)
{
    return system->moves.most ? system->moves.most(n) : system->n_rules;
}

int dd_system_permissible(const dd_system *system, const dd_config *config, dd_move *moves)
{
    int count = 0;
    if (system->final(config)) return 0;
    if (system->moves.permissible) return system->moves.permissible(config, moves);
    for (int kind = 0; kind < system->n_rules; kind++)
        if (system->rules[kind].legal(config)) moves[count++] = (dd_move){kind, 0};
    return count;
}

dd_arc dd_system_arc(const dd_system *system, const dd_config *config, dd_move move)
{
    if (system->moves.arc) return system->moves.arc(config, move);
    const dd_move_rule *rule = &system->rules[move.kind];
    return rule->arc ? rule->arc(config) : (dd_arc){DD_NONE, DD_NONE};
}

void dd_system_candidates(const dd_system *system, const dd_config *config, const dd_move *moves,
                          int n_moves, dd_candidate *arcs)
{
    if (system->moves.candidates) {
        system->moves.candidates(config, moves, n_moves, arcs);
        return;
    }
    for (int m = 0; m < n_moves; m++) {
        dd_arc arc = dd_system_arc(system, config, moves[m]);
        arcs[m] = (dd_candidate){.head = arc.head, .dependent = arc.dependent};
    }
}

void dd_system_apply(const dd_system *system, dd_config *config, dd_move move, int label)
{
    if (system->moves.apply) {
        system->moves.apply(config, move, label);
        return;
    }
    dd_arc arc = dd_system_arc(system, config, move);
    if (arc.dependent != DD_NONE) dd_add_arc(config, arc.head, arc.dependent, label);
    system->rules[move.kind].advance(config);
}

/* The smallest loss over all moves is the loss of the configuration itself. */
static void losses_to_costs(int *losses, int n)
{
    int least = INT_MAX;
    for (int m = 0; m < n; m++)
        if (losses[m] < least) least = losses[m];
    for (int m = 0; m < n; m++) losses[m] -= least;
}

bool dd_system_costs(const dd_system *system, dd_loss_space *space, const dd_config *config,
                     const dd_gold *gold, const dd_move *moves, int n_moves, int *costs)
{
    if (system->oracle.losses) {
        if (!system->oracle.losses(space, config, gold, moves, n_moves, costs)) return false;
        losses_to_costs(costs, n_moves);
        return true;
    }
    for (int m = 0; m < n_moves; m++) costs[m] = system->rules[moves[m].kind].cost(config, gold);
    return true;
}

int dd_wrong_arcs(const dd_config *config, const dd_gold *gold)
{
    int wrong = 0;
    for (int word = 1; word <= config->n; word++)
        wrong += dd_gold_cost(gold, word,
                              !dd_headless(config, word) &&
                                  dd_gold_rejects(gold, config->nodes[word].head, word));
    return wrong;
}

void dd_system_move_name(const dd_system *system, dd_move move, char name[DD_MOVE_NAME_SIZE])
{
    const char *kind = system->rules[move.kind].name;
    if (move.k)
        snprintf(name, DD_MOVE_NAME_SIZE, "%s@%d", kind, move.k);
    else
        snprintf(name, DD_MOVE_NAME_SIZE, "%s", kind);
}

int dd_system_find_loss(const dd_system *system, const char *name)
{
    if (!name) return 0;
    for (int i = 0; system->oracle.loss_names && system->oracle.loss_names[i]; i++)
        if (strcmp(system->oracle.loss_names[i], name) == 0) return i;
    return -1;
}

void dd_system_no_such_loss(const dd_system *system, const char *name,
                            char message[DD_LOSS_MESSAGE_SIZE])
{
    size_t size = dd_print_message(message, DD_LOSS_MESSAGE_SIZE,
                                   "%s has no loss '%.100s'; it has %s", system->name, name,
                                   system->oracle.loss_names ? "" : "only one, the exact one");
    for (int i = 0; system->oracle.loss_names && system->oracle.loss_names[i]; i++)
        size += dd_print_message(message + size, DD_LOSS_MESSAGE_SIZE - size, "%s%s",
                                 i > 0 ? ", " : "", system->oracle.loss_names[i]);
}

dd_direction dd_system_direction(const dd_system *system, int head, int dependent)
{
    if (head == 0) return system->root_last ? DD_LEFT_ARC : DD_RIGHT_ARC;
    return dependent < head ? DD_LEFT_ARC : DD_RIGHT_ARC;
}

void dd_loss_space_free(dd_loss_space *space)
{
    free(space->memory);
    *space = (dd_loss_space){0};
}

const char *dd_refuse_nonprojective(const dd_gold *gold, bool single_root)
{
    if (!gold->projective) return "non-projective tree";
    return dd_refuse_several_roots(gold, single_root);
}

const char *dd_refuse_several_roots(const dd_gold *gold, bool single_root)
{
    return single_root && gold->roots > 1 ? "several roots" : NULL;
}

bool dd_keep_first_root(dd_loss_space *space, const dd_gold *gold, bool single_root, int32_t *heads)
{
    (void)space;
    for (int word = 1; word <= gold->n; word++) {
        bool second = single_root && gold->heads[word] == 0 && word != gold->root;
        heads[word] = second ? DD_NONE : gold->heads[word];
    }
    return true;
}
