/* decode.h - one step of a derivation, the same for parser and trainer:
 *
 *     permissible moves -> scores of all classes -> the best class -> the next configuration
 */
#ifndef DODONA_PARSE_DECODE_H
#define DODONA_PARSE_DECODE_H

#include "constraints/constraints.h"
#include "score/scorer.h"

typedef struct dd_decoder {
    const dd_inventory *inventory;
    const dd_constraints *constraints; /* to be obeyed; NULL: none */
    /* Whether constraints are checked only for the moves that the decoder would choose, because a
     * check may take long. Leaves are always checked at once. */
    bool asks_late;
    dd_config config;
    dd_view view; /* of config, for a scorer */
    size_t moves_capacity, arcs_capacity, scores_capacity;
} dd_decoder; /* {0} is valid */

typedef struct dd_choice {
    int move; /* index in moves, DD_NONE: no class qualifies */
    int class_id;
    int32_t score;
    int64_t gain;   /* what it adds to the score of a derivation, see dd_decoder_gain */
    int64_t margin; /* score minus the second best; INT64_MAX: there was no other */
    int rival;      /* the move of the second best, DD_NONE: there was no other */
} dd_choice;

void dd_decoder_free(dd_decoder *decoder);
/* Room for the moves of sentences of n words, without constraints, which may be set afterwards.
 * False if allocation fails. */
bool dd_decoder_reserve(dd_decoder *decoder, const dd_inventory *inventory, int n);
/* The same, with the initial configuration. */
bool dd_decoder_begin(dd_decoder *decoder, const dd_inventory *inventory, int n, bool single_root);
/* About how many steps scoring the configuration takes, for dd_tick. */
static inline int64_t dd_decoder_steps(const dd_decoder *decoder)
{
    enum { STEPS_FOR_CONFIGURATION = 2000, STEPS_FOR_MOVE = 50 };
    return STEPS_FOR_CONFIGURATION + (int64_t)STEPS_FOR_MOVE * decoder->view.n_moves;
}

/* Whether the only constraints are leaves: these are checked quickly, and require no label. */
static inline bool dd_decoder_has_only_leaves(const dd_decoder *decoder)
{
    return decoder->constraints && decoder->constraints->only_leaves;
}

/* Lists the permissible moves, without those that constraints forbid (unless these are checked
 * late). False in a final configuration. */
bool dd_decoder_ready(dd_decoder *decoder);
/* Whether there is nothing to decide, so that nothing needs to be scored: a move without an arc
 * keeps every tree reachable. Its cost is 0. */
bool dd_decoder_idles(const dd_decoder *decoder, dd_choice *choice);
enum { DD_SCORED_TOGETHER = 16 /* configurations, at most */ };
/* Lists the views of decoders and reserves memory for their scores, by_move: a row for each move.
 * False if allocation fails. */
bool dd_decoders_list_views(dd_decoder *const *decoders, int count, bool by_move, dd_view **views);
/* Sets all scores to 0. False if allocation fails. */
bool dd_decoder_clear_scores(dd_decoder *decoder);
/* Gives each move a row of scores of its own, if it has none. False if allocation fails. */
bool dd_decoder_part_moves(dd_decoder *decoder);
/* The classes that belong to moves[move]: together with dd_decoder_ready the only place that lists
 * what is possible in a configuration, in the order in which ties are broken. If the arc's label is
 * required, this is the class of that label alone; if training never showed that class, all
 * classes, and dd_decoder_make replaces the label. */
dd_class_list dd_decoder_classes(const dd_decoder *decoder, int move);

/* The scores of all classes for a move; only those of its own classes are valid. */
static inline int32_t *dd_decoder_scores(const dd_decoder *decoder, int move)
{
    return dd_view_row(&decoder->view, move, decoder->inventory->n_classes);
}

static inline int32_t dd_decoder_score(const dd_decoder *decoder, int move, int class_id)
{
    return dd_decoder_scores(decoder, move)[class_id];
}

/* What a transition of that score adds to the score of a derivation: see dd_system_search.goes_on.
 */
static inline int64_t dd_decoder_gain(const dd_decoder *decoder, int32_t score)
{
    int going_on = decoder->inventory->going_on;
    return going_on == DD_NONE ? score : (int64_t)score - decoder->view.scores[going_on];
}

/* The best class by score, ties to the first. */
dd_choice dd_decoder_best(const dd_decoder *decoder);
/* The best class of the moves that constraints allow, when these are checked late. Forbidden moves
 * are dropped from the view as far as they affect the choice or, if it builds an arc, its margin.
 */
dd_choice dd_decoder_best_allowed(dd_decoder *decoder);
/* The best of the classes of cost 0, by the costs of moves and by label loss; gain and margin are
 * not set. */
dd_choice dd_decoder_best_free(const dd_decoder *decoder, const dd_gold *gold, const int *costs);
/* Label loss of a choice. */
int dd_decoder_label_cost(const dd_decoder *decoder, const dd_gold *gold, dd_choice choice);
void dd_decoder_apply(dd_decoder *decoder, dd_choice choice);
/* The same for any configuration. */
void dd_decoder_make(const dd_inventory *inventory, const dd_constraints *constraints,
                     dd_config *config, dd_move move, int class_id);

#endif
