/* cmd_templates.c - the built-in sets of feature templates: their names, or the text of one. */
#include "cmd.h"
#include "message.h"
#include "output.h"

#include <string.h>

typedef struct arguments {
    const char *output;
} arguments;

static const option options[] = {
    OPTION_ROW_OUTPUT(offsetof(arguments, output)),
};

static bool find_set(const char *wanted, dd_text *text)
{
    const char *name;
    for (size_t i = 0; dd_templates_at(i, &name, text); i++)
        if (strcmp(name, wanted) == 0) return true;
    return false;
}

static int unknown_set(const char *wanted)
{
    const char *name;
    dd_text text;
    suggestion nearest = suggest_for(wanted, strlen(wanted));
    for (size_t i = 0; dd_templates_at(i, &name, &text); i++) suggest_consider(&nearest, name);
    if (nearest.nearest)
        return say_usage("templates", "there is no set '%s'; did you mean '%s'?", wanted,
                         nearest.nearest);
    return say_usage("templates", "there is no set '%s'", wanted);
}

static void list_sets(output *out)
{
    const char *name;
    dd_text text;
    for (size_t i = 0; dd_templates_at(i, &name, &text); i++) output_format(out, "%s\n", name);
}

static int run(const command *self, int argc, char **argv)
{
    arguments args;
    operands sets;
    dd_text text;
    int status = options_read(self, argc, argv, &args, &sets);
    if (status != OPTIONS_GO) return status;
    /* No operand stands for "-" in the table of options; here it means the list. */
    bool list = strcmp(sets.at[0], "-") == 0;
    if (!list && !find_set(sets.at[0], &text)) return unknown_set(sets.at[0]);
    output out;
    if (output_open(&out, args.output) == DD_OK) {
        if (list)
            list_sets(&out);
        else
            output_bytes(&out, text.data, text.size);
    }
    return output_close(&out);
}

const command cmd_templates = {
    .name = "templates",
    .usage = "[OPTION]... [SET]",
    .summary = "list or print the built-in feature templates",
    .text = "List the built-in sets of feature templates, or print one of them, as a starting "
            "point for a file of your own. 'dodona train --templates' takes the name of a set or "
            "a file.",
    .operand = "SET",
    .least = 0,
    .most = 1,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
