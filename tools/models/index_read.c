#include "heap.h"
#include "json.h"
#include "models/index.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_TEXT = 1000, MOST_MODELS = 10000 };

/* What is being read, and the first thing that is wrong with it. */
typedef struct taker {
    const json *from;
    char *reason; /* [INDEX_REASON_SIZE] "": nothing so far */
} taker;

static void blame(const taker *t, const char *key, const char *what)
{
    if (!t->reason[0]) snprintf(t->reason, INDEX_REASON_SIZE, "%s: %s", key, what);
}

static const char *take_string(const taker *t, const char *key)
{
    const char *text = json_string(json_at(t->from, key));
    if (!text) blame(t, key, "is not a string");
    return text ? text : "";
}

static char *take_name(const taker *t, const char *key)
{
    const char *text = take_string(t, key);
    if (!entry_is_name(text))
        blame(t, key, "is not a name of at most 100 letters, digits and . _ + -");
    return heap_copy(text, strlen(text));
}

static bool has_control(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7F) return true;
    return false;
}

/* NULL where it is missing or null. */
static char *take_text(const taker *t, const char *key)
{
    const json *value = json_at(t->from, key);
    if (!value || value->kind == JSON_NULL) return NULL;
    const char *text = take_string(t, key);
    if (strlen(text) > LONGEST_TEXT) blame(t, key, "is too long");
    if (has_control(text)) blame(t, key, "has a control character");
    return heap_copy(text, strlen(text));
}

static uint64_t take_size(const taker *t, const char *key)
{
    uint64_t size = 0;
    if (!json_count(json_at(t->from, key), &size)) blame(t, key, "is not a number of bytes");
    return size;
}

static void take_digest(const taker *t, const char *key, char out[SHA256_TEXT])
{
    const char *text = take_string(t, key);
    if (strlen(text) != SHA256_TEXT - 1 || strspn(text, "0123456789abcdef") != SHA256_TEXT - 1)
        blame(t, key, "is not 64 hexadecimal digits in lower case");
    else
        memcpy(out, text, SHA256_TEXT);
}

static double take_score(const taker *t, const char *key)
{
    double score = NAN;
    const json *value = json_at(json_at(t->from, "scores"), key);
    if (!value || value->kind == JSON_NULL) return NAN;
    if (!json_number(value, &score) || score < 0 || score > 100)
        blame(t, key, "is not a number from 0 to 100");
    return score;
}

static void take_entry(const taker *t, model_entry *entry)
{
    if (t->from->kind != JSON_OBJECT) blame(t, "models", "has something else than objects");
    entry->name = take_name(t, "name");
    entry->file = take_name(t, "file");
    entry->size = take_size(t, "size");
    take_digest(t, "sha256", entry->sha256);
    entry->language = take_text(t, "language");
    entry->treebank = take_text(t, "treebank");
    entry->licence = take_text(t, "licence");
    entry->version = take_text(t, "version");
    entry->dev_uas = take_score(t, "dev_uas");
    entry->dev_las = take_score(t, "dev_las");
}

static bool is_known(const model_list *list, const char *name)
{
    for (size_t i = 0; i + 1 < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0) return true;
    return false;
}

static void take_models(model_list *list, const json *models, char reason[INDEX_REASON_SIZE])
{
    for (size_t i = 0; i < models->count && !reason[0]; i++) {
        char why[INDEX_REASON_SIZE] = "";
        const taker t = {&models->values[i], why};
        model_entry *entry = model_list_add(list);
        take_entry(&t, entry);
        if (is_known(list, entry->name)) blame(&t, "name", "is that of an earlier model");
        if (why[0]) snprintf(reason, INDEX_REASON_SIZE, "model %zu: %.200s", i + 1, why);
    }
}

bool index_read(model_list *list, const char *text, size_t size, char reason[INDEX_REASON_SIZE])
{
    json all;
    uint64_t version;
    dd_error problem;
    *list = (model_list){0};
    reason[0] = '\0';
    if (!json_read(&all, (dd_text){text, size}, JSON_MOST_VALUES, &problem)) {
        snprintf(reason, INDEX_REASON_SIZE, "%.*s", INDEX_REASON_SIZE - 1, problem.message);
        return false;
    }
    const json *models = json_at(&all, "models");
    if (!json_count(json_at(&all, "dodona_models"), &version))
        snprintf(reason, INDEX_REASON_SIZE, "not an index of models: there is no 'dodona_models'");
    else if (version != INDEX_VERSION)
        snprintf(reason, INDEX_REASON_SIZE, "an index of version %llu; this program reads %d",
                 (unsigned long long)version, INDEX_VERSION);
    else if (!models || models->kind != JSON_ARRAY)
        snprintf(reason, INDEX_REASON_SIZE, "models: is not an array");
    else if (models->count > MOST_MODELS)
        snprintf(reason, INDEX_REASON_SIZE, "models: are more than %d", MOST_MODELS);
    else
        take_models(list, models, reason);
    json_free(&all);
    if (reason[0]) model_list_free(list);
    return !reason[0];
}
