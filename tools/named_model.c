#include "named_model.h"

#include "cmd.h"
#include "default_model.h"
#include "heap.h"
#include "message.h"

#include <string.h>

int named_model_path(const char *who, const char *wanted, char **path)
{
    *path = wanted ? heap_copy(wanted, strlen(wanted)) : default_model_path();
    if (*path) return STATUS_OK;
    return say_usage(who, "there is no default model; name one, or set DODONA_MODEL");
}
