/* search.c - what is asked of a search and what it must obey: options, constraints, tidiness; of
 * one sentence or of many */
#include "core/status.h"
#include "parse/parser.h"

void dd_parser_set_tidy(dd_parser *parser, dd_tidy tidy)
{
    parser->tidy = tidy;
}

void dd_parser_set_cancel(dd_parser *parser, dd_cancel *cancel)
{
    parser->cancel = cancel;
}

/* Decides whether the next trees are made tidy: as `wanted`; AUTO: as the parser was set, or else
 * as the model says. */
static void take_tidy(dd_parser *parser, dd_tidy wanted)
{
    if (wanted == DD_TIDY_AUTO) wanted = parser->tidy;
    parser->tidies = wanted == DD_TIDY_AUTO ? parser->model->tidy : wanted == DD_TIDY_YES;
}

/* ---- constraints -------------------------------------------------------------------------- */

/* Refuses to cut a sentence with constraints, which may span the cut. */
static dd_status refuse_to_cut(const dd_sentence *sentence, int most, dd_error *error)
{
    return dd_constraint_fail(sentence, 0, error,
                              "a sentence with constraints can have up to %d words, this one has "
                              "%d; longer ones are parsed in pieces",
                              most, sentence->n);
}

static dd_status set_constraints(dd_parser *parser, const dd_sentence *sentence, dd_error *error)
{
    const dd_model *model = parser->model;
    return dd_constraints_set(&parser->constraints, sentence, &model->inventory, model->single_root,
                              error);
}

dd_status dd_parser_check(dd_parser *parser, const dd_sentence *sentence, dd_error *error)
{
    int most = dd_model_max_words(parser->model, 0);
    if (dd_constraint_count(sentence) == 0 || !parser->model->system) return DD_OK;
    dd_parser_begin_call(parser);
    return sentence->n > most ? refuse_to_cut(sentence, most, error)
                              : set_constraints(parser, sentence, error);
}

/* *any: whether there is anything to obey. */
static dd_status set_wishes(dd_parser *parser, const dd_sentence *sentence, bool *any,
                            dd_error *error)
{
    const dd_model *model = parser->model;
    int wishes = dd_tidier_wish(&parser->tidier, sentence);
    if (wishes < 0) return dd_fail_memory(error);
    *any = wishes > 0;
    return wishes == 0
               ? DD_OK
               : dd_constraints_set_wishing(&parser->constraints, sentence, &model->inventory,
                                            model->single_root, parser->tidier.wished,
                                            parser->tidier.granted, error);
}

/* ---- searches ----------------------------------------------------------------------------- */

static dd_status check_search(const dd_parser *parser, int beam, int trees, dd_error *error)
{
    if (!parser->model->system) return dd_fail(error, DD_ERROR_DATA, "the model has no parser");
    if (beam < 1 || beam > DD_MAX_BEAM)
        return dd_fail(error, DD_ERROR_ARGUMENT, "the beam must lie between 1 and %d", DD_MAX_BEAM);
    if (beam > 1 && parser->model->system->arc_factored)
        return dd_fail(error, DD_ERROR_ARGUMENT,
                       "%s has no beam and no list of trees: it finds the best tree itself",
                       parser->model->system->name);
    if (trees < 1 || trees > beam)
        return dd_fail(error, DD_ERROR_ARGUMENT, "a beam of %d cannot give %d trees", beam, trees);
    return DD_OK;
}

/* What a search is to find. */
typedef struct goal {
    int number; /* of the sentence that was prepared */
    const dd_sentence *sentence;
    int beam, trees;
} goal;

static dd_status run(dd_parser *parser, const goal *g, bool constrained, dd_error *error)
{
    const dd_constraints *constraints = constrained ? &parser->constraints : NULL;
    dd_status status = DD_OK;
    if (!dd_parser_run(parser, g->number, g->sentence->n, constraints, g->beam, g->trees))
        status = dd_fail_unfinished(&parser->ticker, error);
    for (int k = 0; constraints && k < parser->n_trees && status == DD_OK; k++)
        status = dd_constraints_end(constraints, g->sentence, dd_parser_heads(parser, k), error);
    return status;
}

static dd_status run_as_asked(dd_parser *parser, const goal *g, dd_error *error)
{
    bool constrained = dd_constraint_count(g->sentence) > 0;
    dd_status status = constrained ? set_constraints(parser, g->sentence, error) : DD_OK;
    return status == DD_OK ? run(parser, g, constrained, error) : status;
}

/* Tidiness never makes a sentence fail, not even if it makes the constraints too hard to obey: then
 * the sentence is parsed with its constraints alone. */
static dd_status run_as_wished(dd_parser *parser, const goal *g, dd_error *error)
{
    bool any = false;
    dd_status status = set_wishes(parser, g->sentence, &any, error);
    if (status == DD_OK && any) status = run(parser, g, true, error);
    bool again = status == DD_ERROR_DATA || (status == DD_OK && !any);
    return again ? run_as_asked(parser, g, error) : status;
}

dd_status dd_parser_run_checked(dd_parser *parser, int number, const dd_sentence *sentence,
                                int beam, int trees, dd_error *error)
{
    goal g = {number, sentence, beam ? beam : parser->model->beam, trees};
    parser->n_trees = 0;
    dd_status status = check_search(parser, g.beam, trees, error);
    if (status == DD_OK)
        status =
            parser->tidies ? run_as_wished(parser, &g, error) : run_as_asked(parser, &g, error);
    if (status != DD_OK) parser->n_trees = 0;
    return status;
}

