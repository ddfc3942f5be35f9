/* dodona.h - transition-based dependency parsing with dynamic oracles
 *
 *     CoNLL-U text -> sentence -> configuration -> features -> scores -> transition -> tree -> text
 *                        `- gold tree -> oracle -> costs -' (training only)
 *
 * Rules that hold for the whole interface:
 *
 * - Handles are opaque. What a `dd_*_new`, `_open`, `_load` or `dd_train` call hands out belongs to
 *   the caller, who gives it back with the matching `_free` or `_close`; both accept NULL.
 * - A fallible call returns a dd_status and fills the caller's dd_error (which may be NULL). On
 *   failure it hands out nothing and leaves its arguments usable.
 * - A dd_text and a `const char *` handed out are views: they live as long as the handle they came
 *   from is neither changed nor freed.
 * - A struct that begins with `size` is initialised by its `_init`, which sets that and the
 *   defaults, and can grow in later versions: the library takes it from programs that were compiled
 *   with an older or a newer header. What the library does not know of it, it passes over.
 * - A call that takes a handle as const only reads it: any number of threads may make such calls
 *   with one handle at once. A call that takes it without const changes it: no other thread may use
 *   the handle meanwhile. So a dd_model, which no call but dd_model_free changes, is shared by all
 *   threads, and each needs a parser of its own.
 * - The library has no global state, prints nothing and never exits.
 */
#ifndef DODONA_H
#define DODONA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define DD_API __attribute__((visibility("default")))
#else
#define DD_API
#endif

/* ---- status ------------------------------------------------------------------------------- */

typedef enum dd_status {
    DD_OK = 0,
    DD_END,          /* no further sentence; not an error */
    DD_INTERRUPTED,  /* the caller's callback asked to stop, or the call was cancelled */
    DD_ERROR_MEMORY, /* an allocation failed */
    DD_ERROR_IO,     /* a file cannot be opened, read, written or decompressed */
    DD_ERROR_FORMAT, /* a rule of the text format is broken; reading may go on (see dd_reader_next)
                      */
    DD_ERROR_DATA,   /* well-formed input that cannot be used: no heads, no buildable tree, ... */
    DD_ERROR_MODEL,  /* a damaged, truncated or foreign model file */
    DD_ERROR_ARGUMENT, /* an option or argument is out of bounds */
} dd_status;

enum { DD_MESSAGE_SIZE = 512 };

typedef struct dd_error {
    dd_status status;
    uint64_t line;                 /* 1-based line in the file, 0 if none applies */
    int column;                    /* 1-based tab-separated column, 0 if none applies */
    char message[DD_MESSAGE_SIZE]; /* "FILE:LINE: reason" or "reason"; UTF-8, no newline */
} dd_error;

DD_API const char *dd_version(void);

typedef struct dd_text {
    const char *data; /* not NUL-terminated */
    size_t size;      /* bytes */
} dd_text;

/* How many slips of the pen make `known` what was written: 1 for "itrations" and "iterations", and
 * for a word cut short; -1 if it is not likely that it was meant. For messages that guess. */
DD_API int dd_misspelling(const char *written, size_t size, const char *known);

/* A growing string of bytes, which is the caller's. {0} is empty and valid; with size set to 0 it
 * is used anew, without allocating again. */
typedef struct dd_buffer {
    char *data;            /* not NUL-terminated; NULL before the first byte */
    size_t size, capacity; /* bytes */
} dd_buffer;

/* Frees what it holds; it is empty afterwards, and can be used again. */
DD_API void dd_buffer_free(dd_buffer *buffer);
/* Appends the text as a string of JSON, quoted and escaped as docs/input.md says. On failure the
 * buffer holds what it held. */
DD_API dd_status dd_text_json(dd_text text, dd_buffer *out, dd_error *error);

/* ---- cancelling --------------------------------------------------------------------------- */

/* Ends calls before they are done: at once, at a deadline, or when a function of the program says
 * so. A parser, oracle, trace, drawing, stream or evaluation that was given one looks at it every
 * few milliseconds, within a sentence too. The call then returns DD_INTERRUPTED; its handles stay
 * usable and the sentence is as it was. Any number of calls, in any threads, can have the same one,
 * and it must outlive them. */
typedef struct dd_cancel dd_cancel;

DD_API dd_status dd_cancel_new(dd_cancel **out, dd_error *error);
DD_API void dd_cancel_free(dd_cancel *cancel);
/* From any thread, or from a signal handler. */
DD_API void dd_cancel_now(dd_cancel *cancel);
/* So many seconds from now, in place of the deadline that was set before; INFINITY: never. From any
 * thread. */
DD_API void dd_cancel_after(dd_cancel *cancel, double seconds);
/* When go_on(user) returns false. Calls that are made in the thread that called this ask it about
 * twenty times a second, in that thread, so that a program with a lock of its own, or an
 * interpreter that handles signals, can be asked. NULL: nothing is asked. */
DD_API void dd_cancel_when(dd_cancel *cancel, bool (*go_on)(void *user), void *user);
/* Whether calls are to end now; for the program's own loops. */
DD_API bool dd_cancel_is_due(dd_cancel *cancel);
/* Takes back dd_cancel_now and dd_cancel_after, for the next call. */
DD_API void dd_cancel_reset(dd_cancel *cancel);

/* ---- sentences ---------------------------------------------------------------------------- */

typedef enum dd_format {
    DD_FORMAT_AUTO = 0, /* by the file's name: .conll and .conllx (also .gz, .zst) are CoNLL-X, all
                           others CoNLL-U; see also dd_reader_open_input */
    DD_FORMAT_CONLLU,
    DD_FORMAT_CONLLX,
    DD_FORMAT_TEXT,     /* running text, an empty line between paragraphs; read only */
    DD_FORMAT_VERTICAL, /* one token per line, an empty line between sentences; read only */
    DD_FORMAT_JSON,     /* one object per line and sentence, see docs/input.md; written only */
} dd_format;

/* The ten columns, in file order. */
typedef enum dd_column {
    DD_ID = 0,
    DD_FORM,
    DD_LEMMA,
    DD_UPOS,
    DD_XPOS,
    DD_FEATS,
    DD_HEAD,
    DD_DEPREL,
    DD_DEPS,
    DD_MISC,
    DD_COLUMNS,
} dd_column;

