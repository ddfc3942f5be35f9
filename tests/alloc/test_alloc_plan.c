/* Plans, their tasks and joining them, while memory runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "alloc_fail.h"

static const char treebank[] = "# text = I come.\n"
                               "1\tI\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n"
                               "2\tcome\t_\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
                               "3\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n";
static const char text[] = "I come. I\n\ncome\xFF I.\n";

typedef struct files {
    char folder[64], train[80], model[80], text[80], plan[80], merged[80];
    dd_format to;
} files;

static int write_file(const char *path, const char *content)
{
    FILE *file = fopen(path, "wb");
    if (!file || fputs(content, file) < 0) return -1;
    return fclose(file);
}

static int set_up(void **state)
{
    files *f = calloc(1, sizeof *f);
    *state = f;
    snprintf(f->folder, sizeof f->folder, "/tmp/dodona-plan-XXXXXX");
    if (!mkdtemp(f->folder)) return -1;
    snprintf(f->train, sizeof f->train, "%s/train.conllu", f->folder);
    snprintf(f->model, sizeof f->model, "%s/model", f->folder);
    snprintf(f->text, sizeof f->text, "%s/a.txt", f->folder);
    snprintf(f->plan, sizeof f->plan, "%s/p", f->folder);
    snprintf(f->merged, sizeof f->merged, "%s/merged", f->folder);
    return write_file(f->train, treebank) != 0 ? -1 : write_file(f->text, text);
}

static void remove_all(const char *folder)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

static int tear_down(void **state)
{
    files *f = *state;
    remove_all(f->folder);
    free(f);
    return 0;
}

static dd_status work_off(dd_plan *plan, const char *merged, dd_error *error)
{
    dd_status status = DD_OK;
    for (size_t task = 1; status == DD_OK && dd_plan_at(plan, task - 1); task++) {
        status = dd_plan_run(plan, task, 1, NULL, error);
        if (status == DD_OK) status = dd_plan_verify(plan, task, false, error);
    }
    if (status == DD_OK) status = dd_plan_fail(plan, 1, "a reason", error);
    return status == DD_OK ? dd_plan_merge(plan, merged, false, error) : status;
}

static dd_status make_and_run(void *user, dd_error *error)
{
    files *f = user;
    dd_plan *plan = NULL;
    dd_plan_options options;
    dd_plan_input input = {f->text, "a", "a"};
    dd_plan_options_init(&options);
    options.task_bytes = 5;
    options.to = f->to;
    dd_status status = dd_plan_make(f->plan, f->model, &input, 1, &options, error);
    if (status == DD_OK) status = dd_plan_open(&plan, f->plan, error);
    if (status == DD_OK) status = work_off(plan, f->merged, error);
    dd_plan_close(plan);
    remove_all(f->plan);
    return status;
}

static void plans_are_worked_off_or_refused(void **state)
{
    files *f = *state;
    dd_model *model = NULL;
    assert_int_equal(
        train_with_settings(&model, "iterations=1 only=all", NULL, f->train, NULL, NULL), DD_OK);
    assert_int_equal(dd_model_save(model, f->model, NULL), DD_OK);
    dd_model_free(model);
    f->to = DD_FORMAT_AUTO;
    assert_true(alloc_fail_each(make_and_run, f) > 80);
    f->to = DD_FORMAT_JSON;
    assert_true(alloc_fail_each(make_and_run, f) > 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(plans_are_worked_off_or_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
