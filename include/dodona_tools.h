/* dodona_tools.h - for programs that offer the library to their own users
 *
 *     tables        formats, options of a parse, settings of training, systems, templates, models
 *     treebanks     evaluation, checks, statistics
 *     explanations  oracles, traces, drawings
 *     plans         texts that are too large for one process
 *
 * `dodona` and the Python package use this header and dodona.h alone. The rules of dodona.h hold
 * here too. This part of the interface follows the program, and may change with it from one version
 * to the next. */
#ifndef DODONA_TOOLS_H
#define DODONA_TOOLS_H

#include <dodona.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- formats of sentences ----------------------------------------------------------------- */

typedef struct dd_format_info {
    dd_format format;
    const char *name;       /* "conllu" */
    const char *media_type; /* "text/x-conllu"; NULL: of auto */
    const char *ending;     /* of a file's name, ".conllu"; NULL: of auto */
    const char *help;       /* "one JSON object per sentence and line" */
    bool is_read, is_written;
} dd_format_info;

/* The i-th format, in the order of dd_format; NULL beyond the last. It belongs to the library. */
DD_API const dd_format_info *dd_format_at(size_t index);

/* ---- options of a parse ------------------------------------------------------------------- */

/* Every option of a parse is a row of a table. A program can make its own options from the rows, as
 * `dodona parse`, `dodona corpus`, `dodona serve` and the packages of Python and R do. The value of
 * a row is a field of dd_input_options or dd_parse_options. */
typedef enum dd_option_stage {
    DD_STAGE_READ = 0, /* how a reader reads the input: a field of dd_input_options */
    DD_STAGE_SENTENCE, /* the trees of each sentence; sentences are parsed in one batch only if
                          these options are the same */
    DD_STAGE_STREAM,   /* which sentences of a stream are written */
    DD_STAGE_RUN,      /* speed and delay; the output is the same */
} dd_option_stage;

typedef enum dd_option_kind {
    DD_OPTION_FLAG = 0, /* 0 or 1 */
    DD_OPTION_SWITCH,   /* 0: as the model says, 1: no, 2: yes */
    DD_OPTION_WHOLE,    /* low to high, or 0: the default */
    DD_OPTION_CHOICE,   /* the index of one of the choices; 0 is the default */
    DD_OPTION_TEXT,     /* any text but an empty one; NULL: the default */
} dd_option_kind;

/* Who offers an option to users, each as a bit. */
typedef enum dd_offer {
    DD_OFFER_PROGRAM = 1, /* dodona parse */
    DD_OFFER_CORPUS = 2,  /* dodona corpus, and dodona.corpus in Python */
    DD_OFFER_SERVER = 4,  /* dodona serve, as fields */
    DD_OFFER_PYTHON = 8,  /* models in Python, as keyword arguments */
    DD_OFFER_R = 16,      /* dodona() in R, as arguments */
} dd_offer;

typedef struct dd_parse_option {
    const char *name; /* "max-words" */
    char letter;      /* short form, 0: none */
    dd_option_kind kind;
    dd_option_stage stage;
    uint32_t offers;           /* bits of dd_offer */
    const char *value;         /* the value's name in a usage message: "N"; NULL: no value */
    const char *default_value; /* NULL: the help text says it */
    const char *zero;          /* a word for the value 0, "auto"; NULL: none */
    int low, high;             /* of a whole number */
    const char *help;
    const char *no_name, *no_help; /* of a switch: its opposite, "no-tidy" */
    const char *const *choices;    /* of a choice, ends with NULL */
} dd_parse_option;

/* The i-th option; NULL beyond the last. It belongs to the library. */
DD_API const dd_parse_option *dd_parse_option_at(size_t index);
/* Sets the option's field, which is in `input` or in `parse`. DD_ERROR_ARGUMENT: the value is out
 * of bounds, and the field has not changed. */
DD_API dd_status dd_parse_option_set(const dd_parse_option *option, int value,
                                     dd_input_options *input, dd_parse_options *parse,
                                     dd_error *error);
DD_API int dd_parse_option_get(const dd_parse_option *option, const dd_input_options *input,
                               const dd_parse_options *parse);
/* The same for a text, which is not copied. */
DD_API dd_status dd_parse_option_set_text(const dd_parse_option *option, const char *text,
                                          dd_input_options *input, dd_parse_options *parse,
                                          dd_error *error);
DD_API const char *dd_parse_option_text(const dd_parse_option *option,
                                        const dd_input_options *input,
                                        const dd_parse_options *parse);
/* Whether a sentence gets the same trees with either struct, so that sentences of both can be
 * parsed in one batch: all options of DD_STAGE_SENTENCE have the same values. */
DD_API bool dd_parse_options_alike(const dd_parse_options *one, const dd_parse_options *other);

/* ---- settings of training -------------------------------------------------------------------- */

/* Every setting of training is a row of a table in the library; `dodona train --help` and
 * dodona-train(1) list them. A program can make its own options from these rows, as `dodona train`
 * and the Python package do. */
