/* nbest.c - the best trees of each sentence of CoNLL-U on standard input, and their scores
 *
 *     cc -std=c17 nbest.c $(pkg-config --cflags --libs dodona) -o nbest
 *     ./nbest MODEL < demo-test.conllu */
#include <dodona.h>
#include <stdio.h>

enum { BEAM = 8, TREES = 3 };

static dd_status print_tree(const dd_parser *parser, int k, dd_sentence *sentence, dd_error *error)
{
    dd_status status = dd_parser_attach(parser, k, sentence, false, error);
    if (status != DD_OK) return status;
    printf("%d %.2f", k + 1, dd_parser_tree_score(parser, k));
    const int32_t *heads = dd_sentence_heads(sentence);
    for (int word = 1; word <= dd_sentence_size(sentence); word++) printf(" %d", (int)heads[word]);
    printf("\n");
    return DD_OK;
}

static dd_status search(dd_parser *parser, dd_sentence *sentence, dd_error *error)
{
    dd_text id = dd_sentence_id(sentence);
    printf("%.*s\n", (int)id.size, id.data);
    dd_status status = dd_parser_annotate(parser, sentence, false, error);
    if (status == DD_OK) status = dd_parser_search(parser, sentence, BEAM, TREES, error);
    for (int k = 0; status == DD_OK && k < dd_parser_trees(parser); k++)
        status = print_tree(parser, k, sentence, error);
    return status;
}

int main(int argc, char **argv)
{
    dd_error error = {.message = "usage: nbest MODEL"};
    dd_model *model = NULL;
    dd_parser *parser = NULL;
    dd_reader *reader = NULL;
    dd_sentence *sentence = NULL;
    dd_status status = argc == 2 ? dd_model_load(&model, argv[1], &error) : DD_ERROR_ARGUMENT;
    if (status == DD_OK) status = dd_parser_new(&parser, model, &error);
    if (status == DD_OK) status = dd_reader_open(&reader, "-", DD_FORMAT_CONLLU, &error);
    if (status == DD_OK) status = dd_sentence_new(&sentence, &error);
    while (status == DD_OK && (status = dd_reader_next(reader, sentence, &error)) == DD_OK)
        status = search(parser, sentence, &error);
    if (status != DD_END) fprintf(stderr, "%s\n", error.message);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    dd_parser_free(parser);
    dd_model_free(model);
    return status == DD_END ? 0 : 1;
}
