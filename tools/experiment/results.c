#include "experiment/results.h"

#include "cmd.h"
#include "heap.h"
#include "message.h"

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
