/* What `dodona serve` keeps: names of models, metrics, jobs on their way, connections. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "serve/job.h"
#include "serve/metrics.h"
#include "serve/pool.h"
#include "serve/watch.h"

/* ---- names of models ---- */

static served_model model_named(size_t index, char **names, size_t count)
{
    return (served_model){.index = index, .names = names, .n_names = count};
}

static void models_are_found_by_name(void **state)
{
    (void)state;
    char *one[] = {"english-ewt-2.15", "en"}, *two[] = {"english-gum-2.15"},
         *three[] = {"german-gsd", "english-x"};
    served_model models[] = {model_named(0, one, 2), model_named(1, two, 1),
                             model_named(2, three, 2)};
    const model_store all = {.models = models, .count = 3};
    static const struct {
        const char *name;
        size_t index;
    } cases[] = {{NULL, 0},     {"", 0},         {"english-ewt-2.15", 0},
                 {"en", 0},     {"english", 0},  {"english-gum", 1},
                 {"german", 2}, {"english-x", 2}};
    refusal why = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(model_store_find(&all, cases[i].name, &why)->index, cases[i].index);
}

/* ---- metrics ---- */

static void metrics_are_written(void **state)
{
    (void)state;
    static metrics all = {.lock = PTHREAD_MUTEX_INITIALIZER};
    static const char *const paths[METRIC_PATHS] = {"/a", "/b"};
    const metric_gauges now = {.waiting = 3};
    output out;
    metrics_add(&all, &(metric_request){.path = 1, .status = 200, .seconds = 0.001, .words = 5});
    metrics_add(&all, &(metric_request){.path = 1, .status = 200, .seconds = 0.2, .words = 6});
    metrics_add(&all, &(metric_request){.path = 0, .status = 5000, .seconds = 99});
    output_keep(&out);
    metrics_write(&all, &now, paths, &out);
    output_bytes(&out, "", 1);
    static const char *const expected[] = {"dodona_requests_total{path=\"/b\",status=\"200\"} 2\n",
                                           "dodona_requests_total{path=\"/a\",status=\"0\"} 1\n",
                                           "dodona_words_total 11\n",
                                           "_bucket{le=\"0.001\"} 1\n",
                                           "_bucket{le=\"0.1\"} 1\n",
                                           "_bucket{le=\"0.25\"} 2\n",
                                           "_bucket{le=\"10\"} 2\n",
                                           "_bucket{le=\"+Inf\"} 3\n",
                                           "_count 3\n",
                                           "dodona_queue_length 3\n"};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_non_null(strstr(out.data, expected[i]));
    free(out.data);
}

/* ---- jobs ---- */

static int slept, woken;

static void count_sleep(void *user)
{
    (void)user;
    slept++;
}

static void count_wake(void *user)
{
    (void)user;
    woken++;
}

static void a_full_job_is_parked_until_it_is_read(void **state)
{
    (void)state;
    static const job_reader calls = {count_sleep, count_wake};
    static char piece[1 << 20];
    bool again;
    job *one = job_new(&calls, NULL);
    slept = woken = 0;
    assert_int_equal(job_await(one), JOB_WAITS);
    output_bytes(&one->made, "x", 1);
    assert_int_equal(job_publish(one, false), JOB_GO_ON);
    assert_int_equal(slept, 1);
    assert_int_equal(woken, 1);
    output_bytes(&one->made, piece, sizeof piece);
    assert_int_equal(job_publish(one, false), JOB_PARK);
    assert_int_equal(job_read(one, piece, 10, &again), 10);
    assert_false(again);
    assert_int_equal(job_read(one, piece, sizeof piece - 10, &again), sizeof piece - 10);
    assert_true(again);
    assert_int_equal(job_read(one, piece, 10, &again), 1);
    assert_int_equal(job_read(one, piece, 10, &again), JOB_READ_WAIT);
    assert_int_equal(slept, 2);
    assert_int_equal(job_publish(one, true), JOB_STOP);
    assert_int_equal(woken, 2);
    assert_int_equal(job_read(one, piece, 10, &again), JOB_READ_END);
    job_drop(one);
}

/* What was begun cannot be refused any more. */
static void a_refusal_after_the_beginning_breaks_the_answer(void **state)
{
    (void)state;
    static const job_reader calls = {count_sleep, count_wake};
    char piece[10];
    bool again;
    job *early = job_new(&calls, NULL), *late = job_new(&calls, NULL);
    job_refuse(early);
    assert_int_equal(job_await(early), JOB_FINISHED);
    output_bytes(&late->made, "x", 1);
    job_publish(late, false);
    job_refuse(late);
    assert_int_equal(job_read(late, piece, 10, &again), 1);
    assert_int_equal(job_read(late, piece, 10, &again), JOB_READ_BROKEN);
    job_drop(early);
    job_drop(late);
}

/* ---- connections ---- */

enum { MOST = 4 };

typedef struct pairs {
    watch all;
    int ends[MOST][2];
    watched *of[MOST];
} pairs;

