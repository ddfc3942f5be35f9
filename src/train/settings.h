/* settings.h - a setting in the library: one row that holds everything about it
 *
 * A new setting is a field in score/train_options.h and a row in train/setting_rows.c; the
 * program's options and help, its completion and Python's arguments follow. Tests check that the
 * manual page and Python's type hints have it too. */
#ifndef DODONA_TRAIN_SETTINGS_H
#define DODONA_TRAIN_SETTINGS_H

#include "score/train_options.h"

#include <dodona_tools.h>

typedef struct dd_setting_row {
    dd_setting is;            /* as the program's user knows it */
    size_t field, field_size; /* in dd_train_options: where, and how many bytes */
    bool by_name;             /* of a choice the field holds the name, not the number */
    /* What there is to choose from, of a whole number besides those from low to high: names that
     * end in NULL, or a function that gives the i-th. */
    const char *const *names;
    const char *(*name_at)(size_t index);
} dd_setting_row;

extern const dd_setting_row dd_setting_rows[];
size_t dd_setting_count(void);

/* What a text means. */
typedef struct dd_setting_value {
    int64_t whole; /* of a flag 0 or 1, of a choice its number, of a list a bit for each */
    double real;
    const char *text; /* of a choice the row's own name */
} dd_setting_value;

/* "NAME: reason" if the text will not do. */
dd_status dd_setting_read(const dd_setting_row *row, const char *text, dd_setting_value *out,
                          dd_error *error);
/* Whether a setting of that name was set. `settings` may be NULL. */
bool dd_settings_has(const dd_settings *settings, const char *name);
/* The text in force of the i-th row; NULL: none. `settings` may be NULL. */
const char *dd_settings_text(const dd_settings *settings, size_t index);

#endif