/* "ID", "FORM" and so on; NULL beyond the tenth. */
DD_API const char *dd_column_name(int column);

/* A sentence keeps the bytes it was read from; only HEAD, DEPREL, additions to MISC and what
 * dd_sentence_set_cell sets change. */
typedef struct dd_sentence dd_sentence;

DD_API dd_status dd_sentence_new(dd_sentence **out, dd_error *error);
DD_API void dd_sentence_free(dd_sentence *sentence);
/* Replaces the sentence by these words, with all other columns `_`. The forms are copied;
 * DD_ERROR_ARGUMENT: there are none, or a reader would refuse one. The sentence is then empty. */
DD_API dd_status dd_sentence_set_words(dd_sentence *sentence, const dd_text *forms, size_t count,
                                       dd_error *error);
/* Words are numbered 1..n; multiword ranges and empty nodes are not words. */
DD_API int dd_sentence_size(const dd_sentence *sentence);
/* `# sent_id`, or the 1-based position in the file as digits. */
DD_API dd_text dd_sentence_id(const dd_sentence *sentence);
DD_API uint64_t dd_sentence_line(const dd_sentence *sentence);
/* A column as read or set; the value in force for HEAD and DEPREL is dd_sentence_head and _deprel.
 */
DD_API dd_text dd_sentence_cell(const dd_sentence *sentence, int word, dd_column column);
/* Sets LEMMA, UPOS, XPOS or FEATS. The value is copied; DD_ERROR_ARGUMENT: a reader would refuse
 * it, or the column is another. */
DD_API dd_status dd_sentence_set_cell(dd_sentence *sentence, int word, dd_column column,
                                      dd_text value, dd_error *error);
/* 0 for the root, -1 where HEAD is `_`. */
DD_API int dd_sentence_head(const dd_sentence *sentence, int word);
/* [n + 1] all of them, as dd_sentence_head returns each; the first is -1. The array moves when the
 * sentence is replaced, but not when it is parsed. */
DD_API const int32_t *dd_sentence_heads(const dd_sentence *sentence);
DD_API dd_text dd_sentence_deprel(const dd_sentence *sentence, int word);
/* The label is copied. */
DD_API dd_status dd_sentence_attach(dd_sentence *sentence, int word, int head, dd_text deprel,
                                    dd_error *error);
/* Constraints on the tree that a parser gives the sentence, see docs/constraints.md. They are read
 * from comments such as `# constraint = arc 3 nsubj 2`, and can be added to those here; nothing is
 * written to the sentence's comments. Adding checks only the numbers: whether the constraints can
 * hold together depends on the model; dd_parser_check and dd_parser_parse find out. */
typedef enum dd_span_mode {
    DD_SPAN_ANY = 0, /* the span is one subtree; its words may have dependents outside */
    DD_SPAN_ROOT,    /* only the span's root may */
    DD_SPAN_NONE,    /* none may */
} dd_span_mode;

/* The tree has this arc. head 0 is the root; an empty deprel, or "_", leaves the label free. */
DD_API dd_status dd_sentence_require_arc(dd_sentence *sentence, int head, dd_text deprel,
                                         int dependent, dd_error *error);
DD_API dd_status dd_sentence_forbid_arc(dd_sentence *sentence, int head, int dependent,
                                        dd_error *error);
/* Exactly one of the words first..last has its head outside of them. */
DD_API dd_status dd_sentence_require_span(dd_sentence *sentence, int first, int last,
                                          dd_span_mode mode, dd_error *error);
/* The word has no dependents. */
DD_API dd_status dd_sentence_require_leaf(dd_sentence *sentence, int word, dd_error *error);
/* Forgets all, also those that were read from comments. Reading into the sentence does so too. */
DD_API void dd_sentence_clear_constraints(dd_sentence *sentence);
/* The i-th as it would be written in a comment, after `# constraint = `; false beyond the last. */
DD_API bool dd_sentence_constraint(const dd_sentence *sentence, size_t index, dd_text *out);

/* Appends the sentence as a writer of this format writes it: DD_FORMAT_AUTO, every byte of its CoNLL
 * with its blank line, or DD_FORMAT_JSON, a line, or several where several trees would be written;
 * docs/input.md has the schema. On failure the buffer holds what it held. */
DD_API dd_status dd_sentence_format(const dd_sentence *sentence, dd_format format, dd_buffer *out,
                                    dd_error *error);

/* ---- what stands around the words --------------------------------------------------------- */

/* A stretch of a sentence's text: that of a word, or a multiword token. */
typedef struct dd_token {
    int first, last; /* its words; the same number unless it is a multiword token */
    dd_text form;
    dd_text feats, misc; /* of a multiword token; `_` of others, whose word has them */
    /* Where it begins and ends in the text, from 0; all -1 from the first token on that the text
     * does not have where it should. */
    int64_t start, end;           /* in characters, that is, Unicode code points */
    int64_t start_byte, end_byte; /* in bytes */
} dd_token;

typedef struct dd_empty_node {
    int word, number; /* 3 and 1 if its ID is 3.1 */
    dd_text cells[DD_COLUMNS];
} dd_empty_node;

/* The text, comments, tokens and empty nodes of one sentence, as they were read. */
typedef struct dd_outline dd_outline;

/* It is empty. */
DD_API dd_status dd_outline_new(dd_outline **out, dd_error *error);
DD_API void dd_outline_free(dd_outline *outline);
/* Replaces the outline by that of the sentence, of which it has views: what it hands out lives
 * until either is changed or freed. That of a malformed sentence is empty, and so it is on failure.
 */
DD_API dd_status dd_outline_make(dd_outline *outline, const dd_sentence *sentence, dd_error *error);
/* That of `# text`, or, where there is none, the tokens with a space after each that does not have
 * SpaceAfter=No. */
DD_API dd_text dd_outline_text(const dd_outline *outline);
/* The i-th comment, from its '#' on and without its line end; false beyond the last. */
DD_API bool dd_outline_comment(const dd_outline *outline, size_t index, dd_text *out);
/* X of the first comment `# KEY = X`; false if there is none. */
DD_API bool dd_outline_find_comment(const dd_outline *outline, const char *key, dd_text *value);
/* The i-th token; NULL beyond the last. */
DD_API const dd_token *dd_outline_token(const dd_outline *outline, size_t index);
/* The token that a word, 1..n, is in: the words of a multiword token have no other place in the
 * text. NULL: there is no such word. */
