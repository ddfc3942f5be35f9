/* bounds.c - how close the bounds of covington-nm's loss are (nonmonotonic-covington-2017, Table 1)
 *
 *     bounds [-e] [-t TRANSITIONS] [-l LIMIT] TREEBANK...
 *
 * Trains on each treebank with the dynamic oracle, exploring, and looks at the configuration before
 * each of the first transitions (100,000): its bounds, and its loss by pruned search over LIMIT
 * configurations at most (1,000,000). As in the paper any number of words may depend on 0, and the
 * lower bound prunes the search although it has an exception (docs/theory/errata.md); with -e
 * the search is exact. */
#include "core/status.h"
#include "systems/covington_nm/covington_nm.h"
#include "systems/registry.h"
#include "train/training.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOWER, PC_UPPER, UPPER, N_BOUNDS };

typedef struct tally {
    uint64_t configurations;
    uint64_t too_high; /* the lower bound is above the loss, see docs/theory/errata.md */
    uint64_t unproved; /* the search came to its limit; counted with the best bound */
    uint32_t longest;  /* configurations looked at in one search */
    double loss;       /* sum */
    double value[N_BOUNDS], difference[N_BOUNDS]; /* sums; difference relative to the loss */
} tally;

/* The trainer asks for the losses behind the moves of every configuration it comes to; the study
 * listens there. The loss space that it is asked with is the one in `training`. */
typedef struct study {
    dd_training training;
    dd_system system; /* covington-nm, but for its losses */
    dd_loss_space own;
    uint64_t wanted; /* configurations */
    dd_nm_search how;
    tally sums;
} study;

static void add(tally *sums, dd_nm_bounds bounds, const dd_nm_exact *exact)
{
    int values[N_BOUNDS] = {bounds.lower, bounds.pc_upper, bounds.upper};
    double unit = exact->loss > 0 ? exact->loss : 1;
    sums->configurations++;
    sums->loss += exact->loss;
    sums->too_high += bounds.lower > exact->loss;
    sums->unproved += !exact->proved;
    if (exact->visited > sums->longest) sums->longest = exact->visited;
    for (int b = 0; b < N_BOUNDS; b++) {
        sums->value[b] += values[b];
        sums->difference[b] += abs(values[b] - exact->loss) / unit;
    }
}

static bool listen(dd_loss_space *space, const dd_config *config, const dd_gold *gold,
                   const dd_move *moves, int n_moves, int *losses)
{
    study *s = (study *)(void *)((char *)space - offsetof(study, training.trainer.oracle.space));
    dd_nm_view now = dd_nm_now(config);
    dd_nm_bounds bounds;
    dd_nm_exact exact;
    if (s->sums.configurations < s->wanted) {
        if (!dd_nm_bound(&s->own, &now, gold, &bounds) ||
            !dd_nm_exact_search(&s->own, &now, gold, s->how, &exact))
            return false;
        add(&s->sums, bounds, &exact);
    }
    return dd_covington_nm.oracle.losses(space, config, gold, moves, n_moves, losses);
}

/* Until enough configurations are seen, which may take several passes over a small treebank. */
static bool learn(study *s)
{
    dd_training *t = &s->training;
    while (s->sums.configurations < s->wanted) {
        dd_trainer_shuffle(&t->trainer, t->order, t->n_order);
        for (size_t i = 0; i < t->n_order && s->sums.configurations < s->wanted; i++)
            if (!dd_training_learn(t, &t->order[i], 1)) return false;
    }
    return true;
}

static bool run(study *s, const char *path)
{
    dd_train_options options;
    dd_error error;
    dd_train_options_init(&options);
    options.system = dd_covington_nm.name;
    options.single_root = DD_SINGLE_ROOT_NO;
    s->training = (dd_training){.options = &options};
    s->system = dd_covington_nm;
    s->system.oracle.losses = listen;
    bool ok =
        dd_components_read(&s->training.components, &options, &path, 1, NULL, &error) == DD_OK &&
        dd_training_choose(&s->training, &error) == DD_OK &&
        dd_training_prepare(&s->training, &error) == DD_OK;
    if (ok) {
        s->training.inventory.system = &s->system;
        s->training.trainer.oracle.system = &s->system;
        s->training.trainer.explore = 1;
        ok = learn(s);
        if (!ok) dd_fail_memory(&error);
    }
    if (!ok) fprintf(stderr, "bounds: %s\n", error.message);
    dd_training_free(&s->training);
    dd_loss_space_free(&s->own);
    return ok;
}

static void print_row(const char *name, const double row[2 * N_BOUNDS + 1])
{
    printf("%-20s", name);
    for (int i = 0; i <= 2 * N_BOUNDS; i++) printf(" %9.5f", row[i]);
    printf("\n");
}

/* In the order of the paper's columns. */
static void print_study(const char *name, const tally *sums, double total[2 * N_BOUNDS + 1])
{
    double n = (double)sums->configurations;
    double row[2 * N_BOUNDS + 1] = {
        sums->value[LOWER] / n,      sums->loss / n,
        sums->value[PC_UPPER] / n,   sums->value[UPPER] / n,
        sums->difference[LOWER] / n, sums->difference[PC_UPPER] / n,
        sums->difference[UPPER] / n,
    };
    for (int i = 0; i <= 2 * N_BOUNDS; i++) total[i] += row[i];
    print_row(name, row);
    fprintf(stderr,
            "%s: %llu configurations, lower bound too high in %llu, search ended early in %llu, "
            "longest search %lu\n",
            name, (unsigned long long)sums->configurations, (unsigned long long)sums->too_high,
            (unsigned long long)sums->unproved, (unsigned long)sums->longest);
}

/* The name of the folder that the treebank is in, else of the file. */
static void name_of(const char *path, char name[21])
{
    const char *end = strrchr(path, '/'), *start = end;
    if (!end) end = path + strlen(path);
    for (start = end; start > path && start[-1] != '/';) start--;
    snprintf(name, 21, "%.*s", (int)(end - start), start);
}

static int usage(void)
{
    fprintf(stderr, "usage: bounds [-e] [-t TRANSITIONS] [-l LIMIT] TREEBANK...\n");
    return 2;
}

int main(int argc, char **argv)
{
    long transitions = 100000, limit = 1000000;
    double total[2 * N_BOUNDS + 1] = {0};
    bool exact = false;
    for (int letter; (letter = getopt(argc, argv, "et:l:")) != -1;) {
        if (letter == 'e')
            exact = true;
        else if (letter == 't')
            transitions = atol(optarg);
        else if (letter == 'l')
            limit = atol(optarg);
        else
            return usage();
    }
    if (optind == argc || transitions < 1 || limit < 1 || limit > UINT32_MAX) return usage();
    printf("%-20s %39s %29s\n", "", "average value", "relative difference to loss");
    printf("%-20s %9s %9s %9s %9s %9s %9s %9s\n", "treebank", "lower", "loss", "pc upper", "upper",
           "lower", "pc upper", "upper");
    for (int i = optind; i < argc; i++) {
        char name[21];
        study s = {.wanted = (uint64_t)transitions, .how = {(uint32_t)limit, !exact}};
        if (!run(&s, argv[i])) return 1;
        name_of(argv[i], name);
        print_study(name, &s.sums, total);
        fflush(stdout);
    }
    for (int i = 0; i <= 2 * N_BOUNDS; i++) total[i] /= argc - optind;
    print_row("average", total);
    return 0;
}
