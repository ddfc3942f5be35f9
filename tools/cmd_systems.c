/* cmd_systems.c - the registry of transition systems as a table. */
#include "cmd.h"
#include "output.h"

#include <string.h>

typedef struct arguments {
    const char *output;
    int to;
} arguments;

static const option options[] = {
    OPTION_ROW_TO(offsetof(arguments, to)),
    OPTION_ROW_OUTPUT(offsetof(arguments, output)),
};

/* "SH LA RA" -> ["SH","LA","RA"] */
static void json_words(output *out, const char *words)
{
    output_string(out, "[");
    for (const char *separator = ""; *words; separator = ",") {
        size_t size = strcspn(words, " ");
        output_string(out, separator);
        output_json(out, (dd_text){words, size});
        words += size + strspn(words + size, " ");
    }
    output_string(out, "]");
}

static void write_json(output *out)
{
    dd_system_info info;
    for (size_t i = 0; dd_system_at(i, &info); i++) {
        output_string(out, i == 0 ? "[{\"name\":" : ",\n {\"name\":");
        output_json_string(out, info.name);
        output_string(out, ",\"transitions\":");
        json_words(out, info.transitions);
        output_string(out, ",\"trees\":");
        output_json_string(out, info.trees);
        output_string(out, ",\"summary\":");
        output_json_string(out, info.summary);
        output_string(out, "}");
    }
    output_string(out, "]\n");
}

static int wider(int width, const char *text)
{
    int size = (int)strlen(text);
    return size > width ? size : width;
}

static void write_table(output *out)
{
    dd_system_info info;
    int name = wider(0, "system"), transitions = wider(0, "transitions"), trees = wider(0, "trees");
    for (size_t i = 0; dd_system_at(i, &info); i++) {
        name = wider(name, info.name);
        transitions = wider(transitions, info.transitions);
        trees = wider(trees, info.trees);
    }
    output_format(out, "%-*s  %-*s  %-*s  %s\n", name, "system", transitions, "transitions", trees,
                  "trees", "summary");
    for (size_t i = 0; dd_system_at(i, &info); i++)
        output_format(out, "%-*s  %-*s  %-*s  %s\n", name, info.name, transitions, info.transitions,
                      trees, info.trees, info.summary);
}

/* Apart from the table, so that its lines are transition systems and nothing else. */
static void write_graph(output *out)
{
    dd_system_info info;
    dd_graph_info(&info);
    output_format(out,
                  "\nNot a transition system, but a choice of --system with --scorer neural:\n");
    output_format(out, "%s: %s\n", info.name, info.summary);
}

static int run(const command *self, int argc, char **argv)
{
    arguments args;
    operands files;
    int status = options_read(self, argc, argv, &args, &files);
    if (status != OPTIONS_GO) return status;
    output out;
    if (output_open(&out, args.output) == DD_OK) {
        if (args.to == REPORT_JSON) {
            write_json(&out);
        } else {
            write_table(&out);
            write_graph(&out);
        }
    }
    return output_close(&out);
}

const command cmd_systems = {
    .name = "systems",
    .usage = "[OPTION]...",
    .summary = "list the transition systems",
    .text = "List the transition systems: the name that --system takes, the transitions, and the "
            "trees that the system can build. The line below the table describes graph, which is "
            "not a transition system, but which --system takes too.",
    .operand = "FILE",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
