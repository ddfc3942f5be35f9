/* cmd_stats.c - counts over treebanks. */
#include "cmd.h"
#include "input.h"
#include "number.h"
#include "output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct arguments {
    const char *output;
    int single_root, from, to;
    bool skip_bad, verbose, quiet;
} arguments;

#define AT(field) offsetof(arguments, field)
static const option options[] = {
    OPTION_ROW_SINGLE_ROOT(AT(single_root)),
    OPTION_ROW_FROM(AT(from)),
    OPTION_ROW_TO(AT(to)),
    OPTION_ROW_SKIP_BAD(AT(skip_bad)),
    OPTION_ROW_OUTPUT(AT(output)),
    OPTION_ROW_VERBOSE(AT(verbose), "name each sentence that is skipped"),
    OPTION_ROW_QUIET(AT(quiet)),
};
#undef AT

enum { NAME_WIDTH = 30, COUNT_WIDTH = 13 };

static void table_count(output *out, const char *name, uint64_t count)
{
    output_format(out, "%-*s%*s\n", NAME_WIDTH, name, COUNT_WIDTH, number_grouped(count).text);
}

static void table_share(output *out, const char *name, uint64_t count, uint64_t whole)
{
    output_format(out, "%-*s%*s  %6.2f %%\n", NAME_WIDTH, name, COUNT_WIDTH,
                  number_grouped(count).text, number_percent(count, whole));
}

/* The highest degree that occurs; degrees beyond it need no row. */
static int highest_gap_degree(const dd_stats *stats)
{
    int highest = DD_MAX_GAP_DEGREE;
    while (highest > 0 && stats->gap_degree[highest] == 0) highest--;
    return highest;
}

static double mean_length(const dd_stats *stats)
{
    return stats->sentences == 0 ? 0 : (double)stats->words / (double)stats->sentences;
}

static void table_shape(output *out, const dd_stats *stats)
{
    if (stats->unknown_heads > 0) {
        table_share(out, "words without a head", stats->unknown_heads, stats->words);
        table_share(out, "partial trees", stats->partial, stats->sentences);
    }
    table_share(out, "no tree", stats->invalid, stats->sentences);
    table_share(out, "several roots", stats->several_roots, stats->sentences);
    table_share(out, "non-projective sentences", stats->nonprojective_sentences, stats->sentences);
    table_share(out, "non-projective arcs", stats->nonprojective_arcs, stats->words);
    for (int degree = 0; degree <= highest_gap_degree(stats); degree++) {
        char name[40];
        snprintf(name, sizeof name, "gap degree %d%s", degree,
                 degree == DD_MAX_GAP_DEGREE ? " or more" : "");
        table_share(out, name, stats->gap_degree[degree], stats->sentences);
    }
}

static void write_table(output *out, const char *title, const dd_stats *stats)
{
    output_format(out, "%s\n", title);
    table_count(out, "sentences", stats->sentences);
    table_count(out, "words", stats->words);
    output_format(out, "%-*s%*.2f\n", NAME_WIDTH, "words per sentence", COUNT_WIDTH,
                  mean_length(stats));
    table_count(out, "longest sentence", (uint64_t)stats->longest);
    table_count(out, "multiword ranges", stats->ranges);
    table_count(out, "empty nodes", stats->empty_nodes);
    table_count(out, "labels", stats->labels);
    table_shape(out, stats);
    dd_system_info info;
    for (size_t i = 0; dd_system_at(i, &info); i++) {
        char name[64];
        snprintf(name, sizeof name, "%s can build", info.name);
        table_share(out, name, stats->buildable[i], stats->sentences);
    }
}

static void json_count(output *out, const char *name, uint64_t count)
{
    output_format(out, ",\"%s\":%" PRIu64, name, count);
}

static void json_lists(output *out, const dd_stats *stats)
{
    output_string(out, ",\"gap_degrees\":[");
    for (int degree = 0; degree <= highest_gap_degree(stats); degree++)
        output_format(out, "%s%" PRIu64, degree > 0 ? "," : "", stats->gap_degree[degree]);
    output_string(out, "],\"buildable\":{");
    dd_system_info info;
    for (size_t i = 0; dd_system_at(i, &info); i++) {
        if (i > 0) output_string(out, ",");
        output_json_string(out, info.name);
        output_format(out, ":%" PRIu64, stats->buildable[i]);
    }
    output_string(out, "}");
}