typedef enum dd_setting_kind {
    DD_SETTING_FLAG = 0, /* yes or no */
    DD_SETTING_WHOLE,    /* a whole number from low to high, or one of the choices, if it has any */
    DD_SETTING_REAL,     /* a number from low to high, with a decimal point in every locale */
    DD_SETTING_CHOICE,   /* one of the choices */
    DD_SETTING_LIST,     /* any of the choices, with commas between them */
    DD_SETTING_TEXT,     /* any text but an empty one */
} dd_setting_kind;

typedef struct dd_setting {
    const char *name; /* "explore-from" */
    dd_setting_kind kind;
    const char *value; /* the value's name in a usage message: "K"; NULL: a flag */
    const char
        *default_value; /* NULL: there is no default, or it depends on other settings or the data */
    const char *default_note; /* if default_value is NULL: the default in words, "no limit" */
    double low, high;         /* of numbers; high may be INFINITY */
    const char *help;         /* "first iteration that explores" */
} dd_setting;

/* The i-th setting; NULL beyond the last. It belongs to the library. */
DD_API const dd_setting *dd_setting_at(size_t index);
/* The i-th choice of a setting; NULL beyond the last, and where there are none. */
DD_API const char *dd_setting_choice(const dd_setting *setting, size_t index);
/* Whether training with these settings can be interrupted and resumed; it then writes checkpoints
 * to the file that the setting `checkpoint` names. `settings` may be NULL: the defaults. */
DD_API bool dd_settings_resumable(const dd_settings *settings);

/* ---- systems and templates ------------------------------------------------------------------- */

typedef struct dd_system_info {
    const char *name;
    const char *transitions; /* "SH LA RA", "SH LA@k RA@k" */
    const char *trees;       /* "projective", "all", ... */
    const char *summary;
    bool nonmonotonic; /* an arc that was built can be replaced by a later one */
} dd_system_info;

/* The i-th registered system; false beyond the last. */
DD_API bool dd_system_at(size_t index, dd_system_info *out);
/* Describes --system graph, which is not a transition system and so not in that list: it scores
 * each arc independently, with the neural scorer, and finds the best tree. */
DD_API void dd_graph_info(dd_system_info *out);

typedef struct dd_scorer_info {
    const char *name;      /* "linear", as the setting `scorer` takes it */
    const char *fact;      /* "averaged-perceptron", as the fact `scorer` of a model names it */
    const char *all_trees; /* the setting `system` that suits it best if trees are not projective;
                              NULL: unknown */
    int iterations;        /* the default of the setting `iterations` */
    bool fine_tunes;       /* the setting `start-from` can name a model with this scorer */
} dd_scorer_info;

/* The i-th scorer; false beyond the last. */
DD_API bool dd_scorer_at(size_t index, dd_scorer_info *out);

/* The i-th built-in set of feature templates and its text; false beyond the last. Every system has
 * a default set; the other sets are those of the papers. */
DD_API bool dd_templates_at(size_t index, const char **name, dd_text *text);

/* ---- models by name -------------------------------------------------------------------------- */

/* A model NAME is the file NAME.dodona in the first of these folders that has it:
 *
 * - those of $DODONA_MODELS, with ':' between them;
 * - the user's own, $XDG_DATA_HOME/dodona/models or ~/.local/share/dodona/models;
 * - `more`, the caller's;
 * - the one that was installed with the library, PREFIX/share/dodona/models.
 *
 * If no file has the name, it is taken as a language: the first folder with a model whose facts
 * name that language is used and, if it has several, the one that was trained on the most words. */
typedef struct dd_catalogue dd_catalogue;

typedef struct dd_catalogue_model {
    const char *name; /* "english": that of its file, without .dodona */
    const char *path;
    size_t folder; /* for dd_catalogue_folder */
} dd_catalogue_model;

/* Lists the folders, but does not open the files. A folder that does not exist or may not be read
 * counts as empty. */
DD_API dd_status dd_catalogue_new(dd_catalogue **out, const char *const *more, size_t n_more,
                                  dd_error *error);
DD_API void dd_catalogue_free(dd_catalogue *catalogue);
/* The i-th folder, whether it exists or not; NULL beyond the last. */
DD_API const char *dd_catalogue_folder(const dd_catalogue *catalogue, size_t index);
/* The user's own folder; NULL if the environment names none. */
DD_API const char *dd_catalogue_user_folder(const dd_catalogue *catalogue);
/* The i-th model, by folder and then by name; NULL beyond the last. If two folders have models of
 * the same name, both are listed, but only the earlier one is found by that name. */
DD_API const dd_catalogue_model *dd_catalogue_at(const dd_catalogue *catalogue, size_t index);
/* DD_ERROR_IO: there is no such model; the message lists the models that there are and their
 * folders, and suggests a similar name. */
DD_API dd_status dd_catalogue_find(const dd_catalogue *catalogue, const char *name,
                                   const dd_catalogue_model **out, dd_error *error);
/* The model to use if none is named: the one that $DODONA_MODEL named when the catalogue was made,
 * or "english". */
