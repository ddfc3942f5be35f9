#include "experiment/summary.h"

#include "heap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- sums over seeds ---- */

static void add_count(dd_arc_count *to, const dd_arc_count *from)
{
    to->gold += from->gold;
    to->found += from->found;
    to->system += from->system;
    to->right += from->right;
}

static void add_arcs(dd_arc_counts *to, const dd_arc_counts *from)
{
    for (size_t i = 0; i < DD_ARC_LENGTHS; i++) add_count(&to->length[i], &from->length[i]);
    add_count(&to->projective, &from->projective);
    add_count(&to->nonprojective, &from->nonprojective);
}

static void add_scores(scores *to, const scores *from)
{
    to->uas += from->uas;
    to->las += from->las;
    to->clas += from->clas;
}

static void divide_scores(scores *s, double by)
{
    s->uas /= by;
    s->las /= by;
    s->clas /= by;
}

static void add_result(cell *c, const result *r)
{
    c->runs++;
    c->any = r;
    add_scores(&c->dev, &r->dev);
    add_scores(&c->test, &r->test);
    add_arcs(&c->arcs, &r->arcs);
    c->breaks.arcs += r->breaks.arcs;
    c->breaks.breaking += r->breaks.breaking;
    c->breaks.gold += r->breaks.gold;
    c->breaks.harmful += r->breaks.harmful;
    c->expense.seconds += r->expense.seconds;
    c->expense.cpu_seconds += r->expense.cpu_seconds;
    c->expense.train_seconds += r->expense.train_seconds;
    c->expense.train_speed += r->expense.train_speed;
    c->expense.parse_speed += r->expense.parse_speed;
    c->expense.peak_mib += r->expense.peak_mib;
}

static double variance(const summary *s, size_t treebank, size_t how, const cell *c)
{
    double squares = 0;
    for (size_t seed = 0; seed < s->plan->n_seeds; seed++) {
        const result *r = results_at(s->results, (run_key){seed, treebank, how});
        if (r) squares += (r->test.las - c->test.las) * (r->test.las - c->test.las);
    }
    return c->runs > 1 ? squares / (double)(c->runs - 1) : NAN;
}

static void fill_cell(summary *s, size_t treebank, size_t how)
{
    cell *c = &s->cells[treebank * s->plan->n_setups + how];
    for (size_t seed = 0; seed < s->plan->n_seeds; seed++) {
        const result *r = results_at(s->results, (run_key){seed, treebank, how});
        if (r) add_result(c, r);
    }
    if (c->runs == 0) return;
    double runs = (double)c->runs;
    divide_scores(&c->dev, runs);
    divide_scores(&c->test, runs);
    c->variance = variance(s, treebank, how, c);
    c->expense.seconds /= runs;
    c->expense.cpu_seconds /= runs;
    c->expense.train_seconds /= runs;
    c->expense.train_speed /= runs;
    c->expense.parse_speed /= runs;
    c->expense.peak_mib /= runs;
    s->made += c->runs;
}

/* ---- significance ---- */

static void pool_scores(dd_sentence_score *pooled, const result *r)
{
    for (size_t i = 0; i < r->n_sentences; i++) {
        pooled[i].words += r->sentences[i].words;
        pooled[i].heads += r->sentences[i].heads;
        pooled[i].labelled += r->sentences[i].labelled;
    }
}

/* The seeds are pooled by adding up the scores of each sentence: a shuffle exchanges a sentence in
 * all seeds at once, as the answers to one sentence are alike whatever the seed. */
contrast summary_contrast(const summary *s, size_t treebank, size_t one, size_t other)
{
    contrast c = {0};
    const cell *first = summary_cell(s, treebank, one);
    size_t n = first->any ? first->any->n_sentences : 0;
    dd_sentence_score *pooled = heap_zeroed(2 * n, sizeof *pooled);
    bool any = false;
    for (size_t seed = 0; seed < s->plan->n_seeds; seed++) {
        const result *a = results_at(s->results, (run_key){seed, treebank, one});
        const result *b = results_at(s->results, (run_key){seed, treebank, other});
        if (!a || !b || a->n_sentences != n || b->n_sentences != n) continue;
        pool_scores(pooled, a);
        pool_scores(pooled + n, b);
        any = true;
    }
    dd_comparison made;
    if (any && dd_compare_scores(&made, pooled, pooled + n, n, SUMMARY_SHUFFLES, SUMMARY_SEED,
                                 NULL) == DD_OK)
        c = (contrast){.known = true,
                       .uas = 100 * (made.uas.one - made.uas.other),
                       .las = 100 * (made.las.one - made.las.other),
                       .p_uas = made.uas.p,
                       .p_las = made.las.p};
    free(pooled);
    return c;
}

static size_t opposite_of(const summary *s, size_t how)
{
    const plan_setup *it = &s->plan->setups[how];
    if (it->oracle != PLAN_DYNAMIC) return NO_SETUP;
    if (strcmp(it->system, "covington") == 0) return summary_find(s, "covington-nm", PLAN_DYNAMIC);
    if (strcmp(it->system, "covington-nm") == 0) return summary_find(s, "covington", PLAN_DYNAMIC);
    return NO_SETUP;
}

