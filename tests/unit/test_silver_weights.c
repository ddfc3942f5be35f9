/* Silver trees whose arcs count what a teacher gives them: how probabilities are read, what they
 * make of the loss, and that trees which are certain teach as without. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "core/random.h"
#include "model/image.h"
#include "systems/registry.h"
#include "train/trainer.h"
#include "train/training.h"

/* ---- the loss ----------------------------------------------------------------------------- */

enum { WORDS = 6, MOST_MOVES = 16 };

/* A learner whose scores are drawn, and which notes the derivatives that it is told. */
typedef struct noter {
    dd_random random;
    dd_view *view;
    const dd_gold *gold;
    const int32_t *weights;
    const dd_system *system;
    dd_loss_space space;
    double scores[MOST_MOVES], derivatives[MOST_MOVES];
    int n_moves, checked, mixed;
} noter;

#define UNIT (1.0 / 4096)

static bool prepare_nothing(void *state, const dd_example *examples, int count)
{
    (void)state, (void)examples, (void)count;
    return true;
}

/* What the derivatives are those of, p held: see train/loss.c. Probabilities by the scores that the
 * noter has. */
static double loss_at(const noter *n, const double *scores, const int *costs, const double *shares)
{
    double all = 0, free = 0, loss = 0;
    for (int m = 0; m < n->n_moves; m++) all += exp(n->scores[m]);
    for (int m = 0; m < n->n_moves; m++) free += costs[m] == 0 ? exp(scores[m]) : 0;
    for (int m = 0; m < n->n_moves; m++)
        if (costs[m] > 0) loss += shares[m] * exp(n->scores[m]) / all * (scores[m] - log(free));
    return loss;
}

/* Minus the logarithm of the probability of free moves. */
static double plain_loss_at(const noter *n, const double *scores, const int *costs)
{
    double all = 0, free = 0;
    for (int m = 0; m < n->n_moves; m++) all += exp(scores[m]);
    for (int m = 0; m < n->n_moves; m++) free += costs[m] == 0 ? exp(scores[m]) : 0;
    return log(all) - log(free);
}

static void compare(noter *n, const int *costs, const double *shares, bool same)
{
    const double step = 1e-5;
    for (int m = 0; m < n->n_moves; m++) {
        double scores[MOST_MOVES], loss[2], plain[2];
        memcpy(scores, n->scores, sizeof scores);
        for (int i = 0; i < 2; i++) {
            scores[m] = n->scores[m] + (i ? step : -step);
            loss[i] = loss_at(n, scores, costs, shares);
            plain[i] = plain_loss_at(n, scores, costs);
        }
        double wanted = (loss[1] - loss[0]) / (2 * step);
        assert_true(fabs(n->derivatives[m] - wanted) < 1e-6);
        /* where wrong moves weigh the same, that share of the loss without weights */
        double share = 0;
        for (int k = 0; k < n->n_moves; k++) share = costs[k] > 0 ? shares[k] : share;
        wanted = share * (plain[1] - plain[0]) / (2 * step);
        if (same) assert_true(fabs(n->derivatives[m] - wanted) < 1e-6);
    }
}

/* Of the configuration scored last. */
static void check_derivatives(noter *n)
{
    int costs[MOST_MOVES], sums[MOST_MOVES], free_moves = 0, wrong = 0;
    double shares[MOST_MOVES], some = 0;
    bool same = true;
    dd_gold weighted = *n->gold;
    weighted.weights = n->weights;
    assert_true(dd_system_costs(n->system, &n->space, n->view->config, n->gold, n->view->moves,
                                n->n_moves, costs));
    assert_true(dd_system_costs(n->system, &n->space, n->view->config, &weighted, n->view->moves,
                                n->n_moves, sums));
    for (int m = 0; m < n->n_moves; m++) {
        free_moves += costs[m] == 0;
        shares[m] = costs[m] > 0 ? sums[m] / (100.0 * costs[m]) : 1;
        if (costs[m] == 0) continue;
        same = same && (wrong == 0 || shares[m] == some);
        some = shares[m];
        wrong++;
    }
    assert_true(free_moves > 0);
    if (wrong == 0) return;
    compare(n, costs, shares, same);
    n->checked++;
    n->mixed += !same;
}

static bool draw_scores(void *state, dd_view *const *views, int count)
{
    noter *n = state;
    assert_int_equal(count, 1);
    n->view = views[0];
    n->n_moves = views[0]->n_moves;
    memset(n->derivatives, 0, sizeof n->derivatives);
    for (int m = 0; m < n->n_moves; m++) {
        int32_t score = (int32_t)dd_random_below(&n->random, 3 * 4096);
        n->scores[m] = score * UNIT;
        views[0]->scores[views[0]->moves[m].kind] = score;
    }
    return true;
}

