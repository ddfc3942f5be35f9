/* Trains a tagger and a lemmatizer, tags a file, and prints accuracy, size and speed.
 *
 *     tagging [-g] [-i ITERATIONS] [-b TAGGER_BYTES] [-l LEMMATIZER_BYTES] [-o OUT] TRAIN FILE
 *
 * -g: lemmas from the tags in FILE. -o writes FILE as it was tagged, for `dodona eval`. */
#include "core/strings.h"
#include "tag/lemmatizer.h"
#include "tag/tagger.h"
#include "text/sentence.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 5 };

typedef struct treebank {
    dd_sentence **sentences;
    size_t count, words;
} treebank;

static void check(dd_status status, const dd_error *error)
{
    if (status == DD_OK) return;
    fprintf(stderr, "tagging: %s\n", error->message);
    exit(1);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* of a shared machine */
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static treebank load(const char *path)
{
    treebank bank = {NULL, 0, 0};
    dd_reader *reader;
    dd_error error;
    check(dd_reader_open(&reader, path, DD_FORMAT_AUTO, &error), &error);
    for (size_t capacity = 0;; bank.count++) {
        if (bank.count == capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            bank.sentences = realloc(bank.sentences, capacity * sizeof *bank.sentences);
            if (!bank.sentences) exit(1);
        }
        check(dd_sentence_new(&bank.sentences[bank.count], &error), &error);
        dd_status status = dd_reader_next(reader, bank.sentences[bank.count], &error);
        if (status == DD_END) break;
        check(status, &error);
        bank.words += (size_t)dd_sentence_size(bank.sentences[bank.count]);
    }
    dd_sentence_free(bank.sentences[bank.count]);
    dd_reader_close(reader);
    return bank;
}

static void free_bank(treebank *bank)
{
    for (size_t i = 0; i < bank->count; i++) dd_sentence_free(bank->sentences[i]);
    free(bank->sentences);
}

static bool report(void *user, const dd_component_progress *progress)
{
    (void)user;
    fprintf(stderr, "%d/%d: %.2f%%\n", progress->iteration, progress->iterations,
            100 * progress->accuracy);
    return true;
}

static void print_accuracy(const treebank *bank)
{
    static const char *const names[] = {"LEMMA", "UPOS", "XPOS", "FEATS"};
    size_t right[DD_SETTABLE] = {0}, all = 0;
    for (size_t i = 0; i < bank->count; i++) {
        const dd_sentence *s = bank->sentences[i];
        for (int word = 1; word <= s->n; word++) {
            bool every = true;
            for (int c = 0; c < DD_SETTABLE; c++) {
                dd_text gold = dd_raw_cell(s, word, DD_LEMMA + c),
                        mine = dd_cell(s, word, DD_LEMMA + c);
                bool equal = dd_text_same(gold, mine);
                right[c] += equal;
                every &= equal || c == 0;
            }
            all += every;
        }
    }
    for (int c = 0; c < DD_SETTABLE; c++)
        printf("%s %.2f  ", names[c], 100.0 * (double)right[c] / (double)bank->words);
    printf("tags %.2f\n", 100.0 * (double)all / (double)bank->words);
}

static void tag(const treebank *train, const treebank *test, const dd_tagger_options *options)
{
    dd_buffer section = {0};
    dd_error error;
    dd_tagger *tagger;
    dd_tagger_space *space;
    double start = seconds();
    check(dd_tagger_train(&section, train->sentences, train->count, options, &error), &error);
    printf("tagger: trained in %.1f s, %zu bytes, ", seconds() - start, section.size);
    start = seconds();
    check(dd_tagger_map(&tagger, (dd_text){section.data, section.size}, &error), &error);
    printf("mapped in %.2f ms,", 1000 * (seconds() - start));
    check(dd_tagger_space_new(&space, tagger, &error), &error);
    for (int round = 0; round < ROUNDS; round++) {
        start = seconds();
        for (size_t i = 0; i < test->count; i++)
            check(dd_tagger_apply(tagger, space, test->sentences[i], &error), &error);
        printf(" %.0f", (double)test->words / (seconds() - start));
    }
    puts(" words/s");
    dd_tagger_space_free(space);
    dd_tagger_free(tagger);
    dd_buffer_free(&section);
}

static void lemmatize(const treebank *train, const treebank *test,
                      const dd_lemmatizer_options *options)
{
    dd_buffer section = {0};
    dd_error error;
    dd_lemmatizer *lemmatizer;
    dd_lemmatizer_space *space;
    double start = seconds();
    check(dd_lemmatizer_train(&section, train->sentences, train->count, options, &error), &error);
    printf("lemmatizer: trained in %.1f s, %zu bytes, ", seconds() - start, section.size);
    start = seconds();
    check(dd_lemmatizer_map(&lemmatizer, (dd_text){section.data, section.size}, &error), &error);
    printf("mapped in %.2f ms,", 1000 * (seconds() - start));
    check(dd_lemmatizer_space_new(&space, lemmatizer, &error), &error);
    for (int round = 0; round < ROUNDS; round++) {
        start = seconds();
        for (size_t i = 0; i < test->count; i++)
            check(dd_lemmatizer_apply(lemmatizer, space, test->sentences[i], &error), &error);
        printf(" %.0f", (double)test->words / (seconds() - start));
    }
    puts(" words/s");
    dd_lemmatizer_space_free(space);
    dd_lemmatizer_free(lemmatizer);
    dd_buffer_free(&section);
}

static void write_bank(const treebank *bank, const char *path)
{
    dd_writer *writer;
    dd_error error;
    check(dd_writer_open(&writer, path, &error), &error);
    for (size_t i = 0; i < bank->count; i++)
        check(dd_writer_sentence(writer, bank->sentences[i], &error), &error);
    check(dd_writer_close(writer, &error), &error);
}

int main(int count, char **arguments)
{
    dd_tagger_options options;
    dd_lemmatizer_options lemmas;
    const char *out = NULL;
    bool gold = false;
    dd_tagger_options_init(&options);
    dd_lemmatizer_options_init(&lemmas);
    options.report = report;
    for (int flag; (flag = getopt(count, arguments, "i:b:l:o:g")) != -1;) {
        if (flag == 'i') options.iterations = atoi(optarg);
        if (flag == 'b') options.most_bytes = (size_t)atol(optarg);
        if (flag == 'l') lemmas.most_bytes = (size_t)atol(optarg);
        if (flag == 'o') out = optarg;
        if (flag == 'g') gold = true;
        if (flag == '?') return 2;
    }
    if (count - optind != 2) return 2;
    treebank train = load(arguments[optind]), test = load(arguments[optind + 1]);
    if (!gold) tag(&train, &test, &options);
    lemmatize(&train, &test, &lemmas);
    print_accuracy(&test);
    if (out) write_bank(&test, out);
    free_bank(&train);
    free_bank(&test);
    return 0;
}
