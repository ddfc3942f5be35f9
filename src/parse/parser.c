/* parser.c - the parser, greedy or with a beam: one thread's workspace */
#include "parse/parser.h"

#include "core/memory.h"
#include "core/status.h"
#include "text/sentence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { STEPS_TO_PREPARE = 20000, STEPS_TO_TAG = 20000 }; /* a word, for dd_tick */

dd_status dd_parser_new(dd_parser **out, const dd_model *model, dd_error *error)
{
    dd_parser *parser = dd_calloc(1, sizeof *parser);
    if (!parser) return dd_fail_memory(error);
    parser->model = model;
    parser->constraints.effort.ticker = &parser->ticker;
    parser->tidier.ticker = &parser->ticker;
    dd_status status = DD_OK;
    if (model->system) status = model->scorer->space_new(&parser->space, model->frozen, error);
    if (status == DD_OK && !dd_tidier_start(&parser->tidier, model)) status = dd_fail_memory(error);
    if (status == DD_OK && model->tagger)
        status = dd_tagger_space_new(&parser->tagger, model->tagger, error);
    if (status == DD_OK && model->lemmatizer)
        status = dd_lemmatizer_space_new(&parser->lemmatizer, model->lemmatizer, error);
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
    dd_tagger_space_free(parser->tagger);
    dd_lemmatizer_space_free(parser->lemmatizer);
    dd_decoder_free(&parser->decoder);
    dd_beam_free(&parser->beam);
    dd_graph_search_free(&parser->graph);
    dd_constraints_free(&parser->constraints);
    dd_tidier_free(&parser->tidier);
    free(parser->trees);
    dd_tree_space_free(&parser->tree_space);
    free(parser->margins);
    free(parser->heads);
    free(parser->labels);
    dd_buffer_free(&parser->text);
    free(parser);
}

void dd_parser_begin_call(dd_parser *parser)
{
    dd_ticker_start(&parser->ticker, parser->cancel);
}

static void note_margin(dd_parser *parser, dd_choice choice, double unit)
{
    int dependent = parser->decoder.view.arcs[choice.move].dependent;
    if (dependent == DD_NONE) return;
    parser->margins[dependent] =
        choice.margin == INT64_MAX ? INFINITY : (float)((double)choice.margin * unit);
}

/* What is searched: the sentence's number among those that were prepared, and what must hold. */
typedef struct search {
    int number;
    const dd_constraints *constraints; /* NULL: nothing */
} search;

/* ---- trees -------------------------------------------------------------------------------- */

bool dd_parser_reserve(dd_parser *parser, int n, int trees)
{
    size_t nodes = (size_t)n + 1, count = (size_t)trees;
    return DD_RESERVE(&parser->margins, &parser->margins_capacity, nodes) &&
           DD_RESERVE(&parser->trees, &parser->trees_capacity, count) &&
           DD_RESERVE(&parser->heads, &parser->heads_capacity, nodes * count) &&
           DD_RESERVE(&parser->labels, &parser->labels_capacity, nodes * count);
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
static bool take_tree(dd_parser *parser, const search *s, dd_config *config, int64_t score,
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

/* ---- searches ----------------------------------------------------------------------------- */

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

static bool run_greedy(dd_parser *parser, const search *s)
{
    const dd_model *model = parser->model;
    dd_decoder *decoder = &parser->decoder;
    if (!begin(parser, s)) return false;
    decoder->asks_late = true;
    double unit = model->scorer->unit(model->frozen);
    int64_t sum = 0;
    for (int word = 0; word <= parser->n; word++) parser->margins[word] = INFINITY;
    while (dd_decoder_ready(decoder)) {
        dd_choice choice;
        if (!dd_tick(&parser->ticker, dd_decoder_steps(decoder)) ||
            !dd_model_choose(model, parser->space, decoder, true, &choice))
            return false;
        if (choice.move == DD_NONE) break; /* the constraints have taken too much effort */
        note_margin(parser, choice, unit);
        sum += choice.gain;
        dd_decoder_apply(decoder, choice);
    }
    return take_tree(parser, s, &decoder->config, sum, parser->margins);
}

static bool score_heads(void *user, dd_decoder *decoder)
{
    dd_parser *parser = user;
    return dd_tick(&parser->ticker, dd_decoder_steps(decoder)) &&
           dd_model_score_one(parser->model, parser->space, decoder, true);
}

static bool run_graph(dd_parser *parser, const search *s)
{
    const dd_model *model = parser->model;
    dd_decoder *decoder = &parser->decoder;
    dd_graph_scorer scorer = {model->scorer->unit(model->frozen), parser, score_heads};
    int64_t sum;
    return begin(parser, s) &&
           dd_graph_search_run(&parser->graph, decoder, &scorer, parser->margins, &sum) &&
           take_tree(parser, s, &decoder->config, sum, parser->margins);
}

static bool score_items(void *user, dd_decoder *const *decoders, int count)
{
    dd_parser *parser = user;
    return dd_model_score(parser->model, parser->space, decoders, count);
}

static bool run_beam(dd_parser *parser, const search *s, int width, int trees)
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
        if (!take_tree(parser, s, &item->config, item->score, item->margins)) return false;
    }
    return true;
}

