#include "train/training.h"

#include "core/strings.h"

#include <string.h>

static const char *const oracles[] = {
    [DD_ORACLE_STATIC] = "static",
    [DD_ORACLE_NONDET] = "nondet",
    [DD_ORACLE_DYNAMIC] = "dynamic",
};

static const char *const updates[] = {
    [DD_UPDATE_MAX_VIOLATION] = "max-violation",
    [DD_UPDATE_EARLY] = "early",
};

/* Tabs and line ends would break the form. */
static bool write_line(dd_buffer *out, const char *key, const char *value)
{
    size_t start = out->size;
    if (!dd_buffer_printf(out, "%s\t%s", key, value)) return false;
    for (size_t i = start + strlen(key) + 1; i < out->size; i++)
        if ((unsigned char)out->data[i] < ' ') out->data[i] = ' ';
    return dd_buffer_text(out, "\n");
}

static bool write_beam(const dd_train_options *options, dd_buffer *out)
{
    return dd_buffer_printf(out, "beam\t%d\n", options->beam) &&
           dd_buffer_printf(out, "update\t%s\n", updates[options->update]) &&
           dd_buffer_printf(out, "margin\t%d\n", options->margin);
}

static bool write_of_learner(const dd_training *t, bool (*write)(const void *, dd_buffer *),
                             dd_buffer *out)
{
    return !write || write(t->trainer.state, out);
}

static bool write_oracle(const dd_training *t, dd_buffer *out)
{
    const dd_train_options *options = t->options;
    const char *const *losses = t->system->oracle.loss_names;
    dd_oracle_kind oracle = t->trainer.oracle.kind;
    return dd_buffer_printf(out, "oracle\t%s\n", oracles[oracle]) &&
           (!losses ||
            dd_buffer_printf(out, "loss\t%s\n", losses[t->trainer.oracle.space.variant])) &&
           (options->beam == 1 || write_beam(options, out)) &&
           (oracle != DD_ORACLE_DYNAMIC || options->beam > 1 ||
            (dd_buffer_text(out, "explore\t") && dd_buffer_real(out, "%g", options->explore) &&
             dd_buffer_printf(out, " from iteration %d\n", options->explore_from)));
}

static bool write_options(const dd_training *t, dd_buffer *out)
{
    const dd_train_options *options = t->options;
    return (t->system->arc_factored || write_oracle(t, out)) &&
           dd_buffer_printf(out, "iterations\t%d of %d\n", t->iterations_done,
                            options->iterations) &&
           dd_buffer_printf(out, "seed\t%llu\n", (unsigned long long)options->seed) &&
           (!options->start_from ||
            write_line(out, "started from", dd_last_part(options->start_from))) &&
           write_of_learner(t, t->trainer.learner->write_settings, out) &&
           dd_buffer_printf(out, "single root\t%s\n", t->single_root ? "yes" : "no") &&
           (!options->tidy || dd_buffer_text(out, "tidy\tyes\n")) &&
           (t->scheme == DD_PSEUDO_PROJECTIVE_NONE ||
            dd_buffer_printf(out, "pseudo-projective\t%s\n", dd_pseudo_projective_name(t->scheme)));
}

static bool write_count(dd_buffer *out, const char *key, uint64_t count)
{
    return dd_buffer_printf(out, "%s\t%llu\n", key, (unsigned long long)count);
}

static bool write_data(const dd_training *t, dd_buffer *out)
{
    const dd_corpus *corpus = t->corpus;
    return write_count(out, "sentences", t->n_order) && write_count(out, "words", t->words) &&
           (t->unknown_heads == 0 || write_count(out, "unknown heads", t->unknown_heads)) &&
           (t->scheme == DD_PSEUDO_PROJECTIVE_NONE || write_count(out, "lifted", corpus->lifted)) &&
           (corpus->in_part == 0 || (write_count(out, "kept in part", corpus->in_part) &&
                                     write_count(out, "arcs left out", corpus->arcs_left_out))) &&
           (!t->takes_whole || write_count(out, "unbuildable, whole", corpus->whole)) &&
           (!t->options->soft || write_count(out, "soft", corpus->soft + t->silver.counts.soft)) &&
           write_count(out, "skipped", dd_training_skipped(t)) &&
           (t->too_long == 0 || write_count(out, "too long", t->too_long)) &&
           dd_buffer_printf(out, "data hash\txxh3:%016llx\n",
                            (unsigned long long)XXH3_64bits_digest(corpus->hash));
}

static bool write_silver(const dd_training *t, dd_buffer *out)
{
    return write_line(out, "silver", dd_last_part(t->options->silver)) &&
           write_count(out, "silver words", t->silver.counts.words) &&
           dd_buffer_text(out, "silver weight\t") &&
           dd_buffer_real(out, "%g", t->options->silver_weight) &&
           (!t->options->silver_probabilities ||
            dd_buffer_text(out, "\nsilver probabilities\tyes")) &&
           (t->silver.windows.count < 2 ||
            dd_buffer_printf(out, "\nsilver window\t%llu",
                             (unsigned long long)t->options->silver_window)) &&
           dd_buffer_printf(out, "\nsilver hash\txxh3:%016llx\n",
                            (unsigned long long)XXH3_64bits_digest(t->silver.hash));
}

