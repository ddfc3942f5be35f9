#include "models/part.h"

#include "cmd.h"
#include "heap.h"
#include "number.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- progress -------------------------------------------------------------------------------- */

static const double REDRAW_EVERY = 0.1; /* seconds */

void pace_start(pace *p, bool wanted, uint64_t done)
{
    *p = (pace){.shown = wanted && isatty(STDERR_FILENO) == 1,
                .start = number_seconds_now(),
                .first = done};
}

void pace_show(pace *p, const char *name, uint64_t done, uint64_t all)
{
    double now = number_seconds_now(), passed = now - p->start;
    if (!p->shown || (p->drawn && now - p->last < REDRAW_EVERY)) return;
    double speed = passed > 0 ? (double)(done - p->first) / passed : 0;
    p->drawn = true;
    p->last = now;
    fprintf(stderr, "\r%s  %s of %s bytes  %3.0f %%", name, number_grouped(done).text,
            number_grouped(all).text, number_percent(done, all));
    if (speed > 0)
        fprintf(stderr, "  %s kB/s  %s left", number_grouped((uint64_t)(speed / 1000)).text,
                number_duration((double)(all - done) / speed).text);
    fprintf(stderr, "\033[K");
    fflush(stderr);
}

void pace_clear(pace *p)
{
    if (p->drawn) fprintf(stderr, "\r\033[K");
    p->drawn = false;
}

/* ---- Ctrl-C ---------------------------------------------------------------------------------- */

/* A signal handler can reach nothing else than a variable of the file. */
static volatile sig_atomic_t seen;

static void note(int signal)
{
    (void)signal;
    seen = 1;
}

void interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

bool interrupt_seen(void)
{
    return seen;
}

/* ---- a file that comes in parts -------------------------------------------------------------- */

enum { PIECE = 1 << 16, DIGITS = 8 /* of the checksum in the name of a part */ };

static int say_failure(const char *path, const char *what)
{
    say("%s: cannot %s: %s", path, what, strerror(errno));
    return STATUS_PROBLEM;
}

/* ---- opening ------------------------------------------------------------------------------ */

static int make_folder(const char *path)
{
    char *copy = heap_copy(path, strlen(path));
    int made = 0;
    for (char *at = copy + 1; *at && made == 0; at++) {
        if (*at != '/') continue;
        *at = '\0';
        if (mkdir(copy, 0777) != 0 && errno != EEXIST) made = -1;
        *at = '/';
    }
    if (made == 0 && mkdir(copy, 0777) != 0 && errno != EEXIST) made = -1;
    free(copy);
    return made == 0 ? STATUS_OK : say_failure(path, "be made");
}

static char *path_of(const char *folder, const model_entry *entry, const char *digits)
{
    size_t room = strlen(folder) + strlen(entry->name) + 40;
    char *path = heap_zeroed(room, 1);
    int used = snprintf(path, room, "%s/%s.dodona", folder, entry->name);
    if (digits) snprintf(path + used, room - (size_t)used, ".%.*s.part", DIGITS, digits);
    return path;
}

