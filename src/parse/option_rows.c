#include "parse/option_rows.h"

#include "core/status.h"

#include <limits.h>
#include <string.h>

typedef struct option_row {
    dd_parse_option is;
    size_t field, field_size; /* where, and how many bytes: those of a bool, an int or an enum */
} option_row;

#define INPUT(name) offsetof(dd_input_options, name), sizeof(((dd_input_options *)0)->name)
#define PARSE(name) offsetof(dd_parse_options, name), sizeof(((dd_parse_options *)0)->name)
enum {
    COMMANDS = DD_OFFER_PROGRAM | DD_OFFER_CORPUS,
    BINDINGS = DD_OFFER_PYTHON | DD_OFFER_R,
    EVERYONE = COMMANDS | DD_OFFER_SERVER | BINDINGS,
};

static const char *const given[] = {"auto", "text", "sentences", "tokens", "words", NULL};
static const char *const paragraphs[] = {"auto", "blank", "line", NULL};

/* clang-format off */
static const option_row rows[] = {
    {{.name = "given", .kind = DD_OPTION_CHOICE, .stage = DD_STAGE_READ, .offers = EVERYONE,
      .value = "WHAT", .default_value = "auto", .choices = given,
      .help = "what plain text already shows, so that the model need not find it: nothing "
              "(text); sentences, one per line; also tokens, with white space between them, of "
              "which the model splits multiword tokens into words; or words; auto: words in "
              "vertical text, nothing in other text"},
     INPUT(given)},
    {{.name = "paragraphs", .kind = DD_OPTION_CHOICE, .stage = DD_STAGE_READ, .offers = EVERYONE,
      .value = "WHERE", .default_value = "auto", .choices = paragraphs,
      .help = "where paragraphs of running text end: at empty lines, as in wrapped text "
              "(blank), or at each line end (line); auto decides from the first lines; no "
              "sentence goes beyond its paragraph"},
     INPUT(paragraphs)},
    {{.name = "ranges", .kind = DD_OPTION_FLAG, .stage = DD_STAGE_READ,
      .offers = COMMANDS | DD_OFFER_SERVER | DD_OFFER_PYTHON,
      .help = "add TokenRange=START:END to the MISC of tokens from plain text: their place in "
              "the file, in characters from 0"},
     INPUT(ranges)},
    {{.name = "field", .kind = DD_OPTION_TEXT, .stage = DD_STAGE_READ,
      .offers = COMMANDS | DD_OFFER_SERVER, .value = "NAME",
      .help = "the field of documents in JSON lines that has the text; a.b is the field b of "
              "the object a; default: text"},
     INPUT(field)},
    {{.name = "id", .kind = DD_OPTION_TEXT, .stage = DD_STAGE_READ,
      .offers = COMMANDS | DD_OFFER_SERVER, .value = "NAME",
      .help = "the field of documents in JSON lines that has the id; default: id, or the number "
              "of the line if there is none"},
     INPUT(id)},
    {{.name = "encoding", .kind = DD_OPTION_TEXT, .stage = DD_STAGE_READ, .offers = COMMANDS,
      .value = "NAME",
      .help = "encoding of the input, such as latin1, as 'iconv -l' lists them; default: UTF-8, or "
              "UTF-16 if there is a byte order mark"},
     INPUT(encoding)},
    {{.name = "keep-tokens", .kind = DD_OPTION_TEXT, .stage = DD_STAGE_READ,
      .offers = DD_OFFER_PROGRAM | BINDINGS, .value = "FILE",
      .help = "file of tokens that are never split in plain text, in addition to those in the "
              "model: one per line, literally or as a /regular expression/ for whole tokens"},
     INPUT(keep_tokens)},
    {{.name = "abbreviations", .kind = DD_OPTION_TEXT, .stage = DD_STAGE_READ,
      .offers = DD_OFFER_PROGRAM | BINDINGS, .value = "FILE",
      .help = "such a file of tokens of plain text after which no sentence ends merely because "
              "of their full stop, in addition to those in the model"},
     INPUT(abbreviations)},
    {{.name = "tag", .kind = DD_OPTION_FLAG, .stage = DD_STAGE_SENTENCE, .offers = EVERYONE,
      .help = "replace tags and lemmas in the input by those of the model; default: annotate only "
              "sentences that have none"},
     PARSE(tag)},
    {{.name = "tidy", .kind = DD_OPTION_SWITCH, .stage = DD_STAGE_SENTENCE, .offers = EVERYONE,
      .help = "build only trees that keep two rules of Universal Dependencies: no word depends on "
              "punctuation, and no word has two subjects or two objects; default: as the model says",
      .no_name = "no-tidy", .no_help = "do not keep these rules, whatever the model says"},
     PARSE(tidy)},
    {{.name = "scores", .kind = DD_OPTION_FLAG, .stage = DD_STAGE_SENTENCE, .offers = EVERYONE,
      .help = "add to MISC the margin of each word's attachment as Score=, and, if the model "
              "knows it, the probability that head and label are right as Prob="},
     PARSE(scores)},
    {{.name = "skip-bad", .kind = DD_OPTION_FLAG, .stage = DD_STAGE_STREAM, .offers = COMMANDS,
      .help = "copy sentences that are malformed or whose constraints cannot hold to the output "
              "unchanged, and count them, instead of stopping"},
     PARSE(skip_bad)},
    {{.name = "beam", .kind = DD_OPTION_WHOLE, .stage = DD_STAGE_SENTENCE, .offers = EVERYONE,
      .value = "N", .low = 1, .high = DD_MAX_BEAM,
      .help = "derivations kept in the beam, 1 for greedy parsing; default: the beam that the "
              "model was trained with"},
     PARSE(beam)},
    {{.name = "nbest", .kind = DD_OPTION_WHOLE, .stage = DD_STAGE_SENTENCE,
      .offers = COMMANDS | DD_OFFER_SERVER, .value = "K", .low = 1, .high = DD_MAX_BEAM,
      .help = "write up to K different trees per sentence, the best first, with the comments '# "
              "nbest' and '# score'; K cannot exceed the beam"},
     PARSE(nbest)},
    {{.name = "max-words", .kind = DD_OPTION_WHOLE, .stage = DD_STAGE_SENTENCE,
      .offers = COMMANDS | BINDINGS, .value = "N", .low = 1, .high = INT_MAX,
      .help = "split sentences of more words after punctuation, parse the pieces and join their "
              "trees; default: 2000 with covington, pointer, lr-spine and graph, 1000 with "
              "covington-nm, as these take quadratic time; no limit with others"},
     PARSE(max_words)},
    {{.name = "threads", .letter = 'j', .kind = DD_OPTION_WHOLE, .stage = DD_STAGE_RUN,
      .offers = COMMANDS | DD_OFFER_R, .value = "N", .default_value = "1", .zero = "auto", .low = 1,
      .high = DD_MAX_THREADS,
      .help = "sentences parsed at the same time; their order is kept; auto: as many as the process "
              "may use"},
     PARSE(threads)},
    {{.name = "unbuffered", .kind = DD_OPTION_FLAG, .stage = DD_STAGE_RUN,
      .offers = DD_OFFER_PROGRAM,
      .help = "write each sentence as soon as it is parsed; default: write sentences in batches, "
              "unless no more input is waiting on a terminal or pipe"},
     PARSE(unbuffered)},
};
/* clang-format on */
enum { ROWS = sizeof rows / sizeof *rows };

