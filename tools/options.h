/* options.h - a subcommand's options as a table: one row holds all there is to know of an option,
 * and reading, checking, defaults and help all work from that row. */
#ifndef TOOLS_OPTIONS_H
#define TOOLS_OPTIONS_H

#include "dodona_tools.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum option_kind {
    OPTION_FLAG = 0, /* bool */
    OPTION_WHOLE,    /* int64_t within low..high, or 0 for the only choice, if there is one */
    OPTION_REAL,     /* double within low..high */
    OPTION_STRING,   /* const char *, never empty */
    OPTION_CHOICE,   /* int: the index in choices */
    OPTION_SYSTEM,   /* const char *: a registered transition system */
    OPTION_SCORER,   /* const char *: a scorer */
    OPTION_STRINGS,  /* option_list: each value given, none of them empty */
    OPTION_FORMAT,   /* int: a dd_format, of those that `formats` names */
    OPTION_SETTINGS, /* dd_settings *, made by the subcommand: an option for each setting of the
                        library stands in the place of this row */
    OPTION_PARSING,  /* parsing: an option for each row of the library that `offers` names stands in
                        the place of this row */
} option_kind;

/* Values of an option that may be given several times, in their order. */
typedef struct option_list {
    const char **at; /* [count] to be freed; views of argv */
    size_t count, capacity;
} option_list;

typedef enum option_formats { FORMATS_CONLL = 0, FORMATS_READ, FORMATS_WRITTEN } option_formats;

/* How to read and parse, and which of the library's options tell so. */
typedef struct parsing {
    dd_input_options input;
    dd_parse_options how;
    bool decides; /* an option was given that decides about the output */
} parsing;

typedef struct option {
    const char *name; /* without its dashes */
    char letter;      /* short form, 0: none */
    option_kind kind;
    size_t target;              /* offset in the subcommand's struct of arguments */
    const char *value;          /* the value's name in help: "FILE" */
    const char *default_value;  /* as the user would write it; NULL: none (false, 0, NULL) */
    int64_t low, high;          /* of OPTION_WHOLE and OPTION_REAL */
    const char *const *choices; /* of OPTION_CHOICE and OPTION_WHOLE, ends with NULL */
    bool required;              /* OPTION_STRING only */
    const char *help;
    option_formats formats;       /* of OPTION_FORMAT */
    uint32_t offers;              /* of OPTION_PARSING: bits of dd_offer */
    const dd_setting *setting;    /* what the row was made of; NULL: it is the program's own */
    const dd_parse_option *parse; /* what the row was made of; NULL: it is the program's own */
    bool opposite;                /* of a switch among these: '--no-NAME' */
} option;

typedef struct operands {
    const char *const *at; /* views of argv */
    size_t count;
} operands;

/* What options_read returns if the subcommand is to continue; any other value is the exit
 * status. */
enum { OPTIONS_GO = -1 };

struct command;

/* The i-th option, with one for each setting; false beyond the last. */
bool option_at(const struct command *self, size_t index, option *out);
/* The i-th value that it takes; NULL beyond the last, and if any value is allowed. */
const char *option_choice(const option *row, size_t index);

/* Reads the words behind the subcommand's name into `arguments`, the struct that the rows' targets
 * point into (fields without a row stay as they are), and the operands. Says what is wrong, and
 * answers --help. Where the subcommand asks for no operand, none means standard input: "-". */
int options_read(const struct command *self, int argc, char **argv, void *arguments,
                 operands *files);

/* Says what a call of the library reported, of a setting as of an option; returns the exit status.
 */
int options_say_error(const struct command *self, const dd_error *error);

/* Rows that several subcommands share. */
extern const char *const option_reports[]; /* in the order of option_report */
typedef enum option_report { REPORT_TEXT, REPORT_JSON } option_report;
extern const char *const option_yes_no[]; /* no, yes */
extern const char *const option_auto[];   /* auto, of a number: 0 */
/* clang-format off */
#define OPTION_ROW_FROM(at)                                                                        \
    {.name = "from", .letter = 'f', .kind = OPTION_FORMAT, .target = (at), .value = "FORMAT",      \
     .default_value = "auto", .formats = FORMATS_CONLL,                                            \
     .help = "format of the files; auto reads .conll and .conllx as CoNLL-X, all other names as "  \
             "CoNLL-U"}
