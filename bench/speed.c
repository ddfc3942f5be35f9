/* speed.c - parsing: optimised against plain code, growth with the length of sentences, start-up,
 * and a floor
 *
 *     speed TRAIN DEV [ITERATIONS [SYSTEM]...]
 *
 * Whatever is compared takes turns in one process, and medians are printed. It looks inside the
 * model, so it is built against the internal headers. */
#include "core/random.h"
#include "kernels/kernels.h"
#include "model/image.h"
#include "parse/parser.h"
#include "times.h"

#include <dodona_tools.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RUNS = 7, LENGTHS = 4, SHORTEST = 2500, SEARCH_LENGTH = 250, ACCESSES = 4000000 };

static void *must(void *made)
{
    if (!made) exit(1);
    return made;
}

static void check(dd_status status, const dd_error *error)
{
    if (status == DD_OK) return;
    fprintf(stderr, "speed: %s\n", error->message);
    exit(1);
}

static dd_text read_file(const char *path)
{
    FILE *file = must(fopen(path, "rb"));
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *bytes = must(malloc(size + 1));
    if (fread(bytes, 1, size, file) != size) exit(1);
    fclose(file);
    return (dd_text){bytes, size};
}

/* Seconds to read, parse and write it; *words gets their number. */
static double parse(const dd_model *model, dd_text text, double *words)
{
    dd_reader *reader;
    dd_writer *writer;
    dd_error error;
    dd_parse_options options;
    dd_parse_report report;
    dd_parse_options_init(&options);
    dd_parse_report_init(&report, model);
    double start = now();
    check(dd_reader_open_memory(&reader, "text", text, DD_FORMAT_CONLLU, &error), &error);
    check(dd_writer_open(&writer, "/dev/null", &error), &error);
    check(dd_parse_stream(model, reader, writer, &options, &report, &error), &error);
    check(dd_writer_close(writer, &error), &error);
    dd_reader_close(reader);
    *words = (double)report.words;
    return now() - start;
}

/* ---- growth ---- */

/* One sentence of `length` words, made of the words of the file one behind the other. */
static dd_text make_sentence(dd_text file, int length)
{
    dd_buffer out = {0};
    dd_reader *reader = NULL;
    dd_sentence *sentence;
    dd_error error;
    check(dd_sentence_new(&sentence, &error), &error);
    for (int made = 0; made < length;) {
        if (!reader)
            check(dd_reader_open_memory(&reader, "text", file, DD_FORMAT_CONLLU, &error), &error);
        if (dd_reader_next(reader, sentence, &error) != DD_OK) {
            dd_reader_close(reader);
            reader = NULL;
            continue;
        }
        for (int word = 1; word <= dd_sentence_size(sentence) && made < length; word++) {
            dd_buffer_printf(&out, "%d\t", ++made);
            for (int column = DD_FORM; column <= DD_FEATS; column++) {
                dd_text cell = dd_sentence_cell(sentence, word, (dd_column)column);
                dd_buffer_append(&out, cell.data, cell.size);
                dd_buffer_text(&out, "\t");
            }
            dd_buffer_text(&out, "_\t_\t_\t_\n");
        }
    }
    dd_buffer_text(&out, "\n");
    dd_reader_close(reader);
    dd_sentence_free(sentence);
    return (dd_text){out.data, out.size};
}

/* The exponent e of time ~ length^e, fitted to logarithms. */
static double growth(const dd_model *model, dd_text file, int shortest)
{
    dd_text texts[LENGTHS];
    double seconds[LENGTHS][RUNS], words, x[LENGTHS], y[LENGTHS], mean_x = 0, mean_y = 0;
    for (int k = 0; k < LENGTHS; k++) texts[k] = make_sentence(file, shortest << k);
    for (int run = 0; run < RUNS; run++)
        for (int k = 0; k < LENGTHS; k++) seconds[k][run] = parse(model, texts[k], &words);
    for (int k = 0; k < LENGTHS; k++) {
        free((void *)texts[k].data);
        mean_x += (x[k] = log(shortest << k)) / LENGTHS;
        mean_y += (y[k] = log(median(seconds[k], RUNS))) / LENGTHS;
    }
    double above = 0, below = 0;
    for (int k = 0; k < LENGTHS; k++) {
        above += (x[k] - mean_x) * (y[k] - mean_y);
        below += (x[k] - mean_x) * (x[k] - mean_x);
    }
    return above / below;
}

/* ---- the floor ---- */

/* What a parse touches: cache lines of the weights, and features. Counted by a kernel that
 * stands in for the one that sums. */
static double lines, features;

static void count_row(const dd_packed *p, const dd_packed_bucket *bucket, uint32_t key)
{
    for (;; bucket++, lines++) {
        for (unsigned i = 0; i < DD_BUCKET_FEATURES; i++) {
            if (bucket->checks[i] != (uint16_t)key) continue;
            uint64_t bits = dd_packed_feature(bucket, 2 * i);
            if ((bits & 3) == DD_PACKED_DENSE) lines += (double)(p->lanes * sizeof(int16_t)) / 64;
            if ((bits & 3) == DD_PACKED_SPARSE) lines++;
            return;
        }
        if (!dd_packed_passes_on(bucket)) return;
    }
}

