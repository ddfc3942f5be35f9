/* plan.c - what a treebank allows to be made of it, and how long that will take */
#include "core/status.h"
#include "core/strings.h"
#include "learn/neural/descent.h"
#include "learn/training.h"
#include "segment/running_text.h"

#include <string.h>

/* ---- what there is to learn from ---------------------------------------------------------- */

static bool has_columns(const dd_sentence *sentence, dd_column first, dd_column last)
{
    for (int word = 1; word <= sentence->n; word++)
        for (int column = (int)first; column <= (int)last; column++)
            if (!dd_text_is(dd_cell(sentence, word, (dd_column)column), "_")) return true;
    return false;
}

/* Of the components other than the parser. */
static dd_status find_components(const dd_treebank *treebank, uint32_t *found, dd_error *error)
{
    dd_text_layout layout = {0};
    bool ok = true;
    *found = 0;
    for (size_t i = 0; i < treebank->count && ok; i++) {
        const dd_sentence *sentence = treebank->sentences[i];
        if (!(*found & DD_TAGGER) && has_columns(sentence, DD_UPOS, DD_FEATS)) *found |= DD_TAGGER;
        if (!(*found & DD_LEMMATIZER) && has_columns(sentence, DD_LEMMA, DD_LEMMA))
            *found |= DD_LEMMATIZER;
        if (*found & DD_TOKENIZER) continue;
        ok = dd_text_layout_set(&layout, sentence);
        if (ok && dd_text_layout_tells_spaces(&layout)) *found |= DD_TOKENIZER;
    }
    dd_text_layout_free(&layout);
    return ok ? DD_OK : dd_fail_memory(error);
}

enum { FOLDS = 5 };

/* As many as usual, or one for each sentence; a single sentence makes none. */
static int choose_folds(const dd_components *components, const dd_train_options *options)
{
    uint32_t trained = options->components & ~options->taken;
    bool needed = trained & DD_TAGGER && (trained & DD_PARSER || options->jackknifed_path);
    size_t sentences = components->treebank->count;
    if (options->jackknife != DD_FOLDS_AUTO) return options->jackknife;
    if (!needed || sentences < 2) return DD_FOLDS_NONE;
    return sentences < FOLDS ? (int)sentences : FOLDS;
}

dd_status dd_training_choose_components(dd_training *t, dd_train_options *options, dd_error *error)
{
    uint32_t found = 0;
    dd_status status = DD_OK;
    if (options->as_treebank_allows) {
        status = find_components(t->components.treebank, &found, error);
        t->impossible = options->components & ~(found | DD_PARSER);
        options->components &= ~t->impossible;
    }
    if (status == DD_OK && options->components_from)
        status = dd_components_take(&t->components, options, error);
    options->jackknife = choose_folds(&t->components, options);
    return status;
}

/* ---- time --------------------------------------------------------------------------------- */

/* Words a second that one core of a processor of 2021 learns from, in one iteration. */
static const double tagger_pace = 100e3, lemmatizer_pace = 1e6, tokenizer_pace = 2e6,
                    unknown_pace = 50e3;

static double tagger_seconds(const dd_train_options *options, double words)
{
    bool neural = dd_train_options_neural_tagger(options);
    words *= options->tagger_silver ? 1 + options->silver_weight : 1;
    double pace = neural ? dd_descent_pace(&options->network, options->tagger_layers,
                                           options->tagger_width, words)
                         : tagger_pace;
    return words * dd_components_tagger_iterations(options) / pace;
}

static double parser_seconds(const dd_training *t, double words)
{
    const dd_train_options *options = t->options;
    words *= options->silver ? 1 + options->silver_weight : 1;
    const dd_learner *learner = dd_learner_find(options->scorer);
    double pace = learner->pace ? learner->pace(options, t->system, words) : unknown_pace;
    return words * options->iterations * options->beam / pace;
}

static double estimate(const dd_training *t)
{
    const dd_train_options *options = t->options;
    double words = (double)t->components.treebank->words, seconds = 0;
    uint32_t trained = options->components & ~options->taken;
    int folds = options->jackknife;
    bool neural = dd_train_options_neural_tagger(options);
    dd_segmenter_options tokenizer;
    dd_lemmatizer_options lemmatizer;
    dd_segmenter_options_init(&tokenizer);
    dd_lemmatizer_options_init(&lemmatizer);
    if (trained & DD_TOKENIZER) seconds += words * tokenizer.iterations / tokenizer_pace;
    if (trained & DD_LEMMATIZER) seconds += words * lemmatizer.iterations / lemmatizer_pace;
    if (trained & DD_TAGGER) {
        double tagger = tagger_seconds(options, words);
        seconds += neural ? tagger / options->threads : tagger;
        if (folds > DD_FOLDS_NONE) seconds += tagger * (folds - 1) / options->threads;
    }
    if (trained & DD_PARSER) seconds += parser_seconds(t, words);
    return seconds;
}

void dd_training_tell_plan(const dd_training *t)
{
    const dd_train_options *options = t->options;
    const dd_treebank *treebank = t->components.treebank;
    bool parser = options->components & DD_PARSER;
    dd_train_plan plan = {
        .components = options->components & ~options->taken,
        .impossible = t->impossible,
        .folds = options->jackknife > DD_FOLDS_NONE ? options->jackknife : 0,
        .sentences = treebank->count,
        .words = treebank->words,
        .nonprojective = t->nonprojective,
        .system = parser ? t->system->name : NULL,
        .scorer = parser ? options->scorer : NULL,
        .chosen = parser && !options->system && !options->start_from,
        .seconds = estimate(t),
    };
    if (options->plan) options->plan(options->user, &plan);
}
