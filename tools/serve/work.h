/* work.h - what a worker does with jobs: reads sentences, parses them together, writes them */
#ifndef SERVE_WORK_H
#define SERVE_WORK_H

#include "serve/job.h"
#include "serve/limits.h"

enum {
    SLICE_SENTENCES = 64, /* of a job that are parsed before others have their turn */
    SLICE_WORDS = 2000,
};

/* Seconds of a step of jobs that are not heavy; one that takes longer is given up, and the job is
 * heavy from then on. */
#define LIGHT_STEP 0.25

/* One thread's workspaces. */
typedef struct workspace {
    const serve_limits *limits;
    dd_cancel *cancel;   /* ends the step in hand */
    dd_parser **parsers; /* [models] NULL until one is used */
    size_t models;
    dd_drawing *drawing;   /* NULL until one is used */
    int drawing_width;     /* that it was made for */
    dd_sentence *sentence; /* for what is read but not kept */
    dd_buffer text;        /* of one sentence */
    dd_buffer trees;       /* the same as CoNLL-U, where both are wanted */
    dd_sentence **batch;   /* [batch_size] of all jobs */
    job **owners;          /* [batch_size] */
    size_t batch_size, batch_capacity;
} workspace;

/* False: out of memory. */
bool workspace_init(workspace *own, const serve_limits *limits, size_t models);
void workspace_free(workspace *own);
/* The worker's own; NULL, with the reason: there is none. */
dd_parser *workspace_parser(workspace *own, const served_model *model, refusal *why);

/* Takes the next slice of each job a step further, and parses them together: their plans are alike.
 * next[i] tells what becomes of job i. */
void work_on(workspace *own, job *const *jobs, size_t count, job_next *next);
/* Whether a step of it can take long, for the pool. */
bool work_is_hard(const job *one);
/* Whether sentences of both can be parsed together. */
bool work_is_alike(const job *one, const job *other);

/* ---- its parts ------------------------------------------------------------------------------- */

/* What ended a call of the library in a step: that it took too long, or what it reported. */
bool work_refuse(job *one, const dd_error *error);
/* Reads a slice; before the first one of a long text, the whole is checked, as an answer that is
 * read while it is made cannot be taken back once it has begun. */
bool work_read(workspace *own, job *one);
/* Writes the slice to job.made; the first and the last with what stands around all of them. */
bool work_write(workspace *own, job *one);
/* A picture of one sentence of the slice, and nothing else. */
bool work_write_svg(workspace *own, job *one);
/* The objects of a sentence's trees, a line each, with the CoNLL-U and the picture of each. */
bool work_write_drawn(workspace *own, job *one, const dd_sentence *sentence, dd_text lines);
/* One object of JSON, or what it begins with, among others. */
void work_write_object(job *one, dd_text object);
/* All steps of an oracle's walk or a trace, to job.made. */
bool work_steps(workspace *own, job *one);
/* Puts the constraints that the request has for the n-th sentence, from 1, into it. */
bool work_constrain(workspace *own, job *one, size_t n, dd_sentence *sentence);

#endif
