/* cmd_models.c - the models that are here, and getting others. */
#include "cmd.h"
#include "heap.h"
#include "message.h"
#include "models/get.h"
#include "models/index.h"
#include "models/source.h"
#include "named_model.h"

#include <string.h>

typedef struct arguments {
    const char *from, *into, *output;
    int to;
    bool names, quiet;
} arguments;

#define AT(field) offsetof(arguments, field)
static const option options[] = {
    {.name = "from",
     .kind = OPTION_STRING,
     .target = AT(from),
     .value = "PLACE",
     .help = "with get, where to get models; alone, list the models there: a folder or an http:// "
             "or https:// URL that has an index.json"},
    {.name = "into",
     .kind = OPTION_STRING,
     .target = AT(into),
     .value = "FOLDER",
     .help = "with get, where to install; default: your own folder, "
             "$XDG_DATA_HOME/dodona/models or ~/.local/share/dodona/models"},
    OPTION_ROW_TO(AT(to)),
    {.name = "names",
     .kind = OPTION_FLAG,
     .target = AT(names),
     .help = "write only the names, without opening the files"},
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_STRING,
     .target = AT(output),
     .value = "FILE",
     .help = "where to write the list or the index; default: standard output, or index.json in "
             "the folder"},
    OPTION_ROW_QUIET(AT(quiet)),
};
#undef AT

/* ---- lists -------------------------------------------------------------------------------- */

static void write_names(output *out, const model_list *list)
{
    for (size_t i = 0; i < list->count; i++) output_format(out, "%s\n", list->items[i].name);
}

static int write_list(const arguments *args, const model_list *list)
{
    output out;
    if (output_open(&out, args->output ? args->output : "-") == DD_OK) {
        out.report = !args->names && args->to == REPORT_TEXT;
        (args->names ? write_names : out.report ? show_table : show_json)(&out, list);
    }
    return output_close(&out);
}

static int list_offered(const arguments *args)
{
    source s;
    model_list list = {0};
    int status = source_open(&s, args->from);
    if (status != STATUS_OK) return status;
    status = source_list(&s, &list);
    if (status == STATUS_OK) status = write_list(args, &list);
    model_list_free(&list);
    source_close(&s);
    return status;
}

/* If the list is empty, says where models are looked for. */
static int note_none(const dd_catalogue *here)
{
    const char *folder;
    output folders;
    output_keep(&folders);
    for (size_t i = 0; (folder = dd_catalogue_folder(here, i)); i++)
        output_format(&folders, "%s%s", i ? ", " : "", folder);
    say("there are no models in %.*s", (int)folders.size, folders.data);
    return output_close(&folders);
}

/* A name that an earlier folder has too stands for the model there. */
static void add_names(model_list *list, const dd_catalogue *here)
{
    const dd_catalogue_model *model, *first;
    for (size_t i = 0; (model = dd_catalogue_at(here, i)); i++)
        if (dd_catalogue_find(here, model->name, &first, NULL) == DD_OK && first == model)
            model_list_add(list)->name = heap_copy(model->name, strlen(model->name));
}

static int list_here(const arguments *args)
{
    dd_catalogue *here;
    model_list list = {0};
    int status = named_models(&here);
    if (status != STATUS_OK) return status;
    if (args->names)
        add_names(&list, here);
    else
        entries_of_catalogue(&list, here);
    status = write_list(args, &list);
    if (status == STATUS_OK && list.count == 0 && !args->quiet) status = note_none(here);
    model_list_free(&list);
    dd_catalogue_free(here);
    return status;
}

/* ---- what is to be done ------------------------------------------------------------------- */

static int get(const arguments *args, const operands *names)
{
    if (!args->from) return say_usage("models", "get needs the option '--from PLACE'");
    return models_get(names->at, names->count, args->from, args->into, args->quiet);
}

static int take_away(const arguments *args, const operands *names)
{
    return models_remove(names->at, names->count, args->quiet);
}

static int make_index(const arguments *args, const operands *folders)
{
    if (folders->count > 1) return say_usage("models", "index takes one folder");
    return index_make(folders->at[0], args->output);
}

/* Options that an action does not use are refused, because users would think that they have an
 * effect. */
typedef struct action {
    const char *name, *operand;
    int (*run)(const arguments *args, const operands *operands);
    bool from, into, output;
} action;

static const action actions[] = {
    {.name = "get", .operand = "NAME", .run = get, .from = true, .into = true},
    {.name = "remove", .operand = "NAME", .run = take_away},
    {.name = "index", .operand = "FOLDER", .run = make_index, .output = true},
};
enum { ACTIONS = sizeof actions / sizeof *actions };

static int refuse_option(const char *given, const char *name)
{
    return say_usage("models", "option '--%s' is not for %s", given, name);
}

static int check_options(const arguments *args, const action *a)
{
    if (args->from && !a->from) return refuse_option("from", a->name);
    if (args->into && !a->into) return refuse_option("into", a->name);
    if (args->output && !a->output) return refuse_option("output", a->name);
    if (args->to != REPORT_TEXT) return refuse_option("to", a->name);
    return args->names ? refuse_option("names", a->name) : STATUS_OK;
}

static int act(const arguments *args, const operands *words)
{
    suggestion nearest = suggest_for(words->at[0], strlen(words->at[0]));
    const operands rest = {words->at + 1, words->count - 1};
    for (size_t i = 0; i < ACTIONS; i++) {
        suggest_consider(&nearest, actions[i].name);
        if (strcmp(actions[i].name, words->at[0]) != 0) continue;
        int status = check_options(args, &actions[i]);
        if (status != STATUS_OK) return status;
        if (rest.count > 0) return actions[i].run(args, &rest);
        return say_usage("models", "%s needs a %s", actions[i].name, actions[i].operand);
    }
    if (nearest.nearest)
        return say_usage("models", "'%s' is not one of get, remove, index; did you mean '%s'?",
                         words->at[0], nearest.nearest);
    return say_usage("models", "'%s' is not one of get, remove, index", words->at[0]);
}

static int run(const command *self, int argc, char **argv)
{
    arguments args;
    operands words;
    int status = options_read(self, argc, argv, &args, &words);
    if (status != OPTIONS_GO) return status;
    if (strcmp(words.at[0], "-") != 0) return act(&args, &words);
    if (args.into) return say_usage(self->name, "option '--into' is for get");
    return args.from ? list_offered(&args) : list_here(&args);
}

const command cmd_models = {
    .name = "models",
    .usage = "[OPTION]... [get NAME... | remove NAME... | index FOLDER]",
    .summary = "list models by name and language, or get others",
    .text = "List the models that can be used by name: those in the folders of $DODONA_MODELS, in "
            "your own folder, and those installed with the program. A model that cannot be used "
            "is listed with the reason. LAS is that of the parser on its dev data, in per cent.\n"
            "get installs models from a folder or web server into your folder, and continues "
            "downloads that were interrupted; remove deletes models from your folder; index "
            "writes index.json into a folder of models, so that others can get them from it.",
    .operand = "NAME",
    .most = MANY_OPERANDS,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
