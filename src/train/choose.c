/* choose.c - what training does where the settings leave it open, whether they suit each other, and
 * how long it will take */
#include "core/status.h"
#include "core/strings.h"
#include "linear/templates.h"
#include "segment/running_text.h"
#include "systems/registry.h"
#include "train/training.h"

#include <string.h>

/* ---- the system ------------------------------------------------------------------------------ */

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
    bool one_path = t->oracle == DD_ORACLE_STATIC;
    t->scheme = scheme_of(how);
    t->keeps_parts = how != DD_UNBUILDABLE_SKIP && !one_path;
    t->takes_whole = how == DD_UNBUILDABLE_WHOLE;
    if (t->options->soft && one_path)
        return dd_fail(error, DD_ERROR_ARGUMENT, "soft: needs the nondet or dynamic oracle");
    if ((how != DD_UNBUILDABLE_PARTIAL && !t->takes_whole) || !one_path) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT, "unbuildable: %s needs the nondet or dynamic oracle%s",
                   t->takes_whole ? "whole" : "partial",
                   t->options->oracle == DD_ORACLE_AUTO ? "; with a beam, auto is static" : "");
}

/* Silver trees with probabilities have weights of their own. */
static dd_status check_whole(const dd_training *t, dd_error *error)
{
    if (!t->takes_whole) return DD_OK;
    if (!t->system->oracle.best)
        return dd_fail(error, DD_ERROR_ARGUMENT,
                       "unbuildable: %s has no loss against trees that it cannot build",
                       t->system->name);
    if (!t->options->silver_probabilities) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT,
                   "unbuildable: whole and silver-probabilities cannot be combined");
}

static dd_status check_soft(const dd_training *t, dd_error *error)
{
    if (!t->options->soft) return DD_OK;
    if (!t->system->oracle.best)
        return dd_fail(error, DD_ERROR_ARGUMENT,
                       "soft: %s has no loss against probabilities of heads", t->system->name);
    if (!t->options->silver_probabilities) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT, "soft: cannot be combined with silver-probabilities");
}

static dd_status fail_scorer(const char *system, dd_error *error)
{
    for (size_t i = 0; dd_learners[i]; i++)
        if (dd_learners[i]->scores_arcs)
            return dd_fail(error, DD_ERROR_ARGUMENT, "system %s needs the scorer %s", system,
                           dd_learners[i]->name);
    return dd_fail(error, DD_ERROR_ARGUMENT, "system %s needs a scorer of arcs", system);
}

