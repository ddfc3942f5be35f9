#include "json.h"

#include "output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keys are compared with all before them. */
enum { DEEPEST = 16, MOST_KEYS = 1000 };

typedef struct cursor {
    const char *start, *at, *end;
    int depth;
    size_t values, most; /* so far, and that may be: one takes many times the room of its text */
    const char *problem; /* the first one */
} cursor;

static const char no_memory[] = "out of memory";

static bool read_value(cursor *c, json *out);

static bool fail(cursor *c, const char *problem)
{
    if (!c->problem) c->problem = problem;
    return false;
}

void json_free(json *value)
{
    bool nests = value->kind == JSON_ARRAY || value->kind == JSON_OBJECT;
    for (size_t i = 0; nests && i < value->count; i++) json_free(&value->values[i]);
    if (nests) free(value->values);
    if (value->kind == JSON_STRING) free(value->string);
    free(value->key);
    *value = (json){0};
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

static bool read_word(cursor *c, const char *word, json *out, json_kind kind)
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

static bool read_number(cursor *c, json *out)
{
    char copy[400]; /* the largest double with all its digits fits */
    const char *start = c->at;
    take(c, '-');
    bool zero = take(c, '0');
    if (!zero && skip_digits(c) == 0) return fail(c, "a value is expected");
    if (zero && skip_digits(c) > 0) return fail(c, "a number starts with 0");
    if (take(c, '.') && skip_digits(c) == 0) return fail(c, "digits are expected");
    if (take(c, 'e') || take(c, 'E')) {
        if (!take(c, '-')) take(c, '+');
        if (skip_digits(c) == 0) return fail(c, "digits are expected");
    }
    size_t size = (size_t)(c->at - start);
    if (size >= sizeof copy) return fail(c, "a number is too long");
    memcpy(copy, start, size);
    copy[size] = '\0';
    out->kind = JSON_NUMBER;
    out->number = strtod(copy, NULL);
    return isfinite(out->number) || fail(c, "a number is too large");
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

static bool copy_character(cursor *c, char *out, size_t *size)
{
    size_t bytes = output_utf8((const unsigned char *)c->at, (size_t)(c->end - c->at));
    if (bytes == 0) return fail(c, "bytes that are not UTF-8");
    memcpy(out + *size, c->at, bytes);
    *size += bytes;
    c->at += bytes;
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
            good = copy_character(c, out, &size);
        if (!good) break;
    }
    out[size] = '\0';
    if (!c->problem && take(c, '"')) return out;
    fail(c, "a string has no end");
    free(out);
    return NULL;
}

static json *new_item(cursor *c, json *out)
{
    if (out->count == out->capacity) {
        size_t capacity = out->capacity ? 2 * out->capacity : 4;
        json *values = realloc(out->values, capacity * sizeof *values);
        if (!values) {
            fail(c, no_memory);
            return NULL;
        }
        out->values = values;
        out->capacity = capacity;
    }
    out->values[out->count] = (json){0};
    return &out->values[out->count++];
}

static bool read_key(cursor *c, const json *object, json *item)
{
    skip_blanks(c);
    item->key = read_string(c);
    if (!item->key) return false;
    for (const json *other = object->values; other != item; other++)
        if (strcmp(other->key, item->key) == 0) return fail(c, "a key appears twice");
    skip_blanks(c);
    return take(c, ':') || fail(c, "':' is expected");
}

static bool read_items(cursor *c, json *out, char close)
{
    skip_blanks(c);
    if (take(c, close)) return true;
    do {
        if (++c->values > c->most) return fail(c, "it has too many values");
        if (close == '}' && out->count == MOST_KEYS) return fail(c, "an object has too many keys");
        json *item = new_item(c, out);
        if (!item || (close == '}' && !read_key(c, out, item)) || !read_value(c, item))
            return false;
        skip_blanks(c);
    } while (take(c, ','));
    return take(c, close) ||
           fail(c, close == '}' ? "',' or '}' is expected" : "',' or ']' is expected");
}

static bool read_value(cursor *c, json *out)
{
    skip_blanks(c);
    if (c->at == c->end) return fail(c, "it ends too early");
    switch (*c->at) {
    case 'n': return read_word(c, "null", out, JSON_NULL);
    case 'f': return read_word(c, "false", out, JSON_FALSE);
    case 't': return read_word(c, "true", out, JSON_TRUE);
    case '"':
        out->string = read_string(c);
        if (out->string) out->kind = JSON_STRING;
        return out->string != NULL;
    case '[':
    case '{': {
        char close = *c->at++ == '[' ? ']' : '}';
        out->kind = close == ']' ? JSON_ARRAY : JSON_OBJECT;
        if (++c->depth > DEEPEST) return fail(c, "it is nested too deeply");
        bool good = read_items(c, out, close);
        c->depth--;
        return good;
    }
    default: return read_number(c, out);
    }
}

static void tell(const cursor *c, dd_error *error)
{
    *error = (dd_error){.status = c->problem == no_memory ? DD_ERROR_MEMORY : DD_ERROR_FORMAT};
    if (error->status == DD_ERROR_MEMORY)
        snprintf(error->message, sizeof error->message, "%s", no_memory);
    else
        snprintf(error->message, sizeof error->message, "not JSON: byte %zu: %s",
                 (size_t)(c->at - c->start) + 1, c->problem);
}

bool json_read(json *out, dd_text text, size_t most, dd_error *error)
{
    cursor c = {.start = text.data, .at = text.data, .end = text.data + text.size, .most = most};
    *out = (json){0};
    bool good = read_value(&c, out);
    if (good) skip_blanks(&c);
    if (good && c.at < c.end) good = fail(&c, "more follows after its end");
    if (good) return true;
    tell(&c, error);
    json_free(out);
    return false;
}

const json *json_at(const json *object, const char *key)
{
    if (!object || object->kind != JSON_OBJECT) return NULL;
    for (size_t i = 0; i < object->count; i++)
        if (strcmp(object->values[i].key, key) == 0) return &object->values[i];
    return NULL;
}

bool json_number(const json *value, double *out)
{
    if (!value || value->kind != JSON_NUMBER) return false;
    *out = value->number;
    return true;
}

bool json_count(const json *value, uint64_t *out)
{
    double number;
    if (!json_number(value, &number) || number < 0 || number > 0x1p53) return false;
    *out = (uint64_t)number;
    return (double)*out == number;
}

const char *json_string(const json *value)
{
    return value && value->kind == JSON_STRING ? value->string : NULL;
}