/* The moves come in order, so that the last one ends the configuration. */
static bool note_derivative(void *state, const dd_view *view, dd_pick pick, float derivative)
{
    noter *n = state;
    (void)view;
    n->derivatives[pick.move] = (double)derivative;
    if (pick.move == n->n_moves - 1) check_derivatives(n);
    return true;
}

static bool make_no_step(void *state)
{
    (void)state;
    return true;
}

static const dd_learner noting = {.loss = DD_LOSS_SOFTMAX,
                                  .unit = UNIT,
                                  .prepare = prepare_nothing,
                                  .score = draw_scores,
                                  .gradient = note_derivative,
                                  .step = make_no_step};

static void draw_tree(dd_random *random, int32_t *heads, int32_t *weights)
{
    heads[0] = -1;
    for (int word = 1; word <= WORDS; word++) {
        heads[word] = word == 1 ? 0 : (int32_t)(1 + dd_random_below(random, (uint32_t)word - 1));
        weights[word] = 1 + (int32_t)dd_random_below(random, 100);
    }
}

static void derivatives_are_those_of_the_loss(void **state)
{
    (void)state;
    dd_inventory inventory = {0};
    noter n = {.random = {3}, .system = &dd_arc_hybrid};
    assert_int_equal(dd_inventory_see(&inventory, (dd_text){"_", 1}, UINT8_MAX), 0);
    assert_int_equal(dd_inventory_close(&inventory, n.system, NULL), DD_OK);
    dd_trainer trainer = {.inventory = &inventory,
                          .learner = &noting,
                          .state = &n,
                          .explore = 1,
                          .beam = 1,
                          .oracle = {.kind = DD_ORACLE_DYNAMIC, .system = n.system}};
    for (int i = 0; i < 300; i++) {
        int32_t heads[WORDS + 1], weights[WORDS + 1];
        dd_gold gold = {0};
        draw_tree(&n.random, heads, weights);
        assert_true(dd_gold_set(&gold, heads, NULL, WORDS));
        if (gold.projective) {
            n.gold = &gold;
            n.weights = weights;
            dd_example example = {.gold = &gold, .weights = weights};
            assert_true(dd_trainer_learn(&trainer, &example, 1));
        }
        dd_gold_free(&gold);
    }
    assert_true(n.checked > 200 && n.mixed > 50);
    trainer.state = NULL;
    dd_trainer_free(&trainer);
    dd_loss_space_free(&n.space);
    dd_inventory_free(&inventory);
}

/* ---- training ----------------------------------------------------------------------------- */

typedef struct files {
    char plain[40], weighted[40];
} files;

static int set_up(void **state)
{
    files *f = calloc(1, sizeof *f);
    snprintf(f->plain, sizeof f->plain, "/tmp/dodona-plain-%ld", (long)getpid());
    snprintf(f->weighted, sizeof f->weighted, "/tmp/dodona-weighted-%ld", (long)getpid());
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    files *f = *state;
    unlink(f->plain);
    unlink(f->weighted);
    free(f);
    return 0;
}

/* The demo's test file with MISC of every word but each third replaced. */
static void write_with(const char *path, const char *misc)
{
    char line[1000];
    FILE *from = fopen(DEMO_TEST, "rb"), *to = fopen(path, "wb");
    assert_true(from && to);
    for (int i = 0; fgets(line, sizeof line, from); i++) {
        char *last = strrchr(line, '\t');
        if (last && misc && i % 3 > 0)
            fprintf(to, "%.*s\t%s\n", (int)(last - line), line, misc);
        else
            fputs(line, to);
    }
    fclose(from);
    fclose(to);
}

/* The same with `share` per cent for the head of each word, or for 0. */
static void write_shares(const char *path, int share, bool of_head)
{
    char line[1000];
    FILE *from = fopen(DEMO_TEST, "rb"), *to = fopen(path, "wb");
    assert_true(from && to);
    while (fgets(line, sizeof line, from)) {
        char *last = strrchr(line, '\t'), *cell = line;
        for (int column = 1; last && column < 7; column++) cell = strchr(cell, '\t') + 1;
        if (last)
            fprintf(to, "%.*s\tHeadProbs=%d:%d\n", (int)(last - line), line,
                    of_head ? atoi(cell) : 0, share);
        else
            fputs(line, to);
    }
    fclose(from);
    fclose(to);
}

