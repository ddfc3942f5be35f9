/* parse_text.c - tokenizes, tags and parses plain text, and prints a word a line
 *
 *     cc -std=c17 parse_text.c $(pkg-config --cflags --libs dodona) -o parse_text
 *     ./parse_text MODEL 'Birds sing. The oak rustles.'
 *
 * MODEL is a file, a name or a language: en */
#include <dodona.h>
#include <stdio.h>
#include <string.h>

static void print(const dd_sentence *sentence)
{
    for (int word = 1; word <= dd_sentence_size(sentence); word++) {
        dd_text form = dd_sentence_cell(sentence, word, DD_FORM);
        dd_text upos = dd_sentence_cell(sentence, word, DD_UPOS);
        dd_text label = dd_sentence_deprel(sentence, word);
        printf("%d %.*s %.*s %d %.*s\n", word, (int)form.size, form.data, (int)upos.size, upos.data,
               dd_sentence_head(sentence, word), (int)label.size, label.data);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    dd_error error = {.message = "usage: parse_text MODEL TEXT"};
    dd_model *model = NULL;
    dd_parser *parser = NULL;
    dd_reader *reader = NULL;
    dd_sentence *sentence = NULL;
    dd_input_options input;
    dd_input_options_init(&input);
    input.format = DD_FORMAT_TEXT;
    dd_text text = {argc == 3 ? argv[2] : "", argc == 3 ? strlen(argv[2]) : 0};
    dd_status status = argc == 3 ? dd_model_load_named(&model, argv[1], &error) : DD_ERROR_ARGUMENT;
    if (status == DD_OK) status = dd_parser_new(&parser, model, &error);
    if (status == DD_OK)
        status = dd_reader_open_input(
            &reader, model, &(dd_input){.name = "TEXT", .kind = DD_INPUT_BYTES, .bytes = text},
            &input, &error);
    if (status == DD_OK) status = dd_sentence_new(&sentence, &error);
    while (status == DD_OK && (status = dd_reader_next(reader, sentence, &error)) == DD_OK) {
        status = dd_parser_parse(parser, sentence, false, &error);
        if (status == DD_OK) print(sentence);
    }
    if (status != DD_END) fprintf(stderr, "%s\n", error.message);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    dd_parser_free(parser);
    dd_model_free(model);
    return status == DD_END ? 0 : 1;
}
