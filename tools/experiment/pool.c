#include "experiment/pool.h"

#include "cmd.h"
#include "experiment/one_run.h"
#include "heap.h"
#include "message.h"
#include "number.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- progress -------------------------------------------------------------------------------- */

void pace_begin(pace *p, const plan *of)
{
    *p = (pace){.plan = of};
    p->seconds = heap_zeroed(of->n_setups, sizeof *p->seconds);
    p->work = heap_zeroed(of->n_setups, sizeof *p->work);
}

void pace_end(pace *p)
{
    free(p->seconds);
    free(p->work);
}

static double work_of(const pace *p, size_t run)
{
    const plan_treebank *data = &p->plan->treebanks[plan_run(p->plan, run).treebank];
    return (double)data->bytes * data->iterations;
}

void pace_add(pace *p, size_t run, double seconds)
{
    size_t how = plan_run(p->plan, run).setup;
    double work = work_of(p, run);
    p->seconds[how] += seconds;
    p->work[how] += work;
    p->all_seconds += seconds;
    p->all_work += work;
}

static double estimate(const pace *p, size_t run)
{
    size_t how = plan_run(p->plan, run).setup;
    if (p->work[how] > 0) return work_of(p, run) * p->seconds[how] / p->work[how];
    return p->all_work > 0 ? work_of(p, run) * p->all_seconds / p->all_work : 0;
}

double pace_left(const pace *p, const size_t *runs, size_t count, int jobs)
{
    double left = 0;
    for (size_t i = 0; i < count; i++) left += estimate(p, runs[i]);
    return left / jobs;
}

double pace_rest(const pace *p, size_t run, double taken)
{
    double all = estimate(p, run);
    return all > taken ? all - taken : 0;
}

/* ---- processes ------------------------------------------------------------------------------- */

/* A signal handler can reach nothing else than a variable of the file. */
static volatile sig_atomic_t interrupted;

typedef struct job {
    pid_t process;
    int pipe; /* to read from */
    size_t run;
    double started;
    char *text; /* [size] what came through the pipe so far */
    size_t size, room;
} job;

typedef struct pool {
    results *results;
    const plan *plan;
    pace pace;
    size_t *todo; /* [n_todo] indices of runs */
    size_t n_todo, next;
    job jobs[POOL_MOST_JOBS]; /* [n_jobs] under way */
    int n_jobs, most_jobs;
    bool quiet, terminal;
    pool_counts *counts;
} pool;

static void interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/* ---- in the child ---- */

static void write_all(int to, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t done = write(to, data, size);
        if (done < 0 && errno != EINTR) _exit(STATUS_PROBLEM);
        if (done < 0) continue;
        data += done;
        size -= (size_t)done;
    }
}

/* Ends the process, and not by exit(): what the parent has in its buffers is the parent's. */
static void child(const pool *p, size_t run, int to)
{
    result made;
    output line;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    for (int i = 0; i < p->n_jobs; i++) close(p->jobs[i].pipe);
    close(p->results->file); /* the lock on it is the parent's */
    run_key key = plan_run(p->plan, run);
    run_perform(p->plan, key, &made);
    output_keep(&line);
    result_write(&line, p->plan, key, &made);
    if (line.status != DD_OK) _exit(STATUS_PROBLEM);
    write_all(to, line.data, line.size);
    _exit(STATUS_OK);
}

/* ---- in the parent ---- */

static int start(pool *p)
{
    int ends[2];
    if (pipe(ends) != 0) return say("pipe: %s", strerror(errno)), STATUS_PROBLEM;
    size_t run = p->todo[p->next];
    pid_t process = fork();
    if (process < 0) {
        say("fork: %s", strerror(errno));
        close(ends[0]);
        close(ends[1]);
        return STATUS_PROBLEM;
    }
    if (process == 0) {
        close(ends[0]);
        child(p, run, ends[1]);
    }
    close(ends[1]);
    p->next++;
    p->jobs[p->n_jobs++] =
        (job){.process = process, .pipe = ends[0], .run = run, .started = number_seconds_now()};
    return STATUS_OK;
}

static void describe(const pool *p, size_t run, char *text, size_t room)
{
    run_key key = plan_run(p->plan, run);
    const plan_setup *how = &p->plan->setups[key.setup];
    char oracle[SETUP_NAME_SIZE], code[64];
    setup_oracle_name(how, oracle);
    printable_copy(code, sizeof code, p->plan->treebanks[key.treebank].code);
    snprintf(text, room, "%s %s %s seed %llu", code, how->system, oracle,
             (unsigned long long)p->plan->seeds[key.seed]);
}

static void clear_line(const pool *p)
{
    if (p->terminal && !p->quiet) fprintf(stderr, "\r\033[K");
}

static void show_line(const pool *p)
{
    char running[160];
    if (!p->terminal || p->quiet || p->n_jobs == 0) return;
    describe(p, p->jobs[0].run, running, sizeof running);
    double left = pace_left(&p->pace, p->todo + p->next, p->n_todo - p->next, p->most_jobs);
    double now = number_seconds_now();
    for (int i = 0; i < p->n_jobs; i++)
        left += pace_rest(&p->pace, p->jobs[i].run, now - p->jobs[i].started) / p->most_jobs;
    fprintf(stderr, "\r%zu of %zu runs  %s left  %s%s\033[K", p->counts->done + p->counts->failed,
            p->n_todo, left > 0 ? number_duration(left).text : "?", running,
            p->n_jobs > 1 ? " ..." : "");
    fflush(stderr);
}

static void tell(const pool *p, size_t run)
{
    char text[160];
    const result *made = &p->results->runs[run];
    if (p->quiet && !made->failed) return;
    describe(p, run, text, sizeof text);
    clear_line(p);
    if (made->failed)
        say("%s failed: %s", text, made->failed);
    else
        fprintf(stderr, "%s: dev LAS %.2f, test LAS %.2f, %s\n", text, made->dev.las,
                made->test.las, number_duration(made->expense.seconds).text);
}