/* Whether the open file is still the one at the path: another process may have finished it. */
static bool is_at(int file, const char *path)
{
    struct stat open_file, named;
    return fstat(file, &open_file) == 0 && stat(path, &named) == 0 &&
           open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

static int lock(part *p)
{
    do {
        if (p->file >= 0) close(p->file);
        p->file = open(p->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (p->file < 0) return say_failure(p->path, "be written");
        if (flock(p->file, LOCK_EX | LOCK_NB) != 0) {
            close(p->file);
            p->file = -1;
            say("%s: another process is getting it", p->entry->name);
            return STATUS_PROBLEM;
        }
    } while (!is_at(p->file, p->path));
    return STATUS_OK;
}

/* Reads what an earlier try has left. */
static int take_up(part *p)
{
    char piece[PIECE];
    ssize_t got;
    while ((got = read(p->file, piece, sizeof piece)) != 0) {
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return say_failure(p->path, "be read");
        sha256_add(&p->hash, piece, (size_t)got);
        p->done += (uint64_t)got;
    }
    return p->done > p->entry->size ? part_restart(p) : STATUS_OK;
}

void part_name(part *p, const char *folder, const model_entry *entry)
{
    *p = (part){.entry = entry, .file = -1};
    p->folder = heap_copy(folder, strlen(folder));
    p->path = path_of(folder, entry, entry->sha256);
    p->target = path_of(folder, entry, NULL);
    sha256_start(&p->hash);
}

bool part_is_there(const part *p)
{
    char digest[SHA256_TEXT];
    return sha256_file(p->target, digest) && strcmp(digest, p->entry->sha256) == 0;
}

int part_open(part *p)
{
    int status = make_folder(p->folder);
    if (status == STATUS_OK) status = lock(p);
    return status == STATUS_OK ? take_up(p) : status;
}

/* An empty part does not help a later download. */
static void remove_empty(const part *p)
{
    struct stat facts;
    if (fstat(p->file, &facts) == 0 && facts.st_size == 0 && is_at(p->file, p->path))
        unlink(p->path);
}

void part_close(part *p)
{
    if (p->file >= 0) {
        remove_empty(p);
        close(p->file);
    }
    free(p->folder);
    free(p->path);
    free(p->target);
}

/* ---- filling ------------------------------------------------------------------------------ */

int part_restart(part *p)
{
    if (ftruncate(p->file, 0) != 0 || lseek(p->file, 0, SEEK_SET) != 0)
        return say_failure(p->path, "be written");
    sha256_start(&p->hash);
    p->done = 0;
    return STATUS_OK;
}

static int say_too_long(const part *p)
{
    say("%s: more than the %s bytes that the index says", p->entry->name,
        number_grouped(p->entry->size).text);
    unlink(p->path);
    return STATUS_PROBLEM;
}

int part_add(part *p, const char *data, size_t size)
{
    if (size > p->entry->size - p->done) return say_too_long(p);
    while (size > 0) {
        ssize_t written = write(p->file, data, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return say_failure(p->path, "be written");
        sha256_add(&p->hash, data, (size_t)written);
        p->done += (uint64_t)written;
        data += written;
        size -= (size_t)written;
    }
    return STATUS_OK;
}

/* ---- the end ------------------------------------------------------------------------------ */

/* A complete but wrong file does not help a later download. */
static int say_wrong(const part *p, const char *from, const char *what)
{
    unlink(p->path);
    say("%s: %s; nothing was installed", from, what);
    return STATUS_PROBLEM;
}

static int check(part *p, const char *from)
{
    char digest[SHA256_TEXT], what[200];
    dd_model *model;
    dd_error error;
    if (p->done != p->entry->size) {
        snprintf(what, sizeof what, "%s bytes, not the %s that the index says",
                 number_grouped(p->done).text, number_grouped(p->entry->size).text);
        return say_wrong(p, from, what);
    }
    sha256_finish(&p->hash, digest);
    if (strcmp(digest, p->entry->sha256) != 0)
        return say_wrong(p, from, "its checksum (SHA-256) is not the one that the index says");
    /* A model that this program cannot read must not take the place of one that it can. */
    if (dd_model_load(&model, p->path, &error) != DD_OK) return say_wrong(p, from, error.message);
    dd_model_free(model);
    return STATUS_OK;
}

static void sync_folder(const char *folder)
{
    int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) return;
    fsync(opened); /* The file is whole and in its place, even where this fails. */
    close(opened);
}

int part_finish(part *p, const char *from)
{
    int status = check(p, from);
    if (status != STATUS_OK) return status;
    if (fsync(p->file) != 0) return say_failure(p->path, "be written");
    if (rename(p->path, p->target) != 0) return say_failure(p->target, "be written");
    sync_folder(p->folder);
    return STATUS_OK;
}
