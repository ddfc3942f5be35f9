/* parse_rows.h - rows of the options that tell how to parse, for all subcommands that do */
#ifndef TOOLS_PARSE_ROWS_H
#define TOOLS_PARSE_ROWS_H

#include "options.h"

#include <limits.h>

enum { TO_CONLLU, TO_JSON };
extern const char *const parse_outputs[]; /* in that order */

/* clang-format off */
#define PARSE_ROW_MODEL(at)                                                                        \
    {.name = "model",                                                                              \
     .letter = 'm',                                                                                \
     .kind = OPTION_STRING,                                                                        \
     .target = (at),                                                                               \
     .value = "MODEL",                                                                             \
     .help = "model: a file that 'dodona train' made, or a name or language that 'dodona models' " \
             "lists; default: what $DODONA_MODEL names, or english"}
#define PARSE_ROW_TO(at)                                                                           \
    {.name = "to",                                                                                 \
     .letter = 't',                                                                                \
     .kind = OPTION_CHOICE,                                                                        \
     .target = (at),                                                                               \
     .value = "FORMAT",                                                                            \
     .default_value = "conllu",                                                                    \
     .choices = parse_outputs,                                                                     \
     .help = "format of the output: CoNLL-U (CoNLL-X if that is read), or one JSON object per "    \
             "sentence and line"}
#define PARSE_ROW_PRESEGMENTED(at)                                                                 \
    {.name = "presegmented",                                                                       \
     .kind = OPTION_FLAG,                                                                          \
     .target = (at),                                                                               \
     .help = "plain text has one sentence per line"}
#define PARSE_ROW_RANGES(at)                                                                       \
    {.name = "ranges",                                                                             \
     .kind = OPTION_FLAG,                                                                          \
     .target = (at),                                                                               \
     .help = "add TokenRange=START:END to the MISC of tokens from plain text, in characters of "   \
             "the file, from 0"}
#define PARSE_ROW_TAG(at)                                                                          \
    {.name = "tag",                                                                                \
     .kind = OPTION_FLAG,                                                                          \
     .target = (at),                                                                               \
     .help = "with the model's tagger and lemmatizer, replace the tags and lemmas that the input " \
             "has; default: only sentences without any get them"}
#define PARSE_ROW_THREADS(at)                                                                      \
    {.name = "threads",                                                                            \
     .letter = 'j',                                                                                \
     .kind = OPTION_WHOLE,                                                                         \
     .target = (at),                                                                               \
     .value = "N",                                                                                 \
     .default_value = "1",                                                                         \
     .low = 1,                                                                                     \
     .high = DD_MAX_THREADS,                                                                       \
     .choices = option_auto,                                                                       \
     .help = "sentences parsed at the same time; their order is kept; auto: as many as the process "\
             "may use"}
#define PARSE_ROW_BEAM(at)                                                                         \
    {.name = "beam",                                                                               \
     .kind = OPTION_WHOLE,                                                                         \
     .target = (at),                                                                               \
     .value = "N",                                                                                 \
     .low = 1,                                                                                     \
     .high = DD_MAX_BEAM,                                                                          \
     .help = "derivations kept side by side, 1 for greedy parsing; default: the beam that the "    \
             "model was trained with"}
#define PARSE_ROW_NBEST(at)                                                                        \
    {.name = "nbest",                                                                              \
     .kind = OPTION_WHOLE,                                                                         \
     .target = (at),                                                                               \
     .value = "K",                                                                                 \
     .low = 1,                                                                                     \
     .high = DD_MAX_BEAM,                                                                          \
     .help =                                                                                       \
         "write up to K different trees per sentence, the best first, with the comments '# nbest' "\
         "and '# score'; at most as many as the beam is wide"}
#define PARSE_ROW_MAX_WORDS(at)                                                                    \
    {.name = "max-words",                                                                          \
     .kind = OPTION_WHOLE,                                                                         \
     .target = (at),                                                                               \
     .value = "N",                                                                                 \
     .low = 1,                                                                                     \
     .high = INT_MAX,                                                                              \
     .help = "cut sentences of more words after punctuation, parse the pieces and join their "     \
             "trees; default: 2000 with covington and lr-spine, 1000 with covington-nm, which take "\
             "quadratic time, any number with others"}
#define PARSE_ROW_TIDY(at)                                                                         \
    {.name = "tidy",                                                                               \
     .kind = OPTION_FLAG,                                                                          \
     .target = (at),                                                                               \
     .help = "keep to what Universal Dependencies ask of every tree: no word depends on "          \
             "punctuation, and none has two subjects or objects; default: as the model says"}
#define PARSE_ROW_NO_TIDY(at)                                                                      \
    {.name = "no-tidy",                                                                            \
     .kind = OPTION_FLAG,                                                                          \
     .target = (at),                                                                               \
     .help = "do not, whatever the model says"}
#define PARSE_ROW_SCORES(at)                                                                       \
    {.name = "scores",                                                                             \
     .kind = OPTION_FLAG,                                                                          \
     .target = (at),                                                                               \
     .help = "add the margin of each word's attachment to MISC as Score=, and if it is known the " \
             "probability that head and label are right as Prob="}
#define PARSE_ROW_SKIP_BAD(at)                                                                     \
    {.name = "skip-bad",                                                                           \
     .kind = OPTION_FLAG,                                                                          \
     .target = (at),                                                                               \
     .help = "copy sentences that are malformed or whose constraints cannot hold to the output "   \
             "unchanged, and count them, instead of stopping"}
/* clang-format on */

#endif
