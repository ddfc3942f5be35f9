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
        say_warning("%" PRIu64 " malformed sentence%s passed over", in->bad,
                    in->bad == 1 ? "" : "s");
}

bool input_is_output(const operands *files, const char *output)
{
    struct stat from, to;
    if (strcmp(output, "-") == 0 || stat(output, &to) != 0 || !S_ISREG(to.st_mode)) return false;
    for (size_t i = 0; i < files->count; i++) {
        if (strcmp(files->at[i], "-") == 0 || stat(files->at[i], &from) != 0) continue;
        if (from.st_dev != to.st_dev || from.st_ino != to.st_ino) continue;
        say("%s: is both input and output", files->at[i]);
        return true;
    }
    return false;
}

size_t input_standard_count(const operands *files)
{
    size_t count = 0;
    for (size_t i = 0; i < files->count; i++) count += strcmp(files->at[i], "-") == 0;
    return count;
}
