/* oracle.c - what each transition costs along the gold path of a tree
 *
 *     cc -std=c17 oracle.c $(pkg-config --cflags --libs dodona) -o oracle
 *     ./oracle covington < demo-test.conllu */
#include <dodona_tools.h>
#include <stdio.h>

static bool print(void *user, const dd_oracle_step *step)
{
    (void)user;
    printf("%.*s step %d loss %d:", (int)step->sentence.size, step->sentence.data, step->step,
           step->loss);
    for (int i = 0; i < step->transitions; i++) printf(" %s %d", step->names[i], step->costs[i]);
    printf("\n");
    return true; /* go on */
}

int main(int argc, char **argv)
{
    dd_error error = {.message = "usage: oracle SYSTEM"};
    dd_oracle *oracle = NULL;
    dd_reader *reader = NULL;
    dd_sentence *sentence = NULL;
    dd_oracle_options options;
    dd_oracle_options_init(&options);
    if (argc == 2) options.system = argv[1];
    dd_status status = argc == 2 ? dd_oracle_new(&oracle, &options, &error) : DD_ERROR_ARGUMENT;
    if (status == DD_OK) status = dd_reader_open(&reader, "-", DD_FORMAT_CONLLU, &error);
    if (status == DD_OK) status = dd_sentence_new(&sentence, &error);
    while (status == DD_OK && (status = dd_reader_next(reader, sentence, &error)) == DD_OK)
        status = dd_oracle_walk(oracle, sentence, print, NULL, &error);
    if (status != DD_END) fprintf(stderr, "%s\n", error.message);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    dd_oracle_free(oracle);
    return status == DD_END ? 0 : 1;
}
