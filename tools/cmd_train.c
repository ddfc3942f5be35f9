/* cmd_train.c - trains a model; Ctrl-C ends training early and keeps what was learnt. */
#include "cmd.h"
#include "input.h"
#include "message.h"
#include "progress.h"
#include "suggest.h"
#include "textfile.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A signal handler can reach nothing else than a variable of the file. */
static volatile sig_atomic_t interrupted;

typedef struct arguments {
    const char *system, *loss, *templates, *dev, *licence, *output;
    int oracle, update, single_root, pseudo_projective, format;
    double explore, prune;
    int64_t explore_from, beam, margin, iterations, seed, jackknife, threads, tagger_bytes,
        lemmatizer_bytes, parser_bytes;
    const char *only;
    uint32_t components; /* told by `only` */
    bool skip_bad, verbose, quiet;
} arguments;

/* In the order of dd_oracle_kind, dd_update, dd_single_root and dd_pseudo_projective. */
static const char *const oracles[] = {"static", "nondet", "dynamic", "auto", NULL};
static const char *const updates[] = {"max-violation", "early", NULL};
static const char *const root_rules[] = {"auto", "no", "yes", NULL};
/* In the order of the bits of dd_component. */
static const char *const component_names[] = {"tokenizer", "tagger", "lemmatizer", "parser"};
static const char *const schemes[] = {"none", "head", "path", "head+path", NULL};

