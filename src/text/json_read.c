/* json_read.c - reads one JSON text (RFC 8259), strictly, into a tree of values
 *
 * Each value knows the bytes it was read from, so that what a program only passes on stays as it
 * is: 1.10, 1e400 and numbers of any length. Why this is not left to a library: docs/input.md. */
#include "core/strings.h"
#include "text/json.h"
#include "text/utf8.h"

#include <dodona_tools.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEEPEST = 64,
    FEW_KEYS = 16,        /* are compared with each other, more are sorted */
    LONGEST_NUMBER = 400, /* that is converted: the largest double with all its digits fits */
};

typedef struct cursor {
    const char *start, *at, *end;
    int depth;
    size_t values, most; /* so far, and that may be: one takes many times the room of its text */
    const char *problem; /* the first one */
} cursor;

static const char no_memory[] = "out of memory";

static bool read_value(cursor *c, dd_value *out);

static bool fail(cursor *c, const char *problem)
{
    if (!c->problem) c->problem = problem;
    return false;
}

void dd_value_free(dd_value *value)
{
    bool nests = value->kind == DD_JSON_ARRAY || value->kind == DD_JSON_OBJECT;
    for (size_t i = 0; nests && i < value->count; i++) dd_value_free(&value->values[i]);
    if (nests) free(value->values);
    if (value->kind == DD_JSON_STRING) free(value->string);
    free(value->key);
    *value = (dd_value){0};
}

static void skip_blanks(cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r'))
        c->at++;
}

static bool take(cursor *c, char wanted)
{
    if (c->at == c->end || *c->at != wanted) return false;
    c->at++;
    return true;
}

static bool read_word(cursor *c, const char *word, dd_value *out, dd_json_kind kind)
{
    size_t size = strlen(word);
    if ((size_t)(c->end - c->at) < size || memcmp(c->at, word, size) != 0)
        return fail(c, "a value is expected");
    c->at += size;
    out->kind = kind;
    return true;
}

static size_t skip_digits(cursor *c)
{
    const char *start = c->at;
    while (c->at < c->end && *c->at >= '0' && *c->at <= '9') c->at++;
    return (size_t)(c->at - start);
}

static bool read_number(cursor *c, dd_value *out)
{
    take(c, '-');
    bool zero = take(c, '0');
    if (!zero && skip_digits(c) == 0) return fail(c, "a value is expected");
    if (zero && skip_digits(c) > 0) return fail(c, "a number starts with 0");
    if (take(c, '.') && skip_digits(c) == 0) return fail(c, "digits are expected");
    if (take(c, 'e') || take(c, 'E')) {
        if (!take(c, '-')) take(c, '+');
        if (skip_digits(c) == 0) return fail(c, "digits are expected");
    }
    out->kind = DD_JSON_NUMBER;
    return true;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool read_unit(cursor *c, uint32_t *unit)
{
    *unit = 0;
    for (int i = 0; i < 4; i++) {
        int digit = c->at < c->end ? hex_digit(*c->at++) : -1;
        if (digit < 0) return fail(c, "four hexadecimal digits are expected");
        *unit = *unit * 16 + (uint32_t)digit;
    }
    return true;
}

static size_t put_utf8(char *out, uint32_t code)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = size; i-- > 1; code >>= 6) out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)(lead[size] | code);
    return size;
}

/* Behind the 'u' of an escape. */
static bool read_code(cursor *c, uint32_t *code)
{
    uint32_t low;
    if (!read_unit(c, code)) return false;
    if (*code >= 0xD800 && *code <= 0xDBFF) {
        if (!take(c, '\\') || !take(c, 'u') || !read_unit(c, &low) || low < 0xDC00 || low > 0xDFFF)
            return fail(c, "half of a surrogate pair");
        *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
    } else if (*code >= 0xDC00 && *code <= 0xDFFF) {
        return fail(c, "half of a surrogate pair");
    }
    return *code != 0 || fail(c, "a NUL in a string");
}

