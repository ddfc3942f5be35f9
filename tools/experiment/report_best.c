/* report_best.c - which setup wins where, and what the treebanks are */
#include "experiment/report_parts.h"

#include "heap.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The training file is the same for all setups; any result tells. NULL: there is none. */
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

void report_treebanks(output *out, const summary *s)
{
    output_string(out, "\n## The treebanks\n\n"
                       "| treebank | training sentences | words | non-projective sentences | "
                       "non-projective arcs | iterations |\n|---|--:|--:|--:|--:|--:|\n");
    for (size_t t = 0; t < s->plan->n_treebanks; t++) {
        const training_data *d = data_of(s, t);
        output_format(out, "| %s ", s->plan->treebanks[t].code);
        if (d)
            output_format(out, "| %" PRIu64 " | %" PRIu64 " | %.2f %% | %.2f %% ", d->all_sentences,
                          d->all_words, share_of(d->nonprojective_sentences, d->all_sentences),
                          share_of(d->nonprojective_arcs, d->all_words));
        else
            output_string(out, "| – | – | – | – ");
        output_format(out, "| %d |\n", s->plan->treebanks[t].iterations);
    }
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
        if (group_mean(s, other, g, dev) > mean) return false;
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
                  "\nMean LAS, on dev and on test, of the treebanks with so many "
                  "non-projective training sentences; the best in bold:\n\n| system | oracle ");
    for (int g = 0; g < GROUPS; g++) {
        size_t count = 0;
        for (size_t t = 0; t < s->plan->n_treebanks; t++) count += is_in(s, t, &groups[g]);
        output_format(out, "| %s (%zu): dev | test ", groups[g].name, count);
    }
    output_string(out, "|\n|---|---|--:|--:|--:|--:|--:|--:|\n");
    for (size_t how = 0; how < s->plan->n_setups; how++) write_group_row(out, s, how);
}

void report_best(output *out, const summary *s)
{
    output_string(out, "\n## Which system and oracle win\n\n"
                       "The best of each treebank is chosen on dev, LAS; *ahead* is by how much it "
                       "leads there over the best setup of any other system. Treebanks with few "
                       "non-projective sentences come first.\n\n"
                       "| treebank | % non-projective | system | oracle | dev LAS | test LAS | "
                       "next system | ahead |\n|---|--:|---|---|--:|--:|---|--:|\n");
    size_t *order = sorted(s);
    for (size_t i = 0; i < s->plan->n_treebanks; i++) write_winner(out, s, order[i]);
    free(order);
    write_groups(out, s);
}
