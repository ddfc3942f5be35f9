/* bench.c - what training and parsing cost, as ratios of two things measured in one run
 *
 *     bench TRAIN DEV [ITERATIONS [SYSTEM]...]
 *
 * Each measurement runs in a child process of its own, so that its peak memory is its own; the
 * child's answer comes back through a pipe. Times are medians. */
#include "times.h"

#include <dodona_tools.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_ITERATIONS = 50, PARSE_RUNS = 7, LOAD_RUNS = 21 };

typedef struct job {
    const char *train, *dev, *model; /* paths */
    const char *system;
    const char *oracle;
    int iterations, threads;
    char **systems; /* names of those to measure, NULL behind the last; none: all */
} job;

typedef struct answer {
    int ok;
    int count;
    double seconds[MAX_ITERATIONS]; /* [count] */
    double words;                   /* done in each of them */
} answer;

/* ---- what the children do ---- */

static bool note_iteration(void *user, const dd_train_progress *progress)
{
    answer *a = user;
    if (!progress->finished) return true;
    a->seconds[a->count++] = progress->seconds;
    a->words = (double)progress->words;
    return true;
}

static bool train(const job *j, answer *a, dd_error *error)
{
    dd_settings *settings = NULL;
    dd_train_watch watch;
    dd_model *model = NULL;
    char iterations[16];
    snprintf(iterations, sizeof iterations, "%d", j->iterations);
    dd_train_watch_init(&watch);
    watch.user = a;
    watch.report = note_iteration;
    dd_status status = dd_settings_new(&settings, error);
    if (status == DD_OK) status = dd_settings_set(settings, "system", j->system, error);
    if (status == DD_OK) status = dd_settings_set(settings, "oracle", j->oracle, error);
    if (status == DD_OK) status = dd_settings_set(settings, "iterations", iterations, error);
    if (status == DD_OK) status = dd_train(&model, settings, &watch, &j->train, 1, NULL, error);
    if (status == DD_OK) status = dd_model_save(model, j->model, error);
    dd_settings_free(settings);
    dd_model_free(model);
    return status == DD_OK;
}

static bool load(const job *j, answer *a, dd_error *error)
{
    for (a->count = 0; a->count < LOAD_RUNS; a->count++) {
        double start = now();
        dd_model *model;
        if (dd_model_load(&model, j->model, error) != DD_OK) return false;
        a->seconds[a->count] = now() - start;
        dd_model_free(model);
    }
    return true;
}

/* Reading and writing included. */
static bool parse_once(const job *j, const dd_model *model, answer *a, dd_error *error)
{
    dd_reader *reader = NULL;
    dd_writer *writer = NULL;
    dd_parse_options options;
    dd_parse_report report;
    dd_parse_options_init(&options);
    dd_parse_report_init(&report, model);
    options.threads = j->threads;
    dd_status status = dd_reader_open(&reader, j->dev, DD_FORMAT_AUTO, error);
    if (status == DD_OK) status = dd_writer_open(&writer, "/dev/null", error);
    if (status == DD_OK) status = dd_parse_stream(model, reader, writer, &options, &report, error);
    if (writer) dd_writer_close(writer, NULL);
    dd_reader_close(reader);
    a->words = (double)report.words;
    return status == DD_OK;
}

static bool parse(const job *j, answer *a, dd_error *error)
{
    dd_model *model;
    if (dd_model_load(&model, j->model, error) != DD_OK) return false;
    bool ok = true;
    for (a->count = 0; ok && a->count < PARSE_RUNS; a->count++) {
        double start = now();
        ok = parse_once(j, model, a, error);
        a->seconds[a->count] = now() - start;
    }
    dd_model_free(model);
    return ok;
}

/* ---- the parent ---- */

typedef bool (*work)(const job *j, answer *a, dd_error *error);

static void run_child(work task, const job *j, int pipe_end)
{
    answer a = {0};
    dd_error error;
    a.ok = task(j, &a, &error);
    if (!a.ok) fprintf(stderr, "bench: %s\n", error.message);
    ssize_t written = write(pipe_end, &a, sizeof a);
    _exit(written == (ssize_t)sizeof a ? 0 : 1);
}

