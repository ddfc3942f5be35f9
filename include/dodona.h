/* dodona.h - transition-based dependency parsing with dynamic oracles
 *
 * The header is a ladder; most programs need only its first steps:
 *
 *     1  the simple interface    load a model, parse a text, free the model
 *     2  sentences and parsers   words, trees, constraints, several trees of a sentence
 *     3  streams                 readers, writers, threads, cancelling
 *     4  training
 *
 * dodona_tools.h is for programs that offer all this to their own users, as `dodona` does:
 * evaluation, drawings, oracles, traces, checks, plans, and tables of options.
 *
 *     CoNLL-U text -> sentence -> configuration -> features -> scores -> transition -> tree -> text
 *                        `- gold tree -> oracle -> costs -' (training only)
 *
 * Rules that hold for the whole interface:
 *
 * - Handles are opaque. The caller owns a handle that `dd_*_new`, `_open`, `_load` or `dd_train`
 *   returns, and frees it with the matching `_free` or `_close`; both accept NULL.
 * - A fallible call returns a dd_status and fills the caller's dd_error (which may be NULL). On
 *   failure it hands out nothing and leaves its arguments usable.
 * - A returned dd_text or `const char *` is a view: it is valid until the handle it came from is
 *   changed or freed.
 * - A struct that begins with `size` is initialised by its `_init`, which sets that and the
 *   defaults, and can grow in later versions: the library accepts it from programs that were
 *   compiled with an older or a newer header, and ignores fields that it does not know.
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

/* =============================================================================================
 * 1  The simple interface
 * =============================================================================================
 *     dd_model *model;
 *     dd_buffer trees = {0};
 *     if (dd_model_load_named(&model, "english", &error) == DD_OK &&
 *         dd_parse(model, text, &trees, &error) == DD_OK)
 *         fwrite(trees.data, 1, trees.size, stdout);
 *     dd_buffer_free(&trees);
 *     dd_model_free(model);
 */

/* The version of this header; dd_version() returns that of the library. */
#define DODONA_VERSION_MAJOR 0
#define DODONA_VERSION_MINOR 1
#define DODONA_VERSION_PATCH 0
/* 10203 is 1.2.3, so that versions can be compared by the preprocessor. */
#define DODONA_VERSION_NUMBER                                                                      \
    (DODONA_VERSION_MAJOR * 10000 + DODONA_VERSION_MINOR * 100 + DODONA_VERSION_PATCH)

/* "0.1.0" */
DD_API const char *dd_version(void);

/* ---- status ---------------------------------------------------------------------------------- */

typedef enum dd_status {
    DD_OK = 0,
    DD_END,            /* no further sentence; not an error */
    DD_INTERRUPTED,    /* the caller's callback asked to stop, or the call was cancelled */
    DD_ERROR_MEMORY,   /* an allocation failed */
    DD_ERROR_IO,       /* a file cannot be opened, read, written or decompressed */
    DD_ERROR_FORMAT,   /* a rule of the text format is broken; reading can continue (see
                        * dd_reader_next)
                        */
    DD_ERROR_DATA,     /* well-formed input that cannot be used: no heads, no buildable tree, ... */
    DD_ERROR_MODEL,    /* a damaged, truncated or foreign model file */
    DD_ERROR_ARGUMENT, /* an option or argument is out of bounds */
} dd_status;

enum { DD_MESSAGE_SIZE = 512 };

typedef struct dd_error {
    dd_status status;
    uint64_t line;                 /* 1-based line in the file, 0 if none applies */
    int column;                    /* 1-based tab-separated column, 0 if none applies */
    char message[DD_MESSAGE_SIZE]; /* "FILE:LINE: reason" or "reason"; UTF-8, no newline */
} dd_error;

/* A short name of the status, such as "out of memory"; for logs, where there is no message. */
DD_API const char *dd_status_name(dd_status status);

typedef struct dd_text {
    const char *data; /* not NUL-terminated */
    size_t size;      /* bytes */
} dd_text;

/* A growing string of bytes, owned by the caller. {0} is empty and valid. Set size to 0 to reuse
 * the memory. */