static bool read_escape(cursor *c, char *out, size_t *size)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *found = c->at < c->end && *c->at ? strchr(letters, *c->at) : NULL;
    uint32_t code;
    if (found) {
        c->at++;
        out[(*size)++] = meant[found - letters];
        return true;
    }
    if (!take(c, 'u')) return fail(c, "an unknown escape");
    if (!read_code(c, &code)) return false;
    *size += put_utf8(out + *size, code);
    return true;
}

/* All bytes up to the next quote, escape or control character. */
static bool copy_plain(cursor *c, char *out, size_t *size)
{
    const char *stop = c->at;
    while (stop < c->end && *stop != '"' && *stop != '\\' && (unsigned char)*stop >= 0x20) stop++;
    dd_text plain = {c->at, (size_t)(stop - c->at)};
    size_t good = dd_utf8_check(plain);
    c->at += good;
    if (good < plain.size) return fail(c, "bytes that are not UTF-8");
    memcpy(out + *size, plain.data, good);
    *size += good;
    return true;
}

/* An escape is never shorter than what it stands for, so the rest of the text is room enough. */
static char *read_string(cursor *c)
{
    if (!take(c, '"')) {
        fail(c, "a string is expected");
        return NULL;
    }
    const char *close = c->at;
    while (close < c->end && *close != '"') close += *close == '\\' && close + 1 < c->end ? 2 : 1;
    char *out = malloc((size_t)(close - c->at) + 1);
    size_t size = 0;
    if (!out) {
        fail(c, no_memory);
        return NULL;
    }
    while (c->at < c->end && *c->at != '"') {
        bool good = true;
        if ((unsigned char)*c->at < 0x20)
            good = fail(c, "a control character in a string");
        else if (take(c, '\\'))
            good = read_escape(c, out, &size);
        else
            good = copy_plain(c, out, &size);
        if (!good) break;
    }
    out[size] = '\0';
    if (!c->problem && take(c, '"')) return out;
    fail(c, "a string has no end");
    free(out);
    return NULL;
}

static dd_value *new_item(cursor *c, dd_value *out)
{
    if (out->count == out->capacity) {
        size_t capacity = out->capacity ? 2 * out->capacity : 4;
        dd_value *values = realloc(out->values, capacity * sizeof *values);
        if (!values) {
            fail(c, no_memory);
            return NULL;
        }
        out->values = values;
        out->capacity = capacity;
    }
    out->values[out->count] = (dd_value){0};
    return &out->values[out->count++];
}

static bool read_key(cursor *c, dd_value *item)
{
    skip_blanks(c);
    const char *start = c->at;
    item->key = read_string(c);
    if (!item->key) return false;
    item->key_source = (dd_text){start, (size_t)(c->at - start)};
    skip_blanks(c);
    return take(c, ':') || fail(c, "':' is expected");
}

/* Equal keys in the order of the text. */
static int compare_keys(const void *one, const void *other)
{
    const dd_value *a = *(const dd_value *const *)one, *b = *(const dd_value *const *)other;
    int order = strcmp(a->key, b->key);
    return order != 0 ? order
                      : (a->key_source.data > b->key_source.data) -
                            (a->key_source.data < b->key_source.data);
}

static void note_twice(const dd_value *item, const char **first)
{
    if (!*first || item->key_source.data < *first) *first = item->key_source.data;
}

/* Where the first key stands that has appeared before; NULL: nowhere. */
static bool find_twice_sorted(const dd_value *object, const char **first)
{
    const dd_value **sorted = malloc(object->count * sizeof *sorted);
    if (!sorted) return false;
    for (size_t i = 0; i < object->count; i++) sorted[i] = &object->values[i];
    qsort(sorted, object->count, sizeof *sorted, compare_keys);
    for (size_t i = 1; i < object->count; i++)
        if (strcmp(sorted[i - 1]->key, sorted[i]->key) == 0) note_twice(sorted[i], first);
    free(sorted);
    return true;
}

