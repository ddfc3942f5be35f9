/* constrain.c - parses words of which something is known: the first is the root, the third does not
 * depend on it, and the last two are one subtree
 *
 *     cc -std=c17 constrain.c $(pkg-config --cflags --libs dodona) -o constrain
 *     ./constrain MODEL Birds sing in the wind */
#include <dodona.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dd_status set_words(dd_sentence *sentence, char **words, int count, dd_error *error)
{
    dd_text *forms = malloc((size_t)count * sizeof *forms);
    if (!forms) return DD_ERROR_MEMORY;
    for (int i = 0; i < count; i++) forms[i] = (dd_text){words[i], strlen(words[i])};
    dd_status status = dd_sentence_set_words(sentence, forms, (size_t)count, error);
    free(forms);
    return status;
}

static dd_status constrain(dd_sentence *sentence, dd_error *error)
{
    int n = dd_sentence_size(sentence);
    dd_status status = dd_sentence_require_arc(sentence, 0, (dd_text){"root", 4}, 1, error);
    if (status == DD_OK) status = dd_sentence_forbid_arc(sentence, 1, 3, error);
    if (status == DD_OK) status = dd_sentence_require_span(sentence, n - 1, n, DD_SPAN_NONE, error);
    return status;
}

static void print(const dd_sentence *sentence)
{
    const int32_t *heads = dd_sentence_heads(sentence);
    for (int word = 1; word <= dd_sentence_size(sentence); word++) {
        dd_text form = dd_sentence_cell(sentence, word, DD_FORM);
        printf("%d %.*s %d\n", word, (int)form.size, form.data, (int)heads[word]);
    }
    dd_text constraint;
    for (size_t i = 0; dd_sentence_constraint(sentence, i, &constraint); i++)
        printf("# %.*s\n", (int)constraint.size, constraint.data);
}

int main(int argc, char **argv)
{
    dd_error error = {.message = "usage: constrain MODEL WORD WORD WORD..."};
    dd_model *model = NULL;
    dd_parser *parser = NULL;
    dd_sentence *sentence = NULL;
    dd_status status = argc >= 5 ? dd_model_load(&model, argv[1], &error) : DD_ERROR_ARGUMENT;
    if (status == DD_OK) status = dd_parser_new(&parser, model, &error);
    if (status == DD_OK) status = dd_sentence_new(&sentence, &error);
    if (status == DD_OK) status = set_words(sentence, argv + 2, argc - 2, &error);
    if (status == DD_OK) status = constrain(sentence, &error);
    if (status == DD_OK) status = dd_parser_parse(parser, sentence, false, &error);
    if (status == DD_OK)
        print(sentence);
    else
        fprintf(stderr, "%s\n", error.message);
    dd_sentence_free(sentence);
    dd_parser_free(parser);
    dd_model_free(model);
    return status == DD_OK ? 0 : 1;
}
