/* Checkpoints made to deceive: the checksum is right and the contents are not. Whatever they hold,
 * they are refused, or training is in a state from which it can go on.
 *
 *     input: a checkpoint
 *
 * Header and checksum are put right first, so that mutations reach what stands behind them. */
#include "fuzz.h"

#include "train/checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEADER = 32, SIZE_AT = 16, CHECKSUM_AT = 24 };

static void require(bool holds)
{
    if (!holds) abort();
}

static const char treebank[] = "1\tdogs\t_\tN\t_\t_\t2\tnsubj\t_\t_\n"
                               "2\tbark\t_\tV\t_\t_\t0\troot\t_\t_\n\n"
                               "1\tcome\t_\tV\t_\t_\t0\troot\t_\t_\n\n";

/* A training that has begun, with dev data; it is taken from one checkpoint to the next. */
static dd_training *begin(void)
{
    static dd_train_options options;
    static dd_training training;
    char path[] = "/tmp/dodona-fuzz-XXXXXX";
    const char *paths[] = {path};
    int file = mkstemp(path);
    require(file >= 0);
    require(write(file, treebank, sizeof treebank - 1) == (ssize_t)sizeof treebank - 1);
    close(file);
    dd_train_options_init(&options);
    options.scorer = "neural";
    options.system = "arc-hybrid";
    options.network.inputs = 1 << 3; /* UPOS: small enough to be mutated often */
    options.network.width = 8;
    options.network.hidden = 16;
    training = (dd_training){.options = &options};
    require(dd_components_read(&training.components, &options, paths, 1, path, NULL) == DD_OK);
    require(dd_training_choose(&training, NULL) == DD_OK);
    require(dd_training_prepare(&training, NULL) == DD_OK);
    unlink(path);
    return &training;
}

static dd_training *get(void)
{
    static dd_training *training;
    if (!training) training = begin();
    return training;
}

/* An order of the treebank, and weights that can be frozen, unless they are absurdly large. */
static void check(dd_training *t)
{
    dd_model *model = NULL;
    require(t->iterations_done >= 1 && t->iterations_done <= t->options->iterations);
    require(t->order[0] + t->order[1] == 1);
    require(t->best && isfinite(t->best_las));
    dd_model_free(t->best);
    t->best = NULL;
    dd_status status = dd_training_hand_out(t, &model, NULL);
    require(status == DD_OK || status == DD_ERROR_MODEL);
    dd_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dd_error error = {.status = DD_OK};
    if (size < HEADER) return 0;
    char *bytes = malloc(size);
    require(bytes != NULL);
    memcpy(bytes, data, size);
    uint64_t whole = size, checksum = XXH3_64bits(bytes + HEADER, size - HEADER);
    fuzz_seed seed = fuzz_seed_at(0);
    memcpy(bytes, seed.data, SIZE_AT);
    memcpy(bytes + SIZE_AT, &whole, sizeof whole);
    memcpy(bytes + CHECKSUM_AT, &checksum, sizeof checksum);
    dd_status status = dd_checkpoint_take(get(), "fuzz", (dd_text){bytes, size}, &error);
    if (status == DD_OK)
        check(get());
    else
        require(status == error.status && memcmp(error.message, "fuzz: ", 6) == 0);
    free(bytes);
    return 0;
}

static void make_seed(dd_buffer *out)
{
    dd_training *t = get();
    t->iterations_done = 1;
    t->best_uas = t->best_las = 50;
    require(dd_training_hand_out(t, &t->best, NULL) == DD_OK);
    require(dd_checkpoint_make(t, out, NULL) == DD_OK);
}

fuzz_seed fuzz_seed_at(size_t index)
{
    static dd_buffer seed; /* kept to the end of the program */
    if (index > 0) return (fuzz_seed){NULL, 0};
    if (!seed.data) make_seed(&seed);
    return (fuzz_seed){seed.data, seed.size};
}