static int append(pool *p, const char *data, size_t size)
{
    if (results_append(p->results, data, size)) return STATUS_OK;
    say("the results cannot be written: %s", strerror(errno));
    return STATUS_PROBLEM;
}

static int record_failure(pool *p, size_t run, const char *reason)
{
    run_key key = plan_run(p->plan, run);
    result made = {.failed = heap_copy(reason, strlen(reason))};
    output line;
    strncpy(made.version, dd_version(), sizeof made.version - 1);
    output_keep(&line);
    result_write(&line, p->plan, key, &made);
    int status = append(p, line.data, line.size);
    output_close(&line);
    results_keep(p->results, key, &made);
    return status;
}

/* A run whose process came to a bad end. */
static int record_end(pool *p, size_t run, int ended)
{
    char reason[64];
    if (WIFSIGNALED(ended))
        snprintf(reason, sizeof reason, "its process was ended by signal %d", WTERMSIG(ended));
    else
        snprintf(reason, sizeof reason, "its process ended with status %d", WEXITSTATUS(ended));
    return record_failure(p, run, reason);
}

static int record(pool *p, const job *j, int ended)
{
    char reason[RESULT_REASON_SIZE] = "its process reported nothing";
    run_key key;
    result made;
    if (ended != 0) return record_end(p, j->run, ended);
    bool whole = j->size > 0 && j->text[j->size - 1] == '\n';
    if (!whole || result_read(&made, &key, p->plan, j->text, j->size - 1, reason) != RESULT_OF_PLAN)
        return record_failure(p, j->run, reason);
    results_keep(p->results, key, &made);
    return append(p, j->text, j->size);
}

static int finish(pool *p, int at)
{
    job done = p->jobs[at];
    int ended = 0, status = STATUS_OK;
    close(done.pipe);
    while (waitpid(done.process, &ended, 0) < 0 && errno == EINTR) {
    }
    p->jobs[at] = p->jobs[--p->n_jobs];
    /* Ctrl-C reaches all processes of a terminal, and the child may be the first to heed it. */
    if (WIFSIGNALED(ended) && WTERMSIG(ended) == SIGINT) interrupted = 1;
    if (!interrupted || (ended == 0 && done.size > 0)) {
        status = record(p, &done, ended);
        const result *made = &p->results->runs[done.run];
        p->counts->done += !made->failed;
        p->counts->failed += made->failed != NULL;
        if (!made->failed) pace_add(&p->pace, done.run, made->expense.seconds);
        tell(p, done.run);
    }
    free(done.text);
    return status;
}

/* Takes what has come through a pipe; finishes the job at its end. */
static int receive(pool *p, int at)
{
    job *j = &p->jobs[at];
    HEAP_GROW(&j->text, &j->room, j->size + (1 << 16));
    ssize_t got = read(j->pipe, j->text + j->size, j->room - j->size);
    if (got > 0) j->size += (size_t)got;
    if (got > 0 || (got < 0 && errno == EINTR)) return STATUS_OK;
    return finish(p, at);
}

static int wait_for_news(pool *p)
{
    enum { REDRAW_MILLISECONDS = 500 };
    struct pollfd polled[POOL_MOST_JOBS];
    int status = STATUS_OK;
    for (int i = 0; i < p->n_jobs; i++)
        polled[i] = (struct pollfd){.fd = p->jobs[i].pipe, .events = POLLIN};
    int n = p->n_jobs;
    if (poll(polled, (nfds_t)n, REDRAW_MILLISECONDS) <= 0) return STATUS_OK;
    /* From the last on: finishing a job moves the last one into its place. */
    for (int i = n - 1; i >= 0 && status == STATUS_OK; i--)
        if (polled[i].revents) status = receive(p, i);
    return status;
}

static void stop_all(pool *p)
{
    for (int i = 0; i < p->n_jobs; i++) kill(p->jobs[i].process, SIGTERM);
    while (p->n_jobs > 0) {
        job *last = &p->jobs[--p->n_jobs];
        close(last->pipe);
        while (waitpid(last->process, NULL, 0) < 0 && errno == EINTR) {
        }
        free(last->text);
    }
}

static void list_runs(pool *p, shard part)
{
    size_t size = plan_size(p->plan);
    p->todo = heap_zeroed(size, sizeof *p->todo);
    for (size_t i = 0; i < size; i++) {
        const result *made = &p->results->runs[i];
        if (!shard_has(part, i)) continue;
        if (!p->results->known[i] || made->failed)
            p->todo[p->n_todo++] = i;
        else
            pace_add(&p->pace, i, made->expense.seconds);
    }
}

int pool_run(results *r, shard part, int jobs, bool quiet, pool_counts *counts)
{
    pool p = {.results = r,
              .plan = r->plan,
              .most_jobs = jobs,
              .quiet = quiet,
              .terminal = isatty(STDERR_FILENO) == 1,
              .counts = counts};
    int status = STATUS_OK;
    *counts = (pool_counts){0};
    pace_begin(&p.pace, r->plan);
    list_runs(&p, part);
    catch_signals();
    while (status == STATUS_OK && !interrupted && (p.next < p.n_todo || p.n_jobs > 0)) {
        while (status == STATUS_OK && p.n_jobs < p.most_jobs && p.next < p.n_todo)
            status = start(&p);
        show_line(&p);
        if (status == STATUS_OK) status = wait_for_news(&p);
    }
    stop_all(&p);
    clear_line(&p);
    counts->interrupted = interrupted;
    pace_end(&p.pace);
    free(p.todo);
    return status;
}