DD_API const dd_token *dd_outline_token_of(const dd_outline *outline, int word);
/* The i-th empty node; NULL beyond the last. */
DD_API const dd_empty_node *dd_outline_empty_node(const dd_outline *outline, size_t index);

/* ---- reading and writing ------------------------------------------------------------------ */

/* path NULL or "-" is standard input / output. Files in gzip or Zstandard format are recognised by
 * their first bytes when read, and made when the path ends in .gz or .zst. */
typedef struct dd_reader dd_reader;
typedef struct dd_writer dd_writer;

/* Of CoNLL-U or CoNLL-X; DD_ERROR_ARGUMENT: the format is another. */
DD_API dd_status dd_reader_open(dd_reader **out, const char *path, dd_format format,
                                dd_error *error);
/* The bytes are not copied; they must outlive the reader. `name` is used in messages. */
DD_API dd_status dd_reader_open_memory(dd_reader **out, const char *name, dd_text bytes,
                                       dd_format format, dd_error *error);
/* From a file, pipe or socket that is open, which stays so, and is the caller's to close behind the
 * reader. `name`, which may be NULL, is used in messages, and its ending for DD_FORMAT_AUTO. */
DD_API dd_status dd_reader_open_fd(dd_reader **out, const char *name, int file, dd_format format,
                                   dd_error *error);
/* Fills `data` with 1 to `size` bytes, as many as it likes, and says in *got how many. 0 of them,
 * or DD_END, is the end; any other status but DD_OK ends reading with it and with what it says in
 * `error`. It is not called again after either. */
typedef dd_status dd_read_function(void *user, char *data, size_t size, size_t *got,
                                   dd_error *error);
/* From a function, which is called by whoever calls the reader, or by a thread of dd_parse_stream,
 * and never twice at once. `name` as above. */
DD_API dd_status dd_reader_open_from(dd_reader **out, const char *name, dd_read_function *read,
                                     void *user, dd_format format, dd_error *error);
/* DD_OK: a sentence. DD_END: none left. DD_ERROR_FORMAT: this sentence breaks the rules; it holds
 * its raw bytes, no words, and can be written; the next call continues after it. */
DD_API dd_status dd_reader_next(dd_reader *reader, dd_sentence *sentence, dd_error *error);
DD_API const char *dd_reader_name(const dd_reader *reader);
DD_API void dd_reader_close(dd_reader *reader);

/* A file is written beside its target and takes its place when the writer is closed, unless a write
 * failed; links are followed, and the mode of an older file is kept. */
DD_API dd_status dd_writer_open(dd_writer **out, const char *path, dd_error *error);
/* To a file, pipe or socket that is open, which stays so. `name`, which may be NULL, is used in
 * messages; what is written is packed if it ends in .gz or .zst. */
DD_API dd_status dd_writer_open_fd(dd_writer **out, const char *name, int file, dd_error *error);
/* Takes all of the bytes, or fails. */
typedef dd_status dd_write_function(void *user, dd_text bytes, dd_error *error);
/* A writer that hands bytes, in pieces of any size, to a function instead of a file. Once it has
 * failed it is not called again. */
DD_API dd_status dd_writer_open_to(dd_writer **out, dd_write_function *write, void *user,
                                   dd_error *error);
/* How sentences are written from now on: DD_FORMAT_AUTO, as at first, or DD_FORMAT_CONLLU, in the
 * CoNLL that they were read in, or DD_FORMAT_JSON. DD_ERROR_ARGUMENT: any other. */
DD_API dd_status dd_writer_set_format(dd_writer *writer, dd_format format, dd_error *error);
DD_API dd_status dd_writer_write(dd_writer *writer, dd_text bytes, dd_error *error);
DD_API dd_status dd_writer_sentence(dd_writer *writer, const dd_sentence *sentence,
                                    dd_error *error);
/* Hands what was written so far to whoever reads the pipe, terminal or function, which otherwise
 * gets it in large pieces. A file is seen only when the writer is closed. */
DD_API dd_status dd_writer_flush(dd_writer *writer, dd_error *error);
/* Flushes what is left and closes the file, also on failure; the writer is gone afterwards. */
DD_API dd_status dd_writer_close(dd_writer *writer, dd_error *error);
/* Instead of closing, where what was written is not whole: a file does not take the place of its
 * target. What goes to standard output, a pipe, a device or a function cannot be taken back, so
 * what is left of it is written. */
DD_API void dd_writer_drop(dd_writer *writer);

/* ---- checks ------------------------------------------------------------------------------- */

/* What is wrong with a CoNLL-U file, also where a reader takes it; docs/check.md explains it. */
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

/* Reads to the end of the file, calling `fault` with each fault of a level up to `level`, by the
 * line within a sentence; stops early, with DD_INTERRUPTED, when it returns false. Faults are no
 * failure: DD_OK means that the file was read. DD_ERROR_ARGUMENT: there is no such level, or the
 * reader's format is not CoNLL-U. `report`, which may be NULL, counts what was read. */
DD_API dd_status dd_check_reader(dd_reader *reader, int level,
                                 bool (*fault)(void *user, const dd_fault *fault), void *user,
                                 dd_check_report *report, dd_error *error);

/* ---- systems ------------------------------------------------------------------------------ */

typedef struct dd_system_info {
    const char *name;
    const char *transitions; /* "SH LA RA", "SH LA@k RA@k" */
    const char *trees;       /* "projective", "all", ... */
    const char *summary;
    bool nonmonotonic; /* an arc that was built can be replaced by a later one */
} dd_system_info;

/* The i-th registered system; false beyond the last. */
DD_API bool dd_system_at(size_t index, dd_system_info *out);
/* What --system graph is, which is not a transition system and not among them: it scores each arc
 * for itself, with the neural scorer, and finds the best tree. */
DD_API void dd_graph_info(dd_system_info *out);

/* The i-th built-in set of feature templates and its text; false beyond the last. Every system has
 * a default one; others are named in the papers. */
DD_API bool dd_templates_at(size_t index, const char **name, dd_text *text);

