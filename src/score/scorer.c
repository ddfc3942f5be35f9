#include "core/strings.h"
#include "score/learner.h"

#include <string.h>

const dd_scorer *dd_scorer_find(dd_text name)
{
    for (const dd_learner *const *at = dd_learners; *at; at++)
        if (dd_text_is(name, (*at)->scorer->name)) return (*at)->scorer;
    return NULL;
}

const dd_learner *dd_learner_find(const char *name)
{
    for (size_t i = 0; name && dd_learners[i]; i++)
        if (strcmp(dd_learners[i]->name, name) == 0) return dd_learners[i];
    return dd_learners[0];
}
