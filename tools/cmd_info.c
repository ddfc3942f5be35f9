/* cmd_info.c - what a model file says of itself. */
#include "cmd.h"
#include "input.h"
#include "message.h"
#include "named_model.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    const char *model, *output;
    int to;
} arguments;

static const option options[] = {
    OPTION_ROW_MODEL(offsetof(arguments, model)),
    OPTION_ROW_TO(offsetof(arguments, to)),
    OPTION_ROW_OUTPUT(offsetof(arguments, output)),
};

static void write_json(output *out, const dd_model *model)
{
    dd_text key, value;
    for (size_t i = 0; dd_model_fact(model, i, &key, &value); i++) {
        output_string(out, i == 0 ? "{" : ",\n ");
        output_json(out, key);
        output_string(out, ":");
        output_json(out, value);
    }
    output_string(out, "}\n");
}

static int key_width(const dd_model *model)
{
    dd_text key, value;
    size_t width = 0;
    for (size_t i = 0; dd_model_fact(model, i, &key, &value); i++)
        if (key.size > width) width = key.size;
    return (int)width;
}

/* A value of several lines (the templates, a licence) stays in its column. */
static void write_value(output *out, dd_text value, int indent)
{
    while (value.size > 0) {
        const char *end = memchr(value.data, '\n', value.size);
        size_t size = end ? (size_t)(end - value.data) : value.size;
        output_bytes(out, value.data, size);
        output_string(out, "\n");
        size_t used = end ? size + 1 : size;
        value = (dd_text){value.data + used, value.size - used};
        if (value.size > 0) output_format(out, "%*s", indent, "");
    }
}

static void write_table(output *out, const dd_model *model)
{
    dd_text key, value;
    int width = key_width(model);
    for (size_t i = 0; dd_model_fact(model, i, &key, &value); i++) {
        output_bytes(out, key.data, key.size);
        output_format(out, "%*s", width + 2 - (int)key.size, "");
        if (value.size == 0) value = (dd_text){"-", 1};
        write_value(out, value, width + 2);
    }
}

static int show(const arguments *args, const char *path)
{
    dd_error error;
    dd_model *model;
    output out;
    int status = input_spare(path, args->output);
    if (status != STATUS_OK) return status;
    if (dd_model_load(&model, path, &error) != DD_OK) return say_error(&error);
    if (output_open(&out, args->output) == DD_OK) {
        out.report = args->to == REPORT_TEXT;
        (out.report ? write_table : write_json)(&out, model);
    }
    status = output_close(&out);
    dd_model_free(model);
    return status;
}

static int run(const command *self, int argc, char **argv)
{
    arguments args;
    operands files;
    char *path;
    int status = options_read(self, argc, argv, &args, &files);
    if (status != OPTIONS_GO) return status;
    /* No operand stands for "-" in the table of options; here it means the default model. */
    const char *named = strcmp(files.at[0], "-") == 0 ? NULL : files.at[0];
    if (named && args.model)
        return say_usage(self->name, "--model and the operand '%s' both name a model", named);
    status = named_model_path(self->name, named ? named : args.model, &path);
    if (status != STATUS_OK) return status;
    status = show(&args, path);
    free(path);
    return status;
}

const command cmd_info = {
    .name = "info",
    .usage = "[OPTION]... [[-m] MODEL]",
    .summary = "show what a model is and what it was trained on",
    .text = "Show the facts that a model file records: its transition system and oracle, the "
            "options and data that it was trained with, its numbers of labels, transitions and "
            "templates, and its licence. The model is given as a file or by its name or language; "
            "without MODEL it is the one that 'dodona parse' uses by default.",
    .operand = "MODEL",
    .least = 0,
    .most = 1,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
