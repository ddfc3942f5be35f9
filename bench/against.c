/* against.c - models against each other: words a second on the same file, in turns
 *
 *     against FILE MODEL...
 *
 * Reading and writing are included. Ratios are to the first model. For neural models it also prints
 * the multiply-adds of a word whose part of the first layer is remembered, and the time that they
 * take relative to the fastest that the kernel can go. It looks inside the model, so it is built
 * against the internal headers. */
#include "model/image.h"
#include "model/model.h"
#include "neural/frozen.h"
#include "times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { RUNS = 7, MOST_MODELS = 16 };

typedef struct contestant {
    const char *path;
    dd_model *model;
    double load, one[RUNS], two[RUNS]; /* seconds */
    double words;
} contestant;

static void check(dd_status status, const dd_error *error)
{
    if (status == DD_OK) return;
    fprintf(stderr, "against: %s\n", error->message);
    exit(1);
}

static void load(contestant *c)
{
    dd_error error;
    double start = now();
    check(dd_model_load(&c->model, c->path, &error), &error);
    c->load = now() - start;
}

static double parse(contestant *c, const char *path, int threads)
{
    dd_reader *reader;
    dd_writer *writer;
    dd_parse_options options;
    dd_parse_report report;
    dd_error error;
    dd_parse_options_init(&options);
    dd_parse_report_init(&report, c->model);
    options.threads = threads;
    double start = now();
    check(dd_reader_open(&reader, path, DD_FORMAT_AUTO, &error), &error);
    check(dd_writer_open(&writer, "/dev/null", &error), &error);
    check(dd_parse_stream(c->model, reader, writer, &options, &report, &error), &error);
    check(dd_writer_close(writer, &error), &error);
    dd_reader_close(reader);
    c->words = (double)report.words;
    return now() - start;
}

/* ---- neural models ------------------------------------------------------------------------ */

static bool find_network(const contestant *c, dd_frozen *frozen)
{
    dd_sections sections;
    dd_text network, vectors = {0};
    dd_image_list(c->model->image, &sections);
    dd_sections_find(&sections, "vectors", &vectors);
    return dd_sections_find(&sections, "network", &network) &&
           dd_frozen_map(frozen, network, vectors, NULL) == DD_OK;
}

/* Of a word in a text: products with its inputs are kept. */
static double multiply_adds(const dd_frozen *f)
{
    double sum = 0;
    for (int i = f->parts.layers[0]; i <= f->parts.slots; i++) {
        const dd_part *part = &f->parts.list.all[i];
        const dd_frozen_matrix *matrix = &f->arrays[i].matrix;
        if (part->kind == DD_PART_MATRIX && part->met != DD_MET_INPUTS)
            sum += (double)matrix->rows * (double)matrix->columns;
    }
    return sum;
}

/* Multiply-adds a second of the kernel, for as many rows as a batch has. */
static double measure_peak(void)
{
    enum { ROWS = 64, COLUMNS = 512, DEPTH = 256, TIMES = 200 };
    static uint8_t a[ROWS * DEPTH];
    static int8_t w[DEPTH * COLUMNS];
    static int32_t c[ROWS * COLUMNS];
    const dd_kernels *kernels = dd_kernels_best();
    double best = 0;
    memset(a, 100, sizeof a);
    memset(w, 3, sizeof w);
    for (int run = 0; run < RUNS; run++) {
        double start = now();
        for (int i = 0; i < TIMES; i++)
            kernels->dense(ROWS, COLUMNS, DEPTH, a, DEPTH, w, c, COLUMNS);
        double speed = (double)TIMES * ROWS * COLUMNS * DEPTH / (now() - start);
        if (speed > best) best = speed;
    }
    return best;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static void print(const contestant *c, const contestant *first, double peak)
{
    struct stat file;
    dd_frozen frozen = {0};
    if (stat(c->path, &file) != 0) exit(1);
    double one = median(c->one, RUNS), two = median(c->two, RUNS);
    printf("%-24.24s %8.0f w/s %6.3f %8.0f w/s %6.2f %6.1f MB %6.1f ms", c->path, c->words / one,
           median(first->one, RUNS) / one, c->words / two, one / two, (double)file.st_size / 1e6,
           1e3 * c->load);
    if (find_network(c, &frozen)) {
        double products = multiply_adds(&frozen);
        printf(" %6.0f k %6.2f", products / 1e3, one / (c->words * products / peak));
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    contestant all[MOST_MODELS] = {0};
    int count = argc - 2;
    if (count < 1 || count > MOST_MODELS) {
        fprintf(stderr, "usage: against FILE MODEL...\n");
        return 2;
    }
    for (int i = 0; i < count; i++) {
        all[i].path = argv[2 + i];
        load(&all[i]);
        parse(&all[i], argv[1], 1);
    }
    for (int run = 0; run < RUNS; run++)
        for (int i = 0; i < count; i++) {
            all[i].one[run] = parse(&all[i], argv[1], 1);
            all[i].two[run] = parse(&all[i], argv[1], 2);
        }
    double peak = measure_peak();
    printf("%.0f words of %s, median of %d; kernels %s: %.0f G multiply-adds/s\n", all[0].words,
           argv[1], RUNS, dd_kernels_best()->name, peak / 1e9);
    printf("%-24s %12s %6s %12s %6s %9s %9s %8s %6s\n", "model", "1 thread", "ratio", "2 threads",
           "ratio", "size", "load", "m-adds", "/floor");
    for (int i = 0; i < count; i++) {
        print(&all[i], &all[0], peak);
        dd_model_free(all[i].model);
    }
    return 0;
}
