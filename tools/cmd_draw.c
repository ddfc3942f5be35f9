/* cmd_draw.c - draws trees: for the terminal, for pages and for papers. */
#include "cmd.h"
#include "input.h"
#include "output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

typedef struct arguments {
    const char *gold, *sentence, *output;
    int64_t width;
    int from, to, direction, colour;
    bool one_row, no_tags, no_constraints, no_enhanced, skip_bad, verbose, quiet;
} arguments;

/* In the order of dd_draw_format and dd_draw_direction. */
static const char *const formats[] = {"text", "svg", "html", "tikz", "dot", NULL};
static const char *const directions[] = {"auto", "ltr", "rtl", NULL};
enum { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
static const char *const colours[] = {"auto", "always", "never", NULL};

#define AT(field) offsetof(arguments, field)
/* clang-format off */
static const option options[] = {
    OPTION_ROW_FROM(AT(from)),
    {.name = "to", .letter = 't', .kind = OPTION_CHOICE, .target = AT(to),
     .value = "FORMAT", .default_value = "text", .choices = formats,
     .help = "format of the output; an svg holds one sentence, see --sentence"},
    {.name = "gold", .letter = 'g', .kind = OPTION_STRING, .target = AT(gold), .value = "GOLD",
     .help = "file with the correct trees of the same sentences: wrong arcs and labels are marked, "
             "correct arcs that are missing are drawn dashed"},
    OPTION_ROW_SENTENCE(AT(sentence), "draw"),
    {.name = "width", .letter = 'w', .kind = OPTION_WHOLE, .target = AT(width), .value = "N",
     .low = 40, .high = DD_DRAW_MAX_WIDTH,
     .help = "width of a row: columns for text, pixels for svg and html; default: that of the "
             "terminal, else 100 columns or 1000 pixels"},
    {.name = "one-row", .kind = OPTION_FLAG, .target = AT(one_row),
     .help = "never break a sentence into rows"},
    {.name = "direction", .kind = OPTION_CHOICE, .target = AT(direction), .value = "WAY",
     .default_value = "auto", .choices = directions,
     .help = "direction of the words; auto decides from the script of most letters"},
    {.name = "no-tags", .kind = OPTION_FLAG, .target = AT(no_tags),
     .help = "leave out the UPOS below the words"},
    {.name = "no-constraints", .kind = OPTION_FLAG, .target = AT(no_constraints),
     .help = "leave out the sentence's constraints"},
    {.name = "no-enhanced", .kind = OPTION_FLAG, .target = AT(no_enhanced),
     .help = "leave out empty nodes and the enhanced arcs of DEPS"},
    {.name = "colour", .kind = OPTION_CHOICE, .target = AT(colour), .value = "WHEN",
     .default_value = "auto", .choices = colours,
     .help = "colours in text; auto: if the output is a terminal and NO_COLOR is not set"},
    OPTION_ROW_SKIP_BAD(AT(skip_bad)),
    OPTION_ROW_OUTPUT(AT(output)),
    OPTION_ROW_VERBOSE(AT(verbose), "name each malformed sentence that is skipped"),
    OPTION_ROW_QUIET(AT(quiet)),
};
/* clang-format on */
#undef AT

typedef struct drawer {
    const arguments *args;
    dd_drawing *drawing;
    output *out;
    const char *file; /* that is being read */
    dd_reader *gold;  /* NULL: none */
    dd_sentence *gold_sentence;
    uint64_t drawn;
} drawer;

/* ---- one sentence ------------------------------------------------------------------------- */

/* "FILE:LINE: sentence 'ID': what is wrong" */
static int say_at(const drawer *d, const dd_sentence *sentence, const char *what)
{
    dd_text id = dd_sentence_id(sentence);
    say("%s:%" PRIu64 ": sentence '%.*s': %s", d->file, dd_sentence_line(sentence),
        (int)(id.size < 100 ? id.size : 100), id.data, what);
    return STATUS_PROBLEM;
}

static int read_gold(drawer *d, const dd_sentence *sentence)
{
    dd_error error;
    dd_status got = dd_reader_next(d->gold, d->gold_sentence, &error);
    if (got == DD_OK) return STATUS_OK;
    if (got != DD_END) return say_error(&error);
    return say_at(d, sentence, "the gold file has no more sentences");
}

static int write_drawing(drawer *d, const dd_sentence *sentence)
{
    dd_text picture;
    dd_error error;
    dd_status status = dd_draw(d->drawing, sentence, d->gold_sentence, &picture, &error);
    if (status == DD_ERROR_DATA && error.line == 0) return say_at(d, sentence, error.message);
    if (status != DD_OK) return say_error(&error);
    output_bytes(d->out, picture.data, picture.size);
    output_flush(d->out); /* the tree may be that of a sentence that somebody has typed */
    d->drawn++;
    /* output_close says what went wrong. */
    return d->out->status == DD_OK ? STATUS_OK : STATUS_PROBLEM;
}

static int draw_sentence(void *user, dd_sentence *sentence)
{
    drawer *d = user;
    int status = d->gold ? read_gold(d, sentence) : STATUS_OK;
    if (status != STATUS_OK || !input_is_wanted(d->args->sentence, sentence)) return status;
    if (d->args->to == DD_DRAW_SVG && d->drawn > 0)
        return say_at(d, sentence,
                      "an SVG holds one sentence; choose one with --sentence, or write html");
    return write_drawing(d, sentence);
}

/* ---- files -------------------------------------------------------------------------------- */

static int check_gold_end(drawer *d)
{
    dd_error error;
    dd_status got = d->gold ? dd_reader_next(d->gold, d->gold_sentence, &error) : DD_END;
    if (got == DD_END) return STATUS_OK;
    if (got != DD_OK) return say_error(&error);
    say("%s:%" PRIu64 ": more sentences than there are to draw", d->args->gold,
        dd_sentence_line(d->gold_sentence));
    return STATUS_PROBLEM;
}

/* Compressed, or in UTF-16. */
static bool is_packed(const char *line)
{
    unsigned char first = (unsigned char)line[0], second = (unsigned char)line[1];
    return first == 0x1f || first >= 0xfe || (first == 0x28 && second == 0xb5);
}

/* Whether the first line that is neither empty nor a comment has no columns. */
static bool is_plain_text(const char *path)
{
    char line[4096];
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "r");
    bool plain = false, found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        found = line[0] != '#' && line[strspn(line, " \t\r\n")] != '\0';
        plain = found && !strchr(line, '\t') && !is_packed(line);
    }
    if (file) fclose(file);
    return plain;
}

