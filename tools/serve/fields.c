/* fields.c - the fields of a request, from a query, a form, JSON or multipart/form-data (RFC 7578,
 * RFC 2046 section 5.1):
 *
 *     --BOUNDARY CRLF headers CRLF CRLF value CRLF --BOUNDARY ... CRLF --BOUNDARY--
 */
#include "serve/fields.h"

#include "message.h"
#include "output.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool make_room(fields *all)
{
    if (all->count < all->capacity) return true;
    size_t capacity = all->capacity ? 2 * all->capacity : 8;
    field *at = realloc(all->at, capacity * sizeof *at);
    if (!at) return false;
    all->at = at;
    all->capacity = capacity;
    return true;
}

/* With a NUL behind it. */
static char *copy(dd_text text)
{
    char *made = text.size < SIZE_MAX ? malloc(text.size + 1) : NULL;
    if (!made) return NULL;
    if (text.size > 0) memcpy(made, text.data, text.size);
    made[text.size] = '\0';
    return made;
}

bool fields_add(fields *all, dd_text name, dd_text value, refusal *why)
{
    if (all->count == FIELDS_MOST)
        return refuse(why, 400, "the request has more than %d fields", FIELDS_MOST);
    if (name.size > 0 && memchr(name.data, '\0', name.size))
        return refuse(why, 400, "the name of a field has a NUL");
    if (!make_room(all)) return refuse_memory(why);
    field made = {copy(name), copy(value), value.size};
    if (made.name && made.value) {
        all->at[all->count++] = made;
        return true;
    }
    free(made.name);
    free(made.value);
    return refuse_memory(why);
}

void fields_free(fields *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->at[i].name);
        free(all->at[i].value);
    }
    free(all->at);
    *all = (fields){0};
}

/* ---- application/x-www-form-urlencoded ---------------------------------------------------- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* In place; a '%' that no two digits follow stands for itself, as in browsers. */
static size_t decode_url(char *text, size_t size)
{
    size_t out = 0;
    for (size_t i = 0; i < size; i++) {
        int high = text[i] == '%' && size - i > 2 ? hex_digit(text[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
        if (low >= 0) i += 2;
        text[out++] = low >= 0 ? (char)(high * 16 + low) : text[i] == '+' ? ' ' : text[i];
    }
    text[out] = '\0';
    return out;
}

static bool add_url_pair(fields *all, dd_text pair, refusal *why)
{
    const char *equals = memchr(pair.data, '=', pair.size);
    size_t name = equals ? (size_t)(equals - pair.data) : pair.size;
    dd_text value = {pair.data + name, 0};
    if (equals) value = (dd_text){equals + 1, pair.size - name - 1};
    if (!fields_add(all, (dd_text){pair.data, name}, value, why)) return false;
    field *added = &all->at[all->count - 1];
    added->size = decode_url(added->value, added->size);
    return decode_url(added->name, name) == strlen(added->name) ||
           refuse(why, 400, "the name of a field has a NUL");
}

bool fields_read_url(fields *all, dd_text body, refusal *why)
{
    const char *at = body.data, *end = at + body.size;
    while (at < end) {
        const char *close = memchr(at, '&', (size_t)(end - at));
        if (!close) close = end;
        if (close > at && !add_url_pair(all, (dd_text){at, (size_t)(close - at)}, why))
            return false;
        at = close + 1;
    }
    return true;
}

/* ---- what they say ------------------------------------------------------------------------ */

const field *fields_find(const fields *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->at[i].name, name) == 0) return &all->at[i];
    return NULL;
}

const char *fields_string(const fields *all, const char *name)
{
    const field *found = fields_find(all, name);
    return found ? found->value : NULL;
}

bool fields_whole(const fields *all, const char *name, int low, int high, int *out, refusal *why)
{
    const char *value = fields_string(all, name);
    if (!value) return true;
    char *end;
    errno = 0;
    long number = strtol(value, &end, 10);
    bool digits = *value && strspn(value, "-0123456789") == strlen(value) && !*end && !errno;
    if (!digits || number < low || number > high)
        return refuse(why, 400, "%s: '%.40s' is not a whole number from %d to %d", name, value, low,
                      high);
    *out = (int)number;
    return true;
}

bool fields_choice(const fields *all, const char *name, const char *const *choices, int *out,
                   refusal *why)
{
    const char *value = fields_string(all, name);
    char list[200] = "";
    if (!value) return true;
    for (int i = 0; choices[i]; i++) {
        if (strcmp(choices[i], value) == 0) {
            *out = i;
            return true;
        }
        if (i > 0) strncat(list, ", ", sizeof list - strlen(list) - 1);
        strncat(list, choices[i], sizeof list - strlen(list) - 1);
    }
    return refuse(why, 400, "%s: '%.40s' is not one of %s", name, value, list);
}