/* ---- settings of training ----------------------------------------------------------------- */

/* What can be set, and to what, is known to the library alone: `dodona train --help` and
 * dodona-train(1) list it, and a program that offers settings to its own users can make its options
 * from these rows, as `dodona train` and the Python package do. */
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
    const char *value;         /* what stands for the value in a usage: "K"; NULL: a flag */
    const char *default_value; /* NULL: there is none, or it depends on other things */
    const char *default_note;  /* and then what it is, in words: "no limit" */
    double low, high;          /* of numbers; high may be INFINITY */
    const char *help;          /* "first iteration that explores" */
} dd_setting;

/* The i-th setting; NULL beyond the last. It belongs to the library. */
DD_API const dd_setting *dd_setting_at(size_t index);
/* The i-th choice of a setting; NULL beyond the last, and where there are none. */
DD_API const char *dd_setting_choice(const dd_setting *setting, size_t index);

/* The values of all settings. */
typedef struct dd_settings dd_settings;

/* All have their defaults. */
DD_API dd_status dd_settings_new(dd_settings **out, dd_error *error);
DD_API void dd_settings_free(dd_settings *settings);
/* The value is copied; NULL puts the default back. A flag is set by "yes" and "no".
 * DD_ERROR_ARGUMENT: "NAME: reason" where the value will not do, or there is no such setting, with
 * the one that may have been meant. The setting is then as it was. */
DD_API dd_status dd_settings_set(dd_settings *settings, const char *name, const char *value,
                                 dd_error *error);
/* The value in force, as it was set, or the default; NULL where that depends or there is none, and
 * if there is no such setting. `settings` may be NULL: the defaults. */
DD_API const char *dd_settings_get(const dd_settings *settings, const char *name);

/* ---- models and training ------------------------------------------------------------------ */

typedef struct dd_model dd_model;

/* What a model can have, each as a bit. */
typedef enum dd_component {
    DD_TOKENIZER = 1, /* plain text into sentences and words */
    DD_TAGGER = 2,    /* UPOS, XPOS and FEATS */
    DD_LEMMATIZER = 4,
    DD_PARSER = 8,
    DD_ALL_COMPONENTS = 15,
} dd_component;

typedef struct dd_train_progress {
    int iteration; /* 1.. */
    int iterations;
    bool finished;      /* false: a report in the middle of the iteration */
    uint64_t sentences; /* done in this iteration */
    uint64_t all_sentences;
    uint64_t words;      /* done in this iteration */
    double seconds;      /* of training in this iteration, evaluation excluded */
    double seconds_left; /* estimate to the end of training */
    double accuracy;     /* share, 0 to 1, of predicted transitions that the oracle allows; silver
                            trees left out */
    bool has_dev;        /* the next three hold (finished reports only) */
    double dev_uas;      /* per cent of the words whose head is known; full labels */
    double dev_las;
    bool best;          /* this iteration is the best on dev so far */
    double cpu_seconds; /* as `seconds`, but time of the processor and not of the clock */
} dd_train_progress;

/* What is going to be made; reported once, before any of it is trained. */
typedef struct dd_train_plan {
    uint32_t components; /* each as a bit */
    uint32_t impossible; /* those that were left out as the treebank has nothing to learn them from:
                            no text, tags or lemmas */
    int folds;           /* of jackknifing; 0: the parser learns from the treebank's own tags */
    uint64_t sentences, words;   /* of the treebank */
    uint64_t nonprojective;      /* its trees that are not projective; 0 if the system is that of a
                                    model to start from */
    const char *system, *scorer; /* NULL without a parser */
    bool chosen;                 /* the system by its treebank */
    double seconds; /* all will take about so long on the processor of an ordinary computer */
} dd_train_plan;

/* How many sentences serve, and how many cannot and why; reported once before training. */
typedef struct dd_train_data {
    uint64_t sentences, words;
    uint64_t skipped;        /* trees that the system cannot build */
    uint64_t lifted;         /* trees that it can build only because they were lifted */
    uint64_t bad;            /* malformed, passed over with skip_bad */
    bool single_root;        /* the rule in force */
    int labels, transitions; /* 0 transitions: the system is graph, which has none */
    uint64_t unknown_heads;  /* of the words: HEAD is `_` */
    uint64_t without_heads;  /* sentences left out because no head is known */
    const char *system;
    uint32_t left_out; /* bit c: column c of the training data is not learnt from, as it is `_` in
                          all of the dev data */
    uint64_t in_part;  /* trees that the system cannot build, of which a part is kept */
    uint64_t arcs_left_out; /* of these trees */
    int max_words;          /* of a sentence; 0: any number */
    uint64_t too_long;      /* sentences left out because they have more */
    /* Of the setting `silver`; the counts above leave it out. 0 sentences: it was not given. */
    uint64_t silver_sentences, silver_words;
    uint64_t silver_skipped; /* sentences: too long, no head is known, or the system cannot build
                                them */
    uint64_t silver_in_part; /* trees that the system cannot build, of which a part is kept */
    uint64_t silver_bad;     /* malformed, passed over with skip_bad */
    uint64_t silver_unknown_labels; /* words with a label that the treebank does not show on such
                                       arcs: any label is right */
    int resumed_after;              /* iterations that were done before; 0: training begins */
} dd_train_data;

/* How the training of a component other than the parser goes; reported after each of its
 * iterations. */
typedef struct dd_component_progress {
    dd_component component;
    int iteration, iterations; /* 1.. */
    double accuracy; /* share, 0 to 1, of the decisions that were right before they were learnt */
    int fold, folds; /* of jackknifing, the fold from 1; 0: this is the component itself */
} dd_component_progress;

enum { DD_MAX_BEAM = 1000 };

