/* greedy.c - greedy parsing, and the choice between it and the other searches
 *
 *     configuration -> permissible moves -> scores -> the best class -> next configuration
 *           ^                                                                |
 *           '----------------------------------------------------------------'  until it is final
 *
 * parse_greedily is the whole algorithm. What it calls stands below it, in the order of the calls,
 * or in decode.c, which the trainer shares. */
#include "core/memory.h"
#include "parse/parser.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

/* What is searched: the sentence's number among those that were prepared, and what must hold. */
typedef struct search {
    int number;
    const dd_constraints *constraints; /* NULL: nothing */
} search;

static bool begin(dd_parser *parser, const search *s);
static void note_margin(dd_parser *parser, dd_choice choice, double unit);
static bool keep_tree(dd_parser *parser, const search *s, dd_config *config, int64_t score,
                      const float *margins);

/* ---- greedy parsing ----------------------------------------------------------------------- */

/* False if allocation fails or the call is cancelled. */
static bool parse_greedily(dd_parser *parser, const search *s)
{
    const dd_model *model = parser->model;
    dd_decoder *decoder = &parser->decoder;
    double unit = model->scorer->unit(model->frozen);
    int64_t sum = 0; /* of scores: that of the derivation */

    if (!begin(parser, s)) return false;
    decoder->asks_late = true;
    for (int word = 0; word <= parser->n; word++) parser->margins[word] = INFINITY;

    while (dd_decoder_ready(decoder)) { /* lists the permissible moves; none: it is final */
        dd_choice choice;
        if (!dd_tick(&parser->ticker, dd_decoder_steps(decoder))) return false; /* cancelled */
        if (!dd_model_choose(model, parser->space, decoder, true, &choice)) return false;
        if (choice.move == DD_NONE) break; /* checking constraints took too much effort */
        note_margin(parser, choice, unit);
        sum += choice.gain;
        dd_decoder_apply(decoder, choice); /* makes the next configuration */
    }
    return keep_tree(parser, s, &decoder->config, sum, parser->margins);
}

/* The initial configuration of the sentence. */
static bool begin(dd_parser *parser, const search *s)
{
    const dd_model *model = parser->model;
    dd_decoder *decoder = &parser->decoder;
    if (!dd_decoder_begin(decoder, &model->inventory, parser->n, model->single_root)) return false;
    decoder->constraints = s->constraints;
    decoder->asks_late = false;
    decoder->view.sentence = s->number;
    return true;
}

/* Where one move serves every tree in reach, nothing is scored. Else the best class wins, of those
 * whose moves the constraints allow. */
bool dd_model_choose(const dd_model *model, void *space, dd_decoder *decoder, bool best_only,
                     dd_choice *choice)
{
    if (dd_decoder_idles(decoder, choice)) return true;
    if (!dd_model_score_one(model, space, decoder, best_only)) return false;
    bool asks = decoder->constraints && decoder->asks_late && !dd_decoder_has_only_leaves(decoder);
    *choice = asks ? dd_decoder_best_allowed(decoder) : dd_decoder_best(decoder);
    return true;
}

bool dd_model_score_one(const dd_model *model, void *space, dd_decoder *decoder, bool best_only)
{
    dd_view *view;
    if (!dd_decoders_list_views(&decoder, 1, model->by_move, &view)) return false;
    /* Constraints other than leaves may require a label that does not score best. */
    view->best_only = best_only && (!decoder->constraints || dd_decoder_has_only_leaves(decoder));
    return model->scorer->score(space, &view, 1);
}

/* By how much the choice beat the second best, for the word that it attaches. */
static void note_margin(dd_parser *parser, dd_choice choice, double unit)
{
    int dependent = parser->decoder.view.arcs[choice.move].dependent;
    if (dependent == DD_NONE) return;
    parser->margins[dependent] =
        choice.margin == INT64_MAX ? INFINITY : (float)((double)choice.margin * unit);
}

/* ---- trees -------------------------------------------------------------------------------- */

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

static uint64_t hash_tree(const int32_t *heads, const int32_t *labels, int n)
{
    size_t size = (size_t)n * sizeof *heads;
    return XXH3_64bits_withSeed(labels + 1, size, XXH3_64bits(heads + 1, size));
}

