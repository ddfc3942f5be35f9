/* catalogue.h - models by name: the folders in which they are looked for, and the files there
 *
 *     $DODONA_MODELS, the user's folder, the caller's, the installed one -> NAME.dodona
 */
#ifndef DODONA_MODEL_CATALOGUE_H
#define DODONA_MODEL_CATALOGUE_H

#include <dodona.h>

struct dd_catalogue {
    char **folders; /* [n_folders] each once, whether it exists or not */
    size_t n_folders, folders_capacity;
    char *usual;                /* the model that $DODONA_MODEL names; NULL: none */
    size_t users;               /* index of the user's own folder; SIZE_MAX: there is none */
    dd_catalogue_model *models; /* [n_models] by folder, then by name; their texts are owned */
    size_t n_models, models_capacity;
};

/* Fills in the folders; false: out of memory. */
bool dd_catalogue_add_folders(dd_catalogue *catalogue, const char *const *more, size_t n_more);

#endif