typedef struct dd_buffer {
    char *data;            /* not NUL-terminated; NULL before the first byte */
    size_t size, capacity; /* bytes */
} dd_buffer;

/* Frees the buffer's memory. It is then empty and can be used again. */
DD_API void dd_buffer_free(dd_buffer *buffer);

/* ---- a model, and trees for a text ----------------------------------------------------------- */

typedef struct dd_model dd_model;

/* A large file (above 4 MiB) is mapped, not copied: while its model is in use, replace it by
 * renaming another file over it, as dd_model_save does. Writing over it in place changes the model,
 * and cutting it short ends the process with SIGBUS. */
DD_API dd_status dd_model_load(dd_model **out, const char *path, dd_error *error);
/* The model that a user names: a file, a model that is installed under this name, or a language;
 * NULL: the default one. dodona_tools.h has the rules, and lists what is installed. */
DD_API dd_status dd_model_load_named(dd_model **out, const char *wanted, dd_error *error);
DD_API void dd_model_free(dd_model *model);

/* Parses a whole text and appends the sentences with their trees to `out`, as CoNLL-U. The text is
 * running text or CoNLL-U, as its first lines show; missing tags and lemmas of CoNLL-U are filled
 * in. On failure the buffer is unchanged. */
DD_API dd_status dd_parse(const dd_model *model, dd_text text, dd_buffer *out, dd_error *error);

/* =============================================================================================
 * 2  Sentences and parsers
 * =============================================================================================
 * A sentence is read, or made of words; a parser, one per thread, gives it a tree.
 */

/* ---- sentences ------------------------------------------------------------------------------- */

