/* json.h - reads one JSON text (RFC 8259), strictly */
#ifndef TOOLS_JSON_H
#define TOOLS_JSON_H

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
    json_kind kind;
    double number;
    char *string;        /* UTF-8; \u0000 is refused */
    char *key;           /* within an object */
    struct json *values; /* [count] of an array or object */
    size_t count, capacity;
} json;

enum { JSON_REASON_SIZE = 120 };

/* On failure `reason` says what is wrong and at which byte, and nothing is to be freed. */
bool json_read(json *out, const char *text, size_t size, char reason[JSON_REASON_SIZE]);
void json_free(json *value);

/* The value of a key; NULL: not an object, or no such key. NULL is taken for an object without
 * keys, so that calls can be nested. */
const json *json_at(const json *object, const char *key);
/* Each is false where the value is not of that kind. */
bool json_number(const json *value, double *out);
bool json_count(const json *value, uint64_t *out); /* a whole number from 0 to 2^53 */
const char *json_string(const json *value);        /* NULL: not a string */

#endif
