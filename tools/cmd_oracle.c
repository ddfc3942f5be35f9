/* cmd_oracle.c - walks gold trees and writes the cost of every transition as JSON lines. */
#include "cmd.h"
#include "heap.h"
#include "input.h"
#include "output.h"
#include "report_oracle.h"

#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    const char *system, *loss, *output;
    int walk, single_root, unbuildable, from;
    int64_t seed, list;
    bool all_optimal, soft, skip_bad, verbose, quiet;
} arguments;

static const char *const walks[] = {"gold", "random", NULL};
static const char *const unbuildable[] = {"skip", "partial", NULL};

#define AT(field) offsetof(arguments, field)
static const option options[] = {
    OPTION_ROW_SYSTEM(AT(system), "arc-eager", "transition system, see 'dodona systems'"),
    OPTION_ROW_LOSS(AT(loss)),
    {.name = "walk",
     .kind = OPTION_CHOICE,
     .target = AT(walk),
     .value = "WALK",
     .default_value = "gold",
     .choices = walks,
     .help = "gold follows the static oracle, or, if heads are unknown, a path of least cost; "
             "random takes each permissible transition with equal probability"},
    OPTION_ROW_SEED(AT(seed), "seed of the random walk"),
    OPTION_ROW_SINGLE_ROOT(AT(single_root)),
    {.name = "unbuildable",
     .kind = OPTION_CHOICE,
     .target = AT(unbuildable),
     .value = "HOW",
     .default_value = "skip",
     .choices = unbuildable,
     .help = "what to do with a tree that the system cannot build: skip it, or walk the largest "
             "part that it can build and say which arcs are left out"},
    {.name = "all-optimal",
     .kind = OPTION_FLAG,
     .target = AT(all_optimal),
     .help = "instead of following one path, count the optimal derivations of each tree: the "
             "sequences of transitions of cost 0, by the exact loss"},
    {.name = "list",
     .kind = OPTION_WHOLE,
     .target = AT(list),
     .value = "N",
     .default_value = "0",
     .high = INT64_MAX,
     .help = "with --all-optimal, write the first N of them too"},
    {.name = "soft",
     .kind = OPTION_FLAG,
     .target = AT(soft),
     .help = "instead of one gold tree, take probabilities of all heads, from MISC "
             "(HeadProbs=2:70,0:30 or HeadProb=70) and from several FILEs, which are annotations "
             "of the same sentences; losses are the smallest expected numbers of wrong heads"},
    OPTION_ROW_FROM(AT(from)),
    OPTION_ROW_SKIP_BAD(AT(skip_bad)),
    OPTION_ROW_OUTPUT(AT(output)),
    OPTION_ROW_VERBOSE(AT(verbose), "name each sentence that is skipped"),
    OPTION_ROW_QUIET(AT(quiet)),
};
#undef AT

typedef struct walker {
    dd_oracle *oracle;
    output *out;
    const dd_sentence *sentence;
    uint64_t left; /* derivations to list */
} walker;

static bool write_step(void *user, const dd_oracle_step *step)
{
    const walker *state = user;
    report_oracle_json(state->out, state->sentence, step);
    return state->out->status == DD_OK;
}

/* What to do after a call of the library, of which the walker's sentence may be no tree. */
static int go_on(const walker *state, dd_status status, const dd_error *error)
{
    if (status == DD_ERROR_DATA) {
        report_oracle_skipped(state->out, state->sentence, error->message);
        status = DD_OK;
    }
    /* A walk stops early only on a failed output, which output_close tells. */
    if (status == DD_INTERRUPTED || state->out->status != DD_OK) return STATUS_PROBLEM;
    return status == DD_OK ? STATUS_OK : say_error(error);
}

static int walk(void *user, dd_sentence *sentence)
{
    walker *state = user;
    dd_error error;
    state->sentence = sentence;
    return go_on(state, dd_oracle_walk(state->oracle, sentence, write_step, state, &error), &error);
}

static bool write_derivation(void *user, const dd_oracle_derivation *derivation)
{
    walker *state = user;
    report_oracle_derivation(state->out, derivation);
    return --state->left > 0 && state->out->status == DD_OK;
}

static int count(void *user, dd_sentence *sentence)
{
    const walker *state = user;
    walker listing = *state;
    const dd_oracle_total *total;
    dd_error error;
    listing.sentence = sentence;
    dd_status status = dd_oracle_count(state->oracle, sentence, &total, &error);
    if (status == DD_OK) report_oracle_total(state->out, sentence, total);
    if (status == DD_OK && listing.left > 0)
        status = dd_oracle_list(state->oracle, sentence, write_derivation, &listing, &error);
    if (status == DD_INTERRUPTED) status = DD_OK;
    return go_on(&listing, status, &error);
}

/* ---- several annotations of the same sentences ---- */

typedef struct annotations {
    dd_reader **readers;     /* [count] */
    dd_sentence **sentences; /* [count] */
    size_t count;
} annotations;

static void annotations_close(annotations *a)
{
    for (size_t i = 0; i < a->count; i++) {
        dd_reader_close(a->readers[i]);
        dd_sentence_free(a->sentences[i]);
    }
    free(a->readers);
    free(a->sentences);
}

