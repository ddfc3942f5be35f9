/* trace_tidy.c - what the tree of a traced parse must keep to, as in parse/search.c */
#include "core/status.h"
#include "view/trace.h"

static dd_status wish(dd_trace *trace, const dd_sentence *sentence, dd_error *error)
{
    int wishes = dd_tidier_wish(&trace->tidier, sentence);
    if (wishes < 0) return dd_fail_memory(error);
    if (wishes == 0) return DD_OK;
    trace->decoder.constraints = &trace->constraints;
    return dd_constraints_set_wishing(&trace->constraints, sentence, trace->inventory,
                                      trace->single_root, trace->tidier.wished,
                                      trace->tidier.granted, error);
}

dd_status dd_trace_constrain(dd_trace *trace, const dd_sentence *sentence, dd_error *error)
{
    dd_status status = trace->tidies ? wish(trace, sentence, error) : DD_OK;
    if (status != DD_OK || trace->decoder.constraints || sentence->n_constraints == 0)
        return status;
    trace->decoder.constraints = &trace->constraints;
    return dd_constraints_set(&trace->constraints, sentence, trace->inventory, trace->single_root,
                              error);
}
