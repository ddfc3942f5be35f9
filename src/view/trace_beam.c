/* trace_beam.c - the best derivation that a beam finds, for the trace to follow */
#include "core/memory.h"
#include "view/trace.h"

static bool score_items(void *user, dd_decoder *const *decoders, int count)
{
    const dd_trace *trace = user;
    return dd_model_score(trace->options.model, trace->scorer_space, decoders, count);
}

/* From the last step back to the one that stands for the initial configuration. */
static bool keep_path(dd_trace *trace)
{
    const dd_beam_step *steps = trace->beam.steps;
    int32_t last = dd_beam_at(&trace->beam, 0)->last;
    size_t length = 0;
    for (int32_t at = last; steps[at].before != DD_NONE; at = steps[at].before) length++;
    if (!DD_RESERVE(&trace->path, &trace->path_capacity, length)) return false;
    for (int32_t at = last; steps[at].before != DD_NONE; at = steps[at].before)
        trace->path[--length] = (dd_trace_planned){steps[at].move, steps[at].class_id};
    return true;
}

bool dd_trace_search(dd_trace *trace)
{
    dd_beam_search search = {
        .inventory = trace->inventory,
        .n = trace->decoder.config.n,
        .single_root = trace->single_root,
        .constraints = trace->decoder.constraints,
        .width = trace->options.beam,
        .remember = true,
        .ticker = &trace->ticker,
        .user = trace,
        .score = score_items,
    };
    return dd_beam_run(&trace->beam, &search) && keep_path(trace);
}

void dd_trace_take_planned(const dd_trace *trace, dd_choice *choice)
{
    const dd_decoder *decoder = &trace->decoder;
    dd_trace_planned planned = trace->path[trace->step.step];
    int m = 0;
    while (decoder->view.moves[m].kind != planned.move.kind ||
           decoder->view.moves[m].k != planned.move.k)
        m++;
    if (m == choice->move && planned.class_id == choice->class_id) return;
    int32_t score = dd_decoder_score(decoder, m, planned.class_id);
    *choice = (dd_choice){.move = m,
                          .class_id = planned.class_id,
                          .score = score,
                          .margin = (int64_t)score - choice->score};
}