typedef enum dd_format {
    DD_FORMAT_AUTO = 0, /* by the file's name: .conll and .conllx (also .gz, .zst) are CoNLL-X, all
                           others CoNLL-U; see also dd_reader_open_input */
    DD_FORMAT_CONLLU,
    DD_FORMAT_CONLLX,
    DD_FORMAT_TEXT,     /* running text, an empty line between paragraphs; read only */
    DD_FORMAT_VERTICAL, /* one token per line, an empty line between sentences; read only */
    DD_FORMAT_JSON,     /* one object per line and sentence, see docs/input.md; written only */
    DD_FORMAT_JSONL,    /* one object per line and document, see docs/input.md */
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
/* A column as read or set. After parsing, use dd_sentence_head and _deprel for HEAD and DEPREL.
 */
DD_API dd_text dd_sentence_cell(const dd_sentence *sentence, int word, dd_column column);
/* Sets LEMMA, UPOS, XPOS or FEATS. The value is copied; DD_ERROR_ARGUMENT: a reader would refuse
 * it, or the column is none of these. */
DD_API dd_status dd_sentence_set_cell(dd_sentence *sentence, int word, dd_column column,
                                      dd_text value, dd_error *error);
/* 0 for the root, -1 where HEAD is `_`. */
DD_API int dd_sentence_head(const dd_sentence *sentence, int word);
/* [n + 1] all of them, as dd_sentence_head returns each; the first is -1. The array moves when the
 * sentence is replaced, but not when it is parsed. */
DD_API const int32_t *dd_sentence_heads(const dd_sentence *sentence);
DD_API dd_text dd_sentence_deprel(const dd_sentence *sentence, int word);
/* Appends the sentence as a writer of this format writes it: DD_FORMAT_AUTO, every byte of its
 * CoNLL with its blank line, or DD_FORMAT_JSON, a line, or several where several trees would be
 * written, or DD_FORMAT_JSONL, a document of this sentence alone; docs/input.md has the schemas.
 * On failure the buffer is unchanged. */
DD_API dd_status dd_sentence_format(const dd_sentence *sentence, dd_format format, dd_buffer *out,
                                    dd_error *error);

/* ---- constraints on trees -------------------------------------------------------------------- */

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
/* Removes all constraints, also those read from comments. Reading into the sentence does so too.
 * */
DD_API void dd_sentence_clear_constraints(dd_sentence *sentence);
/* The i-th as it would be written in a comment, after `# constraint = `; false beyond the last. */
DD_API bool dd_sentence_constraint(const dd_sentence *sentence, size_t index, dd_text *out);

/* ---- text and tokens ------------------------------------------------------------------------- */

/* A stretch of a sentence's text: that of a word, or a multiword token. */
typedef struct dd_token {
    int first, last; /* its words; the same number unless it is a multiword token */
    dd_text form;
    dd_text feats, misc; /* of a multiword token; `_` of others, whose word has them */
    /* Where it begins and ends in the text, from 0. If a token does not occur at its place in the
     * text, this is -1 for it and all later tokens. */
    int64_t start, end;           /* in characters, that is, Unicode code points */
    int64_t start_byte, end_byte; /* in bytes */
} dd_token;

/* The text and tokens of one sentence, as they were read. */
typedef struct dd_outline dd_outline;

/* The new outline is empty until dd_outline_make. */
DD_API dd_status dd_outline_new(dd_outline **out, dd_error *error);
DD_API void dd_outline_free(dd_outline *outline);
/* Replaces the outline by that of the sentence. The outline has views of the sentence, valid until
 * either is changed or freed. It is empty if the sentence is malformed, and on failure.
 */
DD_API dd_status dd_outline_make(dd_outline *outline, const dd_sentence *sentence, dd_error *error);
/* The text of `# text`; without that comment, the tokens with a space after each, except after
 * SpaceAfter=No. */
DD_API dd_text dd_outline_text(const dd_outline *outline);
/* The i-th token; NULL beyond the last. */
DD_API const dd_token *dd_outline_token(const dd_outline *outline, size_t index);

/* ---- what a model is ------------------------------------------------------------------------- */

/* What a model can have, each as a bit. */
typedef enum dd_component {
    DD_TOKENIZER = 1, /* plain text into sentences and words */
    DD_TAGGER = 2,    /* UPOS, XPOS and FEATS */
    DD_LEMMATIZER = 4,
    DD_PARSER = 8,
    DD_ALL_COMPONENTS = 15,
} dd_component;

enum { DD_MODEL_ALIGNMENT = 64 };

/* Loads a model from the bytes of its file. With `copy` the model makes a copy, and the bytes can
 * be freed at once. Without it they are read in place, whether they are in the program, in
 * read-only memory or mapped: they must begin at a multiple of DD_MODEL_ALIGNMENT, outlive the
 * model, and not change. `name`, which may be NULL, is used in messages. */
DD_API dd_status dd_model_load_memory(dd_model **out, const char *name, dd_text bytes, bool copy,
                                      dd_error *error);
/* The bytes of the model file, as dd_model_save writes them. */
DD_API dd_text dd_model_bytes(const dd_model *model);
/* Written beside the target and renamed, so a failed save leaves an older file as it was, and
 * others may load from the path or save to it at the same time. */
DD_API dd_status dd_model_save(const dd_model *model, const char *path, dd_error *error);
/* A checksum of the bytes that dd_model_save writes, by which a program can tell whether a file
 * has changed. */
DD_API uint64_t dd_model_checksum(const dd_model *model);
/* The components that the model has, each as a bit. */
DD_API uint32_t dd_model_components(const dd_model *model);
/* The i-th fact (system, oracle, templates, data hash, licence, ...); false beyond the last. */
DD_API bool dd_model_fact(const dd_model *model, size_t index, dd_text *key, dd_text *value);
/* The labels that its trees can have, numbered from 0. dd_model_label_at returns false beyond the
 * last, dd_model_find_label -1 if there is no such label. */
DD_API bool dd_model_label_at(const dd_model *model, size_t index, dd_text *out);
DD_API int dd_model_find_label(const dd_model *model, dd_text label);
/* The beam that the model was trained with; 1: greedily. */
DD_API int dd_model_beam(const dd_model *model);
/* Whether it parses sentences faster in batches than one by one. */
DD_API bool dd_model_gains_from_batches(const dd_model *model);

/* ---- cancelling ------------------------------------------------------------------------------ */

/* Cancels calls: at once, at a deadline, or when a function of the program says so. A parser,
 * oracle, trace, drawing, stream or evaluation checks its dd_cancel every few milliseconds, also
 * within a sentence. A cancelled call returns DD_INTERRUPTED; its handles stay usable and the
 * sentence is unchanged. Any number of calls, in any threads, can share a dd_cancel, which must
 * outlive them. */
typedef struct dd_cancel dd_cancel;

DD_API dd_status dd_cancel_new(dd_cancel **out, dd_error *error);
DD_API void dd_cancel_free(dd_cancel *cancel);
/* Cancels all calls that check it. May be called from any thread and from a signal handler. */
DD_API void dd_cancel_now(dd_cancel *cancel);
/* Sets the deadline to so many seconds from now; INFINITY: none. From any thread. */
DD_API void dd_cancel_after(dd_cancel *cancel, double seconds);
/* Cancels calls when go_on(user) returns false. Only calls made in the thread that called this
 * function call go_on, about twenty times a second and in that thread, so that go_on may take a
 * lock of the program or run an interpreter's signal handlers. NULL: no function. */
DD_API void dd_cancel_when(dd_cancel *cancel, bool (*go_on)(void *user), void *user);
/* Whether calls would be cancelled now; for the program's own loops. */
DD_API bool dd_cancel_is_due(dd_cancel *cancel);
/* Undoes dd_cancel_now and dd_cancel_after, so that the next call can run. */
DD_API void dd_cancel_reset(dd_cancel *cancel);

/* ---- parsers --------------------------------------------------------------------------------- */

enum { DD_MAX_BEAM = 1000 };

/* Whether trees follow the rules of Universal Dependencies for every tree: no word depends on one
 * whose UPOS is PUNCT, unless the sentence has no others or its constraints say so, and no word
 * has two subjects or two objects; see docs/constraints.md. */
typedef enum dd_tidy {
    DD_TIDY_AUTO = 0, /* as the model was trained to, which is mostly no */
    DD_TIDY_NO,
    DD_TIDY_YES,
} dd_tidy;

/* One thread's workspace; the model must outlive it. */
typedef struct dd_parser dd_parser;

DD_API dd_status dd_parser_new(dd_parser **out, const dd_model *model, dd_error *error);
DD_API void dd_parser_free(dd_parser *parser);
/* Applies to all later parses, unless their options say otherwise. */
DD_API void dd_parser_set_tidy(dd_parser *parser, dd_tidy tidy);
/* Applies to all later calls with this parser; NULL, the default: they cannot be cancelled. */
DD_API void dd_parser_set_cancel(dd_parser *parser, dd_cancel *cancel);
/* Tags the sentence if the model has a tagger and no word has UPOS, XPOS or FEATS, and gives it
 * lemmas if the model has a lemmatizer and no word has one; with `again` even if words have them.
 */
DD_API dd_status dd_parser_annotate(dd_parser *parser, dd_sentence *sentence, bool again,
                                    dd_error *error);
/* dd_parser_annotate without `again`, and then, if the model has a parser, sets HEAD and DEPREL of
 * every word, with the model's beam; with `scores` adds Score= to MISC. The tree satisfies the
 * sentence's constraints; DD_ERROR_DATA: none does, or none was found (docs/constraints.md). The
 * sentence is then unchanged. */
DD_API dd_status dd_parser_parse(dd_parser *parser, dd_sentence *sentence, bool scores,
                                 dd_error *error);
/* Whether some tree satisfies the sentence's constraints: DD_OK, or DD_ERROR_DATA with the
 * constraint and the reason, as dd_parser_parse would report. */
DD_API dd_status dd_parser_check(dd_parser *parser, const dd_sentence *sentence, dd_error *error);

/* ---- several trees of a sentence ------------------------------------------------------------- */

/* Parses with a beam of that many derivations (1: greedily; 0: the model's beam) and keeps the
 * best `trees` trees, 1 to the width of the beam, until the next parse. There can be fewer: no two
 * are the same, and several derivations can lead to one tree, which has the score of the best. All
 * satisfy the sentence's constraints, as above. A sentence that is parsed in pieces has only one;
 * the default of dd_parse_options.max_words decides. */
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

/* ---- many sentences at once ------------------------------------------------------------------ */

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
    int nbest; /* 0: the best tree of each sentence. Otherwise up to so many trees, at most the
                  width of the beam, each a sentence with the comments `# nbest = 1` (2, ..) and `#
                  score = ` */
    bool tag;  /* tag and lemmatise also what has tags and lemmas */
    /* Words of a sentence that is parsed at once; a longer one is split after punctuation, if
     * there is any, and the trees of its pieces are joined. 0, the default: chosen for the model's
     * transition system; no limit where time is linear in the length.
     */
    int max_words;
    dd_tidy tidy; /* auto: as dd_parser_set_tidy says, or else the model */
    /* Write each sentence as soon as it is parsed; off by default. When a terminal or pipe has no
     * more bytes for now, everything read so far is parsed and written in any case. */
    bool unbuffered;
    dd_cancel *cancel; /* ends dd_parse_stream, which then has written whole sentences; NULL */
} dd_parse_options;

