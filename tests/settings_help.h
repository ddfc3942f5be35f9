/* settings_help.h - settings and training in one call, for tests */
#ifndef DODONA_TESTS_SETTINGS_HELP_H
#define DODONA_TESTS_SETTINGS_HELP_H

#include <dodona_tools.h>
#include <stdio.h>
#include <string.h>

/* Of a text such as "system=arc-eager beam=4". */
static inline dd_status set_settings(dd_settings *settings, const char *text, dd_error *error)
{
    dd_status status = DD_OK;
    for (text += strspn(text, " "); *text && status == DD_OK; text += strspn(text, " ")) {
        char name[64], value[512];
        int size = 0;
        if (sscanf(text, "%63[^= ]=%511s%n", name, value, &size) != 2) return DD_ERROR_ARGUMENT;
        status = dd_settings_set(settings, name, value, error);
        text += size;
    }
    return status;
}

/* A parser only unless the text says otherwise. dev and watch may be NULL, as always. */
static inline dd_status train_with_settings(dd_model **out, const char *text,
                                            const dd_train_watch *watch, const char *path,
                                            const char *dev, dd_error *error)
{
    dd_settings *settings = NULL;
    *out = NULL;
    dd_status status = dd_settings_new(&settings, error);
    if (status == DD_OK) status = dd_settings_set(settings, "only", "parser", error);
    if (status == DD_OK) status = set_settings(settings, text, error);
    if (status == DD_OK) status = dd_train(out, settings, watch, &path, 1, dev, error);
    dd_settings_free(settings);
    return status;
}

#endif
