/* draw.c - draws each sentence of CoNLL-U on standard input
 *
 *     cc -std=c17 draw.c $(pkg-config --cflags --libs dodona) -o draw
 *     ./draw < demo-test.conllu */
#include <dodona_tools.h>
#include <stdio.h>

int main(void)
{
    dd_error error;
    dd_reader *reader = NULL;
    dd_sentence *sentence = NULL;
    dd_drawing *drawing = NULL;
    dd_status status = dd_reader_open(&reader, "-", DD_FORMAT_CONLLU, &error);
    if (status == DD_OK) status = dd_sentence_new(&sentence, &error);
    if (status == DD_OK) status = dd_drawing_new(&drawing, NULL, &error);
    while (status == DD_OK && (status = dd_reader_next(reader, sentence, &error)) == DD_OK) {
        dd_text picture;
        status = dd_draw(drawing, sentence, NULL, &picture, &error);
        if (status == DD_OK) fwrite(picture.data, 1, picture.size, stdout);
    }
    if (status != DD_END) fprintf(stderr, "%s\n", error.message);
    dd_drawing_free(drawing);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    return status == DD_END ? 0 : 1;
}
