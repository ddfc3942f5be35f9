/* input.h - the sentences of a file one by one, and checks on file names. */
#ifndef TOOLS_INPUT_H
#define TOOLS_INPUT_H

#include "cmd.h"
#include "dodona_tools.h"

typedef struct input {
    dd_format format;
    bool skip_bad;         /* pass over malformed sentences */
    bool verbose;          /* and name each */
    uint64_t bad;          /* passed over so far */
    bool quiet;            /* say nothing of places in plain text that were replaced */
    const dd_model *model; /* whose tokenizer cuts plain text; NULL: the files are CoNLL */
} input;

/* Calls `each` with every sentence of the file until it returns another status than STATUS_OK.
 * Says what is wrong with the file. Returns the exit status. */
int input_each(input *in, const char *path, int (*each)(void *user, dd_sentence *sentence),
               void *user);
/* Says where plain text is not valid UTF-8, if anywhere. */
void input_note_broken(const dd_reader *reader);
/* As dd_input_options.decided: says what lines of plain text were taken for. */
void input_note_paragraphs(void *user, const char *name, dd_paragraphs taken);
/* Says how many sentences were passed over, if any. */
void input_note_bad(const input *in);

/* Whether the sentence has the ID that is wanted; NULL: all are. */
bool input_is_wanted(const char *wanted, const dd_sentence *sentence);
/* Says that there was none. Returns the exit status. */
int input_say_absent(const char *wanted);

/* Refuses names that cannot serve together: standard input twice, or an output that would destroy
 * one of the files. `also` is read as well; it may be NULL. Returns the exit status. */
int input_check(const command *self, const operands *files, const char *also, const char *output);
/* Refuses an output that would destroy the file; `path` may be NULL. Returns the exit status. */
int input_spare(const char *path, const char *output);

#endif
