/* json_help.h - whether bytes are lines of JSON (RFC 8259), by an obvious recursion, for tests */
#ifndef DODONA_TESTS_JSON_HELP_H
#define DODONA_TESTS_JSON_HELP_H

#include <dodona_tools.h>
#include <stdlib.h>
#include <string.h>

/* Each function below returns where its part ends, or NULL if it is not there. */
static inline const char *json_value(const char *at, const char *end, int depth);

static inline const char *json_word(const char *at, const char *end, const char *word)
{
    size_t size = strlen(word);
    return (size_t)(end - at) >= size && memcmp(at, word, size) == 0 ? at + size : NULL;
}

static inline const char *json_hex(const char *at, const char *end, unsigned *value)
{
    *value = 0;
    for (int i = 0; i < 4; i++, at++) {
        const char *digits = "0123456789abcdef", *found;
        if (at >= end || *at == '\0' || !(found = strchr(digits, *at | 0x20))) return NULL;
        *value = *value << 4 | (unsigned)(found - digits);
    }
    return at;
}

/* Behind the backslash. A surrogate stands only before or behind its other half. */
static inline const char *json_escape(const char *at, const char *end)
{
    unsigned one, other;
    if (at >= end || *at == '\0' || !strchr("\"\\/bfnrtu", *at)) return NULL;
    if (*at != 'u') return at + 1;
    at = json_hex(at + 1, end, &one);
    if (!at || one < 0xD800 || one > 0xDFFF) return at;
    at = json_word(at, end, "\\u");
    at = at ? json_hex(at, end, &other) : NULL;
    return at && one < 0xDC00 && other >= 0xDC00 && other <= 0xDFFF ? at : NULL;
}

static inline const char *json_string(const char *at, const char *end)
{
    at = json_word(at, end, "\"");
    while (at && at < end && *at != '"') {
        if ((unsigned char)*at < 0x20) return NULL;
        at = *at == '\\' ? json_escape(at + 1, end) : at + 1;
    }
    return at && at < end ? at + 1 : NULL;
}

static inline const char *json_digits(const char *at, const char *end)
{
    const char *start = at;
    while (at && at < end && *at >= '0' && *at <= '9') at++;
    return at > start ? at : NULL;
}

static inline const char *json_number(const char *at, const char *end)
{
    if (at < end && *at == '-') at++;
    at = at < end && *at == '0' ? at + 1 : json_digits(at, end);
    if (at && at < end && *at == '.') at = json_digits(at + 1, end);
    if (!at || at >= end || (*at != 'e' && *at != 'E')) return at;
    at++;
    if (at < end && (*at == '+' || *at == '-')) at++;
    return json_digits(at, end);
}

/* Members of an object, or values of an array, behind its bracket. */
static inline const char *json_list(const char *at, const char *end, bool object, int depth)
{
    const char *close = object ? "}" : "]", *behind;
    if ((behind = json_word(at, end, close))) return behind;
    for (;;) {
        if (object) at = json_string(at, end);
        if (object && at) at = json_word(at, end, ":");
        if (at) at = json_value(at, end, depth);
        if (!at || (behind = json_word(at, end, close))) return at ? behind : NULL;
        at = json_word(at, end, ",");
        if (!at) return NULL;
    }
}

/* No white space is expected between the parts. */
static inline const char *json_value(const char *at, const char *end, int depth)
{
    if (at >= end || depth > 8) return NULL;
    switch (*at) {
    case '{': return json_list(at + 1, end, true, depth + 1);
    case '[': return json_list(at + 1, end, false, depth + 1);
    case '"': return json_string(at, end);
    case 'n': return json_word(at, end, "null");
    case 't': return json_word(at, end, "true");
    case 'f': return json_word(at, end, "false");
    default: return json_number(at, end);
    }
}

/* How many objects there are, each on a line; -1: something else stands there. */
static inline int json_lines(dd_text text)
{
    const char *at = text.data, *end = at + text.size;
    int count = 0;
    for (; at < end; count++) {
        if (*at != '{') return -1;
        at = json_value(at, end, 0);
        if (!at || at >= end || *at++ != '\n') return -1;
    }
    return count;
}

#endif
