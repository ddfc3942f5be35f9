#include "train/settings.h"

#include "core/memory.h"
#include "core/status.h"
#include "text/utf8.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows --------------------------------------------------------------------------------- */

const dd_setting *dd_setting_at(size_t index)
{
    return index < dd_setting_count() ? &dd_setting_rows[index].is : NULL;
}

/* The number of rows if there is no such setting. */
static size_t find(const char *name)
{
    size_t index = 0;
    while (index < dd_setting_count() && strcmp(dd_setting_rows[index].is.name, name) != 0) index++;
    return index;
}

static const char *choice_at(const dd_setting_row *row, size_t index)
{
    if (row->name_at) return row->name_at(index);
    for (size_t i = 0; row->names && row->names[i]; i++)
        if (i == index) return row->names[i];
    return NULL;
}

const char *dd_setting_choice(const dd_setting *setting, size_t index)
{
    size_t row = find(setting->name);
    return row < dd_setting_count() ? choice_at(&dd_setting_rows[row], index) : NULL;
}

/* ---- what a text means -------------------------------------------------------------------- */

static dd_quote quote(const char *text)
{
    return dd_quote_text((dd_text){text, strlen(text)});
}

enum { NUMBER_SIZE = 64 };

/* With a decimal point in every locale, see dd_buffer_real. */
static void print_bound(double bound, char text[NUMBER_SIZE])
{
    char *to = text;
    if (bound == INFINITY)
        snprintf(text, NUMBER_SIZE, "%lld", LLONG_MAX);
    else
        snprintf(text, NUMBER_SIZE, "%.15g", bound);
    for (const char *at = text; *at; at++) {
        if (strchr("+-e0123456789", *at))
            *to++ = *at;
        else if (to > text && to[-1] != '.')
            *to++ = '.';
    }
    *to = '\0';
}

static dd_status fail_number(const dd_setting *setting, const char *kind, const char *text,
                             dd_error *error)
{
    char low[NUMBER_SIZE], high[NUMBER_SIZE];
    print_bound(setting->low, low);
    print_bound(setting->high, high);
    const char *word = dd_setting_choice(setting, 0);
    return dd_fail(error, DD_ERROR_ARGUMENT, "%s: '%s' is not a %s from %s to %s%s%s",
                   setting->name, quote(text).text, kind, low, high, word ? ", or " : "",
                   word ? word : "");
}

static bool is_inside(const dd_setting *setting, double number)
{
    return number >= setting->low && number <= setting->high;
}

static dd_status read_whole(const dd_setting_row *row, const char *text, int64_t *out,
                            dd_error *error)
{
    const dd_setting *setting = &row->is;
    const char *name;
    for (size_t i = 0; (name = choice_at(row, i)); i++) {
        *out = (int64_t)i;
        if (strcmp(name, text) == 0) return DD_OK;
    }
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    bool digits = *text && strspn(text, "+-0123456789") == strlen(text);
    if (!digits || *end || errno || !is_inside(setting, (double)number))
        return fail_number(setting, "whole number", text, error);
    *out = number;
    return DD_OK;
}

static dd_status read_real(const dd_setting *setting, const char *text, double *out,
                           dd_error *error)
{
    if (!dd_read_real(text, out) || !is_inside(setting, *out))
        return fail_number(setting, "number", text, error);
    return DD_OK;
}

static dd_status fail_choice(const dd_setting_row *row, const char *text, size_t size,
                             dd_error *error)
{
    char list[256] = "";
    dd_guess guess = {0};
    const char *name;
    for (size_t i = 0, used = 0; (name = choice_at(row, i)) && used < sizeof list; i++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", name);
        dd_guess_consider(&guess, text, size, name);
    }
    return dd_fail(error, DD_ERROR_ARGUMENT, "%s: '%s' is not one of %s%s", row->is.name,
                   dd_quote_text((dd_text){text, size}).text, list, dd_guess_hint(guess, "").text);
}

static dd_status read_choice(const dd_setting_row *row, const char *text, size_t size, size_t *out,
                             dd_error *error)
{
    const char *name;
    for (size_t i = 0; (name = choice_at(row, i)); i++) {
        if (strlen(name) != size || memcmp(name, text, size) != 0) continue;
        *out = i;
        return DD_OK;
    }
    return fail_choice(row, text, size, error);
}

