#include "experiment/report.h"

#include "cmd.h"
#include "experiment/report_parts.h"
#include "heap.h"
#include "message.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

void report_open(output *out, const char *folder, const char *name)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    output_open(out, path);
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool same_iterations(const plan *p)
{
    for (size_t t = 1; t < p->n_treebanks; t++)
        if (p->treebanks[t].iterations != p->treebanks[0].iterations) return false;
    return true;
}

static void write_versions(output *out, const summary *s)
{
    const char *first = NULL;
    for (size_t i = 0; i < plan_size(s->plan); i++) {
        if (!s->results->known[i] || s->results->runs[i].failed) continue;
        const char *version = s->results->runs[i].version;
        if (first && strcmp(first, version) != 0) {
            output_string(out, " several versions of dodona");
            return;
        }
        first = version;
    }
    output_format(out, " dodona %s", first ? first : dd_version());
}

static void write_missing(output *out, const summary *s)
{
    size_t failed = 0;
    for (size_t i = 0; i < plan_size(s->plan); i++)
        failed += s->results->known[i] && s->results->runs[i].failed;
    if (s->made == plan_size(s->plan)) return;
    output_format(out,
                  "\n**Not complete:** there are %zu of %zu runs, and %zu failed. Means are over "
                  "what there is.\n",
                  s->made, plan_size(s->plan), failed);
}

static bool lies_in(const char *dir, const char *name)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return access(path, R_OK) == 0;
}

static void write_head(output *out, const summary *s, const char *dir)
{
    const plan *p = s->plan;
    output_format(out,
                  "<!-- Made by `dodona experiment --report` from the results of %s. -->\n\n"
                  "# Results\n\n"
                  "%zu treebank%s, %zu ways to train, %zu seed%s each: %zu runs of",
                  file_name(p->path), p->n_treebanks, p->n_treebanks == 1 ? "" : "s", p->n_setups,
                  p->n_seeds, p->n_seeds == 1 ? "" : "s", plan_size(p));
    write_versions(out, s);
    if (same_iterations(p)) output_format(out, ", %d iterations", p->treebanks[0].iterations);
    if (p->parser_bytes)
        output_format(out, ", at most %" PRIu64 " bytes of weights", p->parser_bytes);
    if (*p->settings) output_format(out, ", `%s`", p->settings);
    output_format(
        out,
        ". Tokens, sentences and tags are gold; the model is the best iteration on dev. "
        "Greedy parsers, exploration with probability 1. Scores are those of the CoNLL "
        "2018 evaluation: labels without subtypes, punctuation counted; each is the mean "
        "over the seeds. Trees that a system cannot build %scount in the scores like all "
        "others. `dodona experiment %s` makes the runs, and with `--report` this page; "
        "%s explains it. The page has means and a summary; the [files](#files) have every "
        "number.\n",
        strstr(p->settings, "unbuildable=") ? "" : "are skipped in training, but ",
        file_name(p->path),
        lies_in(dir, "experiments.md") ? "[experiments.md](experiments.md)"
                                       : "`man dodona-experiment`");
    write_missing(out, s);
}

static void write_files(output *out)
{
    output_string(
        out, "\n## Files\n\n"
             "| file | one line per | content |\n|---|---|---|\n"
             "| [means.csv](results/means.csv) | system and oracle | the means above for all "
             "oracles, with precision and recall by arcs, time and memory |\n"
             "| [treebanks.csv](results/treebanks.csv) | treebank | size, non-projective sentences "
             "and arcs of the training file, and which system wins |\n"
             "| [scores.csv](results/scores.csv) | treebank, system and oracle | means over the "
             "seeds; gains over the static oracle, and between the dynamic oracles of covington "
             "and covington-nm (*opposite*), with p |\n"
             "| [runs.csv](results/runs.csv) | run | scores, time and memory |\n"
             "| [curves.csv](results/curves.csv) | run and iteration | UAS and LAS on dev |\n"
             "| [arcs.csv](results/arcs.csv) | treebank, system, oracle and class of arcs | counts "
             "of gold and parsed arcs, and how many are right |\n"
             "| [nonmonotonic.csv](results/nonmonotonic.csv) | treebank, system and oracle | arc "
             "transitions that removed an arc |\n");
}

static int write_page(const summary *s, const char *dir)
{
    output out;
    report_open(&out, dir, "results.md");
    write_head(&out, s, dir);
    report_means(&out, s);
    report_gains(&out, s);
    report_covington(&out, s);
    report_best(&out, s);
    report_lengths(&out, s);
    report_projectivity(&out, s);
    report_breaks(&out, s);
    report_costs(&out, s);
    write_files(&out);
    return output_close(&out);
}

static bool make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

int report_write(const results *r, const char *dir)
{
    summary s;
    char folder[PATH_SIZE];
    if (strlen(dir) > PATH_SIZE - 64) {
        say("%s: %s", dir, strerror(ENAMETOOLONG));
        return STATUS_PROBLEM;
    }
    snprintf(folder, sizeof folder, "%s/results", dir);
    if (!make_folder(dir) || !make_folder(folder)) {
        say("%s: %s", dir, strerror(errno));
        return STATUS_PROBLEM;
    }
    summary_make(&s, r);
    int status = write_page(&s, dir);
    if (status == STATUS_OK) status = report_csv(&s, folder);
    if (status == STATUS_OK) status = report_plots(&s, folder);
    summary_free(&s);
    return status;
}

/* ---- shared ---- */

void report_number(output *out, double value, int digits)
{
    if (isnan(value))
        output_string(out, "–");
    else
        output_format(out, "%.*f", digits, value);
}

void report_row(output *out, const plan_setup *how)
{
    char oracle[SETUP_NAME_SIZE];
    setup_oracle_name(how, oracle);
    output_format(out, "| %s | %s ", how->system, oracle);
}

bool report_begins_system(const plan *p, size_t how)
{
    for (size_t i = 0; i < how; i++)
        if (strcmp(p->setups[i].system, p->setups[how].system) == 0) return false;
    return true;
}

bool report_leads_system(const summary *s, size_t how)
{
    const char *system = s->plan->setups[how].system;
    double mean = summary_mean(s, how, cell_dev_las).mean;
    for (size_t other = 0; other < s->plan->n_setups; other++) {
        if (other == how || strcmp(s->plan->setups[other].system, system) != 0) continue;
        double its = summary_mean(s, other, cell_dev_las).mean;
        if (its > mean || (its == mean && other < how)) return false;
    }
    return !isnan(mean);
}

double report_curve(const summary *s, size_t how, size_t iteration)
{
    double sum = 0;
    size_t count = 0;
    for (size_t t = 0; t < s->plan->n_treebanks; t++) {
        for (size_t seed = 0; seed < s->plan->n_seeds; seed++) {
            const result *r = results_at(s->results, (run_key){seed, t, how});
            if (!r) continue;
            if (iteration > r->n_curve) return NAN;
            sum += r->curve[iteration - 1].las;
            count++;
        }
    }
    return count > 0 ? sum / (double)count : NAN;
}
