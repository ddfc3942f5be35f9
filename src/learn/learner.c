#include "learn/learner.h"

#include <string.h>

const dd_learner *dd_learner_find(const char *name)
{
    for (size_t i = 0; name && dd_learners[i]; i++)
        if (strcmp(dd_learners[i]->name, name) == 0) return dd_learners[i];
    return dd_learners[0];
}