static bool same_tree(const dd_parser *parser, int one, int other)
{
    size_t nodes = (size_t)parser->n + 1, size = (size_t)parser->n * sizeof *parser->heads;
    size_t a = (size_t)one * nodes + 1, b = (size_t)other * nodes + 1;
    return parser->trees[one].hash == parser->trees[other].hash &&
           memcmp(parser->heads + a, parser->heads + b, size) == 0 &&
           memcmp(parser->labels + a, parser->labels + b, size) == 0;
}

/* Adds the tree of a finished configuration, unless it was found before: several derivations can
 * lead to one tree, and lifted arcs can be put back to the same place. */
static bool keep_tree(dd_parser *parser, const search *s, dd_config *config, int64_t score,
                      const float *margins)
{
    const dd_model *model = parser->model;
    int n = parser->n, at = parser->n_trees;
    int32_t *heads = dd_parser_heads(parser, at);
    int32_t *labels = parser->labels + (size_t)at * ((size_t)n + 1);
    dd_attach_rest(config, model->inventory.root_label);
    if (!dd_model_take_tree(model, &parser->tree_space, config, s->constraints, heads, labels))
        return false;
    if (parser->tidies && !dd_tidier_relabel(&parser->tidier, parser->space, s->number, config,
                                             s->constraints, heads, labels))
        return false;
    parser->trees[at] = (dd_parsed_tree){score, margins, hash_tree(heads, labels, n)};
    for (int other = 0; other < at; other++)
        if (same_tree(parser, at, other)) return true;
    parser->n_trees++;
    return true;
}

/* ---- the other searches ------------------------------------------------------------------- */

static bool score_heads(void *user, dd_decoder *decoder)
{
    dd_parser *parser = user;
    return dd_tick(&parser->ticker, dd_decoder_steps(decoder)) &&
           dd_model_score_one(parser->model, parser->space, decoder, true);
}

static bool parse_by_arcs(dd_parser *parser, const search *s)
{
    const dd_model *model = parser->model;
    dd_decoder *decoder = &parser->decoder;
    dd_graph_scorer scorer = {model->scorer->unit(model->frozen), parser, score_heads};
    int64_t sum;
    return begin(parser, s) &&
           dd_graph_search_run(&parser->graph, decoder, &scorer, parser->margins, &sum) &&
           keep_tree(parser, s, &decoder->config, sum, parser->margins);
}

bool dd_model_score(const dd_model *model, void *space, dd_decoder *const *decoders, int count)
{
    dd_view *views[DD_SCORED_TOGETHER];
    return dd_decoders_list_views(decoders, count, model->by_move, views) &&
           model->scorer->score(space, views, count);
}

static bool score_items(void *user, dd_decoder *const *decoders, int count)
{
    dd_parser *parser = user;
    return dd_model_score(parser->model, parser->space, decoders, count);
}

static bool parse_with_beam(dd_parser *parser, const search *s, int width, int trees)
{
    const dd_model *model = parser->model;
    dd_beam *beam = &parser->beam;
    dd_beam_search how = {
        .inventory = &model->inventory,
        .n = parser->n,
        .sentence = s->number,
        .single_root = model->single_root,
        .constraints = s->constraints,
        .width = width,
        .unit = model->scorer->unit(model->frozen),
        .ticker = &parser->ticker,
        .user = parser,
        .score = score_items,
    };
    if (!dd_beam_run(beam, &how)) return false;
    for (int rank = 0; rank < beam->n_ranked && parser->n_trees < trees; rank++) {
        dd_beam_item *item = dd_beam_at(beam, rank);
        if (!keep_tree(parser, s, &item->config, item->score, item->margins)) return false;
    }
    return true;
}

bool dd_parser_run(dd_parser *parser, int number, int n, const dd_constraints *constraints,
                   int beam, int trees)
{
    search s = {number, constraints};
    parser->n = n;
    parser->n_trees = 0;
    if (!dd_parser_reserve(parser, n, trees)) return false;
    if (parser->model->system->arc_factored) return parse_by_arcs(parser, &s);
    return beam == 1 ? parse_greedily(parser, &s) : parse_with_beam(parser, &s, beam, trees);
}
