/* make_plan.c - `dodona corpus plan` */
#include "cmd.h"
#include "corpus/actions.h"
#include "documents.h"
#include "heap.h"
#include "input.h"
#include "message.h"
#include "named_model.h"
#include "number.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const corpus_packings[] = {"no", "gz", "zst", NULL};

/* "64M" -> 67108864; 0: it is none. */
static uint64_t read_size(const char *text)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    if (*text < '0' || *text > '9') return 0;
    unsigned long long number = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (errno != 0 || end[unit ? 1 : 0] || number > UINT64_MAX >> shift) return 0;
    return (uint64_t)number << shift;
}

/* As `dodona parse` names the documents of several files. */
static dd_plan_input *list_inputs(const documents *names, const operands *files)
{
    dd_plan_input *inputs = heap_zeroed(files->count, sizeof *inputs);
    for (size_t i = 0; i < files->count; i++) {
        inputs[i].path = files->at[i];
        if (names->count == 0) continue;
        inputs[i].document = names->ids[i];
        inputs[i].prefix = names->prefixes[i];
    }
    return inputs;
}

static int note_plan(const char *folder)
{
    dd_plan *plan;
    dd_error error;
    size_t tasks = 0;
    if (dd_plan_open(&plan, folder, &error) != DD_OK) return say_error(&error);
    while (dd_plan_at(plan, tasks)) tasks++;
    dd_plan_close(plan);
    fprintf(stderr, "%s task%s\n", number_grouped(tasks).text, tasks == 1 ? "" : "s");
    return STATUS_OK;
}

static int make_plan(const corpus_arguments *args, const operands *files, const char *model)
{
    dd_error error;
    documents names;
    dd_plan_options how;
    dd_input_options reading = args->how.input;
    reading.format = (dd_format)args->from;
    reading.decided = args->quiet ? NULL : input_note_paragraphs;
    dd_plan_options_init(&how);
    if (args->size) how.task_bytes = read_size(args->size);
    how.to = (dd_format)args->to;
    how.compress = args->compress > 0 ? corpus_packings[args->compress] : NULL;
    how.input = &reading;
    how.parse = &args->how.how;
    documents_name(&names, files);
    dd_plan_input *inputs = list_inputs(&names, files);
    dd_status made = dd_plan_make(args->into, model, inputs, files->count, &how, &error);
    free(inputs);
    documents_free(&names);
    if (made != DD_OK) return say_error(&error);
    return args->quiet ? STATUS_OK : note_plan(args->into);
}

int corpus_plan(const corpus_arguments *args, const operands *files)
{
    char *model = NULL;
    if (!args->into) return say_usage("corpus", "plan needs the option '--into FOLDER'");
    if (args->size && read_size(args->size) == 0)
        return say_usage("corpus", "option '--size': '%s' is not a size such as 64M", args->size);
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->at[i], "-") == 0)
            return say_usage("corpus", "standard input ('-') cannot be planned");
    int status = named_model_path("corpus", args->model, &model);
    if (status == STATUS_OK) status = make_plan(args, files, model);
    free(model);
    return status;
}
