/* part_main.c - runs a part of a program that a document shows, part.c, with what it needs: a model
 * and a parser, a reader, and a sentence that was read from it
 *     part MODEL FILE */
#include <dodona_tools.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    dd_error error = {.status = DD_OK};
    dd_model *model = NULL;
    dd_parser *parser = NULL;
    dd_reader *reader = NULL;
    dd_sentence *sentence = NULL;
    bool ready = argc == 3 && dd_model_load(&model, argv[1], &error) == DD_OK &&
                 dd_parser_new(&parser, model, &error) == DD_OK &&
                 dd_reader_open(&reader, argv[2], DD_FORMAT_AUTO, &error) == DD_OK &&
                 dd_sentence_new(&sentence, &error) == DD_OK &&
                 dd_reader_next(reader, sentence, &error) == DD_OK;
    if (ready) {
#include "part.c"
    }
    if (error.status != DD_OK) fprintf(stderr, "%s\n", error.message);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    dd_parser_free(parser);
    dd_model_free(model);
    return ready && error.status == DD_OK ? 0 : 1;
}
