#include "report_oracle.h"

static void write_left_out(output *out, const dd_sentence *sentence, const dd_oracle_step *step)
{
    output_string(out, "{\"sent\":");
    output_json(out, step->sentence);
    output_string(out, ",\"partial\":");
    output_json_string(out, step->refused);
    output_string(out, ",\"left_out\":[");
    for (int i = 0; i < step->arcs_left_out; i++)
        output_format(out, "%s[%d,%d]", i > 0 ? "," : "",
                      dd_sentence_head(sentence, step->left_out[i]), step->left_out[i]);
    output_string(out, "]}\n");
}

static void write_history(output *out, const dd_oracle_step *step)
{
    output_string(out, ",\"history\":[");
    for (int i = 0; i < step->step; i++) {
        output_string(out, i > 0 ? ",\"" : "\"");
        output_string(out, step->history[i]);
        output_string(out, "\"");
    }
    output_string(out, "]");
}

void report_oracle_json(output *out, const dd_sentence *sentence, const dd_oracle_step *step)
{
    if (step->step == 0 && step->refused) write_left_out(out, sentence, step);
    output_string(out, "{\"sent\":");
    output_json(out, step->sentence);
    output_format(out, ",\"n\":%d,\"step\":%d", step->n, step->step);
    write_history(out, step);
    output_format(out, ",\"loss\":%d,\"cost\":{", step->loss);
    for (int i = 0; i < step->transitions; i++)
        output_format(out, "%s\"%s\":%d", i > 0 ? "," : "", step->names[i], step->costs[i]);
    output_string(out, "}}\n");
}

void report_oracle_skipped(output *out, const dd_sentence *sentence, const char *reason)
{
    output_string(out, "{\"sent\":");
    output_json(out, dd_sentence_id(sentence));
    output_string(out, ",\"skipped\":");
    output_json_string(out, reason);
    output_string(out, "}\n");
}
