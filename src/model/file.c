/* file.c - a model on disk or in memory: copied, mapped or read in place when loaded, written
 * beside its target and renamed when saved */
#include "core/newfile.h"
#include "core/status.h"
#include "model/image.h"
#include "model/model.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static dd_status io_failure(dd_error *error, const char *path, const char *what)
{
    return dd_fail(error, DD_ERROR_IO, "%.300s: cannot %s: %s", path, what, strerror(errno));
}

/* A mapped file that is then cut short in place ends the process with SIGBUS, and one that is
 * written over changes the model after its checksum was found right. Models that are replaced by
 * renaming are safe from both. Small ones are copied, and so always safe, which costs less than a
 * millisecond; large ones are mapped, so that processes share their memory. */
enum { COPIED_UP_TO = 1 << 22 /* bytes */ };

/* Room for an image; NULL: allocation failed. */
static char *allocate_image(size_t size)
{
    size_t whole = (size + DD_IMAGE_ALIGNMENT - 1) / DD_IMAGE_ALIGNMENT * DD_IMAGE_ALIGNMENT;
    if (whole < size) return NULL;
    return aligned_alloc(DD_IMAGE_ALIGNMENT, whole > 0 ? whole : DD_IMAGE_ALIGNMENT);
}

/* Less than the whole file where it became shorter meanwhile; the check of the frame tells. */
static dd_status copy_file(int file, const char *path, char **image, size_t *size, dd_error *error)
{
    size_t used = 0;
    char *copy = allocate_image(*size);
    if (!copy) return dd_fail_memory(error);
    while (used < *size) {
        ssize_t got = read(file, copy + used, *size - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            io_failure(error, path, "read");
            free(copy);
            return DD_ERROR_IO;
        }
        if (got == 0) break;
        used += (size_t)got;
    }
    *image = copy;
    *size = used;
    return DD_OK;
}

static dd_status map_file(int file, const char *path, char **image, size_t size, dd_error *error)
{
    void *mapped = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped == MAP_FAILED) return io_failure(error, path, "map");
    *image = mapped;
    return DD_OK;
}

static dd_status find_size(int file, const char *path, size_t *size, dd_error *error)
{
    struct stat facts;
    if (fstat(file, &facts) != 0) return io_failure(error, path, "read");
    if (!S_ISREG(facts.st_mode))
        return dd_fail(error, DD_ERROR_IO, "%.300s: cannot read: not a regular file", path);
    if (facts.st_size == 0)
        return dd_fail(error, DD_ERROR_MODEL, "%.300s: not a Dodona model: the file is empty",
                       path);
    *size = (size_t)facts.st_size;
    return DD_OK;
}

static dd_status open_file(const char *path, int *file, size_t *size, dd_error *error)
{
    *file = open(path, O_RDONLY | O_CLOEXEC);
    if (*file < 0) return io_failure(error, path, "open");
    dd_status status = find_size(*file, path, size, error);
    if (status != DD_OK) close(*file);
    return status;
}

dd_status dd_model_load(dd_model **out, const char *path, dd_error *error)
{
    int file;
    char *image = NULL;
    size_t size = 0;
    dd_status status = open_file(path, &file, &size, error);
    if (status != DD_OK) return status;
    dd_image_kind kind = size > COPIED_UP_TO ? DD_IMAGE_MAPPED : DD_IMAGE_ALLOCATED;
    status = kind == DD_IMAGE_MAPPED ? map_file(file, path, &image, size, error)
                                     : copy_file(file, path, &image, &size, error);
    close(file);
    return status == DD_OK ? dd_model_from_image(out, path, image, size, kind, error) : status;
}

_Static_assert((int)DD_MODEL_ALIGNMENT == (int)DD_IMAGE_ALIGNMENT,
               "the header says what the file needs");

dd_status dd_model_load_memory(dd_model **out, const char *name, dd_text bytes, bool copy,
                               dd_error *error)
{
    name = name ? name : "<memory>";
    if (copy) {
        char *image = allocate_image(bytes.size);
        if (!image) return dd_fail_memory(error);
        if (bytes.size > 0) memcpy(image, bytes.data, bytes.size);
        return dd_model_from_image(out, name, image, bytes.size, DD_IMAGE_ALLOCATED, error);
    }
    if ((uintptr_t)bytes.data % DD_IMAGE_ALIGNMENT != 0)
        return dd_fail(error, DD_ERROR_ARGUMENT,
                       "%.200s: the address of a model that is not copied must be a multiple of %d",
                       name, DD_IMAGE_ALIGNMENT);
    return dd_model_from_image(out, name, bytes.data, bytes.size, DD_IMAGE_LENT, error);
}

dd_text dd_model_bytes(const dd_model *model)
{
    return (dd_text){model->image, model->size};
}

static dd_status copy_facts(dd_buffer *out, const char *path, const char *image, size_t size,
                            dd_error *error)
{
    dd_sections sections;
    dd_text facts;
    dd_status status = dd_image_check_frame(path, image, size, error);
    if (status != DD_OK) return status;
    dd_image_list(image, &sections);
    if (!dd_sections_find(&sections, "facts", &facts))
        return dd_fail(error, DD_ERROR_MODEL, "%.200s: damaged model: a section is missing", path);
    return dd_buffer_append(out, facts.data, facts.size) ? DD_OK : dd_fail_memory(error);
}

dd_status dd_model_read_facts(dd_buffer *out, const char *path, dd_error *error)
{
    int file;
    char *image = NULL;
    size_t size = 0;
    dd_status status = open_file(path, &file, &size, error);
    if (status != DD_OK) return status;
    status = map_file(file, path, &image, size, error);
    close(file);
    if (status != DD_OK) return status;
    status = copy_facts(out, path, image, size, error);
    munmap(image, size);
    return status;
}

dd_status dd_model_save(const dd_model *model, const char *path, dd_error *error)
{
    dd_newfile target;
    if (!dd_newfile_open(&target, path)) return io_failure(error, path, "write");
    bool written = dd_write_all(target.file, model->image, model->size);
    if (!written) dd_newfile_drop(&target);
    return written && dd_newfile_finish(&target) ? DD_OK : io_failure(error, path, "write");
}

uint64_t dd_model_checksum(const dd_model *model)
{
    dd_image_header header;
    memcpy(&header, model->image, sizeof header);
    return header.checksum;
}