DD_API const char *dd_catalogue_default(const dd_catalogue *catalogue);
/* The path of the model that a user asks for: `wanted` itself if it has a '/', ends in .dodona or
 * is the name of a file, else the path of the model with this name; NULL is the default model.
 * `path` is valid as long as both `catalogue` and `wanted` are. */
DD_API dd_status dd_catalogue_path(const dd_catalogue *catalogue, const char *wanted,
                                   const char **path, dd_error *error);

/* Identifies the language of a text in UTF-8 from its first 2,000 letters, and finds the model that
 * dd_catalogue_find finds for it. Only models with a tokenizer that were trained with a language
 * count. DD_ERROR_DATA: the language is not clear; the message names the likeliest ones. */
DD_API dd_status dd_catalogue_pick(const dd_catalogue *catalogue, dd_text text,
                                   const dd_catalogue_model **out, dd_error *error);
/* The same among models in memory; if several have the language, the first. */
DD_API dd_status dd_model_pick(const dd_model *const *models, size_t count, dd_text text,
                               size_t *out, dd_error *error);

/* ---- evaluation ------------------------------------------------------------------------------ */

typedef enum dd_eval_rule {
    /* CoNLL 2018: words are aligned by characters, so the files may be cut into words and sentences
     * differently; DEPREL is cut at the first ':'; each sentence must be a tree with one root. */
    DD_EVAL_CONLL2018 = 0,
    /* CoNLL-X: word by word, DEPREL in full; the sentences and FORMs must be the same. Heads need
     * not make a tree. */
    DD_EVAL_CONLLX,
} dd_eval_rule;

typedef struct dd_eval_options {
    size_t size;       /* set by dd_eval_options_init, with the defaults */
    dd_eval_rule rule; /* CoNLL 2018 */
    dd_format format;  /* of the files that dd_evaluate opens: auto */
    bool no_punct;     /* leave out words whose FORM has only punctuation (Unicode P*): no */
    dd_cancel *cancel; /* ends the call; NULL */
} dd_eval_options;

/* Precision is correct/system, recall correct/gold, F1 2*correct/(gold+system) and the aligned
 * accuracy correct/aligned; each is 0 where the divisor is 0. */
typedef struct dd_metric {
    const char *name;
    uint64_t correct, gold, system;
    uint64_t aligned; /* gold words that are aligned with a system word */
    bool on_aligned;  /* `aligned` and its accuracy apply: not for Tokens, Sentences and Words */
} dd_metric;

/* Gold and system label of aligned words, where they differ. */
typedef struct dd_confusion {
    const char *gold, *system;
    uint64_t count;
} dd_confusion;

typedef struct dd_evaluation dd_evaluation;

DD_API void dd_eval_options_init_size(dd_eval_options *options, size_t size);
static inline void dd_eval_options_init(dd_eval_options *options)
{
    dd_eval_options_init_size(options, sizeof *options);
}
/* options may be NULL: the defaults. */
DD_API dd_status dd_evaluate(dd_evaluation **out, const char *gold_path, const char *system_path,
                             const dd_eval_options *options, dd_error *error);
/* The same with open readers, which are read to their end and stay owned by the caller. */
DD_API dd_status dd_evaluate_readers(dd_evaluation **out, dd_reader *gold, dd_reader *system,
                                     const dd_eval_options *options, dd_error *error);
/* How much of the treebank's annotation a model is given when it is scored. */
typedef enum dd_eval_given {
    DD_EVAL_GIVEN_AUTO = 0, /* as little as the model needs */
    DD_EVAL_GIVEN_TEXT,     /* its text: `# text`, or the tokens as SpaceAfter=No spaces them */
    DD_EVAL_GIVEN_WORDS,    /* sentences and words; tags and lemmas are the model's */
    DD_EVAL_GIVEN_TAGS,     /* tags and lemmas too */
} dd_eval_given;

/* Parses a treebank with the model, with that many threads (0: dd_available_threads()), and scores
 * the result against it. `given` may be NULL for auto; otherwise it is set to what was chosen.
 * DD_ERROR_DATA: text is asked for, for example, but the treebank has none, or the model has no
 * tokenizer. */
DD_API dd_status dd_evaluate_model(dd_evaluation **out, const dd_model *model,
                                   const char *gold_path, dd_eval_given *given, int threads,
                                   const dd_eval_options *options, dd_error *error);
DD_API void dd_evaluation_free(dd_evaluation *evaluation);

/* The i-th metric; false beyond the last. CoNLL 2018: Tokens Sentences Words UPOS XPOS UFeats
 * AllTags Lemmas UAS LAS CLAS MLAS BLEX LabelAcc; CoNLL-X: LAS UAS LabelAcc. */
DD_API bool dd_evaluation_metric(const dd_evaluation *evaluation, size_t index, dd_metric *out);
/* The i-th label in alphabetical order, where `correct` counts right heads with the right label. */
DD_API bool dd_evaluation_label(const dd_evaluation *evaluation, size_t index, dd_metric *out);
/* The i-th most frequent confusion. */
DD_API bool dd_evaluation_confusion(const dd_evaluation *evaluation, size_t index,
                                    dd_confusion *out);
