/* report_csv.c - the numbers behind the tables, one file for each kind, for other programs */
#include "cmd.h"
#include "experiment/report_parts.h"

#include <inttypes.h>
#include <math.h>

/* Names of treebanks, systems, oracles and losses need no quotes. */
static void write_cell_key(output *out, const summary *s, size_t treebank, size_t how)
{
    const plan_setup *it = &s->plan->setups[how];
    output_format(out, "%s,%s,%s,%s", s->plan->treebanks[treebank].code, it->system,
                  plan_oracles[it->oracle], it->loss ? it->loss : "");
}

void report_csv_number(output *out, double value, int digits)
{
    output_string(out, ",");
    if (!isnan(value)) output_format(out, "%.*f", digits, value);
}

void report_csv_count(output *out, uint64_t value)
{
    output_format(out, ",%" PRIu64, value);
}

static void write_scores(output *out, const scores *s)
{
    report_csv_number(out, s->uas, 4);
    report_csv_number(out, s->las, 4);
    report_csv_number(out, s->clas, 4);
}

/* ---- a line for each treebank and setup ---- */

static void write_contrast(output *out, const contrast *to)
{
    report_csv_number(out, to->known ? to->uas : NAN, 4);
    report_csv_number(out, to->known ? to->p_uas : NAN, 4);
    report_csv_number(out, to->known ? to->las : NAN, 4);
    report_csv_number(out, to->known ? to->p_las : NAN, 4);
}

static void scores_line(output *out, const cell *c)
{
    report_csv_count(out, c->runs);
    write_scores(out, &c->dev);
    write_scores(out, &c->test);
    report_csv_number(out, sqrt(c->variance), 4);
    write_contrast(out, &c->to_static);
    write_contrast(out, &c->to_opposite);
}

static void breaks_line(output *out, const cell *c)
{
    report_csv_count(out, c->breaks.arcs);
    report_csv_count(out, c->breaks.breaking);
    report_csv_count(out, c->breaks.gold);
    report_csv_count(out, c->breaks.harmful);
}

static bool has_breaks(const cell *c)
{
    return c->any->has_breaks;
}

static bool always(const cell *c)
{
    (void)c;
    return true;
}

typedef struct cell_file {
    const char *name, *columns;
    bool (*has)(const cell *c);
    void (*line)(output *out, const cell *c);
} cell_file;

static const cell_file cell_files[] = {
    {"scores.csv",
     "runs,dev_uas,dev_las,dev_clas,test_uas,test_las,test_clas,test_las_sd,uas_over_static,p_uas,"
     "las_over_static,p_las,uas_over_opposite,p_uas_opposite,las_over_opposite,p_las_opposite",
     always, scores_line},
    {"nonmonotonic.csv", "arcs,removed_an_arc,built_gold,harmful", has_breaks, breaks_line},
};

static int write_cells(const summary *s, const char *folder, const cell_file *file)
{
    output out;
    report_open(&out, folder, file->name);
    output_format(&out, "treebank,system,oracle,loss,%s\n", file->columns);
    for (size_t t = 0; t < s->plan->n_treebanks; t++)
        for (size_t how = 0; how < s->plan->n_setups; how++) {
            const cell *c = summary_cell(s, t, how);
            if (c->runs == 0 || !file->has(c)) continue;
            write_cell_key(&out, s, t, how);
            file->line(&out, c);
            output_string(&out, "\n");
        }
    return output_close(&out);
}

/* ---- several lines for each ---- */

static void write_arc_count(output *out, const summary *s, size_t t, size_t how, const char *class,
                            dd_arc_count c)
{
    write_cell_key(out, s, t, how);
    output_format(out, ",%s", class);
    report_csv_count(out, c.gold);
    report_csv_count(out, c.found);
    report_csv_count(out, c.system);
    report_csv_count(out, c.right);
    output_string(out, "\n");
}

