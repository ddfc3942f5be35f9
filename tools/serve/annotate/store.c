#include "serve/annotate/store.h"

#include "cmd.h"
#include "heap.h"
#include "serve/fields.h"
#include "serve/metrics.h"
#include "textfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char scores_file[] = "scores.json", model_file[] = "model.dodona";

/* ---- names and paths ---------------------------------------------------------------------- */

bool store_is_name(const char *name)
{
    size_t size = strlen(name);
    if (size == 0 || size > MOST_NAME || *name == '.') return false;
    for (const char *at = name; *at; at++)
        if (*at == '/' || (unsigned char)*at < ' ' || *at == 0x7F) return false;
    return text_is_utf8((dd_text){name, size});
}

static void path_of(const annotator *all, const char *project, const char *id, const char *file,
                    char out[PATH_ROOM])
{
    snprintf(out, PATH_ROOM, "%s/%s%s%s%s%s", all->options.folder, project, id ? "/" : "",
             id ? id : "", file ? "/" : "", file ? file : "");
}

void store_path(const annotator *all, const trained *one, const char *file, char out[PATH_ROOM])
{
    path_of(all, one->project, one->id, file, out);
}

/* ---- models in memory --------------------------------------------------------------------- */

trained *trained_new(const char *project, const char *id)
{
    trained *one = heap_zeroed(1, sizeof *one);
    one->project = heap_copy(project, strlen(project));
    one->id = heap_copy(id, strlen(id));
    return one;
}

void trained_free(trained *one)
{
    if (!one) return;
    free(one->project);
    free(one->id);
    free(one->base);
    free(one->best);
    free(one->history);
    free(one);
}

trained *store_find(const annotator *all, const char *project, const char *id)
{
    for (size_t i = 0; i < all->n_models; i++) {
        trained *one = all->models[i];
        if (strcmp(one->project, project) == 0 && strcmp(one->id, id) == 0) return one;
    }
    return NULL;
}

void store_forget(annotator *all, trained *one)
{
    size_t i = 0;
    while (i < all->n_models && all->models[i] != one) i++;
    if (i == all->n_models) return;
    memmove(all->models + i, all->models + i + 1, (all->n_models - i - 1) * sizeof *all->models);
    all->n_models--;
    trained_free(one);
}

static void forget_failed(annotator *all)
{
    size_t failed = 0;
    trained *first = NULL;
    for (size_t i = 0; i < all->n_models; i++) {
        if (all->models[i]->state != WORK_FAILED) continue;
        if (!first) first = all->models[i];
        failed++;
    }
    if (failed > MOST_FAILED) store_forget(all, first);
}

void store_add(annotator *all, trained *one)
{
    HEAP_GROW(&all->models, &all->models_capacity, all->n_models + 1);
    all->models[all->n_models++] = one;
    forget_failed(all);
}

/* ---- folders ------------------------------------------------------------------------------ */

static bool make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

bool store_make_folder(const annotator *all, const char *project, const char *id)
{
    char path[PATH_ROOM];
    path_of(all, project, NULL, NULL, path);
    if (!make_folder(path)) return false;
    path_of(all, project, id, NULL, path);
    return mkdir(path, 0777) == 0;
}

/* Calls for each entry of a folder, but for those that begin with a full stop. */
static void each_entry(const char *path, void (*see)(void *user, const char *name), void *user)
{
    DIR *folder = opendir(path);
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.') see(user, entry->d_name);
    closedir(folder);
}