/* The scored words of one gold sentence: all, with the right head, and with the right label too. */
typedef struct dd_sentence_score {
    uint32_t words, heads, labelled;
} dd_sentence_score;

/* The i-th gold sentence; false beyond the last. */
DD_API bool dd_evaluation_sentence(const dd_evaluation *evaluation, size_t index,
                                   dd_sentence_score *out);
/* One sentence, without a newline, that says what is counted; show it beside the numbers. */
DD_API const char *dd_evaluation_rule(const dd_evaluation *evaluation);

DD_API double dd_metric_precision(const dd_metric *metric); /* each in 0..1 */
DD_API double dd_metric_recall(const dd_metric *metric);
DD_API double dd_metric_f1(const dd_metric *metric);
DD_API double dd_metric_aligned_accuracy(const dd_metric *metric);

/* How far two systems differ, and how often chance alone makes them differ as much. */
typedef struct dd_significance {
    double one, other; /* share of the words that each has right, 0..1 */
    uint64_t as_large; /* shuffles whose difference is at least as large, in either direction */
    double p;          /* (as_large + 1) / (shuffles + 1) */
} dd_significance;

typedef struct dd_comparison {
    uint64_t sentences, words, shuffles;
    dd_significance uas, las;
} dd_comparison;

/* Approximate randomisation (Yeh 2000) by sentence: a shuffle exchanges the two systems' answers
 * for each sentence with probability 1/2. Both evaluations must be against the same gold file by
 * the same rule, and have the gold file's words. The same seed gives the same counts. */
DD_API dd_status dd_compare(dd_comparison *out, const dd_evaluation *one,
                            const dd_evaluation *other, uint64_t shuffles, uint64_t seed,
                            dd_error *error);
/* The same for scores that were stored, or added up over several runs of each system. The sentences
 * must have the same numbers of words. */
DD_API dd_status dd_compare_scores(dd_comparison *out, const dd_sentence_score *one,
                                   const dd_sentence_score *other, size_t sentences,
                                   uint64_t shuffles, uint64_t seed, dd_error *error);

/* Which arcs are right, by their length and by whether they are projective. Precision is
 * right/system, recall found/gold. */
typedef struct dd_arc_count {
    uint64_t gold, found;   /* arcs of the gold trees, and of them those that the system has */
    uint64_t system, right; /* arcs of the system's trees, and of them those that are gold */
} dd_arc_count;

enum { DD_ARC_LENGTHS = 41 };

typedef struct dd_arc_counts {
    dd_arc_count length[DD_ARC_LENGTHS]; /* [0]: from the root; the last: that long or longer */
    /* An arc is non-projective, in its own tree, when a word between its ends does not descend
     * from its head; arcs from the root are projective. */
    dd_arc_count projective, nonprojective;
} dd_arc_counts; /* {0} is empty */

/* Adds a sentence that was read with a tree and has been parsed since; the tree that was read is
 * gold. DD_ERROR_DATA: one of the two is not a tree. */
DD_API dd_status dd_arc_counts_add(dd_arc_counts *counts, const dd_sentence *parsed,
                                   dd_error *error);

/* ---- checks ---------------------------------------------------------------------------------- */

/* Faults in a CoNLL-U file, including those that a reader accepts; docs/check.md explains them. */
typedef struct dd_fault_kind {
    const char *name;    /* short, and does not change: "deps-order" */
    int level;           /* 1: of the format; 2: of what Universal Dependencies asks of every file;
                            3: of what its guidelines say of relations */
    const char *summary; /* one line */
} dd_fault_kind;

enum { DD_CHECK_LEVELS = 3 };

/* The i-th kind; false beyond the last. */
DD_API bool dd_fault_kind_at(size_t index, dd_fault_kind *out);

typedef struct dd_fault {
    size_t kind;        /* for dd_fault_kind_at */
    uint64_t line;      /* 1-based line in the file */
    int column;         /* 1-based tab-separated column, 0 if none applies */
    const char *reason; /* UTF-8, no newline; lives as long as the call that hands it out */
} dd_fault;

typedef struct dd_check_report {
    uint64_t sentences, words;
} dd_check_report;

/* Reads to the end of the file and calls `fault` with each fault of a level up to `level`, in the
 * order of lines within a sentence. If `fault` returns false, the check stops with DD_INTERRUPTED.
 * Faults are not errors: DD_OK means that the file was read. DD_ERROR_ARGUMENT: there is no such
 * level, or the reader's format is not CoNLL-U. `report`, which may be NULL, counts what was
 * read. */
DD_API dd_status dd_check_reader(dd_reader *reader, int level,
                                 bool (*fault)(void *user, const dd_fault *fault), void *user,
                                 dd_check_report *report, dd_error *error);

/* ---- statistics ------------------------------------------------------------------------------ */

enum { DD_MAX_SYSTEMS = 32, DD_MAX_GAP_DEGREE = 8 };

