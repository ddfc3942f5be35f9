#include "report_eval.h"

#include <inttypes.h>
#include <string.h>

enum { CONFUSIONS_SHOWN = 20, LABEL_WIDTH = 11 };

/* ---- tables ---- */

/* The official evaluation's table, line by line; one more line for LabelAcc. */
static void metrics_table(output *out, const eval_report *report)
{
    const dd_evaluation *evaluation = report->evaluation;
    dd_metric metric;
    output_string(out, "Metric     | Precision |    Recall |  F1 Score | AligndAcc\n"
                       "-----------+-----------+-----------+-----------+-----------\n");
    for (size_t i = 0; dd_evaluation_metric(evaluation, i, &metric); i++) {
        output_format(out, "%-11s|%10.2f |%10.2f |%10.2f |", metric.name,
                      100 * dd_metric_precision(&metric), 100 * dd_metric_recall(&metric),
                      100 * dd_metric_f1(&metric));
        if (metric.on_aligned)
            output_format(out, "%10.2f", 100 * dd_metric_aligned_accuracy(&metric));
        output_string(out, "\n");
    }
    output_format(out, "\nRule: %s.\n", dd_evaluation_rule(evaluation));
    if (report->given)
        output_format(out, "Given to the model: %s.\n",
                      strcmp(report->given, "tags") == 0 ? "words, tags and lemmas"
                                                         : report->given);
}

/* Columns of a terminal, if each character takes one. */
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; *text; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static void padded(output *out, const char *text, size_t width)
{
    output_string(out, text);
    for (size_t i = width_of(text); i < width; i++) output_string(out, " ");
}

static size_t label_width(const dd_evaluation *evaluation)
{
    size_t width = LABEL_WIDTH;
    dd_metric row;
    for (size_t i = 0; dd_evaluation_label(evaluation, i, &row); i++)
        if (width_of(row.name) + 1 > width) width = width_of(row.name) + 1;
    return width;
}

static void labels_table(output *out, const dd_evaluation *evaluation, size_t width)
{
    dd_metric row;
    output_string(out, "\n");
    padded(out, "Label", width);
    output_string(out, "|      Gold |    System |   Correct | Precision |    Recall |  F1 Score\n");
    for (size_t i = 0; i < width; i++) output_string(out, "-");
    for (int i = 0; i < 6; i++) output_string(out, "+-----------");
    output_string(out, "\n");
    for (size_t i = 0; dd_evaluation_label(evaluation, i, &row); i++) {
        padded(out, row.name, width);
        output_format(out, "|%10" PRIu64 " |%10" PRIu64 " |%10" PRIu64 " |%10.2f |%10.2f |%10.2f\n",
                      row.gold, row.system, row.correct, 100 * dd_metric_precision(&row),
                      100 * dd_metric_recall(&row), 100 * dd_metric_f1(&row));
    }
    output_string(out, "\nCorrect: words with this label that have the right head too.\n");
}

static void confusions_table(output *out, const dd_evaluation *evaluation, size_t width)
{
    dd_confusion confusion;
    if (!dd_evaluation_confusion(evaluation, 0, &confusion)) return;
    output_string(out, "\n");
    padded(out, "Gold label", width);
    output_string(out, "| ");
    padded(out, "System's", width);
    output_string(out, "|     Words\n");
    for (size_t i = 0; i < width; i++) output_string(out, "-");
    output_string(out, "+-");
    for (size_t i = 0; i < width; i++) output_string(out, "-");
    output_string(out, "+-----------\n");
    for (size_t i = 0; i < CONFUSIONS_SHOWN && dd_evaluation_confusion(evaluation, i, &confusion);
         i++) {
        padded(out, confusion.gold, width);
        output_string(out, "| ");
        padded(out, confusion.system, width);
        output_format(out, "|%10" PRIu64 "\n", confusion.count);
    }
    output_format(out, "\nThe most frequent confusions of labels, %d at most.\n", CONFUSIONS_SHOWN);
}

static void comparison_row(output *out, const char *name, const dd_significance *row)
{
    output_format(out, "%-11s|%10.2f |%10.2f |%+11.2f |%10.4f\n", name, 100 * row->one,
                  100 * row->other, 100 * (row->one - row->other), row->p);
}

static void comparison_table(output *out, const eval_report *report)
{
    const dd_comparison *comparison = report->comparison;
    output_string(out, "\nCompared   |    SYSTEM |     OTHER | Difference |         p\n"
                       "-----------+-----------+-----------+------------+-----------\n");
    comparison_row(out, "UAS", &comparison->uas);
    comparison_row(out, "LAS", &comparison->las);
    output_format(out,
                  "\nSYSTEM is %s, OTHER is %s. p: Yeh's randomisation test (2000), both\n"
                  "directions, %" PRIu64 " shuffles of %" PRIu64 " sentences, seed %" PRIu64 ".\n",
                  report->system, report->other, comparison->shuffles, comparison->sentences,
                  report->seed);
}

