#ifdef __linux__
#define _GNU_SOURCE /* O_PATH */
#endif
#include "core/newfile.h"

#include "core/random.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#if !defined(__EMSCRIPTEN__)
#include <sys/file.h> /* flock: not in POSIX, but wherever several processes share a folder */
#endif

enum {
    MOST_LINKS = 40,  /* followed in a row, as in Linux */
    MOST_TRIES = 100, /* of names that exist already */
};

static void close_quietly(int file)
{
    int cause = errno;
    if (file >= 0) close(file);
    errno = cause;
}

/* ---- where ---- */

/* Opens a folder only to find files in it. POSIX has O_SEARCH, Linux O_PATH; without either, the
 * folder must be readable. */
#if defined(O_SEARCH)
enum { TO_SEARCH = O_SEARCH };
#elif defined(O_PATH)
enum { TO_SEARCH = O_PATH };
#else
enum { TO_SEARCH = O_RDONLY };
#endif

/* A folder that may not be listed can still be written to, but not be synced. */
static int open_folder(int from, const char *folder)
{
    int opened = openat(from, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened >= 0 || errno != EACCES) return opened;
    return openat(from, folder, TO_SEARCH | O_DIRECTORY | O_CLOEXEC);
}

/* Opens the folder of a path, and copies what follows it. */
static int split(int from, const char *path, char name[NAME_MAX + 1])
{
    char folder[PATH_MAX] = ".";
    const char *slash = strrchr(path, '/');
    size_t before = slash ? (size_t)(slash - path) + 1 : 0, last = strlen(path + before);
    errno = last == 0 ? ENOENT : ENAMETOOLONG;
    if (last == 0 || last > NAME_MAX || before >= sizeof folder) return -1;
    memcpy(name, path + before, last + 1);
    if (before > 0) {
        memcpy(folder, path, before);
        folder[before] = '\0';
    }
    return open_folder(from, folder);
}

/* The folder and the name at the end of all links. */
static int find_folder(const char *path, char name[NAME_MAX + 1])
{
    int folder = split(AT_FDCWD, path, name);
    for (int links = 0; folder >= 0; links++) {
        char link[PATH_MAX];
        ssize_t size = readlinkat(folder, name, link, sizeof link - 1);
        if (size < 0) break; /* no link, or nothing yet */
        link[size] = '\0';
        errno = ELOOP;
        int next = links < MOST_LINKS ? split(folder, link, name) : -1;
        close_quietly(folder);
        folder = next;
    }
    return folder;
}

/* ---- the file beside it ---- */

/* Nobody can guess the name and create a file of that name before. If the system has no random
 * bytes, O_EXCL still makes sure that such a file is not written to. */
static uint64_t random_seed(const dd_newfile *new)
{
    uint64_t seed;
    int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    bool got = file >= 0 && read(file, &seed, sizeof seed) == (ssize_t)sizeof seed;
    close_quietly(file);
    if (got) return seed;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_nsec << 32 ^ (uint64_t)getpid() ^ (uint64_t)(uintptr_t) new;
}

/* How many bytes of the name are kept, so that the addition has room and no UTF-8 character is cut.
 */
static int kept_of(const char *name, size_t added)
{
    size_t size = strlen(name), most = NAME_MAX - added;
    if (size <= most) return (int)size;
    while (most > 0 && ((unsigned char)name[most] & 0xC0) == 0x80) most--;
    return (int)most;
}

static void choose_name(dd_newfile *new, dd_random *random)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    char added[] = ".............part";
    for (int i = 1; i <= 11; i++) added[i] = letters[dd_random_below(random, 32)];
    snprintf(new->beside, sizeof new->beside, "%.*s%s", kept_of(new->name, sizeof added - 1),
             new->name, added);
}

/* Locks the file, without waiting, until it is closed or the process ends, however it ends. The
 * lock belongs to what open() returned, so it also holds against other threads of the process. */
static bool lock(int file)
{
#if defined(LOCK_EX)
    return flock(file, LOCK_EX | LOCK_NB) == 0;
#else
    (void)file;
    errno = ENOLCK;
    return false;
#endif
}

/* A sweep may remove the file between its creation and its lock. Where the file system has no
 * locks, no sweep removes anything. */
static bool hold_beside(const dd_newfile *new)
{
    if (!lock(new->file)) return errno != EWOULDBLOCK;
    return faccessat(new->folder, new->beside, F_OK, 0) == 0;
}

