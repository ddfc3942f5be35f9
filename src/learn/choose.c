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
    if (strcmp(dd_learner_find(options->scorer)->name, "neural") != 0)
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

/* Unless one is named: the system with the best mean over all treebanks of docs/results.md, or the
 * fastest where that one would not do: it gains nothing from a beam, has nothing to lift and no
 * stack. */
static dd_status choose_system(dd_training *t, dd_error *error)
{
    const dd_train_options *options = t->options;
    bool stack;
    dd_status status = find_stack(options, &stack, error);
    if (status != DD_OK) return status;
    bool other = stack || options->beam > 1 || t->scheme != DD_PSEUDO_PROJECTIVE_NONE;
    const char *name = options->system ? options->system : other ? "arc-eager" : "covington";
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
