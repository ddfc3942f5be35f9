/* trace_goal.c - what a trace aims at: the gold tree, the constraints, and the derivation that a
 * beam found */
#include "core/memory.h"
#include "core/status.h"
#include "trace/trace.h"

#include <string.h>

/* ---- the gold tree -------------------------------------------------------------------------- */

/* With a model the tree is the one that the model was trained to build, lifted if it is
 * pseudo-projective. */

static int find_label(const dd_trace *trace, dd_text label)
{
    int id = dd_vocab_find(&trace->inventory->labels, label);
    return id >= 0 ? id : dd_is_missing(label) ? DD_NONE : NO_SUCH_LABEL;
}

/* Without a model every label of the sentence can be used where it stands. */
static dd_status list_labels(dd_trace *trace, const dd_sentence *sentence, dd_error *error)
{
    bool has_root = dd_tree_roots(sentence->gold, sentence->n) > 0;
    int rest = DD_SEEN_LEFT | DD_SEEN_RIGHT | (has_root ? 0 : DD_SEEN_ROOT);
    dd_inventory_free(&trace->own);
    if (dd_tree_unknown(sentence->gold, sentence->n) > 0 &&
        dd_inventory_see(&trace->own, (dd_text){"_", 1}, rest) < 0)
        return dd_fail_memory(error);
    for (int word = 1; word <= sentence->n; word++) {
        if (sentence->gold[word] == DD_HEAD_UNKNOWN) continue;
        int seen = dd_inventory_place(trace->system, sentence->gold[word], word);
        if (dd_inventory_see(&trace->own, dd_cell(sentence, word, DD_DEPREL), seen) < 0)
            return dd_fail_memory(error);
    }
    return dd_inventory_close(&trace->own, trace->system, error);
}

static bool set_gold(dd_trace *trace, const dd_sentence *sentence)
{
    int n = sentence->n;
    memcpy(trace->heads, sentence->gold, ((size_t)n + 1) * sizeof *trace->heads);
    trace->labels[0] = DD_NONE;
    for (int word = 1; word <= n; word++)
        trace->labels[word] = find_label(trace, dd_cell(sentence, word, DD_DEPREL));
    return dd_gold_set(&trace->gold, trace->heads, trace->labels, n);
}

/* What a pseudo-projective model was trained to build in place of the gold tree. */
static bool lift_gold(dd_trace *trace, const dd_sentence *sentence)
{
    int n = sentence->n;
    memset(trace->marks, 0, (size_t)n + 1);
    if (!dd_lift(&trace->tree_space, trace->heads, n, trace->marks)) return false;
    for (int word = 1; word <= n; word++) {
        if (!trace->marks[word]) continue;
        int head = sentence->gold[word];
        dd_text head_label = head ? dd_cell(sentence, head, DD_DEPREL) : (dd_text){"", 0};
        if (!dd_lift_label(&trace->label, trace->options.model->unlift.scheme,
                           dd_cell(sentence, word, DD_DEPREL), trace->marks[word], head_label))
            return false;
        trace->labels[word] = find_label(trace, (dd_text){trace->label.data, trace->label.size});
    }
    return dd_gold_set(&trace->gold, trace->heads, trace->labels, n);
}

static bool lifts(const dd_trace *trace)
{
    const dd_model *model = trace->options.model;
    return model && model->unlift.scheme != DD_PSEUDO_PROJECTIVE_NONE && !trace->gold.projective &&
           trace->gold.unknown == 0;
}

dd_status dd_trace_take_gold(dd_trace *trace, const dd_sentence *sentence, dd_error *error)
{
    dd_tree_fault fault;
    int word;
    if (!dd_tree_check_partial(&trace->tree_space, sentence->gold, sentence->n, &fault, &word))
        return dd_fail_memory(error);
    trace->no_tree = trace->refused = fault == DD_TREE_OK ? NULL : dd_tree_fault_text(fault);
    if (trace->no_tree) return DD_OK;
    dd_status status = trace->options.model ? DD_OK : list_labels(trace, sentence, error);
    if (status != DD_OK) return status;
    if (!set_gold(trace, sentence)) return dd_fail_memory(error);
    trace->refused = trace->system->oracle.refuses(&trace->gold, trace->single_root);
    if (!trace->refused || !lifts(trace)) return DD_OK;
    if (!lift_gold(trace, sentence)) return dd_fail_memory(error);
    trace->refused = trace->system->oracle.refuses(&trace->gold, trace->single_root);
    return DD_OK;
}

/* ---- constraints ---------------------------------------------------------------------------- */

/* The same as parse/search.c asks of a parse. */

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

dd_status dd_trace_constrain(dd_trace *trace, const dd_sentence *sentence, bool tidily,
                             dd_error *error)
{
    trace->decoder.constraints = NULL;
    dd_status status = tidily ? wish(trace, sentence, error) : DD_OK;
    if (status == DD_ERROR_DATA) {
        trace->decoder.constraints = NULL;
        status = DD_OK;
    }
    if (status != DD_OK || trace->decoder.constraints || dd_constraint_count(sentence) == 0)
        return status;
    trace->decoder.constraints = &trace->constraints;
    return dd_constraints_set(&trace->constraints, sentence, trace->inventory, trace->single_root,
                              error);
}

/* ---- the derivation that a beam finds ------------------------------------------------------- */

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
