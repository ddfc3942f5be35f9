/* results.h - the file of results: read as far as it goes, and added to line by line */
#ifndef EXPERIMENT_RESULTS_H
#define EXPERIMENT_RESULTS_H

#include "experiment/result.h"

typedef struct results {
    const plan *plan;
    result *runs; /* [plan_size] */
    bool *known;  /* [plan_size] there is a result of the run; it may have failed */
    size_t other; /* lines of runs that the plan does not have */
    size_t lines; /* whole ones */
    bool cut;     /* the last line has no end */
    int file;     /* open for adding lines, -1: not */
} results;

/* Reads what there is; a file that is not there is empty. Says what is wrong and returns the exit
 * status. */
int results_read(results *r, const plan *p, const char *path);
/* The same, and opens the file to add to it: a cut last line is taken away, and the file is locked
 * against other experiments. */
int results_open(results *r, const plan *p, const char *path);
/* Adds whole lines. False with errno. */
bool results_append(results *r, const char *data, size_t size);
/* Takes the result of a run, unless it failed and an earlier one did not. */
void results_keep(results *r, run_key key, result *new);
void results_close(results *r);

/* Finished without failure. */
static inline const result *results_at(const results *r, run_key key)
{
    size_t at = plan_index(r->plan, key);
    return r->known[at] && !r->runs[at].failed ? &r->runs[at] : NULL;
}

/* A shard is a share of the runs of a plan. It has its own file of results, so that no two machines
 * write to one file; merging gathers them in one file again:
 *
 *     p.plan.jsonl <- p.plan.1-of-8.jsonl, p.plan.2-of-8.jsonl, .. */

typedef struct shard {
    size_t number, of; /* from 1; of every `of` runs the number-th, so that all have a mixture */
} shard;

static inline bool shard_has(shard s, size_t run)
{
    return run % s.of == s.number - 1;
}

/* "2/8"; false: it is not that. */
bool shard_read(const char *text, shard *out);
/* The path of its results, to be freed; `path` is that of all. */
char *shard_path(const char *path, shard s);
/* Adds what the files of shards beside `path` have to the results in `path`, in the order of the
 * plan. `r` is opened, and to be closed. Says what is wrong; returns the exit status. */
int shards_merge(results *r, const plan *p, const char *path);

#endif
