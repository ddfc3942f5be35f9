/* cmd_parse.c - from text or CoNLL to trees: of CoNLL only HEAD and DEPREL change, and missing tags
 * and lemmas are put in. */
#include "auto_model.h"
#include "cmd.h"
#include "constrained.h"
#include "documents.h"
#include "input.h"
#include "message.h"
#include "named_model.h"
#include "number.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    const char *model, *output;
    int from, to; /* dd_format */
    parsing how;
    option_list constraints;
    bool verbose, quiet;
    documents names; /* of several files; made of the operands */
} arguments;

#define AT(field) offsetof(arguments, field)
static const option options[] = {
    {.name = "model",
     .letter = 'm',
     .kind = OPTION_STRING,
     .target = AT(model),
     .value = "MODEL",
     .help = "model: a file that 'dodona train' made, or a name or language that 'dodona models' "
             "lists; auto: for each file the model of its language; default: what $DODONA_MODEL "
             "names, or english"},
    OPTION_ROW_FROM_ANY(AT(from)),
    OPTION_ROW_TO_SENTENCES(AT(to)),
    {.kind = OPTION_PARSING, .target = AT(how), .offers = DD_OFFER_PROGRAM},
    {.name = "constraint",
     .kind = OPTION_STRINGS,
     .target = AT(constraints),
     .value = "CONSTRAINT",
     .help = "a constraint on the tree of the first sentence, such as 'arc 3 nsubj 2', or of "
             "another one, such as '2: arc 3 nsubj 2'; may be repeated"},
    OPTION_ROW_OUTPUT(AT(output)),
    OPTION_ROW_VERBOSE(AT(verbose),
                       "name each sentence that is copied unchanged, and report the speed"),
    OPTION_ROW_QUIET(AT(quiet)),
};
#undef AT

static void note_columns(const dd_parse_report *report)
{
    bool none_parsed = report->sentences == report->bad;
    if (report->missing_columns == 0 || report->words == 0 || none_parsed) return;
    say_warning("the model uses %s, which is '_' in the whole input; expect poor trees",
                columns_listed(report->missing_columns).text);
}

static void note_passed(uint64_t count, const char *one, const char *many)
{
    if (count == 0) return;
    say_warning("%s %s passed through unparsed", number_grouped(count).text,
                count == 1 ? one : many);
}

static void note_bad(const dd_parse_report *report)
{
    note_passed(report->bad - report->refused, "malformed sentence", "malformed sentences");
    note_passed(report->refused, "sentence whose constraints cannot hold",
                "sentences whose constraints cannot hold");
}

static void note_cut(const dd_parse_report *report)
{
    if (report->cut == 0) return;
    say_warning("%s sentence%s of more than %s words %s parsed in pieces",
                number_grouped(report->cut).text, report->cut == 1 ? "" : "s",
                number_grouped((uint64_t)report->max_words).text,
                report->cut == 1 ? "was" : "were");
}

static void note_speed(const dd_parse_report *report, double seconds, int threads)
{
    double speed = seconds > 0 ? (double)report->words / seconds : 0;
    if (threads == 0) threads = dd_available_threads();
    fprintf(stderr, "%s sentence%s, %s words in %.2f s, %s words/s with %d thread%s\n",
            number_grouped(report->sentences).text, report->sentences == 1 ? "" : "s",
            number_grouped(report->words).text, seconds, number_grouped((uint64_t)speed).text,
            threads, threads == 1 ? "" : "s");
}

static void name_bad(void *user, const dd_error *error)
{
    (void)user;
    say_warning("%s", error->message);
}

/* Of the i-th file. */
static dd_input_options what_to_read(const arguments *args, size_t index)
{
    dd_input_options from = args->how.input;
    from.format = (dd_format)args->from;
    from.broken = args->verbose ? name_bad : NULL;
    from.decided = args->quiet ? NULL : input_note_paragraphs;
    from.document = index < args->names.count ? args->names.ids[index] : NULL;
    from.prefix = index < args->names.count ? args->names.prefixes[index] : NULL;
    return from;
}

/* The sentences that have constraints, before the others. */
static int parse_constrained(const dd_model *model, dd_reader *rest, const arguments *args,
                             const dd_parse_options *how, dd_writer *writer,
                             dd_parse_report *report)
{
    dd_error error;
    dd_reader *reader;
    output kept;
    int status = constrain_input(rest, &args->constraints, &kept);
    if (status == STATUS_OK) {
        dd_text text = {kept.data, kept.size};
        dd_status made =
            dd_reader_open_memory(&reader, "--constraint", text, DD_FORMAT_CONLLU, &error);
        if (made == DD_OK) {
            made = dd_parse_stream(model, reader, writer, how, report, &error);
            dd_reader_close(reader);
        }
        if (made != DD_OK) status = made == DD_INTERRUPTED ? STATUS_PROBLEM : say_error(&error);
    }
    free(kept.data);
    return status;
}

