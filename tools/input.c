#include "input.h"

#include "message.h"
#include "number.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_sentences(input *in, dd_reader *reader, dd_sentence *sentence,
                          int (*each)(void *user, dd_sentence *sentence), void *user)
{
    dd_error error;
    int status = STATUS_OK;
    while (status == STATUS_OK) {
        dd_status got = dd_reader_next(reader, sentence, &error);
        if (got == DD_END) break;
        if (got == DD_OK) {
            status = each(user, sentence);
        } else if (got == DD_ERROR_FORMAT && in->skip_bad) {
            in->bad++;
            if (in->verbose) say_warning("%s", error.message);
        } else {
            status = say_error(&error);
        }
    }
    return status;
}

void input_note_broken(const dd_reader *reader)
{
    dd_error first;
    uint64_t count = dd_reader_broken(reader, &first);
    if (count == 1) say_warning("%s", first.message);
    if (count > 1)
        say_warning("%s; so %s %s further place%s", first.message, count == 2 ? "is" : "are",
                    number_grouped(count - 1).text, count == 2 ? "" : "s");
}

void input_note_paragraphs(void *user, const char *name, dd_paragraphs taken)
{
    (void)user;
    if (taken == DD_PARAGRAPHS_LINE)
        say_note("%s: each line is taken as a paragraph; if the text is wrapped, say "
                 "'--paragraphs blank'",
                 name);
    else
        say_note("%s: the text is taken as wrapped, with paragraphs up to an empty line; if each "
                 "line is one, say '--paragraphs line'",
                 name);
}

static dd_status open_reader(dd_reader **out, const input *in, const char *path, dd_error *error)
{
    dd_input_options from;
    if (!in->model) return dd_reader_open(out, path, in->format, error);
    dd_input_options_init(&from);
    from.format = in->format;
    return dd_reader_open_input(out, in->model, &(dd_input){.name = path}, &from, error);
}

int input_each(input *in, const char *path, int (*each)(void *user, dd_sentence *sentence),
               void *user)
{
    dd_error error;
    dd_reader *reader = NULL;
    dd_sentence *sentence = NULL;
    int status;
    if (open_reader(&reader, in, path, &error) != DD_OK ||
        dd_sentence_new(&sentence, &error) != DD_OK)
        status = say_error(&error);
    else
        status = read_sentences(in, reader, sentence, each, user);
    if (reader && !in->quiet) input_note_broken(reader);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    return status;
}

bool input_is_wanted(const char *wanted, const dd_sentence *sentence)
{
    dd_text id = dd_sentence_id(sentence);
    return !wanted || (id.size == strlen(wanted) && memcmp(id.data, wanted, id.size) == 0);
}

int input_say_absent(const char *wanted)
{
    say("there is no sentence '%s'", wanted);
    return STATUS_PROBLEM;
}

void input_note_bad(const input *in)
{
    if (in->bad > 0)
        say_warning("%" PRIu64 " malformed sentence%s skipped", in->bad, in->bad == 1 ? "" : "s");
}

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* Of a regular file, which can be lost; false for all else. */
static bool find_facts(const char *path, int standard, struct stat *facts)
{
    int found = is_standard(path) ? fstat(standard, facts) : stat(path, facts);
    return found == 0 && S_ISREG(facts->st_mode);
}

/* Whether both lead to the same file, under whatever names; "-" is what the shell has put there. */
static bool is_output(const char *path, const char *output)
{
    struct stat from, to;
    return find_facts(path, STDIN_FILENO, &from) && find_facts(output, STDOUT_FILENO, &to) &&
           from.st_dev == to.st_dev && from.st_ino == to.st_ino;
}

int input_spare(const char *path, const char *output)
{
    if (!path || !is_output(path, output)) return STATUS_OK;
    say("%s: is both input and output", is_standard(path) ? "standard input" : path);
    return STATUS_USAGE;
}

int input_check(const command *self, const operands *files, const char *also, const char *output)
{
    size_t standard = also && is_standard(also);
    for (size_t i = 0; i < files->count; i++) standard += is_standard(files->at[i]);
    if (standard > 1) return say_usage(self->name, "standard input ('-') can be read only once");
    int status = input_spare(also, output);
    for (size_t i = 0; i < files->count && status == STATUS_OK; i++)
        status = input_spare(files->at[i], output);
    return status;
}
