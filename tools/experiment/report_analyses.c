/* report_analyses.c - arcs by length and by projectivity, arcs that are replaced, time and memory
 */
#include "experiment/report_parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- classes of arcs ---- */

const length_class length_classes[LENGTH_CLASSES] = {
    {"root", 0, 0}, {"1", 1, 1},     {"2", 2, 2},
    {"3-6", 3, 6},  {"7-10", 7, 10}, {">10", 11, DD_ARC_LENGTHS - 1},
};
const length_class long_arcs = {">7", 8, DD_ARC_LENGTHS - 1};

dd_arc_count class_of_lengths(const dd_arc_counts *arcs, const void *which)
{
    const length_class *class = which;
    dd_arc_count sum = {0};
    for (size_t length = class->first; length <= class->last; length++) {
        sum.gold += arcs->length[length].gold;
        sum.found += arcs->length[length].found;
        sum.system += arcs->length[length].system;
        sum.right += arcs->length[length].right;
    }
    return sum;
}

dd_arc_count class_of_projectivity(const dd_arc_counts *arcs, const void *nonprojective)
{
    return *(const bool *)nonprojective ? arcs->nonprojective : arcs->projective;
}

static double mean_share(const summary *s, size_t how, arc_class class, const void *which,
                         bool precision)
{
    double sum = 0;
    size_t count = 0;
    for (size_t t = 0; t < s->plan->n_treebanks; t++) {
        const cell *c = summary_cell(s, t, how);
        if (c->runs == 0) continue;
        dd_arc_count arcs = class(&c->arcs, which);
        double share =
            precision ? share_of(arcs.right, arcs.system) : share_of(arcs.found, arcs.gold);
        if (isnan(share)) continue;
        sum += share;
        count++;
    }
    return count > 0 ? sum / (double)count : NAN;
}

double report_precision(const summary *s, size_t how, arc_class class, const void *which)
{
    return mean_share(s, how, class, which, true);
}

double report_recall(const summary *s, size_t how, arc_class class, const void *which)
{
    return mean_share(s, how, class, which, false);
}

/* ---- by length ---- */

static void write_lengths(output *out, const summary *s, const char *title,
                          double (*share)(const summary *, size_t, arc_class, const void *))
{
    output_format(out, "\n%s:\n\n| system | oracle ", title);
    for (int i = 0; i < LENGTH_CLASSES; i++) output_format(out, "| %s ", length_classes[i].name);
    output_format(out, "| %s |\n|---|---", long_arcs.name);
    for (int i = 0; i <= LENGTH_CLASSES; i++) output_string(out, "|--:");
    output_string(out, "|\n");
    for (size_t how = 0; how < s->plan->n_setups; how++) {
        report_row(out, &s->plan->setups[how]);
        for (int i = 0; i <= LENGTH_CLASSES; i++) {
            const length_class *class = i < LENGTH_CLASSES ? &length_classes[i] : &long_arcs;
            output_string(out, "| ");
            report_number(out, share(s, how, class_of_lengths, class), 2);
            output_string(out, " ");
        }
        output_string(out, "|\n");
    }
}

void report_lengths(output *out, const summary *s)
{
    output_string(out,
                  "\n## Arcs by length\n\n"
                  "![Precision by length of arcs](results/lengths.svg)\n\n"
                  "The length of an arc is the distance between its ends; arcs from the root are "
                  "counted separately. Precision is the share of the parser's arcs of a length "
                  "that are right, recall the share of the gold arcs that it finds; heads only, on "
                  "test, mean over treebanks. The tables below that have one row per system show "
                  "the oracle with the best mean LAS on dev; [means.csv](results/means.csv) has "
                  "all of them.\n");
    write_lengths(out, s, "Precision", report_precision);
    write_lengths(out, s, "Recall", report_recall);
}

/* ---- by projectivity ---- */