static void contrast_cells(summary *s, size_t how)
{
    const plan_setup *it = &s->plan->setups[how];
    size_t basis = summary_find(s, it->system, PLAN_STATIC), opposite = opposite_of(s, how);
    for (size_t t = 0; t < s->plan->n_treebanks; t++) {
        cell *c = &s->cells[t * s->plan->n_setups + how];
        if (basis != NO_SETUP && basis != how) c->to_static = summary_contrast(s, t, how, basis);
        if (opposite != NO_SETUP) c->to_opposite = summary_contrast(s, t, how, opposite);
    }
}

/* ---- the whole ---- */

void summary_make(summary *s, const results *r)
{
    *s = (summary){.results = r, .plan = r->plan};
    s->cells = heap_zeroed(r->plan->n_treebanks * r->plan->n_setups, sizeof *s->cells);
    for (size_t t = 0; t < r->plan->n_treebanks; t++)
        for (size_t how = 0; how < r->plan->n_setups; how++) fill_cell(s, t, how);
    for (size_t how = 0; how < r->plan->n_setups; how++) contrast_cells(s, how);
}

void summary_free(summary *s)
{
    free(s->cells);
    *s = (summary){0};
}

size_t summary_find(const summary *s, const char *system, int oracle)
{
    for (size_t i = 0; i < s->plan->n_setups; i++) {
        const plan_setup *it = &s->plan->setups[i];
        if (strcmp(it->system, system) == 0 && it->oracle == oracle && !it->loss) return i;
    }
    return NO_SETUP;
}

/* ---- means over treebanks ---- */

/* The 97.5 % quantile of Student's t: a table, and behind it the first terms of its expansion at
 * the normal quantile (Fisher and Cornish 1960), which are right to four digits there. */
static double t_quantile(size_t freedom)
{
    static const double table[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060,
                                   2.2622,  2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199,
                                   2.1098,  2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639,
                                   2.0595,  2.0555, 2.0518, 2.0484, 2.0452, 2.0423};
    if (freedom <= sizeof table / sizeof *table) return table[freedom - 1];
    double z = 1.959964, n = (double)freedom;
    return z + (z * z * z + z) / (4 * n) + (5 * pow(z, 5) + 16 * z * z * z + 3 * z) / (96 * n * n);
}

interval interval_of(const double *values, size_t count)
{
    double sum = 0, squares = 0;
    interval i = {.count = count, .mean = NAN, .half = NAN};
    for (size_t k = 0; k < count; k++) sum += values[k];
    if (count > 0) i.mean = sum / (double)count;
    for (size_t k = 0; k < count; k++) squares += (values[k] - i.mean) * (values[k] - i.mean);
    if (count > 1)
        i.half = t_quantile(count - 1) * sqrt(squares / (double)(count - 1) / (double)count);
    return i;
}

interval summary_mean(const summary *s, size_t how, double (*value)(const cell *c))
{
    size_t count = 0;
    double *values = heap_zeroed(s->plan->n_treebanks, sizeof *values);
    for (size_t t = 0; t < s->plan->n_treebanks; t++) {
        const cell *c = summary_cell(s, t, how);
        double v = c->runs > 0 ? value(c) : NAN;
        if (!isnan(v)) values[count++] = v;
    }
    interval i = interval_of(values, count);
    free(values);
    return i;
}

double cell_dev_uas(const cell *c)
{
    return c->dev.uas;
}

double cell_dev_las(const cell *c)
{
    return c->dev.las;
}

double cell_test_uas(const cell *c)
{
    return c->test.uas;
}

double cell_test_las(const cell *c)
{
    return c->test.las;
}

double cell_test_clas(const cell *c)
{
    return c->test.clas;
}

double cell_variance(const cell *c)
{
    return c->variance;
}

double cell_gain_uas(const cell *c)
{
    return c->to_static.known ? c->to_static.uas : NAN;
}

double cell_gain_las(const cell *c)
{
    return c->to_static.known ? c->to_static.las : NAN;
}

double cell_breaking(const cell *c)
{
    return share_of(c->breaks.breaking, c->breaks.arcs);
}

double cell_breaking_gold(const cell *c)
{
    return share_of(c->breaks.gold, c->breaks.breaking);
}

double cell_breaking_harmful(const cell *c)
{
    return share_of(c->breaks.harmful, c->breaks.breaking);
}

double cell_train_speed(const cell *c)
{
    return c->expense.train_speed;
}

double cell_parse_speed(const cell *c)
{
    return c->expense.parse_speed;
}

double cell_peak_memory(const cell *c)
{
    return c->expense.peak_mib;
}

double cell_skipped(const cell *c)
{
    return share_of(c->any->data.skipped, c->any->data.all_sentences);
}

double share_of(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100 * (double)part / (double)whole : NAN;
}