typedef struct dd_stats {
    uint64_t sentences, words, ranges, empty_nodes;
    int longest;            /* words */
    uint64_t invalid;       /* no tree: no head known, cycle, no root */
    uint64_t several_roots; /* sentences with more than one root */
    uint64_t nonprojective_sentences;
    uint64_t nonprojective_arcs;                /* in whole trees */
    uint64_t gap_degree[DD_MAX_GAP_DEGREE + 1]; /* whole trees of each degree; the last: or more */
    uint64_t buildable[DD_MAX_SYSTEMS];         /* sentences each registered system can build */
    uint64_t labels;                            /* distinct DEPREL of words that have a head */
    uint64_t unknown_heads;                     /* words whose HEAD is `_` */
    uint64_t partial; /* trees of which some heads are not known; they are projective, or can be
                         built, if some such tree has the known heads */
} dd_stats;

/* Collects over any number of sentences. */
typedef struct dd_stats_collector dd_stats_collector;

DD_API dd_status dd_stats_collector_new(dd_stats_collector **out, bool single_root,
                                        dd_error *error);
DD_API dd_status dd_stats_collector_add(dd_stats_collector *stats, const dd_sentence *sentence,
                                        dd_error *error);
DD_API void dd_stats_collector_get(const dd_stats_collector *stats, dd_stats *out);
DD_API void dd_stats_collector_free(dd_stats_collector *stats);

/* ---- oracles --------------------------------------------------------------------------------- */

typedef enum dd_walk { DD_WALK_GOLD = 0, DD_WALK_RANDOM } dd_walk;

typedef struct dd_oracle_options {
    size_t size;        /* set by dd_oracle_options_init, with the defaults */
    const char *system; /* to be set */
    const char *loss;   /* for systems with several; NULL: the system's default */
    dd_walk walk;  /* gold: the static oracle's path (see docs/oracles.md where heads are unknown);
                      random: uniform over the permissible */
    uint64_t seed; /* 1 */
    bool single_root; /* no */
    bool partial; /* no; yes: if the system cannot build a tree, walk the largest part that it can;
                     the other heads count as unknown */
    dd_cancel *cancel; /* ends calls of the oracle; NULL */
} dd_oracle_options;

/* One configuration of a walk. Names are as in the papers: SH LA RA RE ... */
typedef struct dd_oracle_step {
    dd_text sentence;           /* its id */
    int n;                      /* words */
    int step;                   /* 0.. */
    const char *const *history; /* [step] transitions taken so far */
    int loss; /* smallest number of wrong heads still reachable, or its bound; no head is wrong
                 where HEAD is `_` */
    int transitions;
    const char *const *names; /* [transitions] every permissible one, unlabelled */
    const int *costs;         /* [transitions] may be negative where the loss is a bound */
    const char *refused;      /* why only a part of the tree is walked, NULL: it is the whole */
    int arcs_left_out;
    const int32_t *left_out; /* [arcs_left_out] words whose arcs are not in that part */
    int unit;                /* loss and costs count arcs, or parts of arcs: so many make one */
} dd_oracle_step;

typedef struct dd_oracle dd_oracle;

DD_API void dd_oracle_options_init_size(dd_oracle_options *options, size_t size);
static inline void dd_oracle_options_init(dd_oracle_options *options)
{
    dd_oracle_options_init_size(options, sizeof *options);
}
DD_API dd_status dd_oracle_new(dd_oracle **out, const dd_oracle_options *options, dd_error *error);
DD_API void dd_oracle_free(dd_oracle *oracle);
/* Walks one gold tree and calls `step` in each configuration that is not final. If `step` returns
 * false, the walk stops with DD_INTERRUPTED. DD_ERROR_DATA: the heads are not a tree, or the system
 * cannot build it; the message is the reason alone, without the sentence. */
DD_API dd_status dd_oracle_walk(dd_oracle *oracle, const dd_sentence *sentence,
                                bool (*step)(void *user, const dd_oracle_step *step), void *user,
                                dd_error *error);

enum { DD_ORACLE_SOFT_UNIT = 10000 }; /* dd_oracle_step.unit of soft walks */

/* Walks without a gold tree, by the probabilities that annotators or a teacher give the heads of a
 * sentence; each annotation has all of its words. The loss is the smallest expected number of wrong
 * heads still reachable. The probability of a head is the mean over the annotations:
 * `HeadProbs=2:70,0:29.5` in MISC lists heads with percentages, and `HeadProb=57` is that of HEAD,
 * which otherwise has 100; a word with `_` in HEAD and without HeadProbs is not annotated. A walk
 * of kind gold takes moves of least cost. DD_ERROR_DATA: as in dd_oracle_walk; DD_ERROR_ARGUMENT:
 * the system has no such loss. */
DD_API dd_status dd_oracle_walk_soft(dd_oracle *oracle, const dd_sentence *const *annotations,
                                     size_t count,
                                     bool (*step)(void *user, const dd_oracle_step *step),
                                     void *user, dd_error *error);

/* The optimal derivations of a gold tree: all sequences of transitions that end in it or, where
 * heads are unknown, in a tree that has the known heads. */
