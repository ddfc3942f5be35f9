/* dodona_tools.h - what programs need that offer the library to their own users
 *
 * `dodona` and the Python package are made with this header and dodona.h alone. The rules of
 * dodona.h hold here too.
 */
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

/* All that can be set of a parse, one row each: a program can make its options from the rows, as
 * `dodona parse`, `dodona corpus`, `dodona serve` and the Python package do. The value of a row is
 * a field of dd_input_options or dd_parse_options. */
typedef enum dd_option_stage {
    DD_STAGE_READ = 0, /* what a reader makes of the input: a field of dd_input_options */
    DD_STAGE_SENTENCE, /* the trees of each sentence; sentences are parsed in one batch only if
                          these options are the same */
    DD_STAGE_STREAM,   /* which sentences of a stream are written */
    DD_STAGE_RUN,      /* speed and delay; the output is the same */
} dd_option_stage;

typedef enum dd_option_kind {
    DD_OPTION_FLAG = 0, /* 0 or 1 */
    DD_OPTION_SWITCH,   /* 0: as the model says, 1: no, 2: yes */
    DD_OPTION_WHOLE,    /* low to high, or 0: the default */
} dd_option_kind;

/* Who offers an option to users, each as a bit. */
typedef enum dd_offer {
    DD_OFFER_PROGRAM = 1, /* dodona parse */
    DD_OFFER_CORPUS = 2,  /* dodona corpus, and dodona.corpus in Python */
    DD_OFFER_SERVER = 4,  /* dodona serve, as fields */
    DD_OFFER_PYTHON = 8,  /* models in Python, as keyword arguments */
} dd_offer;

typedef struct dd_parse_option {
    const char *name; /* "max-words" */
    char letter;      /* short form, 0: none */
    dd_option_kind kind;
    dd_option_stage stage;
    uint32_t offers;           /* bits of dd_offer */
    const char *value;         /* what stands for the value in a usage: "N"; NULL: it has none */
    const char *default_value; /* NULL: the help tells */
    const char *zero;          /* a word for the value 0, "auto"; NULL: none */
    int low, high;             /* of a whole number */
    const char *help;
    const char *no_name, *no_help; /* of a switch: its opposite, "no-tidy" */
} dd_parse_option;

/* The i-th option; NULL beyond the last. It belongs to the library. */
DD_API const dd_parse_option *dd_parse_option_at(size_t index);
/* Sets the option's field, which is in `input` or in `parse`. DD_ERROR_ARGUMENT: the value is out
 * of bounds; the field is then as it was. */
DD_API dd_status dd_parse_option_set(const dd_parse_option *option, int value,
                                     dd_input_options *input, dd_parse_options *parse,
                                     dd_error *error);
DD_API int dd_parse_option_get(const dd_parse_option *option, const dd_input_options *input,
                               const dd_parse_options *parse);
/* Whether a sentence gets the same trees with both, so that sentences of either can be parsed in
 * one batch: all options of DD_STAGE_SENTENCE have the same values. */
DD_API bool dd_parse_options_alike(const dd_parse_options *one, const dd_parse_options *other);

#ifdef __cplusplus
}
#endif
#endif
