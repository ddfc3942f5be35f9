#include "serve/ask.h"
#include "serve/assets.h"
#include "serve/server.h"

#include <string.h>

/* ---- files of the page ----------------------------------------------------------------------- */

/* static const asset assets[] */
#include "assets.inc"

const asset *asset_find(const char *path)
{
    for (size_t i = 0; i < sizeof assets / sizeof *assets; i++)
        if (strcmp(assets[i].path, path) == 0) return &assets[i];
    return NULL;
}

/* ---- paths ----------------------------------------------------------------------------------- */

static const char openapi[] = {
#include "openapi.inc"
};

/* What openapi.py leaves to the library's tables, and what is told in its place. */
static void tell_properties(output *out)
{
    ask_describe_options(out, false);
}

static void tell_parameters(output *out)
{
    ask_describe_options(out, true);
}

static const struct {
    const char *mark;
    void (*tell)(output *out);
} left_open[] = {{"\"@options\":{}", tell_properties},
                 {"{\"name\":\"@options\"}", tell_parameters},
                 {"\"@formats\"", ask_describe_formats}};

static const char *find(dd_text in, const char *mark)
{
    size_t size = strlen(mark);
    for (const char *at = in.data; at + size <= in.data + in.size; at++)
        if (memcmp(at, mark, size) == 0) return at;
    return NULL;
}

static void tell_filled(output *out, dd_text text)
{
    for (;;) {
        const char *first = NULL;
        size_t mark = 0;
        for (size_t i = 0; i < sizeof left_open / sizeof *left_open; i++) {
            const char *at = find(text, left_open[i].mark);
            if (!at || (first && at > first)) continue;
            first = at;
            mark = i;
        }
        if (!first) break;
        size_t before = (size_t)(first - text.data), size = strlen(left_open[mark].mark);
        output_bytes(out, text.data, before);
        left_open[mark].tell(out);
        text = (dd_text){first + size, text.size - before - size};
    }
    output_bytes(out, text.data, text.size);
}

static int tell_openapi(server *all, output *out)
{
    (void)all;
    tell_filled(out, (dd_text){openapi, sizeof openapi});
    return 200;
}

static int tell_models(server *all, output *out)
{
    model_store_list(&all->models, out);
    return 200;
}

static int tell_api_models(server *all, output *out)
{
    model_store_describe(&all->models, out);
    return 200;
}

static int tell_live(server *all, output *out)
{
    (void)all;
    output_string(out, "live\n");
    return 200;
}

static int tell_ready(server *all, output *out)
{
    pool_state now = pool_look(all->workers);
    const char *why = atomic_load(&all->stops)           ? "shutting down\n"
                      : now.stuck > 0                    ? "a worker is stuck\n"
                      : now.waiting >= all->limits.queue ? "the queue is full\n"
                                                         : NULL;
    output_string(out, why ? why : "ready\n");
    return why ? 503 : 200;
}

static int tell_metrics(server *all, output *out);

static const char json_type[] = "application/json", text_type[] = "text/plain; charset=utf-8";

static const route routes[] = {
    {"/process", true, false, NULL, NULL, ask_process},
    {"/models", true, false, json_type, tell_models, NULL},
    {"/api/v1/parse", true, false, NULL, NULL, ask_parse},
    {"/api/v1/draw", true, false, NULL, NULL, ask_draw},
    {"/api/v1/oracle", true, false, NULL, NULL, ask_oracle},
    {"/api/v1/trace", true, false, NULL, NULL, ask_trace},
    {"/api/v1/models", false, false, json_type, tell_api_models, NULL},
    {ANNOTATE_LIST, false, false, NULL, NULL, ask_annotate_list},
    {ANNOTATE_LIST "/", false, false, NULL, NULL, ask_annotate_delete}, /* and all below */
    {ANNOTATE_PATH "train/start", true, false, NULL, NULL, ask_annotate_train},
    {ANNOTATE_PATH "train/status", true, false, NULL, NULL, ask_annotate_trained},
    {ANNOTATE_PATH "parse/start", true, false, NULL, NULL, ask_annotate_parse},
    {ANNOTATE_PATH "parse/status", true, false, NULL, NULL, ask_annotate_parsed},
    {"/openapi.json", false, true, json_type, tell_openapi, NULL},
    {"/live", false, true, text_type, tell_live, NULL},
    {"/health", false, true, text_type, tell_live, NULL},
    {"/ready", false, true, text_type, tell_ready, NULL},
    {"/metrics", false, false, "text/plain; version=0.0.4; charset=utf-8", tell_metrics, NULL},
    {"/", false, true, NULL, NULL, NULL}, /* and all other parts of the page */
};
enum { ROUTES = sizeof routes / sizeof *routes };
_Static_assert((int)ROUTES < (int)METRIC_PATHS, "each path is counted");

static bool leads_to(const route *one, const char *path)
{
    return one->plan == ask_annotate_delete ? strncmp(one->path, path, strlen(one->path)) == 0
                                            : strcmp(one->path, path) == 0;
}

const route *route_find(const char *path)
{
    for (size_t i = 0; i < ROUTES; i++)
        if (leads_to(&routes[i], path)) return &routes[i];
    return asset_find(path) ? &routes[ROUTES - 1] : NULL;
}

bool route_is_annotation(const route *one)
{
    return strncmp(one->path, ANNOTATE_PATH, strlen(ANNOTATE_PATH)) == 0;
}

const char *route_only(const route *one)
{
    if (!route_is_annotation(one)) return NULL;
    return one->plan == ask_annotate_delete ? "DELETE" : one->takes_post ? "POST" : "GET";
}

int route_number(const route *one)
{
    return one ? (int)(one - routes) : ROUTES;
}

static int tell_metrics(server *all, output *out)
{
    metric_gauges now = {.open_requests = atomic_load(&all->open_requests),
                         .connections = watch_count(&all->connections),
                         .models = all->models.count};
    const char *paths[METRIC_PATHS] = {[ROUTES] = "other"};
    for (size_t i = 0; i < ROUTES; i++) paths[i] = routes[i].path;
    pool_state jobs = pool_look(all->workers);
    now.workers = jobs.workers;
    now.waiting = jobs.waiting;
    now.running = jobs.running;
    now.stuck = jobs.stuck;
    now.unread = atomic_load(&all->unread);
    now.annotator = all->annotator != NULL;
    now.annotation = annotate_look(all->annotator);
    metrics_write(&all->counts, &now, paths, out);
    return 200;
}
