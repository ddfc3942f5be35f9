/* cmd_experiment.c - trains and scores every combination of a plan, and reports on the results. */
#include "cmd.h"
#include "experiment/pool.h"
#include "experiment/report.h"
#include "heap.h"
#include "input.h"
#include "message.h"
#include "number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    const char *results, *treebanks, *report, *shard;
    int64_t jobs;
    bool merge, quiet;
    shard part; /* what `shard` says; all of it without */
} arguments;

static const option options[] = {
    {.name = "results",
     .letter = 'o',
     .kind = OPTION_STRING,
     .target = offsetof(arguments, results),
     .value = "FILE",
     .help = "where the results are kept, one JSON object per line; runs that are in it are not "
             "repeated; default: PLAN.jsonl"},
    {.name = "jobs",
     .letter = 'j',
     .kind = OPTION_WHOLE,
     .target = offsetof(arguments, jobs),
     .value = "N",
     .default_value = "1",
     .low = 1,
     .high = POOL_MOST_JOBS,
     .choices = option_auto,
     .help = "runs to make at the same time, each in its own process; the results are the same; "
             "auto: one for each core that the process may use"},
    {.name = "treebanks",
     .kind = OPTION_STRING,
     .target = offsetof(arguments, treebanks),
     .value = "DIR",
     .help = "where the treebanks are, in place of the folders that the plan names"},
    {.name = "shard",
     .kind = OPTION_STRING,
     .target = offsetof(arguments, shard),
     .value = "K/N",
     .help =
         "make only the K-th of N shares of the runs, on this machine, and keep their results in "
         "a file of their own: PLAN.K-of-N.jsonl"},
    {.name = "merge",
     .kind = OPTION_FLAG,
     .target = offsetof(arguments, merge),
     .help = "make no runs; add the results of all shares to those of the plan"},
    {.name = "report",
     .kind = OPTION_STRING,
     .target = offsetof(arguments, report),
     .value = "DIR",
     .help = "make no runs; write DIR/results.md, and tables (CSV) and plots (SVG) in DIR/results, "
             "from the results so far"},
    OPTION_ROW_QUIET(offsetof(arguments, quiet)),
};

static char *default_results(const char *path)
{
    size_t size = strlen(path);
    char *name = heap_zeroed(size + sizeof ".jsonl", 1);
    memcpy(name, path, size);
    strcpy(name + size, ".jsonl");
    return name;
}

static void note_oddities(const results *r, const char *path, const arguments *args)
{
    if (r->cut && !args->quiet)
        say_warning("%s:%zu: the last line was cut off; its run counts as not made", path,
                    r->lines + 1);
    if (r->other > 0 && !args->quiet)
        say_warning("%s: %zu line%s of runs that are not in the plan", path, r->other,
                    r->other == 1 ? "" : "s");
}

static size_t count_made(const results *r, shard part)
{
    size_t made = 0;
    for (size_t i = 0; i < plan_size(r->plan); i++)
        made += shard_has(part, i) && r->known[i] && !r->runs[i].failed;
    return made;
}

static size_t count_runs(const plan *p, shard part)
{
    size_t count = 0;
    for (size_t i = 0; i < plan_size(p); i++) count += shard_has(part, i);
    return count;
}

static void note_place(const results *r, shard part, const char *path)
{
    char shown[4096];
    printable_copy(shown, sizeof shown, path);
    fprintf(stderr, "%zu of %zu runs are in %s\n", count_made(r, part), count_runs(r->plan, part),
            shown);
}

/* Lines are added to the results, and a cut one is removed. */
static int spare_inputs(const plan *p, const char *path)
{
    int status = input_spare(p->path, path);
    for (size_t t = 0; t < p->n_treebanks && status == STATUS_OK; t++) {
        const plan_treebank *treebank = &p->treebanks[t];
        const char *const files[] = {treebank->train, treebank->dev, treebank->test};
        for (int i = 0; i < 3 && status == STATUS_OK; i++) status = input_spare(files[i], path);
    }
    return status;
}

