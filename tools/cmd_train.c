/* cmd_train.c - trains a model; Ctrl-C ends training early and keeps what was learnt. */
#include "cmd.h"
#include "heap.h"
#include "input.h"
#include "message.h"
#include "named_model.h"
#include "progress.h"
#include "rescue.h"
#include "textfile.h"
#include "train_report.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A signal handler can reach nothing else than a variable of the file. */
static volatile sig_atomic_t interrupted;

typedef struct arguments {
    const char *dev, *output;
    dd_settings *settings;
    bool verbose, quiet;
} arguments;

#define AT(field) offsetof(arguments, field)
/* clang-format off */
static const option options[] = {
    {.name = "output", .letter = 'o', .kind = OPTION_STRING, .target = AT(output),
     .value = "MODEL", .required = true, .help = "where to save the model"},
    {.name = "dev", .kind = OPTION_STRING, .target = AT(dev), .value = "FILE",
     .help = "score each iteration on this treebank and keep the best one"},
    {.kind = OPTION_SETTINGS, .target = AT(settings)},
    OPTION_ROW_VERBOSE(AT(verbose), "name each sentence that is skipped or kept in part"),
    OPTION_ROW_QUIET(AT(quiet)),
};
/* clang-format on */
#undef AT

typedef struct training {
    const arguments *args;
    progress show;
    int folds; /* of jackknifing */
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

static void on_plan(void *user, const dd_train_plan *plan)
{
    training *state = user;
    state->folds = plan->folds;
    progress_plan(&state->show, plan);
    if (!state->args->quiet) train_report_plan(plan);
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

static void on_in_part(void *user, const char *file, uint64_t line, dd_text id, const char *reason,
                       int arcs)
{
    (void)user;
    say("%s:%llu: sentence %.*s kept in part: %s, %d arc%s left out", file,
        (unsigned long long)line, (int)id.size, id.data, reason, arcs, arcs == 1 ? "" : "s");
}

static void on_bad(void *user, const dd_error *error)
{
    (void)user;
    say_warning("%s", error->message);
}

static void on_warning(void *user, const dd_error *error)
{
    training *state = user;
    progress_clear(&state->show);
    say_warning("%s", error->message);
}

static bool on_report(void *user, const dd_train_progress *now)
{
    training *state = user;
    progress_show(&state->show, now, state->args->quiet);
    return !interrupted;
}

static bool on_component_report(void *user, const dd_component_progress *now)
{
    training *state = user;
    progress_component(&state->show, train_component_name(now->component), now);
    return true;
}

static void on_component(void *user, dd_component which, double seconds)
{
    training *state = user;
    progress_stage stage = which == DD_TOKENIZER ? STAGE_TOKENIZER
                           : which == DD_TAGGER  ? STAGE_TAGGER
                                                 : STAGE_LEMMATIZER;
    progress_clear(&state->show);
    fprintf(stderr, "%s trained in %.1f s", train_component_name(which), seconds);
    progress_end_stage(&state->show, stage, seconds);
}

static void on_chosen(void *user, dd_component which, const char *how)
{
    training *state = user;
    progress_clear(&state->show);
    fprintf(stderr, "%s taken: %s\n", train_component_name(which), how);
}

static void on_jackknifed(void *user, double seconds)
{
    training *state = user;
    progress_clear(&state->show);
    fprintf(stderr, "tags of %d folds predicted in %.1f s", state->folds, seconds);
    progress_end_stage(&state->show, STAGE_FOLDS, seconds);
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

static void fill_watch(dd_train_watch *watch, const arguments *args, training *state)
{
    dd_train_watch_init(watch);
    watch->user = state;
    watch->plan = on_plan;
    watch->data = on_data;
    watch->skipped = args->verbose ? on_skipped : NULL;
    watch->in_part = args->verbose ? on_in_part : NULL;
    watch->bad = args->verbose ? on_bad : NULL;
    watch->report = on_report;
    watch->component = args->quiet ? NULL : on_component;
    watch->jackknifed = args->quiet ? NULL : on_jackknifed;
    watch->component_report = args->quiet ? NULL : on_component_report;
    watch->warn = args->quiet ? NULL : on_warning;
    watch->chosen = args->quiet ? NULL : on_chosen;
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
    const char *checkpoint = dd_settings_get(state->args->settings, "checkpoint");
    if (checkpoint && access(checkpoint, F_OK) == 0) say("--resume continues from %s", checkpoint);
}

/* What took hours to learn is kept even if the disk is full by now, or the folder gone. */
static int save(const dd_model *model, const char *path)
{
    dd_error error;
    if (dd_model_save(model, path, &error) == DD_OK) return STATUS_OK;
    int status = say_error(&error);
    rescue_model(model);
    return status;
}

/* That of a parser alone is known from its iterations. */
static void score_whole(const dd_model *model, const arguments *args)
{
    uint32_t has = dd_model_components(model);
    int threads = atoi(dd_settings_get(args->settings, "threads")); /* 0: auto */
    if ((has & DD_PARSER) && has != DD_PARSER) train_report_scores(model, args->dev, threads);
}

static int train(const command *self, const arguments *args, const operands *files)
{
    training state = {.args = args, .show = {.terminal = isatty(STDERR_FILENO) == 1}};
    dd_train_watch watch;
    dd_error error;
    dd_model *model = NULL;
    fill_watch(&watch, args, &state);
    dd_status trained =
        dd_train(&model, args->settings, &watch, files->at, files->count, args->dev, &error);
    progress_clear(&state.show);
    if (trained != DD_OK && trained != DD_INTERRUPTED) return options_say_error(self, &error);
    int status = save(model, args->output);
    if (trained == DD_OK && status == STATUS_OK && !args->quiet && args->dev)
        score_whole(model, args);
    dd_model_free(model);
    if (status != STATUS_OK) return status;
    if (trained != DD_INTERRUPTED) return STATUS_OK;
    tell_interrupted(&state);
    return STATUS_INTERRUPTED;
}

/* Beside the output unless told otherwise. */
static int place_checkpoint(const arguments *args)
{
    static const char end[] = ".checkpoint";
    dd_error error;
    if (!dd_settings_resumable(args->settings) || dd_settings_get(args->settings, "checkpoint"))
        return STATUS_OK;
    size_t size = strlen(args->output) + sizeof end;
    char *path = heap_zeroed(size, 1);
    snprintf(path, size, "%s%s", args->output, end);
    dd_status status = dd_settings_set(args->settings, "checkpoint", path, &error);
    free(path);
    return status == DD_OK ? STATUS_OK : say_error(&error);
}

/* A model may be called by its name, as everywhere. */
static int find_model(const arguments *args, const char *setting)
{
    dd_error error;
    char *path = NULL;
    const char *wanted = dd_settings_get(args->settings, setting);
    if (!wanted) return STATUS_OK;
    int status = named_model_path("train", wanted, &path);
    if (status != STATUS_OK) return status;
    dd_status set = dd_settings_set(args->settings, setting, path, &error);
    free(path);
    return set == DD_OK ? STATUS_OK : say_error(&error);
}

static int check_and_train(const command *self, const arguments *args, const operands *files)
{
    const char *templates = dd_settings_get(args->settings, "templates");
    int status = input_check(self, files, args->dev, args->output);
    const char *vectors = dd_settings_get(args->settings, "vectors");
    const char *silver = dd_settings_get(args->settings, "silver");
    const char *tags = dd_settings_get(args->settings, "tagger-silver");
    const char *keep = dd_settings_get(args->settings, "keep-tokens");
    const char *abbreviations = dd_settings_get(args->settings, "abbreviations");
    operands dev = {.at = &args->dev, .count = args->dev != NULL};
    if (status == STATUS_OK) status = input_check(self, files, silver, args->output);
    if (status == STATUS_OK) status = input_check(self, &dev, silver, args->output);
    if (status == STATUS_OK) status = input_spare(templates, args->output);
    if (status == STATUS_OK) status = input_spare(vectors, args->output);
    if (status == STATUS_OK) status = input_spare(tags, args->output);
    if (status == STATUS_OK) status = input_spare(keep, args->output);
    if (status == STATUS_OK) status = input_spare(abbreviations, args->output);
    if (status == STATUS_OK) status = check_output(args->output);
    if (status == STATUS_OK) status = find_model(args, "start-from");
    if (status == STATUS_OK) status = find_model(args, "components-from");
    if (status == STATUS_OK) status = place_checkpoint(args);
    return status == STATUS_OK ? train(self, args, files) : status;
}

static int run(const command *self, int argc, char **argv)
{
    arguments args;
    operands files;
    dd_error error;
    if (dd_settings_new(&args.settings, &error) != DD_OK) return say_error(&error);
    int status = options_read(self, argc, argv, &args, &files);
    if (status == OPTIONS_GO) status = check_and_train(self, &args, &files);
    dd_settings_free(args.settings);
    return status;
}

const command cmd_train = {
    .name = "train",
    .usage = "[OPTION]... -o MODEL TRAIN...",
    .summary = "train a model on treebanks",
    .text = "Train a model on one or more treebanks and save it as one file. The model gets every "
            "component that the treebank allows: a tokenizer if there is text ('# text' or "
            "SpaceAfter=No), a tagger and a lemmatizer if there are tags and lemmas, and a "
            "parser, which learns from predicted tags; --only parser trains just a parser, on the "
            "tags of the treebank. After each iteration of the parser a line shows the share of "
            "transitions predicted right and the attachment scores on --dev, where * marks the "
            "best so far; the last line has the scores of the whole model on --dev. If the system "
            "cannot build a tree, the parser learns from the largest part that it can build, "
            "unless --unbuildable says otherwise. If HEAD is _, the head of the word is unknown: "
            "nothing is learnt from it, and it does not count on --dev. Ctrl-C stops training, "
            "saves what has been learnt and exits with status 130; a second Ctrl-C ends the "
            "program at once.",
    .operand = "TRAIN",
    .least = 1,
    .most = MANY_OPERANDS,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