static dd_model *train(const char *silver, const char *settings)
{
    char all[800];
    dd_error error;
    dd_model *model = NULL;
    snprintf(all, sizeof all,
             "scorer=neural width=16 hidden=16 batch-words=60 iterations=2 silver=%s %s", silver,
             settings);
    if (train_with_settings(&model, all, NULL, DEMO, NULL, &error) != DD_OK)
        fail_msg("%s", error.message);
    return model;
}

/* The weights of the network, or of the features; facts tell of the file. */
static bool same_weights(const dd_model *one, const dd_model *other)
{
    dd_text network[2];
    const char *name = strcmp(one->scorer->name, "neural") == 0 ? "network" : "weights";
    for (int i = 0; i < 2; i++) {
        dd_sections sections = {0};
        dd_image_list((i ? other : one)->image, &sections);
        assert_true(dd_sections_find(&sections, name, &network[i]));
    }
    return network[0].size == network[1].size &&
           memcmp(network[0].data, network[1].data, network[0].size) == 0;
}

static void compare_training(const files *f, const char *misc, const char *system, bool wanted)
{
    char settings[200];
    snprintf(settings, sizeof settings, "system=%s silver-probabilities=yes", system);
    write_with(f->weighted, misc);
    dd_model *weighted = train(f->weighted, settings);
    snprintf(settings, sizeof settings, "system=%s", system);
    write_with(f->plain, NULL);
    dd_model *plain = train(f->plain, settings);
    assert_true(same_weights(weighted, plain) == wanted);
    dd_model_free(weighted);
    dd_model_free(plain);
}

static void certain_arcs_teach_as_without_weights(void **state)
{
    static const char *const systems[] = {"arc-hybrid", "arc-eager", "arc-eager-nm", "graph"};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        compare_training(*state, "HeadProb=100|DepProb=100", systems[i], true);
        compare_training(*state, "HeadProb=60|DepProb=100", systems[i], false);
    }
    compare_training(*state, "HeadProb=100|DepProb=30", "arc-hybrid", false);
}

static void probabilities_count_only_if_asked_for(void **state)
{
    const files *f = *state;
    write_with(f->weighted, "HeadProb=none");
    write_with(f->plain, NULL);
    dd_model *one = train(f->weighted, ""), *other = train(f->plain, "");
    assert_true(same_weights(one, other));
    dd_model_free(one);
    dd_model_free(other);
}

/* ---- probabilities of any heads -----------------------------------------------------------------
 */

static dd_model *train_linear(const char *treebank, const char *settings)
{
    dd_error error;
    dd_model *model = NULL;
    if (train_with_settings(&model, settings, NULL, treebank, NULL, &error) != DD_OK)
        fail_msg("%s", error.message);
    return model;
}

/* Against the whole trees, of which some are not projective. */
static void compare_shares(const files *f, const char *system, int share, bool of_head, bool wanted)
{
    char soft[240], whole[200];
    snprintf(whole, sizeof whole, "system=%s single-root=yes iterations=4 unbuildable=whole",
             system);
    snprintf(soft, sizeof soft, "%s soft=yes", whole);
    write_shares(f->weighted, share, of_head);
    write_with(f->plain, NULL);
    dd_model *models[] = {train_linear(f->weighted, soft), train_linear(f->plain, whole)};
    assert_true(same_weights(models[0], models[1]) == wanted);
    for (int i = 0; i < 2; i++) dd_model_free(models[i]);
    dd_model *silver[] = {train(f->weighted, soft), train(f->plain, whole)};
    assert_true(same_weights(silver[0], silver[1]) == (wanted && share == 100));
    for (int i = 0; i < 2; i++) dd_model_free(silver[i]);
}

static void certain_heads_teach_as_whole_trees(void **state)
{
    static const char *const systems[] = {"arc-hybrid", "arc-eager", "covington"};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        compare_shares(*state, systems[i], 100, true, true);
        compare_shares(*state, systems[i], 100, false, false);
    }
    compare_shares(*state, "arc-eager", 60, true, true);
}

/* ---- what is read ------------------------------------------------------------------------- */

#define WORD(id, head, misc) id "\tw\t_\t_\t_\t_\t" head "\tdep\t_\t" misc "\n"

