/* cmd_corpus.c - texts too large for one process, in tasks that any number of machines work off. */
#include "cmd.h"
#include "corpus/actions.h"
#include "message.h"

#include <string.h>

#define AT(field) offsetof(corpus_arguments, field)
static const option options[] = {
    {.name = "into",
     .kind = OPTION_STRING,
     .target = AT(into),
     .value = "FOLDER",
     .help = "with plan, folder for the plan and the outputs of its tasks; created if missing"},
    {.name = "size",
     .kind = OPTION_STRING,
     .target = AT(size),
     .value = "SIZE",
     .help = "with plan, bytes of input per task, such as 500K or 1G; a task extends to the next "
             "place where the input can be split; default: 64M"},
    {.name = "compress",
     .kind = OPTION_CHOICE,
     .target = AT(compress),
     .value = "KIND",
     .default_value = "no",
     .choices = corpus_packings,
     .help = "with plan, compress the outputs of tasks"},
    OPTION_ROW_MODEL(AT(model)),
    OPTION_ROW_FROM_ANY(AT(from)),
    OPTION_ROW_TO_SENTENCES(AT(to)),
    {.kind = OPTION_PARSING, .target = AT(how), .offers = DD_OFFER_CORPUS},
    {.name = "again",
     .kind = OPTION_FLAG,
     .target = AT(again),
     .help = "with run, also parse tasks that are done"},
    {.name = "failed",
     .kind = OPTION_FLAG,
     .target = AT(failed),
     .help = "with missing, list only tasks whose input cannot be parsed"},
    {.name = "quick",
     .kind = OPTION_FLAG,
     .target = AT(quick),
     .help = "with verify, check only the checksums of the outputs"},
    {.name = "without-failed",
     .kind = OPTION_FLAG,
     .target = AT(without_failed),
     .help = "with merge, leave out files with a failed task"},
    OPTION_ROW_OUTPUT(AT(output)),
    OPTION_ROW_QUIET(AT(quiet)),
};
#undef AT

typedef struct action {
    const char *name, *operand;
    int (*run)(const corpus_arguments *args, const operands *words);
} action;

static const action actions[] = {
    {"plan", "FILE", corpus_plan},       {"run", "PLAN", corpus_run},
    {"missing", "PLAN", corpus_missing}, {"verify", "PLAN", corpus_verify},
    {"merge", "PLAN", corpus_merge},
};
enum { ACTIONS = sizeof actions / sizeof *actions };

static const char known[] = "plan, run, missing, verify, merge";

static bool is(const action *a, const char *name)
{
    return strcmp(a->name, name) == 0;
}

/* Whether an option that tells how to parse was given. */
static bool tells_how(const corpus_arguments *args)
{
    return args->model || args->compress != 0 || args->from != DD_FORMAT_AUTO ||
           args->to != DD_FORMAT_CONLLU || args->how.decides;
}

static int refuse(const action *a, const char *what)
{
    return say_usage("corpus", "%s not for %s", what, a->name);
}

/* Options that an action does not use are refused, because users would think that they have an
 * effect. */
static int check_options(const corpus_arguments *args, const action *a)
{
    bool plan = is(a, "plan"), run = is(a, "run");
    if (!plan && (args->into || args->size)) return refuse(a, "options '--into' and '--size' are");
    if (!plan && tells_how(args))
        return refuse(a, "options that say how to parse are in the plan, and");
    if (!run && args->how.how.threads != 1) return refuse(a, "option '--threads' is");
    if (!run && args->again) return refuse(a, "option '--again' is");
    if (args->failed && !is(a, "missing")) return refuse(a, "option '--failed' is");
    if (args->quick && !is(a, "verify")) return refuse(a, "option '--quick' is");
    if (args->without_failed && !is(a, "merge")) return refuse(a, "option '--without-failed' is");
    bool writes = is(a, "missing") || is(a, "merge");
    if (!writes && strcmp(args->output, "-") != 0) return refuse(a, "option '--output' is");
    return STATUS_OK;
}

static int act(const corpus_arguments *args, const operands *words)
{
    suggestion nearest = suggest_for(words->at[0], strlen(words->at[0]));
    const operands rest = {words->at + 1, words->count - 1};
    for (size_t i = 0; i < ACTIONS; i++) {
        suggest_consider(&nearest, actions[i].name);
        if (!is(&actions[i], words->at[0])) continue;
        int status = check_options(args, &actions[i]);
        if (status != STATUS_OK) return status;
        if (rest.count > 0) return actions[i].run(args, &rest);
        return say_usage("corpus", "%s needs a %s", actions[i].name, actions[i].operand);
    }
    if (nearest.nearest)
        return say_usage("corpus", "'%s' is not one of %s; did you mean '%s'?", words->at[0], known,
                         nearest.nearest);
    return say_usage("corpus", "'%s' is not one of %s", words->at[0], known);
}

static int run(const command *self, int argc, char **argv)
{
    corpus_arguments args;
    operands words;
    int status = options_read(self, argc, argv, &args, &words);
    return status == OPTIONS_GO ? act(&args, &words) : status;
}

const command cmd_corpus = {
    .name = "corpus",
    .usage = "[OPTION]... plan FILE... | run PLAN [TASKS]... | missing PLAN | verify PLAN | merge "
             "PLAN",
    .summary = "parse texts too large for one process, on any number of machines",
    .text = "Parse texts in tasks, which any number of processes can share. plan splits the files "
            "into tasks, at places where sentences surely end, and writes a plan; PLAN is its "
            "folder. run parses tasks, named as 5, as 1,4-7, or as 2/8, the second of eight "
            "shares; without TASKS it parses the task in $SLURM_ARRAY_TASK_ID, or else all tasks. "
            "Tasks that are done are not repeated. missing prints the tasks that are not done, in "
            "the form that job arrays take: 1,4-7. verify compares the outputs with their "
            "checksums and with the input. merge joins them; the result is what 'dodona parse' "
            "would have written for all the files, byte for byte.\n"
            "A task is done if its output and its record exist. Both are written under another "
            "name and renamed when they are complete and on disk, so any process can be killed at "
            "any time, and run can be called again. If the input of a task cannot be parsed, a "
            ".failed file says why, and the other tasks continue. See dodona-corpus(1).",
    .operand = "ACTION",
    .least = 1,
    .most = MANY_OPERANDS,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
