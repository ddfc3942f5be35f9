#include "report_oracle.h"

#include <inttypes.h>

static void write_left_out(output *out, const dd_sentence *sentence, const char *refused,
                           const int32_t *left_out, int count)
{
    output_string(out, "{\"sent\":");
    output_json(out, dd_sentence_id(sentence));
    output_string(out, ",\"partial\":");
    output_json_string(out, refused);
    output_string(out, ",\"left_out\":[");
    for (int i = 0; i < count; i++)
        output_format(out, "%s[%d,%d]", i > 0 ? "," : "", dd_sentence_head(sentence, left_out[i]),
                      left_out[i]);
    output_string(out, "]}\n");
}

static void write_names(output *out, const char *const *names, int count)
{
    output_string(out, "[");
    for (int i = 0; i < count; i++) {
        output_string(out, i > 0 ? ",\"" : "\"");
        output_string(out, names[i]);
        output_string(out, "\"");
    }
    output_string(out, "]");
}

/* Where so many units make one, as a decimal fraction. */
static void write_amount(output *out, int amount, int unit)
{
    output_format(out, "%d", amount / unit);
    if (amount % unit == 0) return;
    output_string(out, ".");
    for (int rest = amount % unit * 10; rest > 0; rest = rest % unit * 10)
        output_format(out, "%d", rest / unit);
}

void report_oracle_json(output *out, const dd_sentence *sentence, const dd_oracle_step *step)
{
    if (step->step == 0 && step->refused)
        write_left_out(out, sentence, step->refused, step->left_out, step->arcs_left_out);
    output_string(out, "{\"sent\":");
    output_json(out, step->sentence);
    output_format(out, ",\"n\":%d,\"step\":%d", step->n, step->step);
    output_string(out, ",\"history\":");
    write_names(out, step->history, step->step);
    output_string(out, ",\"loss\":");
    write_amount(out, step->loss, step->unit);
    output_string(out, ",\"cost\":{");
    for (int i = 0; i < step->transitions; i++) {
        output_format(out, "%s\"%s\":", i > 0 ? "," : "", step->names[i]);
        write_amount(out, step->costs[i], step->unit);
    }
    output_string(out, "}}\n");
}

void report_oracle_total(output *out, const dd_sentence *sentence, const dd_oracle_total *total)
{
    if (total->refused)
        write_left_out(out, sentence, total->refused, total->left_out, total->arcs_left_out);
    output_string(out, "{\"sent\":");
    output_json(out, total->sentence);
    output_format(out, ",\"n\":%d,", total->n);
    if (total->derivations)
        output_format(out, "\"derivations\":%s,\"configurations\":%zu", total->derivations,
                      total->configurations);
    else
        output_format(out, "\"derivations\":null,\"uncounted\":\"%s\"", total->uncounted);
    output_string(out, "}\n");
}

void report_oracle_derivation(output *out, const dd_oracle_derivation *derivation)
{
    output_string(out, "{\"sent\":");
    output_json(out, derivation->sentence);
    output_format(out, ",\"derivation\":%" PRIu64 ",\"transitions\":", derivation->number + 1);
    write_names(out, derivation->names, derivation->transitions);
    output_string(out, "}\n");
}

void report_oracle_skipped(output *out, const dd_sentence *sentence, const char *reason)
{
    output_string(out, "{\"sent\":");
    output_json(out, dd_sentence_id(sentence));
    output_string(out, ",\"skipped\":");
    output_json_string(out, reason);
    output_string(out, "}\n");
}
