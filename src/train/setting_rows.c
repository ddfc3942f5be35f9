#include "neural/encoder.h"
#include "score/learner.h"
#include "segment/segmenter.h"
#include "systems/registry.h"
#include "tag/tagger.h"
#include "train/settings.h"

#include <math.h>

/* In the order of the bits of dd_component. */
static const char *const components[] = {"tokenizer", "tagger", "lemmatizer",
                                         "parser",    "all",    NULL};
/* Shown for 0, which users cannot give as a number. */
static const char *const automatic[] = {"auto", NULL};
/* In the order of DD_FOLDS_AUTO and DD_FOLDS_NONE. */
static const char *const folds[] = {"auto", "no", NULL};
/* In the order of choose_inputs in neural/neural_learner.c. */
static const char *const inputs[] = {"form", "characters", "lemma", "upos",
                                     "xpos", "feats",      "all",   NULL};
/* In the order of dd_oracle_kind, dd_update, dd_single_root, dd_unbuildable and dd_format. */
static const char *const oracles[] = {"static", "nondet", "dynamic", "auto", NULL};
static const char *const updates[] = {"max-violation", "early", NULL};
static const char *const root_rules[] = {"auto", "no", "yes", NULL};
static const char *const unbuildable[] = {"auto",      "partial",   "skip",  "lift",
                                          "lift-head", "lift-path", "whole", NULL};
static const char *const formats[] = {"auto", "conllu", "conllx", NULL};

static const char *scorer_at(size_t index)
{
    for (size_t i = 0; dd_learners[i]; i++)
        if (i == index) return dd_learners[i]->name;
    return NULL;
}

static const char *tokenizer_at(size_t index)
{
    if (index == 0) return "auto";
    for (size_t i = 0; dd_segmenter_kinds[i]; i++)
        if (i + 1 == index) return dd_segmenter_kinds[i]->name;
    return NULL;
}

static const char *tagger_at(size_t index)
{
    if (index == 0) return "auto";
    for (size_t i = 0; dd_tagger_kinds[i]; i++)
        if (i + 1 == index) return dd_tagger_kinds[i]->name;
    return NULL;
}

static const char *encoder_at(size_t index)
{
    for (size_t i = 0; dd_encoders[i]; i++)
        if (i == index) return dd_encoders[i]->name;
    return NULL;
}

static const char *system_at(size_t index)
{
    const dd_system *system = dd_system_get(index);
    if (index == dd_system_count()) system = &dd_graph;
    return system ? system->name : NULL;
}

#define FIELD(name)                                                                                \
    .field = offsetof(dd_train_options, name), .field_size = sizeof((dd_train_options *)NULL)->name