typedef struct dd_oracle_total {
    dd_text sentence; /* its id */
    int n;            /* words */
    const char
        *derivations; /* how many, a decimal number of any length; NULL: they were not counted */
    const char *uncounted; /* why not, NULL: they were */
    size_t configurations; /* that they pass through, the final ones included, if counted */
    const char *refused;   /* as in dd_oracle_step, and so are the arcs left out */
    int arcs_left_out;
    const int32_t *left_out; /* [arcs_left_out] */
} dd_oracle_total;

typedef struct dd_oracle_derivation {
    dd_text sentence; /* its id */
    int n;            /* words */
    uint64_t number;  /* 0.. */
    int transitions;
    const char *const *names; /* [transitions] */
} dd_oracle_derivation;

/* Counts the optimal derivations; *total is valid until the oracle is used again. Loss, walk and
 * seed of the options do not matter. Derivations that meet in a configuration are counted together,
 * but there can be very many configurations: counting stops after 262,144 of them. DD_ERROR_DATA:
 * as in dd_oracle_walk. */
DD_API dd_status dd_oracle_count(dd_oracle *oracle, const dd_sentence *sentence,
                                 const dd_oracle_total **total, dd_error *error);
/* Calls `derivation` with each optimal derivation, however many there are. If it returns false, the
 * call ends with DD_INTERRUPTED. */
DD_API dd_status dd_oracle_list(dd_oracle *oracle, const dd_sentence *sentence,
                                bool (*derivation)(void *user,
                                                   const dd_oracle_derivation *derivation),
                                void *user, dd_error *error);

/* ---- traces ---------------------------------------------------------------------------------- */

typedef enum dd_trace_gold {
    DD_TRACE_GOLD_AUTO = 0, /* compare with HEAD and DEPREL where they are part of a tree */
    DD_TRACE_GOLD_NO,
    DD_TRACE_GOLD_YES, /* refuse a sentence whose gold tree the system cannot build */
} dd_trace_gold;

typedef struct dd_trace_options {
    size_t size;           /* set by dd_trace_options_init, with the defaults */
    const dd_model *model; /* NULL: follow the gold tree, as DD_WALK_GOLD does */
    const char *system;    /* without a model */
    bool single_root;      /* without a model */
    dd_trace_gold gold;    /* with a model */
    const char *loss;      /* for systems with several; NULL: the system's default */
    int beam;              /* with a model: derivations kept, of which the best is traced; 0: as the
                              model was trained */
    dd_tidy tidy;          /* with a model */
    dd_cancel *cancel;     /* ends calls of the trace; NULL */
} dd_trace_options;

/* A permissible transition. */
typedef struct dd_trace_move {
    char name[16];       /* SH, LA@2, ... */
    int head, dependent; /* of the arc that it builds, -1: none */
    int cost;            /* unlabelled; with costs only */
    double score;        /* with its best label; NAN: not scored */
    dd_text label;       /* that label, see dd_trace_label; empty without an arc or score */
} dd_trace_move;

/* One configuration, and the transition taken there. Nodes are words, and 0 for the root. */
typedef struct dd_trace_step {
    int step; /* 0.. */
    /* Covington's systems have no stack: `stack` holds the words up to the left focus word, and
     * `passed` those between it and the front. */
    const int32_t *stack; /* [stack_size] bottom first */
    int stack_size;
    const int32_t *passed; /* [passed_size] NULL in all other systems */
    int passed_size;
    const int32_t *buffer; /* [buffer_size] front first */
    int buffer_size;
    const dd_trace_move *moves; /* [n_moves] none of them in the final configuration */
    int n_moves;
    int chosen;    /* index in moves, -1: none */
    int replaced;  /* the head that the arc's dependent had before, -1: none */
    dd_text label; /* empty without an arc */
    double margin; /* score minus the best score of the other transitions, below 0 where a beam
                      preferred it to one with a higher score; INFINITY: nothing to decide; NAN: not
                      scored */
    bool has_costs;
    const char *no_costs; /* the reason why not; NULL: not asked for */
    int loss;             /* with costs only */
    bool wrong_label;     /* on a gold arc */
    int first_mistake;    /* first step that cost something, this one included; -1: none so far */
    const int32_t *heads; /* [n + 1] so far, -1: none; in the end the finished tree */
    int right_heads;      /* in the end, -1: there is no gold tree */
    int right_labels;     /* with the right head */
    int known_heads;      /* the words that are counted: those with a HEAD */
} dd_trace_step;

typedef struct dd_trace dd_trace;

DD_API void dd_trace_options_init_size(dd_trace_options *options, size_t size);
static inline void dd_trace_options_init(dd_trace_options *options)
{
    dd_trace_options_init_size(options, sizeof *options);
}
DD_API dd_status dd_trace_new(dd_trace **out, const dd_trace_options *options, dd_error *error);
DD_API void dd_trace_free(dd_trace *trace);
/* Parses a sentence, or follows its gold tree, and calls `step` in each configuration, including
 * the final one. If `step` returns false, the trace stops with DD_INTERRUPTED. The sentence does
 * not change. DD_ERROR_DATA: the gold tree cannot be used; the message is the reason alone. */
