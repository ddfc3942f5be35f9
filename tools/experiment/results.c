#include "experiment/results.h"

#include "cmd.h"
#include "heap.h"
#include "message.h"
#include "number.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

void results_keep(results *r, run_key key, result *new)
{
    size_t at = plan_index(r->plan, key);
    if (r->known[at] && !r->runs[at].failed && new->failed) {
        result_free(new);
        return;
    }
    result_free(&r->runs[at]);
    r->runs[at] = *new;
    r->known[at] = true;
}

static int take_line(results *r, const char *path, const char *line, size_t size)
{
    char reason[RESULT_REASON_SIZE];
    run_key key;
    result new;
    r->lines++;
    switch (result_read(&new, &key, r->plan, line, size, reason)) {
    case RESULT_BAD: say("%s:%zu: %s", path, r->lines, reason); return STATUS_PROBLEM;
    case RESULT_OTHER: r->other++; return STATUS_OK;
    case RESULT_OF_PLAN: results_keep(r, key, &new); return STATUS_OK;
    }
    return STATUS_OK;
}

/* Lines up to the end, or to one that is cut. `whole`: the bytes of whole lines. */
static int read_file(results *r, const char *path, FILE *file, off_t *whole)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t size;
    int status = STATUS_OK;
    *whole = 0;
    while (status == STATUS_OK && (size = getline(&line, &room, file)) > 0) {
        if (line[size - 1] != '\n') {
            r->cut = true;
            break;
        }
        status = take_line(r, path, line, (size_t)size - 1);
        *whole += size;
    }
    if (status == STATUS_OK && ferror(file)) {
        say("%s: %s", path, strerror(errno));
        status = STATUS_PROBLEM;
    }
    free(line);
    return status;
}

static void begin(results *r, const plan *p)
{
    *r = (results){.plan = p, .file = -1};
    r->runs = heap_zeroed(plan_size(p), sizeof *r->runs);
    r->known = heap_zeroed(plan_size(p), sizeof *r->known);
}

static int cannot(const char *path)
{
    say("%s: %s", path, strerror(errno));
    return STATUS_PROBLEM;
}

int results_read(results *r, const plan *p, const char *path)
{
    off_t whole;
    begin(r, p);
    FILE *file = fopen(path, "rb");
    if (!file) return errno == ENOENT ? STATUS_OK : cannot(path);
    int status = read_file(r, path, file, &whole);
    fclose(file);
    return status;
}

static int lock(results *r, const char *path)
{
    if (flock(r->file, LOCK_EX | LOCK_NB) == 0) return STATUS_OK;
    if (errno != EWOULDBLOCK) return cannot(path);
    say("%s: another experiment is writing to it", path);
    return STATUS_PROBLEM;
}

int results_open(results *r, const plan *p, const char *path)
{
    off_t whole = 0;
    begin(r, p);
    r->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (r->file < 0) return cannot(path);
    int status = lock(r, path);
    if (status != STATUS_OK) return status;
    int copy = dup(r->file);
    FILE *file = copy < 0 ? NULL : fdopen(copy, "rb");
    if (!file) return cannot(path);
    status = read_file(r, path, file, &whole);
    fclose(file);
    if (status == STATUS_OK && r->cut && ftruncate(r->file, whole) != 0) status = cannot(path);
    return status;
}

bool results_append(results *r, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t done = write(r->file, data, size);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        data += done;
        size -= (size_t)done;
    }
    return true;
}

void results_close(results *r)
{
    for (size_t i = 0; r->runs && i < plan_size(r->plan); i++) result_free(&r->runs[i]);
    free(r->runs);
    free(r->known);
    if (r->file >= 0) close(r->file);
    *r = (results){.file = -1};
}

/* ---- shares ---------------------------------------------------------------------------------- */

/* ---- names -------------------------------------------------------------------------------- */

static const char ending[] = ".jsonl";

static bool take_pair(const char **at, const char *between, shard *out)
{
    size_t size = strlen(between);
    out->number = number_take(at);
    if (strncmp(*at, between, size) != 0) return false;
    *at += size;
    out->of = number_take(at);
    return out->number > 0 && out->number <= out->of;
}

bool shard_read(const char *text, shard *out)
{
    return take_pair(&text, "/", out) && !*text;
}

/* Of a name without its ending. */
static size_t stem_size(const char *name)
{
    size_t size = strlen(name), tail = strlen(ending);
    bool has = size > tail && strcmp(name + size - tail, ending) == 0;
    return has ? size - tail : size;
}

