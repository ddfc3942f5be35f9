/* chart.h - plots as SVG: panels side by side that share their axes, and one legend */
#ifndef EXPERIMENT_CHART_H
#define EXPERIMENT_CHART_H

#include "output.h"

enum { CHART_MOST_SERIES = 8 };

typedef struct chart_series {
    double *y; /* [n_x] NAN: nothing there */
} chart_series;

typedef struct chart_panel {
    const char *title;
    chart_series series[CHART_MOST_SERIES]; /* in the order of the legend */
} chart_panel;

typedef struct chart {
    const char *title, *x_title, *y_title;
    const char *const *x_names; /* [n_x] NULL: 1, 2, 3, .. */
    size_t n_x;
    const char *const *names; /* [n_series] the legend */
    size_t n_series;
    const chart_panel *panels; /* [n_panels] */
    size_t n_panels, columns;
    int panel_width;
    bool lines; /* join the points of a series */
} chart;

void chart_write(output *out, const chart *c);

#endif
