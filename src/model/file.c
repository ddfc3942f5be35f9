/* file.c - a model on disk: mapped when loaded, written beside its target and renamed when saved */
#include "core/buffer.h"
#include "core/status.h"
#include "model/model.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static dd_status io_failure(dd_error *error, const char *path, const char *what)
{
    return dd_fail(error, DD_ERROR_IO, "%.300s: cannot %s: %s", path, what, strerror(errno));
}

static dd_status map_file(int file, const char *path, char **image, size_t *size, dd_error *error)
{
    struct stat facts;
    if (fstat(file, &facts) != 0) return io_failure(error, path, "read");
    if (!S_ISREG(facts.st_mode))
        return dd_fail(error, DD_ERROR_IO, "%.300s: cannot read: not a regular file", path);
    if (facts.st_size == 0)
        return dd_fail(error, DD_ERROR_MODEL, "%.300s: not a Dodona model: the file is empty",
                       path);
    void *mapped = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped == MAP_FAILED) return io_failure(error, path, "map");
    *image = mapped;
    *size = (size_t)facts.st_size;
    return DD_OK;
}

dd_status dd_model_load(dd_model **out, const char *path, dd_error *error)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return io_failure(error, path, "open");
    char *image = NULL;
    size_t size = 0;
    dd_status status = map_file(file, path, &image, &size, error);
    close(file);
    return status == DD_OK ? dd_model_from_image(out, path, image, size, true, error) : status;
}

static bool write_all(int file, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t done = write(file, data, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        data += done;
        size -= (size_t)done;
    }
    return true;
}

/* On the disk before it returns: a file renamed earlier than that could replace a good model by an
 * empty one when the power fails. Devices, pipes and some file systems know no such thing. */
static bool write_file(const dd_model *model, const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return false;
    bool ok = write_all(file, model->image, model->size) && (fsync(file) == 0 || errno == EINVAL);
    int cause = errno;
    if (close(file) != 0 && ok) return false;
    errno = cause;
    return ok;
}

/* A device or pipe takes the bytes directly; renaming would replace it. */
static bool is_special(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && !S_ISREG(facts.st_mode);
}

dd_status dd_model_save(const dd_model *model, const char *path, dd_error *error)
{
    if (is_special(path)) return write_file(model, path) ? DD_OK : io_failure(error, path, "write");
    dd_buffer beside = {0};
    if (!dd_buffer_printf(&beside, "%s.%ld.part", path, (long)getpid()))
        return dd_fail_memory(error);
    dd_status status = DD_OK;
    if (!write_file(model, beside.data) || rename(beside.data, path) != 0) {
        status = io_failure(error, path, "write");
        unlink(beside.data);
    }
    dd_buffer_free(&beside);
    return status;
}
