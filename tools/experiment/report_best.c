/* report_best.c - which setup wins where, and what the treebanks are */
#include "experiment/report_parts.h"

#include "heap.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The training file is the same for all setups, so any result will do. NULL: there is none. */
static const training_data *data_of(const summary *s, size_t treebank)
{
    for (size_t how = 0; how < s->plan->n_setups; how++) {
        const cell *c = summary_cell(s, treebank, how);
        if (c->runs > 0) return &c->any->data;
    }
    return NULL;
}

static double nonprojectivity(const summary *s, size_t treebank)
{
    const training_data *d = data_of(s, treebank);
    return d ? share_of(d->nonprojective_sentences, d->all_sentences) : NAN;
}

/* Treebanks with the least non-projective ones first, those without results last. */
static size_t *sorted(const summary *s)
{
    size_t n = s->plan->n_treebanks;
    size_t *order = heap_zeroed(n, sizeof *order);
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        double share = nonprojectivity(s, i);
        for (; at > 0; at--) {
            double before = nonprojectivity(s, order[at - 1]);
            if (isnan(share) || before <= share) break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    return order;
}

/* The best setup on dev; if `except` is one, the best of other systems than its. NO_SETUP: none. */
static size_t best_setup(const summary *s, size_t treebank, size_t except)
{
    size_t best = NO_SETUP;
    for (size_t how = 0; how < s->plan->n_setups; how++) {
        const cell *c = summary_cell(s, treebank, how);
        if (c->runs == 0) continue;
        if (except != NO_SETUP &&
            strcmp(s->plan->setups[how].system, s->plan->setups[except].system) == 0)
            continue;
        if (best == NO_SETUP || c->dev.las > summary_cell(s, treebank, best)->dev.las) best = how;
    }
    return best;
}

static void write_winner(output *out, const summary *s, size_t treebank)
{
    size_t best = best_setup(s, treebank, NO_SETUP);
    output_format(out, "| %s | ", s->plan->treebanks[treebank].code);
    report_number(out, nonprojectivity(s, treebank), 2);
    output_string(out, " ");
    if (best == NO_SETUP) {
        output_string(out, "| – | – | – | – | – | – |\n");
        return;
    }
    const cell *first = summary_cell(s, treebank, best);
    report_row(out, &s->plan->setups[best]);
    output_format(out, "| %.2f | %.2f ", first->dev.las, first->test.las);
    size_t second = best_setup(s, treebank, best);
    if (second == NO_SETUP) {
        output_string(out, "| – | – |\n");
        return;
    }
    output_format(out, "| %s | %+.2f |\n", s->plan->setups[second].system,
                  first->dev.las - summary_cell(s, treebank, second)->dev.las);
}

/* ---- groups of treebanks ---- */

typedef struct group {
    const char *name;
    double from, to; /* per cent of non-projective training sentences */
} group;

static const group groups[] = {{"below 5 %", 0, 5}, {"5 to 15 %", 5, 15}, {"above 15 %", 15, 101}};
enum { GROUPS = 3 };

static bool is_in(const summary *s, size_t treebank, const group *g)
{
    double share = nonprojectivity(s, treebank);
    return share >= g->from && share < g->to;
}

static double group_mean(const summary *s, size_t how, const group *g, bool dev)
{
    double sum = 0;
    size_t count = 0;
    for (size_t t = 0; t < s->plan->n_treebanks; t++) {
        const cell *c = summary_cell(s, t, how);
        if (c->runs == 0 || !is_in(s, t, g)) continue;
        sum += dev ? c->dev.las : c->test.las;
        count++;
    }
    return count > 0 ? sum / (double)count : NAN;
}

static bool is_best(const summary *s, size_t how, const group *g, bool dev)
{
    double mean = group_mean(s, how, g, dev);
    for (size_t other = 0; other < s->plan->n_setups; other++)
        if (report_leads_system(s, other) && group_mean(s, other, g, dev) > mean) return false;
    return !isnan(mean);
}

static void write_group_row(output *out, const summary *s, size_t how)
{
    report_row(out, &s->plan->setups[how]);
    for (int column = 0; column < 2 * GROUPS; column++) {
        const group *g = &groups[column / 2];
        bool dev = column % 2 == 0;
        const char *bold = is_best(s, how, g, dev) ? "**" : "";
        output_format(out, "| %s", bold);
        report_number(out, group_mean(s, how, g, dev), 2);
        output_format(out, "%s ", bold);
    }
    output_string(out, "|\n");
}

static void write_groups(output *out, const summary *s)
{
    output_string(out,
                  "\nMean LAS on dev and on test, for treebanks grouped by the share of "
                  "non-projective training sentences; each system with the oracle that has the "
                  "best mean on dev; the best in bold:\n\n| system | oracle ");
    for (int g = 0; g < GROUPS; g++) {
        size_t count = 0;
        for (size_t t = 0; t < s->plan->n_treebanks; t++) count += is_in(s, t, &groups[g]);
        output_format(out, "| %s (%zu): dev | test ", groups[g].name, count);
    }
    output_string(out, "|\n|---|---|--:|--:|--:|--:|--:|--:|\n");
    for (size_t how = 0; how < s->plan->n_setups; how++)
        if (report_leads_system(s, how)) write_group_row(out, s, how);
}

void report_best(output *out, const summary *s)
{
    output_string(out,
                  "\n## Which system and oracle win\n\n"
                  "The best for each treebank is chosen by LAS on dev; *ahead* is its lead there "
                  "over the best of any other system. Treebanks with few non-projective "
                  "sentences come first.\n\n"
                  "| treebank | % non-projective | system | oracle | dev LAS | test LAS | "
                  "next system | ahead |\n|---|--:|---|---|--:|--:|---|--:|\n");
    size_t *order = sorted(s);
    for (size_t i = 0; i < s->plan->n_treebanks; i++) write_winner(out, s, order[i]);
    free(order);
    write_groups(out, s);
}

/* ---- for other programs ---- */

static void csv_winner(output *out, const summary *s, size_t treebank)
{
    size_t best = best_setup(s, treebank, NO_SETUP);
    if (best == NO_SETUP) {
        output_string(out, ",,,,,,,");
        return;
    }
    const plan_setup *it = &s->plan->setups[best];
    const cell *first = summary_cell(s, treebank, best);
    output_format(out, ",%s,%s,%s", it->system, plan_oracles[it->oracle], it->loss ? it->loss : "");
    report_csv_number(out, first->dev.las, 4);
    report_csv_number(out, first->test.las, 4);
    size_t second = best_setup(s, treebank, best);
    output_format(out, ",%s", second == NO_SETUP ? "" : s->plan->setups[second].system);
    report_csv_number(
        out, second == NO_SETUP ? NAN : first->dev.las - summary_cell(s, treebank, second)->dev.las,
        4);
}

int report_csv_treebanks(const summary *s, const char *folder)
{
    output out;
    report_open(&out, folder, "treebanks.csv");
    output_string(&out, "treebank,iterations,sentences,words,nonprojective_sentences,"
                        "nonprojective_arcs,system,oracle,loss,dev_las,test_las,next_system,"
                        "ahead\n");
    for (size_t t = 0; t < s->plan->n_treebanks; t++) {
        const training_data *d = data_of(s, t);
        output_format(&out, "%s,%d", s->plan->treebanks[t].code, s->plan->treebanks[t].iterations);
        if (d) {
            report_csv_count(&out, d->all_sentences);
            report_csv_count(&out, d->all_words);
            report_csv_count(&out, d->nonprojective_sentences);
            report_csv_count(&out, d->nonprojective_arcs);
        } else {
            output_string(&out, ",,,,");
        }
        csv_winner(&out, s, t);
        output_string(&out, "\n");
    }
    return output_close(&out);
}