#define AT(field) offsetof(arguments, field)
/* clang-format off */
static const option options[] = {
    {.name = "output", .letter = 'o', .kind = OPTION_STRING, .target = AT(output),
     .value = "MODEL", .required = true, .help = "where to save the model"},
    {.name = "only", .kind = OPTION_STRING, .target = AT(only), .value = "LIST",
     .preset = "parser",
     .help = "what to train: any of tokenizer, tagger, lemmatizer and parser, with commas between "
             "them, or all"},
    {.name = "jackknife", .kind = OPTION_WHOLE, .target = AT(jackknife), .value = "N", .low = 2,
     .high = 1000,
     .help = "with a tagger, train the parser on tags and lemmas as they are predicted: those of "
             "each of N folds by a tagger trained on the others; preset: on the treebank's own"},
    {.name = "threads", .kind = OPTION_WHOLE, .target = AT(threads), .value = "N",
     .low = 1, .high = DD_MAX_THREADS, .preset = "1",
     .help = "threads that train the folds of --jackknife; the model is the same"},
    {.name = "tagger-bytes", .kind = OPTION_WHOLE, .target = AT(tagger_bytes), .value = "N",
     .low = 1, .high = INT64_MAX,
     .help = "size of the tagger's weights, about; the smallest are left out"},
    {.name = "lemmatizer-bytes", .kind = OPTION_WHOLE, .target = AT(lemmatizer_bytes),
     .value = "N", .low = 1, .high = INT64_MAX, .help = "the same of the lemmatizer"},
    {.name = "parser-bytes", .kind = OPTION_WHOLE, .target = AT(parser_bytes), .value = "N",
     .low = 1, .high = INT64_MAX,
     .help = "the same of the parser; half of the iterations make up for what is left out; "
             "preset: 4000000, or 40 a word of training if that is more; no limit with a beam"},
    OPTION_ROW_SYSTEM(AT(system), NULL,
                      "transition system, see 'dodona systems'; preset: covington, or arc-eager "
                      "with --beam, --pseudo-projective or templates that name the stack"),
    {.name = "oracle", .kind = OPTION_CHOICE, .target = AT(oracle), .value = "ORACLE",
     .preset = "auto", .choices = oracles,
     .help = "what to learn from: one transition on the gold path, all of cost 0 there, or all of "
             "cost 0 in any configuration; auto is dynamic, and static with a beam"},
    OPTION_ROW_LOSS(AT(loss)),
    {.name = "explore", .kind = OPTION_REAL, .target = AT(explore), .value = "P", .preset = "1",
     .low = 0, .high = 1,
     .help = "probability of following a wrong prediction, with the dynamic oracle"},
    {.name = "explore-from", .kind = OPTION_WHOLE, .target = AT(explore_from), .value = "K",
     .preset = "1", .low = 1, .high = 1000000, .help = "first iteration that explores"},
    {.name = "beam", .kind = OPTION_WHOLE, .target = AT(beam), .value = "N", .preset = "1",
     .low = 1, .high = DD_MAX_BEAM,
     .help = "derivations kept side by side; above 1 training learns from whole derivations and "
             "does not explore, and the model parses with this beam"},
    {.name = "update", .kind = OPTION_CHOICE, .target = AT(update), .value = "UPDATE",
     .preset = "max-violation", .choices = updates,
     .help = "with a beam, compare derivations up to where the wrong one leads by most, or where "
             "no right one is left"},
    {.name = "margin", .kind = OPTION_WHOLE, .target = AT(margin), .value = "M",
     .preset = "50", .low = 0, .high = DD_MAX_MARGIN,
     .help = "with a beam, by how much a right derivation shall lead for each wrong arc of another; "
             "0 for the plain perceptron"},
    {.name = "prune", .kind = OPTION_REAL, .target = AT(prune), .value = "P", .preset = "1.5",
     .low = 0, .high = DD_MAX_PRUNE,
     .help = "leave features out of the model none of whose weights reaches P per cent of the "
             "largest"},
    {.name = "iterations", .kind = OPTION_WHOLE, .target = AT(iterations), .value = "N",
     .preset = "10", .low = 1, .high = 1000000, .help = "passes over the training data"},
    OPTION_ROW_SEED(AT(seed), "seed; the same seed and data give the same model bytes"),
    {.name = "single-root", .kind = OPTION_CHOICE, .target = AT(single_root), .value = "RULE",
     .preset = "auto", .choices = root_rules,
     .help = "whether exactly one word may depend on 0; auto asks the training data"},
    {.name = "pseudo-projective", .kind = OPTION_CHOICE, .target = AT(pseudo_projective),
     .value = "SCHEME", .preset = "none", .choices = schemes,
     .help = "lift arcs until the system can build a tree, note it in the labels by this scheme, "
             "and undo it after parsing"},
    {.name = "templates", .kind = OPTION_STRING, .target = AT(templates), .value = "FILE|SET",
     .help = "feature templates in place of the system's own: a file, or a set that 'dodona "
             "templates' lists"},
    {.name = "dev", .kind = OPTION_STRING, .target = AT(dev), .value = "FILE",
     .help = "score each iteration on this treebank and keep the best one"},
    {.name = "licence", .kind = OPTION_STRING, .target = AT(licence), .value = "TEXT",
     .help = "licence of the data, kept in the model"},
    OPTION_ROW_FORMAT(AT(format)),
    OPTION_ROW_SKIP_BAD(AT(skip_bad)),
    OPTION_ROW_VERBOSE(AT(verbose), "name each sentence that is skipped"),
    OPTION_ROW_QUIET(AT(quiet)),
};
/* clang-format on */
#undef AT

typedef struct training {
    const arguments *args;
    progress show;
} training;

static void interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

/* Only once the data is read: until then there is nothing to keep. A second Ctrl-C meets the
 * default action and ends the program at once. */
