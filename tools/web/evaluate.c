#include "web.h"

#include <string.h>

static bool open(dd_reader **reader, const char *name, dd_text text, refusal *why)
{
    dd_error error;
    return dd_reader_open_memory(reader, name, text, DD_FORMAT_CONLLU, &error) == DD_OK ||
           refuse_error(why, &error);
}

static bool compare(dd_evaluation **out, dd_text gold, dd_text system, const dd_eval_options *how,
                    refusal *why)
{
    dd_reader *right = NULL, *made = NULL;
    dd_error error;
    bool good =
        open(&right, "gold", gold, why) && open(&made, "system", system, why) &&
        (dd_evaluate_readers(out, right, made, how, &error) == DD_OK || refuse_error(why, &error));
    dd_reader_close(right);
    dd_reader_close(made);
    return good;
}

static void write_metric(output *out, const dd_metric *metric)
{
    output_string(out, "{\"name\":");
    output_json_string(out, metric->name);
    output_format(out, ",\"correct\":%llu,\"gold\":%llu,\"system\":%llu",
                  (unsigned long long)metric->correct, (unsigned long long)metric->gold,
                  (unsigned long long)metric->system);
    output_format(out, ",\"precision\":%.17g,\"recall\":%.17g,\"f1\":%.17g",
                  dd_metric_precision(metric), dd_metric_recall(metric), dd_metric_f1(metric));
    if (metric->on_aligned)
        output_format(out, ",\"aligned\":%llu,\"alignedAccuracy\":%.17g",
                      (unsigned long long)metric->aligned, dd_metric_aligned_accuracy(metric));
    output_string(out, "}");
}

static void write(output *out, const dd_evaluation *made)
{
    dd_metric metric;
    output_string(out, "{\"rule\":");
    output_json_string(out, dd_evaluation_rule(made));
    output_string(out, ",\"metrics\":[");
    for (size_t i = 0; dd_evaluation_metric(made, i, &metric); i++) {
        if (i > 0) output_string(out, ",");
        write_metric(out, &metric);
    }
    output_string(out, "]}\n");
}

bool web_evaluate(const fields *asked, dd_text text, dd_cancel *cancel, output *out, refusal *why)
{
    static const char *const names[] = {"gold", "rule", "punct", NULL};
    static const char *const rules[] = {"conll2018", "conllx", NULL};
    const field *gold = fields_find(asked, "gold");
    dd_eval_options how;
    dd_evaluation *made = NULL;
    int rule = DD_EVAL_CONLL2018;
    bool punct = true;
    dd_eval_options_init(&how);
    if (!fields_known(asked, names, NULL, why) ||
        !fields_choice(asked, "rule", rules, &rule, why) ||
        !fields_flag(asked, "punct", &punct, why))
        return false;
    if (!gold) return refuse(why, 400, "the field 'gold' is missing");
    how.rule = (dd_eval_rule)rule;
    how.no_punct = !punct;
    how.cancel = cancel;
    if (!compare(&made, (dd_text){gold->value, gold->size}, text, &how, why)) return false;
    write(out, made);
    dd_evaluation_free(made);
    return true;
}