void report_projectivity(output *out, const summary *s)
{
    static const bool kinds[] = {false, true};
    output_string(
        out, "\n## Projective and non-projective arcs\n\n"
             "An arc is non-projective when a word between its ends does not descend from its "
             "head: for recall in the gold tree, for precision in the parser's. Heads only, on "
             "test, mean over treebanks.\n\n"
             "| system | oracle | projective: precision | recall | non-projective: precision | "
             "recall |\n|---|---|--:|--:|--:|--:|\n");
    for (size_t how = 0; how < s->plan->n_setups; how++) {
        if (!report_leads_system(s, how)) continue;
        report_row(out, &s->plan->setups[how]);
        for (int k = 0; k < 2; k++) {
            output_string(out, "| ");
            report_number(out, report_precision(s, how, class_of_projectivity, &kinds[k]), 2);
            output_string(out, " | ");
            report_number(out, report_recall(s, how, class_of_projectivity, &kinds[k]), 2);
            output_string(out, " ");
        }
        output_string(out, "|\n");
    }
}

/* ---- arcs that break others ---- */

static bool is_nonmonotonic(const summary *s, size_t how)
{
    for (size_t t = 0; t < s->plan->n_treebanks; t++) {
        const cell *c = summary_cell(s, t, how);
        if (c->runs > 0 && c->any->has_breaks) return true;
    }
    return false;
}

static void write_break_row(output *out, const summary *s, size_t how)
{
    double (*const values[])(const cell *c) = {cell_breaking, cell_breaking_gold,
                                               cell_breaking_harmful};
    report_row(out, &s->plan->setups[how]);
    for (int i = 0; i < 3; i++) {
        output_string(out, "| ");
        report_number(out, summary_mean(s, how, values[i]).mean, 2);
        output_string(out, " ");
    }
    output_string(out, "|\n");
}

void report_breaks(output *out, const summary *s)
{
    bool any = false;
    for (size_t how = 0; how < s->plan->n_setups; how++) any |= is_nonmonotonic(s, how);
    if (!any) return;
    output_string(out,
                  "\n## Non-monotonic arcs\n\n"
                  "Of the arc transitions taken on the test sets, the share that removed an arc "
                  "built earlier; of these, the share that built a gold arc, and the share that "
                  "removed a gold arc and built a wrong one. Means over treebanks, in per "
                  "cent.\n\n"
                  "| system | oracle | removed an arc | built a gold arc | harmful |\n"
                  "|---|---|--:|--:|--:|\n");
    for (size_t how = 0; how < s->plan->n_setups; how++)
        if (is_nonmonotonic(s, how)) write_break_row(out, s, how);
}

/* ---- time and memory ---- */

static double sum_of(const summary *s, size_t how, double (*value)(const cell *c))
{
    double sum = 0;
    for (size_t t = 0; t < s->plan->n_treebanks; t++) {
        const cell *c = summary_cell(s, t, how);
        if (c->runs > 0) sum += (double)c->runs * value(c);
    }
    return sum;
}

static double cpu_seconds(const cell *c)
{
    return c->expense.cpu_seconds;
}

void report_costs(output *out, const summary *s)
{
    double hours = 0;
    for (size_t how = 0; how < s->plan->n_setups; how++)
        hours += sum_of(s, how, cpu_seconds) / 3600;
    output_format(out,
                  "\n## Time and memory\n\n"
                  "Means over treebanks; words per second of processor time on one core, without "
                  "reading and evaluation. All runs together took %.1f hours of processor time.\n\n"
                  "| system | oracle | training, words/s | parsing, words/s | peak memory, MiB | "
                  "skipped sentences, %% |\n|---|---|--:|--:|--:|--:|\n",
                  hours);
    for (size_t how = 0; how < s->plan->n_setups; how++) {
        if (!report_leads_system(s, how)) continue;
        report_row(out, &s->plan->setups[how]);
        double (*const values[])(const cell *c) = {cell_train_speed, cell_parse_speed,
                                                   cell_peak_memory, cell_skipped};
        for (int i = 0; i < 4; i++) {
            output_string(out, "| ");
            report_number(out, summary_mean(s, how, values[i]).mean, i < 3 ? 0 : 2);
            output_string(out, " ");
        }
        output_string(out, "|\n");
    }
}
