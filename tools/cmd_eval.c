/* cmd_eval.c - scores of a parsed file against the gold one. */
#include "cmd.h"
#include "input.h"
#include "message.h"
#include "named_model.h"
#include "report_eval.h"

#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    bool conllx, no_punct, by_label;
    const char *compare, *compare_model, *output, *model;
    int given;
    int64_t threads;
    int64_t shuffles, seed;
    int from, to;
} arguments;

/* In the order of dd_eval_given. */
static const char *const givens[] = {"auto", "text", "words", "tags", NULL};

static void set_options(dd_eval_options *options, const arguments *args)
{
    dd_eval_options_init(options);
    options->rule = args->conllx ? DD_EVAL_CONLLX : DD_EVAL_CONLL2018;
    options->format = (dd_format)args->from;
    options->no_punct = args->no_punct;
}

static int evaluate(dd_evaluation **out, const char *gold, const char *system,
                    const arguments *args)
{
    dd_eval_options options;
    dd_error error;
    set_options(&options, args);
    dd_status status = dd_evaluate(out, gold, system, &options, &error);
    return status == DD_OK ? STATUS_OK : say_error(&error);
}

/* The least, but for the text: trees can be compared only if they have the same words. */
static dd_eval_given given_to_compare(const dd_model *model)
{
    bool tags = dd_model_components(model) & (DD_TAGGER | DD_LEMMATIZER);
    return tags ? DD_EVAL_GIVEN_WORDS : DD_EVAL_GIVEN_TAGS;
}

/* What the model was given becomes part of the report. */
static int evaluate_model(dd_evaluation **out, const char *gold, const char *name, arguments *args)
{
    char *path = NULL;
    dd_model *model = NULL;
    dd_eval_options options;
    dd_eval_given given = (dd_eval_given)args->given;
    dd_error error;
    set_options(&options, args);
    int result = named_model_path("eval", name, &path);
    if (result != STATUS_OK) return result;
    dd_status status = dd_model_load(&model, path, &error);
    if (status == DD_OK && args->compare_model && given == DD_EVAL_GIVEN_AUTO)
        given = given_to_compare(model);
    if (status == DD_OK)
        status = dd_evaluate_model(out, model, gold, &given, (int)args->threads, &options, &error);
    args->given = (int)given;
    dd_model_free(model);
    free(path);
    return status == DD_OK ? STATUS_OK : say_error(&error);
}

static int check_files(const command *self, const operands *files, const arguments *args)
{
    if (args->model && (files->count > 1 || args->compare))
        return say_usage(self->name, "with --model there is no other file than GOLD");
    if (args->compare_model && !args->model)
        return say_usage(self->name, "--compare-model needs --model");
    if (!args->model && files->count < 2)
        return say_usage(self->name, "SYSTEM is missing; usage: dodona eval %s", self->usage);
    /* To compare, the gold file is read twice. */
    if (args->compare && strcmp(files->at[0], "-") == 0)
        return say_usage(self->name, "GOLD cannot be standard input ('-') with --compare");
    if (args->compare_model && strcmp(files->at[0], "-") == 0)
        return say_usage(self->name, "GOLD cannot be standard input ('-') with --compare-model");
    return input_check(self, files, args->compare, args->output);
}

/* The other model starts from what the first was given. */
static int compare(dd_comparison *out, const char *gold, const dd_evaluation *evaluation,
                   arguments *args)
{
    dd_evaluation *other = NULL;
    dd_error error;
    int result = args->compare ? evaluate(&other, gold, args->compare, args)
                               : evaluate_model(&other, gold, args->compare_model, args);
    if (result != STATUS_OK) return result;
    dd_status status =
        dd_compare(out, evaluation, other, (uint64_t)args->shuffles, (uint64_t)args->seed, &error);
    dd_evaluation_free(other);
    return status == DD_OK ? STATUS_OK : say_error(&error);
}

static int write_report(const eval_report *report, const arguments *args)
{
    output out;
    if (output_open(&out, args->output) == DD_OK) {
        out.report = args->to == REPORT_TEXT;
        (out.report ? report_eval_text : report_eval_json)(&out, report);
    }
    return output_close(&out);
}