DD_API void dd_parse_options_init_size(dd_parse_options *options, size_t size);
static inline void dd_parse_options_init(dd_parse_options *options)
{
    dd_parse_options_init_size(options, sizeof *options);
}
/* Parses each sentence as dd_parser_parse does; some models parse batches faster. options may be
 * NULL: the defaults. Only scores, beam, nbest, tag, max_words and tidy are used. *done: how many
 * are parsed. On failure sentences[*done] is the one that cannot be parsed. Those after it may
 * have been tagged; call again with them to continue.
 */
DD_API dd_status dd_parser_parse_batch(dd_parser *parser, dd_sentence *const *sentences,
                                       size_t count, const dd_parse_options *options, size_t *done,
                                       dd_error *error);

/* =============================================================================================
 * 3  Streams
 * =============================================================================================
 * From readers, through any number of threads, to writers.
 */

/* ---- reading and writing --------------------------------------------------------------------- */

/* A path that is NULL or "-" is standard input or output. Files in gzip or Zstandard format are
 * recognised by their first bytes when read, and made when the path ends in .gz or .zst. */
typedef struct dd_reader dd_reader;
typedef struct dd_writer dd_writer;

/* A file in CoNLL-U or CoNLL-X; DD_ERROR_ARGUMENT: `format` is neither of them, nor auto. */
DD_API dd_status dd_reader_open(dd_reader **out, const char *path, dd_format format,
                                dd_error *error);
