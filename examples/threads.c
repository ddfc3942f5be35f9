/* threads.c - one model, many parsers: each thread parses the same file with a parser of its own
 *
 *     cc -std=c17 threads.c $(pkg-config --cflags --libs dodona) -pthread -o threads
 *     ./threads MODEL demo-test.conllu
 *
 * A model does not change, so threads may share it. What changes, such as a parser while it parses,
 * serves one thread at a time. */
#include <dodona.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4 };

typedef struct job {
    const dd_model *model;
    const char *path;
    dd_status status;
    dd_error error;
    uint64_t sum; /* of the heads */
} job;

static void *work(void *argument)
{
    job *own = argument;
    dd_parser *parser = NULL;
    dd_reader *reader = NULL;
    dd_sentence *sentence = NULL;
    dd_status status = dd_parser_new(&parser, own->model, &own->error);
    if (status == DD_OK) status = dd_reader_open(&reader, own->path, DD_FORMAT_AUTO, &own->error);
    if (status == DD_OK) status = dd_sentence_new(&sentence, &own->error);
    while (status == DD_OK && (status = dd_reader_next(reader, sentence, &own->error)) == DD_OK) {
        status = dd_parser_parse(parser, sentence, false, &own->error);
        const int32_t *heads = dd_sentence_heads(sentence);
        for (int word = 1; word <= dd_sentence_size(sentence); word++)
            own->sum += (uint64_t)heads[word];
    }
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    dd_parser_free(parser);
    own->status = status == DD_END ? DD_OK : status;
    return NULL;
}

/* Waits for those that could be started; false if one was not, or failed. */
static bool run(job *jobs)
{
    pthread_t threads[THREADS];
    int started = 0;
    while (started < THREADS && pthread_create(&threads[started], NULL, work, &jobs[started]) == 0)
        started++;
    bool good = started == THREADS;
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
        if (jobs[i].status != DD_OK) fprintf(stderr, "%s\n", jobs[i].error.message);
        good = good && jobs[i].status == DD_OK && jobs[i].sum == jobs[0].sum;
    }
    return good;
}

int main(int argc, char **argv)
{
    dd_error error = {.message = "usage: threads MODEL FILE"};
    dd_model *model = NULL;
    if (argc != 3 || dd_model_load(&model, argv[1], &error) != DD_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    job jobs[THREADS] = {{0}};
    for (int i = 0; i < THREADS; i++) {
        jobs[i].model = model;
        jobs[i].path = argv[2];
    }
    bool good = run(jobs);
    if (good) printf("%d threads agree\n", THREADS);
    dd_model_free(model);
    return good ? 0 : 1;
}
