/* catalogue_help.h - folders of small models to look for models in, for tests */
#ifndef DODONA_TESTS_CATALOGUE_HELP_H
#define DODONA_TESTS_CATALOGUE_HELP_H

#include "settings_help.h"

#include <stdlib.h>
#include <sys/stat.h>

typedef struct shelves {
    char root[40];                       /* a new folder, */
    char listed[60], users[90], own[60]; /* and three in it: of $DODONA_MODELS, the user's, ours */
    char path[160];                      /* what shelf_path made last */
} shelves;

static inline const char *shelf_path(shelves *s, const char *folder, const char *file)
{
    snprintf(s->path, sizeof s->path, "%s/%s", folder, file);
    return s->path;
}

static inline bool shelf_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    return file && fputs(text, file) >= 0 && fclose(file) == 0;
}

/* A tagger, which is trained quickly, on so many words. */
static inline bool shelf_model(shelves *s, const char *folder, const char *file,
                               const char *language, int words)
{
    char text[4096] = "", settings[64], path[60];
    dd_model *model = NULL;
    for (int i = 0; i < words; i++) strcat(text, "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n");
    snprintf(path, sizeof path, "%s/t.conllu", s->root);
    snprintf(settings, sizeof settings, "only=tagger %s%s", language ? "language=" : "",
             language ? language : "");
    bool made = shelf_text(path, text) &&
                train_with_settings(&model, settings, NULL, path, NULL, NULL) == DD_OK &&
                dd_model_save(model, shelf_path(s, folder, file), NULL) == DD_OK;
    dd_model_free(model);
    return made;
}

/* The folders, empty, and an environment that names them. */
static inline bool shelves_make(shelves *s)
{
    char data[60], below[80];
    strcpy(s->root, "/tmp/dodona-test-XXXXXX");
    if (!mkdtemp(s->root)) return false;
    snprintf(s->listed, sizeof s->listed, "%s/listed", s->root);
    snprintf(s->own, sizeof s->own, "%s/own", s->root);
    snprintf(data, sizeof data, "%s/data", s->root);
    snprintf(below, sizeof below, "%s/dodona", data);
    snprintf(s->users, sizeof s->users, "%s/models", below);
    setenv("DODONA_MODELS", s->listed, 1);
    setenv("XDG_DATA_HOME", data, 1);
    return mkdir(s->listed, 0700) == 0 && mkdir(s->own, 0700) == 0 && mkdir(data, 0700) == 0 &&
           mkdir(below, 0700) == 0 && mkdir(s->users, 0700) == 0;
}

static inline void shelves_remove(const shelves *s)
{
    char command[60];
    snprintf(command, sizeof command, "rm -r %s", s->root);
    if (system(command) != 0) abort();
}

#endif