static dd_status weigh(const char *text, dd_silver *silver, dd_error *error)
{
    dd_reader *reader;
    dd_sentence *sentence;
    dd_text bytes = {text, strlen(text)};
    assert_int_equal(dd_reader_open_memory(&reader, "trees", bytes, DD_FORMAT_CONLLU, NULL), DD_OK);
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    assert_int_equal(dd_reader_next(reader, sentence, NULL), DD_OK);
    *silver = (dd_silver){.weighs = true};
    dd_status status = dd_silver_weigh(silver, sentence, "trees", error);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    return status;
}

static void probabilities_become_weights(void **state)
{
    (void)state;
    static const int32_t heads[] = {100, 100, 57, 100, 1, 80}, labels[] = {100, 100, 57, 31, 1, 40};
    dd_silver silver;
    assert_int_equal(weigh("# t\n" WORD("1", "0", "_") WORD("2", "1", "SpaceAfter=No|HeadProb=57")
                               WORD("3", "1", "DepProb=31") WORD("4", "1", "HeadProb=0")
                                   WORD("5", "1", "HeadProb=80|DepProb=50") "\n",
                           &silver, NULL),
                     DD_OK);
    assert_memory_equal(silver.weights, heads, sizeof heads);
    assert_memory_equal(silver.weights + 6, labels, sizeof labels);
    dd_silver_free(&silver);
}

static void what_is_no_percentage_is_refused(void **state)
{
    static const char *const values[] = {"abc", "101", "-1", "", "5.5", "1000", " 7", "07x"};
    const files *f = *state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (int of_head = 0; of_head < 2; of_head++) {
            char text[400], wanted[200], settings[200];
            const char *key = of_head ? "HeadProb" : "DepProb";
            dd_error error;
            dd_silver silver;
            snprintf(text, sizeof text, "# t\n%s%s%s=%s\n\n", WORD("1", "0", "_"),
                     "2\tw\t_\t_\t_\t_\t1\tdep\t_\t", key, values[i]);
            assert_int_equal(weigh(text, &silver, &error), DD_ERROR_DATA);
            snprintf(wanted, sizeof wanted,
                     ":3: column 10 (MISC): %s is not a whole number from 0 to 100", key);
            assert_non_null(strstr(error.message, wanted));
            dd_silver_free(&silver);
            if (i > 0) continue;
            FILE *file = fopen(f->weighted, "wb");
            fputs(text, file);
            fclose(file);
            snprintf(settings, sizeof settings,
                     "scorer=neural system=graph iterations=1 width=16 silver=%s "
                     "silver-probabilities=yes",
                     f->weighted);
            dd_model *model = NULL;
            assert_int_equal(train_with_settings(&model, settings, NULL, DEMO, NULL, &error),
                             DD_ERROR_DATA);
            assert_non_null(strstr(error.message, wanted));
        }
}

static void refuse(const char *settings, const char *message)
{
    dd_error error;
    dd_model *model = NULL;
    assert_int_equal(train_with_settings(&model, settings, NULL, DEMO, NULL, &error),
                     DD_ERROR_ARGUMENT);
    assert_string_equal(error.message, message);
}

static void who_cannot_weigh_says_so(void **state)
{
    (void)state;
    refuse("scorer=neural silver-probabilities=yes", "silver-probabilities: needs 'silver'");
    refuse("silver=" DEMO_TEST " silver-probabilities=yes",
           "silver-probabilities: needs the neural scorer, without a beam");
    refuse("scorer=neural system=arc-hybrid beam=4 silver=" DEMO_TEST " silver-probabilities=yes",
           "silver-probabilities: needs the neural scorer, without a beam");
    refuse("scorer=neural system=covington silver=" DEMO_TEST " silver-probabilities=yes",
           "silver-probabilities: the losses of covington count arcs and cannot weigh them");
    refuse("system=attardi soft=yes", "soft: attardi has no loss against probabilities of heads");
    refuse("oracle=static soft=yes", "soft: needs the nondet or dynamic oracle");
    refuse("scorer=neural system=arc-eager silver=" DEMO_TEST " silver-probabilities=yes soft=yes",
           "soft: cannot be combined with silver-probabilities");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_the_loss),
        cmocka_unit_test(certain_arcs_teach_as_without_weights),
        cmocka_unit_test(probabilities_count_only_if_asked_for),
        cmocka_unit_test(certain_heads_teach_as_whole_trees),
        cmocka_unit_test(probabilities_become_weights),
        cmocka_unit_test(what_is_no_percentage_is_refused),
        cmocka_unit_test(who_cannot_weigh_says_so),
    };
    return cmocka_run_group_tests_name("silver weights", tests, set_up, tear_down);
}
