/* train_options.h - the settings of one training as its code reads them, and who watches it
 *
 *     settings, by name and in text -> options -> dd_training
 *
 * Each setting, with its bounds and default, is a row in train/setting_rows.c. */
#ifndef DODONA_SCORE_TRAIN_OPTIONS_H
#define DODONA_SCORE_TRAIN_OPTIONS_H

#include "transition/oracle.h"
#include "tree/lift.h"

#include <dodona.h>

/* How far the derivations go that training with a beam compares. */
typedef enum dd_update {
    DD_UPDATE_MAX_VIOLATION = 0, /* to where the wrong one leads by most (Huang et al. 2012) */
    DD_UPDATE_EARLY,             /* to where no right one is left in the beam (Collins and Roark
                                    2004) */
} dd_update;

typedef enum dd_single_root {
    DD_SINGLE_ROOT_AUTO = 0, /* yes if every training sentence has one root, or, where heads are
                                unknown, none or one that is known */
    DD_SINGLE_ROOT_NO,
    DD_SINGLE_ROOT_YES,
} dd_single_root;

/* How training uses trees that the system cannot build. */
typedef enum dd_unbuildable {
    DD_UNBUILDABLE_AUTO = 0, /* what serves training best: partial, and skip with the static oracle,
                                which knows whole trees only */
    DD_UNBUILDABLE_PARTIAL,  /* the largest part is kept that it can build */
    DD_UNBUILDABLE_SKIP,
    DD_UNBUILDABLE_LIFT, /* pseudo-projective, with the scheme head+path; what cannot be lifted is
                            as with auto */
    DD_UNBUILDABLE_LIFT_HEAD,
    DD_UNBUILDABLE_LIFT_PATH,
    DD_UNBUILDABLE_WHOLE, /* losses are counted against the whole tree (transition/soft.h) */
} dd_unbuildable;

/* Instead of a number of folds. */
typedef enum dd_folds {
    DD_FOLDS_AUTO = 0,
    DD_FOLDS_NONE, /* the parser learns from the treebank's own tags and lemmas */
} dd_folds;

/* Of the neural scorer. */
typedef struct dd_network_options {
    const char *encoder;       /* by name; NULL: the default */
    uint32_t inputs;           /* what is looked at of a word, as bits */
    int layers, width, hidden; /* see neural/network.h */
    int bits;                  /* of a weight in the model, at most 7 */
    int batch_words;           /* in a mini-batch, about; 0: see dd_network_batch_words */
    double rate;
    double dropout, input_dropout;
    const char *vectors; /* file of word vectors, NULL: none */
    int vector_words;    /* of it, at most */
} dd_network_options;

typedef struct dd_train_options {
    const dd_settings *settings; /* as they were given; may be NULL */
    uint32_t components;         /* what to train, of DD_TOKENIZER and so on */
    bool as_treebank_allows;     /* of these, see dd_training_choose_components */
    const char *components_from; /* model with those that are not trained; NULL: none */
    uint32_t taken;              /* from there */
    /* What that model says of its tokenizer and tagger; NULL: nothing. To be freed. */
    char *tokenizer_fact, *tagger_fact;
    int jackknife;               /* folds, or a dd_folds */
    const char *jackknifed_path; /* file for the treebank with the folds' tags; NULL: none */
    int threads;                 /* that train the folds */
    size_t tagger_bytes, lemmatizer_bytes, parser_bytes; /* of their weights, about; 0: not set */
    const char *scorer;
    const char *system; /* NULL: as dd_training_choose sees fit */
    dd_oracle_kind oracle;
    const char *loss; /* NULL: the system's default */
    double explore;   /* probability of following a wrong prediction */
    int explore_from; /* first exploring iteration */
    int beam;         /* derivations kept, 1: greedy */
    dd_update update;
    int margin;   /* by how much a right derivation should lead for each wrong arc of another, in
                     weights of one feature */
    double prune; /* per cent of the largest weight */
    int iterations;
    const char *silver;        /* file of trees that a parser made; NULL: none */
    const char *tagger_silver; /* file of words that a tagger tagged; NULL: none */
    double silver_weight;      /* their words in an iteration, for each word of the treebank */
    uint64_t silver_window;    /* of their words in memory at a time, about; 0: all */
    bool silver_probabilities; /* silver trees have weights, see dd_silver_weigh */
    bool soft;                 /* losses are counted against probabilities of heads, see dd_gold */
    const char *checkpoint;    /* file that is written after each iteration; NULL: none */
    bool resume;               /* continue from there */
    const char *start_from;    /* model to fine-tune; NULL: train from scratch */
    dd_network_options network;
    /* Files of tokens that it never splits, and after which it ends no sentence; NULL: none. */
    const char *keep_tokens, *abbreviations;
    const char *tokenizer; /* its kind; "auto" or NULL: the one that goes with the scorer, or, where
                              that is a network, the one that cuts the dev text best */
    const char *tagger;    /* its kind; "auto" or NULL: the one that goes with the scorer */
    int tagger_layers, tagger_width; /* where the tagger's network is not as the parser's */
    int tagger_iterations;           /* 0: as its kind needs */
    uint64_t seed;
    int max_words; /* of a sentence to learn from; 0: any number, -1: as the system needs it */
    dd_single_root single_root;
    dd_unbuildable unbuildable;
    bool tidy;                  /* the model's trees are made tidy unless told otherwise */
    const char *templates_name; /* a set, a file, or what stands for it in messages */
    const char *templates;      /* their text; NULL: the system's default set */
    char *templates_read;       /* the same, to be freed */
    /* Facts of the model; each may be NULL. */
    const char *language, *treebank, *model_version, *licence;
    dd_format format; /* of the training and dev files */
    bool skip_bad;    /* pass over malformed sentences */

    /* As in dd_train_watch. */
    void *user;
    void (*data)(void *user, const dd_train_data *data);
    void (*skipped)(void *user, const char *file, uint64_t line, dd_text id, const char *reason);
    void (*bad)(void *user, const dd_error *error);
    bool (*report)(void *user, const dd_train_progress *progress);
    void (*component)(void *user, dd_component component, double seconds);
    void (*jackknifed)(void *user, double seconds);
    bool (*component_report)(void *user, const dd_component_progress *progress);
    void (*in_part)(void *user, const char *file, uint64_t line, dd_text id, const char *reason,
                    int arcs);
    void (*warn)(void *user, const dd_error *error);
    void (*plan)(void *user, const dd_train_plan *plan);
    void (*chosen)(void *user, dd_component component, const char *how);
} dd_train_options;

/* The defaults, without callbacks. */
void dd_train_options_init(dd_train_options *options);
/* Makes options from settings and watch, each of which may be NULL; the options hold views of the
 * settings. Reads the templates, and checks which settings need each other; checks that need the
 * system are left to dd_training_choose. The options must be freed, also after a failure. */
dd_status dd_train_options_fill(dd_train_options *options, const dd_settings *settings,
                                const dd_train_watch *watch, dd_error *error);
void dd_train_options_free(dd_train_options *options);

#endif