static void catch_interrupt(void)
{
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

static void on_data(void *user, const dd_train_data *data)
{
    const training *state = user;
    if (!state->args->quiet) progress_data(data, state->args->verbose);
    catch_interrupt();
}

static void on_skipped(void *user, const char *file, uint64_t line, dd_text id, const char *reason)
{
    (void)user;
    say("%s:%llu: sentence %.*s skipped: %s", file, (unsigned long long)line, (int)id.size, id.data,
        reason);
}

static void on_bad(void *user, const dd_error *error)
{
    (void)user;
    say_warning("%s", error->message);
}

static bool on_report(void *user, const dd_train_progress *now)
{
    training *state = user;
    progress_show(&state->show, now, state->args->quiet);
    return !interrupted;
}

static const char *name_of(dd_component component)
{
    int at = 0;
    while (component >> at != 1) at++;
    return component_names[at];
}

static bool on_component_report(void *user, const dd_component_progress *now)
{
    training *state = user;
    progress_component(&state->show, name_of(now->component), now);
    return true;
}

static void on_component(void *user, dd_component which, double seconds)
{
    training *state = user;
    progress_clear(&state->show);
    fprintf(stderr, "%s trained in %.1f s\n", name_of(which), seconds);
}

static void on_jackknifed(void *user, double seconds)
{
    training *state = user;
    progress_clear(&state->show);
    fprintf(stderr, "tags of %d folds predicted in %.1f s\n", (int)state->args->jackknife, seconds);
}

/* An hour of training must not be lost to a mistyped folder. */
static int check_output(const char *path)
{
    if (strcmp(path, "-") == 0)
        return say_usage("train", "a model cannot be written to standard output");
    const char *problem = path_problem(path);
    if (!problem) return STATUS_OK;
    say("%s: cannot be written: %s", path, problem);
    return STATUS_PROBLEM;
}

/* The component of that name as a bit of dd_component; 0: there is none. */
static uint32_t find_component(const char *name, size_t size)
{
    if (size == 3 && memcmp(name, "all", 3) == 0) return DD_ALL_COMPONENTS;
    for (uint32_t i = 0; i < 4; i++)
        if (strlen(component_names[i]) == size && memcmp(component_names[i], name, size) == 0)
            return UINT32_C(1) << i;
    return 0;
}

static int bad_component(const char *name, size_t size)
{
    suggestion nearest = suggest_for(name, size);
    for (int i = 0; i < 4; i++) suggest_consider(&nearest, component_names[i]);
    return say_usage("train",
                     "option '--only': '%.*s' is not one of tokenizer, tagger, lemmatizer, parser, "
                     "all%s%s%s",
                     (int)size, name, nearest.nearest ? "; did you mean '" : "",
                     nearest.nearest ? nearest.nearest : "", nearest.nearest ? "'?" : "");
}

static int read_components(arguments *args)
{
    for (const char *at = args->only;; at++) {
        size_t size = strcspn(at, ",");
        uint32_t found = find_component(at, size);
        if (!found) return bad_component(at, size);
        args->components |= found;
        at += size;
        if (!*at) break;
    }
    if (args->jackknife && (~args->components & (DD_TAGGER | DD_PARSER)))
        return say_usage("train", "option '--jackknife' needs '--only' with tagger and parser");
    return STATUS_OK;
}

static int check_arguments(const command *self, arguments *args, const operands *files)
{
    args->components = 0;
    int status = read_components(args);
    if (status == STATUS_OK) status = input_check(self, files, args->dev, args->output);
    return status == STATUS_OK ? check_output(args->output) : status;
}

static void fill_options(dd_train_options *options_of_training, const arguments *args,
                         training *state)
{
    dd_train_options *o = options_of_training;
    dd_train_options_init(o);
    o->system = args->system;
    o->oracle = (dd_oracle_kind)args->oracle;
    o->loss = args->loss;
    o->explore = args->explore;
    o->explore_from = (int)args->explore_from;
    o->beam = (int)args->beam;
    o->update = (dd_update)args->update;
    o->margin = (int)args->margin;
    o->prune = args->prune;
    o->iterations = (int)args->iterations;
    o->seed = (uint64_t)args->seed;
    o->single_root = (dd_single_root)args->single_root;
    o->pseudo_projective = (dd_pseudo_projective)args->pseudo_projective;
    o->templates_name = args->templates;
    o->licence = args->licence;
    o->format = (dd_format)args->format;
    o->skip_bad = args->skip_bad;
    o->components = args->components;
    o->jackknife = (int)args->jackknife;
    o->threads = (int)args->threads;
    o->tagger_bytes = (size_t)args->tagger_bytes;
    o->lemmatizer_bytes = (size_t)args->lemmatizer_bytes;
    o->parser_bytes = (size_t)args->parser_bytes;
    o->user = state;
    o->data = on_data;
    o->skipped = args->verbose ? on_skipped : NULL;
    o->bad = args->verbose ? on_bad : NULL;
    o->report = on_report;
    o->component = args->quiet ? NULL : on_component;
    o->jackknifed = args->quiet ? NULL : on_jackknifed;
    o->component_report = args->quiet ? NULL : on_component_report;
}

static void tell_interrupted(const training *state)
{
    const progress *show = &state->show;
    const char *path = state->args->output;
    if (show->has_dev)
        say("interrupted in iteration %d; saved the best of %d finished iteration%s to %s",
            show->iteration, show->finished, show->finished == 1 ? "" : "s", path);
    else
        say("interrupted in iteration %d; saved what was learnt so far to %s", show->iteration,
            path);
}

static int train(const arguments *args, const operands *files, const char *templates)
{
    training state = {.args = args, .show = {.terminal = isatty(STDERR_FILENO) == 1}};
    dd_train_options how;
    dd_error error;
    dd_model *model = NULL;
    fill_options(&how, args, &state);
    how.templates = templates;
    dd_status trained = dd_train(&model, &how, files->at, files->count, args->dev, &error);
    progress_clear(&state.show);
    if (trained != DD_OK && trained != DD_INTERRUPTED) return say_error(&error);
    dd_status saved = dd_model_save(model, args->output, &error);
    dd_model_free(model);
    if (saved != DD_OK) return say_error(&error);
    if (trained != DD_INTERRUPTED) return STATUS_OK;
    tell_interrupted(&state);
    return STATUS_INTERRUPTED;
}

/* A built-in set by its name, else a file; to be freed. NULL with errno if there is none. */
static char *read_templates(const char *wanted)
{
    const char *name;
    dd_text text;
    for (size_t i = 0; dd_templates_at(i, &name, &text); i++)
        if (strcmp(name, wanted) == 0) return strndup(text.data, text.size);
    return textfile_read(wanted);
}

static int no_templates(const char *wanted)
{
    int cause = errno;
    const char *name;
    dd_text text;
    suggestion nearest = suggest_for(wanted, strlen(wanted));
    for (size_t i = 0; dd_templates_at(i, &name, &text); i++) suggest_consider(&nearest, name);
    if (nearest.nearest)
        say("%s: %s; did you mean the set '%s'?", wanted, strerror(cause), nearest.nearest);
    else
        say("%s: %s", wanted, strerror(cause));
    return STATUS_PROBLEM;
}

static int run(const command *self, int argc, char **argv)
{
    arguments args;
    operands files;
    int status = options_read(self, argc, argv, &args, &files);
    if (status != OPTIONS_GO) return status;
    status = check_arguments(self, &args, &files);
    if (status != STATUS_OK) return status;
    char *templates = NULL;
    if (args.templates && !(templates = read_templates(args.templates)))
        return no_templates(args.templates);
    status = train(&args, &files, templates);
    free(templates);
    return status;
}

const command cmd_train = {
    .name = "train",
    .usage = "[OPTION]... -o MODEL TRAIN...",
    .summary = "train a parser on treebanks",
    .text = "Train a parser on the trees of one or more treebanks and save it as one file. Each "
            "iteration reports its share of right transitions, and the attachment scores on "
            "--dev, where * marks the best so far. Trees that the system cannot build are "
            "skipped and counted. A word whose HEAD is _ has an unknown head: nothing is learnt "
            "from it, and it does not count on --dev. Ctrl-C ends training, saves what was learnt "
            "and exits with "
            "status 130; a second one ends the program at once.",
    .operand = "TRAIN",
    .least = 1,
    .most = MANY_OPERANDS,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
