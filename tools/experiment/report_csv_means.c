/* report_csv_means.c - all means over treebanks, a line for each setup */
#include "experiment/report_parts.h"

#include <math.h>

typedef struct column {
    const char *name;
    double (*value)(const cell *c);
    int digits;
} column;

static const column columns[] = {
    {"dev_uas", cell_dev_uas, 4},
    {"dev_las", cell_dev_las, 4},
    {"test_uas", cell_test_uas, 4},
    {"test_las", cell_test_las, 4},
    {"test_clas", cell_test_clas, 4},
    {"removed_an_arc", cell_breaking, 4},
    {"built_gold", cell_breaking_gold, 4},
    {"harmful", cell_breaking_harmful, 4},
    {"train_words_per_second", cell_train_speed, 0},
    {"parse_words_per_second", cell_parse_speed, 0},
    {"peak_memory_mib", cell_peak_memory, 0},
    {"skipped", cell_skipped, 4},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const bool projective = false, nonprojective = true;

static void write_classes(output *out, const char *of)
{
    for (int i = 0; i < LENGTH_CLASSES; i++)
        output_format(out, ",%s_%s", of, length_classes[i].name);
    output_format(out, ",%s_%s,%s_projective,%s_nonprojective", of, long_arcs.name, of, of);
}

static void write_names(output *out)
{
    output_string(out, "system,oracle,loss,treebanks");
    for (int i = 0; i < COLUMNS; i++) output_format(out, ",%s", columns[i].name);
    output_string(out, ",test_las_sd,uas_over_static,uas_half,las_over_static,las_half,"
                       "dev_las_over_static,better,worse");
    write_classes(out, "precision");
    write_classes(out, "recall");
    output_string(out, "\n");
}

static void write_gains(output *out, const summary *s, size_t how)
{
    interval uas = summary_mean(s, how, cell_gain_uas), las = summary_mean(s, how, cell_gain_las);
    significant counts = report_significant(s, how);
    report_csv_number(out, uas.mean, 4);
    report_csv_number(out, uas.half, 4);
    report_csv_number(out, las.mean, 4);
    report_csv_number(out, las.half, 4);
    report_csv_number(out, report_dev_gain(s, how), 4);
    report_csv_number(out, counts.all > 0 ? (double)counts.better : NAN, 0);
    report_csv_number(out, counts.all > 0 ? (double)counts.worse : NAN, 0);
}

static void write_shares(output *out, const summary *s, size_t how,
                         double (*share)(const summary *, size_t, arc_class, const void *))
{
    for (int i = 0; i < LENGTH_CLASSES; i++)
        report_csv_number(out, share(s, how, class_of_lengths, &length_classes[i]), 4);
    report_csv_number(out, share(s, how, class_of_lengths, &long_arcs), 4);
    report_csv_number(out, share(s, how, class_of_projectivity, &projective), 4);
    report_csv_number(out, share(s, how, class_of_projectivity, &nonprojective), 4);
}

static void write_line(output *out, const summary *s, size_t how)
{
    const plan_setup *it = &s->plan->setups[how];
    output_format(out, "%s,%s,%s", it->system, plan_oracles[it->oracle], it->loss ? it->loss : "");
    report_csv_count(out, summary_mean(s, how, cell_dev_las).count);
    for (int i = 0; i < COLUMNS; i++)
        report_csv_number(out, summary_mean(s, how, columns[i].value).mean, columns[i].digits);
    report_csv_number(out, sqrt(summary_mean(s, how, cell_variance).mean), 4);
    write_gains(out, s, how);
    write_shares(out, s, how, report_precision);
    write_shares(out, s, how, report_recall);
    output_string(out, "\n");
}

int report_csv_means(const summary *s, const char *folder)
{
    output out;
    report_open(&out, folder, "means.csv");
    write_names(&out);
    for (size_t how = 0; how < s->plan->n_setups; how++) write_line(&out, s, how);
    return output_close(&out);
}