DD_API dd_status dd_trace_sentence(dd_trace *trace, const dd_sentence *sentence,
                                   bool (*step)(void *user, const dd_trace_step *step), void *user,
                                   dd_error *error);

/* Call it within `step`: the label of the arc into a word, empty while the word has no head; in the
 * final configuration, the label in the finished tree. The parts of a lifted label are separated by
 * tabs. */
DD_API dd_text dd_trace_label(const dd_trace *trace, int word);

/* ---- drawings -------------------------------------------------------------------------------- */

typedef enum dd_draw_format {
    DD_DRAW_TEXT = 0, /* for terminals, in box-drawing characters */
    DD_DRAW_SVG,      /* an SVG document of one sentence */
    DD_DRAW_HTML,     /* a figure of a page */
    DD_DRAW_TIKZ,     /* for LaTeX, with the package tikz-dependency */
    DD_DRAW_DOT,      /* for Graphviz */
} dd_draw_format;

typedef enum dd_draw_direction {
    DD_DRAW_AUTO = 0, /* from right to left if most letters are of such scripts */
    DD_DRAW_LTR,
    DD_DRAW_RTL,
} dd_draw_direction;

enum { DD_DRAW_MAX_WORDS = 2000, DD_DRAW_MAX_WIDTH = 100000 };

typedef struct dd_draw_options {
    size_t size;                 /* set by dd_draw_options_init, with the defaults */
    dd_draw_format format;       /* text */
    dd_draw_direction direction; /* auto */
    int width;        /* columns (text, at least 40) or pixels (SVG and HTML, at least 300) at which
                         rows are broken; 0, the default: 100 columns, 1000 pixels */
    bool one_row;     /* never break: no */
    bool tags;        /* UPOS below the words: yes */
    bool constraints; /* mark what the sentence's constraints ask for: yes */
    bool title;       /* the sentence's id, in a comment where there are such: yes */
    bool colour;      /* text with ANSI escape sequences: no */
    bool enhanced;    /* arcs of DEPS that the tree does not have, below the words, and empty nodes;
                         not with a gold sentence: yes */
    size_t max_bytes; /* limit on the size of one drawing; 0, the default: no limit */
    dd_cancel *cancel; /* ends dd_draw; NULL */
} dd_draw_options;

/* One thread's workspace. See docs/drawing.md for what the drawings show. */
typedef struct dd_drawing dd_drawing;

DD_API void dd_draw_options_init_size(dd_draw_options *options, size_t size);
static inline void dd_draw_options_init(dd_draw_options *options)
{
    dd_draw_options_init_size(options, sizeof *options);
}
/* options may be NULL: the defaults. */
DD_API dd_status dd_drawing_new(dd_drawing **out, const dd_draw_options *options, dd_error *error);
DD_API void dd_drawing_free(dd_drawing *drawing);
/* Draws the current heads and labels; words whose head is unknown have no arc. `gold` may be NULL;
 * if given, it must have the same words, and differences from its heads and labels are marked.
 * `out` is valid until the drawing is used again or freed. DD_ERROR_DATA: gold has other words, a
 * constraint is invalid, or there are more than DD_DRAW_MAX_WORDS words. */
DD_API dd_status dd_draw(dd_drawing *drawing, const dd_sentence *sentence, const dd_sentence *gold,
                         dd_text *out, dd_error *error);
/* What comes before the first and after the last drawing in a file; empty in most formats. */
DD_API dd_status dd_draw_begin(dd_drawing *drawing, dd_text *out, dd_error *error);
DD_API dd_text dd_draw_end(const dd_drawing *drawing);

/* ---- plans ----------------------------------------------------------------------------------- */

/* Texts that are too large for one process. A plan cuts them into tasks, which any number of
 * processes and machines can do in any order; the joined outputs are byte for byte what one process
 * writes. A task is done if its output and the record beside it exist; each is renamed to its place
 * when it is complete and on disk. docs/cluster.md tells more and describes the files. */
typedef struct dd_plan dd_plan;

/* `document` and `prefix` as in dd_input_options. */
typedef struct dd_plan_input {
    const char *path, *document, *prefix;
} dd_plan_input;

typedef struct dd_plan_options {
    size_t size;         /* set by dd_plan_options_init, with the defaults */
    uint64_t task_bytes; /* 64 MiB; a task ends at the next place where a sentence certainly ends */
    dd_format to; /* DD_FORMAT_AUTO: CoNLL; or DD_FORMAT_JSON; or DD_FORMAT_JSONL, if all inputs are
                     JSON lines */
    /* NULL: the defaults. Only the options that affect the output are used: format, given,
     * paragraphs, ranges, field, id and encoding of the input; scores, skip_bad, beam, nbest, tag,
     * max_words and tidy of the parse. */
    const dd_input_options *input;
    const dd_parse_options *parse;
    const char *compress; /* compress the outputs of tasks: "gz" or "zst"; NULL: no */
} dd_plan_options;