static int annotations_open(annotations *a, const operands *files, dd_format format)
{
    dd_error error;
    *a = (annotations){.readers = heap_zeroed(files->count, sizeof(dd_reader *)),
                       .sentences = heap_zeroed(files->count, sizeof(dd_sentence *)),
                       .count = files->count};
    for (size_t i = 0; i < a->count; i++)
        if (dd_reader_open(&a->readers[i], files->at[i], format, &error) != DD_OK ||
            dd_sentence_new(&a->sentences[i], &error) != DD_OK)
            return say_error(&error);
    return STATUS_OK;
}

/* The next sentence of each file; *ended: there is none in any. Returns the exit status. */
static int annotations_next(annotations *a, const operands *files, bool *ended)
{
    dd_error error;
    size_t at_end = 0;
    for (size_t i = 0; i < a->count; i++) {
        dd_status got = dd_reader_next(a->readers[i], a->sentences[i], &error);
        if (got != DD_OK && got != DD_END) return say_error(&error);
        at_end += got == DD_END;
        if (at_end == 0 || at_end == i + 1) continue;
        say("%s and %s do not have the same number of sentences", files->at[0], files->at[i]);
        return STATUS_PROBLEM;
    }
    *ended = at_end > 0;
    return STATUS_OK;
}

static int walk_softly(annotations *a, const operands *files, walker *state)
{
    bool ended = false;
    int status = STATUS_OK;
    while ((status = annotations_next(a, files, &ended)) == STATUS_OK && !ended) {
        dd_error error;
        state->sentence = a->sentences[0];
        dd_status walked =
            dd_oracle_walk_soft(state->oracle, (const dd_sentence *const *)a->sentences, a->count,
                                write_step, state, &error);
        status = go_on(state, walked, &error);
        if (status != STATUS_OK) break;
    }
    return status;
}

static int walk_annotations(const arguments *args, const operands *files, dd_oracle *oracle)
{
    output out;
    annotations all = {0};
    walker state = {oracle, &out, NULL, 0};
    int status = annotations_open(&all, files, (dd_format)args->from);
    if (status == STATUS_OK) {
        if (output_open(&out, args->output) == DD_OK) status = walk_softly(&all, files, &state);
        status = output_end(&out, status);
    }
    annotations_close(&all);
    return status;
}

static int walk_files(const arguments *args, const operands *files, dd_oracle *oracle)
{
    output out;
    input in = {
        .format = (dd_format)args->from, .skip_bad = args->skip_bad, .verbose = args->verbose};
    walker state = {oracle, &out, NULL, (uint64_t)args->list};
    int status = STATUS_OK;
    if (output_open(&out, args->output) == DD_OK)
        for (size_t i = 0; i < files->count && status == STATUS_OK; i++)
            status = input_each(&in, files->at[i], args->all_optimal ? count : walk, &state);
    status = output_end(&out, status);
    if (!args->quiet) input_note_bad(&in);
    return status;
}

/* Whether the options go together; says so if not. */
static int check(const command *self, const arguments *args)
{
    if (args->list > 0 && !args->all_optimal)
        return say_usage(self->name, "option '--list' needs '--all-optimal'");
    if (args->soft && (args->all_optimal || args->loss || args->unbuildable || args->skip_bad))
        return say_usage(self->name, "options '--soft' and '--%s' cannot be combined",
                         args->all_optimal   ? "all-optimal"
                         : args->loss        ? "loss"
                         : args->unbuildable ? "unbuildable"
                                             : "skip-bad");
    if (args->all_optimal && args->walk != 0)
        return say_usage(self->name, "option '--all-optimal' counts derivations instead of a walk");
    if (args->all_optimal && args->loss && strcmp(args->loss, "exact") != 0)
        return say_usage(self->name, "option '--all-optimal' counts by the exact loss alone");
    return STATUS_OK;
}

static int run(const command *self, int argc, char **argv)
{
    arguments args;
    operands files;
    int status = options_read(self, argc, argv, &args, &files);
    if (status != OPTIONS_GO) return status;
    status = check(self, &args);
    if (status == STATUS_OK) status = input_check(self, &files, NULL, args.output);
    if (status != STATUS_OK) return status;
    dd_oracle_options how;
    dd_error error;
    dd_oracle *oracle;
    dd_oracle_options_init(&how);
    how.system = args.system;
    how.loss = args.loss;
    how.walk = (dd_walk)args.walk;
    how.seed = (uint64_t)args.seed;
    how.single_root = args.single_root != 0;
    how.partial = args.unbuildable != 0;
    if (dd_oracle_new(&oracle, &how, &error) != DD_OK) return say_error(&error);
    status = (args.soft ? walk_annotations : walk_files)(&args, &files, oracle);
    dd_oracle_free(oracle);
    return status;
}

const command cmd_oracle = {
    .name = "oracle",
    .usage = "[OPTION]... [FILE]...",
    .summary = "show the loss of configurations and the cost of transitions",
    .text = "Follow the gold trees of treebanks and write one JSON line per configuration: the "
            "sentence's id, its number of words, the transitions taken so far, the smallest "
            "number of wrong heads still reachable (where HEAD is _, no head is wrong), and the "
            "cost of each permissible transition. For a tree that the system cannot build there "
            "is one line with the reason.\n"
            "With --soft the loss is the smallest expected number of wrong heads, by the "
            "probabilities that several annotators or a teacher give them.\n"
            "With --all-optimal there is instead one line per sentence, with the number of its "
            "optimal derivations, and one line per derivation listed.",
    .operand = "FILE",
    .most = MANY_OPERANDS,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