/* What training has to say while it goes on. Each callback may be NULL. */
typedef struct dd_train_watch {
    size_t size; /* set by dd_train_watch_init */
    void *user;
    /* About the parser. `report` returns false to stop training early. */
    void (*data)(void *user, const dd_train_data *data);
    void (*skipped)(void *user, const char *file, uint64_t line, dd_text id, const char *reason);
    void (*bad)(void *user, const dd_error *error); /* for each sentence passed over */
    bool (*report)(void *user, const dd_train_progress *progress);
    /* Called when a component other than the parser has been trained, and when jackknifing is done.
     */
    void (*component)(void *user, dd_component component, double seconds);
    void (*jackknifed)(void *user, double seconds);
    /* Returns false to stop training. Called by one thread at a time. */
    bool (*component_report)(void *user, const dd_component_progress *progress);
    struct dd_shapes *shapes; /* NULL, see dodona_research.h */
    /* About the parser, for each sentence of which a part is kept: why, and how many arcs are left
     * out. */
    void (*in_part)(void *user, const char *file, uint64_t line, dd_text id, const char *reason,
                    int arcs);
    /* About what does not stop training: a checkpoint that could not be written. */
    void (*warn)(void *user, const dd_error *error);
    void (*plan)(void *user, const dd_train_plan *plan);
} dd_train_watch;

/* Nothing is watched. */
DD_API void dd_train_watch_init_size(dd_train_watch *watch, size_t size);
static inline void dd_train_watch_init(dd_train_watch *watch)
{
    dd_train_watch_init_size(watch, sizeof *watch);
}

/* Training from partial trees: HEAD `_` means that the head is not known. Nothing is learnt of such
 * a word, and whatever head it gets is right; `_` in DEPREL beside a head means that any label is
 * right (unless no word has a label). The nondet and dynamic oracles learn from such trees,
 * exactly; the static one refuses them. Sentences that the system cannot build are those for which
 * it can build no tree that has the known heads; the setting `unbuildable` says what becomes of
 * them.
 *
 * settings may be NULL: the defaults; watch may be NULL. dev_path may be NULL: then the last
 * iteration is kept instead of the best on dev. Returns DD_INTERRUPTED, with a model, when the
 * report callback stopped it, and with NULL when component_report did. DD_ERROR_ARGUMENT: settings
 * that do not go together, with "NAME: reason" as above, or a loss that the system has not. */
DD_API dd_status dd_train(dd_model **out, const dd_settings *settings, const dd_train_watch *watch,
                          const char *const *train_paths, size_t n_train, const char *dev_path,
                          dd_error *error);

/* A large file (above 4 MiB) is mapped, not copied: while its model is in use, replace it by
 * renaming another file over it, as dd_model_save does. Writing over it in place changes the model,
 * and cutting it short ends the process with SIGBUS. */
DD_API dd_status dd_model_load(dd_model **out, const char *path, dd_error *error);
enum { DD_MODEL_ALIGNMENT = 64 };

/* From the bytes of a model file. With `copy` the model has a copy of its own, and the bytes can go
 * at once. Without it they are read in place, whether they are in the program, in read-only memory
 * or mapped: they must begin at a multiple of DD_MODEL_ALIGNMENT, outlive the model, and not
 * change. `name`, which may be NULL, is used in messages. */
DD_API dd_status dd_model_load_memory(dd_model **out, const char *name, dd_text bytes, bool copy,
                                      dd_error *error);
/* The bytes of the model file, as dd_model_save writes them. */
DD_API dd_text dd_model_bytes(const dd_model *model);
/* Written beside the target and renamed, so a failed save leaves an older file as it was, and
 * others may load from the path or save to it at the same time. */
DD_API dd_status dd_model_save(const dd_model *model, const char *path, dd_error *error);
/* Of the bytes that dd_model_save writes, so that a program can tell whether a file still has the
 * model that it once had. */
DD_API uint64_t dd_model_checksum(const dd_model *model);
/* The components that it has. */
DD_API uint32_t dd_model_components(const dd_model *model);
/* The i-th fact (system, oracle, templates, data hash, licence, ...); false beyond the last. */
DD_API bool dd_model_fact(const dd_model *model, size_t index, dd_text *key, dd_text *value);
/* The labels that its trees can have, numbered from 0; false beyond the last, and -1 where there is
 * no such label. */
DD_API bool dd_model_label_at(const dd_model *model, size_t index, dd_text *out);
DD_API int dd_model_find_label(const dd_model *model, dd_text label);
DD_API void dd_model_free(dd_model *model);

/* ---- models by name ----------------------------------------------------------------------- */

/* A model NAME is the file NAME.dodona in the first of these folders that has it:
 *
 * - those of $DODONA_MODELS, with ':' between them;
 * - the user's own, $XDG_DATA_HOME/dodona/models or ~/.local/share/dodona/models;
 * - `more`, the caller's;
 * - the one that was installed with the library, PREFIX/share/dodona/models.
 *
 * If no file has the name, it is taken for a language, and the model is one whose facts name that:
 * in the first folder that has any, the one that was trained on the most words. */
typedef struct dd_catalogue dd_catalogue;

typedef struct dd_catalogue_model {
    const char *name; /* "english": that of its file, without .dodona */
    const char *path;
    size_t folder; /* for dd_catalogue_folder */
} dd_catalogue_model;

/* Looks into the folders, but not into the files. A folder that does not exist or may not be read
 * has no models. */
DD_API dd_status dd_catalogue_new(dd_catalogue **out, const char *const *more, size_t n_more,
                                  dd_error *error);
DD_API void dd_catalogue_free(dd_catalogue *catalogue);
/* The i-th folder, whether it exists or not; NULL beyond the last. */
DD_API const char *dd_catalogue_folder(const dd_catalogue *catalogue, size_t index);
/* The user's own folder; NULL if the environment names none. */
DD_API const char *dd_catalogue_user_folder(const dd_catalogue *catalogue);
/* The i-th model, by folder and then by name; NULL beyond the last. One whose name an earlier
 * folder has too is listed, but not found by that name. */
DD_API const dd_catalogue_model *dd_catalogue_at(const dd_catalogue *catalogue, size_t index);
/* DD_ERROR_IO: there is none; the message says what there is, where that is, and what may have been
 * meant. */
DD_API dd_status dd_catalogue_find(const dd_catalogue *catalogue, const char *name,
                                   const dd_catalogue_model **out, dd_error *error);
/* What stands for a model where none is named: that which $DODONA_MODEL named when the catalogue
 * was made, or "english". */
DD_API const char *dd_catalogue_default(const dd_catalogue *catalogue);
/* The path of what a user calls a model: `wanted` itself if it has a '/', ends in .dodona or is the
 * name of a file, else that of the model with this name; NULL is the default. `path` lives as long
 * as both. */
