/* Settings: the rows, and what their values may be. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "systems/registry.h"
#include "train/settings.h"

static dd_settings *new_settings(void)
{
    dd_settings *settings = NULL;
    assert_int_equal(dd_settings_new(&settings, NULL), DD_OK);
    return settings;
}

static void accept(dd_settings *settings, const char *name, const char *value)
{
    dd_error error;
    if (dd_settings_set(settings, name, value, &error) != DD_OK) fail_msg("%s", error.message);
    if (value) assert_string_equal(dd_settings_get(settings, name), value);
}

/* The setting stays as it was. */
static void refuse(dd_settings *settings, const char *name, const char *value, const char *message)
{
    dd_error error;
    const char *before = dd_settings_get(settings, name);
    assert_int_equal(dd_settings_set(settings, name, value, &error), DD_ERROR_ARGUMENT);
    assert_int_equal(error.status, DD_ERROR_ARGUMENT);
    assert_string_equal(error.message, message);
    assert_ptr_equal(dd_settings_get(settings, name), before);
}

/* ---- rows ---- */

static bool is_number(const dd_setting *setting)
{
    return setting->kind == DD_SETTING_WHOLE || setting->kind == DD_SETTING_REAL;
}

static bool has_choices(const dd_setting *setting)
{
    return setting->kind == DD_SETTING_CHOICE || setting->kind == DD_SETTING_LIST;
}

static void rows_are_complete(void **state)
{
    (void)state;
    const dd_setting *setting;
    size_t count = 0;
    for (; (setting = dd_setting_at(count)); count++) {
        assert_true(setting->name[strspn(setting->name, "abcdefghijklmnopqrstuvwxyz-")] == '\0');
        assert_true(strlen(setting->help) > 5);
        assert_true((setting->kind == DD_SETTING_FLAG) == (setting->value == NULL));
        /* What it is without being set is said in one of the two ways. */
        assert_true((setting->default_value == NULL) == (setting->default_note != NULL));
        if (!is_number(setting))
            assert_true(has_choices(setting) == (dd_setting_choice(setting, 0) != NULL));
        if (is_number(setting)) assert_true(setting->low < setting->high);
        for (size_t other = 0; other < count; other++)
            assert_string_not_equal(setting->name, dd_setting_at(other)->name);
    }
    assert_int_equal(count, dd_setting_count());
    assert_null(dd_setting_at(count + 1));
}

/* Two rows cannot share a field, and each has the size that its kind is stored with. */
static void rows_have_fields_of_their_own(void **state)
{
    (void)state;
    for (size_t i = 0; i < dd_setting_count(); i++) {
        const dd_setting_row *row = &dd_setting_rows[i];
        bool text = row->by_name || row->is.kind == DD_SETTING_TEXT;
        size_t size = row->field_size;
        if (text) assert_int_equal(size, sizeof(char *));
        if (row->is.kind == DD_SETTING_REAL) assert_int_equal(size, sizeof(double));
        if (row->is.kind == DD_SETTING_FLAG) assert_int_equal(size, sizeof(bool));
        if (row->is.kind == DD_SETTING_WHOLE) assert_true(size == 4 || size == 8);
        if (row->is.kind == DD_SETTING_WHOLE && row->is.high > INT32_MAX) assert_int_equal(size, 8);
        for (size_t k = 0; k < i; k++)
            assert_true(dd_setting_rows[k].field + dd_setting_rows[k].field_size <= row->field ||
                        row->field + size <= dd_setting_rows[k].field);
    }
}

static void choices_are_those_of_the_library(void **state)
{
    (void)state;
    const dd_setting *setting;
    for (size_t row = 0; (setting = dd_setting_at(row)); row++) {
        if (strcmp(setting->name, "system") == 0) {
            size_t i = 0;
            for (; i < dd_system_count(); i++)
                assert_ptr_equal(dd_setting_choice(setting, i), dd_system_get(i)->name);
            assert_ptr_equal(dd_setting_choice(setting, i), dd_graph.name);
            assert_null(dd_setting_choice(setting, i + 1));
        }
    }
}

/* ---- values ---- */

static void defaults_pass_their_own_check(void **state)
{
    (void)state;
    const dd_setting *setting;
    dd_settings *settings = new_settings();
    for (size_t i = 0; (setting = dd_setting_at(i)); i++) {
        const char *value = setting->default_value;
        assert_ptr_equal(dd_settings_get(NULL, setting->name), value);
        assert_ptr_equal(dd_settings_get(settings, setting->name), value);
        if (value) accept(settings, setting->name, value);
    }
    dd_settings_free(settings);
}

