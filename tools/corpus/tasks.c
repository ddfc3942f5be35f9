#include "corpus/tasks.h"

#include "cmd.h"
#include "heap.h"
#include "message.h"
#include "number.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- tasks by number ------------------------------------------------------------------------- */

void task_set_new(task_set *set, size_t count)
{
    set->has = heap_zeroed(count + 1, sizeof *set->has);
    set->count = count;
}

void task_set_free(task_set *set)
{
    free(set->has);
}

static int refuse(const char *words)
{
    return say_usage("corpus", "'%s' does not name tasks; write them as 5, 1,4-7 or 2/8", words);
}

static int add_share(task_set *set, size_t share, size_t shares, const char *words)
{
    if (share == 0 || share > shares) return refuse(words);
    for (size_t task = share; task <= set->count; task += shares) set->has[task] = true;
    return STATUS_OK;
}

static int add_range(task_set *set, size_t first, size_t last, const char *words)
{
    if (first == 0 || last < first) return refuse(words);
    if (last > set->count)
        return say_usage("corpus", "there is no task %zu; the plan has %zu", last, set->count);
    for (size_t task = first; task <= last; task++) set->has[task] = true;
    return STATUS_OK;
}

int task_set_add(task_set *set, const char *words)
{
    int status = STATUS_OK;
    const char *at = words;
    do {
        size_t first = number_take(&at), last = first;
        bool share = *at == '/';
        if (*at == '-' || share) {
            at++;
            last = number_take(&at);
        }
        if (*at && *at != ',') return refuse(words);
        status = share ? add_share(set, first, last, words) : add_range(set, first, last, words);
    } while (status == STATUS_OK && *at++ == ',');
    return status;
}

void task_set_write(const task_set *set, output *out)
{
    const char *before = "";
    for (size_t first = 1; first <= set->count; first++) {
        size_t last = first;
        if (!set->has[first]) continue;
        while (last < set->count && set->has[last + 1]) last++;
        output_format(out, last > first ? "%s%zu-%zu" : "%s%zu", before, first, last);
        before = ",";
        first = last;
    }
    if (*before) output_string(out, "\n");
}

/* ---- working them off ------------------------------------------------------------------------ */

#ifdef __linux__
#include <sys/prctl.h>
#endif

static void note_done(size_t task, const dd_parse_report *report, double seconds)
{
    fprintf(stderr, "task %zu: %s sentences, %s words in %s\n", task,
            number_grouped(report->sentences).text, number_grouped(report->words).text,
            number_duration(seconds).text);
    if (report->bad > 0)
        say_warning("task %zu: %s sentences passed through unparsed", task,
                    number_grouped(report->bad).text);
}

static int work(dd_plan *plan, size_t task, const worker_options *how)
{
    dd_error error;
    dd_parse_report report = {.size = sizeof report};
    double start = number_seconds_now();
    if (dd_plan_run(plan, task, how->threads, &report, &error) != DD_OK) {
        say("task %zu: %s", task, error.message);
        return STATUS_PROBLEM;
    }
    if (!how->quiet) note_done(task, &report, number_seconds_now() - start);
    return STATUS_OK;
}

/* Whoever kills this process means the task too. */
static void end_with_parent(pid_t parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent) _exit(STATUS_PROBLEM);
}

/* Of the process alone; a signal from outside says nothing of the input. */
static bool is_own_fault(int signal)
{
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL ||
           signal == SIGABRT;
}

static int note_signal(dd_plan *plan, size_t task, int signal)
{
    char reason[128];
    snprintf(reason, sizeof reason, "the process ended with signal %d (%s)", signal,
             strsignal(signal));
    say("task %zu: %s", task, reason);
    if (is_own_fault(signal)) dd_plan_fail(plan, task, reason, NULL);
    return STATUS_PROBLEM;
}

int worker_run(dd_plan *plan, size_t task, const worker_options *how)
{
    int status = 0;
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        end_with_parent(parent);
        _exit(work(plan, task, how));
    }
    pid_t ended = child;
    if (child > 0)
        while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
        }
    if (ended < 0) {
        say("task %zu: cannot be started: %s", task, strerror(errno));
        return STATUS_PROBLEM;
    }
    return WIFSIGNALED(status) ? note_signal(plan, task, WTERMSIG(status)) : WEXITSTATUS(status);
}