const dd_parse_option *dd_parse_option_at(size_t index)
{
    return index < ROWS ? &rows[index].is : NULL;
}

/* Rows are handed out, so that each option is the first field of its row. */
static const option_row *row_of(const dd_parse_option *option)
{
    return (const option_row *)(const void *)option;
}

/* NULL: the program's struct is of an older version, which has no such field. */
static char *find_field(const option_row *row, const dd_input_options *input,
                        const dd_parse_options *parse)
{
    bool reads = row->is.stage == DD_STAGE_READ;
    const char *at = reads ? (const char *)input : (const char *)parse;
    size_t size = reads ? input->size : parse->size;
    return row->field + row->field_size <= size ? (char *)at + row->field : NULL;
}

static int get(const option_row *row, const dd_input_options *input, const dd_parse_options *parse)
{
    const char *field = find_field(row, input, parse);
    int value = 0;
    if (!field || row->is.kind == DD_OPTION_TEXT) return 0;
    if (row->field_size == sizeof(bool)) return *(const bool *)field;
    memcpy(&value, field, sizeof value);
    return value;
}

static int highest(const dd_parse_option *option)
{
    switch (option->kind) {
    case DD_OPTION_FLAG: return 1;
    case DD_OPTION_SWITCH: return DD_TIDY_YES;
    case DD_OPTION_TEXT: return 0;
    case DD_OPTION_WHOLE: return option->high;
    case DD_OPTION_CHOICE: break;
    }
    int count = 0;
    while (option->choices[count]) count++;
    return count - 1;
}

