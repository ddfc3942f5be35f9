/* cmd_trace.c - tells a parse step by step, for people or as JSON lines. */
#include "cmd.h"
#include "explorer.h"
#include "input.h"
#include "named_model.h"
#include "output.h"
#include "report_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    const char *model, *system, *loss, *sentence, *output;
    int gold, single_root, from, to;
    int64_t beam;
    bool tidy, no_tidy, skip_bad, verbose, quiet;
} arguments;

enum { TO_TEXT, TO_JSON, TO_HTML };
static const char *const formats[] = {"text", "json", "html", NULL};
/* In the order of dd_trace_gold. */
static const char *const golds[] = {"auto", "no", "yes", NULL};

#define AT(field) offsetof(arguments, field)
/* clang-format off */
static const option options[] = {
    {.name = "model", .letter = 'm', .kind = OPTION_STRING, .target = AT(model), .value = "MODEL",
     .help = "model whose parse to trace: a file, or a name or language; default, without --system: "
             "as in 'dodona parse'"},
    {.name = "system", .kind = OPTION_SYSTEM, .target = AT(system), .value = "SYSTEM",
     .help = "in place of a model: the system whose static oracle to follow"},
    {.name = "beam", .kind = OPTION_WHOLE, .target = AT(beam), .value = "N", .low = 1,
     .high = DD_MAX_BEAM,
     .help = "with a model: derivations kept side by side, the best of which is shown; default: "
             "the beam that the model was trained with"},
    OPTION_ROW_LOSS(AT(loss)),
    {.name = "gold", .kind = OPTION_CHOICE, .target = AT(gold), .value = "WHEN", .default_value = "auto",
     .choices = golds,
     .help = "with a model: whether to compare with the trees in the files; auto: wherever that "
             "is possible; yes: skip sentences where it is not"},
    {.name = "single-root", .kind = OPTION_CHOICE, .target = AT(single_root), .value = "RULE",
     .default_value = "no", .choices = option_yes_no,
     .help = "without a model: whether only one word may depend on 0"},
    {.name = "tidy", .kind = OPTION_FLAG, .target = AT(tidy),
     .help = "with a model: trace a parse with '--tidy'; default: as the model says"},
    {.name = "no-tidy", .kind = OPTION_FLAG, .target = AT(no_tidy),
     .help = "with a model: trace a parse with '--no-tidy'"},
    OPTION_ROW_SENTENCE(AT(sentence), "trace"),
    OPTION_ROW_FROM_ANY(AT(from)),
    {.name = "to", .letter = 't', .kind = OPTION_CHOICE, .target = AT(to), .value = "FORMAT",
     .default_value = "text", .choices = formats,
     .help = "format of the output: text, one JSON object per step, or a page for stepping through "
             "the parses, complete in one file"},
    OPTION_ROW_SKIP_BAD(AT(skip_bad)),
    OPTION_ROW_OUTPUT(AT(output)),
    OPTION_ROW_VERBOSE(AT(verbose), "name each malformed sentence that is skipped"),
    OPTION_ROW_QUIET(AT(quiet)),
};
/* clang-format on */
#undef AT

typedef struct tracer {
    dd_trace *trace;
    dd_parser *tagger; /* of the model, for sentences without tags; NULL: there is no model */
    output *out;
    bool json;
    explorer *page;     /* NULL: text or JSON lines */
    const char *wanted; /* the ID of the only sentence to trace; NULL: all are */
    bool found;         /* a sentence to trace */
    const dd_sentence *sentence;
} tracer;

/* ---- files -------------------------------------------------------------------------------- */

static bool write_step(void *user, const dd_trace_step *step)
{
    const tracer *t = user;
    if (t->page) return explorer_step(t->page, t->sentence, step);
    if (t->json)
        report_trace_json(t->out, t->sentence, step);
    else
        report_trace_text(t->out, t->sentence, step);
    return t->out->status == DD_OK;
}

static void write_skipped(const tracer *t, const char *reason)
{
    dd_text id = dd_sentence_id(t->sentence);
    if (t->page) {
        explorer_skipped(t->page, t->sentence, reason);
        return;
    }
    output_string(t->out, t->json ? "{\"sent\":" : "sentence ");
    if (t->json)
        output_json(t->out, id);
    else
        output_bytes(t->out, id.data, id.size);
    output_string(t->out, t->json ? ",\"skipped\":" : " skipped: ");
    if (t->json)
        output_json_string(t->out, reason);
    else
        output_string(t->out, reason);
    output_string(t->out, t->json ? "}\n" : "\n\n");
}

static int trace_sentence(void *user, dd_sentence *sentence)
{
    tracer *t = user;
    dd_error error;
    if (!input_is_wanted(t->wanted, sentence)) return STATUS_OK;
    t->found = true;
    t->sentence = sentence;
    dd_status status = t->tagger ? dd_parser_annotate(t->tagger, sentence, false, &error) : DD_OK;
    if (status != DD_OK) return say_error(&error);
    status = dd_trace_sentence(t->trace, sentence, write_step, t, &error);
    if (status == DD_ERROR_DATA) {
        write_skipped(t, error.message);
        status = DD_OK;
    }
    output_flush(t->out); /* somebody may have typed the sentence */
    /* A trace stops early only on a failed output, which output_close tells. */
    if (status == DD_INTERRUPTED || t->out->status != DD_OK) return STATUS_PROBLEM;
    return status == DD_OK ? STATUS_OK : say_error(&error);
}