static bool make_beside(dd_newfile *new, mode_t mode)
{
    dd_random random = {random_seed(new)};
    int how = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    for (int try = 0; try < MOST_TRIES; try++) {
        choose_name(new, &random);
        new->file = openat(new->folder, new->beside, how, mode);
        if (new->file < 0 && errno != EEXIST) return false;
        if (new->file >= 0 && hold_beside(new)) return true;
        if (new->file >= 0) unlinkat(new->folder, new->beside, 0);
        if (new->file >= 0) close(new->file);
    }
    errno = EEXIST;
    return false;
}

bool dd_newfile_sweep(int folder, const char *name)
{
    size_t size = strlen(name);
    if (size < 5 || strcmp(name + size - 5, ".part") != 0) return false;
    /* Opened for writing, as locks over NFS need it, and without waiting for the reader of a pipe.
     */
    int file = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return false;
    bool removed = lock(file) && unlinkat(folder, name, 0) == 0;
    close(file);
    return removed;
}

/* Gives the new file the owner and mode of the old one, as far as this user may: only root can
 * change the owner. Until here no other user could open the file. */
static void hand_on_mode(int file, const struct stat *old)
{
    bool kept =
        fchown(file, old->st_uid, old->st_gid) == 0 || fchown(file, (uid_t)-1, old->st_gid) == 0;
    mode_t mode = old->st_mode & 0777;
    /* The rights of the old group are not given to another group. */
    if (!kept) mode &= (mode_t)~S_IRWXG;
    (void)fchmod(file, mode);
}

/* ---- opening ---- */

static bool is_open_as(int file, const struct stat *facts)
{
    struct stat other;
    return fstat(file, &other) == 0 && other.st_dev == facts->st_dev &&
           other.st_ino == facts->st_ino;
}

/* /dev/stdout may be a file that the shell holds open. It must not be replaced: what other programs
 * write to it would go to a file without a name. */
static bool must_be_direct(const struct stat *facts)
{
    return !S_ISREG(facts->st_mode) || is_open_as(STDOUT_FILENO, facts) ||
           is_open_as(STDERR_FILENO, facts);
}

static bool open_directly(dd_newfile *new, const char *path)
{
    new->folder = -1;
    new->file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
    return new->file >= 0;
}

/* A write-protected file must not be replaced by renaming. */
static bool may_replace(const dd_newfile *new)
{
    return faccessat(new->folder, new->name, W_OK, AT_EACCESS) == 0 || errno == ENOENT;
}

bool dd_newfile_open(dd_newfile *new, const char *path)
{
    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (!exists && errno != ENOENT) return false;
    if (exists && must_be_direct(&old)) return open_directly(new, path);
    new->folder = find_folder(path, new->name);
    if (new->folder < 0) return false;
    if (!may_replace(new) || !make_beside(new, exists ? 0600 : 0666)) {
        close_quietly(new->folder);
        return false;
    }
    if (exists) hand_on_mode(new->file, &old);
    return true;
}

/* ---- the end ---- */

/* Waits until a non-blocking pipe or socket can be written to. */
static void wait_for_room(int file)
{
    struct pollfd one = {.fd = file, .events = POLLOUT};
    poll(&one, 1, -1);
}

bool dd_write_all(int file, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t done = write(file, data, size);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0 && errno == EAGAIN) {
            wait_for_room(file);
            continue;
        }
        if (done < 0) return false;
        data += done;
        size -= (size_t)done;
    }
    return true;
}

void dd_newfile_drop(dd_newfile *new)
{
    int cause = errno;
    if (new->file >= 0) close(new->file);
    if (new->folder >= 0) unlinkat(new->folder, new->beside, 0);
    errno = cause;
    close_quietly(new->folder);
}

/* Syncs before renaming: otherwise a power failure could leave an empty file in place of a good
 * one. Devices, pipes and some file systems cannot be synced. */
static bool sync_and_close(dd_newfile *new)
{
    bool synced = fsync(new->file) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
    int file = new->file;
    new->file = -1;
    if (!synced) close_quietly(file);
    return synced && close(file) == 0;
}

/* Some file systems report only when a file is closed that it could not be written, so it is closed
 * before it is renamed; a second descriptor keeps its lock until then. */
static bool close_and_rename(dd_newfile *new)
{
    int held = fcntl(new->file, F_DUPFD_CLOEXEC, 0);
    bool ok =
        sync_and_close(new) && renameat(new->folder, new->beside, new->folder, new->name) == 0;
    close_quietly(held);
    return ok;
}

bool dd_newfile_finish(dd_newfile *new)
{
    if (new->folder < 0) return sync_and_close(new);
    if (!close_and_rename(new)) {
        dd_newfile_drop(new);
        return false;
    }
    fsync(new->folder); /* The file is complete and in place even if this fails. */
    close_quietly(new->folder);
    return true;
}