/* There are only files in it; what is linked to stays. */
bool store_remove_files(const annotator *all, const char *project, const char *id)
{
    char path[PATH_ROOM];
    path_of(all, project, id, NULL, path);
    DIR *folder = opendir(path);
    if (!folder) return errno == ENOENT;
    for (struct dirent *entry; (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    closedir(folder);
    bool removed = rmdir(path) == 0;
    int kept = errno;
    path_of(all, project, NULL, NULL, path);
    (void)rmdir(path); /* if it was the project's last */
    errno = kept;
    return removed;
}

typedef struct adding {
    char path[PATH_ROOM];
    uint64_t bytes;
    int depth;
} adding;

static void add_size(void *user, const char *name)
{
    adding *sum = user;
    struct stat about;
    size_t size = strlen(sum->path);
    snprintf(sum->path + size, sizeof sum->path - size, "/%s", name);
    if (lstat(sum->path, &about) != 0) about.st_mode = 0;
    if (S_ISREG(about.st_mode)) sum->bytes += (uint64_t)about.st_size;
    if (sum->depth > 0 && S_ISDIR(about.st_mode)) {
        sum->depth--;
        each_entry(sum->path, add_size, sum);
        sum->depth++;
    }
    sum->path[size] = '\0';
}

uint64_t store_disk(const annotator *all)
{
    adding sum = {.depth = 2};
    snprintf(sum.path, sizeof sum.path, "%s", all->options.folder);
    each_entry(sum.path, add_size, &sum);
    return sum.bytes;
}

/* ---- scores ------------------------------------------------------------------------------- */

bool store_save_scores(const annotator *all, const trained *one)
{
    char path[PATH_ROOM], partial[PATH_ROOM];
    store_path(all, one, scores_file, path);
    store_path(all, one, "scores.partial", partial);
    FILE *file = fopen(partial, "w");
    if (!file) return false;
    fprintf(file, "{\"scores_best\":%s,\n\"scores_history\":[%s]}\n",
            one->best ? one->best : "null", one->history ? one->history : "");
    bool written = ferror(file) == 0;
    return fclose(file) == 0 && written && rename(partial, path) == 0;
}

static char *copy_source(const dd_value *value)
{
    return value ? heap_copy(value->source.data, value->source.size) : NULL;
}

static bool read_scores(trained *one, const char *text)
{
    enum { MOST = 1000000 };
    dd_value root;
    dd_error error;
    if (dd_value_read(&root, (dd_text){text, strlen(text)}, MOST, &error) != DD_OK) return false;
    const dd_value *best = dd_value_at(&root, "scores_best");
    const dd_value *history = dd_value_at(&root, "scores_history");
    bool good = best && best->kind == DD_JSON_OBJECT && history && history->kind == DD_JSON_ARRAY;
    if (good) {
        one->best = copy_source(best);
        one->history = heap_copy(history->source.data + 1, history->source.size - 2);
    }
    dd_value_free(&root);
    return good;
}

/* ---- what is there ------------------------------------------------------------------------ */

typedef struct scan {
    annotator *all;
    const char *project;
} scan;

static void note_cut_off(annotator *all, trained *one)
{
    one->state = WORK_FAILED;
    snprintf(one->reason, sizeof one->reason,
             "the server ended while the model was trained; start the training again");
    store_add(all, one);
    log_event("training was cut off", "model", one->id);
}

/* A folder with other files is not a model's, and is left alone. */
static void see_model(void *user, const char *id)
{
    const scan *at = user;
    annotator *all = at->all;
    char path[PATH_ROOM];
    struct stat about;
    if (!store_is_name(id)) return;
    trained *one = trained_new(at->project, id);
    store_path(all, one, scores_file, path);
    char *scores = textfile_read(path);
    store_path(all, one, model_file, path);
    bool has_model = access(path, R_OK) == 0;
    store_path(all, one, "train.conllu", path);
    bool has_data = lstat(path, &about) == 0;
    one->state = WORK_READY;
    if (scores && has_model && read_scores(one, scores)) {
        store_add(all, one);
    } else if (!scores && (has_data || has_model)) {
        store_remove_files(all, at->project, id);
        note_cut_off(all, one);
    } else {
        log_event("no model", "folder", id);
        trained_free(one);
    }
    free(scores);
}

static void see_project(void *user, const char *name)
{
    annotator *all = user;
    scan at = {.all = all, .project = name};
    char path[PATH_ROOM];
    if (!store_is_name(name)) return;
    path_of(all, name, NULL, NULL, path);
    each_entry(path, see_model, &at);
}

static int by_id(const void *a, const void *b)
{
    return strcmp((*(trained *const *)a)->id, (*(trained *const *)b)->id);
}

/* Two servers would remove each other's trainings. The lock ends with the process. */
static bool lock_folder(annotator *all)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/.lock", all->options.folder);
    all->lock_file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    return all->lock_file >= 0 && flock(all->lock_file, LOCK_EX | LOCK_NB) == 0;
}

int store_open(annotator *all)
{
    const char *folder = all->options.folder;
    if (strlen(folder) > PATH_ROOM / 2) errno = ENAMETOOLONG;
    if (strlen(folder) > PATH_ROOM / 2 || !make_folder(folder) || !lock_folder(all)) {
        say("%s: models cannot be kept here: %s", folder,
            errno == EWOULDBLOCK ? "another server uses the folder" : strerror(errno));
        return STATUS_PROBLEM;
    }
    each_entry(folder, see_project, all);
    if (all->n_models > 0) qsort(all->models, all->n_models, sizeof *all->models, by_id);
    return STATUS_OK;
}
