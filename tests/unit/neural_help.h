/* neural_help.h - small networks, and the trees that they make of the examples */
#ifndef DODONA_TESTS_NEURAL_HELP_H
#define DODONA_TESTS_NEURAL_HELP_H

#include "../settings_help.h"
#include "model/model.h"
#include "parse/parser.h"

enum { SENTENCES = 20 };

/* Small enough to be quick. */
static inline dd_model *train_small(const char *more)
{
    char settings[500];
    dd_model *model = NULL;
    snprintf(settings, sizeof settings,
             "scorer=neural width=16 hidden=24 batch-words=60 iterations=3 %s", more);
    assert_int_equal(train_with_settings(&model, settings, NULL, DEMO, NULL, NULL), DD_OK);
    return model;
}

static inline void read_sentences(dd_sentence **sentences)
{
    dd_reader *reader;
    assert_int_equal(dd_reader_open(&reader, DEMO, DD_FORMAT_CONLLU, NULL), DD_OK);
    for (int i = 0; i < SENTENCES; i++) {
        assert_int_equal(dd_sentence_new(&sentences[i], NULL), DD_OK);
        assert_int_equal(dd_reader_next(reader, sentences[i], NULL), DD_OK);
    }
    dd_reader_close(reader);
}

/* Parses so many at once. */
static inline void parse(const dd_model *model, dd_sentence **sentences, size_t together)
{
    dd_parser *parser;
    size_t done;
    assert_int_equal(dd_parser_new(&parser, model, NULL), DD_OK);
    read_sentences(sentences);
    for (size_t i = 0; i < SENTENCES; i += together) {
        size_t count = SENTENCES - i < together ? SENTENCES - i : together;
        assert_int_equal(dd_parser_parse_batch(parser, sentences + i, count, NULL, &done, NULL),
                         DD_OK);
    }
    dd_parser_free(parser);
}

static inline void compare_and_free(dd_sentence **one, dd_sentence **other)
{
    for (int i = 0; i < SENTENCES; i++) {
        for (int word = 1; word <= dd_sentence_size(one[i]); word++) {
            dd_text label = dd_sentence_deprel(one[i], word);
            dd_text other_label = dd_sentence_deprel(other[i], word);
            assert_int_equal(dd_sentence_head(one[i], word), dd_sentence_head(other[i], word));
            assert_int_equal(label.size, other_label.size);
            assert_memory_equal(label.data, other_label.data, label.size);
        }
        dd_sentence_free(one[i]);
        dd_sentence_free(other[i]);
    }
}

#endif
