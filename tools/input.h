/* input.h - the sentences of a file one by one, and checks on file names. */
#ifndef TOOLS_INPUT_H
#define TOOLS_INPUT_H

#include "cmd.h"
#include "dodona.h"

typedef struct input {
    dd_format format;
    bool skip_bad; /* pass over malformed sentences */
    bool verbose;  /* and name each */
    uint64_t bad;  /* passed over so far */
} input;

/* Calls `each` with every sentence of the file until it returns another status than STATUS_OK.
 * Says what is wrong with the file. Returns the exit status. */
int input_each(input *in, const char *path, int (*each)(void *user, dd_sentence *sentence),
               void *user);
/* Says how many sentences were passed over, if any. */
void input_note_bad(const input *in);

/* Whether writing to `output` would destroy one of the files still to be read; says so. */
bool input_is_output(const operands *files, const char *output);
/* How many of the paths are "-". */
size_t input_standard_count(const operands *files);

#endif
