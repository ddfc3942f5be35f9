/* simple.c - parses a text in one call, and prints its trees as CoNLL-U
 *
 *     cc -std=c17 simple.c $(pkg-config --cflags --libs dodona) -o simple
 *     ./simple MODEL 'Birds sing. The oak rustles.'
 *
 * MODEL is a file, a name or a language: en */
#include <dodona.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    dd_error error = {.message = "usage: simple MODEL TEXT"};
    dd_model *model = NULL;
    dd_buffer trees = {0};
    dd_status status = argc == 3 ? dd_model_load_named(&model, argv[1], &error) : DD_ERROR_ARGUMENT;
    if (status == DD_OK)
        status = dd_parse(model, (dd_text){argv[2], strlen(argv[2])}, &trees, &error);
    if (status == DD_OK)
        fwrite(trees.data, 1, trees.size, stdout);
    else
        fprintf(stderr, "%s\n", error.message);
    dd_buffer_free(&trees);
    dd_model_free(model);
    return status == DD_OK ? 0 : 1;
}
