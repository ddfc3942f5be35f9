/* cmd.h - what a subcommand is; main.c holds the table of them, one cmd_*.c each. */
#ifndef TOOLS_CMD_H
#define TOOLS_CMD_H

#include "options.h"

enum {
    STATUS_OK = 0,
    STATUS_PROBLEM = 1,       /* in data or model, or in reading and writing them */
    STATUS_USAGE = 2,         /* wrong options or operands */
    STATUS_INTERRUPTED = 130, /* by Ctrl-C, as shells count it */
};

typedef struct command {
    const char *name;
    const char *usage;   /* what follows the name: "[OPTION]... -m MODEL [FILE]..." */
    const char *summary; /* one line, for the list of subcommands */
    const char *text;    /* paragraphs for --help, parted by '\n'; NULL: the summary serves */
    const char *operand; /* its name in messages: "FILE" */
    size_t least, most;  /* number of operands; least 0 with a positive most: none means "-" */
    const option *options;
    size_t n_options;
    /* argv holds the words behind the subcommand's name. Returns the exit status. */
    int (*run)(const struct command *self, int argc, char **argv);
} command;

enum { MANY_OPERANDS = 1 << 30 };

/* The table; NULL after the last. */
extern const command *const commands[];

extern const command cmd_train, cmd_parse, cmd_corpus, cmd_eval, cmd_oracle, cmd_trace, cmd_systems,
    cmd_templates, cmd_info, cmd_models, cmd_stats, cmd_check, cmd_draw, cmd_experiment, cmd_serve,
    cmd_complete;

/* Help on one subcommand, and on the program; on standard output, 80 columns wide. */
void help_command(const command *self);
void help_program(void);

#endif
