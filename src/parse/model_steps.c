/* model_steps.c - what a model says of one configuration, and of a derivation that is over */
#include "parse/parser.h"

bool dd_model_score(const dd_model *model, void *space, dd_decoder *const *decoders, int count)
{
    dd_view *views[DD_SCORED_TOGETHER];
    return dd_decoders_list_views(decoders, count, model->by_move, views) &&
           model->scorer->score(space, views, count);
}

bool dd_model_score_one(const dd_model *model, void *space, dd_decoder *decoder, bool best_only)
{
    dd_view *view;
    if (!dd_decoders_list_views(&decoder, 1, model->by_move, &view)) return false;
    /* other constraints than leaves may ask for a label that is not the best */
    view->best_only = best_only && (!decoder->constraints || dd_decoder_has_only_leaves(decoder));
    return model->scorer->score(space, &view, 1);
}

bool dd_model_choose(const dd_model *model, void *space, dd_decoder *decoder, bool best_only,
                     dd_choice *choice)
{
    if (dd_decoder_idles(decoder, choice)) return true;
    if (!dd_model_score_one(model, space, decoder, best_only)) return false;
    bool asks = decoder->constraints && decoder->asks_late && !dd_decoder_has_only_leaves(decoder);
    *choice = asks ? dd_decoder_best_allowed(decoder) : dd_decoder_best(decoder);
    return true;
}

/* Words that were left to 0 without a transition have the usual label of roots so far, but another
 * one may be required. */
static void copy_tree(const dd_config *config, const dd_constraints *constraints, int32_t *heads,
                      int32_t *labels)
{
    for (int word = 1; word <= config->n; word++) {
        heads[word] = config->nodes[word].head;
        labels[word] = config->nodes[word].label;
        if (constraints && heads[word] == 0 && constraints->labels[word] != DD_NONE)
            labels[word] = constraints->labels[word];
    }
}

/* Putting lifted arcs back may break constraints; then they stay where they were parsed. */
bool dd_model_take_tree(const dd_model *model, dd_tree_space *space, const dd_config *config,
                        const dd_constraints *constraints, int32_t *heads, int32_t *labels)
{
    const dd_unlift *unlift = &model->unlift;
    copy_tree(config, constraints, heads, labels);
    if (unlift->scheme == DD_PSEUDO_PROJECTIVE_NONE) return true;
    if (!dd_unlift_apply(unlift, space, heads, labels, config->n)) return false;
    if (!constraints || dd_constraints_hold(constraints, heads)) return true;
    copy_tree(config, constraints, heads, labels);
    for (int word = 1; word <= config->n; word++) labels[word] = unlift->codes[labels[word]].label;
    return true;
}