DD_API void dd_plan_options_init_size(dd_plan_options *options, size_t size);
static inline void dd_plan_options_init(dd_plan_options *options)
{
    dd_plan_options_init_size(options, sizeof *options);
}
/* Writes FOLDER/plan, and makes the folder if need be. Reads all inputs. DD_ERROR_ARGUMENT: there
 * is a plan already. */
DD_API dd_status dd_plan_make(const char *folder, const char *model, const dd_plan_input *inputs,
                              size_t count, const dd_plan_options *options, dd_error *error);
/* The path is that of the plan or its folder. */
DD_API dd_status dd_plan_open(dd_plan **out, const char *path, dd_error *error);
DD_API void dd_plan_close(dd_plan *plan);

typedef struct dd_plan_task {
    size_t number;     /* from 1, which the calls below take */
    const char *input; /* path of the file */
    uint64_t offset,
        bytes;          /* the part of the decompressed file; bytes 0: all of a compressed file */
    const char *output; /* path */
} dd_plan_task;

/* The i-th task, from 0; NULL beyond the last. */
DD_API const dd_plan_task *dd_plan_at(const dd_plan *plan, size_t index);

typedef enum dd_task_state {
    DD_TASK_OPEN = 0, /* not begun, or not finished */
    DD_TASK_FAILED,   /* its input cannot be parsed; the file OUTPUT.failed says why */
    DD_TASK_DONE,
} dd_task_state;

DD_API dd_task_state dd_plan_state(const dd_plan *plan, size_t task);
/* Parses a task, whatever its state, and writes its output; the bytes are the same each time.
 * `report` may be NULL; it must be initialised, and is filled for this task. The first call loads
 * the model. DD_ERROR_DATA: the input or the model has changed since the plan was made. If the
 * input is the reason, the task's state becomes DD_TASK_FAILED; after any other failure, such as a
 * full disk, the task stays open. */
DD_API dd_status dd_plan_run(dd_plan *plan, size_t task, int threads, dd_parse_report *report,
                             dd_error *error);
/* Marks the task as failed, for a program that saw its process crash. */
DD_API dd_status dd_plan_fail(dd_plan *plan, size_t task, const char *reason, dd_error *error);
/* Checks that the output is what was written and, unless `quick`, that it has the sentences and
 * words of the input. Otherwise DD_ERROR_DATA with the reason. */
DD_API dd_status dd_plan_verify(dd_plan *plan, size_t task, bool quick, dd_error *error);
/* Joins the outputs of all tasks, which must be done, into a file that is written as by
 * dd_writer_open. With `without_failed`, input files with a failed task are left out completely. */
DD_API dd_status dd_plan_merge(dd_plan *plan, const char *path, bool without_failed,
                               dd_error *error);

/* ---- JSON ------------------------------------------------------------------------------------ */

typedef enum dd_json_kind {
    DD_JSON_NULL = 0,
    DD_JSON_FALSE,
    DD_JSON_TRUE,
    DD_JSON_NUMBER,
    DD_JSON_STRING,
    DD_JSON_ARRAY,
    DD_JSON_OBJECT,
} dd_json_kind;

/* A value of JSON (RFC 8259). */
typedef struct dd_value {
    dd_json_kind kind; /* which of these there is */
    union {
        char *string;            /* UTF-8; \u0000 is refused */
        struct dd_value *values; /* [count] of an array or object */
    };
    size_t count, capacity;
    dd_text source;     /* its bytes in the text that was read */
    char *key;          /* within an object; no two are the same */
    dd_text key_source; /* the bytes of the key, quotes included */
} dd_value;

enum { DD_JSON_MOST_VALUES = 1000000 }; /* a limit if there is no other */

/* Reads a text, which must outlive the value and may have at most `most` nested values. On failure
 * there is nothing to free. DD_ERROR_FORMAT: "not JSON: byte N: reason", with bytes counted from
 * 1. */
DD_API dd_status dd_value_read(dd_value *out, dd_text text, size_t most, dd_error *error);
DD_API void dd_value_free(dd_value *value);
/* The value of a key; NULL if this is not an object or has no such key. `object` may be NULL, which
 * counts as an object without keys, so that calls can be nested. */
DD_API const dd_value *dd_value_at(const dd_value *object, const char *key);
/* Each returns false if the value is not of that kind, or is too large. */
DD_API bool dd_value_number(const dd_value *value, double *out);
DD_API bool dd_value_count(const dd_value *value, uint64_t *out); /* whole, from 0 to 2^53 */
DD_API const char *dd_value_string(const dd_value *value);        /* NULL: not a string */

/* ---- messages -------------------------------------------------------------------------------- */

/* The number of typing mistakes between `written` and `known`, for messages that suggest a word: 1
 * for "itrations" and "iterations", and for an abbreviated word; -1 if it is unlikely that `known`
 * was meant. */
DD_API int dd_misspelling(const char *written, size_t size, const char *known);
/* Appends the text as a JSON string, quoted and escaped as docs/input.md describes. On failure the
 * buffer is unchanged. */
DD_API dd_status dd_text_json(dd_text text, dd_buffer *out, dd_error *error);

#ifdef __cplusplus
}
#endif
#endif
