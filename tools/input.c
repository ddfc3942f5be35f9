#include "input.h"

#include "message.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

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

int input_each(input *in, const char *path, int (*each)(void *user, dd_sentence *sentence),
               void *user)
{
    dd_error error;
    dd_reader *reader = NULL;
    dd_sentence *sentence = NULL;
    int status;
    if (dd_reader_open(&reader, path, in->format, &error) != DD_OK ||
        dd_sentence_new(&sentence, &error) != DD_OK)
        status = say_error(&error);
    else
        status = read_sentences(in, reader, sentence, each, user);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    return status;
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

/* Whether the path leads to the same file as the output, under whatever name. */
static bool is_output(const char *path, const char *output)
{
    struct stat from, to;
    if (is_standard(path) || is_standard(output)) return false;
    if (stat(output, &to) != 0 || !S_ISREG(to.st_mode) || stat(path, &from) != 0) return false;
    return from.st_dev == to.st_dev && from.st_ino == to.st_ino;
}

int input_check(const command *self, const operands *files, const char *also, const char *output)
{
    size_t standard = also && is_standard(also);
    const char *lost = also && is_output(also, output) ? also : NULL;
    for (size_t i = 0; i < files->count; i++) {
        standard += is_standard(files->at[i]);
        if (is_output(files->at[i], output)) lost = files->at[i];
    }
    if (standard > 1) return say_usage(self->name, "standard input ('-') can be read only once");
    if (!lost) return STATUS_OK;
    say("%s: is both input and output", lost);
    return STATUS_USAGE;
}