static void bounds_are_kept(void **state)
{
    (void)state;
    const dd_setting *setting;
    dd_settings *settings = new_settings();
    for (size_t i = 0; (setting = dd_setting_at(i)); i++) {
        char text[64];
        if (!is_number(setting)) continue;
        snprintf(text, sizeof text, "%.15g", setting->low);
        accept(settings, setting->name, text);
        snprintf(text, sizeof text, "%.15g", setting->low - 1);
        assert_int_equal(dd_settings_set(settings, setting->name, text, NULL), DD_ERROR_ARGUMENT);
        if (setting->high == INFINITY) {
            accept(settings, setting->name, "9223372036854775807");
            continue;
        }
        snprintf(text, sizeof text, "%.15g", setting->high);
        accept(settings, setting->name, text);
        snprintf(text, sizeof text, "%.15g", setting->high + 1);
        assert_int_equal(dd_settings_set(settings, setting->name, text, NULL), DD_ERROR_ARGUMENT);
    }
    dd_settings_free(settings);
}

static void wrong_values_are_refused_with_what_is_right(void **state)
{
    (void)state;
    dd_settings *s = new_settings();
    accept(s, "beam", "8");
    refuse(s, "beam", "0", "beam: '0' is not a whole number from 1 to 1000");
    refuse(s, "beam", "", "beam: '' is not a whole number from 1 to 1000");
    refuse(s, "beam", "8.0", "beam: '8.0' is not a whole number from 1 to 1000");
    refuse(s, "beam", " 8", "beam: ' 8' is not a whole number from 1 to 1000");
    refuse(s, "seed", "-1", "seed: '-1' is not a whole number from 0 to 9223372036854775807");
    refuse(s, "seed", "9223372036854775808",
           "seed: '9223372036854775808' is not a whole number from 0 to 9223372036854775807");
    refuse(s, "explore", "1.01", "explore: '1.01' is not a number from 0 to 1");
    static const char *const odd[] = {"nan", "inf", "0x1", " 1", "1 ", "", ".", "1e", "1,0"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        char message[64];
        snprintf(message, sizeof message, "explore: '%s' is not a number from 0 to 1", odd[i]);
        refuse(s, "explore", odd[i], message);
    }
    refuse(s, "oracle", "dinamic",
           "oracle: 'dinamic' is not one of static, nondet, dynamic, auto; did you mean "
           "'dynamic'?");
    refuse(s, "oracle", "magic", "oracle: 'magic' is not one of static, nondet, dynamic, auto");
    refuse(s, "only", "tagger,",
           "only: '' is not one of tokenizer, tagger, lemmatizer, parser, all");
    refuse(s, "only", "tokenizer,tager,parser",
           "only: 'tager' is not one of tokenizer, tagger, lemmatizer, parser, all; did you mean "
           "'tagger'?");
    refuse(s, "skip-bad", "true", "skip-bad: 'true' is neither yes nor no");
    refuse(s, "skip-bad", "", "skip-bad: '' is neither yes nor no");
    refuse(s, "licence", "", "licence: its value is empty");
    dd_settings_free(s);
}

static void wrong_names_are_refused_with_the_nearest(void **state)
{
    (void)state;
    dd_settings *s = new_settings();
    refuse(s, "itrations", "3", "there is no setting 'itrations'; did you mean 'iterations'?");
    refuse(s, "explore_from", "3",
           "there is no setting 'explore_from'; did you mean 'explore-from'?");
    refuse(s, "frobnicate", "3", "there is no setting 'frobnicate'");
    refuse(s, "", NULL, "there is no setting ''");
    dd_settings_free(s);
}

static void what_was_set_is_in_force_until_it_is_taken_back(void **state)
{
    (void)state;
    char value[] = "early";
    dd_settings *s = new_settings();
    assert_string_equal(dd_settings_get(s, "update"), "max-violation");
    accept(s, "update", value);
    value[0] = 'x';
    assert_string_equal(dd_settings_get(s, "update"), "early");
    assert_string_equal(dd_settings_get(NULL, "update"), "max-violation");
    accept(s, "update", NULL);
    assert_string_equal(dd_settings_get(s, "update"), "max-violation");
    accept(s, "skip-bad", "yes");
    accept(s, "skip-bad", "no");
    accept(s, "skip-bad", NULL);
    assert_string_equal(dd_settings_get(s, "skip-bad"), "no");
    assert_null(dd_settings_get(s, "system"));
    assert_null(dd_settings_get(s, "no-such"));
    dd_settings_free(s);
    dd_settings_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_complete),
        cmocka_unit_test(rows_have_fields_of_their_own),
        cmocka_unit_test(choices_are_those_of_the_library),
        cmocka_unit_test(defaults_pass_their_own_check),
        cmocka_unit_test(bounds_are_kept),
        cmocka_unit_test(wrong_values_are_refused_with_what_is_right),
        cmocka_unit_test(wrong_names_are_refused_with_the_nearest),
        cmocka_unit_test(what_was_set_is_in_force_until_it_is_taken_back),
    };
    return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
