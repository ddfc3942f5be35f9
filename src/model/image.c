/* image.c - the frame of a model file; a model on disk or in memory: copied, mapped or read in
 * place when loaded, written beside its target and renamed when saved */
#include "model/image.h"

#include "core/newfile.h"
#include "core/status.h"
#include "model/model.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef DODONA_XXHASH_DISPATCHES
#define XXH_DISPATCH_DISABLE_REPLACE
#include <xxh_x86dispatch.h>
/* Weak, because the static library may lack it, as in Debian. */
__attribute__((weak)) XXH64_hash_t XXH3_64bits_dispatch(const void *bytes, size_t size);
#else
#include <xxhash.h>
#endif

/* Like PNG's: a byte that is not text and line ends that a text transfer would change. */
static const char magic[8] = {'\x89', 'D', 'O', 'D', '\r', '\n', '\x1A', '\n'};

_Static_assert(sizeof(dd_image_header) == 32 && sizeof(dd_image_section) == 32,
               "the layout of the file has no padding");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "model files are read in place");

static size_t aligned(size_t offset)
{
    return (offset + DD_IMAGE_ALIGNMENT - 1) / DD_IMAGE_ALIGNMENT * DD_IMAGE_ALIGNMENT;
}

static size_t first_section(int count)
{
    return aligned(sizeof(dd_image_header) + (size_t)count * sizeof(dd_image_section));
}

static uint64_t checksum(const char *image, size_t size)
{
    const char *bytes = image + sizeof(dd_image_header);
    size -= sizeof(dd_image_header);
#ifdef DODONA_XXHASH_DISPATCHES
    if (XXH3_64bits_dispatch) return XXH3_64bits_dispatch(bytes, size);
#endif
    return XXH3_64bits(bytes, size);
}

dd_status dd_image_make(char **image, size_t *size, const dd_sections *sections, dd_error *error)
{
    int count = sections->count;
    size_t total = first_section(count);
    for (int i = 0; i < count; i++) total = aligned(total + sections->contents[i].size);
    char *made = aligned_alloc(DD_IMAGE_ALIGNMENT, total);
    if (!made) return dd_fail_memory(error);
    memset(made, 0, total);
    size_t at = first_section(count);
    for (int i = 0; i < count; i++) {
        dd_text content = sections->contents[i];
        dd_image_section section = {.offset = at, .size = content.size};
        strncpy(section.name, sections->names[i], sizeof section.name - 1);
        memcpy(made + sizeof(dd_image_header) + (size_t)i * sizeof section, &section,
               sizeof section);
        if (content.size) memcpy(made + at, content.data, content.size);
        at = aligned(at + content.size);
    }
    dd_image_header header = {.version = DD_IMAGE_VERSION,
                              .sections = (uint32_t)count,
                              .size = total,
                              .checksum = checksum(made, total)};
    memcpy(header.magic, magic, sizeof magic);
    memcpy(made, &header, sizeof header);
    *image = made;
    *size = total;
    return DD_OK;
}

static bool sections_fit(const char *image, const dd_image_header *header)
{
    if (header->sections > DD_MAX_SECTIONS) return false;
    if (first_section((int)header->sections) > header->size) return false;
    for (uint32_t i = 0; i < header->sections; i++) {
        dd_image_section section;
        memcpy(&section, image + sizeof *header + i * sizeof section, sizeof section);
        if (section.offset % DD_IMAGE_ALIGNMENT != 0 || section.offset > header->size ||
            section.size > header->size - section.offset)
            return false;
    }
    return true;
}

