#include "experiment/one_run.h"

#include "heap.h"
#include "number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

/* ---- arcs that are replaced ------------------------------------------------------------------ */

static bool is_gold(const breaks_follower *f, int head, int dependent)
{
    return dd_sentence_head(f->sentence, dependent) == head;
}

/* Compares the heads before and after the pending transition. An arc goes when its dependent gets a
 * new head, and also when it would close a cycle. */
static void settle(breaks_follower *f, const int32_t *after)
{
    bool broke = false, broke_gold = false;
    if (!f->pending) return;
    for (int word = 1; word <= f->n; word++) {
        if (f->before[word] < 0 || f->before[word] == after[word]) continue;
        broke = true;
        broke_gold |= is_gold(f, f->before[word], word);
    }
    bool gold = is_gold(f, f->head, f->dependent);
    f->to->arcs++;
    f->to->breaking += broke;
    f->to->gold += broke && gold;
    f->to->harmful += broke_gold && !gold;
}

void breaks_step(breaks_follower *f, const dd_trace_step *step)
{
    settle(f, step->heads);
    memcpy(f->before, step->heads, ((size_t)f->n + 1) * sizeof *f->before);
    f->pending = step->chosen >= 0 && step->moves[step->chosen].dependent >= 0;
    if (!f->pending) return;
    f->head = step->moves[step->chosen].head;
    f->dependent = step->moves[step->chosen].dependent;
}

static bool on_step(void *user, const dd_trace_step *step)
{
    breaks_step(user, step);
    return true;
}

bool breaks_add(breaks *to, dd_trace *trace, const dd_sentence *sentence, dd_error *error)
{
    breaks_follower f = {.to = to, .sentence = sentence, .n = dd_sentence_size(sentence)};
    f.before = heap_zeroed((size_t)f.n + 1, sizeof *f.before);
    bool good = dd_trace_sentence(trace, sentence, on_step, &f, error) == DD_OK;
    free(f.before);
    return good;
}

/* ---- a run ----------------------------------------------------------------------------------- */

typedef struct work {
    const plan_treebank *data;
    const plan_setup *how;
    dd_format format;
    result *out;
    dd_model *model;
    dd_buffer parsed;     /* the set as the model parses it, in memory */
    double parse_seconds; /* of the set parsed last */
    uint64_t parse_words;
    dd_error error;
} work;

/* ---- training ---- */

static void on_data(void *user, const dd_train_data *data)
{
    work *w = user;
    w->out->data.sentences = data->sentences;
    w->out->data.words = data->words;
    w->out->data.skipped = data->skipped;
}

static bool on_report(void *user, const dd_train_progress *now)
{
    work *w = user;
    if (!now->finished) return true;
    w->out->curve[w->out->n_curve++] = (curve_point){now->dev_uas, now->dev_las};
    if (now->best) w->out->best_iteration = now->iteration;
    w->out->expense.train_seconds += now->cpu_seconds;
    return true;
}

static bool set(work *w, dd_settings *settings, const char *name, const char *value)
{
    return dd_settings_set(settings, name, value, &w->error) == DD_OK;
}

static bool set_number(work *w, dd_settings *settings, const char *name, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    return set(w, settings, name, text);
}

/* Trees that the system cannot build are skipped unless the plan says otherwise, as in the papers:
 * all oracles then learn from the same trees. */
static bool set_all(work *w, const plan *p, uint64_t seed, dd_settings *settings)
{
    return set(w, settings, "only", "parser") && set(w, settings, "system", w->how->system) &&
           set(w, settings, "oracle", plan_oracles[w->how->oracle]) &&
           set(w, settings, "loss", w->how->loss) &&
           set(w, settings, "from", w->data->conllx ? "conllx" : "conllu") &&
           set_number(w, settings, "iterations", (uint64_t)w->data->iterations) &&
           set_number(w, settings, "seed", seed) && set(w, settings, "unbuildable", "skip") &&
           (p->parser_bytes == 0 || set_number(w, settings, "parser-bytes", p->parser_bytes)) &&
           plan_set(p, settings, &w->error) == DD_OK;
}

