/* checkpoint.h - the state of training after an iteration, in a file. Training that is resumed from
 * it ends with the same bytes as if it had not been interrupted
 *
 *     header | conditions | place | order of the treebank | place in the silver file
 *     | order of its window | best model so far | the learner's own
 *
 * Conditions are all that must be the same when training continues: settings and data. All behind
 * the header is blocks (core/sections.h). Little-endian; only the version of Dodona that wrote it
 * reads it. */
#ifndef DODONA_TRAIN_CHECKPOINT_H
#define DODONA_TRAIN_CHECKPOINT_H

#include "train/training.h"

/* Writes options->checkpoint; a process that reads the file meanwhile finds the previous
 * checkpoint. */
dd_status dd_checkpoint_save(const dd_training *training, dd_error *error);
/* Restores the state in options->checkpoint to a training that was prepared. */
dd_status dd_checkpoint_load(dd_training *training, dd_error *error);
/* Removes the file, which is not needed any more. */
void dd_checkpoint_remove(const dd_training *training);

/* The same of bytes; `name` stands in messages. Nothing that is read is trusted. */
dd_status dd_checkpoint_make(const dd_training *training, dd_buffer *out, dd_error *error);
dd_status dd_checkpoint_take(dd_training *training, const char *name, dd_text bytes,
                             dd_error *error);

/* Appends the conditions as "what<TAB>value" lines. False if allocation fails. */
bool dd_conditions_write(const dd_training *training, dd_buffer *out);
/* The first that differs, with "NAME: " before what is said of it. */
dd_status dd_conditions_compare(const char *name, dd_text then, dd_text now, dd_error *error);

#endif
