#include "named_model.h"

#include "cmd.h"
#include "heap.h"
#include "message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char english[] = "english";

/* build/dodona has models/, and bin/dodona ../share/dodona/models, wherever both were moved to. */
static const char *const beside[] = {"models", "../share/dodona/models"};
enum { BESIDE = sizeof beside / sizeof *beside, ROOM = 4096 + 32 };

/* Those that there are. */
static size_t find_beside(char folders[BESIDE][ROOM])
{
    char self[4096];
    size_t found = 0;
    ssize_t size = readlink("/proc/self/exe", self, sizeof self);
    while (size > 0 && self[size - 1] != '/') size--;
    for (size_t i = 0; i < BESIDE && size > 0; i++) {
        struct stat facts;
        snprintf(folders[found], ROOM, "%.*s%s", (int)size, self, beside[i]);
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

/* Not a path, though a file may have the name. */
static dd_status find_default(const dd_catalogue *models, const char **path, dd_error *error)
{
    const dd_catalogue_model *found;
    dd_status status = dd_catalogue_find(models, english, &found, error);
    if (status == DD_OK) *path = found->path;
    return status;
}

static int say_missing(const char *who, const dd_error *error)
{
    if (error->status != DD_ERROR_IO) return say_error(error);
    return say_usage(who, "there is no default model; name one with '--model MODEL'");
}

int named_model_path(const char *who, const char *wanted, char **path)
{
    dd_catalogue *models;
    dd_error error;
    const char *found = NULL, *usual = getenv("DODONA_MODEL");
    if (!wanted && usual && *usual) wanted = usual;
    int status = named_models(&models);
    if (status != STATUS_OK) return status;
    if (wanted && dd_catalogue_path(models, wanted, &found, &error) != DD_OK)
        status = say_error(&error);
    else if (!wanted && find_default(models, &found, &error) != DD_OK)
        status = say_missing(who, &error);
    if (status == STATUS_OK) *path = heap_copy(found, strlen(found));
    dd_catalogue_free(models);
    return status;
}
