#include "corpus/actions.h"

#include "cmd.h"
#include "corpus/tasks.h"
#include "input.h"
#include "message.h"
#include "number.h"

#include <stdio.h>
#include <stdlib.h>

static size_t count_tasks(const dd_plan *plan)
{
    size_t count = 0;
    while (dd_plan_at(plan, count)) count++;
    return count;
}

/* With the plan that is the first operand. */
static int with_plan(const corpus_arguments *args, const operands *words,
                     int (*act)(const corpus_arguments *args, const operands *words, dd_plan *plan))
{
    dd_plan *plan;
    dd_error error;
    if (dd_plan_open(&plan, words->at[0], &error) != DD_OK) return say_error(&error);
    int status = act(args, words, plan);
    dd_plan_close(plan);
    return status;
}

static int refuse_more(const char *action, const operands *words)
{
    if (words->count == 1) return STATUS_OK;
    return say_usage("corpus", "%s takes one PLAN", action);
}

/* ---- run ---------------------------------------------------------------------------------- */

static int choose_tasks(task_set *tasks, const operands *words)
{
    const char *of_slurm = getenv("SLURM_ARRAY_TASK_ID");
    int status = STATUS_OK;
    for (size_t i = 1; i < words->count && status == STATUS_OK; i++)
        status = task_set_add(tasks, words->at[i]);
    if (words->count > 1) return status;
    if (of_slurm && *of_slurm) return task_set_add(tasks, of_slurm);
    return task_set_add(tasks, "1/1");
}

static void note_nothing(const task_set *tasks)
{
    size_t chosen = 0;
    for (size_t task = 1; task <= tasks->count; task++) chosen += tasks->has[task];
    if (chosen == 0) return;
    say_note("nothing to do: %s task%s done; '--again' repeats", number_grouped(chosen).text,
             chosen == 1 ? " is" : "s are");
}

static int run_chosen(const corpus_arguments *args, dd_plan *plan, const task_set *tasks)
{
    worker_options how = {.threads = args->how.how.threads, .quiet = args->quiet};
    int status = STATUS_OK;
    size_t begun = 0;
    for (size_t task = 1; task <= tasks->count; task++) {
        bool done = dd_plan_state(plan, task) == DD_TASK_DONE;
        if (!tasks->has[task] || (done && !args->again)) continue;
        begun++;
        if (worker_run(plan, task, &how) == STATUS_OK) continue;
        status = STATUS_PROBLEM;
        if (dd_plan_state(plan, task) != DD_TASK_FAILED) break;
    }
    if (begun == 0 && !args->quiet) note_nothing(tasks);
    return status;
}

static int run_tasks(const corpus_arguments *args, const operands *words, dd_plan *plan)
{
    task_set tasks;
    task_set_new(&tasks, count_tasks(plan));
    int status = choose_tasks(&tasks, words);
    if (status == STATUS_OK) status = run_chosen(args, plan, &tasks);
    task_set_free(&tasks);
    return status;
}

int corpus_run(const corpus_arguments *args, const operands *words)
{
    return with_plan(args, words, run_tasks);
}

/* ---- missing ------------------------------------------------------------------------------ */

static int list_missing(const corpus_arguments *args, const operands *words, dd_plan *plan)
{
    output out;
    task_set tasks;
    size_t failed = 0;
    (void)words;
    task_set_new(&tasks, count_tasks(plan));
    for (size_t task = 1; task <= tasks.count; task++) {
        dd_task_state state = dd_plan_state(plan, task);
        failed += state == DD_TASK_FAILED;
        tasks.has[task] = state == DD_TASK_FAILED || (state == DD_TASK_OPEN && !args->failed);
    }
    if (failed > 0 && !args->failed && !args->quiet)
        say_warning("%s of them failed; the .failed files beside the plan tell why",
                    number_grouped(failed).text);
    if (output_open(&out, args->output) == DD_OK) task_set_write(&tasks, &out);
    task_set_free(&tasks);
    return output_close(&out);
}

int corpus_missing(const corpus_arguments *args, const operands *words)
{
    int status = refuse_more("missing", words);
    return status == STATUS_OK ? with_plan(args, words, list_missing) : status;
}

/* ---- verify ------------------------------------------------------------------------------- */

static int verify_tasks(const corpus_arguments *args, const operands *words, dd_plan *plan)
{
    size_t count = count_tasks(plan), wrong = 0;
    (void)words;
    for (size_t task = 1; task <= count; task++) {
        dd_error error;
        if (dd_plan_verify(plan, task, args->quick, &error) == DD_OK) continue;
        say("task %zu: %s", task, error.message);
        wrong++;
    }
    if (!args->quiet)
        fprintf(stderr, "%s of %s tasks are right\n", number_grouped(count - wrong).text,
                number_grouped(count).text);
    return wrong == 0 ? STATUS_OK : STATUS_PROBLEM;
}

int corpus_verify(const corpus_arguments *args, const operands *words)
{
    int status = refuse_more("verify", words);
    return status == STATUS_OK ? with_plan(args, words, verify_tasks) : status;
}

/* ---- merge -------------------------------------------------------------------------------- */

/* An input or output of the plan is not to be lost. */
static int spare_files(const dd_plan *plan, const char *path)
{
    const dd_plan_task *task;
    int status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && (task = dd_plan_at(plan, i)); i++) {
        status = input_spare(task->input, path);
        if (status == STATUS_OK) status = input_spare(task->output, path);
    }
    return status;
}

/* Each file once; its tasks stand beside each other. */
static void note_left_out(const dd_plan *plan)
{
    const dd_plan_task *task;
    const char *named = NULL;
    for (size_t i = 0; (task = dd_plan_at(plan, i)); i++) {
        if (task->input == named || dd_plan_state(plan, task->number) != DD_TASK_FAILED) continue;
        named = task->input;
        say_warning("%s: left out, as a task of it failed", named);
    }
}

static int merge_tasks(const corpus_arguments *args, const operands *words, dd_plan *plan)
{
    dd_error error;
    (void)words;
    int status = spare_files(plan, args->output);
    if (status != STATUS_OK) return status;
    if (args->without_failed && !args->quiet) note_left_out(plan);
    if (dd_plan_merge(plan, args->output, args->without_failed, &error) != DD_OK)
        return say_error(&error);
    return STATUS_OK;
}

int corpus_merge(const corpus_arguments *args, const operands *words)
{
    int status = refuse_more("merge", words);
    return status == STATUS_OK ? with_plan(args, words, merge_tasks) : status;
}