static dd_status find_in_pieces(dd_parser *parser, const dd_sentence *sentence, int most, int beam,
                                int trees, dd_error *error)
{
    if (beam == 0) beam = parser->model->beam;
    parser->n_trees = 0;
    dd_status status = check_search(parser, beam, trees, error);
    if (status != DD_OK) return status;
    if (dd_constraint_count(sentence)) return refuse_to_cut(sentence, most, error);
    if (dd_parser_run_pieces(parser, sentence, most, beam)) return DD_OK;
    parser->n_trees = 0;
    return dd_fail_unfinished(&parser->ticker, error);
}

/* dd_parser_search, with an upper bound on the words to parse at once; see dd_model_max_words. */
static dd_status find_trees(dd_parser *parser, const dd_sentence *sentence, int max_words, int beam,
                            int trees, dd_error *error)
{
    int most = dd_model_max_words(parser->model, max_words);
    if (sentence->n > most) return find_in_pieces(parser, sentence, most, beam, trees, error);
    if (parser->model->system && !dd_parser_prepare(parser, &sentence, 1))
        return dd_fail_unfinished(&parser->ticker, error);
    return dd_parser_run_checked(parser, 0, sentence, beam, trees, error);
}

dd_status dd_parser_search(dd_parser *parser, const dd_sentence *sentence, int beam, int trees,
                           dd_error *error)
{
    dd_parser_begin_call(parser);
    take_tidy(parser, DD_TIDY_AUTO);
    return find_trees(parser, sentence, 0, beam, trees, error);
}

/* ---- batches: a scorer may be faster on many sentences than on one ------------------------ */

/* Sentences are prepared in groups, so that memory does not grow with the batch. */
enum {
    GROUP_SENTENCES = DD_ANNOTATED_TOGETHER,
    GROUP_WORDS = 4000 /* a group ends after the sentence that reaches this */
};

/* The trees that were found, each under its rank and score. */
static dd_status list_trees(dd_parser *parser, dd_sentence *sentence, bool scores, dd_error *error)
{
    dd_status status = DD_OK;
    for (int k = 0; k < dd_parser_trees(parser) && status == DD_OK; k++) {
        status = dd_parser_attach(parser, k, sentence, scores, error);
        if (status == DD_OK)
            status = dd_sentence_list_tree(sentence, &parser->text, k + 1,
                                           dd_parser_tree_score(parser, k), error);
    }
    return status;
}

static dd_status write_trees(dd_parser *parser, dd_sentence *sentence,
                             const dd_parse_options *options, dd_error *error)
{
    return options->nbest > 0 ? list_trees(parser, sentence, options->scores, error)
                              : dd_parser_attach(parser, 0, sentence, options->scores, error);
}

static int trees_wanted(const dd_parse_options *options)
{
    return options->nbest > 0 ? options->nbest : 1;
}

static dd_status parse_prepared(dd_parser *parser, int number, dd_sentence *sentence,
                                const dd_parse_options *options, dd_error *error)
{
    dd_status status = dd_parser_run_checked(parser, number, sentence, options->beam,
                                             trees_wanted(options), error);
    return status == DD_OK ? write_trees(parser, sentence, options, error) : status;
}

static bool prepare(dd_parser *parser, dd_sentence *const *sentences, size_t count)
{
    const dd_sentence *unchanged[GROUP_SENTENCES] = {NULL};
    for (size_t i = 0; i < count; i++) unchanged[i] = sentences[i];
    return dd_parser_prepare(parser, unchanged, count);
}

/* Adds the sentences that are parsed to *done. */
static dd_status parse_group(dd_parser *parser, dd_sentence *const *sentences, size_t count,
                             const dd_parse_options *options, size_t *done, dd_error *error)
{
    dd_error why;
    dd_status annotated = dd_parser_annotate_all(parser, sentences, &count, options->tag, &why);
    bool parses = parser->model->system != NULL;
    if (parses && !prepare(parser, sentences, count))
        return dd_fail_unfinished(&parser->ticker, error);
    for (size_t i = 0; i < count; i++, ++*done) {
        dd_status status =
            parses ? parse_prepared(parser, (int)i, sentences[i], options, error) : DD_OK;
        if (status != DD_OK) return status;
    }
    if (annotated != DD_OK && error) *error = why;
    return annotated;
}

/* A sentence that is parsed in pieces. */
static dd_status parse_long(dd_parser *parser, dd_sentence *sentence,
                            const dd_parse_options *options, size_t *done, dd_error *error)
{
    size_t one = 1;
    dd_status status = dd_parser_annotate_all(parser, &sentence, &one, options->tag, error);
    if (status == DD_OK)
        status = find_trees(parser, sentence, options->max_words, options->beam,
                            trees_wanted(options), error);
    if (status == DD_OK) status = write_trees(parser, sentence, options, error);
    *done += status == DD_OK;
    return status;
}

/* How many sentences come before the first that must be parsed in pieces. */
static size_t size_of_group(dd_sentence *const *sentences, size_t count, int max_words)
{
    size_t size = 0;
    for (int words = 0; size < count && size < GROUP_SENTENCES && words < GROUP_WORDS; size++) {
        if (sentences[size]->n > max_words) break;
        words += sentences[size]->n;
    }
    return size;
}

dd_status dd_parser_parse_batch(dd_parser *parser, dd_sentence *const *sentences, size_t count,
                                const dd_parse_options *options, size_t *done, dd_error *error)
{
    dd_parse_options how;
    *done = 0;
    dd_status status = dd_parse_options_take(&how, options, error);
    dd_parser_begin_call(parser);
    take_tidy(parser, how.tidy);
    int max_words = dd_model_max_words(parser->model, how.max_words);
    while (*done < count && status == DD_OK) {
        dd_sentence *const *next = sentences + *done;
        size_t group = size_of_group(next, count - *done, max_words);
        status = group > 0 ? parse_group(parser, next, group, &how, done, error)
                           : parse_long(parser, *next, &how, done, error);
    }
    return status;
}
