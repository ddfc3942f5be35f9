/* annotate.h - the parser behind annotation tools: models that are trained while the server runs,
 * from trees that people annotate, and texts that are parsed around what they have annotated. The
 * paths, fields and answers are those of the parser of ArboratorGrew (docs/annotation.md).
 *
 *     /train/start --> folder with the treebank --> trainer --> model in the same folder
 *     /parse/start --> task --> parser of tasks --> result, which /parse/status takes
 *
 * Trainers, and the one thread that does the tasks, have a low priority and are not workers of the
 * pool, so that training never delays other requests. A worker of the pool only reads a request,
 * checks it and writes its treebank. */
#ifndef SERVE_ANNOTATE_H
#define SERVE_ANNOTATE_H

#include "serve/ask.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct annotate_options {
    const char *folder;        /* where the models are */
    const char *scorer;        /* unless a request names one */
    int jobs;                  /* trainings at a time */
    size_t most_bytes;         /* of a request */
    double most_seconds;       /* of a training */
    uint64_t most_disk;        /* bytes in the folder, from which on nothing is trained */
    const atomic_bool *stops;  /* the server ends */
    const model_store *served; /* models that can parse, too */
    const serve_limits *limits;
} annotate_options;

typedef struct annotator annotator;

/* Creates the folder if it is missing, lists the models in it, removes the files of interrupted
 * trainings, and starts the threads. Reports errors; returns the exit status. */
int annotate_start(annotator **out, const annotate_options *options);
/* Stops trainings, tasks and threads. NULL: does nothing. */
void annotate_stop(annotator *all);
/* Bytes that a request may have. */
size_t annotate_body(const annotator *all);

typedef struct annotate_state {
    size_t models, waiting, running, tasks; /* trainings that wait and run; texts to parse */
    uint64_t trained, failed;
} annotate_state;

annotate_state annotate_look(annotator *all);

/* One for each path; all answers come from a worker. */
bool ask_annotate_list(const ask *from, job *into, refusal *why);
bool ask_annotate_delete(const ask *from, job *into, refusal *why);
bool ask_annotate_train(const ask *from, job *into, refusal *why);
bool ask_annotate_trained(const ask *from, job *into, refusal *why);
bool ask_annotate_parse(const ask *from, job *into, refusal *why);
bool ask_annotate_parsed(const ask *from, job *into, refusal *why);

#define ANNOTATE_PATH "/parser/models/"
#define ANNOTATE_LIST ANNOTATE_PATH "list"

#endif