static bool check_keys(cursor *c, const dd_value *object)
{
    const char *first = NULL;
    if (object->count > FEW_KEYS) {
        if (!find_twice_sorted(object, &first)) return fail(c, no_memory);
    } else {
        for (size_t i = 0; i < object->count; i++)
            for (size_t k = 0; k < i; k++)
                if (strcmp(object->values[i].key, object->values[k].key) == 0)
                    note_twice(&object->values[i], &first);
    }
    if (!first) return true;
    c->at = first;
    return fail(c, "a key appears twice");
}

static bool read_items(cursor *c, dd_value *out, char close)
{
    skip_blanks(c);
    if (take(c, close)) return true;
    do {
        if (++c->values > c->most) return fail(c, "it has too many values");
        dd_value *item = new_item(c, out);
        if (!item || (close == '}' && !read_key(c, item)) || !read_value(c, item)) return false;
        skip_blanks(c);
    } while (take(c, ','));
    if (take(c, close)) return close == ']' || check_keys(c, out);
    return fail(c, close == '}' ? "',' or '}' is expected" : "',' or ']' is expected");
}

static bool read_nested(cursor *c, dd_value *out)
{
    char close = *c->at++ == '[' ? ']' : '}';
    out->kind = close == ']' ? DD_JSON_ARRAY : DD_JSON_OBJECT;
    if (++c->depth > DEEPEST) return fail(c, "it is nested too deeply");
    bool good = read_items(c, out, close);
    c->depth--;
    return good;
}

static bool read_any(cursor *c, dd_value *out)
{
    switch (*c->at) {
    case 'n': return read_word(c, "null", out, DD_JSON_NULL);
    case 'f': return read_word(c, "false", out, DD_JSON_FALSE);
    case 't': return read_word(c, "true", out, DD_JSON_TRUE);
    case '"':
        out->string = read_string(c);
        if (out->string) out->kind = DD_JSON_STRING;
        return out->string != NULL;
    case '[':
    case '{': return read_nested(c, out);
    default: return read_number(c, out);
    }
}

static bool read_value(cursor *c, dd_value *out)
{
    skip_blanks(c);
    if (c->at == c->end) return fail(c, "it ends too early");
    const char *start = c->at;
    if (!read_any(c, out)) return false;
    out->source = (dd_text){start, (size_t)(c->at - start)};
    return true;
}

static dd_status tell(const cursor *c, dd_error *error)
{
    if (c->problem == no_memory) return dd_fail_memory(error);
    return dd_fail(error, DD_ERROR_FORMAT, "not JSON: byte %zu: %s", (size_t)(c->at - c->start) + 1,
                   c->problem);
}

dd_status dd_value_read(dd_value *out, dd_text text, size_t most, dd_error *error)
{
    cursor c = {.start = text.data, .at = text.data, .end = text.data + text.size, .most = most};
    *out = (dd_value){0};
    bool good = read_value(&c, out);
    if (good) skip_blanks(&c);
    if (good && c.at < c.end) good = fail(&c, "more follows after its end");
    if (good) return DD_OK;
    dd_value_free(out);
    return tell(&c, error);
}

const dd_value *dd_value_at(const dd_value *object, const char *key)
{
    if (!object || object->kind != DD_JSON_OBJECT) return NULL;
    for (size_t i = 0; i < object->count; i++)
        if (strcmp(object->values[i].key, key) == 0) return &object->values[i];
    return NULL;
}

bool dd_value_number(const dd_value *value, double *out)
{
    char digits[LONGEST_NUMBER + 1];
    if (!value || value->kind != DD_JSON_NUMBER || value->source.size > LONGEST_NUMBER)
        return false;
    memcpy(digits, value->source.data, value->source.size);
    digits[value->source.size] = '\0';
    return dd_read_real(digits, out) && isfinite(*out);
}

bool dd_value_count(const dd_value *value, uint64_t *out)
{
    double number;
    if (!dd_value_number(value, &number) || number < 0 || number > 0x1p53) return false;
    *out = (uint64_t)number;
    return (double)*out == number;
}

const char *dd_value_string(const dd_value *value)
{
    return value && value->kind == DD_JSON_STRING ? value->string : NULL;
}
