#include "model/image.h"

#include "core/status.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#ifdef DODONA_XXHASH_DISPATCHES
#define XXH_DISPATCH_DISABLE_REPLACE
#include <xxh_x86dispatch.h>
/* Weak, as the static library may lack what the shared one has: Debian's does. */
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
