/* rounding.c - what the neural scorer loses by being frozen into bytes
 *
 *     rounding TRAIN DEV [NAME=VALUE]...
 *
 * Trains on TRAIN with these settings, then parses DEV twice, with the floats that were learnt and
 * with the frozen model, and prints both scores. The learner can only score what it was given, so
 * that DEV is among its sentences, but it does not learn from them. It looks inside the trainer, so
 * it is built against the internal headers. */
#include "neural/neural_learner.h"
#include "parse/parser.h"
#include "train/settings.h"
#include "train/training.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct counts {
    uint64_t words, heads, labels;
} counts;

static void check(bool ok, const char *message)
{
    if (ok) return;
    fprintf(stderr, "rounding: %s\n", message);
    exit(1);
}

static void count_word(counts *c, const dd_gold *gold, int word, int head, int label)
{
    if (gold->heads[word] < 0) return;
    c->words++;
    if (head != gold->heads[word]) return;
    c->heads++;
    c->labels += gold->labels[word] == label;
}

/* ---- training ----------------------------------------------------------------------------- */

static size_t count_sentences(const char *path)
{
    dd_reader *reader;
    dd_sentence *sentence;
    size_t count = 0;
    check(dd_reader_open(&reader, path, DD_FORMAT_CONLLU, NULL) == DD_OK, "TRAIN cannot be read");
    check(dd_sentence_new(&sentence, NULL) == DD_OK, "allocation failed");
    while (dd_reader_next(reader, sentence, NULL) == DD_OK) count++;
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    return count;
}

/* Items behind the first `count` are not learnt from. */
static void leave_dev_out(dd_training *t, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->n_order; i++)
        if (t->order[i] < count) t->order[kept++] = t->order[i];
    t->n_order = kept;
}

static void learn(dd_training *t)
{
    dd_trainer *trainer = &t->trainer;
    int most = trainer->learner->batch_words(trainer->state);
    for (int k = 1; k <= t->options->iterations; k++) {
        trainer->explore = k >= t->options->explore_from ? t->options->explore : 0;
        dd_trainer_shuffle(trainer, t->order, t->n_order);
        for (size_t from = 0, to = 0; from < t->n_order; from = to) {
            for (int words = 0; to < t->n_order && words < most;)
                words += t->corpus->items[t->order[to++]].gold.n;
            check(dd_training_learn(t, t->order + from, (int)(to - from)), "allocation failed");
        }
        fprintf(stderr, "\riteration %d", k);
    }
    fprintf(stderr, "\n");
}

/* ---- parsing ------------------------------------------------------------------------------ */

static void parse_with_floats(dd_training *t, uint32_t item, counts *c)
{
    dd_trainer *trainer = &t->trainer;
    const dd_gold *gold = &t->corpus->items[item].gold;
    dd_decoder *decoder = &trainer->decoder;
    dd_example example = {.sentence = item, .gold = gold};
    check(trainer->learner->prepare(trainer->state, &example, 1) &&
              dd_decoder_begin(decoder, &t->inventory, gold->n, t->single_root),
          "allocation failed");
    decoder->view.sentence = 0;
    while (dd_decoder_ready(decoder)) {
        dd_choice choice;
        if (!dd_decoder_idles(decoder, &choice)) {
            check(dd_trainer_score(trainer, &decoder, 1), "allocation failed");
            choice = dd_decoder_best(decoder);
        }
        dd_decoder_apply(decoder, choice);
    }
    dd_attach_rest(&decoder->config, t->inventory.root_label);
    for (int word = 1; word <= gold->n; word++)
        count_word(c, gold, word, decoder->config.nodes[word].head,
                   decoder->config.nodes[word].label);
}

static void parse_with_bytes(const dd_training *t, dd_parser *parser, uint32_t item, counts *c)
{
    const dd_item *at = &t->corpus->items[item];
    const dd_sentence *sentence = at->sentence;
    check(dd_parser_prepare(parser, &sentence, 1) &&
              dd_parser_run(parser, 0, at->gold.n, NULL, 1, 1),
          "allocation failed");
    for (int word = 1; word <= at->gold.n; word++)
        count_word(c, &at->gold, word, parser->heads[word], parser->labels[word]);
}

static void print(const char *name, counts c)
{
    printf("%-8s UAS %.2f  LAS %.2f\n", name, 100.0 * (double)c.heads / (double)c.words,
           100.0 * (double)c.labels / (double)c.words);
}

static void compare(dd_training *t, size_t first)
{
    dd_neural *l = t->trainer.state;
    dd_model *model = NULL;
    dd_parser *parser;
    counts floats = {0}, bytes = {0};
    check(dd_training_hand_out(t, &model, NULL) == DD_OK &&
              dd_parser_new(&parser, model, NULL) == DD_OK,
          "allocation failed");
    dd_network_trainer *d = &l->trainer;
    memcpy(d->weights, d->adam.average, d->network.tensors.whole * sizeof *d->weights);
    d->dropouts = (dd_dropouts){0, 0};
    for (size_t item = first; item < t->corpus->count; item++) {
        parse_with_floats(t, (uint32_t)item, &floats);
        parse_with_bytes(t, parser, (uint32_t)item, &bytes);
    }
    print("floats", floats);
    print("bytes", bytes);
    dd_parser_free(parser);
    dd_model_free(model);
}

static dd_settings *read_settings(char **texts)
{
    dd_settings *settings;
    dd_error error;
    check(dd_settings_new(&settings, NULL) == DD_OK, "allocation failed");
    check(dd_settings_set(settings, "scorer", "neural", &error) == DD_OK, error.message);
    for (; *texts; texts++) {
        char *value = strchr(*texts, '=');
        check(value != NULL, "settings are NAME=VALUE");
        *value++ = '\0';
        check(dd_settings_set(settings, *texts, value, &error) == DD_OK, error.message);
    }
    return settings;
}

int main(int argc, char **argv)
{
    check(argc >= 3, "usage: rounding TRAIN DEV [NAME=VALUE]...");
    const char *paths[] = {argv[1], argv[2]};
    size_t first = count_sentences(argv[1]);
    dd_error error;
    dd_train_options options;
    dd_training t = {.options = &options, .best_uas = -1, .best_las = -1};
    dd_settings *settings = read_settings(argv + 3);
    check(dd_train_options_fill(&options, settings, NULL, &error) == DD_OK &&
              dd_components_read(&t.components, &options, paths, 2, NULL, &error) == DD_OK &&
              dd_training_choose(&t, &error) == DD_OK && dd_training_prepare(&t, &error) == DD_OK,
          error.message);
    leave_dev_out(&t, first);
    learn(&t);
    compare(&t, first);
    dd_training_free(&t);
    dd_train_options_free(&options);
    dd_settings_free(settings);
    return 0;
}
