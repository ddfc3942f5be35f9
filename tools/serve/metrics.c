#include "serve/metrics.h"

#include "output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const double bounds[METRIC_BUCKETS - 1] = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                  0.1,   0.25,   0.5,   1,    2.5,   10};

static int bucket_of(double seconds)
{
    int i = 0;
    while (i < METRIC_BUCKETS - 1 && seconds > bounds[i]) i++;
    return i;
}

void metrics_add(metrics *all, const metric_request *one)
{
    int status = one->status > 0 && one->status < METRIC_STATUSES ? one->status : 0;
    pthread_mutex_lock(&all->lock);
    all->requests[one->path][status]++;
    all->buckets[bucket_of(one->seconds)]++;
    all->seconds += one->seconds;
    all->answered++;
    all->bytes_in += one->bytes_in;
    all->sentences += one->sentences;
    all->words += one->words;
    pthread_mutex_unlock(&all->lock);
}

void metrics_add_batch(metrics *all, size_t requests)
{
    pthread_mutex_lock(&all->lock);
    all->batches++;
    all->batched += requests;
    pthread_mutex_unlock(&all->lock);
}

/* ---- writing ------------------------------------------------------------------------------ */

static void write_head(output *out, const char *name, const char *type, const char *help)
{
    output_format(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void write_one(output *out, const char *name, const char *type, uint64_t value,
                      const char *help)
{
    write_head(out, name, type, help);
    output_format(out, "%s %" PRIu64 "\n", name, value);
}

static void write_requests(const metrics *all, const char *const *paths, output *out)
{
    static const char name[] = "dodona_requests_total";
    write_head(out, name, "counter", "Requests answered, by path and HTTP status.");
    for (int path = 0; path < METRIC_PATHS && paths[path]; path++)
        for (int status = 0; status < METRIC_STATUSES; status++)
            if (all->requests[path][status])
                output_format(out, "%s{path=\"%s\",status=\"%d\"} %" PRIu32 "\n", name, paths[path],
                              status, all->requests[path][status]);
}

static void write_seconds(const metrics *all, output *out)
{
    static const char name[] = "dodona_request_seconds";
    uint64_t sum = 0;
    write_head(out, name, "histogram", "From the request's first byte to the answer's last.");
    for (int i = 0; i < METRIC_BUCKETS - 1; i++) {
        sum += all->buckets[i];
        output_format(out, "%s_bucket{le=\"%g\"} %" PRIu64 "\n", name, bounds[i], sum);
    }
    output_format(out, "%s_bucket{le=\"+Inf\"} %" PRIu64 "\n", name, all->answered);
    output_format(out, "%s_sum %.6f\n%s_count %" PRIu64 "\n", name, all->seconds, name,
                  all->answered);
}

static void write_counts(const metrics *all, output *out)
{
    write_one(out, "dodona_words_total", "counter", all->words, "Words read from requests.");
    write_one(out, "dodona_sentences_total", "counter", all->sentences,
              "Sentences read from requests.");
    write_one(out, "dodona_request_bytes_total", "counter", all->bytes_in,
              "Bytes of requests' bodies.");
    write_one(out, "dodona_batches_total", "counter", all->batches, "Steps of workers.");
    write_one(out, "dodona_batched_requests_total", "counter", all->batched,
              "Requests in these steps.");
}

/* 0 where the system does not tell. */
static uint64_t resident_bytes(void)
{
    unsigned long long size, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%llu %llu", &size, &resident) != 2) resident = 0;
    fclose(file);
    return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void write_gauges(const metric_gauges *now, output *out)
{
    write_one(out, "dodona_queue_length", "gauge", now->waiting,
              "Requests that wait for a worker.");
    write_one(out, "dodona_workers_busy", "gauge", now->running, "Workers that are at work.");
    write_one(out, "dodona_workers_stuck", "gauge", now->stuck,
              "Workers that are at a step which should have ended.");
    write_one(out, "dodona_workers", "gauge", now->workers, "Workers.");
    write_one(out, "dodona_requests_open", "gauge", now->open_requests,
              "Requests that have come and are not answered in full.");
    write_one(out, "dodona_connections", "gauge", now->connections, "Open connections.");
    write_one(out, "dodona_unread_bytes", "gauge", now->unread,
              "Bytes of answers that wait to be read.");
    write_one(out, "dodona_models", "gauge", now->models, "Models served.");
    write_one(out, "process_resident_memory_bytes", "gauge", resident_bytes(),
              "Resident memory, models included.");
}

static void write_annotation(const annotate_state *now, output *out)
{
    write_one(out, "dodona_trainings_waiting", "gauge", now->waiting,
              "Trainings that wait for others.");
    write_one(out, "dodona_trainings_running", "gauge", now->running, "Trainings that run.");
    write_one(out, "dodona_trainings_total", "counter", now->trained, "Models that were trained.");
    write_one(out, "dodona_trainings_failed_total", "counter", now->failed,
              "Trainings that failed, or were ended.");
    write_one(out, "dodona_trained_models", "gauge", now->models, "Trained models.");
    write_one(out, "dodona_parse_tasks", "gauge", now->tasks,
              "Texts of annotation tools that wait or are parsed.");
}

void metrics_write(metrics *all, const metric_gauges *now, const char *const *paths, output *out)
{
    pthread_mutex_lock(&all->lock);
    write_requests(all, paths, out);
    write_seconds(all, out);
    write_counts(all, out);
    pthread_mutex_unlock(&all->lock);
    write_gauges(now, out);
    if (now->annotator) write_annotation(&now->annotation, out);
}

/* ---- the log --------------------------------------------------------------------------------- */

enum { TEXT_SHOWN = 200, PATH_SHOWN = 100 };

static void begin(output *out)
{
    struct timespec now;
    struct tm utc;
    char time[32] = "";
    clock_gettime(CLOCK_REALTIME, &now);
    if (gmtime_r(&now.tv_sec, &utc)) strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%S", &utc);
    output_keep(out);
    output_format(out, "{\"time\":\"%s.%03dZ\"", time, (int)(now.tv_nsec / 1000000));
}

static void put(output *out, const char *key, const char *value)
{
    output_format(out, ",\"%s\":", key);
    output_json_string(out, value);
}

/* In one write, so that lines of several threads do not mix. */
static void end(output *out)
{
    output_string(out, "}\n");
    if (out->status == DD_OK) (void)!write(STDERR_FILENO, out->data, out->size);
    free(out->data);
}

/* Whole characters, as many as fit. */
static void put_beginning(output *out, dd_text text)
{
    size_t size = 0;
    while (size < text.size) {
        size_t step = output_utf8((const unsigned char *)text.data + size, text.size - size);
        if (step == 0) step = 1;
        if (size + step > TEXT_SHOWN) break;
        size += step;
    }
    output_string(out, ",\"text\":");
    output_json(out, (dd_text){text.data, size});
}

void log_request(const log_line *line)
{
    output out;
    char path[PATH_SHOWN];
    begin(&out);
    snprintf(path, sizeof path, "%s", line->path);
    put(&out, "client", line->client);
    put(&out, "method", line->method);
    put(&out, "path", path);
    output_format(&out, ",\"status\":%d", line->status);
    if (line->model) put(&out, "model", line->model);
    output_format(&out,
                  ",\"bytes_in\":%" PRIu64 ",\"bytes_out\":%" PRIu64 ",\"sentences\":%" PRIu64
                  ",\"words\":%" PRIu64 ",\"milliseconds\":%.3f,\"waited\":%.3f",
                  line->bytes_in, line->bytes_out, line->sentences, line->words,
                  1000 * line->seconds, 1000 * line->waited);
    if (line->reason) put(&out, "reason", line->reason);
    if (line->text.size > 0) put_beginning(&out, line->text);
    end(&out);
}

void log_event(const char *event, const char *key, const char *value)
{
    output out;
    begin(&out);
    put(&out, "event", event);
    if (key) put(&out, key, value);
    end(&out);
}
