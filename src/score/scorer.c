#include "core/strings.h"
#include "score/learner.h"

#include <dodona_tools.h>
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

bool dd_scorer_at(size_t index, dd_scorer_info *out)
{
    size_t count = 0;
    while (dd_learners[count]) count++;
    if (index >= count) return false;
    const dd_learner *learner = dd_learners[index];
    *out = (dd_scorer_info){.name = learner->name,
                            .fact = learner->scorer->name,
                            .all_trees = learner->nonprojective_system,
                            .iterations = learner->iterations,
                            .fine_tunes = learner->fine_tunes};
    return true;
}
