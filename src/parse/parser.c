/* parser.c - the greedy parser: one thread's workspace */
#include "parse/parser.h"

#include "core/memory.h"
#include "core/status.h"

#include <math.h>
#include <stdlib.h>

dd_status dd_parser_new(dd_parser **out, const dd_model *model, dd_error *error)
{
    dd_parser *parser = dd_calloc(1, sizeof *parser);
    if (!parser) return dd_fail_memory(error);
    parser->model = model;
    dd_status status = model->scorer->space_new(&parser->space, model->frozen, error);
    if (status != DD_OK) {
        dd_parser_free(parser);
        return status;
    }
    *out = parser;
    return DD_OK;
}

void dd_parser_free(dd_parser *parser)
{
    if (!parser) return;
    if (parser->space) parser->model->scorer->space_free(parser->space);
    dd_decoder_free(&parser->decoder);
    dd_constraints_free(&parser->constraints);
    dd_tokens_free(&parser->tokens);
    dd_tree_space_free(&parser->tree_space);
    free(parser->margins);
    free(parser->heads);
    free(parser->labels);
    free(parser);
}

static void note_margin(dd_parser *parser, dd_choice choice, double unit)
{
    int dependent = parser->decoder.arcs[choice.move].dependent;
    if (dependent == DD_NONE) return;
    parser->margins[dependent] =
        choice.margin == INT64_MAX ? INFINITY : (float)((double)choice.margin * unit);
}

/* Scores of the configuration, and of its moves where the templates ask for them. */
static bool score(const dd_model *model, void *space, dd_decoder *decoder, const dd_tokens *tokens)
{
    model->scorer->frozen_score(model->frozen, space, &decoder->config, tokens, decoder->scores);
    if (model->templates->n_move_templates == 0) return true;
    if (!dd_decoder_reserve_move_scores(decoder)) return false;
    size_t classes = (size_t)model->inventory.n_classes;
    for (int m = 0; m < decoder->n_moves; m++)
        if (decoder->arcs[m].dependent != DD_NONE)
            model->scorer->frozen_score_move(model->frozen, space, &decoder->config, tokens,
                                             decoder->arcs[m],
                                             decoder->move_scores + (size_t)m * classes);
    return true;
}

bool dd_model_choose(const dd_model *model, void *space, dd_decoder *decoder,
                     const dd_tokens *tokens, dd_choice *choice)
{
    if (dd_decoder_idles(decoder, choice)) return true;
    if (!score(model, space, decoder, tokens)) return false;
    *choice = dd_decoder_best(decoder, NULL, NULL);
    return true;
}

static bool reserve(dd_parser *parser, int n)
{
    size_t nodes = (size_t)n + 1;
    return DD_RESERVE(&parser->margins, &parser->margins_capacity, nodes) &&
           DD_RESERVE(&parser->heads, &parser->heads_capacity, nodes) &&
           DD_RESERVE(&parser->labels, &parser->labels_capacity, nodes);
}

/* A word that was left headless has the label of the root, but another one may be required. */
static void copy_tree(const dd_config *config, const dd_constraints *constraints, int32_t *heads,
                      int32_t *labels)
{
    for (int word = 1; word <= config->n; word++) {
        heads[word] = config->nodes[word].head;
        labels[word] = config->nodes[word].label;
        if (constraints && constraints->labels[word] != DD_NONE)
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

bool dd_parser_run(dd_parser *parser, const dd_tokens *tokens, const dd_constraints *constraints)
{
    const dd_model *model = parser->model;
    dd_decoder *decoder = &parser->decoder;
    if (!dd_decoder_begin(decoder, &model->inventory, tokens->n, model->single_root)) return false;
    if (!reserve(parser, tokens->n)) return false;
    decoder->constraints = constraints;
    double unit = model->scorer->unit(model->frozen);
    for (int word = 0; word <= tokens->n; word++) parser->margins[word] = INFINITY;
    while (dd_decoder_ready(decoder)) {
        dd_choice choice;
        if (!dd_model_choose(model, parser->space, decoder, tokens, &choice)) return false;
        note_margin(parser, choice, unit);
        dd_decoder_apply(decoder, choice);
    }
    dd_attach_rest(&decoder->config, model->inventory.root_label);
    return dd_model_take_tree(model, &parser->tree_space, &decoder->config, constraints,
                              parser->heads, parser->labels);
}

static dd_status attach_all(dd_parser *parser, dd_sentence *sentence, bool scores, dd_error *error)
{
    for (int word = 1; word <= sentence->n; word++) {
        dd_text label = dd_model_label(parser->model, parser->labels[word]);
        dd_status status = dd_sentence_attach(sentence, word, parser->heads[word], label, error);
        if (status != DD_OK) return status;
        if (scores) dd_sentence_set_score(sentence, word, parser->margins[word]);
    }
    return DD_OK;
}

dd_status dd_parser_check(dd_parser *parser, const dd_sentence *sentence, dd_error *error)
{
    const dd_model *model = parser->model;
    if (sentence->n_constraints == 0) return DD_OK;
    return dd_constraints_set(&parser->constraints, sentence, &model->inventory, model->single_root,
                              error);
}

dd_status dd_parser_parse(dd_parser *parser, dd_sentence *sentence, bool scores, dd_error *error)
{
    const dd_model *model = parser->model;
    dd_status status = dd_parser_check(parser, sentence, error);
    if (status != DD_OK) return status;
    const dd_constraints *constraints = sentence->n_constraints ? &parser->constraints : NULL;
    if (!dd_tokens_set(&parser->tokens, model->templates, sentence, &parser->present) ||
        !dd_parser_run(parser, &parser->tokens, constraints))
        return dd_fail_memory(error);
    return attach_all(parser, sentence, scores, error);
}
