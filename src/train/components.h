/* components.h - what a model can have besides a parser
 *
 *     treebank -> tokenizer (train/tokenizer.c)
 *              -> tagger, lemmatizer
 *              -> tags and lemmas predicted by jackknifing -> parser (train/train.c)
 *
 * or, but for the parser, those of another model. */
#ifndef DODONA_TRAIN_COMPONENTS_H
#define DODONA_TRAIN_COMPONENTS_H

#include "model/model.h"
#include "segment/token_lists.h"
#include "tag/tagger.h"
#include "train/corpus.h"

typedef struct dd_components {
    dd_treebank *treebank, *dev; /* dev NULL: without one */
    dd_draft tokenizer, tagger;  /* sections of the model, none if not asked for */
    dd_buffer lemmatizer;        /* its section of the model; empty if not asked for */
    dd_token_lists lists;        /* of the tokenizer */
    dd_buffer lists_section;     /* of the model, none without lists */
    dd_buffer language;          /* the same; empty unless the language is given */
    dd_buffer
        choice;  /* the kind of tokenizer that dev chose and the scores, a string; none: open */
} dd_components; /* {0} is empty and valid */

void dd_components_free(dd_components *components);
/* Reads the treebank, and the dev file if there is to be a parser or a choice of segmenters. */
dd_status dd_components_read(dd_components *components, const dd_train_options *options,
                             const char *const *train_paths, size_t n_train, const char *dev_path,
                             dd_error *error);
/* Takes those of the model that options->components_from names which are not trained, and adds
 * them to the options' components. */
dd_status dd_components_take(dd_components *components, dd_train_options *options, dd_error *error);
/* Reads the lists that the options name, which add to those that were taken. */
dd_status dd_components_read_lists(dd_components *components, const dd_train_options *options,
                                   dd_error *error);
/* Whether what the sections share with a tagger that was taken is the same: word vectors. */
dd_status dd_components_check_shared(const dd_components *components,
                                     const dd_train_options *options, const dd_draft *sections,
                                     dd_error *error);
/* Trains the components that options->components names, the parser and those that were taken left
 * out. Afterwards treebank and dev have the tags and lemmas that the parser is to learn from. */
dd_status dd_components_train(dd_components *components, const dd_train_options *options,
                              dd_error *error);
/* The kind of segmenter that the model is to have, unless dev chooses another. */
const dd_segmenter_kind *dd_components_segmenter(const dd_train_options *options);
/* Whether dev chooses, if there is one with text. */
bool dd_components_choose_segmenter(const dd_train_options *options);
/* Trains the tokenizer alone. */
dd_status dd_components_train_tokenizer(dd_components *components, const dd_train_options *options,
                                        dd_error *error);
/* The kind of tagger that the model is to have; NULL: none. */
const dd_tagger_kind *dd_components_tagger(const dd_train_options *options);
/* Its network, if it takes one. */
dd_network_options dd_components_tagger_network(const dd_train_options *options);
/* Passes over the data that it gets. */
int dd_components_tagger_iterations(const dd_train_options *options);
/* Adds the sections; those of components that were not asked for have no data. */
void dd_components_list(const dd_components *components, dd_sections *sections);
/* A model without a parser. */
dd_status dd_components_make_model(const dd_components *components, const dd_train_options *options,
                                   dd_model **out, dd_error *error);

#endif
