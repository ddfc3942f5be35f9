/* Models by name while memory runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../catalogue_help.h"
#include "alloc_fail.h"

static int set_up(void **state)
{
    static shelves all;
    *state = &all;
    if (!shelves_make(&all)) return -1;
    return shelf_model(&all, all.users, "a.dodona", "sv", 3) &&
                   shelf_model(&all, all.users, "b.dodona", "sv", 5)
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    shelves_remove(*state);
    return 0;
}

static dd_status find(const shelves *s, const char *name, dd_error *error)
{
    const char *more[] = {s->own, s->listed};
    dd_catalogue *catalogue = NULL;
    const dd_catalogue_model *model;
    dd_status status = dd_catalogue_new(&catalogue, more, 2, error);
    if (status == DD_OK) status = dd_catalogue_find(catalogue, name, &model, error);
    dd_catalogue_free(catalogue);
    return status;
}

static dd_status find_language(void *user, dd_error *error)
{
    return find(user, "sv", error);
}

static dd_status find_nothing(void *user, dd_error *error)
{
    dd_status status = find(user, "none", error);
    return status == DD_ERROR_IO ? DD_OK : status;
}

static dd_status load(void *user, dd_error *error)
{
    (void)user;
    dd_model *model = NULL;
    dd_status status = dd_model_load_named(&model, "sv", error);
    dd_model_free(model);
    return status;
}

/* By the environment, and then once more from the bytes of that model. */
static dd_status load_default(void *user, dd_error *error)
{
    (void)user;
    dd_model *model = NULL, *again = NULL;
    setenv("DODONA_MODEL", "sv", 1);
    dd_status status = dd_model_load_named(&model, NULL, error);
    for (int copied = 0; copied < 2 && status == DD_OK; copied++) {
        status = dd_model_load_memory(&again, "m", dd_model_bytes(model), copied, error);
        if (status == DD_OK) dd_model_free(again);
    }
    dd_model_free(model);
    unsetenv("DODONA_MODEL");
    return status;
}

static void finding_ends_or_is_refused(void **state)
{
    assert_true(alloc_fail_each(find_language, *state) > 10);
    assert_true(alloc_fail_each(find_nothing, *state) > 10);
}

static void loading_ends_or_is_refused(void **state)
{
    assert_true(alloc_fail_each(load, *state) > 12);
    assert_true(alloc_fail_each(load_default, *state) > 18);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finding_ends_or_is_refused),
        cmocka_unit_test(loading_ends_or_is_refused),
    };
    return cmocka_run_group_tests_name("alloc catalogue", tests, set_up, tear_down);
}
