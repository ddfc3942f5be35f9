/* main.c - the table of subcommands and the way to them. */
#include "cmd.h"
#include "message.h"
#include "self.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* In the order of the program's help. */
const command *const commands[] = {
    &cmd_train,  &cmd_parse, &cmd_corpus,     &cmd_eval,     &cmd_oracle,    &cmd_trace,
    &cmd_draw,   &cmd_check, &cmd_stats,      &cmd_systems,  &cmd_templates, &cmd_info,
    &cmd_models, &cmd_serve, &cmd_experiment, &cmd_complete, NULL,
};

static const command *find_command(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

static int unknown_command(const char *name)
{
    suggestion nearest = suggest_for(name, strlen(name));
    for (size_t i = 0; commands[i]; i++) suggest_consider(&nearest, commands[i]->name);
    if (nearest.nearest)
        say("unknown subcommand '%s'; did you mean '%s'?", name, nearest.nearest);
    else
        say("unknown subcommand '%s'; see 'dodona --help'", name);
    return STATUS_USAGE;
}

static int unknown_option(const char *name)
{
    suggestion nearest = suggest_for(name, strlen(name));
    suggest_consider(&nearest, "--help");
    suggest_consider(&nearest, "--version");
    if (nearest.nearest)
        say("unknown option '%s'; did you mean '%s'?", name, nearest.nearest);
    else
        say("unknown option '%s'; options follow the subcommand, see 'dodona --help'", name);
    return STATUS_USAGE;
}

static int help(const char *name)
{
    const command *self = name ? find_command(name) : NULL;
    if (name && !self) return unknown_command(name);
    if (self)
        help_command(self);
    else
        help_program();
    return STATUS_OK;
}

static int run(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    if (!name) {
        say("no subcommand; see 'dodona --help'");
        return STATUS_USAGE;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return help(NULL);
    if (strcmp(name, "help") == 0) return help(argc > 2 ? argv[2] : NULL);
    if (strcmp(name, "--version") == 0) {
        printf("dodona %s\n", dd_version());
        return STATUS_OK;
    }
    const command *self = find_command(name);
    if (self) return self->run(self, argc - 2, argv + 2);
    return name[0] == '-' ? unknown_option(name) : unknown_command(name);
}

/* Else the first file that is opened would take the place of one that is closed, and messages would
 * go into it. Opened the wrong way round, so that what is read or written there is an error. */
static bool hold_standard_files(void)
{
    static const int how[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0 && open("/dev/null", how[file]) != file) return false;
    return true;
}

int main(int argc, char **argv)
{
    if (!hold_standard_files()) return STATUS_PROBLEM;
    self_is_called(argc > 0 ? argv[0] : NULL);
    int status = run(argc, argv);
    /* A full disk shows only when the last bytes leave the program. */
    if (fflush(stdout) != 0) {
        say("standard output: %s", strerror(errno));
        if (status == STATUS_OK) status = STATUS_PROBLEM;
    }
    return status;
}
