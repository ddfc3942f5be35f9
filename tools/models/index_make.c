/* index_make.c - an index of the models in a folder, for others to get them from */
#include "cmd.h"
#include "heap.h"
#include "models/index.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    free(entry->path); /* where it is here is nobody's business */
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
