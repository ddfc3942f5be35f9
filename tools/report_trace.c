#include "report_trace.h"

#include <math.h>

enum { NODES_SHOWN = 6, LETTERS_SHOWN = 16 };

/* What the parts of a step's text need. */
typedef struct writer {
    output *out;
    const dd_sentence *sentence;
} writer;

/* ---- text --------------------------------------------------------------------------------- */

/* FORM/position, a long FORM cut between characters. */
static void write_node(const writer *t, int node)
{
    if (node == 0) {
        output_string(t->out, "ROOT");
        return;
    }
    dd_text form = dd_sentence_cell(t->sentence, node, DD_FORM);
    size_t size = 0;
    int letters = 0;
    for (; size < form.size; size++) {
        bool starts = ((unsigned char)form.data[size] & 0xC0) != 0x80;
        if (starts && letters++ == LETTERS_SHOWN) break;
    }
    output_bytes(t->out, form.data, size);
    output_format(t->out, "%s/%d", size < form.size ? "..." : "", node);
}

/* The nodes nearest to the parser's focus: the last of a stack, the first of a buffer. */
static void write_nodes(const writer *t, const char *name, const int32_t *nodes, int count,
                        bool from_end)
{
    int hidden = count > NODES_SHOWN ? count - NODES_SHOWN : 0;
    output_format(t->out, "  %-7s", name);
    if (count == 0) output_string(t->out, " -");
    if (hidden && from_end) output_format(t->out, " (%d more)", hidden);
    for (int i = 0; i < count - hidden; i++) {
        output_string(t->out, " ");
        write_node(t, nodes[from_end ? hidden + i : i]);
    }
    if (hidden && !from_end) output_format(t->out, " (%d more)", hidden);
    output_string(t->out, "\n");
}

static void write_arc(const writer *t, const dd_trace_step *step)
{
    const dd_trace_move *move = &step->moves[step->chosen];
    if (move->dependent < 0) return;
    output_string(t->out, ", ");
    write_node(t, move->head);
    output_string(t->out, " -> ");
    write_node(t, move->dependent);
    if (step->replaced < 0) return;
    output_string(t->out, " in place of ");
    write_node(t, step->replaced);
}

static void write_mistake(const writer *t, const dd_trace_step *step)
{
    int cost = step->has_costs ? step->moves[step->chosen].cost : 0;
    if (cost > 0) output_format(t->out, ": cost %d", cost);
    if (step->wrong_label) output_string(t->out, cost > 0 ? ", wrong label" : ": wrong label");
    if (step->first_mistake == step->step) output_string(t->out, ", the first mistake");
}

static void write_choice(const writer *t, const dd_trace_step *step)
{
    output_format(t->out, "step %d: %s", step->step, step->moves[step->chosen].name);
    if (step->label.size) output_string(t->out, " ");
    output_bytes(t->out, step->label.data, step->label.size);
    if (isinf(step->margin))
        output_string(t->out, step->n_moves > 1 ? ", nothing to decide" : ", the only one");
    else if (!isnan(step->margin))
        output_format(t->out, ", margin %.2f", step->margin);
    write_arc(t, step);
    write_mistake(t, step);
    output_string(t->out, "\n");
}

static void write_costs(const writer *t, const dd_trace_step *step)
{
    if (!step->has_costs) return;
    output_format(t->out, "  loss %d, costs:", step->loss);
    for (int m = 0; m < step->n_moves; m++)
        output_format(t->out, "%s %s %d", m > 0 ? "," : "", step->moves[m].name,
                      step->moves[m].cost);
    output_string(t->out, "\n");
}

static void write_end(const writer *t, const dd_trace_step *step)
{
    output_string(t->out, "end");
    if (step->right_heads >= 0)
        output_format(t->out, ": %d of %d heads right, %d of them with the right label",
                      step->right_heads, step->known_heads, step->right_labels);
    if (step->has_costs && step->first_mistake >= 0)
        output_format(t->out, "; first mistake in step %d", step->first_mistake);
    output_string(t->out, "\n\n");
}

