/* image.h - the frame of a model file: header, table of sections, checksum */
#ifndef DODONA_MODEL_IMAGE_H
#define DODONA_MODEL_IMAGE_H

#include "core/sections.h"

enum { DD_IMAGE_VERSION = 3, DD_IMAGE_ALIGNMENT = 64 };

typedef struct dd_image_header {
    char magic[8];
    uint32_t version;
    uint32_t sections;
    uint64_t size;     /* of the whole file */
    uint64_t checksum; /* XXH3 of everything behind the header */
} dd_image_header;

typedef struct dd_image_section {
    char name[DD_SECTION_NAME]; /* NUL-padded */
    uint64_t offset, size;      /* bytes, from the start of the file */
} dd_image_section;

/* Makes the image of the sections, to be freed. */
dd_status dd_image_make(char **image, size_t *size, const dd_sections *sections, dd_error *error);
/* Checks the frame, but not the checksum, for which all bytes have to be read; `name` stands in
 * messages. */
dd_status dd_image_check_frame(const char *name, const char *image, size_t size, dd_error *error);
/* Checks frame and checksum. */
dd_status dd_image_check(const char *name, const char *image, size_t size, dd_error *error);
/* The sections of a checked image. */
void dd_image_list(const char *image, dd_sections *sections);

#endif