static dd_status check_header(const char *name, const char *image, size_t size, dd_error *error)
{
    dd_image_header header;
    if (size < sizeof magic || memcmp(image, magic, sizeof magic) != 0)
        return dd_fail(error, DD_ERROR_MODEL, "%.200s: not a Dodona model", name);
    if (size < sizeof header)
        return dd_fail(error, DD_ERROR_MODEL, "%.200s: truncated model: only %zu bytes", name,
                       size);
    memcpy(&header, image, sizeof header);
    if (header.version != DD_IMAGE_VERSION)
        return dd_fail(error, DD_ERROR_MODEL,
                       "%.200s: model format %u; this version of Dodona reads format %d", name,
                       header.version, DD_IMAGE_VERSION);
    if (header.size > size)
        return dd_fail(error, DD_ERROR_MODEL, "%.200s: truncated model: %zu of %llu bytes", name,
                       size, (unsigned long long)header.size);
    if (header.size != size)
        return dd_fail(error, DD_ERROR_MODEL, "%.200s: damaged model: %zu bytes instead of %llu",
                       name, size, (unsigned long long)header.size);
    return DD_OK;
}

static dd_status check_checksum(const char *name, const char *image, size_t size, dd_error *error)
{
    dd_image_header header;
    memcpy(&header, image, sizeof header);
    if (header.checksum == checksum(image, size)) return DD_OK;
    return dd_fail(error, DD_ERROR_MODEL, "%.200s: damaged model: wrong checksum", name);
}

static dd_status check_table(const char *name, const char *image, dd_error *error)
{
    dd_image_header header;
    memcpy(&header, image, sizeof header);
    if (sections_fit(image, &header)) return DD_OK;
    return dd_fail(error, DD_ERROR_MODEL, "%.200s: damaged model: wrong table of sections", name);
}

dd_status dd_image_check_frame(const char *name, const char *image, size_t size, dd_error *error)
{
    dd_status status = check_header(name, image, size, error);
    return status == DD_OK ? check_table(name, image, error) : status;
}

dd_status dd_image_check(const char *name, const char *image, size_t size, dd_error *error)
{
    dd_status status = check_header(name, image, size, error);
    if (status == DD_OK) status = check_checksum(name, image, size, error);
    return status == DD_OK ? check_table(name, image, error) : status;
}

void dd_image_list(const char *image, dd_sections *sections)
{
    dd_image_header header;
    memcpy(&header, image, sizeof header);
    sections->count = 0;
    for (uint32_t i = 0; i < header.sections; i++) {
        const char *at = image + sizeof header + i * sizeof(dd_image_section);
        dd_image_section section;
        memcpy(&section, at, sizeof section);
        dd_text content = {image + section.offset, (size_t)section.size};
        dd_sections_add(sections, at + offsetof(dd_image_section, name), content);
    }
}

/* ---- files -------------------------------------------------------------------------------- */

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

/* The file may have become shorter meanwhile; then the check of the frame fails. */
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

/* Appends the section of a mapped file, if it has one of that name. */
static dd_status copy_section(dd_buffer *out, const char *path, dd_text image, const char *name,
                              bool *there, dd_error *error)
{
    dd_sections sections;
    dd_text section;
    dd_status status = dd_image_check_frame(path, image.data, image.size, error);
    if (status != DD_OK) return status;
    dd_image_list(image.data, &sections);
    *there = dd_sections_find(&sections, name, &section);
    if (!*there || dd_buffer_append(out, section.data, section.size)) return DD_OK;
    return dd_fail_memory(error);
}

dd_status dd_model_read_section(dd_buffer *out, const char *path, const char *name, bool *there,
                                dd_error *error)
{
    int file;
    char *image = NULL;
    size_t size = 0;
    dd_status status = open_file(path, &file, &size, error);
    if (status != DD_OK) return status;
    status = map_file(file, path, &image, size, error);
    close(file);
    if (status != DD_OK) return status;
    status = copy_section(out, path, (dd_text){image, size}, name, there, error);
    munmap(image, size);
    return status;
}

dd_status dd_model_read_facts(dd_buffer *out, const char *path, dd_error *error)
{
    bool there = false;
    dd_status status = dd_model_read_section(out, path, "facts", &there, error);
    if (status != DD_OK || there) return status;
    return dd_fail(error, DD_ERROR_MODEL, "%.200s: damaged model: a section is missing", path);
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