static bool train(work *w, const plan *p, uint64_t seed)
{
    dd_settings *settings = NULL;
    dd_train_watch watch;
    result *r = w->out;
    dd_train_watch_init(&watch);
    watch.user = w;
    watch.data = on_data;
    watch.report = on_report;
    r->curve = heap_zeroed((size_t)w->data->iterations, sizeof *r->curve);
    const char *paths[] = {w->data->train};
    bool good = dd_settings_new(&settings, &w->error) == DD_OK && set_all(w, p, seed, settings) &&
                dd_train(&w->model, settings, &watch, paths, 1, w->data->dev, &w->error) == DD_OK;
    dd_settings_free(settings);
    double words = (double)r->data.words * w->data->iterations;
    r->expense.train_speed = r->expense.train_seconds > 0 ? words / r->expense.train_seconds : 0;
    return good;
}

static void copy_hash(work *w)
{
    dd_text key, value;
    for (size_t i = 0; dd_model_fact(w->model, i, &key, &value); i++)
        if (key.size == strlen("data hash") && memcmp(key.data, "data hash", key.size) == 0 &&
            value.size < sizeof w->out->data.hash)
            memcpy(w->out->data.hash, value.data, value.size);
}

/* ---- sentences of a file ---- */

static bool for_each(work *w, const char *path, bool (*each)(work *w, dd_sentence *s, void *user),
                     void *user)
{
    dd_reader *reader = NULL;
    dd_sentence *sentence = NULL;
    bool good = dd_reader_open(&reader, path, w->format, &w->error) == DD_OK &&
                dd_sentence_new(&sentence, &w->error) == DD_OK;
    while (good) {
        dd_status got = dd_reader_next(reader, sentence, &w->error);
        if (got == DD_END) break;
        good = got == DD_OK && each(w, sentence, user);
    }
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    return good;
}

static bool add_to_stats(work *w, dd_sentence *s, void *user)
{
    return dd_stats_collector_add(user, s, &w->error) == DD_OK;
}

static bool count_data(work *w)
{
    dd_stats_collector *stats = NULL;
    dd_stats counts;
    bool good = dd_stats_collector_new(&stats, true, &w->error) == DD_OK &&
                for_each(w, w->data->train, add_to_stats, stats);
    if (good) {
        dd_stats_collector_get(stats, &counts);
        w->out->data.all_sentences = counts.sentences;
        w->out->data.all_words = counts.words;
        w->out->data.nonprojective_sentences = counts.nonprojective_sentences;
        w->out->data.nonprojective_arcs = counts.nonprojective_arcs;
    }
    dd_stats_collector_free(stats);
    return good;
}

/* ---- parsing ---- */

/* Other work of the machine, such as other runs, is not in it. */
static double processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

typedef struct parsing {
    dd_parser *parser;
    dd_arc_counts *arcs; /* NULL: not counted */
} parsing;

static bool parse_one(work *w, dd_sentence *s, void *user)
{
    parsing *p = user;
    double start = processor_seconds();
    if (dd_parser_parse(p->parser, s, false, &w->error) != DD_OK) return false;
    w->parse_seconds += processor_seconds() - start;
    w->parse_words += (uint64_t)dd_sentence_size(s);
    if (p->arcs && dd_arc_counts_add(p->arcs, s, &w->error) != DD_OK) return false;
    return dd_sentence_format(s, DD_FORMAT_AUTO, &w->parsed, &w->error) == DD_OK;
}

static bool parse(work *w, const char *path, dd_arc_counts *arcs)
{
    parsing p = {.arcs = arcs};
    w->parsed.size = 0;
    w->parse_seconds = 0;
    w->parse_words = 0;
    bool good =
        dd_parser_new(&p.parser, w->model, &w->error) == DD_OK && for_each(w, path, parse_one, &p);
    dd_parser_free(p.parser);
    return good;
}

/* ---- scores ---- */

