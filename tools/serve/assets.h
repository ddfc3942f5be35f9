/* assets.h - the files of the page, which are part of the program */
#ifndef SERVE_ASSETS_H
#define SERVE_ASSETS_H

#include <stddef.h>

typedef struct asset {
    const char *path, *type;
    const char *policy; /* Content-Security-Policy */
    const char *tag;    /* of its bytes, with the quotes of ETag */
    const unsigned char *data;
    size_t size;
} asset;

/* NULL: there is no such file. */
const asset *asset_find(const char *path);

#endif
