/* tagger.h - UPOS, XPOS and FEATS of a sentence's words
 *
 *     words -> features -> scores of parts -> best tag that the lexicon allows -> next word
 *
 * One pass from left to right. The weights are those of an averaged perceptron with a margin; in
 * training its features see its own tags of the previous words, right or wrong. Alternatively, a
 * network scores the parts and looks at the words alone (tag/tag_network.h). All scores are whole
 * numbers: the same sections give the same tags on every machine, in every batch and in every
 * thread. */
#ifndef DODONA_TAG_TAGGER_H
#define DODONA_TAG_TAGGER_H

#include "core/sections.h"
#include "core/strings.h"
#include "kernels/kernels.h"
#include "score/train_options.h"
#include "tag/lemmatizer.h"

struct dd_tagger_options;

/* How a tagger is trained: adds its sections. */
typedef dd_status dd_tagger_trainer(dd_draft *sections, dd_sentence *const *sentences, size_t count,
                                    const struct dd_tagger_options *options, dd_error *error);

typedef struct dd_tagger_options {
    int iterations;    /* 8 */
    uint64_t seed;     /* 1 */
    size_t most_bytes; /* about so many for the weights: the smallest are left out. 0, the default:
                          no limit */
    int threads;       /* that train a network, or the folds of dd_tagger_jackknife: 1 */
    /* May be NULL; called after each iteration, by one thread at a time. If it returns false,
     * training stops, and what was learnt so far is written. */
    bool (*report)(void *user, const dd_component_progress *progress);
    void *user;
    dd_tagger_trainer *train; /* that of dd_linear_tagger */
    const void *how;          /* more for it: NULL */
    /* A network may learn from words that another tagger has tagged, too. */
    const char *silver;     /* their file: NULL, none */
    double silver_weight;   /* their words in an iteration, for each word of the treebank: 1 */
    uint64_t silver_window; /* of them in memory at a time, about; 0: all */
    dd_format format;       /* of the file: DD_FORMAT_CONLLU */
    bool skip_bad;          /* pass over its malformed sentences: false */
    void (*bad)(void *user, const dd_error *error); /* for each of these: NULL */
} dd_tagger_options;

void dd_tagger_options_init(dd_tagger_options *options);

/* Appends the section to the buffer. The sentences are left as they were. DD_INTERRUPTED, with a
 * section, when the report callback stopped it. */
dd_status dd_tagger_train(dd_buffer *section, dd_sentence *const *sentences, size_t count,
                          const dd_tagger_options *options, dd_error *error);

/* A kind of tagger, by what scores the parts of its tags. */
typedef struct dd_tagger_kind {
    const char *name; /* of the setting */
    dd_tagger_trainer *train;
    int iterations;     /* passes over the data, unless they are set */
    bool takes_network; /* `how` is a dd_network_options, of which the inputs are not looked at */
    bool takes_vectors; /* of words */
    bool takes_silver;  /* words that another tagger has tagged */
    bool shares;        /* several threads train one tagger */
    /* The kind that tags the folds of jackknifing; NULL: this one. */
    const struct dd_tagger_kind *folds;
    /* Words a second that one core of a processor of 2021 learns from, in one iteration, with a
     * network of that size. */
    double (*pace)(const dd_network_options *network, double words);
} dd_tagger_kind;

/* tagger_kinds.c: all there are, the default first, NULL after the last. */
extern const dd_tagger_kind *const dd_tagger_kinds[];
extern const dd_tagger_kind dd_linear_tagger, dd_neural_tagger;
/* The kind of that name; NULL and unknown names give the default. */
const dd_tagger_kind *dd_tagger_kind_find(const char *name);

/* Immutable and shared by threads. */
typedef struct dd_tagger dd_tagger;

/* Reads the section in place: it must outlive the tagger and be 8-byte aligned. */
dd_status dd_tagger_map(dd_tagger **out, dd_text section, dd_error *error);
/* The same from a model's sections, where the scores may come from a network. */
dd_status dd_tagger_find(dd_tagger **out, const dd_sections *sections, dd_error *error);
void dd_tagger_free(dd_tagger *tagger);

/* One thread's workspace. */
typedef struct dd_tagger_space dd_tagger_space;

dd_status dd_tagger_space_new(dd_tagger_space **out, const dd_tagger *tagger, dd_error *error);
void dd_tagger_space_free(dd_tagger_space *space);

/* Sets UPOS, XPOS and FEATS of every word. */
dd_status dd_tagger_apply(const dd_tagger *tagger, dd_tagger_space *space, dd_sentence *sentence,
                          dd_error *error);

/* The same for several, which can be faster. DD_ERROR_DATA: dd_tagger_check refuses one of the
 * sentences. */
dd_status dd_tagger_apply_all(const dd_tagger *tagger, dd_tagger_space *space,
                              dd_sentence *const *sentences, size_t count, dd_error *error);
/* Whether the sentence can have the tagger's tags. */
dd_status dd_tagger_check(const dd_tagger *tagger, const dd_sentence *sentence, dd_error *error);

/* For tests and benchmarks: scores with these kernels, in spaces made from now on. The tags are the
 * same. */
void dd_tagger_choose_kernels(dd_tagger *tagger, const dd_kernels *kernels);

/* Jackknifing: a tagger that is trained on the other folds replaces the tags of each fold's
 * sentences, and a lemmatizer their LEMMA unless `lemmas` is NULL. Folds, 2 to `count`, are runs of
 * sentences. All reports go to those of the tagger's options. On failure some sentences may have
 * been changed. DD_INTERRUPTED, with none changed, when a report stopped it. */
dd_status dd_tagger_jackknife(dd_sentence *const *sentences, size_t count, int folds,
                              const dd_tagger_options *options, const dd_lemmatizer_options *lemmas,
                              dd_error *error);

#endif