DD_API dd_status dd_catalogue_path(const dd_catalogue *catalogue, const char *wanted,
                                   const char **path, dd_error *error);
/* dd_catalogue_path and dd_model_load in one, with no further folders; `wanted` NULL: the default.
 */
DD_API dd_status dd_model_load_named(dd_model **out, const char *wanted, dd_error *error);

/* ---- plain text --------------------------------------------------------------------------- */

typedef struct dd_input_options {
    size_t size; /* set by dd_input_options_init, with the defaults */
    /* Auto: by the file's name, where .txt is text, or if that is not enough by its first lines;
     * if the model has no tokenizer, CoNLL unless the first has no columns. */
    dd_format format;
    bool presegmented; /* plain text has one sentence a line */
    bool ranges;       /* add TokenRange=START:END to MISC: characters of the file, from 0 */
    /* Called for each place in plain text that is not valid UTF-8 or is NUL, and is replaced by
     * U+FFFD; may be NULL. */
    void *user;
    void (*broken)(void *user, const dd_error *error);
    /* For programs that join files; both are copied. DD_ERROR_ARGUMENT: one is empty, or has
     * control characters. */
    const char *document; /* NULL; else the first sentence says `# newdoc id = `, unless it begins
                             a document already, or is CoNLL-X */
    const char *prefix;   /* NULL; else the sentences of plain text are PREFIX-1, PREFIX-2, .. */
} dd_input_options;

DD_API void dd_input_options_init_size(dd_input_options *options, size_t size);
static inline void dd_input_options_init(dd_input_options *options)
{
    dd_input_options_init_size(options, sizeof *options);
}
/* As dd_reader_open, but also plain text, which the model's tokenizer cuts into sentences and
 * words; see docs/text.md. The model must outlive the reader. It may be NULL, or lack a
 * tokenizer: then plain text is refused with DD_ERROR_DATA. */
DD_API dd_status dd_reader_open_input(dd_reader **out, const dd_model *model, const char *path,
                                      const dd_input_options *options, dd_error *error);
/* The bytes are not copied; they must outlive the reader. */
DD_API dd_status dd_reader_open_input_memory(dd_reader **out, const dd_model *model,
                                             const char *name, dd_text bytes,
                                             const dd_input_options *options, dd_error *error);
/* The same as dd_reader_open_fd and _from. */
DD_API dd_status dd_reader_open_input_fd(dd_reader **out, const dd_model *model, const char *name,
                                         int file, const dd_input_options *options,
                                         dd_error *error);
DD_API dd_status dd_reader_open_input_from(dd_reader **out, const dd_model *model, const char *name,
                                           dd_read_function *read, void *user,
                                           const dd_input_options *options, dd_error *error);
/* How many places in plain text were replaced so far, and (unless it is NULL, and if there are any)
 * where and why the first. */
DD_API uint64_t dd_reader_broken(const dd_reader *reader, dd_error *first);

/* ---- parsing ------------------------------------------------------------------------------ */

/* Whether trees keep to what Universal Dependencies ask of every tree: no word depends on one whose
 * UPOS is PUNCT, unless the sentence has no others or its constraints say so, and no word has two
 * subjects or two objects; see docs/constraints.md. */
typedef enum dd_tidy {
    DD_TIDY_AUTO = 0, /* as the model was trained to, which is mostly no */
    DD_TIDY_NO,
    DD_TIDY_YES,
} dd_tidy;

/* One thread's workspace; the model must outlive it. */
typedef struct dd_parser dd_parser;

DD_API dd_status dd_parser_new(dd_parser **out, const dd_model *model, dd_error *error);
DD_API void dd_parser_free(dd_parser *parser);
/* For all that it parses from then on, unless options say otherwise. */
DD_API void dd_parser_set_tidy(dd_parser *parser, dd_tidy tidy);
/* What ends its calls from then on, until another is set; NULL, as at first: nothing. */
DD_API void dd_parser_set_cancel(dd_parser *parser, dd_cancel *cancel);
/* Tags the sentence if the model has a tagger and no word has UPOS, XPOS or FEATS, and gives it
 * lemmas if the model has a lemmatizer and no word has one; with `anew` even if words have them. */
DD_API dd_status dd_parser_annotate(dd_parser *parser, dd_sentence *sentence, bool anew,
                                    dd_error *error);
/* dd_parser_annotate, not anew, and then, if the model has a parser:
 * Sets HEAD and DEPREL of every word, with the model's beam; with `scores` adds Score= to MISC. The
 * tree satisfies the sentence's constraints; DD_ERROR_DATA: none does, or none was found
 * (docs/constraints.md). The sentence is then as it was. */
DD_API dd_status dd_parser_parse(dd_parser *parser, dd_sentence *sentence, bool scores,
                                 dd_error *error);
/* Whether some tree satisfies the sentence's constraints: DD_OK, or DD_ERROR_DATA with the
 * constraint and the reason, as dd_parser_parse would report. */
DD_API dd_status dd_parser_check(dd_parser *parser, const dd_sentence *sentence, dd_error *error);

/* Parses with a beam of that many derivations (1: greedily; 0: the model's beam) and keeps the best
 * `trees` trees, 1 to the width of the beam, until the next parse. There can be fewer: no two are
 * the same, and several derivations can lead to one tree, which has the score of the best. All
 * satisfy the sentence's constraints, as above. There is one only of a sentence that is parsed in
 * pieces: see dd_parse_options.max_words, of which the default holds. */
DD_API dd_status dd_parser_search(dd_parser *parser, const dd_sentence *sentence, int beam,
                                  int trees, dd_error *error);
DD_API int dd_parser_trees(const dd_parser *parser);
/* The score of the k-th tree found, from 0, the best: the sum over its transitions. NAN: there is
 * no such tree. */
DD_API double dd_parser_tree_score(const dd_parser *parser, int k);
/* Sets HEAD and DEPREL to the k-th tree found; `scores` as above. The sentence must be the one that
 * was parsed, or have as many words. */
DD_API dd_status dd_parser_attach(const dd_parser *parser, int k, dd_sentence *sentence,
                                  bool scores, dd_error *error);
/* The beam that the model was trained with; 1: greedily. */
DD_API int dd_model_beam(const dd_model *model);

enum { DD_MAX_THREADS = 256 };