bool dd_parser_prepare(dd_parser *parser, const dd_sentence *const *sentences, size_t count)
{
    const dd_model *model = parser->model;
    int64_t words = 0;
    for (size_t i = 0; i < count; i++) {
        parser->present |= dd_sentence_columns(sentences[i], model->columns & ~parser->present);
        words += sentences[i]->n;
    }
    return dd_tick(&parser->ticker, STEPS_TO_PREPARE * words) &&
           model->scorer->prepare(parser->space, sentences, count);
}

bool dd_parser_run(dd_parser *parser, int number, int n, const dd_constraints *constraints,
                   int beam, int trees)
{
    search s = {number, constraints};
    parser->n = n;
    parser->n_trees = 0;
    if (!dd_parser_reserve(parser, n, trees)) return false;
    if (parser->model->system->arc_factored) return run_graph(parser, &s);
    return beam == 1 ? run_greedy(parser, &s) : run_beam(parser, &s, beam, trees);
}

/* ---- the interface ------------------------------------------------------------------------ */

/* Whether no word has any of these columns. */
static bool lacks(const dd_sentence *sentence, int first, int last)
{
    for (int word = 1; word <= sentence->n; word++)
        for (int column = first; column <= last; column++)
            if (!dd_is_missing(dd_cell(sentence, word, column))) return false;
    return true;
}

static bool needs_tags(const dd_parser *parser, const dd_sentence *sentence, bool anew)
{
    return parser->model->tagger && (anew || lacks(sentence, DD_UPOS, DD_FEATS));
}

dd_status dd_parser_annotate_all(dd_parser *parser, dd_sentence *const *sentences, size_t *count,
                                 bool anew, dd_error *error)
{
    const dd_model *model = parser->model;
    dd_sentence *bare[DD_ANNOTATED_TOGETHER];
    dd_status status = DD_OK, refused = DD_OK;
    size_t n_bare = 0, able = 0;
    int64_t words = 0;
    for (; able < *count && refused == DD_OK; able += refused == DD_OK) {
        if (!needs_tags(parser, sentences[able], anew)) continue;
        refused = dd_tagger_check(model->tagger, sentences[able], error);
        if (refused == DD_OK) bare[n_bare++] = sentences[able];
        words += sentences[able]->n;
    }
    *count = 0;
    if (!dd_tick(&parser->ticker, STEPS_TO_TAG * words))
        return dd_fail_unfinished(&parser->ticker, error);
    if (n_bare) status = dd_tagger_apply_all(model->tagger, parser->tagger, bare, n_bare, error);
    for (; *count < able && status == DD_OK; *count += status == DD_OK) {
        dd_sentence *sentence = sentences[*count];
        if (model->lemmatizer && (anew || lacks(sentence, DD_LEMMA, DD_LEMMA)))
            status = dd_lemmatizer_apply(model->lemmatizer, parser->lemmatizer, sentence, error);
    }
    return status != DD_OK ? status : refused;
}

dd_status dd_parser_annotate(dd_parser *parser, dd_sentence *sentence, bool anew, dd_error *error)
{
    size_t one = 1;
    dd_parser_begin_call(parser);
    return dd_parser_annotate_all(parser, &sentence, &one, anew, error);
}

int dd_parser_trees(const dd_parser *parser)
{
    return parser->n_trees;
}

double dd_parser_tree_score(const dd_parser *parser, int k)
{
    const dd_model *model = parser->model;
    if (k < 0 || k >= parser->n_trees) return NAN;
    return (double)parser->trees[k].score * model->scorer->unit(model->frozen);
}

dd_status dd_parser_attach(const dd_parser *parser, int k, dd_sentence *sentence, bool scores,
                           dd_error *error)
{
    if (k < 0 || k >= parser->n_trees || sentence->n != parser->n)
        return dd_fail(error, DD_ERROR_ARGUMENT, "no tree %d of %d words: %d were found", k,
                       sentence->n, parser->n_trees);
    const int32_t *heads = dd_parser_heads(parser, k);
    const int32_t *labels = parser->labels + (size_t)k * ((size_t)parser->n + 1);
    for (int word = 1; word <= sentence->n; word++) {
        dd_text label = dd_model_label(parser->model, labels[word]);
        dd_status status = dd_sentence_attach(sentence, word, heads[word], label, error);
        if (status != DD_OK) return status;
        float margin = parser->trees[k].margins[word];
        dd_word_score score = {margin, dd_confidence_of(&parser->model->confidence, margin)};
        if (scores) dd_sentence_set_score(sentence, word, score);
    }
    return DD_OK;
}

dd_status dd_parser_parse(dd_parser *parser, dd_sentence *sentence, bool scores, dd_error *error)
{
    dd_status status = dd_parser_annotate(parser, sentence, false, error);
    if (status != DD_OK || !parser->model->system) return status;
    status = dd_parser_search(parser, sentence, 0, 1, error);
    return status == DD_OK ? dd_parser_attach(parser, 0, sentence, scores, error) : status;
}
