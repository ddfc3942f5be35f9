/* fields.h - what a request says, as names and values: from a query, a form or JSON
 *
 *     ?model=en&data=Hi      multipart/form-data      {"model": "en", "data": "Hi"}
 *              `-------------------- fields ---------------------'
 */
#ifndef SERVE_FIELDS_H
#define SERVE_FIELDS_H

#include "serve/refusal.h"

/* Of JSON, values: an array is one, beside those in it. */
enum { FIELDS_MOST = 1000, FIELDS_MOST_VALUES = 2 * FIELDS_MOST };

typedef struct field {
    char *name;  /* NUL-terminated */
    char *value; /* [size] and a NUL behind it */
    size_t size;
} field;

typedef struct fields {
    field *at; /* [count] */
    size_t count, capacity;
} fields;

/* Both are copied. */
bool fields_add(fields *all, dd_text name, dd_text value, refusal *why);
void fields_free(fields *all);

/* Each reads all of a body; on failure some fields may have been added. */
bool fields_read_url(fields *all, dd_text body, refusal *why);
bool fields_read_multipart(fields *all, dd_text body, const char *content_type, refusal *why);
/* An object of strings, numbers, true and false; an array of these is a field for each. null is as
 * if the key were not there. */
bool fields_read_json(fields *all, dd_text body, refusal *why);

/* The field of that name; NULL: there is none. */
const field *fields_find(const fields *all, const char *name);
/* Its value; NULL: there is none. */
const char *fields_string(const fields *all, const char *name);
/* Each leaves `out` as it was where there is no such field. */
bool fields_whole(const fields *all, const char *name, int low, int high, int *out, refusal *why);
bool fields_flag(const fields *all, const char *name, bool *out, refusal *why);
/* The index in a list that ends with NULL. */
bool fields_choice(const fields *all, const char *name, const char *const *choices, int *out,
                   refusal *why);
/* None of these names, a list that ends with NULL, was given twice. */
bool fields_once(const fields *all, const char *const *names, refusal *why);
/* All names are among these, else the nearest one is named; and none of `once` was given twice.
 * `lists`, which may be, can be NULL. */
bool fields_known(const fields *all, const char *const *once, const char *const *lists,
                  refusal *why);
bool text_is_utf8(dd_text text);
/* All names and values are UTF-8. */
bool fields_are_utf8(const fields *all, refusal *why);

#endif