/* The first is the oldest; all had time to send something. */
static void open_pairs(pairs *p, size_t most)
{
    *p = (pairs){.all = {.lock = PTHREAD_MUTEX_INITIALIZER, .most = most}};
    for (int i = 0; i < MOST; i++) {
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, p->ends[i]), 0);
        p->of[i] = watch_begin(&p->all, p->ends[i][0]);
        p->of[i]->since -= 100 - i;
    }
}

static void close_pairs(pairs *p)
{
    for (int i = 0; i < MOST; i++) {
        watch_end(&p->all, p->of[i]);
        close(p->ends[i][0]);
        close(p->ends[i][1]);
    }
    assert_int_equal(watch_count(&p->all), 0);
    for (int i = 0; i < WATCH_STATES; i++) assert_null(p->all.lists[i].first);
}

/* "0" open, "1" shut, "5" shut with an answer of 503, for each. */
static void expect_shut(pairs *p, const char *expected)
{
    for (int i = 0; i < MOST; i++) {
        char got[13] = "";
        ssize_t size = recv(p->ends[i][1], got, 12, 0);
        char found = size < 0 ? '0' : size == 0 ? '1' : got[9];
        assert_int_equal(found, expected[i]);
    }
}

static void the_oldest_idle_connection_gives_way(void **state)
{
    (void)state;
    pairs p;
    open_pairs(&p, MOST);
    watch_shut_some(&p.all, 1000);
    expect_shut(&p, "0000");
    watch_whole(&p.all, p.of[0]);
    p.all.most = 3;
    watch_shut_some(&p.all, 1000);
    watch_shut_some(&p.all, 1000);
    expect_shut(&p, "0100");
    close_pairs(&p);
}

static void bodies_give_way_last_and_answers_never(void **state)
{
    (void)state;
    pairs p;
    open_pairs(&p, MOST);
    watch_body(&p.all, p.of[0]);
    watch_body(&p.all, p.of[1]);
    watch_whole(&p.all, p.of[1]);
    p.all.most = 2;
    watch_shut_some(&p.all, 1000);
    expect_shut(&p, "0011");
    p.all.most = 0;
    watch_shut_some(&p.all, 1000);
    expect_shut(&p, "5011");
    /* What had come before it was shut changes nothing. */
    watch_whole(&p.all, p.of[0]);
    watch_idle(&p.all, p.of[0]);
    watch_idle(&p.all, p.of[1]);
    assert_int_equal(p.of[0]->state, WATCH_SHUT);
    /* This one has just been answered. */
    watch_shut_some(&p.all, 1000);
    assert_int_equal(p.of[1]->state, WATCH_IDLE);
    p.of[1]->since -= 1;
    watch_shut_some(&p.all, 1000);
    assert_int_equal(p.of[1]->state, WATCH_SHUT);
    close_pairs(&p);
}

static void slow_connections_are_shut(void **state)
{
    (void)state;
    pairs p;
    open_pairs(&p, MOST);
    watch_body(&p.all, p.of[1]);
    watch_whole(&p.all, p.of[2]);
    watch_shut_some(&p.all, 98.5);
    expect_shut(&p, "1400");
    close_pairs(&p);
}

/* ---- workers ---- */

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

/* A step that does not end as long as the test holds the lock. */
static void wake_late(void *user)
{
    (void)user;
    pthread_mutex_lock(&held);
    pthread_mutex_unlock(&held);
}

static void await_stuck(pool *all, size_t wanted)
{
    for (int turn = 0; turn < 6000 && pool_look(all).stuck != wanted; turn++)
        nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
    assert_int_equal(pool_look(all).stuck, wanted);
}

static void a_worker_that_does_not_come_back_is_stuck(void **state)
{
    (void)state;
    static const job_reader calls = {count_sleep, wake_late};
    static const serve_limits limits = {.seconds = 0.1, .queue = 10};
    static metrics counts = {.lock = PTHREAD_MUTEX_INITIALIZER};
    const pool_options how = {.workers = 1, .limits = &limits, .models = 1, .counts = &counts};
    pool *all = pool_start(&how);
    job *one = job_new(&calls, NULL);
    assert_non_null(all);
    assert_int_equal(pool_look(all).workers, 2);
    assert_int_equal(job_await(one), JOB_WAITS);
    refuse(&one->why, 400, "for the test");
    pthread_mutex_lock(&held);
    assert_true(pool_submit(all, one));
    await_stuck(all, 1);
    pthread_mutex_unlock(&held);
    await_stuck(all, 0);
    job_drop(one);
    pool_stop(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_found_by_name),
        cmocka_unit_test(metrics_are_written),
        cmocka_unit_test(a_full_job_is_parked_until_it_is_read),
        cmocka_unit_test(a_refusal_after_the_beginning_breaks_the_answer),
        cmocka_unit_test(the_oldest_idle_connection_gives_way),
        cmocka_unit_test(bodies_give_way_last_and_answers_never),
        cmocka_unit_test(slow_connections_are_shut),
        cmocka_unit_test(a_worker_that_does_not_come_back_is_stuck),
    };
    return cmocka_run_group_tests_name("serve_jobs", tests, NULL, NULL);
}
