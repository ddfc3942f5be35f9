/* Contradictions between constraints that have a name. */
#include "constraints/constraints.h"

dd_status dd_constraints_check(dd_constraints *constraints, const dd_sentence *sentence,
                               dd_error *error)
{
    (void)constraints;
    (void)sentence;
    (void)error;
    return DD_OK;
}
