/* options.c - what decides about the output of a plan */
#include "core/options.h"

#include "plan/plan.h"

#include <limits.h>

static const struct row {
    const char *name;
    size_t at;
    int most;
} rows[] = {
    {"json", offsetof(dd_plan_how, json), 1},
    {"presegmented", offsetof(dd_plan_how, presegmented), 1},
    {"ranges", offsetof(dd_plan_how, ranges), 1},
    {"tag", offsetof(dd_plan_how, tag), 1},
    {"tidy", offsetof(dd_plan_how, tidy), DD_TIDY_YES},
    {"scores", offsetof(dd_plan_how, scores), 1},
    {"skip-bad", offsetof(dd_plan_how, skip_bad), 1},
    {"beam", offsetof(dd_plan_how, beam), DD_MAX_BEAM},
    {"nbest", offsetof(dd_plan_how, nbest), DD_MAX_BEAM},
    {"max-words", offsetof(dd_plan_how, max_words), INT_MAX},
};

const char *dd_plan_option(dd_plan_how *how, size_t index, int **value, int *most)
{
    if (index >= sizeof rows / sizeof *rows) return NULL;
    *value = (int *)((char *)how + rows[index].at);
    *most = rows[index].most;
    return rows[index].name;
}

void dd_plan_options_init_size(dd_plan_options *options, size_t size)
{
    const dd_plan_options defaults = {.task_bytes = UINT64_C(64) << 20};
    dd_options_init(options, size, &defaults, sizeof defaults);
}

static dd_status check(dd_plan_how *how, dd_error *error)
{
    int *value, most;
    const char *name;
    for (size_t i = 0; (name = dd_plan_option(how, i, &value, &most)); i++)
        if (*value < 0 || *value > most)
            return dd_fail(error, DD_ERROR_ARGUMENT, "%s must lie between 0 and %d; it is %d", name,
                           most, *value);
    return DD_OK;
}

dd_status dd_plan_how_take(dd_plan_how *how, const dd_plan_options *options, dd_error *error)
{
    dd_input_options input;
    dd_parse_options parse;
    dd_input_options_init(&input);
    dd_parse_options_init(&parse);
    dd_status status = DD_OPTIONS_TAKE(&input, options->input, prefix, "options were", error);
    if (status == DD_OK)
        status = DD_OPTIONS_TAKE(&parse, options->parse, unbuffered, "options were", error);
    if (status != DD_OK) return status;
    if (options->to != DD_FORMAT_AUTO && options->to != DD_FORMAT_JSON)
        return dd_fail(error, DD_ERROR_ARGUMENT, "sentences cannot be written in this format");
    *how = (dd_plan_how){
        .json = options->to == DD_FORMAT_JSON,
        .presegmented = input.presegmented,
        .ranges = input.ranges,
        .tag = parse.tag,
        .tidy = parse.tidy,
        .scores = parse.scores,
        .skip_bad = parse.skip_bad,
        .beam = parse.beam,
        .nbest = parse.nbest,
        .max_words = parse.max_words,
    };
    return check(how, error);
}

dd_input_options dd_plan_input_options(const dd_plan *plan, const dd_plan_file *file)
{
    dd_input_options options;
    dd_input_options_init(&options);
    options.format = file->format;
    options.presegmented = plan->how.presegmented && file->format == DD_FORMAT_TEXT;
    options.ranges = plan->how.ranges;
    options.document = file->document;
    options.prefix = file->prefix;
    return options;
}

dd_parse_options dd_plan_parse_options(const dd_plan *plan, int threads)
{
    const dd_plan_how *how = &plan->how;
    dd_parse_options options;
    dd_parse_options_init(&options);
    options.threads = threads;
    options.tag = how->tag;
    options.tidy = (dd_tidy)how->tidy;
    options.scores = how->scores;
    options.skip_bad = how->skip_bad;
    options.beam = how->beam;
    options.nbest = how->nbest;
    options.max_words = how->max_words;
    return options;
}