static int write_arcs(const summary *s, const char *folder)
{
    output out;
    report_open(&out, folder, "arcs.csv");
    output_string(&out, "treebank,system,oracle,loss,arcs,gold,found,parsed,right\n");
    for (size_t t = 0; t < s->plan->n_treebanks; t++)
        for (size_t how = 0; how < s->plan->n_setups; how++) {
            const cell *c = summary_cell(s, t, how);
            if (c->runs == 0) continue;
            for (int i = 0; i < LENGTH_CLASSES; i++)
                write_arc_count(&out, s, t, how, length_classes[i].name,
                                class_of_lengths(&c->arcs, &length_classes[i]));
            write_arc_count(&out, s, t, how, "projective", c->arcs.projective);
            write_arc_count(&out, s, t, how, "non-projective", c->arcs.nonprojective);
        }
    return output_close(&out);
}

static int write_curves(const summary *s, const char *folder)
{
    output out;
    report_open(&out, folder, "curves.csv");
    output_string(&out, "treebank,system,oracle,loss,seed,iteration,dev_uas,dev_las\n");
    for (size_t i = 0; i < plan_size(s->plan); i++) {
        run_key key = plan_run(s->plan, i);
        const result *r = results_at(s->results, key);
        for (size_t k = 0; r && k < r->n_curve; k++) {
            write_cell_key(&out, s, key.treebank, key.setup);
            output_format(&out, ",%" PRIu64 ",%zu,%.4f,%.4f\n", s->plan->seeds[key.seed], k + 1,
                          r->curve[k].uas, r->curve[k].las);
        }
    }
    return output_close(&out);
}

static int write_runs(const summary *s, const char *folder)
{
    output out;
    report_open(&out, folder, "runs.csv");
    output_string(&out,
                  "treebank,system,oracle,loss,seed,iterations,best_iteration,sentences,words,"
                  "skipped,dev_uas,dev_las,dev_clas,test_uas,test_las,test_clas,seconds,"
                  "cpu_seconds,train_cpu_seconds,train_words_per_second,parse_words_per_second,"
                  "peak_memory_mib\n");
    for (size_t i = 0; i < plan_size(s->plan); i++) {
        run_key key = plan_run(s->plan, i);
        const result *r = results_at(s->results, key);
        if (!r) continue;
        write_cell_key(&out, s, key.treebank, key.setup);
        output_format(&out, ",%" PRIu64 ",%d,%d", s->plan->seeds[key.seed],
                      s->plan->treebanks[key.treebank].iterations, r->best_iteration);
        report_csv_count(&out, r->data.sentences);
        report_csv_count(&out, r->data.words);
        report_csv_count(&out, r->data.skipped);
        write_scores(&out, &r->dev);
        write_scores(&out, &r->test);
        report_csv_number(&out, r->expense.seconds, 2);
        report_csv_number(&out, r->expense.cpu_seconds, 2);
        report_csv_number(&out, r->expense.train_seconds, 2);
        report_csv_number(&out, r->expense.train_speed, 0);
        report_csv_number(&out, r->expense.parse_speed, 0);
        report_csv_number(&out, r->expense.peak_mib, 0);
        output_string(&out, "\n");
    }
    return output_close(&out);
}

int report_csv(const summary *s, const char *folder)
{
    int status = STATUS_OK;
    for (size_t i = 0; i < sizeof cell_files / sizeof *cell_files && status == STATUS_OK; i++)
        status = write_cells(s, folder, &cell_files[i]);
    if (status == STATUS_OK) status = write_arcs(s, folder);
    if (status == STATUS_OK) status = write_curves(s, folder);
    if (status == STATUS_OK) status = write_runs(s, folder);
    if (status == STATUS_OK) status = report_csv_treebanks(s, folder);
    return status == STATUS_OK ? report_csv_means(s, folder) : status;
}

/* ---- means ----------------------------------------------------------------------------------- */

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