static int parse_file(const dd_model *model, const dd_input *file, size_t index,
                      const arguments *args, dd_writer *writer, dd_parse_report *report)
{
    dd_error error;
    dd_reader *reader;
    dd_parse_options how = args->how.how;
    dd_input_options from = what_to_read(args, index);
    how.bad = args->verbose ? name_bad : NULL;
    if (dd_reader_open_input(&reader, model, file, &from, &error) != DD_OK)
        return say_error(&error);
    if (args->constraints.count > 0) {
        int first = parse_constrained(model, reader, args, &how, writer, report);
        if (first != STATUS_OK) {
            dd_reader_close(reader);
            return first;
        }
    }
    dd_status status = dd_parse_stream(model, reader, writer, &how, report, &error);
    if (!args->quiet && !args->verbose) input_note_broken(reader);
    bool foreign = status == DD_ERROR_FORMAT ? strstr(error.message, "UTF-8") != NULL
                                             : dd_reader_broken(reader, NULL) > 0;
    dd_reader_close(reader);
    /* Only a failed output stops it early, which output_end tells. */
    if (status == DD_INTERRUPTED) return STATUS_PROBLEM;
    int told = status == DD_OK ? STATUS_OK : say_error(&error);
    if (foreign && !from.encoding && !args->quiet)
        say_warning("if the text is not in UTF-8 but in Latin-1, use '--encoding latin1'");
    return told;
}

static void note_report(const dd_parse_report *report, int status)
{
    /* After a problem the rest of the input is not known. */
    if (status == STATUS_OK) note_columns(report);
    note_bad(report);
    note_cut(report);
}

/* What is parsed, and with what. */
typedef struct parse_run {
    const arguments *args;
    const operands *files;
    const dd_model *model;    /* NULL: that of each file's language */
    auto_models *by_language; /* NULL: the model is given */
    dd_parse_report report;   /* of all files; of the languages' models only the counts */
} parse_run;

static int check_beam(const arguments *args, const dd_model *model)
{
    const dd_parse_options *how = &args->how.how;
    int beam = how->beam > 0 ? how->beam : dd_model_beam(model);
    if (how->nbest <= beam) return STATUS_OK;
    return say_usage("parse", "option '--nbest': a beam of %d cannot give %d trees%s", beam,
                     how->nbest, how->beam > 0 ? "" : "; the model's own is used without '--beam'");
}

static int parse_picked(parse_run *run, size_t index, const auto_input *in, dd_writer *writer)
{
    const dd_model *model;
    dd_parse_report report;
    dd_input_options how = what_to_read(run->args, index);
    int status = auto_models_pick(run->by_language, in, &how, &model);
    if (status == STATUS_OK) status = check_beam(run->args, model);
    if (status != STATUS_OK) return status;
    dd_parse_report_init(&report, model);
    status = parse_file(model, &in->from, index, run->args, writer, &report);
    if (!run->args->quiet) note_report(&report, status);
    run->report.sentences += report.sentences;
    run->report.words += report.words;
    return status;
}

static int parse_one(parse_run *run, size_t index, dd_writer *writer)
{
    const char *path = run->files->at[index];
    if (run->model)
        return parse_file(run->model, &(dd_input){.name = path}, index, run->args, writer,
                          &run->report);
    auto_input in;
    int status = auto_input_open(&in, path);
    if (status == STATUS_OK) status = parse_picked(run, index, &in, writer);
    auto_input_free(&in);
    return status;
}

static dd_status show(void *user, dd_text bytes, dd_error *error)
{
    (void)error;
    output *out = user;
    output_bytes(out, bytes.data, bytes.size);
    output_flush(out);
    return out->status == DD_OK ? DD_OK : DD_INTERRUPTED;
}

static int parse_all(parse_run *run, dd_writer *writer)
{
    dd_error error;
    if (dd_writer_set_format(writer, (dd_format)run->args->to, &error) != DD_OK)
        return say_error(&error);
    int status = STATUS_OK;
    for (size_t i = 0; i < run->files->count && status == STATUS_OK; i++) {
        status = parse_one(run, i, writer);
        /* The next file may be a pipe that has nothing yet. A failure is told in the end. */
        dd_writer_flush(writer, NULL);
    }
    return status;
}

/* A terminal must not be commanded by what it is shown. */
static int parse_to_terminal(parse_run *run, output *out)
{
    dd_error error;
    dd_writer *writer;
    if (dd_writer_open_to(&writer, show, out, &error) != DD_OK) return say_error(&error);
    int status = parse_all(run, writer);
    dd_writer_drop(writer);
    return status;
}

