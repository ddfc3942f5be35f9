#include "serve/fields.h"

#include "output.h"
#include "suggest.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
