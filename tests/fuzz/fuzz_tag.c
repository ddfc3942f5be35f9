/* Sections of taggers and lemmatizers made to deceive: whatever they hold, they are refused, or
 * every sentence gets tags and lemmas that can be read again.
 *
 *     input: 't' or 'l', a section */
#include "fuzz.h"

#include "tag/lemmatizer.h"
#include "tag/tagger.h"

#include <stdlib.h>
#include <string.h>

static void require(bool holds)
{
    if (!holds) abort();
}

#define WORD(id, form, lemma, tag)                                                                 \
    id "\t" form "\t" lemma "\t" tag "\t" tag "s\tA=" tag "|B=c\t0\t_\t_\t_\n"

static const char treebank[] =
    WORD("1", "Dogs", "dog", "N") WORD("2", "bark", "bark", "V") "\n" WORD("1", "the", "the", "D")
        WORD("2", "cats", "cat", "N") WORD("3", "saw", "see", "V") WORD("4", "the", "the", "D")
            WORD("5", "a b", "a b", "N") "\n" WORD("1", "the", "the", "D")
                WORD("2", "\xC3\x89t\xC3\xA9s", "\xC3\xA9t\xC3\xA9", "N") "\n";

enum { SENTENCES = 3 };
static dd_sentence *sentences[SENTENCES]; /* kept to the end of the program */

static void read_treebank(void)
{
    dd_reader *reader;
    dd_text text = {treebank, sizeof treebank - 1};
    require(dd_reader_open_memory(&reader, "treebank", text, DD_FORMAT_CONLLU, NULL) == DD_OK);
    for (int i = 0; i < SENTENCES; i++) {
        dd_sentence_free(sentences[i]);
        require(dd_sentence_new(&sentences[i], NULL) == DD_OK);
        require(dd_reader_next(reader, sentences[i], NULL) == DD_OK);
    }
    dd_reader_close(reader);
}

static void read_again(dd_sentence *sentence)
{
    dd_buffer out = {0};
    dd_reader *reader;
    dd_sentence *again;
    require(dd_sentence_format(sentence, DD_FORMAT_AUTO, &out, NULL) == DD_OK);
    dd_text text = {out.data, out.size};
    require(dd_reader_open_memory(&reader, "again", text, DD_FORMAT_CONLLU, NULL) == DD_OK);
    require(dd_sentence_new(&again, NULL) == DD_OK);
    require(dd_reader_next(reader, again, NULL) == DD_OK);
    dd_sentence_free(again);
    dd_reader_close(reader);
    dd_buffer_free(&out);
}

static void tag(dd_text section)
{
    dd_tagger *tagger = NULL;
    dd_tagger_space *space;
    dd_error error = {.status = DD_OK};
    if (dd_tagger_map(&tagger, section, &error) != DD_OK) {
        require(error.status == DD_ERROR_MODEL && !tagger);
        return;
    }
    require(dd_tagger_space_new(&space, tagger, NULL) == DD_OK);
    for (int i = 0; i < SENTENCES; i++) {
        dd_status status = dd_tagger_apply(tagger, space, sentences[i], NULL);
        require(status == DD_OK || status == DD_ERROR_DATA); /* one made for CoNLL-X */
        read_again(sentences[i]);
    }
    dd_tagger_space_free(space);
    dd_tagger_free(tagger);
}

static void lemmatize(dd_text section)
{
    dd_lemmatizer *lemmatizer = NULL;
    dd_lemmatizer_space *space;
    dd_error error = {.status = DD_OK};
    if (dd_lemmatizer_map(&lemmatizer, section, &error) != DD_OK) {
        require(error.status == DD_ERROR_MODEL && !lemmatizer);
        return;
    }
    require(dd_lemmatizer_space_new(&space, lemmatizer, NULL) == DD_OK);
    for (int i = 0; i < SENTENCES; i++) {
        require(dd_lemmatizer_apply(lemmatizer, space, sentences[i], NULL) == DD_OK);
        read_again(sentences[i]);
    }
    dd_lemmatizer_space_free(space);
    dd_lemmatizer_free(lemmatizer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    read_treebank();
    /* Aligned as in a model file, and of just that size for a sanitizer. */
    char *section = malloc(size);
    require(section);
    memcpy(section, data + 1, size - 1);
    if (data[0] == 't') tag((dd_text){section, size - 1});
    if (data[0] == 'l') lemmatize((dd_text){section, size - 1});
    free(section);
    return 0;
}

fuzz_seed fuzz_seed_at(size_t index)
{
    static dd_buffer seeds[2]; /* kept to the end of the program */
    if (index >= 2) return (fuzz_seed){NULL, 0};
    dd_tagger_options tagger;
    dd_lemmatizer_options lemmatizer;
    dd_tagger_options_init(&tagger);
    dd_lemmatizer_options_init(&lemmatizer);
    tagger.iterations = lemmatizer.iterations = 2;
    if (!seeds[0].data) {
        read_treebank();
        require(dd_buffer_append(&seeds[0], "t", 1) && dd_buffer_append(&seeds[1], "l", 1));
        require(dd_tagger_train(&seeds[0], sentences, SENTENCES, &tagger, NULL) == DD_OK);
        require(dd_lemmatizer_train(&seeds[1], sentences, SENTENCES, &lemmatizer, NULL) == DD_OK);
    }
    return (fuzz_seed){seeds[index].data, seeds[index].size};
}