/* The bytes are not copied; they must outlive the reader. `name` is used in messages. */
DD_API dd_status dd_reader_open_memory(dd_reader **out, const char *name, dd_text bytes,
                                       dd_format format, dd_error *error);
/* The parts of plain text that are given, which the model does not have to find. Sentences are
 * lines, and tokens or words have white space between them, or in DD_FORMAT_VERTICAL a line each.
 * */
typedef enum dd_given {
    DD_GIVEN_AUTO = 0, /* text; of DD_FORMAT_VERTICAL and CoNLL, words */
    DD_GIVEN_TEXT,
    DD_GIVEN_SENTENCES,
    DD_GIVEN_TOKENS, /* the model splits multiword tokens */
    DD_GIVEN_WORDS,  /* no tokenizer is needed */
} dd_given;

/* Where paragraphs of running text end, which sentences never cross. */
typedef enum dd_paragraphs {
    DD_PARAGRAPHS_AUTO = 0, /* by the first lines: their lengths, ends and beginnings */
    DD_PARAGRAPHS_BLANK,    /* at an empty line: the text is wrapped */
    DD_PARAGRAPHS_LINE,     /* at the end of each line */
} dd_paragraphs;

typedef struct dd_input_options {
    size_t size; /* set by dd_input_options_init, with the defaults */
    /* Auto: by the file's name, where .txt is text, or if that is not enough by its first lines;
     * if the model has no tokenizer, CoNLL unless the first has no columns. */
    dd_format format;
    dd_given given;
    bool ranges; /* add TokenRange=START:END to MISC: characters of the file, from 0 */
    void *user;  /* of the functions here */
    /* Called for each place in plain text that is not valid UTF-8 or is NUL, and is replaced by
     * U+FFFD; may be NULL. */
    void (*broken)(void *user, const dd_error *error);
    /* For programs that join files; both are copied. DD_ERROR_ARGUMENT: one is empty, or has
     * control characters. */
    const char *document; /* NULL; else the first sentence says `# newdoc id = `, unless it begins
                             a document already, or is CoNLL-X */
    const char *prefix;   /* NULL; else the sentences of plain text are PREFIX-1, PREFIX-2, .. */
    dd_paragraphs paragraphs;
    /* Called once where DD_PARAGRAPHS_AUTO had to decide, with the reader's name and what it took;
     * may be NULL. */
    void (*decided)(void *user, const char *name, dd_paragraphs taken);
    /* Of documents in JSON lines; both are copied, and may lead into objects, as in "a.b". */
    const char *field; /* that has the text; NULL: text */
    const char *id;    /* that has the id, a string or a number; NULL: id, if there is such a field,
                          else the number of the line */
    /* The encoding of the input, as iconv names it: "latin1". NULL: UTF-8, or UTF-16 if the input
     * begins with its byte order mark. It is copied. DD_ERROR_ARGUMENT: it is not known. */
    const char *encoding;
    /* Files, one form or /pattern/ a line, which are read when the reader is opened; they add to
     * the lists of the model. DD_ERROR_FORMAT: a line is wrong; the message tells where. See
     * docs/text.md. */
    const char *keep_tokens;   /* NULL; else tokens of plain text that are never split */
    const char *abbreviations; /* NULL; else tokens after which no sentence ends merely because of
                                  their full stop */
} dd_input_options;

