#include "score/scorer.h"

#include <string.h>

const dd_scorer *dd_scorer_find(dd_text name)
{
    for (const dd_scorer *const *at = dd_scorers; *at; at++)
        if (strlen((*at)->name) == name.size && memcmp((*at)->name, name.data, name.size) == 0)
            return *at;
    return NULL;
}
