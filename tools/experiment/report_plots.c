/* report_plots.c - what the charts show */
#include "cmd.h"
#include "experiment/chart.h"
#include "experiment/report_parts.h"
#include "heap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- systems and oracles of the plan, each once ---- */

typedef struct axes {
    const char **systems; /* [n_systems] */
    char **oracles;       /* [n_oracles] with the loss, as the legend has them */
    size_t n_systems, n_oracles;
} axes;

static void find_oracle(axes *a, const char *name)
{
    for (size_t i = 0; i < a->n_oracles; i++)
        if (strcmp(a->oracles[i], name) == 0) return;
    if (a->n_oracles < CHART_MOST_SERIES)
        a->oracles[a->n_oracles++] = heap_copy(name, strlen(name));
}

static void axes_make(axes *a, const plan *p)
{
    *a = (axes){.systems = heap_zeroed(p->n_setups, sizeof *a->systems),
                .oracles = heap_zeroed(CHART_MOST_SERIES, sizeof *a->oracles)};
    for (size_t how = 0; how < p->n_setups; how++) {
        char name[SETUP_NAME_SIZE];
        setup_oracle_name(&p->setups[how], name);
        find_oracle(a, name);
        if (report_begins_system(p, how)) a->systems[a->n_systems++] = p->setups[how].system;
    }
}

static void axes_free(axes *a)
{
    for (size_t i = 0; i < a->n_oracles; i++) free(a->oracles[i]);
    free(a->oracles);
    free(a->systems);
}

/* NO_SETUP: there is none. */
static size_t setup_at(const plan *p, const axes *a, size_t system, size_t oracle)
{
    for (size_t how = 0; how < p->n_setups; how++) {
        char name[SETUP_NAME_SIZE];
        setup_oracle_name(&p->setups[how], name);
        if (strcmp(p->setups[how].system, a->systems[system]) == 0 &&
            strcmp(name, a->oracles[oracle]) == 0)
            return how;
    }
    return NO_SETUP;
}

/* ---- charts ---- */

static int save(const chart *c, const char *folder, const char *name)
{
    output out;
    report_open(&out, folder, name);
    chart_write(&out, c);
    return output_close(&out);
}

static void free_panels(chart_panel *panels, size_t count)
{
    for (size_t p = 0; p < count; p++)
        for (size_t i = 0; i < CHART_MOST_SERIES; i++) free(panels[p].series[i].y);
    free(panels);
}

static int plot_accuracy(const summary *s, const axes *a, const char *folder)
{
    chart_panel *panel = heap_zeroed(1, sizeof *panel);
    panel->title = "";
    for (size_t o = 0; o < a->n_oracles; o++) {
        panel->series[o].y = heap_zeroed(a->n_systems, sizeof(double));
        for (size_t i = 0; i < a->n_systems; i++) {
            size_t how = setup_at(s->plan, a, i, o);
            panel->series[o].y[i] =
                how == NO_SETUP ? NAN : summary_mean(s, how, cell_test_las).mean;
        }
    }
    chart c = {.title = "Accuracy by system and oracle",
               .x_title = "",
               .y_title = "LAS on test, mean over treebanks",
               .x_names = a->systems,
               .n_x = a->n_systems,
               .names = (const char *const *)a->oracles,
               .n_series = a->n_oracles,
               .panels = panel,
               .n_panels = 1,
               .columns = 1,
               .panel_width = 720};
    int status = save(&c, folder, "accuracy.svg");
    free_panels(panel, 1);
    return status;
}

/* A panel for each system with a line for each oracle. */
static int plot_systems(const summary *s, const axes *a, const char *folder, const char *name,
                        chart c, double (*value)(const summary *s, size_t how, size_t x))
{
    chart_panel *panels = heap_zeroed(a->n_systems, sizeof *panels);
    for (size_t i = 0; i < a->n_systems; i++) {
        panels[i].title = a->systems[i];
        for (size_t o = 0; o < a->n_oracles; o++) {
            size_t how = setup_at(s->plan, a, i, o);
            panels[i].series[o].y = heap_zeroed(c.n_x, sizeof(double));
            for (size_t x = 0; x < c.n_x; x++)
                panels[i].series[o].y[x] = how == NO_SETUP ? NAN : value(s, how, x);
        }
    }
    c.names = (const char *const *)a->oracles;
    c.n_series = a->n_oracles;
    c.panels = panels;
    c.n_panels = a->n_systems;
    c.columns = a->n_systems < 4 ? a->n_systems : 4;
    c.panel_width = 190;
    c.lines = true;
    int status = save(&c, folder, name);
    free_panels(panels, a->n_systems);
    return status;
}

static double precision_at(const summary *s, size_t how, size_t x)
{
    return report_precision(s, how, class_of_lengths, &length_classes[x]);
}

static int plot_lengths(const summary *s, const axes *a, const char *folder)
{
    const char *names[LENGTH_CLASSES];
    for (int i = 0; i < LENGTH_CLASSES; i++) names[i] = length_classes[i].name;
    chart c = {.title = "Precision by length of arcs",
               .x_title = "length",
               .y_title = "right heads, per cent, on test, mean over treebanks",
               .x_names = names,
               .n_x = LENGTH_CLASSES};
    return plot_systems(s, a, folder, "lengths.svg", c, precision_at);
}

static double curve_at(const summary *s, size_t how, size_t x)
{
    return report_curve(s, how, x + 1);
}

static int plot_curves(const summary *s, const axes *a, const char *folder)
{
    int iterations = 0;
    for (size_t t = 0; t < s->plan->n_treebanks; t++)
        if (s->plan->treebanks[t].iterations > iterations)
            iterations = s->plan->treebanks[t].iterations;
    chart c = {.title = "Learning curves",
               .x_title = "iteration",
               .y_title = "LAS on dev, full labels, mean over treebanks",
               .n_x = (size_t)iterations};
    return plot_systems(s, a, folder, "curves.svg", c, curve_at);
}

int report_plots(const summary *s, const char *folder)
{
    axes a;
    axes_make(&a, s->plan);
    int status = plot_accuracy(s, &a, folder);
    if (status == STATUS_OK) status = plot_lengths(s, &a, folder);
    if (status == STATUS_OK) status = plot_curves(s, &a, folder);
    axes_free(&a);
    return status;
}
