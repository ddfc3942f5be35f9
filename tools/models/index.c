/* index.c - the index of models that a folder offers: reading it, finding a model in it, making
 * it */
#include "models/index.h"

#include "cmd.h"
#include "heap.h"
#include "message.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------- */

enum { LONGEST_TEXT = 1000, MOST_MODELS = 10000 };

/* What is being read, and the first thing that is wrong with it. */
typedef struct taker {
    const dd_value *from;
    char *reason; /* [INDEX_REASON_SIZE] "": nothing so far */
} taker;

static void blame(const taker *t, const char *key, const char *what)
{
    if (!t->reason[0]) snprintf(t->reason, INDEX_REASON_SIZE, "%s: %s", key, what);
}

static const char *take_string(const taker *t, const char *key)
{
    const char *text = dd_value_string(dd_value_at(t->from, key));
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
    const dd_value *value = dd_value_at(t->from, key);
    if (!value || value->kind == DD_JSON_NULL) return NULL;
    const char *text = take_string(t, key);
    if (strlen(text) > LONGEST_TEXT) blame(t, key, "is too long");
    if (has_control(text)) blame(t, key, "has a control character");
    return heap_copy(text, strlen(text));
}

static uint64_t take_size(const taker *t, const char *key)
{
    uint64_t size = 0;
    if (!dd_value_count(dd_value_at(t->from, key), &size))
        blame(t, key, "is not a number of bytes");
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
    const dd_value *value = dd_value_at(dd_value_at(t->from, "scores"), key);
    if (!value || value->kind == DD_JSON_NULL) return NAN;
    if (!dd_value_number(value, &score) || score < 0 || score > 100)
        blame(t, key, "is not a number from 0 to 100");
    return score;
}

static void take_entry(const taker *t, model_entry *entry)
{
    if (t->from->kind != DD_JSON_OBJECT) blame(t, "models", "has something else than objects");
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

static void take_models(model_list *list, const dd_value *models, char reason[INDEX_REASON_SIZE])
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
    dd_value all;
    uint64_t version;
    dd_error problem;
    *list = (model_list){0};
    reason[0] = '\0';
    if (dd_value_read(&all, (dd_text){text, size}, DD_JSON_MOST_VALUES, &problem) != DD_OK) {
        snprintf(reason, INDEX_REASON_SIZE, "%.*s", INDEX_REASON_SIZE - 1, problem.message);
        return false;
    }
    const dd_value *models = dd_value_at(&all, "models");
    if (!dd_value_count(dd_value_at(&all, "dodona_models"), &version))
        snprintf(reason, INDEX_REASON_SIZE, "not an index of models: there is no 'dodona_models'");
    else if (version != INDEX_VERSION)
        snprintf(reason, INDEX_REASON_SIZE, "an index of version %llu; this program reads %d",
                 (unsigned long long)version, INDEX_VERSION);
    else if (!models || models->kind != DD_JSON_ARRAY)
        snprintf(reason, INDEX_REASON_SIZE, "models: is not an array");
    else if (models->count > MOST_MODELS)
        snprintf(reason, INDEX_REASON_SIZE, "models: are more than %d", MOST_MODELS);
    else
        take_models(list, models, reason);
    dd_value_free(&all);
    if (reason[0]) model_list_free(list);
    return !reason[0];
}

/* ---- finding --------------------------------------------------------------------------------- */

/* As far as a line has room for them. */
static void list_names(const model_list *list, const char *language, char *out, size_t room)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < list->count; i++) {
        const model_entry *entry = &list->items[i];
        if (language && (!entry->language || strcmp(entry->language, language) != 0)) continue;
        size_t size = strlen(entry->name);
        if (used + size + sizeof ", ..." > room) {
            memcpy(out + used, ", ...", sizeof ", ...");
            return;
        }
        if (used > 0) {
            memcpy(out + used, ", ", 2);
            used += 2;
        }
        memcpy(out + used, entry->name, size + 1);
        used += size;
    }
}

