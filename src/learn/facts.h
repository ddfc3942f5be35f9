/* facts.h - what a model says of itself */
#ifndef DODONA_LEARN_FACTS_H
#define DODONA_LEARN_FACTS_H

#include "learn/training.h"
#include "learn/treebank.h"

/* "key<TAB>value" lines. False if allocation fails. */
bool dd_facts_write(const dd_training *training, dd_buffer *out);
/* The same of a model without a parser. */
bool dd_facts_write_components(const dd_treebank *treebank, const dd_train_options *options,
                               dd_buffer *out);

#endif
