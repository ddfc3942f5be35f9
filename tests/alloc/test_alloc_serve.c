/* Requests to `dodona serve` while memory runs out: each is answered, or refused with 503. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "alloc_fail.h"
#include "serve/ask.h"
#include "serve/work.h"

#define TREE                                                                                       \
    "1\tI\tI\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tsing\tsing\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No\n"  \
    "3\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n"
#define FORM      "application/x-www-form-urlencoded"
#define MULTIPART "multipart/form-data; boundary=b"
#define PART(name, value)                                                                          \
    "--b\r\nContent-Disposition: form-data; name=\"" name "\"\r\n\r\n" value "\r\n"

typedef struct request {
    const char *name;
    bool (*plan)(const ask *from, job *into, refusal *why);
    const char *query, *type, *body;
    int times; /* that the body is repeated; 0: once */
} request;

static const request requests[] = {
    {"JSON", ask_parse, "", "application/json", "{\"data\": \"I sing. I sing.\", \"scores\": true}",
     0},
    {"a form", ask_parse, "to=conllu", FORM, "data=I+sing.&tag=yes&from=text", 0},
    {"parts", ask_parse, "", MULTIPART, PART("data", "I sing.") PART("to", "jsonl") "--b--\r\n", 0},
    {"n-best pictures", ask_parse, "beam=4&nbest=2&draw&constraint=arc+0+_+1", "text/plain",
     "I sing.", 0},
    {"a picture", ask_parse, "to=svg&width=300", "text/plain", "I sing.", 0},
    {"many sentences", ask_parse, "constraint=arc+0+_+2", "text/x-conllu", TREE, 70},
    {"a tree", ask_draw, "", "text/x-conllu", TREE, 0},
    {"an oracle", ask_oracle, "system=arc-eager", "text/x-conllu", TREE, 0},
    {"a trace", ask_trace, "beam=2", "text/plain", "I sing.", 0},
    {"a page", ask_trace, "to=html", "text/x-conllu", TREE, 0},
    {"UDPipe's", ask_process, "tokenizer=ranges&tagger&parser", "text/plain", "I sing.", 0},
    {"UDPipe's words", ask_process, "input=horizontal&output=vertical", "text/plain", "I sing .",
     0},
};

typedef struct test {
    char *names[1];
    served_model model;
    const request *asked;
} test;

static int set_up(void **state)
{
    test *t = calloc(1, sizeof *t);
    char train[64];
    dd_error error;
    snprintf(train, sizeof train, "/tmp/dodona-alloc-serve-%ld.conllu", (long)getpid());
    FILE *file = fopen(train, "wb");
    if (!t || !file || fputs(TREE TREE, file) < 0 || fclose(file) != 0) return -1;
    t->names[0] = "small";
    t->model = (served_model){.names = t->names, .n_names = 1};
    dd_status status =
        train_with_settings(&t->model.model, "iterations=1 only=all", NULL, train, NULL, &error);
    unlink(train);
    if (status != DD_OK) return -1;
    t->model.components = dd_model_components(t->model.model);
    *state = t;
    return 0;
}

static int tear_down(void **state)
{
    test *t = *state;
    dd_model_free(t->model.model);
    free(t);
    return 0;
}

/* ---- the way of a request, as exchange.c, answer.c and pool.c go it ---- */

static void nothing(void *user)
{
    (void)user;
}

static char *make_body(const request *asked, size_t *size)
{
    size_t once = strlen(asked->body), times = asked->times ? (size_t)asked->times : 1;
    char *body = malloc(once * times + 1);
    for (size_t i = 0; body && i < times; i++) memcpy(body + i * once, asked->body, once + 1);
    *size = once * times;
    return body;
}

static bool ask_for(const test *t, const serve_limits *limits, job *one, refusal *why)
{
    const model_store models = {.models = (served_model *)&t->model, .count = 1};
    const ask from = {.models = &models, .limits = limits, .type = t->asked->type, .accept = ""};
    size_t size;
    char *body = make_body(t->asked, &size);
    if (!body) return refuse_memory(why);
    if (!fields_read_url(&one->asked, (dd_text){t->asked->query, strlen(t->asked->query)}, why)) {
        free(body);
        return false;
    }
    one->deadline = 1e9;
    return ask_read_body(&from, one, body, size, why) && t->asked->plan(&from, one, why);
}

static void work(workspace *own, job *one, refusal *why)
{
    size_t size;
    job_next next;
    do work_on(own, &one, 1, &next);
    while (next != JOB_STOP);
    *why = one->why;
    if (job_await(one) == JOB_BROKEN && why->status == 0) refuse_memory(why);
    char *data = job_take(one, &size);
    if (why->status == 0) assert_true(size > 10);
    free(data);
}

static dd_status answer(void *user, dd_error *error)
{
    static const job_reader calls = {nothing, nothing};
    static const serve_limits limits = {.sentence = 100, .beam = 8, .seconds = 1e6};
    const test *t = user;
    refusal why = {0};
    workspace own;
    bool begun = workspace_init(&own, &limits, 1);
    job *one = job_new(&calls, NULL);
    if (!one || !begun)
        refuse_memory(&why);
    else if (ask_for(t, &limits, one, &why))
        work(&own, one, &why);
    if (one) job_drop(one);
    workspace_free(&own);
    if (why.status == 0) return DD_OK;
    if (why.status != 503) fail_msg("%s: %d: %s", t->asked->name, why.status, why.reason);
    *error = (dd_error){.status = DD_ERROR_MEMORY};
    snprintf(error->message, sizeof error->message, "%s", why.reason);
    return DD_ERROR_MEMORY;
}

static void requests_are_answered_or_refused(void **state)
{
    test *t = *state;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        t->asked = &requests[i];
        int failed = alloc_fail_each(answer, t);
        print_message("# %s: %d allocations\n", requests[i].name, failed);
        assert_true(failed > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_answered_or_refused),
    };
    return cmocka_run_group_tests_name("alloc serve", tests, set_up, tear_down);
}