static void copy_scores(const dd_evaluation *evaluation, scores *out)
{
    dd_metric metric;
    out->clas = NAN;
    for (size_t i = 0; dd_evaluation_metric(evaluation, i, &metric); i++) {
        double f1 = 100 * dd_metric_f1(&metric);
        if (strcmp(metric.name, "UAS") == 0) out->uas = f1;
        if (strcmp(metric.name, "LAS") == 0) out->las = f1;
        if (strcmp(metric.name, "CLAS") == 0) out->clas = f1;
    }
}

static void copy_sentences(const dd_evaluation *evaluation, result *out)
{
    dd_sentence_score score;
    size_t capacity = 0;
    while (dd_evaluation_sentence(evaluation, out->n_sentences, &score)) {
        HEAP_GROW(&out->sentences, &capacity, out->n_sentences + 1);
        out->sentences[out->n_sentences++] = score;
    }
}

/* Scores what was parsed last; `keep`: the sentences' scores too. */
static bool score(work *w, const char *path, scores *out, bool keep)
{
    dd_eval_options options;
    dd_reader *gold = NULL, *system = NULL;
    dd_evaluation *evaluation = NULL;
    dd_text bytes = {w->parsed.size ? w->parsed.data : "", w->parsed.size};
    dd_eval_options_init(&options);
    if (w->data->conllx) options.rule = DD_EVAL_CONLLX;
    bool good = dd_reader_open(&gold, path, w->format, &w->error) == DD_OK &&
                dd_reader_open_memory(&system, "parsed", bytes, w->format, &w->error) == DD_OK &&
                dd_evaluate_readers(&evaluation, gold, system, &options, &w->error) == DD_OK;
    if (good) copy_scores(evaluation, out);
    if (good && keep) copy_sentences(evaluation, w->out);
    dd_evaluation_free(evaluation);
    dd_reader_close(gold);
    dd_reader_close(system);
    return good;
}

/* ---- arcs that break others ---- */

static bool trace_one(work *w, dd_sentence *s, void *user)
{
    return breaks_add(&w->out->breaks, user, s, &w->error);
}

static bool is_nonmonotonic(const char *system)
{
    dd_system_info info;
    for (size_t i = 0; dd_system_at(i, &info); i++)
        if (strcmp(info.name, system) == 0) return info.nonmonotonic;
    return false;
}

/* Only systems whose arcs can replace others have something to count here. */
static bool count_breaks(work *w)
{
    if (!is_nonmonotonic(w->how->system)) return true;
    dd_trace_options options;
    dd_trace *trace = NULL;
    dd_trace_options_init(&options);
    options.model = w->model;
    options.gold = DD_TRACE_GOLD_NO;
    bool good = dd_trace_new(&trace, &options, &w->error) == DD_OK &&
                for_each(w, w->data->test, trace_one, trace);
    dd_trace_free(trace);
    w->out->has_breaks = good;
    return good;
}

/* ---- the whole ---- */

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static void measure(work *w, double started)
{
    struct rusage used;
    expense *e = &w->out->expense;
    e->seconds = number_seconds_now() - started;
    e->parse_speed = w->parse_seconds > 0 ? (double)w->parse_words / w->parse_seconds : 0;
    if (getrusage(RUSAGE_SELF, &used) != 0) return;
    e->peak_mib = (double)used.ru_maxrss / 1024;
    e->cpu_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

void run_perform(const plan *p, run_key key, result *out)
{
    double started = number_seconds_now();
    work w = {.data = &p->treebanks[key.treebank], .how = &p->setups[key.setup], .out = out};
    w.format = w.data->conllx ? DD_FORMAT_CONLLX : DD_FORMAT_CONLLU;
    *out = (result){0};
    strncpy(out->version, dd_version(), sizeof out->version - 1);
    bool good = train(&w, p, p->seeds[key.seed]) && count_data(&w) &&
                parse(&w, w.data->dev, NULL) && score(&w, w.data->dev, &out->dev, false) &&
                parse(&w, w.data->test, &out->arcs) && score(&w, w.data->test, &out->test, true) &&
                count_breaks(&w);
    if (good)
        copy_hash(&w);
    else
        out->failed = heap_copy(w.error.message, strlen(w.error.message));
    measure(&w, started);
    dd_model_free(w.model);
    dd_buffer_free(&w.parsed);
}
