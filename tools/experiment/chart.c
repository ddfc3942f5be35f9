#include "experiment/chart.h"

#include <math.h>
#include <string.h>

enum {
    PANEL_HEIGHT = 180,
    LEFT = 48,    /* of a panel's frame, for the numbers of the y axis */
    TOP = 26,     /* of a panel's frame, for its title */
    BOTTOM = 40,  /* for the names of the x axis */
    HEADING = 34, /* of the whole */
    LEGEND = 30,
    GAP = 14,
    TICKS = 5,   /* about */
    BESIDE = 10, /* from point to point of one x where they are not joined, so that all are seen */
};

/* Colours that also people with colour-blindness tell apart (Okabe and Ito 2008). */
static const char *const colours[CHART_MOST_SERIES] = {"#0072B2", "#E69F00", "#D55E00", "#009E73",
                                                       "#CC79A7", "#56B4E9", "#000000", "#999933"};
static const char *const dashes[CHART_MOST_SERIES] = {"6 3", "2 2", "", "", "8 2 2 2", "", "", ""};

typedef struct scale {
    double low, high, step;
} scale;

typedef struct frame {
    const chart *chart;
    scale y;
    double left, top, width, height; /* of the panel's inside */
} frame;

static void escaped(output *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            output_string(out, "&lt;");
        else if (*text == '>')
            output_string(out, "&gt;");
        else if (*text == '&')
            output_string(out, "&amp;");
        else
            output_bytes(out, text, 1);
    }
}

static void label(output *out, double x, double y, const char *class, const char *text)
{
    output_format(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
    escaped(out, text);
    output_string(out, "</text>\n");
}

/* ---- the y axis ---- */

/* 1, 2 or 5 times a power of ten. */
static double round_step(double raw)
{
    double power = pow(10, floor(log10(raw)));
    double lead = raw / power;
    return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

static scale find_scale(const chart *c)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t p = 0; p < c->n_panels; p++)
        for (size_t s = 0; s < c->n_series; s++)
            for (size_t x = 0; c->panels[p].series[s].y && x < c->n_x; x++) {
                double y = c->panels[p].series[s].y[x];
                if (isnan(y)) continue;
                low = fmin(low, y);
                high = fmax(high, y);
            }
    if (low > high) return (scale){0, 1, 0.2};
    if (high - low < 1e-6) high = low + 1;
    double step = round_step((high - low) / TICKS);
    return (scale){step * floor(low / step), step * ceil(high / step), step};
}

static double place_x(const frame *f, size_t x)
{
    double unit = f->width / (double)f->chart->n_x;
    return f->left + unit * ((double)x + 0.5);
}

static double place_y(const frame *f, double y)
{
    return f->top + f->height * (f->y.high - y) / (f->y.high - f->y.low);
}

static void draw_y_axis(output *out, const frame *f)
{
    int digits = f->y.step < 0.1 ? 2 : f->y.step < 1 ? 1 : 0;
    int ticks = (int)round((f->y.high - f->y.low) / f->y.step);
    for (int k = 0; k <= ticks; k++) {
        double value = f->y.low + k * f->y.step, y = place_y(f, value);
        output_format(out, "<path class=\"grid\" d=\"M%.1f %.1fh%.1f\"/>\n", f->left, y, f->width);
        output_format(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"tick end\">%.*f</text>\n",
                      f->left - 5, y + 3.5, digits, value);
    }
}

/* Not more names than there is room for. */
static void draw_x_axis(output *out, const frame *f)
{
    const chart *c = f->chart;
    size_t widest = 2, every = 1;
    for (size_t x = 0; c->x_names && x < c->n_x; x++)
        if (strlen(c->x_names[x]) > widest) widest = strlen(c->x_names[x]);
    double unit = f->width / (double)c->n_x, needed = 6.0 * (double)widest + 4;
    while (unit * (double)every < needed) every++;
    for (size_t x = every - 1; x < c->n_x; x += every) {
        double at = place_x(f, x), y = f->top + f->height + 14;
        if (c->x_names)
            label(out, at, y, "tick middle", c->x_names[x]);
        else
            output_format(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"tick middle\">%zu</text>\n", at,
                          y, x + 1);
    }
    label(out, f->left + f->width / 2, f->top + f->height + 30, "axis middle", c->x_title);
}

/* ---- the series ---- */