char *shard_path(const char *path, shard s)
{
    size_t room = strlen(path) + 64;
    char *out = heap_zeroed(room, 1);
    snprintf(out, room, "%.*s.%zu-of-%zu%s", (int)stem_size(path), path, s.number, s.of, ending);
    return out;
}

static bool is_of_shard(const char *name, const char *all)
{
    size_t stem = stem_size(all);
    shard s;
    if (strncmp(name, all, stem) != 0 || name[stem] != '.') return false;
    const char *at = name + stem + 1;
    return take_pair(&at, "-of-", &s) && strcmp(at, ending) == 0;
}

/* ---- merging ------------------------------------------------------------------------------ */

typedef struct found {
    char *line; /* with its end; NULL: none */
    size_t size;
    bool failed;
} found;

typedef struct gathering {
    const plan *plan;
    found *runs; /* [plan_size] */
} gathering;

/* The first that did not fail, or else the first. */
static int keep_line(gathering *g, const char *path, size_t number, const char *line, size_t size)
{
    char reason[RESULT_REASON_SIZE];
    run_key key;
    result made;
    switch (result_read(&made, &key, g->plan, line, size - 1, reason)) {
    case RESULT_BAD: say("%s:%zu: %s", path, number, reason); return STATUS_PROBLEM;
    case RESULT_OTHER: return STATUS_OK;
    case RESULT_OF_PLAN: break;
    }
    found *run = &g->runs[plan_index(g->plan, key)];
    bool better = !run->line || (run->failed && !made.failed);
    if (better) {
        free(run->line);
        *run = (found){heap_copy(line, size), size, made.failed != NULL};
    }
    result_free(&made);
    return STATUS_OK;
}

/* A last line that is cut belongs to a run that was not finished. */
static int read_shard(gathering *g, const char *path)
{
    char *line = NULL;
    size_t room = 0, number = 0;
    ssize_t size;
    int status = STATUS_OK;
    FILE *file = fopen(path, "rb");
    while (file && status == STATUS_OK && (size = getline(&line, &room, file)) > 0)
        if (line[size - 1] == '\n') status = keep_line(g, path, ++number, line, (size_t)size);
    if (!file || ferror(file)) {
        say("%s: %s", path, strerror(errno));
        status = STATUS_PROBLEM;
    }
    free(line);
    if (file) fclose(file);
    return status;
}

static int read_entry(gathering *g, const char *folder, const char *name)
{
    size_t room = strlen(folder) + strlen(name) + 2;
    char *path = heap_zeroed(room, 1);
    snprintf(path, room, "%s/%s", folder, name);
    int status = read_shard(g, path);
    free(path);
    return status;
}

/* In the order of the names, so that the same files give the same results. */
static int read_shards(gathering *g, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? heap_copy(path, (size_t)(slash - path) + 1) : heap_copy(".", 1);
    struct dirent **entries;
    int status = STATUS_OK, count = scandir(folder, &entries, NULL, alphasort);
    if (count < 0) {
        say("%s: %s", folder, strerror(errno));
        status = STATUS_PROBLEM;
    }
    for (int i = 0; i < count; i++) {
        if (status == STATUS_OK && is_of_shard(entries[i]->d_name, slash ? slash + 1 : path))
            status = read_entry(g, folder, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0) free(entries);
    free(folder);
    return status;
}

/* What there is already stays, unless it failed. */
static int add_new(results *r, const gathering *g, const char *path)
{
    for (size_t i = 0; i < plan_size(g->plan); i++) {
        const found *run = &g->runs[i];
        bool wanted = !r->known[i] || (r->runs[i].failed && !run->failed);
        if (!run->line || !wanted) continue;
        if (!results_append(r, run->line, run->size)) {
            say("%s: %s", path, strerror(errno));
            return STATUS_PROBLEM;
        }
    }
    return STATUS_OK;
}

int shards_merge(results *r, const plan *p, const char *path)
{
    gathering g = {.plan = p, .runs = heap_zeroed(plan_size(p), sizeof *g.runs)};
    int status = results_open(r, p, path);
    if (status == STATUS_OK) status = read_shards(&g, path);
    if (status == STATUS_OK) status = add_new(r, &g, path);
    for (size_t i = 0; i < plan_size(p); i++) free(g.runs[i].line);
    free(g.runs);
    return status;
}
