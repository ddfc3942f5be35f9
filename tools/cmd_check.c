/* cmd_check.c - what is wrong with CoNLL-U files, line by line. */
#include "cmd.h"
#include "heap.h"
#include "input.h"
#include "message.h"
#include "number.h"
#include "output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    const char *output, *only;
    int64_t level, max;
    bool list, quiet;
} arguments;

#define AT(field) offsetof(arguments, field)
static const option options[] = {
    {.name = "level",
     .kind = OPTION_WHOLE,
     .target = AT(level),
     .value = "N",
     .default_value = "2",
     .low = 1,
     .high = DD_CHECK_LEVELS,
     .help = "how much to check: 1: the format; 2: also what Universal Dependencies requires of "
             "every file; 3: also what its guidelines say about relations"},
    {.name = "only",
     .kind = OPTION_STRING,
     .target = AT(only),
     .value = "NAMES",
     .help = "report only these kinds of faults, separated by commas, whatever their level"},
    {.name = "max",
     .kind = OPTION_WHOLE,
     .target = AT(max),
     .value = "N",
     .default_value = "10",
     .high = INT64_MAX,
     .help = "how many faults of each kind to show, 0 for all; the others are only counted"},
    {.name = "list",
     .kind = OPTION_FLAG,
     .target = AT(list),
     .help = "list the kinds of faults and their levels, and check nothing"},
    OPTION_ROW_OUTPUT(AT(output)),
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .target = AT(quiet),
     .help = "no summary at the end"},
};
#undef AT

typedef struct checker {
    const arguments *args;
    output out;
    const char *file; /* as it stands in messages */
    int level;        /* the highest that is asked for */
    bool *wanted;     /* [kinds] */
    uint64_t *counts; /* [kinds] */
    size_t kinds;
    uint64_t sentences, words;
} checker;

/* ---- kinds --------------------------------------------------------------------------------- */

static int list_kinds(const arguments *args)
{
    output out;
    dd_fault_kind kind;
    if (output_open(&out, args->output) == DD_OK)
        for (size_t i = 0; dd_fault_kind_at(i, &kind); i++)
            output_format(&out, "%-20s %d  %s\n", kind.name, kind.level, kind.summary);
    return output_close(&out);
}

static int unknown_kind(const char *name, size_t size)
{
    dd_fault_kind kind;
    suggestion nearest = suggest_for(name, size);
    for (size_t i = 0; dd_fault_kind_at(i, &kind); i++) suggest_consider(&nearest, kind.name);
    if (nearest.nearest)
        return say_usage("check", "option '--only': there is no kind '%.*s'; did you mean '%s'?",
                         (int)size, name, nearest.nearest);
    return say_usage("check", "option '--only': there is no kind '%.*s'; '--list' names them",
                     (int)size, name);
}

static int want_named(checker *state, const char *names)
{
    dd_fault_kind kind;
    for (const char *at = names;; at++) {
        size_t size = strcspn(at, ","), i = 0;
        while (dd_fault_kind_at(i, &kind) &&
               (strlen(kind.name) != size || strncmp(kind.name, at, size) != 0))
            i++;
        if (i == state->kinds) return unknown_kind(at, size);
        state->wanted[i] = true;
        if (kind.level > state->level) state->level = kind.level;
        at += size;
        if (!*at) return STATUS_OK;
    }
}

static int choose_kinds(checker *state)
{
    dd_fault_kind kind;
    while (dd_fault_kind_at(state->kinds, &kind)) state->kinds++;
    state->wanted = heap_zeroed(state->kinds, sizeof *state->wanted);
    state->counts = heap_zeroed(state->kinds, sizeof *state->counts);
    if (state->args->only) return want_named(state, state->args->only);
    state->level = (int)state->args->level;
    for (size_t i = 0; i < state->kinds; i++) state->wanted[i] = true;
    return STATUS_OK;
}

/* ---- files --------------------------------------------------------------------------------- */