static int make_runs(const plan *p, const char *path, const arguments *args)
{
    results r;
    pool_counts counts = {0};
    int status = spare_inputs(p, path);
    if (status != STATUS_OK) return status;
    status = results_open(&r, p, path);
    if (status == STATUS_OK) {
        note_oddities(&r, path, args);
        size_t made = count_made(&r, args->part);
        if (!args->quiet)
            fprintf(stderr, "%zu runs, %zu of them made before\n", count_runs(p, args->part), made);
        int jobs = args->jobs > 0 ? (int)args->jobs : dd_available_threads();
        status = pool_run(&r, args->part, jobs, args->quiet, &counts);
        if (!args->quiet) note_place(&r, args->part, path);
    }
    results_close(&r);
    if (status != STATUS_OK) return status;
    if (counts.interrupted) {
        say("interrupted; run the same command again to continue");
        return STATUS_INTERRUPTED;
    }
    if (counts.failed == 0) return STATUS_OK;
    say("%zu run%s failed", counts.failed, counts.failed == 1 ? "" : "s");
    return STATUS_PROBLEM;
}

static int make_report(const plan *p, const char *path, const arguments *args)
{
    results r;
    int status = results_read(&r, p, path);
    if (status == STATUS_OK) {
        note_oddities(&r, path, args);
        status = report_write(&r, args->report);
    }
    results_close(&r);
    return status;
}

static int merge_shards(const plan *p, const char *path, const arguments *args)
{
    results r;
    int status = spare_inputs(p, path);
    if (status != STATUS_OK) return status;
    status = shards_merge(&r, p, path);
    results_close(&r);
    if (status != STATUS_OK || args->quiet) return status;
    status = results_read(&r, p, path);
    if (status == STATUS_OK) note_place(&r, args->part, path);
    results_close(&r);
    return status;
}

static int check_options(arguments *args)
{
    args->part = (shard){1, 1};
    if (args->shard && !shard_read(args->shard, &args->part))
        return say_usage("experiment", "option '--shard': '%s' is not K/N, with K from 1 to N",
                         args->shard);
    if ((args->shard != NULL) + args->merge + (args->report != NULL) > 1)
        return say_usage("experiment",
                         "options '--shard', '--merge' and '--report' cannot be combined");
    return STATUS_OK;
}

static int act(const plan *p, const char *path, const arguments *args)
{
    if (args->report) return make_report(p, path, args);
    if (args->merge) return merge_shards(p, path, args);
    if (!args->shard) return make_runs(p, path, args);
    char *own = shard_path(path, args->part);
    int status = make_runs(p, own, args);
    free(own);
    return status;
}

static int run(const command *self, int argc, char **argv)
{
    arguments args;
    operands files;
    plan p;
    int status = options_read(self, argc, argv, &args, &files);
    if (status == OPTIONS_GO) status = check_options(&args) == STATUS_OK ? status : STATUS_USAGE;
    if (status != OPTIONS_GO) return status;
    char *name = args.results ? NULL : default_results(files.at[0]);
    status = plan_read(&p, files.at[0], args.treebanks, args.report || args.merge);
    if (status == STATUS_OK) status = act(&p, name ? name : args.results, &args);
    plan_free(&p);
    free(name);
    return status;
}

const command cmd_experiment = {
    .name = "experiment",
    .usage = "[OPTION]... PLAN",
    .summary = "train and score every combination of a plan",
    .text = "Train and score every combination of treebank, system, oracle and seed in the plan, "
            "and keep the results, one line per run: scores on dev and test, learning curve, "
            "time, memory, and the counts for the report. Runs that already have a result are "
            "skipped, so an experiment continues where it stopped; failed runs are tried again. "
            "Ctrl-C ends the program with status 130; the runs in progress are then lost.\n"
            "A plan is a text file of lines KEY = VALUES. At the top: seeds and iterations. In a "
            "section [treebanks]: folder, codes, and iterations if they differ; each treebank is "
            "a folder FOLDER/CODE with train, dev and test in CoNLL-U (.conllu) or CoNLL-X "
            "(.conll). In a section [runs]: systems, oracles, and losses for systems that have "
            "several. Sections may be repeated.\n"
            "--shard makes one share of the runs, for example in a task of a job array, and "
            "--merge gathers the results of all shares, which are the same as those of one "
            "experiment.\n"
            "--report writes tables and plots of the results.",
    .operand = "PLAN",
    .least = 1,
    .most = 1,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
