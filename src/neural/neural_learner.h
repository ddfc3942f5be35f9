/* neural_learner.h - the neural learner, for the files that it is made of */
#ifndef DODONA_NEURAL_NEURAL_LEARNER_H
#define DODONA_NEURAL_NEURAL_LEARNER_H

#include "core/sections.h"
#include "neural/frozen.h"
#include "neural/network_trainer.h"
#include "neural/neural.h"
#include "score/learner.h"

enum { DD_MOST_OUTPUTS = 16 };

typedef struct dd_neural {
    const dd_train_options *options;
    const dd_system *system;
    const dd_inventory *inventory;
    dd_slots slots;
    dd_text slot_names;     /* the system's, or those of the model that learning starts from */
    uint32_t inputs;        /* what is looked at of a word, as bits of dd_input_kind */
    dd_network_options own; /* with the sizes of the network, where a model gives them, and the
                               words of a mini-batch */
    dd_vectors vectors;     /* until they are taken over */
    dd_network_trainer trainer;
    uint32_t *sentences; /* of the mini-batch */
    size_t sentences_capacity;
    /* the view scored last */
    bool pending; /* it has derivatives */
    dd_shard_place at;
    int nodes[DD_MAX_SLOTS];
    dd_real derivatives[DD_MOST_OUTPUTS];
    dd_real *moves; /* [moves] scores */
    size_t moves_capacity;
} dd_neural;

/* Whether there is room for the shape's outputs. */
dd_status dd_neural_check_labels(const dd_network_shape *shape, dd_error *error);
/* keep.c: as in dd_learner. */
bool dd_neural_save(const void *state, dd_buffer *out);
bool dd_neural_restore(void *state, dd_cursor *from);
bool dd_neural_write_conditions(const void *state, dd_buffer *out);
/* neural_continue.c: the start from a model's sections. */
dd_status dd_neural_fine_tune(dd_neural *learner, const dd_network_plan *plan,
                              const dd_sections *from, dd_error *error);

#endif