static const char *system_of(const dd_trace_options *how, char name[static 64])
{
    dd_text key, value;
    if (!how->model) return how->system;
    for (size_t i = 0; dd_model_fact(how->model, i, &key, &value); i++)
        if (key.size == 6 && memcmp(key.data, "system", 6) == 0)
            snprintf(name, 64, "%.*s", (int)value.size, value.data);
    return name;
}

static int trace_files(const arguments *args, const operands *files, const dd_trace_options *how,
                       dd_trace *trace, dd_parser *tagger)
{
    output out;
    input in = {.format = (dd_format)args->from,
                .skip_bad = args->skip_bad,
                .verbose = args->verbose,
                .quiet = args->quiet,
                .model = how->model};
    explorer page = {.trace = trace};
    bool html = args->to == TO_HTML;
    tracer state = {.trace = trace,
                    .tagger = tagger,
                    .out = &out,
                    .json = args->to == TO_JSON,
                    .page = html ? &page : NULL,
                    .wanted = args->sentence};
    int status = STATUS_OK;
    char name[64] = "";
    if (output_open(&out, args->output) == DD_OK) {
        out.report = args->to == TO_TEXT;
        if (html)
            explorer_begin(&page, &out, system_of(how, name),
                           args->model ? args->model : explorer_oracle);
        for (size_t i = 0; i < files->count && status == STATUS_OK; i++)
            status = input_each(&in, files->at[i], trace_sentence, &state);
        if (html) explorer_end(&page);
        if (status == STATUS_OK && args->sentence && !state.found)
            status = input_say_absent(args->sentence);
    }
    status = output_end(&out, status);
    if (!args->quiet) input_note_bad(&in);
    return status;
}

static int trace_with(const arguments *args, const operands *files, const dd_model *model)
{
    dd_trace_options how;
    dd_error error;
    dd_trace *trace;
    dd_parser *tagger = NULL;
    dd_trace_options_init(&how);
    how.model = model;
    how.system = args->system;
    how.single_root = args->single_root != 0;
    how.gold = (dd_trace_gold)args->gold;
    how.loss = args->loss;
    how.beam = (int)args->beam;
    how.tidy = args->tidy ? DD_TIDY_YES : args->no_tidy ? DD_TIDY_NO : DD_TIDY_AUTO;
    if (dd_trace_new(&trace, &how, &error) != DD_OK) return say_error(&error);
    bool ready = !model || dd_parser_new(&tagger, model, &error) == DD_OK;
    int status = ready ? trace_files(args, files, &how, trace, tagger) : say_error(&error);
    dd_parser_free(tagger);
    dd_trace_free(trace);
    return status;
}

/* path NULL: without a model. */
static int load_and_trace(const arguments *args, const operands *files, const char *path)
{
    dd_error error;
    dd_model *model = NULL;
    int status = input_spare(path, args->output);
    if (status != STATUS_OK) return status;
    if (path && dd_model_load(&model, path, &error) != DD_OK) return say_error(&error);
    status = trace_with(args, files, model);
    dd_model_free(model);
    return status;
}

static int check_and_trace(const command *self, arguments *args, const operands *files)
{
    char *path = NULL;
    int status = input_check(self, files, NULL, args->output);
    if (status == STATUS_OK && !args->system)
        status = named_model_path(self->name, args->model, &path);
    args->model = path;
    if (status == STATUS_OK) status = load_and_trace(args, files, path);
    free(path);
    return status;
}

static int check_options(const arguments *args)
{
    if (args->model && args->system)
        return say_usage("trace", "options '--model' and '--system' cannot be combined");
    if (args->tidy && args->no_tidy)
        return say_usage("trace", "options '--tidy' and '--no-tidy' cannot be combined");
    if (!args->system) return STATUS_OK;
    if (args->beam) return say_usage("trace", "option '--beam' needs a model");
    if (args->tidy || args->no_tidy)
        return say_usage("trace", "option '--%s' needs a model", args->tidy ? "tidy" : "no-tidy");
    if (args->from > DD_FORMAT_CONLLX)
        return say_usage("trace", "option '--from %s' needs a model, not '--system'",
                         dd_format_at((size_t)args->from)->name);
    return STATUS_OK;
}

static int run(const command *self, int argc, char **argv)
{
    arguments args;
    operands files;
    int status = options_read(self, argc, argv, &args, &files);
    if (status != OPTIONS_GO) return status;
    status = check_options(&args);
    return status == STATUS_OK ? check_and_trace(self, &args, &files) : status;
}

const command cmd_trace = {
    .name = "trace",
    .usage = "[OPTION]... [-m MODEL | --system SYSTEM] [FILE]...",
    .summary = "show a parse step by step",
    .text = "Show each step of a parse, of plain text or CoNLL-U: the transition with its label "
            "and its lead in score over the next best, the arc, the stack and the buffer. If the "
            "file has a gold tree, also show the loss, the cost of each permissible transition, "
            "and the first mistake. With --system no model is used: the trace follows the static "
            "oracle along the gold tree. --to html writes a page that draws each step.",
    .operand = "FILE",
    .most = MANY_OPERANDS,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