bool fields_flag(const fields *all, const char *name, bool *out, refusal *why)
{
    static const char *const words[] = {"false", "true", "no", "yes", "0", "1", "", NULL};
    int chosen = *out ? 1 : 0;
    if (!fields_choice(all, name, words, &chosen, why)) return false;
    /* A bare `?scores` asks for them. */
    *out = chosen % 2 == 1 || !*words[chosen];
    return true;
}

bool fields_once(const fields *all, const char *const *names, refusal *why)
{
    for (size_t k = 0; names[k]; k++) {
        size_t times = 0;
        for (size_t i = 0; i < all->count; i++) times += strcmp(all->at[i].name, names[k]) == 0;
        if (times > 1)
            return refuse(why, 400, "%s: it is given %zu times, and may be given once", names[k],
                          times);
    }
    return true;
}

/* Whether it is among the names, of which the nearest is kept. */
static bool is_among(const char *const *names, const char *name, suggestion *nearest)
{
    for (; *names; names++) {
        if (strcmp(*names, name) == 0) return true;
        suggest_consider(nearest, *names);
    }
    return false;
}

bool fields_known(const fields *all, const char *const *once, const char *const *lists,
                  refusal *why)
{
    for (size_t i = 0; i < all->count; i++) {
        const char *name = all->at[i].name;
        suggestion nearest = suggest_for(name, strlen(name));
        if (is_among(once, name, &nearest) || (lists && is_among(lists, name, &nearest))) continue;
        return refuse(why, 400, "unknown field '%.40s'%s%s%s", name,
                      nearest.nearest ? "; did you mean '" : "",
                      nearest.nearest ? nearest.nearest : "", nearest.nearest ? "'?" : "");
    }
    return fields_once(all, once, why);
}

bool text_is_utf8(dd_text text)
{
    for (size_t i = 0, step; i < text.size; i += step) {
        step = output_utf8((const unsigned char *)text.data + i, text.size - i);
        if (step == 0) return false;
    }
    return true;
}

