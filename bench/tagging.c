/* Trains a tagger and a lemmatizer, tags a file, and prints accuracy, size and speed.
 *
 *     tagging [-i ITERATIONS] [-b BYTES] [-o OUT] TRAIN FILE */
#include "tag/tagger.h"
#include "text/sentence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
    clock_gettime(CLOCK_MONOTONIC, &now);
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

static bool report(void *user, const dd_tagger_progress *progress)
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
                dd_text gold = dd_raw_cell(s, word, DD_LEMMA + c), mine = dd_cell(s, word, DD_LEMMA + c);
                bool equal = gold.size == mine.size && !memcmp(gold.data, mine.data, gold.size);
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

int main(int count, char **arguments)
{
    dd_tagger_options options;
    dd_error error;
    const char *out = NULL;
    dd_tagger_options_init(&options);
    options.report = report;
    for (int flag; (flag = getopt(count, arguments, "i:b:o:")) != -1;) {
        if (flag == 'i') options.iterations = atoi(optarg);
        if (flag == 'b') options.most_bytes = (size_t)atol(optarg);
        if (flag == 'o') out = optarg;
    }
    if (count - optind != 2) return 2;
    treebank train = load(arguments[optind]), test = load(arguments[optind + 1]);
    dd_buffer section = {0};
    dd_tagger *tagger;
    dd_tagger_space *space;
    double start = seconds();
    check(dd_tagger_train(&section, train.sentences, train.count, &options, &error), &error);
    printf("tagger: trained in %.1f s, %zu bytes\n", seconds() - start, section.size);
    start = seconds();
    check(dd_tagger_map(&tagger, (dd_text){section.data, section.size}, &error), &error);
    printf("mapped in %.2f ms\n", 1000 * (seconds() - start));
    check(dd_tagger_space_new(&space, tagger, &error), &error);
    for (int round = 0; round < 5; round++) {
        start = seconds();
        for (size_t i = 0; i < test.count; i++)
            check(dd_tagger_apply(tagger, space, test.sentences[i], &error), &error);
        printf("%.0f words/s\n", (double)test.words / (seconds() - start));
    }
    print_accuracy(&test);
    dd_tagger_space_free(space);
    dd_tagger_free(tagger);
    if (out) {
        dd_writer *writer;
        check(dd_writer_open(&writer, out, &error), &error);
        for (size_t i = 0; i < test.count; i++)
            check(dd_writer_sentence(writer, test.sentences[i], &error), &error);
        check(dd_writer_close(writer, &error), &error);
    }
    dd_buffer_free(&section);
    free_bank(&train);
    free_bank(&test);
    return 0;
}
