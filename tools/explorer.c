#include "explorer.h"

#include "explorer.inc"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char explorer_oracle[] = "the static oracle along the gold tree";

void explorer_begin(explorer *page, output *out, const char *system, const char *source)
{
    page->out = out;
    output_string(out, explorer_before);
    out->in_page = true;
    output_string(out, "{\"system\":");
    output_json_string(out, system);
    output_string(out, ",\"source\":");
    output_json_string(out, source);
    output_string(out, ",\"sentences\":[");
}

void explorer_end(explorer *page)
{
    output_string(page->out, "]}");
    output_string(page->out, explorer_after);
    free(page->heads);
    page->heads = NULL;
}

static void begin_sentence(explorer *page, const dd_sentence *sentence)
{
    output_string(page->out, page->several ? ",\n{\"id\":" : "\n{\"id\":");
    output_json(page->out, dd_sentence_id(sentence));
    page->several = true;
}

void explorer_skipped(explorer *page, const dd_sentence *sentence, const char *reason)
{
    begin_sentence(page, sentence);
    output_string(page->out, ",\"skipped\":");
    output_json_string(page->out, reason);
    output_string(page->out, "}");
}

/* ---- words -------------------------------------------------------------------------------- */

static void write_cell(output *out, dd_text cell)
{
    bool missing = cell.size == 1 && cell.data[0] == '_';
    output_json(out, missing ? (dd_text){"", 0} : cell);
}

static void write_words(output *out, const dd_sentence *sentence)
{
    output_string(out, ",\"words\":[");
    for (int word = 1; word <= dd_sentence_size(sentence); word++) {
        output_string(out, word > 1 ? ",[" : "[");
        output_json(out, dd_sentence_cell(sentence, word, DD_FORM));
        output_string(out, ",");
        write_cell(out, dd_sentence_cell(sentence, word, DD_UPOS));
        output_string(out, "]");
    }
    output_string(out, "],\"steps\":[");
}

static void write_gold(output *out, const dd_sentence *sentence)
{
    output_string(out, ",\"gold\":[");
    for (int word = 1; word <= dd_sentence_size(sentence); word++) {
        output_format(out, "%s[%d,", word > 1 ? "," : "", dd_sentence_head(sentence, word));
        write_cell(out, dd_sentence_deprel(sentence, word));
        output_string(out, "]");
    }
    output_string(out, "]");
}

/* ---- steps -------------------------------------------------------------------------------- */

/* Neighbours are told as one run: most of a buffer, and Covington's lists. */
static void write_runs(output *out, const char *key, const int32_t *nodes, int count)
{
    output_format(out, "\"%s\":[", key);
    for (int i = 0; i < count;) {
        int last = i;
        while (last + 1 < count && nodes[last + 1] == nodes[last] + 1) last++;
        output_format(out, "%s[%d,%d]", i > 0 ? "," : "", nodes[i], nodes[last]);
        i = last + 1;
    }
    output_string(out, "],");
}

/* In the end all arcs: their labels can be others than those they were built with. */
static void write_changes(explorer *page, const dd_trace_step *step, int n)
{
    const char *comma = "";
    output_string(page->out, "\"d\":[");
    for (int word = 1; word <= n; word++) {
        if (step->chosen >= 0 && step->heads[word] == page->heads[word]) continue;
        output_format(page->out, "%s[%d,%d,", comma, word, step->heads[word]);
        output_json(page->out, dd_trace_label(page->trace, word));
        output_string(page->out, "]");
        page->heads[word] = step->heads[word];
        comma = ",";
    }
    output_string(page->out, "]");
}

static void write_moves(output *out, const dd_trace_step *step)
{
    output_string(out, ",\"m\":[");
    for (int m = 0; m < step->n_moves; m++) {
        const dd_trace_move *move = &step->moves[m];
        output_format(out, "%s[\"%s\",%d,%d,%d,", m > 0 ? "," : "", move->name, move->head,
                      move->dependent, move->cost);
        if (isnan(move->score))
            output_string(out, "null,");
        else
            output_format(out, "%.4f,", move->score);
        output_json(out, move->label);
        output_string(out, "]");
    }
    output_format(out, "],\"c\":%d,\"l\":", step->chosen);
    output_json(out, step->label);
    if (step->replaced >= 0) output_format(out, ",\"r\":%d", step->replaced);
    if (isinf(step->margin))
        output_string(out, ",\"g\":null");
    else if (!isnan(step->margin))
        output_format(out, ",\"g\":%.4f", step->margin);
    if (step->wrong_label) output_string(out, ",\"w\":true");
}

static void finish_sentence(output *out, const dd_sentence *sentence, const dd_trace_step *step)
{
    output_format(out, "],\"mistake\":%d", step->first_mistake);
    if (step->no_costs) {
        output_string(out, ",\"why\":");
        output_json_string(out, step->no_costs);
    }
    if (step->right_heads >= 0) {
        write_gold(out, sentence);
        output_format(out, ",\"right\":[%d,%d,%d]", step->right_heads, step->right_labels,
                      step->known_heads);
    }
    output_string(out, "}");
}

/* Heads before the first step: none. */
static bool forget_heads(explorer *page, int n)
{
    size_t need = (size_t)n + 1;
    if (page->room < need) {
        int32_t *heads = realloc(page->heads, need * sizeof *heads);
        if (!heads) {
            page->out->status = page->out->error.status = DD_ERROR_MEMORY;
            snprintf(page->out->error.message, sizeof page->out->error.message, "out of memory");
            return false;
        }
        page->heads = heads;
        page->room = need;
    }
    for (size_t word = 0; word < need; word++) page->heads[word] = -1;
    return true;
}

bool explorer_step(explorer *page, const dd_sentence *sentence, const dd_trace_step *step)
{
    output *out = page->out;
    int n = dd_sentence_size(sentence);
    if (step->step == 0) {
        if (!forget_heads(page, n)) return false;
        begin_sentence(page, sentence);
        write_words(out, sentence);
    }
    output_string(out, step->step > 0 ? ",\n{" : "\n{");
    write_runs(out, "s", step->stack, step->stack_size);
    if (step->passed) write_runs(out, "p", step->passed, step->passed_size);
    write_runs(out, "b", step->buffer, step->buffer_size);
    write_changes(page, step, n);
    if (step->has_costs) output_format(out, ",\"o\":%d", step->loss);
    if (step->chosen >= 0) write_moves(out, step);
    output_string(out, "}");
    if (step->chosen < 0) finish_sentence(out, sentence, step);
    return out->status == DD_OK;
}