bool fields_are_utf8(const fields *all, refusal *why)
{
    for (size_t i = 0; i < all->count; i++) {
        const field *one = &all->at[i];
        if (!text_is_utf8((dd_text){one->name, strlen(one->name)}))
            return refuse(why, 400, "the name of a field is not UTF-8");
        if (!text_is_utf8((dd_text){one->value, one->size}))
            return refuse(why, 400, "%.40s: it is not UTF-8", one->name);
    }
    return true;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static bool add_value(fields *all, const char *key, const dd_value *value, refusal *why)
{
    char number[40];
    double real;
    dd_text text = {"", 0};
    switch (value->kind) {
    case DD_JSON_NULL: return true;
    case DD_JSON_FALSE: text = (dd_text){"false", 5}; break;
    case DD_JSON_TRUE: text = (dd_text){"true", 4}; break;
    case DD_JSON_STRING: text = (dd_text){value->string, strlen(value->string)}; break;
    case DD_JSON_NUMBER:
        if (!dd_value_number(value, &real))
            return refuse(why, 400, "%.40s: the number is too large", key);
        text.size = (size_t)snprintf(number, sizeof number, "%.17g", real);
        text.data = number;
        break;
    case DD_JSON_ARRAY:
    case DD_JSON_OBJECT:
        return refuse(why, 400, "%.40s: a string, a number, true or false is expected", key);
    }
    return fields_add(all, (dd_text){key, strlen(key)}, text, why);
}

static bool add_key(fields *all, const dd_value *item, refusal *why)
{
    if (item->kind != DD_JSON_ARRAY) return add_value(all, item->key, item, why);
    for (size_t i = 0; i < item->count; i++)
        if (!add_value(all, item->key, &item->values[i], why)) return false;
    return true;
}

bool fields_read_json(fields *all, dd_text body, refusal *why)
{
    dd_value object;
    dd_error error;
    if (dd_value_read(&object, body, FIELDS_MOST_VALUES, &error) != DD_OK)
        return refuse_error(why, &error);
    bool good = object.kind == DD_JSON_OBJECT || refuse(why, 400, "the JSON is not an object");
    for (size_t i = 0; good && i < object.count; i++) good = add_key(all, &object.values[i], why);
    dd_value_free(&object);
    return good;
}

/* ---- multipart/form-data --------------------------------------------------------------------- */

enum { LONGEST_BOUNDARY = 70 /* RFC 2046 */ };

/* The value of a parameter as in `; name="a b"` or `; name=a`; false: there is none. Quoted pairs
 * stand as they are, since browsers do not use them. */
static bool find_parameter(dd_text header, const char *name, dd_text *out)
{
    size_t size = strlen(name);
    const char *end = header.data + header.size;
    for (const char *at = header.data; (at = memchr(at, ';', (size_t)(end - at)));) {
        at++;
        while (at < end && (*at == ' ' || *at == '\t')) at++;
        if ((size_t)(end - at) <= size || strncasecmp(at, name, size) != 0 || at[size] != '=')
            continue;
        at += size + 1;
        bool quoted = at < end && *at == '"';
        if (quoted) at++;
        const char *close = at;
        while (close < end && (quoted ? *close != '"' : *close != ';' && *close != ' ')) close++;
        *out = (dd_text){at, (size_t)(close - at)};
        return true;
    }
    return false;
}

/* `what` begins with CR, of which texts have few. */
static const char *find(const char *at, const char *end, const char *what, size_t size)
{
    for (; (size_t)(end - at) >= size; at++) {
        at = memchr(at, *what, (size_t)(end - at));
        if (!at || (size_t)(end - at) < size) return NULL;
        if (memcmp(at, what, size) == 0) return at;
    }
    return NULL;
}

/* The value of the header `name` among lines that end in CRLF. */
static bool find_header(dd_text headers, const char *name, dd_text *out)
{
    size_t size = strlen(name);
    const char *at = headers.data, *end = at + headers.size;
    while (at < end) {
        const char *close = find(at, end, "\r\n", 2);
        if (!close) close = end;
        if ((size_t)(close - at) > size && strncasecmp(at, name, size) == 0 && at[size] == ':') {
            *out = (dd_text){at + size + 1, (size_t)(close - at) - size - 1};
            return true;
        }
        at = close + 2;
    }
    return false;
}

/* Bodies are taken as they are; others are not in use since HTTP is 8-bit clean. */
static bool is_plain_encoding(dd_text headers)
{
    dd_text how;
    if (!find_header(headers, "Content-Transfer-Encoding", &how)) return true;
    while (how.size > 0 && *how.data == ' ') how = (dd_text){how.data + 1, how.size - 1};
    static const char *const plain[] = {"7bit", "8bit", "binary"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (how.size == strlen(plain[i]) && strncasecmp(how.data, plain[i], how.size) == 0)
            return true;
    return false;
}

static bool add_part(fields *all, dd_text part, refusal *why)
{
    const char *end = part.data + part.size;
    const char *blank = find(part.data, end, "\r\n\r\n", 4);
    if (!blank) return refuse(why, 400, "multipart: a part has no end of its headers");
    dd_text headers = {part.data, (size_t)(blank - part.data)}, disposition, name;
    if (!find_header(headers, "Content-Disposition", &disposition) ||
        !find_parameter(disposition, "name", &name))
        return refuse(why, 400, "multipart: a part has no name");
    if (!is_plain_encoding(headers))
        return refuse(why, 415, "multipart: parts must be 7bit, 8bit or binary");
    return fields_add(all, name, (dd_text){blank + 4, (size_t)(end - (blank + 4))}, why);
}

static bool read_delimiter(const char *content_type, char out[LONGEST_BOUNDARY + 5], refusal *why)
{
    dd_text boundary;
    if (!find_parameter((dd_text){content_type, strlen(content_type)}, "boundary", &boundary) ||
        boundary.size == 0 || boundary.size > LONGEST_BOUNDARY)
        return refuse(why, 400, "multipart: there is no boundary of 1 to %d characters",
                      LONGEST_BOUNDARY);
    snprintf(out, LONGEST_BOUNDARY + 5, "\r\n--%.*s", (int)boundary.size, boundary.data);
    return true;
}

/* Behind a delimiter: blanks and a line end, which are passed over. */
static bool end_line(const char **at, const char *end)
{
    while (*at < end && (**at == ' ' || **at == '\t')) (*at)++;
    if (end - *at < 2 || memcmp(*at, "\r\n", 2) != 0) return false;
    *at += 2;
    return true;
}

bool fields_read_multipart(fields *all, dd_text body, const char *content_type, refusal *why)
{
    char delimiter[LONGEST_BOUNDARY + 5];
    if (!read_delimiter(content_type, delimiter, why)) return false;
    size_t size = strlen(delimiter);
    const char *at = body.data, *end = at + body.size, *found = at;
    /* The first has no line end before it, unless there is a preamble. */
    bool first = body.size >= size - 2 && memcmp(at, delimiter + 2, size - 2) == 0;
    if (!first) found = find(at, end, delimiter, size);
    if (!found) return refuse(why, 400, "multipart: the boundary does not appear in the body");
    for (at = found + (first ? size - 2 : size);; at = found + size) {
        if (end - at >= 2 && memcmp(at, "--", 2) == 0) return true;
        if (!end_line(&at, end))
            return refuse(why, 400, "multipart: there is text after a boundary");
        found = find(at, end, delimiter, size);
        if (!found) return refuse(why, 400, "multipart: the last boundary is missing");
        if (!add_part(all, (dd_text){at, (size_t)(found - at)}, why)) return false;
    }
}
