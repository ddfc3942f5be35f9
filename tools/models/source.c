#include "models/source.h"

#include "cmd.h"
#include "heap.h"
#include "models/http.h"
#include "models/part.h"
#include "number.h"
#include "textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 16, LARGEST_INDEX = 1 << 24 /* bytes */ };

static bool is_url(const char *text)
{
    return strncasecmp(text, "http://", 7) == 0 || strncasecmp(text, "https://", 8) == 0;
}

static char *joined(const char *before, size_t size, const char *after)
{
    size_t room = size + strlen(after) + 1;
    char *made = heap_zeroed(room, 1);
    snprintf(made, room, "%.*s%s", (int)size, before, after);
    return made;
}

char *source_place(const source *s, const char *file)
{
    return joined(s->base, strlen(s->base), file);
}

/* ---- what a user says --------------------------------------------------------------------- */

/* `path` bytes are the path; what follows them in a URL is its query. */
static void split(source *s, const char *from, size_t path, bool is_index)
{
    size_t folder = path;
    if (is_index) {
        while (folder > 0 && from[folder - 1] != '/') folder--;
        s->index = heap_copy(from, strlen(from));
        s->base = heap_copy(from, folder);
    } else {
        while (folder > 0 && from[folder - 1] == '/') folder--;
        s->index = joined(from, folder, "/index.json");
        s->base = joined(from, folder, "/");
    }
}

static bool ends_in_json(const char *text, size_t size)
{
    return size > 5 && strncasecmp(text + size - 5, ".json", 5) == 0;
}

int source_open(source *s, const char *from)
{
    struct stat facts;
    *s = (source){.remote = is_url(from)};
    size_t path = s->remote ? strcspn(from, "?#") : strlen(from);
    if (!s->remote && strstr(from, "://")) {
        say("%s: only http:// and https:// can be read", from);
        return STATUS_USAGE;
    }
    if (!s->remote && stat(from, &facts) != 0) {
        say("%s: %s", from, strerror(errno));
        return STATUS_PROBLEM;
    }
    split(s, from, path, s->remote ? ends_in_json(from, path) : !S_ISDIR(facts.st_mode));
    return STATUS_OK;
}

void source_close(source *s)
{
    free(s->index);
    free(s->base);
}

/* ---- the index ---------------------------------------------------------------------------- */

static bool begin_index(void *user, bool all)
{
    (void)user;
    return all;
}

static bool take_index(void *user, const char *data, size_t size)
{
    output *text = user;
    output_bytes(text, data, size);
    return text->status == DD_OK && text->size <= LARGEST_INDEX;
}

/* In memory, to be closed. */
static int download_index(const char *url, output *text)
{
    const http_taker taker = {text, begin_index, take_index};
    output_keep(text);
    switch (http_get(url, 0, &taker)) {
    case HTTP_DONE: return STATUS_OK;
    case HTTP_FAILED: return STATUS_PROBLEM;
    case HTTP_BROKEN:
    case HTTP_NO_PART: say("%s: the connection ended too early", url); return STATUS_PROBLEM;
    case HTTP_STOPPED: break;
    }
    if (interrupt_seen()) return STATUS_INTERRUPTED;
    say("%s: more than %s bytes", url, number_grouped(LARGEST_INDEX).text);
    return STATUS_PROBLEM;
}

static int read_file(const char *path, output *text)
{
    char *bytes = textfile_read(path);
    output_keep(text);
    if (!bytes) {
        say("%s: cannot be read: %s", path, strerror(errno));
        return STATUS_PROBLEM;
    }
    output_string(text, bytes);
    free(bytes);
    return STATUS_OK;
}

int source_list(const source *s, model_list *out)
{
    char reason[INDEX_REASON_SIZE];
    output text;
    int status = s->remote ? download_index(s->index, &text) : read_file(s->index, &text);
    if (status == STATUS_OK && !index_read(out, text.data ? text.data : "", text.size, reason)) {
        say("%s: %s", s->index, reason);
        status = STATUS_PROBLEM;
    }
    int closed = output_close(&text);
    return status == STATUS_OK ? closed : status;
}

/* ---- a model ------------------------------------------------------------------------------ */

/* Who fills a part. */
typedef struct filling {
    part *p;
    pace pace;
    int status; /* what made it stop */
} filling;

static bool begin_part(void *user, bool all)
{
    filling *f = user;
    if (all && f->p->done > 0) f->status = part_restart(f->p);
    return f->status == STATUS_OK;
}

static bool take_part(void *user, const char *data, size_t size)
{
    filling *f = user;
    f->status = part_add(f->p, data, size);
    pace_show(&f->pace, f->p->entry->name, f->p->done, f->p->entry->size);
    return f->status == STATUS_OK;
}

static int say_broken(const part *p, const char *what, int status)
{
    say("%s: %s after %s of %s bytes; the same command continues from there", p->entry->name, what,
        number_grouped(p->done).text, number_grouped(p->entry->size).text);
    return status;
}

static int stopped(const filling *f)
{
    if (f->status != STATUS_OK) return f->status;
    return say_broken(f->p, "interrupted", STATUS_INTERRUPTED);
}

static int download(const char *url, filling *f)
{
    const http_taker taker = {f, begin_part, take_part};
    http_end end = http_get(url, f->p->done, &taker);
    if (end == HTTP_NO_PART && f->p->done > 0) {
        f->status = part_restart(f->p);
        if (f->status == STATUS_OK) end = http_get(url, 0, &taker);
    }
    pace_clear(&f->pace);
    switch (end) {
    case HTTP_DONE: return STATUS_OK;
    case HTTP_BROKEN: return say_broken(f->p, "the connection ended", STATUS_PROBLEM);
    case HTTP_STOPPED: return stopped(f);
    case HTTP_NO_PART:
    case HTTP_FAILED: break;
    }
    return STATUS_PROBLEM;
}

static int copy_rest(int file, filling *f)
{
    char piece[PIECE];
    while (!interrupt_seen()) {
        ssize_t got = read(file, piece, sizeof piece);
        if (got < 0 && errno == EINTR) continue;
        if (got == 0) return STATUS_OK;
        if (got < 0) {
            say("%s: cannot be read: %s", f->p->entry->file, strerror(errno));
            return STATUS_PROBLEM;
        }
        if (!take_part(f, piece, (size_t)got)) return f->status;
    }
    return stopped(f);
}

static int copy_file(const char *path, filling *f)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || lseek(file, (off_t)f->p->done, SEEK_SET) < 0) {
        say("%s: cannot be read: %s", path, strerror(errno));
        if (file >= 0) close(file);
        return STATUS_PROBLEM;
    }
    int status = copy_rest(file, f);
    close(file);
    pace_clear(&f->pace);
    return status;
}

int source_fill(const source *s, part *p, bool progress)
{
    filling f = {.p = p, .status = STATUS_OK};
    if (p->done == p->entry->size) return STATUS_OK;
    pace_start(&f.pace, progress, p->done);
    char *place = source_place(s, p->entry->file);
    int status = s->remote ? download(place, &f) : copy_file(place, &f);
    free(place);
    return status;
}