/* clang-format off */
const dd_setting_row dd_setting_rows[] = {
    {{.name = "only", .kind = DD_SETTING_LIST, .value = "LIST", .default_note = "all that the treebank allows",
      .help = "what to train, separated by commas"},
     FIELD(components), .names = components},
    {{.name = "jackknife", .kind = DD_SETTING_WHOLE, .value = "N", .default_value = "auto",
      .low = 2, .high = 1000,
      .help = "with a tagger, train the parser on predicted tags and lemmas: split the treebank "
              "into N folds, and tag each fold with a linear tagger trained on the others; auto: "
              "5 folds; no: train on the tags of the treebank"},
     FIELD(jackknife), .names = folds},
    {{.name = "jackknifed", .kind = DD_SETTING_TEXT, .value = "FILE", .default_note = "none",
      .help = "write the treebank with these predicted tags and lemmas to this file, for other "
              "parsers to learn from"},
     FIELD(jackknifed_path)},
    {{.name = "components-from", .kind = DD_SETTING_TEXT, .value = "MODEL",
      .default_note = "none",
      .help = "take tokenizer, tagger and lemmatizer from this model where they are not trained; "
              "the parser then learns from the tags in the treebank, such as those written by "
              "--jackknifed, and is scored with tags of the model"},
     FIELD(components_from)},
    {{.name = "threads", .kind = DD_SETTING_WHOLE, .value = "N", .default_value = "1",
      .low = 1, .high = DD_MAX_THREADS,
      .help = "threads that train the folds of jackknifing and the neural scorer; the model does "
              "not depend on their number; auto: as many as the process may use"},
     FIELD(threads), .names = automatic},
    {{.name = "tokenizer", .kind = DD_SETTING_CHOICE, .value = "KIND", .default_value = "auto",
      .help = "kind of tokenizer; auto: the kind of the parser's scorer, but with a neural "
              "scorer and a dev file the kind that segments the text of that file better"},
     FIELD(tokenizer), .by_name = true, .name_at = tokenizer_at},
    {{.name = "keep-tokens", .kind = DD_SETTING_TEXT, .value = "FILE", .default_note = "none",
      .help = "file of tokens that the model never splits, whatever its tokenizer has learnt: "
              "one per line, literally or as a /regular expression/ for whole tokens"},
     FIELD(keep_tokens)},
    {{.name = "abbreviations", .kind = DD_SETTING_TEXT, .value = "FILE", .default_note = "none",
      .help = "such a file of tokens after which the model ends no sentence merely because of "
              "their full stop"},
     FIELD(abbreviations)},
    {{.name = "tagger-bytes", .kind = DD_SETTING_WHOLE, .value = "N", .low = 1, .high = INFINITY,
      .default_note = "no limit",
      .help = "approximate size of the tagger's weights in bytes; the smallest weights are left "
              "out"},
     FIELD(tagger_bytes)},
    {{.name = "tagger", .kind = DD_SETTING_CHOICE, .value = "KIND", .default_value = "auto",
      .help = "kind of tagger; auto: the kind of the parser's scorer"},
     FIELD(tagger), .by_name = true, .name_at = tagger_at},
    {{.name = "tagger-iterations", .kind = DD_SETTING_WHOLE, .value = "N", .low = 1,
      .high = 1000000, .default_note = "8; 30 for a neural tagger",
      .help = "passes of the tagger over the training data"},
     FIELD(tagger_iterations)},
    {{.name = "tagger-layers", .kind = DD_SETTING_WHOLE, .value = "N", .default_value = "1",
      .low = 1, .high = 4,
      .help = "encoder layers of a neural tagger"},
     FIELD(tagger_layers)},
    {{.name = "tagger-width", .kind = DD_SETTING_WHOLE, .value = "N", .default_value = "128",
      .low = 8, .high = 1024,
      .help = "hidden size of these layers in each direction, a multiple of 8"},
     FIELD(tagger_width)},
    {{.name = "tagger-silver", .kind = DD_SETTING_TEXT, .value = "FILE", .default_note = "none",
      .help = "file of words that a tagger has tagged, from which a neural tagger learns in "
              "addition to the treebank; it learns nothing from words without tags, or with "
              "tags that the treebank does not have"},
     FIELD(tagger_silver)},
    {{.name = "lemmatizer-bytes", .kind = DD_SETTING_WHOLE, .value = "N", .low = 1,
      .high = INFINITY, .default_note = "no limit",
      .help = "approximate size of the lemmatizer's weights in bytes; the smallest weights are "
              "left out"},
     FIELD(lemmatizer_bytes)},
    {{.name = "parser-bytes", .kind = DD_SETTING_WHOLE, .value = "N", .low = 1, .high = INFINITY,
      .default_note = "4000000, or 40 per training word if that is more; no limit with a beam",
      .help = "approximate size of the parser's weights in bytes; halfway through training the "
              "least important features are dropped, and the other half of the iterations makes "
              "up for them"},
     FIELD(parser_bytes)},
    {{.name = "scorer", .kind = DD_SETTING_CHOICE, .value = "SCORER", .default_value = "linear",
      .help = "what scores the parser's transitions"},
     FIELD(scorer), .by_name = true, .name_at = scorer_at},
    {{.name = "system", .kind = DD_SETTING_CHOICE, .value = "SYSTEM",
      .default_note = "chosen by the treebank: arc-eager (neural: arc-hybrid), but covington "
                      "(neural: graph) if more than 5 % of its trees are non-projective",
      .help = "transition system, see 'dodona systems'; or graph, which finds the tree with the best "
              "arcs and needs the neural scorer"},
     FIELD(system), .by_name = true, .name_at = system_at},
    {{.name = "oracle", .kind = DD_SETTING_CHOICE, .value = "ORACLE", .default_value = "auto",
      .help = "what to learn from: static: one transition on the gold path; nondet: all "
              "transitions of cost 0 on that path; dynamic: all transitions of cost 0 in any "
              "configuration; auto: dynamic, but static with a beam"},
     FIELD(oracle), .names = oracles},
    {{.name = "loss", .kind = DD_SETTING_TEXT, .value = "LOSS",
      .default_note = "the first that the system has",
      .help = "which loss to use if the system has several: covington-nm has upper, lower, "
              "pc-upper and exact"},
     FIELD(loss)},
    {{.name = "explore", .kind = DD_SETTING_REAL, .value = "P", .default_value = "1", .low = 0,
      .high = 1,
      .help = "probability of following a wrong prediction, with the dynamic oracle"},
     FIELD(explore)},
    {{.name = "explore-from", .kind = DD_SETTING_WHOLE, .value = "K", .default_value = "1",
      .low = 1, .high = 1000000,
      .help = "first iteration that explores"},
     FIELD(explore_from)},
    {{.name = "beam", .kind = DD_SETTING_WHOLE, .value = "N", .default_value = "1", .low = 1,
      .high = DD_MAX_BEAM,
      .help = "derivations kept in the beam; above 1 training learns from whole derivations and "
              "does not explore, and the model parses with this beam"},
     FIELD(beam)},
    {{.name = "update", .kind = DD_SETTING_CHOICE, .value = "UPDATE",
      .default_value = "max-violation",
      .help = "with a beam, where to compare the best derivation with a right one: where it leads "
              "by most, or where the last right one falls off the beam"},
     FIELD(update), .names = updates},
    {{.name = "margin", .kind = DD_SETTING_WHOLE, .value = "M", .default_value = "50", .low = 0,
      .high = 1000000,
      .help = "with a beam, by how much a right derivation should outscore a wrong one for each "
              "wrong arc of the latter; 0: the plain perceptron"},
     FIELD(margin)},
    {{.name = "prune", .kind = DD_SETTING_REAL, .value = "P", .default_value = "1.5", .low = 0,
      .high = 100,
      .help = "drop features none of whose weights reaches P per cent of the largest weight"},
     FIELD(prune)},
    {{.name = "iterations", .kind = DD_SETTING_WHOLE, .value = "N", .low = 1, .high = 1000000,
      .default_note = "10; 40 with the neural scorer",
      .help = "passes over the training data"},
     FIELD(iterations)},
    {{.name = "silver", .kind = DD_SETTING_TEXT, .value = "FILE", .default_note = "none",
      .help = "file of trees that a parser made of raw text, from which the parser learns in "
              "addition to the treebank; labels and symbols that the treebank does not have are "
              "unknown"},
     FIELD(silver)},
    {{.name = "silver-weight", .kind = DD_SETTING_REAL, .value = "W", .default_value = "1",
      .low = 0.001, .high = 100,
      .help = "how many silver words an iteration learns from for each word of the treebank; "
              "they are taken in a random order, from where the iteration before stopped"},
     FIELD(silver_weight)},
    {{.name = "silver-window", .kind = DD_SETTING_WHOLE, .value = "N", .default_value = "1000000",
      .low = 1, .high = 1000000000,
      .help = "about how many silver words are in memory, and shuffled, at a time; larger files "
              "are read window by window, again and again"},
     FIELD(silver_window)},
    {{.name = "silver-probabilities", .kind = DD_SETTING_FLAG, .default_value = "no",
      .help = "with the neural scorer, a lost silver arc costs its probability in MISC, "
              "HeadProb=PER CENT, and a wrong label costs that times DepProb=PER CENT; a "
              "missing one is 100; for arc-hybrid, arc-eager, arc-eager-nm and graph"},
     FIELD(silver_probabilities)},
    {{.name = "soft", .kind = DD_SETTING_FLAG, .default_value = "no",
      .help = "count losses against probabilities of heads in MISC, HeadProbs=HEAD:PER CENT,... "
              "or HeadProb=PER CENT of HEAD, in all sentences that have them, silver ones too; "
              "for arc-standard, arc-eager, arc-hybrid, arc-eager-nm, covington and pointer"},
     FIELD(soft)},
    {{.name = "checkpoint", .kind = DD_SETTING_TEXT, .value = "FILE",
      .default_note = "none; 'dodona train' takes MODEL.checkpoint with the neural scorer",
      .help = "file to which neural training saves its state after each iteration, for --resume; "
              "removed when training is complete"},
     FIELD(checkpoint)},
    {{.name = "resume", .kind = DD_SETTING_FLAG, .default_value = "no",
      .help = "continue an interrupted training from its checkpoint, with the same data and "
              "settings; the model is the same as without the interruption"},
     FIELD(resume)},
    {{.name = "start-from", .kind = DD_SETTING_TEXT, .value = "MODEL", .default_note = "none",
      .help = "fine-tune this neural model instead of starting from random weights; its system, "
              "network, vocabulary and labels are kept, and new labels are added"},
     FIELD(start_from)},
    {{.name = "inputs", .kind = DD_SETTING_LIST, .value = "LIST", .default_value = "all",
      .help = "what the neural scorer reads of each word, separated by commas"},
     FIELD(network.inputs), .names = inputs},
    {{.name = "encoder", .kind = DD_SETTING_CHOICE, .value = "ENCODER",
      .default_value = "bilstm",
      .help = "kind of the layers that encode the words of a sentence and the characters of a "
              "word"},
     FIELD(network.encoder), .by_name = true, .name_at = encoder_at},
    {{.name = "layers", .kind = DD_SETTING_WHOLE, .value = "N", .default_value = "2", .low = 1,
      .high = 4,
      .help = "encoder layers over the words of a sentence"},
     FIELD(network.layers)},
    {{.name = "width", .kind = DD_SETTING_WHOLE, .value = "N", .default_value = "128", .low = 8,
      .high = 1024,
      .help = "hidden size of each encoder layer in each direction, a multiple of 8"},
     FIELD(network.width)},
    {{.name = "hidden", .kind = DD_SETTING_WHOLE, .value = "N", .default_value = "128", .low = 16,
      .high = 1024,
      .help = "hidden units of the layer over the nodes of a configuration, a multiple of 16"},
     FIELD(network.hidden)},
    {{.name = "weight-bits", .kind = DD_SETTING_WHOLE, .value = "N", .default_value = "7", .low = 4,
      .high = 7,
      .help = "bits of each weight and embedding of a neural model, which are stored as bytes; with "
              "fewer, the model can be compressed better"},
     FIELD(network.bits)},
    {{.name = "batch-words", .kind = DD_SETTING_WHOLE, .value = "N", .default_value = "auto",
      .low = 1, .high = 1000000,
      .help = "approximate number of words in a mini-batch of neural training; auto: 1000, but "
              "for treebanks of fewer than 200,000 words as many as give 200 mini-batches per "
              "iteration, at least 100"},
     FIELD(network.batch_words), .names = automatic},
    {{.name = "rate", .kind = DD_SETTING_REAL, .value = "R", .default_value = "0.002", .low = 0,
      .high = 1,
      .help = "initial learning rate of the neural scorer; it falls to a hundredth of that during "
              "training"},
     FIELD(network.rate)},
    {{.name = "dropout", .kind = DD_SETTING_REAL, .value = "P", .default_value = "0.33", .low = 0,
      .high = 0.9,
      .help = "dropout: probability with which a step of neural training drops an activation of a "
              "layer"},
     FIELD(network.dropout)},
    {{.name = "input-dropout", .kind = DD_SETTING_REAL, .value = "P", .default_value = "0.2",
      .low = 0, .high = 0.9,
      .help = "dropout of inputs: probability with which a step of neural training drops the "
              "form, characters, lemma, tags or features of a word"},
     FIELD(network.input_dropout)},
    {{.name = "vectors", .kind = DD_SETTING_TEXT, .value = "FILE", .default_note = "none",
      .help = "word vectors for neural parsers and taggers, in the text format of word2vec and "
              "fastText, compressed or not"},
     FIELD(network.vectors)},
    {{.name = "vectors-words", .kind = DD_SETTING_WHOLE, .value = "N", .default_value = "100000",
      .low = 1, .high = 10000000,
      .help = "number of word vectors that the model keeps, from the beginning of the file"},
     FIELD(network.vector_words)},
    {{.name = "seed", .kind = DD_SETTING_WHOLE, .value = "N", .default_value = "1", .low = 0,
      .high = INFINITY,
      .help = "random seed; the same seed, settings and data give the same model, byte for byte"},
     FIELD(seed)},
    {{.name = "max-words", .kind = DD_SETTING_WHOLE, .value = "N", .low = 0, .high = 1000000000,
      .default_note = "500 in attardi and covington-nm, 2000 in arc-standard and lr-spine, 5000 in "
                      "covington; 0 in other systems and with the static oracle",
      .help = "skip sentences of more words, for which computing the loss would take too long, "
              "and count them; 0: no limit"},
     FIELD(max_words)},
    {{.name = "single-root", .kind = DD_SETTING_CHOICE, .value = "RULE", .default_value = "auto",
      .help = "whether each tree has exactly one root; auto decides from the training data"},
     FIELD(single_root), .names = root_rules},
    {{.name = "unbuildable", .kind = DD_SETTING_CHOICE, .value = "HOW", .default_value = "auto",
      .help = "what to do with trees that the system cannot build: partial: learn from the "
              "largest part that it can build; skip: leave them out; lift: lift arcs until it can "
              "build them, record that in the labels and undo it after parsing; whole: learn "
              "to come as close to the whole tree as the system can from any configuration; auto: "
              "partial, but skip with the static oracle"},
     FIELD(unbuildable), .names = unbuildable},
    {{.name = "tidy", .kind = DD_SETTING_FLAG, .default_value = "no",
      .help = "make the model parse with --tidy by default, see 'dodona parse --help'; training "
              "does not change"},
     FIELD(tidy)},
    {{.name = "templates", .kind = DD_SETTING_TEXT, .value = "FILE|SET",
      .default_note = "the system's own",
      .help = "feature templates: a file, or a set that 'dodona templates' lists"},
     FIELD(templates_name)},
    {{.name = "language", .kind = DD_SETTING_TEXT, .value = "CODE", .default_note = "none",
      .help = "language code, such as da; it is kept in the model, which can then be named by "
              "its language"},
     FIELD(language)},
    {{.name = "treebank", .kind = DD_SETTING_TEXT, .value = "TEXT", .default_note = "none",
      .help = "name of the treebank, kept in the model"},
     FIELD(treebank)},
    {{.name = "model-version", .kind = DD_SETTING_TEXT, .value = "TEXT", .default_note = "none",
      .help = "version of the model, kept in it"},
     FIELD(model_version)},
    {{.name = "licence", .kind = DD_SETTING_TEXT, .value = "TEXT", .default_note = "none",
      .help = "licence of the data, kept in the model"},
     FIELD(licence)},
    {{.name = "from", .kind = DD_SETTING_CHOICE, .value = "FORMAT", .default_value = "auto",
      .help = "format of the files; auto reads .conll and .conllx as CoNLL-X, all other names as "
              "CoNLL-U"},
     FIELD(format), .names = formats},
    {{.name = "skip-bad", .kind = DD_SETTING_FLAG, .default_value = "no",
      .help = "skip malformed sentences instead of stopping, and count them"},
     FIELD(skip_bad)},
};
/* clang-format on */
#undef FIELD

size_t dd_setting_count(void)
{
    return sizeof dd_setting_rows / sizeof *dd_setting_rows;
}
