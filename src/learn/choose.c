/* choose.c - what training does where the settings leave it open, and whether they suit each other
 */
#include "core/status.h"
#include "features/templates.h"
#include "learn/training.h"
#include "systems/registry.h"

#include <string.h>

/* Whether the caller's own templates, if any, name the stack. */
static dd_status find_stack(const dd_train_options *options, bool *named, dd_error *error)
{
    dd_templates *templates;
    *named = false;
    if (!options->templates) return DD_OK;
    const char *name = options->templates_name ? options->templates_name : "templates";
    dd_text text = {options->templates, strlen(options->templates)};
    dd_status status = dd_templates_parse(&templates, name, text, error);
    if (status != DD_OK) return status;
    for (int i = 0; i < templates->n_nodes; i++)
        *named |= templates->nodes[i].step == DD_STEP_STACK;
    dd_templates_free(templates);
    return DD_OK;
}

static dd_status check_loss(const dd_training *t, dd_error *error)
{
    char message[DD_LOSS_MESSAGE_SIZE];
    if (dd_system_find_loss(t->system, t->options->loss) >= 0) return DD_OK;
    dd_system_no_such_loss(t->system, t->options->loss, message);
    return dd_fail(error, DD_ERROR_ARGUMENT, "%s", message);
}

static dd_oracle_kind choose_oracle(const dd_train_options *options)
{
    if (options->oracle != DD_ORACLE_AUTO) return options->oracle;
    return options->beam > 1 ? DD_ORACLE_STATIC : DD_ORACLE_DYNAMIC;
}

static dd_pseudo_projective scheme_of(dd_unbuildable how)
{
    switch (how) {
    case DD_UNBUILDABLE_LIFT: return DD_PSEUDO_PROJECTIVE_HEAD_PATH;
    case DD_UNBUILDABLE_LIFT_HEAD: return DD_PSEUDO_PROJECTIVE_HEAD;
    case DD_UNBUILDABLE_LIFT_PATH: return DD_PSEUDO_PROJECTIVE_PATH;
    default: return DD_PSEUDO_PROJECTIVE_NONE;
    }
}

static dd_status choose_for_unbuildable(dd_training *t, dd_error *error)
{
    dd_unbuildable how = t->options->unbuildable;
    t->oracle = choose_oracle(t->options);
    bool whole = t->oracle == DD_ORACLE_STATIC;
    t->scheme = scheme_of(how);
    t->keeps_parts = how != DD_UNBUILDABLE_SKIP && !whole;
    if (how != DD_UNBUILDABLE_PARTIAL || !whole) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT,
                   "unbuildable: partial needs the nondet or dynamic oracle%s",
                   t->options->oracle == DD_ORACLE_AUTO ? "; with a beam, auto is static" : "");
}

/* Heads that are chosen one by one leave nothing to search, to lift or to prescribe. */
static dd_status check_graph(const dd_training *t, dd_error *error)
{
    const dd_train_options *options = t->options;
    const char *name = t->system->name;
    if (!dd_learner_find(options->scorer)->scores_arcs)
        return dd_fail(error, DD_ERROR_ARGUMENT, "system %s needs the scorer neural", name);
    if (options->beam > 1)
        return dd_fail(error, DD_ERROR_ARGUMENT, "system %s finds the best tree without a beam",
                       name);
    if (options->oracle != DD_ORACLE_AUTO)
        return dd_fail(error, DD_ERROR_ARGUMENT, "system %s has no transitions, so no oracle",
                       name);
    if (t->scheme != DD_PSEUDO_PROJECTIVE_NONE)
        return dd_fail(error, DD_ERROR_ARGUMENT, "system %s builds all trees: nothing is lifted",
                       name);
    return DD_OK;
}

/* Trees that no projective system can build; what is no tree will be told of later. */
static dd_status count_nonprojective(dd_training *t, dd_error *error)
{
    const dd_treebank *treebank = t->components.treebank;
    dd_tree_space space = {0};
    dd_tree_fault fault;
    int word;
    bool ok = true, projective;
    for (size_t i = 0; i < treebank->count && ok; i++) {
        const dd_sentence *sentence = treebank->sentences[i];
        ok = dd_tree_check_partial(&space, sentence->gold, sentence->n, &fault, &word);
        if (!ok || fault != DD_TREE_OK) continue;
        ok = dd_tree_partial_is_projective(&space, sentence->gold, sentence->n, &projective);
        t->nonprojective += ok && !projective;
    }
    dd_tree_space_free(&space);
    return ok ? DD_OK : dd_fail_memory(error);
}

/* Where nearly all trees are projective, projective systems make fewer mistakes than those that
 * could build any tree. In docs/results.md the linear covington overtakes arc-eager where three to
 * seven in a hundred trees are not; docs/neural.md has the neural ones. */
static const char *best_system(const dd_training *t)
{
    const dd_learner *learner = dd_learner_find(t->options->scorer);
    bool projective = t->nonprojective * 20 <= t->components.treebank->count;
    const char *best = projective ? learner->projective_system : learner->nonprojective_system;
    return best ? best : "arc-eager";
}

/* Unless one is named, the best one for the treebank, or arc-eager where that one would not do: a
 * beam, trees to be lifted, templates that name the stack, and oracles, are for transition systems
 * with a stack. */
static dd_status choose_system(dd_training *t, dd_error *error)
{
    const dd_train_options *options = t->options;
    bool stack;
    dd_status status = find_stack(options, &stack, error);
    if (status == DD_OK) status = count_nonprojective(t, error);
    if (status != DD_OK) return status;
    bool other = stack || options->beam > 1 || t->scheme != DD_PSEUDO_PROJECTIVE_NONE ||
                 options->oracle != DD_ORACLE_AUTO;
    const char *name = options->system;
    if (!name) name = other ? "arc-eager" : best_system(t);
    t->system = dd_system_or_graph((dd_text){name, strlen(name)});
    return DD_OK;
}

/* The system, and how trees were lifted, are the model's. */
static dd_status choose_as_model(dd_training *t, dd_error *error)
{
    const dd_train_options *options = t->options;
    dd_status status = dd_model_load(&t->start, options->start_from, error);
    if (status != DD_OK) return status;
    t->system = t->start->system;
    if (!t->system || t->start->scorer != dd_learner_find(options->scorer)->scorer)
        return dd_fail(error, DD_ERROR_ARGUMENT, "start-from: %.200s has no %s parser",
                       options->start_from, options->scorer);
    if (options->system && strcmp(options->system, t->system->name) != 0)
        return dd_fail(error, DD_ERROR_ARGUMENT, "start-from: the model's system is %s, not %s",
                       t->system->name, options->system);
    dd_pseudo_projective scheme = t->start->unlift.scheme;
    if (options->unbuildable != DD_UNBUILDABLE_AUTO && scheme != t->scheme)
        return dd_fail(error, DD_ERROR_ARGUMENT, "unbuildable: the model to start from %s",
                       scheme == DD_PSEUDO_PROJECTIVE_NONE ? "lifts no trees"
                                                           : "lifts trees in another way");
    t->scheme = scheme;
    return DD_OK;
}

dd_status dd_training_choose(dd_training *t, dd_error *error)
{
    dd_status status = choose_for_unbuildable(t, error);
    if (status == DD_OK)
        status = t->options->start_from ? choose_as_model(t, error) : choose_system(t, error);
    if (status == DD_OK) status = check_loss(t, error);
    if (status == DD_OK && t->system->arc_factored) status = check_graph(t, error);
    return status == DD_OK ? dd_silver_open(&t->silver, t->options, error) : status;
}
