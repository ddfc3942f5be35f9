/* plan.h - what an experiment consists of: every seed with every treebank and every setup
 *
 *     seeds = 1 2 3
 *     iterations = 10
 *     parser-bytes = 100000000   # left out: as many as training sees fit
 *     settings = scorer=neural width=128   # any others of `dodona train`
 *
 *     [treebanks]
 *     folder = treebanks        # beside the plan; has CODE/train.conllu, dev and test
 *     codes = en_ewt hu_szeged
 *
 *     [runs]
 *     systems = arc-eager covington-nm
 *     oracles = static dynamic
 *
 * Sections may be repeated; each is the product of its lists. docs/experiments.md has it all. */
#ifndef EXPERIMENT_PLAN_H
#define EXPERIMENT_PLAN_H

#include "dodona_tools.h"

typedef struct plan_treebank {
    char *code;
    char *train, *dev, *test; /* paths */
    bool conllx;              /* in CoNLL-X format, and to be evaluated by its rule */
    int iterations;
    uint64_t bytes; /* of the training file, to guess at times */
} plan_treebank;

enum { PLAN_STATIC = 0, PLAN_NONDET, PLAN_DYNAMIC };

/* A way to train, as the papers compare them. */
typedef struct plan_setup {
    char *system;
    int oracle; /* PLAN_STATIC and so on */
    char *loss; /* NULL: the system's own choice */
} plan_setup;

typedef struct plan {
    char *path;
    uint64_t *seeds;
    uint64_t parser_bytes; /* as in `dodona train`; 0: its default */
    char *settings;        /* NAME=VALUE with a space between two; may be empty */
    plan_treebank *treebanks;
    plan_setup *setups;
    size_t n_seeds, n_treebanks, n_setups;
    size_t seeds_capacity, treebanks_capacity, setups_capacity;
} plan;

/* One of the plan's runs. Seeds come first, so that an experiment that is cut short has fewer seeds
 * and not fewer treebanks. */
typedef struct run_key {
    size_t seed, treebank, setup; /* indices in the plan */
} run_key;

static inline size_t plan_size(const plan *p)
{
    return p->n_seeds * p->n_treebanks * p->n_setups;
}

static inline run_key plan_run(const plan *p, size_t index)
{
    return (run_key){index / p->n_setups / p->n_treebanks, index / p->n_setups % p->n_treebanks,
                     index % p->n_setups};
}

static inline size_t plan_index(const plan *p, run_key key)
{
    return (key.seed * p->n_treebanks + key.treebank) * p->n_setups + key.setup;
}

/* Says what is wrong, with file and line; returns the exit status. `folder` takes the place of
 * every folder in the plan; NULL: as it says. With `for_report` the treebanks need not be there. */
int plan_read(plan *p, const char *path, const char *folder, bool for_report);
void plan_free(plan *p);

/* Sets the plan's own settings. On failure `error` says which is wrong. */
dd_status plan_set(const plan *p, dd_settings *settings, dd_error *error);

extern const char *const plan_oracles[]; /* static nondet dynamic, as settings name them */
/* "dynamic", or "dynamic lower" where the loss is not the system's own. */
enum { SETUP_NAME_SIZE = 64 };
void setup_oracle_name(const plan_setup *s, char name[SETUP_NAME_SIZE]);

#endif
