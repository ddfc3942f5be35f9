#include "serve/log.h"

#include "output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

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