/* Runs the task in a child; *peak_kib is its largest resident memory. */
static answer measure(work task, const job *j, long *peak_kib)
{
    answer a = {0};
    int ends[2];
    struct rusage usage = {0};
    if (pipe(ends) != 0) exit(1);
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) exit(1);
    if (child == 0) run_child(task, j, ends[1]);
    close(ends[1]);
    bool got = read(ends[0], &a, sizeof a) == (ssize_t)sizeof a;
    close(ends[0]);
    wait4(child, NULL, 0, &usage);
    if (!got || !a.ok) exit(1);
    *peak_kib = usage.ru_maxrss;
    return a;
}

/* Iteration by iteration, so that both sides of each ratio are equally far in their learning. */
static double ratio(const answer *one, const answer *other)
{
    double ratios[MAX_ITERATIONS];
    for (int i = 0; i < one->count; i++) ratios[i] = one->seconds[i] / other->seconds[i];
    return median(ratios, one->count);
}

static bool is_wanted(const job *j, const char *system)
{
    for (char **name = j->systems; *name; name++)
        if (strcmp(*name, system) == 0) return true;
    return !*j->systems;
}

static void bench_training(job j)
{
    static const char *const oracles[] = {"static", "nondet", "dynamic"};
    printf("%-14s %12s %12s %12s %16s %10s\n", "training", "static", "nondet", "dynamic",
           "dynamic/static", "peak");
    dd_system_info system;
    for (size_t s = 0; dd_system_at(s, &system); s++) {
        long peak = 0;
        answer a[3];
        if (!is_wanted(&j, system.name)) continue;
        j.system = system.name;
        for (int oracle = 0; oracle < 3; oracle++) {
            j.oracle = oracles[oracle];
            a[oracle] = measure(train, &j, &peak);
        }
        printf("%-14s", system.name);
        for (int o = 0; o < 3; o++)
            printf(" %8.0f w/s", a[o].words / median(a[o].seconds, a[o].count));
        printf(" %16.2f %6ld MiB\n", ratio(&a[2], &a[0]), peak / 1024);
    }
}

static void bench_parsing(job j)
{
    printf("\n%-14s %12s %12s %8s %10s %10s %10s\n", "parsing", "1 thread", "2 threads", "ratio",
           "model", "load", "peak");
    dd_system_info system;
    for (size_t s = 0; dd_system_at(s, &system); s++) {
        long peak = 0, ignored = 0;
        struct stat file;
        if (!is_wanted(&j, system.name)) continue;
        j.system = system.name;
        j.oracle = "dynamic";
        measure(train, &j, &ignored);
        j.threads = 1;
        answer one = measure(parse, &j, &peak);
        j.threads = 2;
        answer two = measure(parse, &j, &ignored);
        answer loads = measure(load, &j, &ignored);
        if (stat(j.model, &file) != 0) exit(1);
        double alone = median(one.seconds, one.count), both = median(two.seconds, two.count);
        printf("%-14s %8.0f w/s %8.0f w/s %8.2f %6.1f MB %7.2f ms %6ld MiB\n", system.name,
               one.words / alone, two.words / both, alone / both, (double)file.st_size / 1e6,
               1e3 * median(loads.seconds, loads.count), peak / 1024);
    }
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: bench TRAIN DEV [ITERATIONS [SYSTEM]...]\n");
        return 2;
    }
    char model[] = "/tmp/dodona-bench-XXXXXX";
    int file = mkstemp(model);
    if (file < 0) return 1;
    close(file);
    job j = {.train = argv[1], .dev = argv[2], .model = model, .iterations = 3};
    j.systems = argv + (argc > 4 ? 4 : argc);
    if (argc > 3) j.iterations = atoi(argv[3]);
    if (j.iterations < 1 || j.iterations > MAX_ITERATIONS) j.iterations = 3;
    printf("Dodona %s; train %s, parse %s\n", dd_version(), j.train, j.dev);
    printf("words a second, median of %d iterations and of %d parses; reading and writing "
           "included\n\n",
           j.iterations, PARSE_RUNS);
    bench_training(j);
    bench_parsing(j);
    unlink(model);
    return 0;
}
