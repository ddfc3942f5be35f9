/* The gradients of the neural scorer's network against finite differences, weight by weight, in
 * double precision. The network's files are compiled into this program with doubles. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "neural/shard.h"
#include "transition/config.h"

enum { SENTENCES = 4, LONGEST = 6, SYMBOLS = 5, TYPES = 7, SLOTS = 3, OUTPUTS = 3, LABELS = 4 };

typedef struct example {
    dd_coded coded;
    uint32_t symbols[DD_INPUT_FEATS][LONGEST + 1], features[2 * LONGEST],
        first_feature[LONGEST + 2], types[LONGEST + 1];
    int32_t heads[LONGEST + 1], labels[LONGEST + 1], weights[LONGEST + 1];
} example;

typedef struct stage {
    dd_network network;
    dd_real *weights, *packed;
    dd_spellings spellings;
    example examples[SENTENCES];
    const dd_coded *coded[SENTENCES];
    dd_shard_gold gold[SENTENCES];
    dd_dropouts dropouts;
    dd_shard shard;
} stage;

static const dd_network_shape shape = {
    .vocabulary = {SYMBOLS, SYMBOLS, SYMBOLS, SYMBOLS, SYMBOLS, SYMBOLS, SYMBOLS},
    .size = {3, 2, 2, 1, 2, 2, 2},
    .char_width = 2,
    .layers = 2,
    .width = 3,
    .slots = SLOTS,
    .hidden = 4,
    .outputs = OUTPUTS,
    .pairs = 5,
    .label_hidden = 3,
    .labels = LABELS,
};

static void make_example(example *e, int n, dd_random *random)
{
    e->coded = (dd_coded){
        .n = n, .features = e->features, .first_feature = e->first_feature, .types = e->types};
    for (int node = 0; node <= n; node++) {
        for (int i = 0; i < DD_INPUT_FEATS; i++)
            e->symbols[i][node] = dd_random_below(random, SYMBOLS);
        e->types[node] = dd_random_below(random, TYPES);
        e->first_feature[node + 1] = e->first_feature[node] + dd_random_below(random, 3);
        if (e->first_feature[node + 1] > 2 * LONGEST) e->first_feature[node + 1] = 2 * LONGEST;
        e->heads[node] = (int)dd_random_below(random, (uint32_t)n + 2) - 1;
        e->labels[node] = (int)dd_random_below(random, LABELS + 1) - 1;
        e->weights[node] = 1 + (int)dd_random_below(random, 100);
    }
    for (int i = 0; i < 2 * LONGEST; i++) e->features[i] = dd_random_below(random, SYMBOLS);
    for (int i = 0; i < DD_INPUT_FEATS; i++) e->coded.symbols[i] = e->symbols[i];
}

static void make_spellings(dd_spellings *spellings, dd_random *random)
{
    spellings->count = TYPES;
    spellings->first = calloc(TYPES + 1, sizeof *spellings->first);
    spellings->characters = calloc(TYPES * 4, sizeof *spellings->characters);
    for (int type = 0; type < TYPES; type++)
        spellings->first[type + 1] = spellings->first[type] + 1 + dd_random_below(random, 4);
    for (uint32_t i = 0; i < spellings->first[TYPES]; i++)
        spellings->characters[i] = dd_random_below(random, SYMBOLS);
}

extern const dd_encoder dd_bilstm, dd_window;

static void set_up(stage *s, const dd_encoder *encoder, dd_dropouts dropouts)
{
    dd_network_shape own = shape;
    dd_random random = {5};
    *s = (stage){.dropouts = dropouts};
    own.encoder = encoder;
    dd_network_set(&s->network, &own);
    s->weights = calloc(s->network.tensors.whole, sizeof *s->weights);
    for (size_t i = 0; i < s->network.tensors.whole; i++)
        s->weights[i] = dd_random_unit(&random) - 0.5;
    make_spellings(&s->spellings, &random);
    for (int i = 0; i < SENTENCES; i++) {
        make_example(&s->examples[i], 1 + (int)dd_random_below(&random, LONGEST), &random);
        s->coded[i] = &s->examples[i].coded;
        s->gold[i] = (dd_shard_gold){s->examples[i].heads, s->examples[i].labels,
                                     i % 2 ? s->examples[i].weights : NULL};
    }
    s->shard.network = &s->network;
    s->packed = calloc(s->network.tensors.packed_size, sizeof *s->packed);
    s->shard.weights = s->weights;
    s->shard.packed = s->packed;
}

static void tear_down(stage *s)
{
    dd_shard_free(&s->shard);
    free(s->weights);
    free(s->packed);
    free(s->spellings.first);
    free(s->spellings.characters);
}

static int draw_node(const stage *s, int sentence, dd_random *random)
{
    return (int)dd_random_below(random, (uint32_t)s->coded[sentence]->n + 2) - 1;
}

/* What an arc adds to the score of a move. */
static double decide_pair(stage *s, int sentence, dd_random *random)
{
    int dependent = draw_node(s, sentence, random);
    int head = (int)dd_random_below(random, (uint32_t)s->coded[sentence]->n + 1);
    dd_real derivative = dd_random_unit(random) - 0.5;
    assert_true(dd_shard_decide_pair(&s->shard, sentence, dependent, head, derivative));
    return derivative * dd_shard_pair(&s->shard, sentence, dependent, head);
}