/* Heads that are chosen one by one leave nothing to search, to lift or to prescribe. */
static dd_status check_graph(const dd_training *t, dd_error *error)
{
    const dd_train_options *options = t->options;
    const char *name = t->system->name;
    if (!dd_learner_find(options->scorer)->scores_arcs) return fail_scorer(name, error);
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

/* Counts the trees that no projective system can build; sentences that are not trees are reported
 * later. */
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
 * beam, trees to be lifted or taken whole, probabilities, templates that name the stack, and
 * oracles, are for transition systems with a stack. */
static dd_status choose_system(dd_training *t, dd_error *error)
{
    const dd_train_options *options = t->options;
    bool stack;
    dd_status status = find_stack(options, &stack, error);
    if (status == DD_OK) status = count_nonprojective(t, error);
    if (status != DD_OK) return status;
    bool other = stack || options->beam > 1 || t->scheme != DD_PSEUDO_PROJECTIVE_NONE ||
                 t->takes_whole || options->soft || options->oracle != DD_ORACLE_AUTO;
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

static dd_status check_weights(const dd_training *t, dd_error *error)
{
    if (!t->options->silver_probabilities || t->system->oracle.weighs_arcs) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT,
                   "silver-probabilities: the losses of %s count arcs and cannot weigh them",
                   t->system->name);
}

dd_status dd_training_choose(dd_training *t, dd_error *error)
{
    dd_status status = choose_for_unbuildable(t, error);
    if (status == DD_OK)
        status = t->options->start_from ? choose_as_model(t, error) : choose_system(t, error);
    if (status == DD_OK) status = check_loss(t, error);
    if (status == DD_OK) status = check_weights(t, error);
    if (status == DD_OK) status = check_whole(t, error);
    if (status == DD_OK) status = check_soft(t, error);
    if (status == DD_OK && t->system->arc_factored) status = check_graph(t, error);
    return status == DD_OK ? dd_silver_open(&t->silver, t->options, error) : status;
}

/* ---- components ------------------------------------------------------------------------------ */

/* ---- what there is to learn from ---------------------------------------------------------- */

static bool has_columns(const dd_sentence *sentence, dd_column first, dd_column last)
{
    for (int word = 1; word <= sentence->n; word++)
        for (int column = (int)first; column <= (int)last; column++)
            if (!dd_text_is(dd_cell(sentence, word, (dd_column)column), "_")) return true;
    return false;
}

/* Of the components other than the parser. */
static dd_status find_components(const dd_treebank *treebank, uint32_t *found, dd_error *error)
{
    dd_text_layout layout = {0};
    bool ok = true;
    *found = 0;
    for (size_t i = 0; i < treebank->count && ok; i++) {
        const dd_sentence *sentence = treebank->sentences[i];
        if (!(*found & DD_TAGGER) && has_columns(sentence, DD_UPOS, DD_FEATS)) *found |= DD_TAGGER;
        if (!(*found & DD_LEMMATIZER) && has_columns(sentence, DD_LEMMA, DD_LEMMA))
            *found |= DD_LEMMATIZER;
        if (*found & DD_TOKENIZER) continue;
        ok = dd_text_layout_set(&layout, sentence);
        if (ok && dd_text_layout_tells_spaces(&layout)) *found |= DD_TOKENIZER;
    }
    dd_text_layout_free(&layout);
    return ok ? DD_OK : dd_fail_memory(error);
}

enum { FOLDS = 5 };

/* As many as usual, or one for each sentence; a single sentence makes none. */
static int choose_folds(const dd_components *components, const dd_train_options *options)
{
    uint32_t trained = options->components & ~options->taken;
    bool needed = trained & DD_TAGGER && (trained & DD_PARSER || options->jackknifed_path);
    size_t sentences = components->treebank->count;
    if (options->jackknife != DD_FOLDS_AUTO) return options->jackknife;
    if (!needed || sentences < 2) return DD_FOLDS_NONE;
    return sentences < FOLDS ? (int)sentences : FOLDS;
}

dd_status dd_training_choose_components(dd_training *t, dd_train_options *options, dd_error *error)
{
    uint32_t found = 0;
    dd_status status = DD_OK;
    if (options->as_treebank_allows) {
        status = find_components(t->components.treebank, &found, error);
        t->impossible = options->components & ~(found | DD_PARSER);
        options->components &= ~t->impossible;
    }
    if (status == DD_OK && options->components_from)
        status = dd_components_take(&t->components, options, error);
    if (status == DD_OK) status = dd_components_read_lists(&t->components, options, error);
    options->jackknife = choose_folds(&t->components, options);
    return status;
}

/* ---- time --------------------------------------------------------------------------------- */

/* Words a second that one core of a processor of 2021 learns from, in one iteration. */
static const double lemmatizer_pace = 1e6, unknown_pace = 50e3;

static double fold_tagger_seconds(const dd_train_options *options, double words, double tagger)
{
    const dd_tagger_kind *quick = dd_components_tagger(options)->folds;
    return quick ? words * quick->iterations / quick->pace(&options->network, words) : tagger;
}

static double tagger_seconds(const dd_train_options *options, double words)
{
    dd_network_options network = dd_components_tagger_network(options);
    words *= options->tagger_silver ? 1 + options->silver_weight : 1;
    double pace = dd_components_tagger(options)->pace(&network, words);
    return words * dd_components_tagger_iterations(options) / pace;
}

static double parser_seconds(const dd_training *t, double words)
{
    const dd_train_options *options = t->options;
    words *= options->silver ? 1 + options->silver_weight : 1;
    const dd_learner *learner = dd_learner_find(options->scorer);
    double pace = learner->pace ? learner->pace(options, t->system, words) : unknown_pace;
    return words * options->iterations * options->beam / pace;
}

/* Sets how long each stage will take. */
static void estimate(const dd_training *t, dd_train_plan *plan)
{
    const dd_train_options *options = t->options;
    double words = (double)t->components.treebank->words;
    uint32_t trained = options->components & ~options->taken;
    int folds = options->jackknife;
    const dd_segmenter_kind *tokenizer = dd_components_segmenter(options);
    dd_lemmatizer_options lemmatizer;
    dd_lemmatizer_options_init(&lemmatizer);
    if (trained & DD_TOKENIZER)
        plan->tokenizer_seconds =
            words * dd_segmenter_kind_cost(
                        tokenizer, t->components.treebank->count,
                        dd_segmenter_kind_iterations(tokenizer, t->components.treebank->words));
    if (trained & DD_LEMMATIZER)
        plan->lemmatizer_seconds = words * lemmatizer.iterations / lemmatizer_pace;
    if (trained & DD_TAGGER) {
        double tagger = tagger_seconds(options, words);
        bool shares = dd_components_tagger(options)->shares;
        double fold = fold_tagger_seconds(options, words, tagger);
        plan->tagger_seconds = shares ? tagger / options->threads : tagger;
        if (folds > DD_FOLDS_NONE) plan->folds_seconds = fold * (folds - 1) / options->threads;
    }
    if (trained & DD_PARSER) plan->parser_seconds = parser_seconds(t, words);
    plan->seconds = plan->tokenizer_seconds + plan->tagger_seconds + plan->lemmatizer_seconds +
                    plan->folds_seconds + plan->parser_seconds;
}

void dd_training_tell_plan(const dd_training *t)
{
    const dd_train_options *options = t->options;
    const dd_treebank *treebank = t->components.treebank;
    bool parser = options->components & DD_PARSER;
    dd_train_plan plan = {
        .components = options->components & ~options->taken,
        .impossible = t->impossible,
        .folds = options->jackknife > DD_FOLDS_NONE ? options->jackknife : 0,
        .sentences = treebank->count,
        .words = treebank->words,
        .nonprojective = t->nonprojective,
        .system = parser ? t->system->name : NULL,
        .scorer = parser ? options->scorer : NULL,
        .chosen = parser && !options->system && !options->start_from,
    };
    estimate(t, &plan);
    if (options->plan) options->plan(options->user, &plan);
}
