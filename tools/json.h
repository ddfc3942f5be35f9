/* json.h - reads one JSON text (RFC 8259), strictly */
#ifndef TOOLS_JSON_H
#define TOOLS_JSON_H

#include "dodona_tools.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum json_kind {
    JSON_NULL = 0,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
} json_kind;

typedef struct json {
    json_kind kind; /* which of these there is */
    union {
        double number;
        char *string;        /* UTF-8; \u0000 is refused */
        struct json *values; /* [count] of an array or object */
    };
    char *key; /* within an object */
    size_t count, capacity;
} json;

enum { JSON_MOST_VALUES = 1000000 }; /* where nothing else bounds them */

/* A text of at most `most` values within others. On failure nothing is to be freed;
 * DD_ERROR_FORMAT: the message says what is wrong and at which byte. */
bool json_read(json *out, dd_text text, size_t most, dd_error *error);
void json_free(json *value);

/* The value of a key; NULL: not an object, or no such key. NULL is taken for an object without
 * keys, so that calls can be nested. */
const json *json_at(const json *object, const char *key);
/* Each is false where the value is not of that kind. */
bool json_number(const json *value, double *out);
bool json_count(const json *value, uint64_t *out); /* a whole number from 0 to 2^53 */
const char *json_string(const json *value);        /* NULL: not a string */

#endif