DD_API void dd_input_options_init_size(dd_input_options *options, size_t size);
static inline void dd_input_options_init(dd_input_options *options)
{
    dd_input_options_init_size(options, sizeof *options);
}
/* Fills `data` with 1 to `size` bytes and sets *got to their number. 0 bytes, or DD_END, is the
 * end. Any other status but DD_OK is an error, which the reader returns together with `error`. The
 * function is not called again after the end or an error. */
typedef dd_status dd_read_function(void *user, char *data, size_t size, size_t *got,
                                   dd_error *error);
/* Where a reader gets its bytes; all of it must outlive the reader. */
typedef enum dd_input_origin {
    DD_INPUT_FILE = 0,
    DD_INPUT_BYTES,
    DD_INPUT_FUNCTION,
    DD_INPUT_DESCRIPTOR,
} dd_input_origin;

typedef struct dd_input {
    dd_input_origin kind;
    const char *name;       /* path of the file; of the others what messages call it, and its ending
                               decides for DD_FORMAT_AUTO; may be NULL */
    dd_text bytes;          /* of DD_INPUT_BYTES; they are not copied */
    dd_read_function *read; /* of DD_INPUT_FUNCTION: called by whoever calls the reader, or by a
                               thread of dd_parse_stream, and never twice at once */
    void *user;             /* of `read` */
    int file;               /* of DD_INPUT_DESCRIPTOR: a file, pipe or socket, which stays open */
} dd_input;

/* Reads CoNLL, or plain text or documents in JSON lines, which the model's tokenizer splits into
 * sentences and words; see docs/text.md and docs/input.md. The model must outlive the reader. If
 * it is NULL or has no tokenizer, plain text is refused with DD_ERROR_DATA. options may be NULL:
 * the defaults. */
DD_API dd_status dd_reader_open_input(dd_reader **out, const dd_model *model, const dd_input *from,
                                      const dd_input_options *options, dd_error *error);
/* DD_OK: a sentence. DD_END: none left. DD_ERROR_FORMAT: this sentence breaks the rules; it holds
 * its raw bytes, no words, and can be written; the next call continues after it. */
DD_API dd_status dd_reader_next(dd_reader *reader, dd_sentence *sentence, dd_error *error);
/* Its path or name, for messages. */
DD_API const char *dd_reader_name(const dd_reader *reader);
DD_API void dd_reader_close(dd_reader *reader);
/* How many places in plain text were replaced so far. `first`, unless it is NULL, gets the place
 * and the reason of the first. */
DD_API uint64_t dd_reader_broken(const dd_reader *reader, dd_error *first);

/* A file is written beside its target and takes its place when the writer is closed, unless a write
 * failed; links are followed, and the mode of an older file is kept. */