static bool show(void *user, const dd_fault *fault)
{
    checker *state = user;
    dd_fault_kind kind;
    if (!state->wanted[fault->kind] || !dd_fault_kind_at(fault->kind, &kind)) return true;
    uint64_t most = (uint64_t)state->args->max, count = ++state->counts[fault->kind];
    if (most == 0 || count <= most)
        output_format(&state->out, "%s:%" PRIu64 ": %s [%s]\n", state->file, fault->line,
                      fault->reason, kind.name);
    return state->out.status == DD_OK;
}

static int check_file(checker *state, const char *path)
{
    dd_error error;
    dd_reader *reader;
    dd_check_report report;
    if (dd_reader_open(&reader, path, DD_FORMAT_CONLLU, &error) != DD_OK) return say_error(&error);
    state->file = dd_reader_name(reader);
    dd_status status = dd_check_reader(reader, state->level, show, state, &report, &error);
    dd_reader_close(reader);
    state->sentences += report.sentences;
    state->words += report.words;
    return status == DD_OK || status == DD_INTERRUPTED ? STATUS_OK : say_error(&error);
}

static uint64_t count_all(const checker *state)
{
    uint64_t all = 0;
    for (size_t i = 0; i < state->kinds; i++) all += state->counts[i];
    return all;
}

static void write_summary(checker *state)
{
    output *out = &state->out;
    uint64_t all = count_all(state), most = (uint64_t)state->args->max;
    output_format(out, "%s sentence%s, ", number_grouped(state->sentences).text,
                  state->sentences == 1 ? "" : "s");
    output_format(out, "%s word%s: ", number_grouped(state->words).text,
                  state->words == 1 ? "" : "s");
    output_format(out, "%s fault%s\n", all ? number_grouped(all).text : "no", all == 1 ? "" : "s");
    dd_fault_kind kind;
    for (size_t i = 0; dd_fault_kind_at(i, &kind); i++) {
        uint64_t count = state->counts[i];
        if (count == 0) continue;
        output_format(out, "  %-20s %9s", kind.name, number_grouped(count).text);
        if (most > 0 && count > most)
            output_format(out, ", of which %s not shown", number_grouped(count - most).text);
        output_string(out, "\n");
    }
}

/* A file that cannot be read does not keep the others from being checked. */
static int check_files(checker *state, const operands *files)
{
    int status = STATUS_OK;
    for (size_t i = 0; i < files->count && state->out.status == DD_OK; i++) {
        int one = check_file(state, files->at[i]);
        if (one != STATUS_OK) status = one;
    }
    if (!state->args->quiet) write_summary(state);
    return status == STATUS_OK && count_all(state) > 0 ? STATUS_PROBLEM : status;
}

static int run(const command *self, int argc, char **argv)
{
    arguments args;
    operands files;
    int status = options_read(self, argc, argv, &args, &files);
    if (status != OPTIONS_GO) return status;
    if (args.list) return list_kinds(&args);
    status = input_check(self, &files, NULL, args.output);
    if (status != STATUS_OK) return status;
    checker state = {.args = &args};
    status = choose_kinds(&state);
    if (status == STATUS_OK) {
        if (output_open(&state.out, args.output) == DD_OK) {
            state.out.report = true;
            status = check_files(&state, &files);
        }
        int closed = output_close(&state.out);
        if (status == STATUS_OK) status = closed;
    }
    free(state.wanted);
    free(state.counts);
    return status;
}

const command cmd_check = {
    .name = "check",
    .usage = "[OPTION]... [FILE]...",
    .summary = "report what is wrong with CoNLL-U files",
    .text = "Report every fault of CoNLL-U files, including those that the other subcommands "
            "accept, as FILE:LINE: reason [kind]. Checking continues after a fault, and a summary "
            "with counts comes at the end. The exit status is 0 if there are no faults, and 1 if "
            "there are some.",
    .operand = "FILE",
    .most = MANY_OPERANDS,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