/* The loss, which is linear in the scores of some configurations; with gradients if asked for. */
static double loss_of(stage *s, bool gradients)
{
    double loss = 0;
    dd_random random = {17};
    s->shard.random = (dd_random){23};
    s->shard.label_loss = 0;
    dd_tensors_pack(&s->network.tensors, &s->network.parts.list, s->weights, 0, 1, s->packed);
    assert_true(dd_shard_forward(&s->shard, s->coded, SENTENCES, &s->spellings, &s->dropouts));
    for (int k = 0; k < 10; k++) {
        int sentence = (int)dd_random_below(&random, SENTENCES), nodes[SLOTS];
        dd_real scores[OUTPUTS], derivatives[OUTPUTS];
        for (int slot = 0; slot < SLOTS; slot++) nodes[slot] = draw_node(s, sentence, &random);
        for (int o = 0; o < OUTPUTS; o++) derivatives[o] = dd_random_unit(&random) - 0.5;
        dd_shard_score(&s->shard, sentence, nodes, scores);
        for (int o = 0; o < OUTPUTS; o++) loss += derivatives[o] * scores[o];
        assert_true(dd_shard_decide(&s->shard, sentence, nodes, derivatives));
        loss += decide_pair(s, sentence, &random);
    }
    if (gradients) {
        dd_shard_backward(&s->shard, &s->spellings, s->gold, &s->dropouts, 1);
        return loss + s->shard.label_loss;
    }
    for (int i = 0; i < SENTENCES; i++)
        for (int word = 1; word <= s->coded[i]->n; word++) {
            dd_real scores[LABELS], sum = 0;
            int head = s->gold[i].heads[word], label = s->gold[i].labels[word];
            if (head < 0 || label < 0) continue;
            dd_shard_label(&s->shard, i, word, head, scores);
            for (int l = 0; l < LABELS; l++) sum += exp(scores[l]);
            double weight = s->gold[i].weights ? s->gold[i].weights[word] / 100.0 : 1;
            loss += weight * (log(sum) - scores[label]);
        }
    return loss;
}

static void check(const dd_encoder *encoder, dd_dropouts dropouts)
{
    stage s;
    const double step = 1e-5;
    set_up(&s, encoder, dropouts);
    double loss = loss_of(&s, true);
    assert_true(fabs(loss - loss_of(&s, false)) < 1e-9);
    loss_of(&s, true);
    dd_real *gradients = calloc(s.network.tensors.size, sizeof *gradients);
    memcpy(gradients, s.shard.gradients, s.network.tensors.size * sizeof *gradients);
    size_t moved = 0;
    for (size_t i = 0; i < s.network.tensors.size; i++) {
        dd_real weight = s.weights[i];
        s.weights[i] = weight + step;
        double above = loss_of(&s, false);
        s.weights[i] = weight - step;
        double below = loss_of(&s, false);
        s.weights[i] = weight;
        double derivative = (above - below) / (2 * step);
        if (fabs(derivative - gradients[i]) > 1e-6 * (1 + fabs(derivative)))
            fail_msg("weight %zu: %g by differences, %g by the network", i, derivative,
                     gradients[i]);
        moved += derivative != 0;
    }
    assert_true(moved > s.network.tensors.size * 3 / 4);
    free(gradients);
    tear_down(&s);
}

static void gradients_equal_finite_differences(void **state)
{
    (void)state;
    check(&dd_bilstm, (dd_dropouts){0, 0});
}

static void with_dropout_too(void **state)
{
    (void)state;
    check(&dd_bilstm, (dd_dropouts){0.3, 0.3});
}

static void of_another_encoder_too(void **state)
{
    (void)state;
    check(&dd_window, (dd_dropouts){0, 0});
    check(&dd_window, (dd_dropouts){0.3, 0.3});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_equal_finite_differences),
        cmocka_unit_test(with_dropout_too),
        cmocka_unit_test(of_another_encoder_too),
    };
    return cmocka_run_group_tests_name("gradients", tests, NULL, NULL);
}