static int draw_all(drawer *d, input *in, const operands *files)
{
    dd_error error;
    dd_text text;
    if (dd_draw_begin(d->drawing, &text, &error) != DD_OK) return say_error(&error);
    output_bytes(d->out, text.data, text.size);
    int status = STATUS_OK;
    for (size_t i = 0; i < files->count && status == STATUS_OK; i++) {
        d->file = strcmp(files->at[i], "-") == 0 ? "standard input" : files->at[i];
        status = input_each(in, files->at[i], draw_sentence, d);
        if (status != STATUS_OK && !d->args->quiet && is_plain_text(files->at[i]))
            say_note("'dodona draw' draws trees; for a text, say: dodona parse %s | dodona draw",
                     files->at[i]);
    }
    text = dd_draw_end(d->drawing);
    output_bytes(d->out, text.data, text.size);
    if (status == STATUS_OK) status = check_gold_end(d);
    bool absent = d->drawn == 0 && d->args->sentence;
    return status == STATUS_OK && absent ? input_say_absent(d->args->sentence) : status;
}

static int open_gold(drawer *d)
{
    dd_error error;
    dd_format format = (dd_format)d->args->from;
    if (!d->args->gold) return STATUS_OK;
    if (dd_reader_open(&d->gold, d->args->gold, format, &error) == DD_OK &&
        dd_sentence_new(&d->gold_sentence, &error) == DD_OK)
        return STATUS_OK;
    return say_error(&error);
}

static int draw_files(drawer *d, const operands *files)
{
    const arguments *args = d->args;
    output out;
    input in = {
        .format = (dd_format)args->from, .skip_bad = args->skip_bad, .verbose = args->verbose};
    d->out = &out;
    int status = open_gold(d);
    if (status == STATUS_OK) {
        if (output_open(&out, args->output) == DD_OK) {
            out.terminal = false; /* drawings have colours, and show no controls of their words */
            status = draw_all(d, &in, files);
        }
        status = output_end(&out, status);
    }
    if (!args->quiet) input_note_bad(&in);
    dd_sentence_free(d->gold_sentence);
    dd_reader_close(d->gold);
    return status;
}

/* ---- options ------------------------------------------------------------------------------ */

static bool on_terminal(const arguments *args)
{
    return args->to == DD_DRAW_TEXT && strcmp(args->output, "-") == 0 && isatty(STDOUT_FILENO);
}

/* 0: the library's default. */
static int width_of(const arguments *args)
{
    struct winsize size;
    if (args->width > 0) return (int)args->width;
    if (!on_terminal(args) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_col < 40 ? 0 : size.ws_col;
}

static bool colour_of(const arguments *args)
{
    const char *off = getenv("NO_COLOR");
    if (args->colour != COLOUR_AUTO) return args->colour == COLOUR_ALWAYS;
    return on_terminal(args) && !(off && *off);
}

static int run(const command *self, int argc, char **argv)
{
    arguments args;
    operands files;
    int status = options_read(self, argc, argv, &args, &files);
    if (status != OPTIONS_GO) return status;
    /* Sentences are paired by their order, which a skipped sentence would break. */
    if (args.gold && args.skip_bad)
        return say_usage("draw", "options '--gold' and '--skip-bad' cannot be combined");
    status = input_check(self, &files, args.gold, args.output);
    if (status != STATUS_OK) return status;
    dd_draw_options how;
    dd_draw_options_init(&how);
    how.format = (dd_draw_format)args.to;
    how.direction = (dd_draw_direction)args.direction;
    how.width = width_of(&args);
    how.one_row = args.one_row;
    how.tags = !args.no_tags;
    how.constraints = !args.no_constraints;
    how.enhanced = !args.no_enhanced;
    how.colour = colour_of(&args);
    dd_error error;
    drawer state = {.args = &args};
    if (dd_drawing_new(&state.drawing, &how, &error) != DD_OK) return say_error(&error);
    status = draw_files(&state, &files);
    dd_drawing_free(state.drawing);
    return status;
}

const command cmd_draw = {
    .name = "draw",
    .usage = "[OPTION]... [FILE]...",
    .summary = "draw trees for the terminal, a page or a paper",
    .text = "Draw each tree with its arcs above the words: as text, as SVG, as a page of HTML, "
            "for LaTeX (package tikz-dependency) or for Graphviz. No model is needed. Words whose "
            "HEAD is _ have no arc. If DEPS differs from the tree, its arcs are drawn as dotted "
            "lines below the words. The constraints of a sentence are marked, and with --gold "
            "also the differences from the correct tree; a legend explains the marks.",
    .operand = "FILE",
    .most = MANY_OPERANDS,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
