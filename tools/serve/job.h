/* job.h - one request on its way through the workers, and the bytes of its answer on theirs to the
 * client.
 *
 *     connection --submit--> queue --> worker --publish--> job.ready --read--> connection
 *                              ^--------' long ones, slice by slice
 *
 * A small answer is published whole. A long one begins to be read while it is still made; when its
 * reader is slow, the job is parked outside of the queue, so that it holds no worker, until enough
 * has been read. Worker and connection each hold the job; the last to let go frees it. */
#ifndef SERVE_JOB_H
#define SERVE_JOB_H

#include "output.h"
#include "serve/fields.h"
#include "serve/model_store.h"

#include <pthread.h>
#include <stdatomic.h>

typedef enum job_kind {
    JOB_PARSE = 0,
    JOB_ORACLE,
    JOB_TRACE,
    JOB_ANSWER, /* by job_plan.answer */
} job_kind;
typedef enum job_input {
    FROM_AUTO = 0,
    FROM_CONLLU,
    FROM_TEXT,
    FROM_VERTICAL,
    FROM_HORIZONTAL,
    FROM_JSONL,
} job_input;
typedef enum job_output {
    TO_JSON = 0,  /* one object that has them all */
    TO_LINES,     /* one object a line */
    TO_SENTENCES, /* as the library writes them in job_plan.format */
    TO_SVG,
    TO_HTML, /* the page of `trace --to html` */
    TO_HORIZONTAL,
    TO_VERTICAL,
} job_output;

typedef struct job job;

/* What is wanted; set before the job is submitted, and not changed after that. */
typedef struct job_plan {
    job_kind kind;
    const served_model *model; /* NULL: of an oracle, or a trace of a system */
    job_input from;
    dd_input_options input;
    dd_parse_options how; /* `tag`: replace all tags; otherwise only sentences without tags are
                             tagged, and only if they are parsed */
    bool parse;
    job_output to;
    dd_format format;  /* of TO_SENTENCES */
    const char *media; /* type of the answer, without parameters */
    bool draw;         /* JSON has each tree's CoNLL-U and picture too */
    int width;         /* of pictures, in pixels; 0: as `dodona draw` has it */
    bool udpipe;       /* the answer stands in UDPipe's JSON, as a string */
    int sentence; /* that is drawn, or whose steps are shown, from 1; 0: the only one, or all */
    dd_oracle_options oracle;
    dd_trace_options trace;
    bool (*answer)(job *one); /* writes all of job.made, or leaves a reason in job.why */
    void *user;
} job_plan;

typedef enum job_state {
    JOB_WAITS = 0, /* nothing to be read so far */
    JOB_LATE,      /* the deadline has passed, and nothing will be read */
    JOB_OPEN,      /* the beginning can be read */
    JOB_FINISHED,  /* all is there */
    JOB_BROKEN,    /* no more will come, though it was not all */
} job_state;

/* How the connection is put to sleep, by itself, and woken, by a worker. Both are called under the
 * job's lock, so that no sleep comes after the waking that was meant for it. */
typedef struct job_reader {
    void (*sleep)(void *user);
    void (*wake)(void *user);
} job_reader;

/* Among the jobs that are waited for; see pool.h. */
typedef struct job_link {
    struct job *before, *next;
    int socket; /* of the client */
    bool listed;
} job_link;

struct job {
    struct job *next; /* in the queue */
    job_link pending;
    job_plan plan;
    fields asked;
    char *body;               /* of the request, if it is not fields; NULL: it is */
    dd_text text;             /* a view of one of these */
    char *converted;          /* what is read in place of the text; NULL: the text itself */
    double arrived, deadline; /* seconds of number_seconds_now */
    bool whole; /* no client reads the answer before it is finished, so that it can be refused until
                   then */

    bool heavy; /* the pool's: a step of it can take long, see pool.h */

    /* The worker's. */
    dd_reader *reader;
    dd_sentence **sentences; /* [held] of the slice; [room] there are */
    size_t held, room;
    size_t parsed;  /* of the slice */
    bool again;     /* the slice was given up, and continues where it stopped */
    bool at_end;    /* of the text */
    size_t passed;  /* sentences of slices before this one */
    uint64_t words; /* read so far */
    output made;    /* not yet published */
    bool wrote;     /* something before what comes next */
    refusal why;
    double begun; /* when a worker took it; 0: none did */

    /* Shared, under the lock. */
    pthread_mutex_t lock;
    int holders;
    job_state state;
    output ready;
    size_t read;           /* of what is ready */
    bool cancelled;        /* no client reads it any more */
    dd_cancel *worker;     /* ends what a worker does for this job alone; NULL: nothing is done */
    atomic_size_t *unread; /* of all jobs: bytes that wait to be read; NULL: not counted */
    size_t counted;        /* of these, this job's */
    bool sleeps;           /* its reader, until woken */
    bool parked;
    double stalled; /* since when it waits for answers of others to be read; 0: it does not */
    const job_reader *reader_calls;
    void *user;
};

/* Held by its connection; NULL: out of memory. */
job *job_new(const job_reader *calls, void *user);
void job_hold(job *one);
void job_drop(job *one);

/* ---- the worker's side ----------------------------------------------------------------------- */

/* A worker begins a step of the job; `cancel` ends it when no client waits for it any more. False:
 * no client waits for it now. */
bool job_attach(job *one, dd_cancel *cancel);
void job_detach(job *one);
/* Hands on what was made. */
typedef enum job_next { JOB_GO_ON, JOB_PARK, JOB_STOP } job_next;
job_next job_publish(job *one, bool last);
/* Whether an answer of that many bytes may be kept until it is read. */
bool job_has_room(const job *one, size_t bytes);
/* Parks a job whose answer has begun, and continues with it when others have been read. False:
 * there is no need to. */
bool job_stall(job *one);
/* Ends it with job.why, or as broken if some of it can have been read. */
void job_refuse(job *one);
bool job_is_cancelled(job *one);
/* Whether the job can still be refused, because no client can have read anything. */
bool job_is_unread(job *one);

/* ---- the connection's side ------------------------------------------------------------------- */

enum { JOB_READ_WAIT = 0, JOB_READ_END = -1, JOB_READ_BROKEN = -2 };
/* Up to `most` bytes; JOB_READ_WAIT: none are there, and the reader will be woken. *again: the job
 * was parked and is to be queued again. */
long job_read(job *one, char *out, size_t most, bool *again);
/* What there is so far; JOB_WAITS: the reader was put to sleep. */
job_state job_await(job *one);
/* The whole answer of a finished job, of which nothing was read; to be freed. */
char *job_take(job *one, size_t *size);
void job_cancel(job *one);
/* The deadline has passed: if nothing can be read yet, nothing will be read. */
void job_expire(job *one);
/* Whether a job that was stalled is to be queued again. One that has waited for so many seconds is
 * broken. */
bool job_unstall(job *one, double seconds);
/* The client may have gone: a long step is not worth while, but what is quick is still answered. */
void job_abandon(job *one);

#endif
