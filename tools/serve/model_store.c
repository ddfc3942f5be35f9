#include "serve/model_store.h"

#include "cmd.h"
#include "heap.h"
#include "message.h"
#include "named_model.h"
#include "sample.h"

#include <stdlib.h>
#include <string.h>

dd_text model_fact(const dd_model *model, const char *key)
{
    dd_text name, value;
    for (size_t i = 0; dd_model_fact(model, i, &name, &value); i++)
        if (name.size == strlen(key) && memcmp(name.data, key, name.size) == 0) return value;
    return (dd_text){"", 0};
}

/* ---- adding ------------------------------------------------------------------------------- */

static void add_name(served_model *one, const char *name, size_t size)
{
    HEAP_GROW(&one->names, &one->names_capacity, one->n_names + 1);
    one->names[one->n_names++] = heap_copy(name, size);
}

/* "a:b:c" */
static void add_names(served_model *one, const char *list, size_t size)
{
    const char *end = list + size;
    while (list < end) {
        const char *close = memchr(list, ':', (size_t)(end - list));
        if (!close) close = end;
        if (close > list) add_name(one, list, (size_t)(close - list));
        list = close < end ? close + 1 : end;
    }
}

/* Of a path: its last part without .dodona. */
static void add_file_name(served_model *one, const char *path)
{
    static const char ending[] = ".dodona";
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t size = strlen(name), tail = sizeof ending - 1;
    if (size > tail && memcmp(name + size - tail, ending, tail) == 0) size -= tail;
    add_name(one, name, size);
}

static bool is_first_name(const model_store *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->models[i].names[0], name) == 0) return true;
    return false;
}

/* Loads its own copy of the bytes: a large file would be mapped, and a process that overwrote or
 * truncated it would change the answers or end the server. */
static dd_status load_copy(dd_model **out, const char *path, dd_error *error)
{
    dd_model *mapped;
    dd_status status = dd_model_load(&mapped, path, error);
    if (status != DD_OK) return status;
    status = dd_model_load_memory(out, path, dd_model_bytes(mapped), true, error);
    dd_model_free(mapped);
    return status;
}

static int load(served_model *one)
{
    dd_error error;
    return load_copy(&one->model, one->path, &error) == DD_OK ? STATUS_OK : say_error(&error);
}

static void free_model(served_model *one)
{
    for (size_t i = 0; i < one->n_names; i++) free(one->names[i]);
    free(one->names);
    free(one->path);
    dd_model_free(one->model);
}

static int name_and_load(const model_store *all, served_model *one, dd_text names)
{
    add_names(one, names.data, names.size);
    if (one->n_names == 0) add_file_name(one, one->path);
    if (is_first_name(all, one->names[0]))
        return say_usage("serve", "two models have the name '%s'", one->names[0]);
    return load(one);
}

static void keep(model_store *all, const served_model *one)
{
    HEAP_GROW(&all->models, &all->capacity, all->count + 1);
    served_model *kept = &all->models[all->count++];
    *kept = *one;
    kept->components = dd_model_components(kept->model);
    kept->batches = dd_model_gains_from_batches(kept->model);
}

dd_status model_store_add_bytes(model_store *all, const char *name, dd_text bytes, dd_error *error)
{
    served_model one = {.index = all->count};
    dd_status status = dd_model_load_memory(&one.model, name, bytes, false, error);
    if (status != DD_OK) return status;
    add_name(&one, name, strlen(name));
    keep(all, &one);
    return DD_OK;
}

int model_store_add(model_store *all, const char *wanted)
{
    served_model one = {.index = all->count};
    const char *equals = wanted ? strchr(wanted, '=') : NULL;
    dd_text names = {wanted, equals ? (size_t)(equals - wanted) : 0};
    int status = named_model_path("serve", equals ? equals + 1 : wanted, &one.path);
    if (status == STATUS_OK) status = name_and_load(all, &one, names);
    if (status != STATUS_OK) {
        free_model(&one);
        return status;
    }
    keep(all, &one);
    return STATUS_OK;
}

void model_store_free(model_store *all)
{
    for (size_t i = 0; i < all->count; i++) free_model(&all->models[i]);
    free(all->models);
    *all = (model_store){0};
}

/* ---- finding ------------------------------------------------------------------------------ */

/* Each tells whether a model may be called so; the first that any model answers to is taken. */
static bool is_name(const served_model *one, const char *name)
{
    for (size_t i = 0; i < one->n_names; i++)
        if (strcmp(one->names[i], name) == 0) return true;
    return false;
}

static bool begins_before_hyphen(const served_model *one, const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; i < one->n_names; i++)
        if (strncmp(one->names[i], name, size) == 0 && one->names[i][size] == '-') return true;
    return false;
}

static bool is_language(const served_model *one, const char *name)
{
    dd_text language = model_fact(one->model, "language");
    return language.size == strlen(name) && memcmp(language.data, name, language.size) == 0;
}

static bool begins(const served_model *one, const char *name)
{
    for (size_t i = 0; i < one->n_names; i++)
        if (strncmp(one->names[i], name, strlen(name)) == 0) return true;
    return false;
}

