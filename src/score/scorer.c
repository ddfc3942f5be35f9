#include "score/scorer.h"

#include "core/strings.h"

const dd_scorer *dd_scorer_find(dd_text name)
{
    for (const dd_scorer *const *at = dd_scorers; *at; at++)
        if (dd_text_is(name, (*at)->name)) return *at;
    return NULL;
}