/* One line a file; the total has no "file". */
static void write_json(output *out, const char *file, const dd_stats *stats)
{
    output_string(out, "{\"file\":");
    if (file)
        output_json_string(out, file);
    else
        output_string(out, "null");
    json_count(out, "sentences", stats->sentences);
    json_count(out, "words", stats->words);
    output_format(out, ",\"mean_length\":%.4f", mean_length(stats));
    json_count(out, "longest", (uint64_t)stats->longest);
    json_count(out, "ranges", stats->ranges);
    json_count(out, "empty_nodes", stats->empty_nodes);
    json_count(out, "labels", stats->labels);
    json_count(out, "unknown_heads", stats->unknown_heads);
    json_count(out, "partial", stats->partial);
    json_count(out, "invalid", stats->invalid);
    json_count(out, "several_roots", stats->several_roots);
    json_count(out, "nonprojective_sentences", stats->nonprojective_sentences);
    json_count(out, "nonprojective_arcs", stats->nonprojective_arcs);
    json_lists(out, stats);
    output_string(out, "}\n");
}

typedef struct counter {
    const arguments *args;
    output out;
    input in;
    dd_stats_collector *file, *total; /* total is NULL when there is one file only */
} counter;

static int add(void *user, dd_sentence *sentence)
{
    counter *state = user;
    dd_error error;
    if (dd_stats_collector_add(state->file, sentence, &error) != DD_OK) return say_error(&error);
    if (state->total && dd_stats_collector_add(state->total, sentence, &error) != DD_OK)
        return say_error(&error);
    return STATUS_OK;
}

static void write(counter *state, const char *file, const dd_stats_collector *collector)
{
    dd_stats stats;
    dd_stats_collector_get(collector, &stats);
    if (state->args->to == REPORT_JSON)
        write_json(&state->out, file, &stats);
    else
        write_table(&state->out, file ? file : "total", &stats);
}

static int count_file(counter *state, const char *file)
{
    dd_error error;
    if (dd_stats_collector_new(&state->file, state->args->single_root != 0, &error) != DD_OK)
        return say_error(&error);
    int status = input_each(&state->in, file, add, state);
    if (status == STATUS_OK)
        write(state, strcmp(file, "-") == 0 ? "standard input" : file, state->file);
    dd_stats_collector_free(state->file);
    return status;
}

static int count_files(counter *state, const operands *files)
{
    dd_error error;
    int status = STATUS_OK;
    if (files->count > 1 &&
        dd_stats_collector_new(&state->total, state->args->single_root != 0, &error) != DD_OK)
        return say_error(&error);
    for (size_t i = 0; i < files->count && status == STATUS_OK; i++) {
        status = count_file(state, files->at[i]);
        if (status == STATUS_OK && state->total && state->args->to == REPORT_TEXT)
            output_string(&state->out, "\n");
    }
    if (status == STATUS_OK && state->total) write(state, NULL, state->total);
    dd_stats_collector_free(state->total);
    return status;
}

static int run(const command *self, int argc, char **argv)
{
    arguments args;
    operands files;
    int status = options_read(self, argc, argv, &args, &files);
    if (status != OPTIONS_GO) return status;
    status = input_check(self, &files, NULL, args.output);
    if (status != STATUS_OK) return status;
    counter state = {
        .args = &args,
        .in = {.format = (dd_format)args.from, .skip_bad = args.skip_bad, .verbose = args.verbose}};
    if (output_open(&state.out, args.output) == DD_OK) {
        state.out.report = args.to == REPORT_TEXT;
        status = count_files(&state, &files);
    }
    status = output_end(&state.out, status);
    if (!args.quiet) input_note_bad(&state.in);
    return status;
}

const command cmd_stats = {
    .name = "stats",
    .usage = "[OPTION]... [FILE]...",
    .summary = "count words, trees and what each system can build",
    .text = "Count sentences, words, labels, non-projective trees and gap degrees, and the "
            "sentences whose tree each transition system can build. Where HEAD is _ for some "
            "words, a system counts as able to build the tree if it can build one with all known "
            "heads. Several files are counted one by one and in total; --to json writes one line "
            "for each, with file null for the total.",
    .operand = "FILE",
    .most = MANY_OPERANDS,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
