/* file.c - a model on disk: mapped when loaded, written beside its target and renamed when saved */
#include "core/newfile.h"
#include "core/status.h"
#include "model/model.h"

#include <errno.h>
#include <fcntl.h>
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

dd_status dd_model_save(const dd_model *model, const char *path, dd_error *error)
{
    dd_newfile target;
    if (!dd_newfile_open(&target, path)) return io_failure(error, path, "write");
    bool written = dd_write_all(target.file, model->image, model->size);
    if (!written) dd_newfile_drop(&target);
    return written && dd_newfile_finish(&target) ? DD_OK : io_failure(error, path, "write");
}
