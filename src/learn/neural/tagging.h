/* tagging.h - a tagger whose parts of tags are scored by a BiLSTM network over forms, characters
 * and word vectors (tag/tagset.h has the parts)
 *
 * The probability of a tag is the softmax, over all tags, of the sum of its parts' scores. What is
 * learnt is minus the logarithm of that of the right tag. No tag depends on those before it: the
 * encoder has seen the whole sentence. */
#ifndef DODONA_LEARN_NEURAL_TAGGING_H
#define DODONA_LEARN_NEURAL_TAGGING_H

#include "learn/options.h"
#include "tag/tagger.h"

/* A dd_tagger_trainer; options->how is a dd_network_options, of which the inputs are not looked at.
 */
dd_tagger_trainer dd_tagger_train_neural;

#endif
