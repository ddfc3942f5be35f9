/* tag_help.h - a small treebank with tags and lemmas, for the tests of src/tag */
#ifndef DODONA_TESTS_TAG_HELP_H
#define DODONA_TESTS_TAG_HELP_H

#include "text_help.h"

#include "tag/lemmatizer.h"
#include "tag/tagger.h"

enum { MOST_SENTENCES = 64 };

typedef struct bank {
    dd_sentence *sentences[MOST_SENTENCES];
    size_t count;
} bank;

#define W(id, form, lemma, upos, xpos, feats)                                                      \
    id "\t" form "\t" lemma "\t" upos "\t" xpos "\t" feats "\t_\t_\t_\t_\n"
#define THE(id)      W(id, "the", "the", "DET", "DT", "Definite=Def")
#define STOP(id)     W(id, ".", ".", "PUNCT", ".", "_")
#define SG           "Number=Sing"
#define PL           "Number=Plur"
#define PAST         "Mood=Ind|Tense=Past"
#define PRES         "Mood=Ind|Tense=Pres"
#define NOUN(id, s)  W(id, s, s, "NOUN", "NN", SG)
#define NOUNS(id, s) W(id, s "s", s, "NOUN", "NNS", PL)
#define ED(id, s)    W(id, s "ed", s, "VERB", "VBD", PAST)
#define VB(id, s)    W(id, s, s, "VERB", "VBP", PRES)

static const char tagged[] = "# text = The dog walked.\n" W("1", "The", "the", "DET", "DT",
                                                            "Definite=Def") NOUN("2", "dog")
    ED("3", "walk") STOP("4") "\n" THE("1") NOUNS("2", "dog") VB("3", "walk")
        STOP("4") "\n" THE("1") NOUNS("2", "cat") ED("3", "jump") STOP("4") "\n" THE("1")
            NOUN("2", "cat") ED("3", "play") STOP("4") "\n" NOUNS("1", "walk") VB("2", "help")
                STOP("3") "\n" THE("1") NOUN("2", "walk") ED("3", "help") STOP("4") "\n" THE("1")
                    NOUNS("2", "bird") W("3", "went", "go", "VERB", "VBD", PAST)
                        STOP("4") "\n" NOUNS("1", "bird") VB("2", "play") STOP("3") "\n" THE("1")
                            W("2", "children", "child", "NOUN", "NNS", PL)
                                W("3", "went", "go", "VERB", "VBD", PAST) STOP("4") "\n" THE("1")
                                    NOUN("2", "bird") ED("3", "jump") STOP("4") "\n";

static inline bank read_bank(const char *text, dd_format format)
{
    bank all = {.count = 0};
    dd_reader *reader;
    assert_int_equal(dd_reader_open_memory(&reader, "t", text_of(text), format, NULL), DD_OK);
    for (;;) {
        dd_error error;
        assert_true(all.count < MOST_SENTENCES);
        assert_int_equal(dd_sentence_new(&all.sentences[all.count], NULL), DD_OK);
        dd_status status = dd_reader_next(reader, all.sentences[all.count], &error);
        if (status == DD_END) break;
        if (status != DD_OK) fail_msg("%s", error.message);
        all.count++;
    }
    dd_sentence_free(all.sentences[all.count]);
    dd_reader_close(reader);
    return all;
}

static inline void free_bank(bank *all)
{
    for (size_t i = 0; i < all->count; i++) dd_sentence_free(all->sentences[i]);
}

static inline dd_buffer train_tagger(const bank *all, uint64_t seed)
{
    dd_buffer section = {0};
    dd_tagger_options options;
    dd_tagger_options_init(&options);
    options.seed = seed;
    assert_int_equal(dd_tagger_train(&section, all->sentences, all->count, &options, NULL), DD_OK);
    return section;
}

static inline dd_buffer train_lemmatizer(const bank *all, uint64_t seed)
{
    dd_buffer section = {0};
    dd_lemmatizer_options options;
    dd_lemmatizer_options_init(&options);
    options.seed = seed;
    assert_int_equal(dd_lemmatizer_train(&section, all->sentences, all->count, &options, NULL),
                     DD_OK);
    return section;
}

static inline void tag_all(const dd_tagger *tagger, const bank *all)
{
    dd_tagger_space *space;
    assert_int_equal(dd_tagger_space_new(&space, tagger, NULL), DD_OK);
    for (size_t i = 0; i < all->count; i++)
        assert_int_equal(dd_tagger_apply(tagger, space, all->sentences[i], NULL), DD_OK);
    dd_tagger_space_free(space);
}

static inline void lemmatize_all(const dd_lemmatizer *lemmatizer, const bank *all)
{
    dd_lemmatizer_space *space;
    assert_int_equal(dd_lemmatizer_space_new(&space, lemmatizer, NULL), DD_OK);
    for (size_t i = 0; i < all->count; i++)
        assert_int_equal(dd_lemmatizer_apply(lemmatizer, space, all->sentences[i], NULL), DD_OK);
    dd_lemmatizer_space_free(space);
}

/* Every sentence as it would be written. */
static inline dd_buffer format_all(const bank *all)
{
    dd_buffer out = {0};
    for (size_t i = 0; i < all->count; i++)
        assert_int_equal(dd_sentence_format(all->sentences[i], DD_FORMAT_AUTO, &out, NULL), DD_OK);
    return out;
}

static inline void assert_same(dd_buffer a, dd_buffer b)
{
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
}

#endif