static int run(const command *self, int argc, char **argv)
{
    arguments args = {0};
    operands files;
    int result = options_read(self, argc, argv, &args, &files);
    if (result != OPTIONS_GO) return result;
    result = check_files(self, &files, &args);
    if (result != STATUS_OK) return result;
    dd_evaluation *evaluation = NULL;
    dd_comparison comparison;
    const char *other = args.compare ? args.compare : args.compare_model;
    result = args.model ? evaluate_model(&evaluation, files.at[0], args.model, &args)
                        : evaluate(&evaluation, files.at[0], files.at[1], &args);
    if (result == STATUS_OK && other) result = compare(&comparison, files.at[0], evaluation, &args);
    if (result == STATUS_OK) {
        eval_report report = {.gold = files.at[0],
                              .system = args.model ? args.model : files.at[1],
                              .given = args.model ? givens[args.given] : NULL,
                              .evaluation = evaluation,
                              .by_label = args.by_label,
                              .other = other,
                              .comparison = other ? &comparison : NULL,
                              .seed = (uint64_t)args.seed};
        result = write_report(&report, &args);
    }
    dd_evaluation_free(evaluation);
    return result;
}

static const option options[] = {
    {.name = "model",
     .letter = 'm',
     .kind = OPTION_STRING,
     .target = offsetof(arguments, model),
     .value = "MODEL",
     .help = "parse GOLD with this model, a file or a name, and score the result"},
    {.name = "given",
     .kind = OPTION_CHOICE,
     .target = offsetof(arguments, given),
     .value = "WHAT",
     .choices = givens,
     .default_value = "auto",
     .help =
         "what the model is given of GOLD: its text, its words, or its words with tags and "
         "lemmas; auto: the least that the model can start from, with --compare-model at least the "
         "words"},
    {.name = "threads",
     .letter = 'j',
     .kind = OPTION_WHOLE,
     .target = offsetof(arguments, threads),
     .value = "N",
     .default_value = "1",
     .low = 1,
     .high = DD_MAX_THREADS,
     .choices = option_auto,
     .help = "with --model, sentences parsed at the same time; auto: as many as the process may "
             "use"},
    {.name = "conllx",
     .kind = OPTION_FLAG,
     .target = offsetof(arguments, conllx),
     .help = "the CoNLL-X rule: word by word, DEPREL in full, any number of roots"},
    {.name = "no-punct",
     .kind = OPTION_FLAG,
     .target = offsetof(arguments, no_punct),
     .help = "leave out words whose FORM has only punctuation characters (Unicode P*)"},
    {.name = "by-label",
     .kind = OPTION_FLAG,
     .target = offsetof(arguments, by_label),
     .help = "add scores for each label, and which labels are confused"},
    {.name = "compare",
     .kind = OPTION_STRING,
     .target = offsetof(arguments, compare),
     .value = "OTHER",
     .help = "test whether SYSTEM and OTHER differ by more than chance"},
    {.name = "compare-model",
     .kind = OPTION_STRING,
     .target = offsetof(arguments, compare_model),
     .value = "OTHER",
     .help =
         "with --model, parse GOLD with this model too, and test whether the two differ by more "
         "than chance"},
    {.name = "shuffles",
     .kind = OPTION_WHOLE,
     .target = offsetof(arguments, shuffles),
     .value = "N",
     .default_value = "10000",
     .low = 1,
     .high = 1000000000,
     .help = "how often --compare swaps sentences of the two systems at random"},
    {.name = "seed",
     .kind = OPTION_WHOLE,
     .target = offsetof(arguments, seed),
     .value = "N",
     .default_value = "1",
     .low = 0,
     .high = INT64_MAX,
     .help = "seed of the shuffles; the same seed gives the same p"},
    OPTION_ROW_FROM(offsetof(arguments, from)),
    OPTION_ROW_TO(offsetof(arguments, to)),
    OPTION_ROW_OUTPUT(offsetof(arguments, output)),
};

const command cmd_eval = {
    .name = "eval",
    .usage = "[OPTION]... GOLD [SYSTEM | -m MODEL]",
    .summary = "score parsed files, or a model, against gold files",
    .text = "Score the file SYSTEM against the file GOLD as the CoNLL 2018 evaluation does: words "
            "are aligned by their characters, so that words and sentences may be split "
            "differently; DEPREL is compared without subtypes; punctuation counts. LabelAcc is "
            "added: the share of labels that are right.\n"
            "With --model, the model parses GOLD first.\n"
            "With --compare, p is the probability of a difference at least as large between "
            "equally good systems, by Yeh's randomisation test (2000) over sentences; both files "
            "must have the words of GOLD.\n"
            "--to json writes one object: gold, system (with --model also given), rule and "
            "metrics. Each metric has precision, recall, f1 and aligned_accuracy in per cent, and "
            "the counts correct, gold, system and aligned (aligned_accuracy and aligned are null "
            "for Tokens, Sentences and Words). --by-label adds the arrays labels and confusions; "
            "--compare adds comparison, with system, other, difference, as_large and p for UAS "
            "and LAS.",
    .operand = "GOLD or SYSTEM",
    .least = 1,
    .most = 2,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
