#include "named_model.h"

#include "cmd.h"
#include "heap.h"
#include "message.h"
#include "self.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char english[] = "english";

/* build/dodona has models/, and bin/dodona ../share/dodona/models, wherever both were moved to. */
static const char *const beside[] = {"models", "../share/dodona/models"};
enum { BESIDE = sizeof beside / sizeof *beside, ROOM = SELF_ROOM + 32 };

/* Those that there are. */
static size_t find_beside(char folders[BESIDE][ROOM])
{
    char self[SELF_ROOM];
    size_t found = 0;
    bool known = self_folder(self);
    for (size_t i = 0; i < BESIDE && known; i++) {
        struct stat facts;
        snprintf(folders[found], ROOM, "%s%s", self, beside[i]);
        if (stat(folders[found], &facts) == 0 && S_ISDIR(facts.st_mode)) found++;
    }
    return found;
}

int named_models(dd_catalogue **out)
{
    char folders[BESIDE][ROOM];
    const char *more[BESIDE] = {folders[0], folders[1]};
    dd_error error;
    if (dd_catalogue_new(out, more, find_beside(folders), &error) != DD_OK)
        return say_error(&error);
    return STATUS_OK;
}

/* If the one that is named in the environment cannot be found, the user has said which. */
static int say_missing(const char *who, const dd_catalogue *models, const char *wanted,
                       const dd_error *error)
{
    bool named = wanted || strcmp(dd_catalogue_default(models), english) != 0;
    if (named || error->status != DD_ERROR_IO) return say_error(error);
    return say_usage(who, "there is no default model; name one with '--model MODEL' or "
                          "$DODONA_MODEL, or its folder with $DODONA_MODELS");
}

int named_model_path(const char *who, const char *wanted, char **path)
{
    dd_catalogue *models;
    dd_error error;
    const char *found = NULL;
    int status = named_models(&models);
    if (status != STATUS_OK) return status;
    if (dd_catalogue_path(models, wanted, &found, &error) == DD_OK)
        *path = heap_copy(found, strlen(found));
    else
        status = say_missing(who, models, wanted, &error);
    dd_catalogue_free(models);
    return status;
}
