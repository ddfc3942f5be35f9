/* report_scores.c - the tables of scores */
#include "experiment/report_parts.h"
#include "heap.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- means ---- */

static void write_mean(output *out, const summary *s, size_t how, double (*value)(const cell *c))
{
    output_string(out, "| ");
    report_number(out, summary_mean(s, how, value).mean, 2);
    output_string(out, " ");
}

void report_means(output *out, const summary *s)
{
    output_string(out,
                  "\n## Means over all treebanks\n\n"
                  "![Mean LAS by system and oracle](results/accuracy.svg)\n\n"
                  "| system | oracle | dev UAS | dev LAS | test UAS | test LAS | ± | test CLAS |\n"
                  "|---|---|--:|--:|--:|--:|--:|--:|\n");
    for (size_t how = 0; how < s->plan->n_setups; how++) {
        report_row(out, &s->plan->setups[how]);
        write_mean(out, s, how, cell_dev_uas);
        write_mean(out, s, how, cell_dev_las);
        write_mean(out, s, how, cell_test_uas);
        write_mean(out, s, how, cell_test_las);
        output_string(out, "| ");
        report_number(out, sqrt(summary_mean(s, how, cell_variance).mean), 2);
        output_string(out, " ");
        write_mean(out, s, how, cell_test_clas);
        output_string(out, "|\n");
    }
    output_string(
        out, "\n± is the standard deviation of test LAS between the seeds of one treebank: the "
             "root of the mean variance.\n\nAn oracle without the name of a loss uses the system's "
             "default loss; for covington-nm that is upper.\n");
    output_string(out, "\n![Learning curves](results/curves.svg)\n");
}

/* ---- gains over the static oracle ---- */

static void write_interval(output *out, interval i)
{
    if (isnan(i.mean)) {
        output_string(out, "| – | – ");
        return;
    }
    output_format(out, "| %+.2f ", i.mean);
    if (isnan(i.half))
        output_string(out, "| – ");
    else
        output_format(out, "| %+.2f to %+.2f ", i.mean - i.half, i.mean + i.half);
}

significant report_significant(const summary *s, size_t how)
{
    significant counts = {0};
    for (size_t t = 0; t < s->plan->n_treebanks; t++) {
        const contrast *c = &summary_cell(s, t, how)->to_static;
        bool differs = c->known && c->p_las < SIGNIFICANT;
        counts.all += c->known;
        counts.better += differs && c->las > 0;
        counts.worse += differs && c->las < 0;
    }
    return counts;
}

/* On dev there is no test of significance, only the mean. */
double report_dev_gain(const summary *s, size_t how)
{
    size_t basis = summary_find(s, s->plan->setups[how].system, PLAN_STATIC), count = 0;
    double sum = 0;
    if (basis == NO_SETUP || basis == how) return NAN;
    for (size_t t = 0; t < s->plan->n_treebanks; t++) {
        const cell *a = summary_cell(s, t, how), *b = summary_cell(s, t, basis);
        if (a->runs == 0 || b->runs == 0) continue;
        sum += a->dev.las - b->dev.las;
        count++;
    }
    return count > 0 ? sum / (double)count : NAN;
}

/* Student's t with one degree of freedom is 12.7, with two 4.3. */
static void warn_of_few(output *out, size_t treebanks)
{
    if (treebanks == 1)
        output_string(out, "From one treebank no interval can be told.\n\n");
    else if (treebanks == 2)
        output_string(out,
                      "An interval from two treebanks is 12.7 standard errors wide on either side, "
                      "from three 4.3, so it tells next to nothing.\n\n");
}

void report_gains(output *out, const summary *s)
{
    output_format(out,
                  "\n## What the oracles gain over the static one\n\n"
                  "Differences on test, means over treebanks, with 95 %% confidence intervals by "
                  "Student's t over treebanks. *Better* and *worse* count the treebanks on which "
                  "LAS differs significantly: Yeh's randomisation test (2000), p < %.2f, %d "
                  "shuffles; the scores of a sentence are added up over the seeds and exchanged "
                  "together. [scores.csv](results/scores.csv) has the difference and p for each "
                  "treebank.\n\n",
                  SIGNIFICANT, SUMMARY_SHUFFLES);
    warn_of_few(out, s->plan->n_treebanks);
    output_string(out,
                  "| system | oracle | LAS | interval | UAS | interval | dev LAS | better | worse "
                  "| treebanks |\n|---|---|--:|---|--:|---|--:|--:|--:|--:|\n");
    for (size_t how = 0; how < s->plan->n_setups; how++) {
        const plan_setup *it = &s->plan->setups[how];
        if (it->oracle == PLAN_STATIC || summary_find(s, it->system, PLAN_STATIC) == NO_SETUP)
            continue;
        report_row(out, it);
        write_interval(out, summary_mean(s, how, cell_gain_las));
        write_interval(out, summary_mean(s, how, cell_gain_uas));
        double dev = report_dev_gain(s, how);
        significant counts = report_significant(s, how);
        if (isnan(dev))
            output_string(out, "| – ");
        else
            output_format(out, "| %+.2f ", dev);
        output_format(out, "| %zu | %zu | %zu |\n", counts.better, counts.worse, counts.all);
    }
}

/* ---- covington-nm against covington ---- */

static void write_contrasts(output *out, const summary *s, size_t one, size_t other)
{
    size_t count = 0, better = 0, worse = 0;
    double *gains = heap_zeroed(s->plan->n_treebanks, sizeof *gains);
    for (size_t t = 0; t < s->plan->n_treebanks; t++) {
        contrast c = summary_contrast(s, t, one, other);
        if (!c.known) continue;
        gains[count++] = c.las;
        better += c.p_las < SIGNIFICANT && c.las > 0;
        worse += c.p_las < SIGNIFICANT && c.las < 0;
    }
    write_interval(out, interval_of(gains, count));
    output_format(out, "| %zu | %zu ", better, worse);
    free(gains);
}

/* covington-nm is covington without the rule that an arc stays, so both oracles of the latter are
 * what its gains are counted from (nonmonotonic-covington-2017, Table 3). */
void report_covington(output *out, const summary *s)
{
    size_t fixed = summary_find(s, "covington", PLAN_STATIC);
    size_t dynamic = summary_find(s, "covington", PLAN_DYNAMIC);
    if (fixed == NO_SETUP || dynamic == NO_SETUP ||
        summary_find(s, "covington-nm", PLAN_DYNAMIC) == NO_SETUP)
        return;
    output_string(out, "\nWhat covington-nm gains over covington, in LAS on test as above:\n\n"
                       "| system | oracle | over static | interval | better | worse | over dynamic "
                       "| interval | better | worse |\n"
                       "|---|---|--:|---|--:|--:|--:|---|--:|--:|\n");
    for (size_t how = 0; how < s->plan->n_setups; how++) {
        const plan_setup *it = &s->plan->setups[how];
        if (strcmp(it->system, "covington-nm") != 0) continue;
        report_row(out, it);
        write_contrasts(out, s, how, fixed);
        write_contrasts(out, s, how, dynamic);
        output_string(out, "|\n");
    }
}