/* After a problem, what was parsed before it goes to standard output, but does not replace a file.
 */
static int parse_files(parse_run *run)
{
    output out;
    double start = number_seconds_now();
    if (output_open(&out, run->args->output) != DD_OK) return output_close(&out);
    int status = out.terminal ? parse_to_terminal(run, &out) : parse_all(run, out.writer);
    status = output_end(&out, status);
    if (run->model && !run->args->quiet) note_report(&run->report, status);
    if (run->args->verbose)
        note_speed(&run->report, number_seconds_now() - start, run->args->how.how.threads);
    return status;
}

static int check_constraints(const arguments *args, const operands *files)
{
    if (args->constraints.count == 0) return STATUS_OK;
    for (size_t i = 0; i < args->constraints.count; i++)
        if (!constraint_is_line(args->constraints.at[i]))
            return say_usage("parse", "option '--constraint': it has a control character");
    if (files->count > 1 || args->from == DD_FORMAT_JSONL || args->to == DD_FORMAT_JSONL)
        return say_usage("parse", "option '--constraint' is for one file, and not for documents");
    return STATUS_OK;
}

static int check_options(const arguments *args, const operands *files)
{
    const dd_input_options *how = &args->how.input;
    dd_given given = how->given;
    bool of_documents = args->from == DD_FORMAT_AUTO || args->from == DD_FORMAT_JSONL;
    bool text = of_documents || args->from == DD_FORMAT_TEXT;
    bool tokens = text || args->from == DD_FORMAT_VERTICAL;
    if ((given == DD_GIVEN_TEXT || given == DD_GIVEN_SENTENCES) && !text)
        return say_usage("parse", "option '--given': text and sentences are for '--from text'");
    if (given == DD_GIVEN_TOKENS && !tokens)
        return say_usage("parse",
                         "option '--given': tokens are for '--from text' and '--from vertical'");
    if ((how->field || how->id) && !of_documents)
        return say_usage("parse", "option '--%s' is for '--from jsonl'",
                         how->field ? "field" : "id");
    return check_constraints(args, files);
}

static int parse_with(const dd_model *model, const arguments *args, const operands *files)
{
    parse_run run = {.args = args, .files = files, .model = model};
    int status = check_beam(args, model);
    if (status != STATUS_OK) return status;
    dd_parse_report_init(&run.report, model);
    return parse_files(&run);
}

static int parse_by_language(const arguments *args, const operands *files)
{
    auto_models models;
    parse_run run = {.args = args, .files = files, .by_language = &models};
    int status = auto_models_open(&models, args->output, args->quiet);
    if (status == STATUS_OK) status = parse_files(&run);
    auto_models_free(&models);
    return status;
}

static int load_and_parse(const arguments *args, const operands *files, const char *path)
{
    /* The model is mapped, so that writing over it would take the ground from under the parser. */
    int status = input_spare(path, args->output);
    if (status != STATUS_OK) return status;
    dd_error error;
    dd_model *model;
    if (dd_model_load(&model, path, &error) != DD_OK) return say_error(&error);
    status = parse_with(model, args, files);
    dd_model_free(model);
    return status;
}

static int run(const command *self, int argc, char **argv)
{
    arguments args;
    operands files;
    int status = options_read(self, argc, argv, &args, &files);
    if (status != OPTIONS_GO) return status;
    char *path = NULL;
    documents_name(&args.names, &files);
    status = check_options(&args, &files);
    if (status == STATUS_OK) status = input_check(self, &files, NULL, args.output);
    bool by_language = auto_model_wanted(args.model);
    if (status == STATUS_OK && by_language) status = parse_by_language(&args, &files);
    if (status == STATUS_OK && !by_language)
        status = named_model_path(self->name, args.model, &path);
    if (status == STATUS_OK && !by_language) status = load_and_parse(&args, &files, path);
    free(path);
    free(args.constraints.at);
    documents_free(&args.names);
    return status;
}

const command cmd_parse = {
    .name = "parse",
    .usage = "[OPTION]... [-m MODEL] [FILE]...",
    .summary = "parse text, JSON lines, CoNLL-U or CoNLL-X with a trained model",
    .text = "Write the HEAD and DEPREL that the model predicts for every word. The model's "
            "tokenizer first splits plain text into sentences and words, and its tagger and "
            "lemmatizer annotate sentences without tags. All else in CoNLL input stays as it is, "
            "byte for byte: comments, multiword tokens, empty nodes, the other columns, and the "
            "order of the sentences. The tree obeys constraints given in comments, such as '# "
            "constraint = arc 3 nsubj 2', '# constraint = span 4 6 none' and '# constraint = leaf "
            "7'; see dodona-parse(1).",
    .operand = "FILE",
    .most = MANY_OPERANDS,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