static void write_title(const writer *t, const dd_trace_step *step)
{
    dd_text id = dd_sentence_id(t->sentence);
    output_string(t->out, "sentence ");
    output_bytes(t->out, id.data, id.size);
    int n = dd_sentence_size(t->sentence);
    output_format(t->out, ", %d word%s", n, n == 1 ? "" : "s");
    if (step->no_costs) output_format(t->out, "; no costs: %s", step->no_costs);
    output_string(t->out, "\n");
}

void report_trace_text(output *out, const dd_sentence *sentence, const dd_trace_step *step)
{
    const writer own = {out, sentence}, *t = &own;
    if (step->step == 0) write_title(t, step);
    if (step->chosen < 0) {
        write_end(t, step);
        return;
    }
    write_choice(t, step);
    write_nodes(t, step->passed ? "left" : "stack", step->stack, step->stack_size, true);
    if (step->passed) write_nodes(t, "passed", step->passed, step->passed_size, false);
    write_nodes(t, "buffer", step->buffer, step->buffer_size, false);
    write_costs(t, step);
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void write_numbers(output *out, const char *key, const int32_t *numbers, int count)
{
    output_format(out, ",\"%s\":[", key);
    for (int i = 0; i < count; i++) output_format(out, "%s%d", i > 0 ? "," : "", numbers[i]);
    output_string(out, "]");
}

static void write_json_choice(output *out, const dd_trace_step *step)
{
    const dd_trace_move *move = &step->moves[step->chosen];
    output_format(out, ",\"transition\":\"%s\"", move->name);
    if (move->dependent >= 0) {
        output_string(out, ",\"label\":");
        output_json(out, step->label);
        output_format(out, ",\"head\":%d,\"dependent\":%d", move->head, move->dependent);
        if (step->replaced >= 0) output_format(out, ",\"replaced\":%d", step->replaced);
    }
    if (isinf(step->margin))
        output_string(out, ",\"margin\":null");
    else if (!isnan(step->margin))
        output_format(out, ",\"margin\":%.2f", step->margin);
    if (!step->has_costs) return;
    output_format(out, ",\"loss\":%d,\"cost\":{", step->loss);
    for (int m = 0; m < step->n_moves; m++)
        output_format(out, "%s\"%s\":%d", m > 0 ? "," : "", step->moves[m].name,
                      step->moves[m].cost);
    output_format(out, "},\"wrong_label\":%s", step->wrong_label ? "true" : "false");
}

static void write_json_end(output *out, const dd_trace_step *step, int n)
{
    write_numbers(out, "heads", step->heads + 1, n);
    if (step->has_costs) output_format(out, ",\"loss\":%d", step->loss);
    if (step->has_costs && step->first_mistake >= 0)
        output_format(out, ",\"first_mistake\":%d", step->first_mistake);
    if (step->no_costs) {
        output_string(out, ",\"no_costs\":");
        output_json_string(out, step->no_costs);
    }
    if (step->right_heads >= 0)
        output_format(out, ",\"right_heads\":%d,\"right_labels\":%d", step->right_heads,
                      step->right_labels);
    if (step->right_heads >= 0 && step->known_heads < n)
        output_format(out, ",\"known_heads\":%d", step->known_heads);
}

void report_trace_json(output *out, const dd_sentence *sentence, const dd_trace_step *step)
{
    int n = dd_sentence_size(sentence);
    output_string(out, "{\"sent\":");
    output_json(out, dd_sentence_id(sentence));
    output_format(out, ",\"n\":%d,\"step\":%d", n, step->step);
    write_numbers(out, step->passed ? "left" : "stack", step->stack, step->stack_size);
    if (step->passed) write_numbers(out, "passed", step->passed, step->passed_size);
    write_numbers(out, "buffer", step->buffer, step->buffer_size);
    if (step->chosen >= 0)
        write_json_choice(out, step);
    else
        write_json_end(out, step, n);
    output_string(out, "}\n");
}
