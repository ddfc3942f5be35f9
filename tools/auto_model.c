#include "auto_model.h"

#include "cmd.h"
#include "heap.h"
#include "input.h"
#include "message.h"
#include "named_model.h"
#include "sample.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool auto_model_wanted(const char *wanted)
{
    if (!wanted) wanted = getenv("DODONA_MODEL");
    return wanted && strcmp(wanted, "auto") == 0;
}

/* ---- input -------------------------------------------------------------------------------- */

enum { KEPT = 1 << 16 }; /* enough for a sample of CoNLL-U */

/* As read(2), also for interrupted calls. */
static ssize_t read_standard(char *data, size_t size)
{
    ssize_t got;
    do got = read(STDIN_FILENO, data, size);
    while (got < 0 && errno == EINTR);
    return got;
}

/* A dd_read_function: what was kept, and then the rest. */
static dd_status read_on(void *user, char *data, size_t size, size_t *got, dd_error *error)
{
    auto_input *in = user;
    size_t left = in->size - in->given;
    *got = left < size ? left : size;
    memcpy(data, in->kept + in->given, *got);
    in->given += *got;
    if (left > 0) return DD_OK;
    ssize_t more = read_standard(data, size);
    (void)error; /* the reader says which input cannot be read */
    if (more < 0) return DD_ERROR_IO;
    *got = (size_t)more;
    return DD_OK;
}

/* All that there is, or as much as is kept. */
static int keep_standard(auto_input *in)
{
    ssize_t got = 1;
    in->kept = heap_zeroed(KEPT, 1);
    while (in->size < KEPT && got > 0) {
        got = read_standard(in->kept + in->size, KEPT - in->size);
        if (got > 0) in->size += (size_t)got;
    }
    if (got < 0) say("<stdin>: %s", strerror(errno));
    in->from = (dd_input){.kind = got > 0 ? DD_INPUT_FUNCTION : DD_INPUT_BYTES,
                          .name = "<stdin>",
                          .bytes = {in->kept, in->size},
                          .read = read_on,
                          .user = in};
    return got < 0 ? STATUS_PROBLEM : STATUS_OK;
}

int auto_input_open(auto_input *in, const char *path)
{
    *in = (auto_input){.from = {.name = path}};
    return strcmp(path, "-") == 0 ? keep_standard(in) : STATUS_OK;
}

void auto_input_free(auto_input *in)
{
    free(in->kept);
}

/* ---- models ------------------------------------------------------------------------------- */

int auto_models_open(auto_models *all, const char *output, bool quiet)
{
    *all = (auto_models){.output = output, .quiet = quiet};
    return named_models(&all->catalogue);
}

void auto_models_free(auto_models *all)
{
    for (size_t i = 0; i < all->count; i++) {
        dd_model_free(all->loaded[i].model);
        free(all->loaded[i].path);
    }
    free(all->loaded);
    dd_catalogue_free(all->catalogue);
}

static int load(auto_models *all, const char *path, const dd_model **out)
{
    dd_error error;
    auto_model one = {0};
    for (size_t i = 0; i < all->count; i++) {
        if (strcmp(all->loaded[i].path, path) != 0) continue;
        *out = all->loaded[i].model;
        return STATUS_OK;
    }
    int status = input_spare(path, all->output);
    if (status != STATUS_OK) return status;
    if (dd_model_load(&one.model, path, &error) != DD_OK) return say_error(&error);
    one.path = heap_copy(path, strlen(path));
    HEAP_GROW(&all->loaded, &all->capacity, all->count + 1);
    all->loaded[all->count++] = one;
    *out = one.model;
    return STATUS_OK;
}

/* The beginning of the input, and not the rest, which is still to be read. */
static int take_sample(sample *out, const auto_input *in, const dd_input_options *how)
{
    dd_error error;
    dd_input from = in->from;
    if (in->kept) from.kind = DD_INPUT_BYTES;
    dd_status status = sample_take(out, &from, how, &error);
    return status == DD_OK ? STATUS_OK : say_error(&error);
}

static void note_picked(const char *file, const dd_catalogue_model *picked, const dd_model *model)
{
    dd_text key, value = {"", 0};
    for (size_t i = 0; dd_model_fact(model, i, &key, &value); i++)
        if (key.size == 8 && memcmp(key.data, "language", 8) == 0) break;
    say_note("%s: language %.*s, model %s", file, (int)value.size, value.data, picked->name);
}

static int pick_by_text(auto_models *all, const char *file, dd_text text, const dd_model **out)
{
    dd_error error;
    const dd_catalogue_model *picked;
    dd_status found = dd_catalogue_pick(all->catalogue, text, &picked, &error);
    if (found == DD_ERROR_DATA) {
        say("%s: %s; name a model with '-m'", file, error.message);
        return STATUS_PROBLEM;
    }
    if (found != DD_OK) return say_error(&error);
    int status = load(all, picked->path, out);
    if (status == STATUS_OK && !all->quiet) note_picked(file, picked, *out);
    return status;
}

static int take_usual(auto_models *all, const dd_model **out)
{
    dd_error error;
    const dd_catalogue_model *usual;
    if (dd_catalogue_find(all->catalogue, "english", &usual, &error) != DD_OK)
        return say_error(&error);
    return load(all, usual->path, out);
}

int auto_models_pick(auto_models *all, const auto_input *in, const dd_input_options *how,
                     const dd_model **out)
{
    sample *first = heap_zeroed(1, sizeof *first);
    int status = take_sample(first, in, how);
    if (status == STATUS_OK)
        status = first->size > 0
                     ? pick_by_text(all, in->from.name, (dd_text){first->text, first->size}, out)
                     : take_usual(all, out);
    free(first);
    return status;
}