static bool (*const answers_to[])(const served_model *, const char *) = {
    is_name, begins_before_hyphen, is_language, begins};

static bool refuse_name(const model_store *all, const char *name, refusal *why)
{
    suggestion nearest = suggest_for(name, strlen(name));
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < all->models[i].n_names; k++)
            suggest_consider(&nearest, all->models[i].names[k]);
    if (nearest.nearest)
        return refuse(why, 400, "model: '%.100s' does not exist; did you mean '%s'?", name,
                      nearest.nearest);
    return refuse(why, 400, "model: '%.100s' does not exist; /models lists all, such as '%s'", name,
                  all->models[0].names[0]);
}

const served_model *model_store_find(const model_store *all, const char *name, refusal *why)
{
    if (!name || !*name) return &all->models[0];
    for (size_t way = 0; way < sizeof answers_to / sizeof *answers_to; way++)
        for (size_t i = 0; i < all->count; i++)
            if (answers_to[way](&all->models[i], name)) return &all->models[i];
    refuse_name(all, name, why);
    return NULL;
}

/* ---- by the language of a text ------------------------------------------------------------- */

enum { LOOKED_AT = 1 << 16 }; /* bytes of a text, so that a long line costs no more */

static const served_model *pick_by_sample(const model_store *all, const sample *first,
                                          const dd_model **models, refusal *why)
{
    dd_error error;
    size_t picked;
    for (size_t i = 0; i < all->count; i++) models[i] = all->models[i].model;
    dd_status status =
        dd_model_pick(models, all->count, (dd_text){first->text, first->size}, &picked, &error);
    if (status == DD_OK) return &all->models[picked];
    if (status == DD_ERROR_DATA)
        refuse(why, 400, "model: %s; name one of those that /models lists", error.message);
    else
        refuse_error(why, &error);
    return NULL;
}

static const served_model *pick_by_text(const model_store *all, dd_text text, refusal *why)
{
    dd_error error;
    dd_input_options how;
    const served_model *picked = NULL;
    sample *first = malloc(sizeof *first);
    const dd_model **models = malloc(all->count * sizeof *models);
    dd_input from = {.kind = DD_INPUT_BYTES, .name = "data", .bytes = text};
    if (from.bytes.size > LOOKED_AT) from.bytes.size = LOOKED_AT;
    dd_input_options_init(&how);
    if (!first || !models)
        refuse_memory(why);
    else if (sample_take(first, &from, &how, &error) != DD_OK)
        refuse_error(why, &error);
    else
        picked = pick_by_sample(all, first, models, why);
    free(models);
    free(first);
    return picked;
}

const served_model *model_store_pick(const model_store *all, const char *name, dd_text text,
                                     refusal *why)
{
    bool by_text = name && strcmp(name, "auto") == 0;
    for (size_t i = 0; i < all->count && by_text; i++) by_text = !is_name(&all->models[i], name);
    return by_text ? pick_by_text(all, text, why) : model_store_find(all, name, why);
}

/* ---- telling ------------------------------------------------------------------------------ */

static void list_components(const served_model *one, output *out)
{
    static const struct {
        uint32_t bit;
        const char *name;
    } known[] = {{DD_TOKENIZER, "tokenizer"}, {DD_TAGGER, "tagger"}, {DD_PARSER, "parser"}};
    const char *before = "";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!(one->components & known[i].bit)) continue;
        output_format(out, "%s\"%s\"", before, known[i].name);
        before = ", ";
    }
}

void model_store_list(const model_store *all, output *out)
{
    output_string(out, "{\n \"models\": {");
    for (size_t i = 0; i < all->count; i++) {
        output_string(out, i > 0 ? ",\n  " : "\n  ");
        output_json_string(out, all->models[i].names[0]);
        output_string(out, ": [");
        list_components(&all->models[i], out);
        output_string(out, "]");
    }
    output_string(out, "\n },\n \"default_model\": ");
    output_json_string(out, all->models[0].names[0]);
    output_string(out, "\n}\n");
}

static void list_facts(const dd_model *model, output *out)
{
    dd_text key, value;
    output_string(out, ",\"facts\":{");
    for (size_t i = 0; dd_model_fact(model, i, &key, &value); i++) {
        if (i > 0) output_string(out, ",");
        output_json(out, key);
        output_string(out, ":");
        output_json(out, value);
    }
    output_string(out, "},\"labels\":[");
    for (size_t i = 0; dd_model_label_at(model, i, &value); i++) {
        if (i > 0) output_string(out, ",");
        output_json(out, value);
    }
}

void model_store_describe(const model_store *all, output *out)
{
    output_string(out, "{\"models\":[");
    for (size_t i = 0; i < all->count; i++) {
        const served_model *one = &all->models[i];
        output_string(out, i > 0 ? ",{\"names\":[" : "{\"names\":[");
        for (size_t k = 0; k < one->n_names; k++) {
            if (k > 0) output_string(out, ",");
            output_json_string(out, one->names[k]);
        }
        output_string(out, "],\"components\":[");
        list_components(one, out);
        output_format(out, "],\"beam\":%d", dd_model_beam(one->model));
        list_facts(one->model, out);
        output_string(out, "]}");
    }
    output_string(out, "]}\n");
}