/* Where "all" is a choice it is the last. */
static dd_status read_list(const dd_setting_row *row, const char *text, int64_t *out,
                           dd_error *error)
{
    dd_status status = DD_OK;
    *out = 0;
    for (const char *at = text; status == DD_OK; at++) {
        size_t size = strcspn(at, ","), index = 0;
        status = read_choice(row, at, size, &index, error);
        bool all = size == 3 && memcmp(at, "all", 3) == 0;
        *out |= all ? (INT64_C(1) << index) - 1 : INT64_C(1) << index;
        at += size;
        if (!*at) break;
    }
    return status;
}

static dd_status read_flag(const dd_setting *setting, const char *text, int64_t *out,
                           dd_error *error)
{
    *out = strcmp(text, "yes") == 0;
    if (*out || strcmp(text, "no") == 0) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT, "%s: '%s' is neither yes nor no", setting->name,
                   quote(text).text);
}

dd_status dd_setting_read(const dd_setting_row *row, const char *text, dd_setting_value *out,
                          dd_error *error)
{
    size_t index = 0;
    dd_status status = DD_OK;
    *out = (dd_setting_value){.text = text};
    switch (row->is.kind) {
    case DD_SETTING_FLAG: return read_flag(&row->is, text, &out->whole, error);
    case DD_SETTING_WHOLE: return read_whole(row, text, &out->whole, error);
    case DD_SETTING_REAL: return read_real(&row->is, text, &out->real, error);
    case DD_SETTING_LIST: return read_list(row, text, &out->whole, error);
    case DD_SETTING_CHOICE:
        status = read_choice(row, text, strlen(text), &index, error);
        out->whole = (int64_t)index;
        out->text = choice_at(row, index);
        return status;
    case DD_SETTING_TEXT: break;
    }
    if (*text) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT, "%s: its value is empty", row->is.name);
}

/* ---- values ------------------------------------------------------------------------------- */

struct dd_settings {
    size_t count;
    char *values[]; /* [count] one for each row, NULL: the default */
};

dd_status dd_settings_new(dd_settings **out, dd_error *error)
{
    size_t count = dd_setting_count();
    *out = dd_calloc(1, sizeof **out + count * sizeof *(*out)->values);
    if (!*out) return dd_fail_memory(error);
    (*out)->count = count;
    return DD_OK;
}

void dd_settings_free(dd_settings *settings)
{
    if (!settings) return;
    for (size_t i = 0; i < settings->count; i++) free(settings->values[i]);
    free(settings);
}

static dd_status fail_name(const char *name, dd_error *error)
{
    dd_guess guess = {0};
    for (size_t i = 0; i < dd_setting_count(); i++)
        dd_guess_consider(&guess, name, strlen(name), dd_setting_rows[i].is.name);
    return dd_fail(error, DD_ERROR_ARGUMENT, "there is no setting '%s'%s", quote(name).text,
                   dd_guess_hint(guess, "").text);
}

dd_status dd_settings_set(dd_settings *settings, const char *name, const char *value,
                          dd_error *error)
{
    size_t index = find(name);
    dd_setting_value read;
    char *copy = NULL;
    if (index == dd_setting_count()) return fail_name(name, error);
    if (value) {
        dd_status status = dd_setting_read(&dd_setting_rows[index], value, &read, error);
        if (status != DD_OK) return status;
        copy = dd_copy_text(value, strlen(value));
        if (!copy) return dd_fail_memory(error);
    }
    free(settings->values[index]);
    settings->values[index] = copy;
    return DD_OK;
}

bool dd_settings_has(const dd_settings *settings, const char *name)
{
    return settings && settings->values[find(name)];
}

const char *dd_settings_text(const dd_settings *settings, size_t index)
{
    const char *value = settings ? settings->values[index] : NULL;
    return value ? value : dd_setting_rows[index].is.default_value;
}

const char *dd_settings_get(const dd_settings *settings, const char *name)
{
    size_t index = find(name);
    return index < dd_setting_count() ? dd_settings_text(settings, index) : NULL;
}