static void say_none(const model_list *list, const char *name, const char *where)
{
    char names[300];
    suggestion nearest = suggest_for(name, strlen(name));
    for (size_t i = 0; i < list->count; i++) suggest_consider(&nearest, list->items[i].name);
    list_names(list, NULL, names, sizeof names);
    if (list->count == 0)
        say("there is no model '%s' in %s, nor any other", name, where);
    else if (nearest.nearest)
        say("there is no model '%s' in %s; there are %s; did you mean '%s'?", name, where, names,
            nearest.nearest);
    else
        say("there is no model '%s' in %s; there are %s", name, where, names);
}

static void say_several(const model_list *list, const char *language, const char *where)
{
    char names[300];
    list_names(list, language, names, sizeof names);
    say("%s has several models of '%s': name one of %s", where, language, names);
}

const model_entry *index_find(const model_list *list, const char *name, const char *where)
{
    const model_entry *found = NULL;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0) return &list->items[i];
    for (size_t i = 0; i < list->count; i++) {
        const char *language = list->items[i].language;
        if (!language || strcmp(language, name) != 0) continue;
        if (found) {
            say_several(list, name, where);
            return NULL;
        }
        found = &list->items[i];
    }
    if (!found) say_none(list, name, where);
    return found;
}

/* ---- making ---------------------------------------------------------------------------------- */

static const char ending[] = ".dodona";

static int say_failure(const char *path, const char *reason)
{
    say("%s: %s", path, reason);
    return STATUS_PROBLEM;
}

/* An index with a gap would be taken for the whole. */
static int add_file(model_list *list, const char *folder, const char *file)
{
    size_t size = strlen(folder) + strlen(file) + 2;
    char *path = heap_zeroed(size, 1), *name = heap_copy(file, strlen(file) - strlen(ending));
    snprintf(path, size, "%s/%s", folder, file);
    model_entry *entry = entry_of_file(list, name, path);
    entry->file = heap_copy(file, strlen(file));
    int status = STATUS_OK;
    if (entry->problem)
        status = say_failure(path, entry->problem);
    else if (!entry_is_name(file))
        status = say_failure(path, "only letters, digits and . _ + - can be in a name of an index");
    else if (!sha256_file(path, entry->sha256))
        status = say_failure(path, strerror(errno));
    free(entry->path); /* an index must not show local paths */
    entry->path = NULL;
    free(path);
    free(name);
    return status;
}

static int compare_names(const void *a, const void *b)
{
    const model_entry *one = a, *other = b;
    return strcmp(one->name, other->name);
}

static bool is_model(const char *file)
{
    size_t size = strlen(file), end = strlen(ending);
    return size > end && file[0] != '.' && strcmp(file + size - end, ending) == 0;
}

static int gather(model_list *list, const char *folder)
{
    int status = STATUS_OK;
    DIR *listing = opendir(folder);
    if (!listing) return say_failure(folder, strerror(errno));
    for (struct dirent *file; (file = readdir(listing)) && status == STATUS_OK;)
        if (is_model(file->d_name)) status = add_file(list, folder, file->d_name);
    closedir(listing);
    if (status == STATUS_OK && list->count == 0)
        status = say_failure(folder, "there is no file that ends in .dodona");
    if (list->count > 1) qsort(list->items, list->count, sizeof *list->items, compare_names);
    return status;
}

static int write_index(const model_list *list, const char *path)
{
    output out;
    if (output_open(&out, path) == DD_OK) {
        output_format(&out, "{\"dodona_models\":%d,\"models\":[", INDEX_VERSION);
        for (size_t i = 0; i < list->count; i++) {
            output_string(&out, i ? ",\n " : "\n ");
            entry_write(&out, &list->items[i]);
        }
        output_string(&out, "]}\n");
    }
    return output_close(&out);
}

int index_make(const char *folder, const char *output_path)
{
    model_list list = {0};
    size_t size = strlen(folder) + sizeof "/index.json";
    char *inside = heap_zeroed(size, 1);
    snprintf(inside, size, "%s/index.json", folder);
    int status = gather(&list, folder);
    if (status == STATUS_OK) status = write_index(&list, output_path ? output_path : inside);
    free(inside);
    model_list_free(&list);
    return status;
}
