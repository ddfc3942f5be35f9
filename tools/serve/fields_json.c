#include "json.h"
#include "serve/fields.h"

#include <stdio.h>
#include <string.h>

static bool add_value(fields *all, const char *key, const json *value, refusal *why)
{
    char number[40];
    dd_text text = {"", 0};
    switch (value->kind) {
    case JSON_NULL: return true;
    case JSON_FALSE: text = (dd_text){"false", 5}; break;
    case JSON_TRUE: text = (dd_text){"true", 4}; break;
    case JSON_STRING: text = (dd_text){value->string, strlen(value->string)}; break;
    case JSON_NUMBER:
        text.size = (size_t)snprintf(number, sizeof number, "%.17g", value->number);
        text.data = number;
        break;
    case JSON_ARRAY:
    case JSON_OBJECT:
        return refuse(why, 400, "%.40s: a string, a number, true or false is expected", key);
    }
    return fields_add(all, (dd_text){key, strlen(key)}, text, why);
}

static bool add_key(fields *all, const json *item, refusal *why)
{
    if (item->kind != JSON_ARRAY) return add_value(all, item->key, item, why);
    for (size_t i = 0; i < item->count; i++)
        if (!add_value(all, item->key, &item->values[i], why)) return false;
    return true;
}

bool fields_read_json(fields *all, dd_text body, refusal *why)
{
    json object;
    dd_error error;
    if (!json_read(&object, body, FIELDS_MOST_VALUES, &error)) return refuse_error(why, &error);
    bool good = object.kind == JSON_OBJECT || refuse(why, 400, "the JSON is not an object");
    for (size_t i = 0; good && i < object.count; i++) good = add_key(all, &object.values[i], why);
    json_free(&object);
    return good;
}
