/* store.h - the trained models and the tasks of an annotator, and the threads that work on them
 *
 *     FOLDER/PROJECT/ID/train.conllu, dev.conllu   while it waits and is trained
 *                       model.dodona
 *                       scores.json                written last: without it, a training was cut off
 *
 * All of it is under one lock; files are written and read outside of it. */
#ifndef SERVE_ANNOTATE_STORE_H
#define SERVE_ANNOTATE_STORE_H

#include "serve/annotate/annotate.h"
#include "serve/annotate/keep.h"

enum {
    MOST_NAME = 100,          /* bytes of a project's or model's name */
    MOST_WAITING = 8,         /* trainings that wait for others */
    MOST_FAILED = 100,        /* that are remembered */
    MOST_TASKS = 64,          /* texts that are parsed, wait for it, or were parsed */
    MOST_WAITING_TASKS = 16,  /* of these, those that wait */
    MOST_RESULTS = 256 << 20, /* bytes of texts that were parsed and are kept */
    TASK_NAME = 33,
    PATH_ROOM = 4096,
};

typedef enum work_state { WORK_WAITS = 0, WORK_RUNS, WORK_READY, WORK_FAILED } work_state;

typedef struct trained {
    char *project, *id; /* both are names of folders */
    work_state state;
    bool deleted; /* while it is trained, which then ends */
    dd_scorer_info scorer;
    int iterations;          /* 0: as many as there are by default */
    char *base;              /* path of the model that it starts from; NULL: none */
    uint64_t n_train, n_dev; /* sentences */
    char *best;    /* scores of its best iteration, an object of JSON; NULL: none so far */
    char *history; /* of all iterations, with commas between them; NULL: none */
    char progress[80];
    char reason[DD_MESSAGE_SIZE]; /* why it failed */
} trained;

typedef struct task {
    char name[TASK_NAME];
    work_state state;
    char *project, *id; /* of the model; an empty id: one that is served */
    char *path;         /* of the model's file; NULL: `served` */
    const dd_model *served;
    dd_value request; /* which has the texts */
    char *body;       /* that it was read from */
    size_t size;      /* bytes of the body, or of the result */
    keep_rules rules;
    output result; /* an object of JSON with the texts by name */
    char reason[DD_MESSAGE_SIZE];
} task;

struct annotator {
    annotate_options options;
    pthread_mutex_t lock;
    pthread_cond_t more;
    trained **models; /* [n_models] in the order of their beginning */
    size_t n_models, models_capacity;
    task **tasks; /* [n_tasks] in the order of their beginning */
    size_t n_tasks;
    uint64_t n_trained, n_failed;
    dd_cancel *cancel; /* ends what is parsed */
    bool stopping;
    int lock_file;      /* of the folder */
    pthread_t *threads; /* [started] those that train, and one that parses */
    int started;
};

/* ---- models; under the lock unless they say otherwise ------------------------------------- */

/* A name of a folder: UTF-8 without '/' and control characters, which does not begin with a full
 * stop. */
bool store_is_name(const char *name);
/* NULL: there is none. */
trained *store_find(const annotator *all, const char *project, const char *id);
void store_path(const annotator *all, const trained *one, const char *file, char out[PATH_ROOM]);
/* Takes it out, and frees it; its files stay. */
void store_forget(annotator *all, trained *one);
/* Appends; of those that failed, the oldest are forgotten. */
void store_add(annotator *all, trained *one);
trained *trained_new(const char *project, const char *id);
void trained_free(trained *one);
/* Removes the files of a model, and its folder. Without the lock. */
bool store_remove_files(const annotator *all, const char *project, const char *id);
/* Makes the folder of a model. Without the lock; false with errno. */
bool store_make_folder(const annotator *all, const char *project, const char *id);
/* Bytes of all files. Without the lock. */
uint64_t store_disk(const annotator *all);
/* Before the threads start. Says what is wrong; returns the exit status. */
int store_open(annotator *all);
/* Writes scores.json. Without the lock; false with errno. */
bool store_save_scores(const annotator *all, const trained *one);

/* ---- threads ------------------------------------------------------------------------------ */

/* Lowers the priority of the thread; where a thread has none of its own, nothing is done. */
void annotate_be_nice(void);
/* Of an annotator, until it stops. */
void *annotate_train_all(void *user);
void *annotate_parse_all(void *user);
void task_free(task *one);

#endif