static void counting_sum(const dd_packed *p, dd_sum_space *space, int n)
{
    features += n;
    lines += n;
    for (int t = 0; t < n; t++)
        count_row(p, &p->buckets[dd_packed_bucket_of(space->keys[t], p->header.bucket_range)],
                  space->keys[t]);
    dd_kernels_best()->sum(p, space, n);
}

/* Seconds for one line at a random place in memory of the weights' size, where many such accesses
 * are under way at once. */
static double access_cost(const dd_model *model)
{
    dd_sections sections;
    dd_text weights;
    dd_image_list(model->image, &sections);
    if (!dd_sections_find(&sections, "weights", &weights)) return 0;
    const char *bytes = weights.data;
    size_t count = weights.size / 64;
    double seconds[RUNS];
    dd_random random = {1};
    uint32_t *places = must(malloc(ACCESSES * sizeof *places));
    for (int i = 0; i < ACCESSES; i++) places[i] = dd_random_below(&random, (uint32_t)count);
    volatile uint64_t sink = 0;
    for (int run = 0; run < RUNS; run++) {
        uint64_t sum = 0;
        double start = now();
        for (int i = 0; i < ACCESSES; i++) sum += (unsigned char)bytes[(size_t)places[i] * 64];
        seconds[run] = now() - start;
        sink += sum;
        (void)sink;
    }
    free(places);
    return median(seconds, RUNS) / ACCESSES;
}

/* ---- the table ---- */

static double start_up(const char *path, dd_text sentence)
{
    double seconds[RUNS], words;
    for (int run = 0; run < RUNS; run++) {
        dd_model *model;
        dd_error error;
        double start = now();
        check(dd_model_load(&model, path, &error), &error);
        parse(model, sentence, &words);
        seconds[run] = now() - start;
        dd_model_free(model);
    }
    return median(seconds, RUNS);
}

static void measure(const char *system, const char *train, dd_text dev, int iterations,
                    const char *path)
{
    dd_settings *settings;
    dd_error error;
    dd_model *model;
    const dd_kernels *kernels[] = {dd_kernels_at(0), dd_kernels_best()};
    double seconds[2][RUNS], words;
    char number[16];
    snprintf(number, sizeof number, "%d", iterations);
    check(dd_settings_new(&settings, &error), &error);
    check(dd_settings_set(settings, "system", system, &error), &error);
    check(dd_settings_set(settings, "iterations", number, &error), &error);
    check(dd_train(&model, settings, NULL, &train, 1, NULL, &error), &error);
    dd_settings_free(settings);
    check(dd_model_save(model, path, &error), &error);
    for (int run = 0; run < RUNS; run++) {
        for (int k = 0; k < 2; k++) {
            dd_model_choose_kernels(model, kernels[k]);
            seconds[k][run] = parse(model, dev, &words);
        }
    }
    double fast = median(seconds[1], RUNS), plain = median(seconds[0], RUNS);
    dd_kernels counting = *kernels[1];
    counting.sum = counting_sum;
    dd_model_choose_kernels(model, &counting);
    lines = features = 0;
    parse(model, dev, &words);
    dd_model_choose_kernels(model, kernels[1]);
    double floor_time = lines * access_cost(model);
    bool quadratic = strncmp(system, "covington", strlen("covington")) == 0;
    double exponent = growth(model, dev, quadratic ? SEARCH_LENGTH : SHORTEST);
    dd_text sentence = make_sentence(dev, 20);
    printf("%-14s %8.0f w/s %8.0f w/s %7.2f %9.0f %8.0f %8.0f w/s %7.2f %9.2f %7.2f ms\n", system,
           words / fast, words / plain, plain / fast, features / words, lines / words,
           words / floor_time, fast / floor_time, exponent, 1e3 * start_up(path, sentence));
    fflush(stdout);
    free((void *)sentence.data);
    dd_model_free(model);
}

static bool is_wanted(char **systems, int count, const char *system)
{
    for (int i = 0; i < count; i++)
        if (strcmp(systems[i], system) == 0) return true;
    return count == 0;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: speed TRAIN DEV [ITERATIONS [SYSTEM]...]\n");
        return 2;
    }
    int iterations = argc > 3 ? atoi(argv[3]) : 3;
    char path[64];
    snprintf(path, sizeof path, "/tmp/dodona-speed-%ld", (long)getpid());
    dd_text dev = read_file(argv[2]);
    printf("%-14s %12s %12s %7s %9s %8s %12s %7s %9s %10s\n", "parsing", "optimised", "plain",
           "ratio", "features", "lines", "floor", "ratio", "exponent", "start-up");
    dd_system_info system;
    for (size_t s = 0; dd_system_at(s, &system); s++)
        if (is_wanted(argv + 4, argc > 4 ? argc - 4 : 0, system.name))
            measure(system.name, argv[1], dev, iterations < 1 ? 3 : iterations, path);
    remove(path);
    free((void *)dev.data);
    return 0;
}
