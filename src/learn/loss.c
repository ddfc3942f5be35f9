#include "learn/loss.h"

#include "learn/trainer.h"

bool dd_perceptron_loss(dd_trainer *trainer, const dd_gold *gold, dd_choice predicted, bool right,
                        dd_choice *best)
{
    const dd_learner *learner = trainer->learner;
    const dd_view *view = &trainer->decoder.view;
    *best = predicted;
    if (right) return true;
    if (!dd_guide_targets(&trainer->guide)) return false;
    *best = dd_decoder_best_free(&trainer->decoder, gold, trainer->guide.costs);
    return learner->gradient(trainer->state, view, (dd_pick){best->class_id, best->move}, -1) &&
           learner->gradient(trainer->state, view, (dd_pick){predicted.class_id, predicted.move},
                             1);
}
