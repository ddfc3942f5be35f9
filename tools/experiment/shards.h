/* shards.h - the runs of a plan in shares, each with a file of results of its own, so that no two
 * machines write to one file; and all of them in one file again
 *
 *     p.plan.jsonl <- p.plan.1-of-8.jsonl, p.plan.2-of-8.jsonl, .. */
#ifndef EXPERIMENT_SHARDS_H
#define EXPERIMENT_SHARDS_H

#include "experiment/results.h"

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