static bool write_sizes(const dd_training *t, dd_buffer *out)
{
    return dd_buffer_printf(out, "labels\t%d\n", t->inventory.labels.count) &&
           (t->system->arc_factored ||
            dd_buffer_printf(out, "transitions\t%d\n", t->inventory.n_classes)) &&
           dd_buffer_text(out, "columns\t") && dd_columns_write(t->columns, out) &&
           dd_buffer_text(out, "\n") && write_of_learner(t, t->trainer.learner->write_sizes, out);
}

static bool write_dev(const dd_training *t, dd_buffer *out)
{
    return dd_buffer_text(out, "dev UAS\t") && dd_buffer_real(out, "%.2f", t->best_uas) &&
           dd_buffer_text(out, "\ndev LAS\t") && dd_buffer_real(out, "%.2f", t->best_las) &&
           dd_buffer_text(out, "\n");
}

static bool write_components(const dd_train_options *options, dd_buffer *out)
{
    return dd_buffer_text(out, "components\t") && dd_components_write(options->components, out) &&
           dd_buffer_text(out, "\n");
}

static bool write_given(dd_buffer *out, const char *key, const char *value)
{
    return !value || write_line(out, key, value);
}

/* Of a tagger without a network there is nothing to say. */
static bool write_tagger(const dd_train_options *options, dd_buffer *out)
{
    const dd_tagger_kind *tagger = dd_components_tagger(options);
    dd_network_options network = dd_components_tagger_network(options);
    if (options->taken & DD_TAGGER) return write_given(out, "tagger", options->tagger_fact);
    if (!tagger || !tagger->takes_network) return true;
    return dd_buffer_printf(out, "tagger\t%s, %d x %d\n", tagger->name, network.layers,
                            network.width) &&
           (!options->tagger_silver ||
            write_line(out, "tagger silver", dd_last_part(options->tagger_silver)));
}

/* The same for a tokenizer, unless dev chose it. */
static bool write_tokenizer(const dd_components *components, const dd_train_options *options,
                            dd_buffer *out)
{
    const dd_segmenter_kind *kind = dd_components_segmenter(options);
    if (options->taken & DD_TOKENIZER)
        return write_given(out, "tokenizer", options->tokenizer_fact);
    if (components->choice.size) return write_line(out, "tokenizer", components->choice.data);
    if (!(options->components & DD_TOKENIZER) || !kind->takes_network) return true;
    return dd_buffer_printf(out, "tokenizer\t%s, %d x %d\n", kind->name, kind->layers, kind->width);
}

/* How many lines they have. */
static bool write_lists(const dd_token_lists *lists, dd_buffer *out)
{
    uint64_t keep = dd_token_list_count(&lists->keep);
    uint64_t abbreviations = dd_token_list_count(&lists->abbreviations);
    return (keep == 0 || write_count(out, "keep tokens", keep)) &&
           (abbreviations == 0 || write_count(out, "abbreviations", abbreviations));
}

static bool write_end(const dd_train_options *options, dd_buffer *out)
{
    return write_given(out, "language", options->language) &&
           write_given(out, "treebank", options->treebank) &&
           write_given(out, "version", options->model_version) &&
           write_given(out, "licence", options->licence) &&
           write_line(out, "made by", "dodona " DODONA_VERSION);
}

bool dd_facts_write_components(const dd_components *components, const dd_train_options *options,
                               dd_buffer *out)
{
    const dd_treebank *treebank = components->treebank;
    return write_components(options, out) && write_tokenizer(components, options, out) &&
           write_lists(&components->lists, out) && write_tagger(options, out) &&
           dd_buffer_printf(out, "seed\t%llu\n", (unsigned long long)options->seed) &&
           dd_buffer_printf(out, "sentences\t%zu\n", treebank->count) &&
           dd_buffer_printf(out, "words\t%llu\n", (unsigned long long)treebank->words) &&
           dd_buffer_printf(out, "data hash\txxh3:%016llx\n",
                            (unsigned long long)XXH3_64bits_digest(treebank->hash)) &&
           write_end(options, out);
}

/* What is true of the parser's training data only. */
static bool write_jackknife(const dd_train_options *options, dd_buffer *out)
{
    return options->jackknife <= DD_FOLDS_NONE ||
           dd_buffer_printf(out, "jackknife\t%d\n", options->jackknife);
}

bool dd_facts_write(const dd_training *t, dd_buffer *out)
{
    return write_components(t->options, out) && write_tokenizer(&t->components, t->options, out) &&
           write_lists(&t->components.lists, out) && write_tagger(t->options, out) &&
           dd_buffer_printf(out, "system\t%s\n", t->system->name) && write_options(t, out) &&
           dd_buffer_printf(out, "scorer\t%s\n", t->trainer.learner->scorer->name) &&
           write_jackknife(t->options, out) && write_sizes(t, out) && write_data(t, out) &&
           (!t->options->silver || write_silver(t, out)) &&
           (t->best_las < 0 || write_dev(t, out)) && write_end(t->options, out);
}
