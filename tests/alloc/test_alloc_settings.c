/* Settings when memory runs out. */
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
#include "score/train_options.h"

static dd_status set(void *user, dd_error *error)
{
    (void)user;
    dd_settings *settings = NULL;
    dd_status status = dd_settings_new(&settings, error);
    if (status == DD_OK)
        status = set_settings(settings, "beam=3 system=covington only=all seed=5 seed=6", error);
    dd_settings_free(settings);
    return status;
}

/* What cannot be copied leaves the setting as it was. */
static dd_status set_again(void *user, dd_error *error)
{
    dd_settings *settings = user;
    dd_status status = dd_settings_set(settings, "licence", "new", error);
    if (status != DD_OK) assert_string_equal(dd_settings_get(settings, "licence"), "old");
    return status;
}

static dd_status fill(void *user, dd_error *error)
{
    dd_train_options options;
    dd_status status = dd_train_options_fill(&options, user, NULL, error);
    dd_train_options_free(&options);
    return status;
}

static void setting_ends_or_is_refused(void **state)
{
    (void)state;
    dd_settings *settings = NULL;
    assert_true(alloc_fail_each(set, NULL) >= 6);
    assert_int_equal(dd_settings_new(&settings, NULL), DD_OK);
    assert_int_equal(dd_settings_set(settings, "licence", "old", NULL), DD_OK);
    assert_int_equal(alloc_fail_each(set_again, settings), 1);
    dd_settings_free(settings);
}

static void reading_templates_ends_or_is_refused(void **state)
{
    (void)state;
    char path[64];
    dd_settings *settings = NULL;
    snprintf(path, sizeof path, "/tmp/dodona-alloc-templates-%ld", (long)getpid());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs("S0.form\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    const char *const values[] = {"standard", "S0.form\n", path};
    static const int allocations[] = {0, 0, 4};
    assert_int_equal(dd_settings_new(&settings, NULL), DD_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(dd_settings_set(settings, "templates", values[i], NULL), DD_OK);
        assert_true(alloc_fail_each(fill, settings) >= allocations[i]);
    }
    dd_settings_free(settings);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setting_ends_or_is_refused),
        cmocka_unit_test(reading_templates_ends_or_is_refused),
    };
    return cmocka_run_group_tests_name("alloc settings", tests, NULL, NULL);
}