DD_API dd_status dd_writer_open(dd_writer **out, const char *path, dd_error *error);
/* Writes to an open file, pipe or socket, and does not close it. `name`, which may be NULL, is
 * used in messages; if it ends in .gz or .zst, the output is compressed. */
DD_API dd_status dd_writer_open_fd(dd_writer **out, const char *name, int file, dd_error *error);
/* Must write all of the bytes, or return an error. */
typedef dd_status dd_write_function(void *user, dd_text bytes, dd_error *error);
/* A writer that hands bytes, in pieces of any size, to a function instead of a file. Once it has
 * failed it is not called again. */
DD_API dd_status dd_writer_open_to(dd_writer **out, dd_write_function *write, void *user,
                                   dd_error *error);
/* How sentences are written from now on: DD_FORMAT_AUTO, as at first, or DD_FORMAT_CONLLU, in the
 * CoNLL that they were read in, or DD_FORMAT_JSON, or DD_FORMAT_JSONL, where a document ends when
 * the next begins or the writer is closed, or with its line if it was read in that format.
 * DD_ERROR_ARGUMENT: any other. */
DD_API dd_status dd_writer_set_format(dd_writer *writer, dd_format format, dd_error *error);
DD_API dd_status dd_writer_write(dd_writer *writer, dd_text bytes, dd_error *error);
DD_API dd_status dd_writer_sentence(dd_writer *writer, const dd_sentence *sentence,
                                    dd_error *error);
/* Sends all output so far to the pipe, terminal or function, which otherwise gets it in large
 * pieces. A file appears only when the writer is closed. */
DD_API dd_status dd_writer_flush(dd_writer *writer, dd_error *error);
/* Flushes the rest, closes the file and frees the writer, also on failure. */
DD_API dd_status dd_writer_close(dd_writer *writer, dd_error *error);
/* Frees the writer without replacing the target file, when the output is incomplete. Standard
 * output, pipes, devices and functions get the rest of the output, since it cannot be taken back.
 * */
DD_API void dd_writer_drop(dd_writer *writer);

/* ---- from a reader to a writer --------------------------------------------------------------- */

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

DD_API void dd_parse_report_init_size(dd_parse_report *report, size_t size, const dd_model *model);
static inline void dd_parse_report_init(dd_parse_report *report, const dd_model *model)
{
    dd_parse_report_init_size(report, sizeof *report, model);
}
/* Parses all sentences of the reader, with any number of threads, and writes them in their order.
 * Adds to the report, so one report can be used for several files; initialise it with
 * dd_parse_report_init. */
DD_API dd_status dd_parse_stream(const dd_model *model, dd_reader *reader, dd_writer *writer,
                                 const dd_parse_options *options, dd_parse_report *report,
                                 dd_error *error);

/* =============================================================================================
 * 4  Training
 * =============================================================================================
 * From treebanks to a model.
 */

/* ---- settings -------------------------------------------------------------------------------- */

/* `dodona train --help` and dodona-train(1) list the settings and their values; dodona_tools.h has
 * them as a table. */
typedef struct dd_settings dd_settings;

/* All settings have their defaults. */
DD_API dd_status dd_settings_new(dd_settings **out, dd_error *error);
DD_API void dd_settings_free(dd_settings *settings);
/* The value is copied; NULL restores the default. Flags are "yes" or "no". DD_ERROR_ARGUMENT:
 * "NAME: reason" if the value is not valid, or there is no such setting; then the message suggests
 * a similar name. The setting is then unchanged. */
DD_API dd_status dd_settings_set(dd_settings *settings, const char *name, const char *value,
                                 dd_error *error);
/* The value as it was set, or the default; NULL if the default depends on other settings, or there
 * is none, or no such setting. `settings` may be NULL: the defaults. */
DD_API const char *dd_settings_get(const dd_settings *settings, const char *name);

/* ---- training -------------------------------------------------------------------------------- */

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
    double cpu_seconds; /* as `seconds`, but CPU time instead of wall time */
} dd_train_progress;

