/* batch.c - several sentences at once: a scorer may be faster on many than on one */
#include "core/status.h"
#include "parse/parser.h"

/* Sentences are made ready in groups, so that memory does not grow with the batch. */
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
        status = dd_parser_find(parser, sentence, options->max_words, options->beam,
                                trees_wanted(options), error);
    if (status == DD_OK) status = write_trees(parser, sentence, options, error);
    *done += status == DD_OK;
    return status;
}

/* Up to a sentence that is parsed in pieces; 0: that is the first. */
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
    dd_parser_take_tidy(parser, how.tidy);
    int max_words = dd_model_max_words(parser->model, how.max_words);
    while (*done < count && status == DD_OK) {
        dd_sentence *const *next = sentences + *done;
        size_t group = size_of_group(next, count - *done, max_words);
        status = group > 0 ? parse_group(parser, next, group, &how, done, error)
                           : parse_long(parser, *next, &how, done, error);
    }
    return status;
}