#define OPTION_ROW_FROM_ANY(at)                                                                    \
    {.name = "from", .letter = 'f', .kind = OPTION_FORMAT, .target = (at), .value = "FORMAT",      \
     .default_value = "auto", .formats = FORMATS_READ,                                             \
     .help = "format of the files: CoNLL-U, CoNLL-X, running text, one token per line with empty " \
             "lines between sentences, or documents, one JSON object per line; auto decides from " \
             "the name (.conllu, .conll, .conllx, .txt, .jsonl, .ndjson), then from the first "    \
             "lines, and refuses text if the model has no tokenizer"}
#define OPTION_ROW_MODEL(at)                                                                       \
    {.name = "model", .letter = 'm', .kind = OPTION_STRING, .target = (at), .value = "MODEL",      \
     .help = "model: a file that 'dodona train' made, or a name or language that 'dodona models' " \
             "lists; default: what $DODONA_MODEL names, or english"}
#define OPTION_ROW_TO_SENTENCES(at)                                                                \
    {.name = "to", .letter = 't', .kind = OPTION_FORMAT, .target = (at), .value = "FORMAT",        \
     .default_value = "conllu", .formats = FORMATS_WRITTEN,                                        \
     .help = "format of the output: CoNLL-U (CoNLL-X if that is read), or one JSON object per "    \
             "line: per sentence (json) or per document (jsonl)"}
#define OPTION_ROW_LOSS(at)                                                                        \
    {.name = "loss", .kind = OPTION_STRING, .target = (at), .value = "LOSS",                       \
     .help = "which loss to use if the system has several: covington-nm has upper (its default), " \
             "lower, pc-upper and exact"}
#define OPTION_ROW_OUTPUT(at)                                                                      \
    {.name = "output", .letter = 'o', .kind = OPTION_STRING, .target = (at), .value = "FILE",      \
     .default_value = "-", .help = "where to write; compressed if the name ends in .gz or .zst"}
#define OPTION_ROW_QUIET(at)                                                                       \
    {.name = "quiet", .letter = 'q', .kind = OPTION_FLAG, .target = (at),                          \
     .help = "print no progress, notes or warnings"}
#define OPTION_ROW_SEED(at, what)                                                                  \
    {.name = "seed", .kind = OPTION_WHOLE, .target = (at), .value = "N", .default_value = "1",            \
     .high = INT64_MAX, .help = what}
#define OPTION_ROW_SINGLE_ROOT(at)                                                                 \
    {.name = "single-root", .kind = OPTION_CHOICE, .target = (at), .value = "RULE",                \
     .default_value = "no", .choices = option_yes_no,                                                     \
     .help = "whether only one word may depend on 0"}
#define OPTION_ROW_SENTENCE(at, what)                                                              \
    {.name = "sentence", .letter = 's', .kind = OPTION_STRING, .target = (at), .value = "ID",      \
     .help = what " only the sentence with this sent_id, or at this position if it has none"}
#define OPTION_ROW_SKIP_BAD(at)                                                                    \
    {.name = "skip-bad", .kind = OPTION_FLAG, .target = (at),                                      \
     .help = "skip malformed sentences instead of stopping, and count them"}
#define OPTION_ROW_SYSTEM(at, otherwise, what)                                                        \
    {.name = "system", .kind = OPTION_SYSTEM, .target = (at), .value = "SYSTEM",                   \
     .default_value = otherwise, .help = what}
#define OPTION_ROW_TO(at)                                                                          \
    {.name = "to", .letter = 't', .kind = OPTION_CHOICE, .target = (at), .value = "FORMAT",        \
     .default_value = "text", .choices = option_reports,                                           \
     .help = "format of the output: a table, or JSON"}
#define OPTION_ROW_VERBOSE(at, what)                                                               \
    {.name = "verbose", .kind = OPTION_FLAG, .target = (at), .help = what}
/* clang-format on */

#endif
