/* parser.c - the parser: one thread's workspace, annotation, and the trees that were found */
#include "parse/parser.h"

#include "core/memory.h"
#include "core/status.h"
#include "text/sentence.h"

#include <math.h>
#include <stdlib.h>

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

bool dd_parser_reserve(dd_parser *parser, int n, int trees)
{
    size_t nodes = (size_t)n + 1, count = (size_t)trees;
    return DD_RESERVE(&parser->margins, &parser->margins_capacity, nodes) &&
           DD_RESERVE(&parser->trees, &parser->trees_capacity, count) &&
           DD_RESERVE(&parser->heads, &parser->heads_capacity, nodes * count) &&
           DD_RESERVE(&parser->labels, &parser->labels_capacity, nodes * count);
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

/* ---- the interface ------------------------------------------------------------------------ */

/* Whether no word has any of these columns. */
static bool lacks(const dd_sentence *sentence, int first, int last)
{
    for (int word = 1; word <= sentence->n; word++)
        for (int column = first; column <= last; column++)
            if (!dd_is_missing(dd_cell(sentence, word, column))) return false;
    return true;
}

static bool needs_tags(const dd_parser *parser, const dd_sentence *sentence, bool replace)
{
    return parser->model->tagger && (replace || lacks(sentence, DD_UPOS, DD_FEATS));
}

/* A column that the model's own tagger leaves empty is no surprise to its parser. */
enum { OWN_TAGS = 1 << DD_UPOS | 1 << DD_XPOS | 1 << DD_FEATS };

dd_status dd_parser_annotate_all(dd_parser *parser, dd_sentence *const *sentences, size_t *count,
                                 bool replace, dd_error *error)
{
    const dd_model *model = parser->model;
    dd_sentence *bare[DD_ANNOTATED_TOGETHER];
    dd_status status = DD_OK, refused = DD_OK;
    size_t n_bare = 0, able = 0;
    int64_t words = 0;
    for (; able < *count && refused == DD_OK; able += refused == DD_OK) {
        if (!needs_tags(parser, sentences[able], replace)) continue;
        refused = dd_tagger_check(model->tagger, sentences[able], error);
        if (refused == DD_OK) bare[n_bare++] = sentences[able];
        words += sentences[able]->n;
    }
    *count = 0;
    if (!dd_tick(&parser->ticker, STEPS_TO_TAG * words))
        return dd_fail_unfinished(&parser->ticker, error);
    if (n_bare) status = dd_tagger_apply_all(model->tagger, parser->tagger, bare, n_bare, error);
    if (n_bare) parser->present |= OWN_TAGS;
    for (; *count < able && status == DD_OK; *count += status == DD_OK) {
        dd_sentence *sentence = sentences[*count];
        if (model->lemmatizer && (replace || lacks(sentence, DD_LEMMA, DD_LEMMA)))
            status = dd_lemmatizer_apply(model->lemmatizer, parser->lemmatizer, sentence, error);
    }
    return status != DD_OK ? status : refused;
}

dd_status dd_parser_annotate(dd_parser *parser, dd_sentence *sentence, bool replace,
                             dd_error *error)
{
    size_t one = 1;
    dd_parser_begin_call(parser);
    return dd_parser_annotate_all(parser, &sentence, &one, replace, error);
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
