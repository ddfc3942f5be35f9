/* sizes.c - how large the configurations are that training visits
 *
 *     sizes [-i ITERATIONS] [-s SEED] SYSTEM TRAIN...
 *
 * Trains arc-standard, lr-spine or attardi on each treebank with the dynamic oracle, as `dodona
 * experiment` does (10 iterations, seed 1), and prints one JSON object a line with the sizes before
 * each transition, which papers.py makes into the table of docs/results.md. The table of lr-spine
 * is filled for one in 500 configurations. */
#include "core/status.h"
#include "shapes.h"
#include "systems/registry.h"
#include "train/training.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TABLES_EVERY = 500 };

/* The trainer applies each transition by `system`, which is the one under study but for `watch`. */
typedef struct study {
    dd_training training;
    dd_system system;
    shape_counter counter;
    bool failed;
} study;

static study *now; /* as `apply` has no other way to know it */

static void watch(dd_config *config, dd_move move, int label)
{
    const dd_trainer *trainer = &now->training.trainer;
    if (config == &trainer->decoder.config)
        now->failed |= !shape_counter_add(&now->counter, config, trainer->oracle.gold);
    dd_system_apply(now->counter.system, config, move, label);
}

static bool learn(study *s)
{
    dd_training *t = &s->training;
    const dd_learner *learner = t->trainer.learner;
    for (int k = 1; k <= t->options->iterations; k++) {
        if (!dd_training_begin_round(t, k)) return false;
        for (size_t from = 0, to; from < t->n_round; from = to) {
            to = dd_training_end_of_batch(t, from);
            if (!dd_training_learn(t, t->round + from, (int)(to - from)) || s->failed) return false;
        }
        if (learner->end_epoch && !learner->end_epoch(t->trainer.state, k, t->options->iterations))
            return false;
    }
    return true;
}

static bool run(study *s, const dd_train_options *options, const char *path)
{
    dd_training *t = &s->training;
    dd_error error;
    t->options = options;
    bool ok = dd_components_read(&t->components, options, &path, 1, NULL, &error) == DD_OK &&
              dd_training_choose(t, &error) == DD_OK && dd_training_prepare(t, &error) == DD_OK;
    if (ok) {
        s->counter = (shape_counter){.system = t->system, .tables_every = TABLES_EVERY};
        s->system = *t->system;
        s->system.moves.apply = watch;
        t->inventory.system = &s->system;
        t->trainer.explore = 1;
        now = s;
        ok = learn(s);
        if (!ok) dd_fail_memory(&error);
    }
    if (!ok) fprintf(stderr, "sizes: %s\n", error.message);
    return ok;
}

static void print_sizes(const shapes *sums)
{
    printf("{\"configurations\":%" PRIu64 ",\"stack\":[%" PRIu64 ",%d],\"buffer\":[%" PRIu64
           ",%d],\"reduced\":[%" PRIu64 ",%d],\"share\":%.10g,\"tables\":%" PRIu64 ",\"longest\":[",
           sums->configurations, sums->stack, sums->largest_stack, sums->buffer,
           sums->largest_buffer, sums->reduced, sums->largest_reduced, sums->share, sums->tables);
    int last = SHAPE_DIAGONALS;
    while (last > 0 && sums->longest[last - 1] == 0) last--;
    for (int d = 0; d < last; d++) printf("%s%d", d ? "," : "", sums->longest[d]);
    printf("]}");
}

/* The treebank has the name of its folder, or else of its file. */
static void print_line(const study *s, const char *path)
{
    const char *end = strrchr(path, '/');
    if (!end) end = path + strlen(path);
    const char *start = end;
    while (start > path && start[-1] != '/') start--;
    const dd_train_options *options = s->training.options;
    printf("{\"treebank\":\"%.*s\",\"system\":\"%s\",\"oracle\":\"dynamic\",\"seed\":%" PRIu64
           ",\"sizes\":",
           (int)(end - start), start, options->system, options->seed);
    print_sizes(&s->counter.sums);
    printf("}\n");
    fflush(stdout);
}

static int usage(void)
{
    fprintf(stderr, "usage: sizes [-i ITERATIONS] [-s SEED] SYSTEM TRAIN...\n"
                    "SYSTEM is arc-standard, lr-spine or attardi\n");
    return 2;
}

int main(int argc, char **argv)
{
    dd_train_options options;
    dd_train_options_init(&options);
    options.iterations = 10;
    options.oracle = DD_ORACLE_DYNAMIC;
    options.unbuildable = DD_UNBUILDABLE_SKIP;
    for (int letter; (letter = getopt(argc, argv, "i:s:")) != -1;) {
        if (letter == 'i')
            options.iterations = atoi(optarg);
        else if (letter == 's')
            options.seed = strtoull(optarg, NULL, 10);
        else
            return usage();
    }
    if (argc - optind < 2 || options.iterations < 1) return usage();
    options.system = argv[optind++];
    const dd_system *system = dd_system_find(options.system);
    if (!system || !shape_counter_knows(system)) return usage();
    bool ok = true;
    for (; ok && optind < argc; optind++) {
        study s = {0};
        ok = run(&s, &options, argv[optind]);
        if (ok) print_line(&s, argv[optind]);
        dd_training_free(&s.training);
        shape_counter_free(&s.counter);
    }
    return !ok;
}
