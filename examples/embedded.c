/* embedded.c - parses without files: the model is in memory, and text comes from a function
 *
 *     cc -std=c17 embedded.c $(pkg-config --cflags --libs dodona) -o embedded
 *     echo 'Birds sing.' | ./embedded MODEL
 *
 * Prints where each token is in the text of its sentence, in characters and in bytes, and the heads
 * of its words. Here the bytes of the model are read from a file; they could as well be part of the
 * program. */
#include <dodona.h>
#include <stdio.h>
#include <stdlib.h>

/* Aligned, so that the model is used where it lies; NULL: it cannot be read. */
static char *read_whole(const char *path, size_t *size)
{
    FILE *file = path ? fopen(path, "rb") : NULL;
    char *bytes = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0 && ftell(file) > 0) {
        *size = (size_t)ftell(file);
        size_t room = (*size + DD_MODEL_ALIGNMENT - 1) / DD_MODEL_ALIGNMENT * DD_MODEL_ALIGNMENT;
        rewind(file);
        bytes = aligned_alloc(DD_MODEL_ALIGNMENT, room);
    }
    if (bytes && fread(bytes, 1, *size, file) != *size) *size = 0;
    if (file) fclose(file);
    return bytes;
}

/* A program without files would ask its network, flash memory or page here. */
static dd_status receive(void *user, char *data, size_t size, size_t *got, dd_error *error)
{
    (void)error;
    *got = fread(data, 1, size, user);
    return DD_OK;
}

static void print(const dd_sentence *sentence, const dd_outline *outline)
{
    dd_text text = dd_outline_text(outline);
    const dd_token *token;
    printf("%.*s\n", (int)text.size, text.data);
    for (size_t i = 0; (token = dd_outline_token(outline, i)); i++) {
        printf("%lld-%lld (%lld-%lld) %.*s", (long long)token->start, (long long)token->end,
               (long long)token->start_byte, (long long)token->end_byte, (int)token->form.size,
               token->form.data);
        for (int word = token->first; word <= token->last; word++) {
            dd_text label = dd_sentence_deprel(sentence, word);
            printf(" %d %.*s", dd_sentence_head(sentence, word), (int)label.size, label.data);
        }
        printf("\n");
    }
}

static dd_status parse(const dd_model *model, dd_reader *reader, dd_error *error)
{
    dd_parser *parser = NULL;
    dd_sentence *sentence = NULL;
    dd_outline *outline = NULL;
    dd_status status = dd_parser_new(&parser, model, error);
    if (status == DD_OK) status = dd_sentence_new(&sentence, error);
    if (status == DD_OK) status = dd_outline_new(&outline, error);
    while (status == DD_OK && (status = dd_reader_next(reader, sentence, error)) == DD_OK) {
        status = dd_parser_parse(parser, sentence, false, error);
        if (status == DD_OK) status = dd_outline_make(outline, sentence, error);
        if (status == DD_OK) print(sentence, outline);
    }
    dd_outline_free(outline);
    dd_sentence_free(sentence);
    dd_parser_free(parser);
    return status;
}

int main(int argc, char **argv)
{
    dd_error error = {.message = "usage: embedded MODEL"};
    dd_model *model = NULL;
    dd_reader *reader = NULL;
    dd_input_options input;
    dd_input_options_init(&input);
    input.format = DD_FORMAT_TEXT;
    size_t size = 0;
    char *bytes = argc == 2 ? read_whole(argv[1], &size) : NULL;
    dd_text image = {bytes, size};
    dd_status status =
        argc == 2 ? dd_model_load_memory(&model, argv[1], image, false, &error) : DD_ERROR_ARGUMENT;
    if (status == DD_OK)
        status = dd_reader_open_input(
            &reader, model,
            &(dd_input){.name = "text", .kind = DD_INPUT_FUNCTION, .read = receive, .user = stdin},
            &input, &error);
    if (status == DD_OK) status = parse(model, reader, &error);
    if (status != DD_END) fprintf(stderr, "%s\n", error.message);
    dd_reader_close(reader);
    dd_model_free(model);
    free(bytes); /* behind the model, which reads them in place */
    return status == DD_END ? 0 : 1;
}