/* How many threads of the process can run at once, as its affinity and the limits of its control
 * groups allow; at most DD_MAX_THREADS. */
DD_API int dd_available_threads(void);

typedef struct dd_parse_options {
    size_t size;   /* set by dd_parse_options_init, with the defaults */
    int threads;   /* 1; at most DD_MAX_THREADS; 0: dd_available_threads() */
    bool scores;   /* add each word's margin to MISC as Score= */
    bool skip_bad; /* pass sentences through that are malformed or whose constraints cannot hold */
    /* Called for each sentence passed through; may be NULL. Calls do not overlap. */
    void *user;
    void (*bad)(void *user, const dd_error *error);
    int beam;  /* derivations kept side by side, at most DD_MAX_BEAM; 1: greedy; 0, the default: the
                  model's */
    int nbest; /* 0: the best tree of each sentence. Else so many trees, at most as the beam is
                  wide, each a sentence with the comments `# nbest = 1` (2, ..) and `# score = ` */
    bool tag;  /* tag and lemmatise also what has tags and lemmas */
    /* Words of a sentence that is parsed at once; a longer one is cut after punctuation, if there
     * is any, its pieces are parsed and their trees joined into one. 0, the default: as many as
     * suit the model's transition system, which is any number where time is linear in the length.
     */
    int max_words;
    dd_tidy tidy; /* auto: as dd_parser_set_tidy says, or else the model */
    /* Write each sentence as soon as it is parsed: no. Where a terminal or pipe has run dry, that
     * is, there is nothing to read now, all that was read is parsed and written in any case. */
    bool unbuffered;
    dd_cancel *cancel; /* ends dd_parse_stream, which then has written whole sentences; NULL */
} dd_parse_options;

typedef struct dd_parse_report {
    size_t size; /* set by dd_parse_report_init */
    uint64_t sentences, words;
    uint64_t bad;             /* sentences passed through */
    uint32_t missing_columns; /* bit c: the model was trained with dd_column c, which was `_`
                                 everywhere */
    uint64_t refused;         /* of `bad`, those whose constraints cannot hold */
    uint64_t cut;             /* sentences parsed in pieces */
    int max_words;            /* as in dd_parse_options, of the file parsed last; 0: any number */
} dd_parse_report;

DD_API void dd_parse_options_init_size(dd_parse_options *options, size_t size);
static inline void dd_parse_options_init(dd_parse_options *options)
{
    dd_parse_options_init_size(options, sizeof *options);
}
/* Parses sentences one after the other, as dd_parser_parse does each, which is faster with some
 * models. Of the options, which may be NULL for the defaults, those count that are about one
 * sentence: scores, beam, nbest, tag, max_words and tidy. *done: how many are parsed. On failure
 * sentences[*done] is the one that cannot be parsed; those after it may have been tagged, and a
 * call with them goes on.
 */
DD_API dd_status dd_parser_parse_batch(dd_parser *parser, dd_sentence *const *sentences,
                                       size_t count, const dd_parse_options *options, size_t *done,
                                       dd_error *error);
DD_API void dd_parse_report_init_size(dd_parse_report *report, size_t size, const dd_model *model);
static inline void dd_parse_report_init(dd_parse_report *report, const dd_model *model)
{
    dd_parse_report_init_size(report, sizeof *report, model);
}
/* From reader to writer in order, with any number of threads. Adds to the report, so one report
 * can be used for several files; initialise it with dd_parse_report_init. */
DD_API dd_status dd_parse_stream(const dd_model *model, dd_reader *reader, dd_writer *writer,
                                 const dd_parse_options *options, dd_parse_report *report,
                                 dd_error *error);

/* ---- parsing in parts --------------------------------------------------------------------- */

/* Texts that are too large for one process. A plan cuts them into tasks, which any number of
 * processes and machines work off, in any order; their outputs, joined, are byte for byte what one
 * process writes. A task is done if its output and, beside it, its record are there: each takes its
 * place when it is whole and on the disk. docs/cluster.md tells more, and what the files look like.
 */
typedef struct dd_plan dd_plan;

/* `document` and `prefix` as in dd_input_options. */
typedef struct dd_plan_input {
    const char *path, *document, *prefix;
} dd_plan_input;

typedef struct dd_plan_options {
    size_t size;         /* set by dd_plan_options_init, with the defaults */
    uint64_t task_bytes; /* 64 MiB; a task ends at the next place where a sentence surely does */
    dd_format to;        /* DD_FORMAT_AUTO: CoNLL; or DD_FORMAT_JSON */
    /* NULL: the defaults. Of each, what decides about the output: format, presegmented and ranges;
     * scores, skip_bad, beam, nbest, tag, max_words and tidy. */
    const dd_input_options *input;
    const dd_parse_options *parse;
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
    const char *input;      /* path of the file */
    uint64_t offset, bytes; /* what of it, unpacked; bytes 0: all of a file that is packed */
    const char *output;     /* path */
} dd_plan_task;

/* Tasks are numbered from 1; NULL beyond the last. */
DD_API const dd_plan_task *dd_plan_at(const dd_plan *plan, size_t task);

typedef enum dd_task_state {
    DD_TASK_OPEN = 0, /* nobody began it, or nobody finished it */
    DD_TASK_FAILED,   /* its input cannot be parsed; the output's path with .failed tells why */
    DD_TASK_DONE,
} dd_task_state;

DD_API dd_task_state dd_plan_state(const dd_plan *plan, size_t task);
/* Parses a task, whatever its state, and writes its output; the same bytes each time. The report,
 * which may be NULL, and whose size is set, is of this task. The model is loaded with the first.
 * DD_ERROR_DATA: input or model are not what they were when the plan was made. Where the input is
 * to blame the task has failed, and its state says so; after any other failure, such as a full
 * disk, it is open as before. */
DD_API dd_status dd_plan_run(dd_plan *plan, size_t task, int threads, dd_parse_report *report,
                             dd_error *error);
/* Says that the task has failed, for a program that saw the process end. */
DD_API dd_status dd_plan_fail(dd_plan *plan, size_t task, const char *reason, dd_error *error);
/* Whether the output is what was written, and has the sentences and words of the input; with
 * `quick` only the former. Else DD_ERROR_DATA with the reason. */
