/* Whether constraints can hold together, and which of them cannot. */
#include "constraints/constraints.h"

dd_status dd_constraints_set(dd_constraints *constraints, const dd_sentence *sentence,
                             const dd_inventory *inventory, bool single_root, dd_error *error)
{
    dd_status status = dd_constraints_build(constraints, sentence, inventory, single_root, error);
    if (status == DD_OK) status = dd_constraints_check(constraints, sentence, error);
    if (status != DD_OK) return status;
    int satisfiable = dd_constraints_satisfiable(constraints);
    if (satisfiable < 0) return dd_fail_memory(error);
    if (satisfiable) return DD_OK;
    return dd_constraint_fail(sentence, 0, error, "no tree satisfies the constraints");
}