void report_eval_text(output *out, const eval_report *report)
{
    metrics_table(out, report);
    if (report->by_label) {
        size_t width = label_width(report->evaluation);
        labels_table(out, report->evaluation, width);
        confusions_table(out, report->evaluation, width);
    }
    if (report->comparison) comparison_table(out, report);
}

/* ---- JSON ---- */

static void json_metric(output *out, const dd_metric *metric)
{
    output_format(out, "\"precision\":%.10g,\"recall\":%.10g,\"f1\":%.10g,",
                  100 * dd_metric_precision(metric), 100 * dd_metric_recall(metric),
                  100 * dd_metric_f1(metric));
    output_format(out, "\"correct\":%" PRIu64 ",\"gold\":%" PRIu64 ",\"system\":%" PRIu64,
                  metric->correct, metric->gold, metric->system);
    if (metric->on_aligned)
        output_format(out, ",\"aligned\":%" PRIu64 ",\"aligned_accuracy\":%.10g", metric->aligned,
                      100 * dd_metric_aligned_accuracy(metric));
    else
        output_string(out, ",\"aligned\":null,\"aligned_accuracy\":null");
}

static void json_metrics(output *out, const dd_evaluation *evaluation)
{
    dd_metric metric;
    output_string(out, "\"metrics\":{");
    for (size_t i = 0; dd_evaluation_metric(evaluation, i, &metric); i++) {
        output_format(out, "%s\n  ", i ? "," : "");
        output_json_string(out, metric.name);
        output_string(out, ":{");
        json_metric(out, &metric);
        output_string(out, "}");
    }
    output_string(out, "}");
}

static void json_labels(output *out, const dd_evaluation *evaluation)
{
    dd_metric row;
    output_string(out, ",\n\"labels\":[");
    for (size_t i = 0; dd_evaluation_label(evaluation, i, &row); i++) {
        output_format(out, "%s\n  {\"label\":", i ? "," : "");
        output_json_string(out, row.name);
        output_string(out, ",");
        json_metric(out, &row);
        output_string(out, "}");
    }
    output_string(out, "]");
}

static void json_confusions(output *out, const dd_evaluation *evaluation)
{
    dd_confusion confusion;
    output_string(out, ",\n\"confusions\":[");
    for (size_t i = 0; dd_evaluation_confusion(evaluation, i, &confusion); i++) {
        output_format(out, "%s\n  {\"gold\":", i ? "," : "");
        output_json_string(out, confusion.gold);
        output_string(out, ",\"system\":");
        output_json_string(out, confusion.system);
        output_format(out, ",\"count\":%" PRIu64 "}", confusion.count);
    }
    output_string(out, "]");
}

static void json_significance(output *out, const char *name, const dd_significance *row)
{
    output_format(out,
                  ",\n  \"%s\":{\"system\":%.10g,\"other\":%.10g,\"difference\":%.10g,"
                  "\"as_large\":%" PRIu64 ",\"p\":%.10g}",
                  name, 100 * row->one, 100 * row->other, 100 * (row->one - row->other),
                  row->as_large, row->p);
}

static void json_comparison(output *out, const eval_report *report)
{
    const dd_comparison *comparison = report->comparison;
    output_string(out, ",\n\"comparison\":{\"other\":");
    output_json_string(out, report->other);
    output_format(out,
                  ",\"sentences\":%" PRIu64 ",\"words\":%" PRIu64 ",\"shuffles\":%" PRIu64
                  ",\"seed\":%" PRIu64,
                  comparison->sentences, comparison->words, comparison->shuffles, report->seed);
    json_significance(out, "UAS", &comparison->uas);
    json_significance(out, "LAS", &comparison->las);
    output_string(out, "}");
}

void report_eval_json(output *out, const eval_report *report)
{
    output_string(out, "{\"gold\":");
    output_json_string(out, report->gold);
    output_string(out, ",\"system\":");
    output_json_string(out, report->system);
    if (report->given) output_format(out, ",\"given\":\"%s\"", report->given);
    output_string(out, ",\n\"rule\":");
    output_json_string(out, dd_evaluation_rule(report->evaluation));
    output_string(out, ",\n");
    json_metrics(out, report->evaluation);
    if (report->by_label) {
        json_labels(out, report->evaluation);
        json_confusions(out, report->evaluation);
    }
    if (report->comparison) json_comparison(out, report);
    output_string(out, "}\n");
}