/* 0 is the default of all. */
static dd_status check(const dd_parse_option *option, int value, dd_error *error)
{
    int high = highest(option);
    if (value == 0 || (value >= option->low && value <= high)) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT, "%s must lie between 0 and %d; it is %d", option->name,
                   high, value);
}

dd_status dd_parse_option_set(const dd_parse_option *option, int value, dd_input_options *input,
                              dd_parse_options *parse, dd_error *error)
{
    const option_row *row = row_of(option);
    char *field = find_field(row, input, parse);
    dd_status status = check(option, value, error);
    if (status != DD_OK) return status;
    if (!field)
        return dd_fail(error, DD_ERROR_ARGUMENT,
                       "%s is newer than the options struct of the program", option->name);
    if (row->field_size == sizeof(bool))
        *(bool *)field = value != 0;
    else
        memcpy(field, &value, sizeof value);
    return DD_OK;
}

dd_status dd_parse_option_set_text(const dd_parse_option *option, const char *text,
                                   dd_input_options *input, dd_parse_options *parse,
                                   dd_error *error)
{
    char *field = find_field(row_of(option), input, parse);
    if (option->kind != DD_OPTION_TEXT || (text && !*text))
        return dd_fail(error, DD_ERROR_ARGUMENT, "%s must not be %s", option->name,
                       option->kind == DD_OPTION_TEXT ? "empty" : "a text");
    if (!field)
        return dd_fail(error, DD_ERROR_ARGUMENT,
                       "%s is newer than the options struct of the program", option->name);
    memcpy(field, &text, sizeof text);
    return DD_OK;
}

const char *dd_parse_option_text(const dd_parse_option *option, const dd_input_options *input,
                                 const dd_parse_options *parse)
{
    const char *field = find_field(row_of(option), input, parse), *text = NULL;
    if (field && option->kind == DD_OPTION_TEXT) memcpy(&text, field, sizeof text);
    return text;
}

int dd_parse_option_get(const dd_parse_option *option, const dd_input_options *input,
                        const dd_parse_options *parse)
{
    return get(row_of(option), input, parse);
}

bool dd_parse_options_alike(const dd_parse_options *one, const dd_parse_options *other)
{
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].is.stage == DD_STAGE_SENTENCE &&
            get(&rows[i], NULL, one) != get(&rows[i], NULL, other))
            return false;
    return true;
}

dd_status dd_parse_options_check(const dd_parse_options *parse, dd_error *error)
{
    dd_status status = DD_OK;
    for (size_t i = 0; i < ROWS && status == DD_OK; i++)
        if (rows[i].is.stage != DD_STAGE_READ)
            status = check(&rows[i].is, get(&rows[i], NULL, parse), error);
    return status;
}
