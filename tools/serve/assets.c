#include "serve/assets.h"

#include <string.h>

/* static const asset assets[] */
#include "assets.inc"

const asset *asset_find(const char *path)
{
    for (size_t i = 0; i < sizeof assets / sizeof *assets; i++)
        if (strcmp(assets[i].path, path) == 0) return &assets[i];
    return NULL;
}
