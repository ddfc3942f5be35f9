#include "models/entry.h"

#include "heap.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LONGEST_NAME = 100 };

model_entry *model_list_add(model_list *list)
{
    HEAP_GROW(&list->items, &list->capacity, list->count + 1);
    model_entry *added = &list->items[list->count++];
    *added = (model_entry){.dev_uas = NAN, .dev_las = NAN};
    return added;
}

static void free_entry(model_entry *entry)
{
    char *const texts[] = {entry->name,    entry->file,     entry->path,
                           entry->folder,  entry->language, entry->treebank,
                           entry->licence, entry->version,  entry->problem};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) free(texts[i]);
}

void model_list_free(model_list *list)
{
    for (size_t i = 0; i < list->count; i++) free_entry(&list->items[i]);
    free(list->items);
    *list = (model_list){0};
}

bool entry_is_name(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "._+-";
    size_t size = strlen(name);
    return size > 0 && size <= LONGEST_NAME && name[0] != '.' && name[0] != '-' &&
           strspn(name, allowed) == size;
}

/* ---- from a file -------------------------------------------------------------------------- */

/* Training keeps control characters out of facts; a file that was made otherwise may have any. */
static char *copy_fact(dd_text value)
{
    char *copy = heap_copy(value.data, value.size);
    for (size_t i = 0; i < value.size; i++)
        if ((unsigned char)copy[i] < ' ') copy[i] = ' ';
    return copy;
}

/* NAN unless it is a share in per cent. */
static double score_in(dd_text value)
{
    char text[32], *end;
    if (value.size == 0 || value.size >= sizeof text) return NAN;
    memcpy(text, value.data, value.size);
    text[value.size] = '\0';
    double score = strtod(text, &end);
    return *end == '\0' && score >= 0 && score <= 100 ? score : NAN;
}

static bool is_key(dd_text key, const char *wanted)
{
    return key.size == strlen(wanted) && memcmp(key.data, wanted, key.size) == 0;
}

/* The first of several facts with one key holds. */
static void take_fact(model_entry *entry, dd_text key, dd_text value)
{
    struct {
        const char *key;
        char **field;
    } texts[] = {{"language", &entry->language},
                 {"treebank", &entry->treebank},
                 {"licence", &entry->licence},
                 {"version", &entry->version}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (is_key(key, texts[i].key) && !*texts[i].field) *texts[i].field = copy_fact(value);
    if (is_key(key, "dev UAS")) entry->dev_uas = score_in(value);
    if (is_key(key, "dev LAS")) entry->dev_las = score_in(value);
}

/* Without the path that the message begins with. */
static char *copy_problem(const char *message, const char *path)
{
    size_t size = strlen(path);
    bool named = strncmp(message, path, size) == 0 && strncmp(message + size, ": ", 2) == 0;
    const char *reason = named ? message + size + 2 : message;
    return heap_copy(reason, strlen(reason));
}

model_entry *entry_of_file(model_list *list, const char *name, const char *path)
{
    model_entry *entry = model_list_add(list);
    struct stat facts;
    dd_model *model;
    dd_error error;
    dd_text key, value;
    entry->name = heap_copy(name, strlen(name));
    entry->path = heap_copy(path, strlen(path));
    if (stat(path, &facts) == 0) entry->size = (uint64_t)facts.st_size;
    if (dd_model_load(&model, path, &error) != DD_OK) {
        entry->problem = copy_problem(error.message, path);
        return entry;
    }
    for (size_t i = 0; dd_model_fact(model, i, &key, &value); i++) take_fact(entry, key, value);
    dd_model_free(model);
    return entry;
}

void entries_of_catalogue(model_list *list, const dd_catalogue *catalogue)
{
    const dd_catalogue_model *found;
    for (size_t i = 0; (found = dd_catalogue_at(catalogue, i)); i++) {
        const char *folder = dd_catalogue_folder(catalogue, found->folder);
        model_entry *entry = entry_of_file(list, found->name, found->path);
        entry->folder = heap_copy(folder, strlen(folder));
    }
}

/* ---- as JSON ------------------------------------------------------------------------------ */

static void write_text(output *out, const char *key, const char *text)
{
    output_format(out, ",\"%s\":", key);
    if (text)
        output_json_string(out, text);
    else
        output_string(out, "null");
}

static void write_score(output *out, const char *key, double score)
{
    output_format(out, "\"%s\":", key);
    if (isnan(score))
        output_string(out, "null");
    else
        output_format(out, "%.2f", score);
}

void entry_write(output *out, const model_entry *entry)
{
    output_string(out, "{\"name\":");
    output_json_string(out, entry->name);
    if (entry->file) write_text(out, "file", entry->file);
    if (entry->path) write_text(out, "path", entry->path);
    output_format(out, ",\"size\":%" PRIu64, entry->size);
    if (entry->sha256[0]) write_text(out, "sha256", entry->sha256);
    if (entry->problem) {
        write_text(out, "problem", entry->problem);
    } else {
        write_text(out, "language", entry->language);
        write_text(out, "treebank", entry->treebank);
        write_text(out, "licence", entry->licence);
        write_text(out, "version", entry->version);
        output_string(out, ",\"scores\":{");
        write_score(out, "dev_uas", entry->dev_uas);
        output_string(out, ",");
        write_score(out, "dev_las", entry->dev_las);
        output_string(out, "}");
    }
    output_string(out, "}");
}
