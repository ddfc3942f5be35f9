/* The gold tree of a trace: with a model as the model was trained to build it. */
#include "core/memory.h"
#include "core/status.h"
#include "view/trace.h"

#include <string.h>

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