DD_API dd_status dd_plan_verify(dd_plan *plan, size_t task, bool quick, dd_error *error);
/* Joins the outputs of all tasks, which must be done, into a file as dd_writer_open makes it. With
 * `without_failed` files of which a task failed are left out as a whole. */
DD_API dd_status dd_plan_merge(dd_plan *plan, const char *path, bool without_failed,
                               dd_error *error);

/* ---- oracles and statistics --------------------------------------------------------------- */

typedef enum dd_walk { DD_WALK_GOLD = 0, DD_WALK_RANDOM } dd_walk;

typedef struct dd_oracle_options {
    size_t size;        /* set by dd_oracle_options_init, with the defaults */
    const char *system; /* to be set */
    const char *loss;   /* for systems with several; NULL: the system's default */
    dd_walk walk;  /* gold: the static oracle's path (see docs/oracles.md where heads are unknown);
                      random: uniform over the permissible */
    uint64_t seed; /* 1 */
    bool single_root; /* no */
    bool partial; /* no; yes: of a tree that the system cannot build, walk the largest part that it
                     can: the other heads are not known */
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
} dd_oracle_step;

typedef struct dd_oracle dd_oracle;

DD_API void dd_oracle_options_init_size(dd_oracle_options *options, size_t size);
static inline void dd_oracle_options_init(dd_oracle_options *options)
{
    dd_oracle_options_init_size(options, sizeof *options);
}
DD_API dd_status dd_oracle_new(dd_oracle **out, const dd_oracle_options *options, dd_error *error);
DD_API void dd_oracle_free(dd_oracle *oracle);
/* Walks one gold tree, calling `step` in each configuration that is not final; stops early, with
 * DD_INTERRUPTED, when it returns false. DD_ERROR_DATA: it is no tree, or the system cannot build
 * it; the message is the bare reason. */
DD_API dd_status dd_oracle_walk(dd_oracle *oracle, const dd_sentence *sentence,
                                bool (*step)(void *user, const dd_oracle_step *step), void *user,
                                dd_error *error);

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

/* Counts them; *total is valid until the oracle is used again. Loss, walk and seed of the options
 * do not matter. Derivations that meet in a configuration are counted together, but there can be
 * very many of those: 262,144 are looked at, no more. DD_ERROR_DATA: as dd_oracle_walk. */
DD_API dd_status dd_oracle_count(dd_oracle *oracle, const dd_sentence *sentence,
                                 const dd_oracle_total **total, dd_error *error);
/* Calls `derivation` with each, however many there are, until it returns false: DD_INTERRUPTED. */
DD_API dd_status dd_oracle_list(dd_oracle *oracle, const dd_sentence *sentence,
                                bool (*derivation)(void *user,
                                                   const dd_oracle_derivation *derivation),
                                void *user, dd_error *error);

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

/* ---- traces ------------------------------------------------------------------------------- */

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
    double margin; /* score minus the best of the others, below 0 where a beam preferred it to a
                      better one; INFINITY: nothing to decide; NAN: not scored */
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
/* Parses a sentence, or follows its gold tree, and calls `step` in each configuration, the final
 * one included; stops early, with DD_INTERRUPTED, when it returns false. The sentence does not
 * change. DD_ERROR_DATA: the gold tree cannot be used; the message is the bare reason. */
DD_API dd_status dd_trace_sentence(dd_trace *trace, const dd_sentence *sentence,
                                   bool (*step)(void *user, const dd_trace_step *step), void *user,
                                   dd_error *error);

/* Within `step`: the label of the arc into a word, empty while it has none; in the end that of the
 * finished tree. The parts of a lifted label are separated by tabs. */
DD_API dd_text dd_trace_label(const dd_trace *trace, int word);

/* ---- drawings ----------------------------------------------------------------------------- */

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
    bool enhanced;    /* below the words, what DEPS have and the tree has not, and empty nodes; not
                         with a gold sentence: yes */
    size_t max_bytes; /* of one drawing; a larger one is refused: 0, any number */
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
/* Draws the heads and labels in force; words whose head is not known have none. With `gold`, which
 * may be NULL, what differs from its heads and labels is marked; it must have the same words. `out`
 * lives until the drawing is used again or freed. DD_ERROR_DATA: gold has other words, a constraint
 * is invalid, or there are more than DD_DRAW_MAX_WORDS words. */
DD_API dd_status dd_draw(dd_drawing *drawing, const dd_sentence *sentence, const dd_sentence *gold,
                         dd_text *out, dd_error *error);
/* What comes before the first and after the last drawing in a file; empty in most formats. */
DD_API dd_status dd_draw_begin(dd_drawing *drawing, dd_text *out, dd_error *error);
DD_API dd_text dd_draw_end(const dd_drawing *drawing);

/* ---- evaluation --------------------------------------------------------------------------- */

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
/* Likewise from open readers, which are read to their end and stay the caller's. */
DD_API dd_status dd_evaluate_readers(dd_evaluation **out, dd_reader *gold, dd_reader *system,
                                     const dd_eval_options *options, dd_error *error);
/* What a model that is scored on a treebank is given of it. */
typedef enum dd_eval_given {
    DD_EVAL_GIVEN_AUTO = 0, /* as little as the model can do with */
    DD_EVAL_GIVEN_TEXT,     /* its text: `# text`, or the tokens as SpaceAfter=No spaces them */
    DD_EVAL_GIVEN_WORDS,    /* sentences and words; tags and lemmas are the model's */
    DD_EVAL_GIVEN_TAGS,     /* tags and lemmas too */
} dd_eval_given;

/* Parses a treebank with the model, with that many threads (0: dd_available_threads()), and scores
 * the result against it. `given` may be NULL for auto; it becomes what was chosen. DD_ERROR_DATA:
 * among other things, text is asked for and the treebank has none, or the model no tokenizer. */
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
/* What is counted, in one sentence without a newline; to be stated beside the numbers. */
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
/* Likewise for scores that were kept, or added up over several runs of each system: the sentences
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

/* Adds a sentence that was read with a tree and has been parsed since: what was read is gold.
 * DD_ERROR_DATA: one of the two is not a tree. */
DD_API dd_status dd_arc_counts_add(dd_arc_counts *counts, const dd_sentence *parsed,
                                   dd_error *error);

#ifdef __cplusplus
}
#endif
#endif