static void draw_marker(output *out, size_t s, double x, double y)
{
    static const char *const shapes[] = {"m-3.5 -3.5h7v7h-7z", "m0 -4.5l4.2 7.5h-8.4z",
                                         "m-3.8 0a3.8 3.8 0 1 0 7.6 0a3.8 3.8 0 1 0 -7.6 0z",
                                         "m0 -4.5l4.5 4.5l-4.5 4.5l-4.5 -4.5z"};
    output_format(out, "<path fill=\"%s\" d=\"M%.1f %.1f%s\"/>\n", colours[s], x, y,
                  shapes[s % (sizeof shapes / sizeof *shapes)]);
}

static void draw_line(output *out, const frame *f, size_t s, const double *y)
{
    bool pen_down = false;
    output_format(out, "<path class=\"line\" stroke=\"%s\" stroke-dasharray=\"%s\" d=\"",
                  colours[s], dashes[s]);
    for (size_t x = 0; x < f->chart->n_x; x++) {
        if (!isnan(y[x]))
            output_format(out, "%c%.1f %.1f", pen_down ? 'L' : 'M', place_x(f, x),
                          place_y(f, y[x]));
        pen_down = !isnan(y[x]);
    }
    output_string(out, "\"/>\n");
}

static bool is_empty(const double *y, size_t count)
{
    for (size_t x = 0; y && x < count; x++)
        if (!isnan(y[x])) return false;
    return true;
}

static void draw_panel(output *out, const frame *f, const chart_panel *panel)
{
    const chart *c = f->chart;
    label(out, f->left, f->top - 8, "panel", panel->title);
    draw_y_axis(out, f);
    draw_x_axis(out, f);
    for (size_t s = 0; s < c->n_series; s++) {
        const double *y = panel->series[s].y;
        if (is_empty(y, c->n_x)) continue;
        if (c->lines) draw_line(out, f, s, y);
        double aside = c->lines ? 0 : BESIDE * ((double)s - (double)(c->n_series - 1) / 2);
        for (size_t x = 0; x < c->n_x; x++)
            if (!isnan(y[x])) draw_marker(out, s, place_x(f, x) + aside, place_y(f, y[x]));
    }
}

static void draw_legend(output *out, const chart *c, double y)
{
    double x = LEFT;
    for (size_t s = 0; s < c->n_series; s++) {
        draw_marker(out, s, x, y - 4);
        label(out, x + 9, y, "tick", c->names[s]);
        x += 9 + 6.6 * (double)strlen(c->names[s]) + 18;
    }
}

/* Of texts in these sizes, rather too wide: the font is not known. */
static int heading_width(const chart *c)
{
    return (int)(9.0 * (double)strlen(c->title) + 6.6 * (double)strlen(c->y_title)) + 3 * GAP;
}

static int legend_width(const chart *c)
{
    double width = LEFT;
    for (size_t s = 0; s < c->n_series; s++) width += 9 + 6.6 * (double)strlen(c->names[s]) + 18;
    return (int)width;
}

/* A single panel is narrower than what stands above and below it. */
static int chart_width(const chart *c, int panels)
{
    int width = panels > heading_width(c) ? panels : heading_width(c);
    return width > legend_width(c) ? width : legend_width(c);
}

void chart_write(output *out, const chart *c)
{
    size_t rows = (c->n_panels + c->columns - 1) / c->columns;
    int wide = LEFT + c->panel_width + GAP, high = TOP + PANEL_HEIGHT + BOTTOM;
    int width = chart_width(c, (int)c->columns * wide + GAP);
    int height = HEADING + (int)rows * high + LEGEND;
    output_format(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                  "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n"
                  "<style>.title{font-size:14px;font-weight:bold}.panel{font-size:12px;"
                  "font-weight:bold}.axis{font-size:11px}.tick{font-size:10px}"
                  ".end{text-anchor:end}.middle{text-anchor:middle}.grid{stroke:#ddd;fill:none}"
                  ".line{fill:none;stroke-width:1.5}</style>\n"
                  "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
                  width, height, width, height, width, height);
    output_string(out, "<title>");
    escaped(out, c->title);
    output_string(out, "</title>\n");
    label(out, GAP, 20, "title", c->title);
    for (size_t p = 0; p < c->n_panels; p++) {
        frame f = {.chart = c, .y = find_scale(c), .width = c->panel_width, .height = PANEL_HEIGHT};
        f.left = (double)(p % c->columns) * wide + LEFT;
        f.top = HEADING + (double)(p / c->columns) * high + TOP;
        draw_panel(out, &f, &c->panels[p]);
    }
    label(out, width - GAP, 20, "axis end", c->y_title);
    draw_legend(out, c, height - 10);
    output_string(out, "</svg>\n");
}