/* What will be trained; reported once, before training. */
typedef struct dd_train_plan {
    uint32_t components; /* each as a bit */
    uint32_t impossible; /* those left out because the treebank lacks their training data: text,
                            tags or lemmas */
    int folds;           /* of jackknifing; 0: the parser learns from the treebank's own tags */
    uint64_t sentences, words;   /* of the treebank */
    uint64_t nonprojective;      /* its trees that are not projective; 0 if the system is that of a
                                    model to start from */
    const char *system, *scorer; /* NULL without a parser */
    bool chosen;                 /* the system by its treebank */
    double seconds; /* estimated time of the whole training on the CPU of an ordinary computer */
    /* Of these, the seconds of each stage, in the order of the stages; 0: there is no such stage.
     */
    double tokenizer_seconds, tagger_seconds, lemmatizer_seconds, folds_seconds, parser_seconds;
} dd_train_plan;

/* How many sentences are used, and how many are not and why; reported once before training. */
typedef struct dd_train_data {
    uint64_t sentences, words;
    uint64_t skipped;        /* trees that the system cannot build */
    uint64_t lifted;         /* trees that it can build only because they were lifted */
    uint64_t bad;            /* malformed, skipped with skip_bad */
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
    uint64_t whole; /* trees that the system cannot build, whose losses are counted against the
                       whole tree (unbuildable=whole) */
    uint64_t soft;  /* sentences, silver ones too, whose heads have probabilities (soft) */
} dd_train_data;

/* Progress of a component other than the parser; reported after each iteration, and about ten
 * times a second during longer ones. */
typedef struct dd_component_progress {
    dd_component component;
    int iteration, iterations; /* 1.. */
    double accuracy; /* share, 0 to 1, of the decisions that were right before they were learnt */
    int fold, folds; /* of jackknifing, the fold from 1; 0: this is the component itself */
    bool finished;   /* the iteration is */
    uint64_t examples, all_examples; /* of this iteration: learnt from so far, and in all */
    uint64_t words; /* learnt from in this iteration, silver ones too; counted by taggers only */
    double seconds; /* of this iteration */
    double seconds_left; /* until the component is trained, about */
    int part, parts;     /* from 1: a component may be learnt in several, each with iterations */
    double done;         /* share of the component's training, 0 to 1 */
} dd_component_progress;

/* Callbacks during training. Each may be NULL. */
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
    /* About the parser, for each sentence of which a part is kept: why, and how many arcs are left
     * out. */
    void (*in_part)(void *user, const char *file, uint64_t line, dd_text id, const char *reason,
                    int arcs);
    /* Warnings that do not stop training: a checkpoint could not be written. */
    void (*warn)(void *user, const dd_error *error);
    void (*plan)(void *user, const dd_train_plan *plan);
    /* Which kind of a component was chosen by its scores on the dev file, and these: the fact of
     * its name. Called before `component`. */
    void (*chosen)(void *user, dd_component component, const char *how);
} dd_train_watch;

/* No callbacks. */
DD_API void dd_train_watch_init_size(dd_train_watch *watch, size_t size);
static inline void dd_train_watch_init(dd_train_watch *watch)
{
    dd_train_watch_init_size(watch, sizeof *watch);
}

/* Training from partial trees: HEAD `_` means that the head is not known. Nothing is learnt from
 * such a word, and no head of it is wrong; `_` in DEPREL beside a head means that any
 * label is right (unless no word has a label). The nondet and dynamic oracles learn from such
 * trees, exactly; the static one refuses them. The system cannot build a sentence if it can build
 * no tree with its known heads; the setting `unbuildable` decides how such sentences are used.
 *
 * settings may be NULL: the defaults; watch may be NULL. dev_path may be NULL: then the last
 * iteration is kept instead of the best on dev. Returns DD_INTERRUPTED, with a model, when the
 * report callback stopped it, and with NULL when component_report did. DD_ERROR_ARGUMENT: settings
 * that contradict each other, with "NAME: reason" as above, or a loss that the system does not
 * have. */
DD_API dd_status dd_train(dd_model **out, const dd_settings *settings, const dd_train_watch *watch,
                          const char *const *train_paths, size_t n_train, const char *dev_path,
                          dd_error *error);

#ifdef __cplusplus
}
#endif
#endif
