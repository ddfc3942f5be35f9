/* plan_text.c - a plan as text, and back from its text, of which everything is checked */
#include "core/memory.h"
#include "core/options.h"
#include "core/strings.h"
#include "plan/plan.h"
#include "text/formats.h"
#include "text/rules.h"

#include <limits.h>
#include <stdlib.h>

/* ---- options ------------------------------------------------------------------------------ */

enum { TEXTS = sizeof((dd_plan_how *)0)->texts / sizeof(char *) };

static bool is_planned(const dd_parse_option *option)
{
    return option->stage != DD_STAGE_RUN && option->offers & DD_OFFER_CORPUS;
}

/* "gz" */
static const char *packing_name(dd_packing packing)
{
    return dd_packing_ending(packing) + 1;
}

static void init_options(dd_plan_how *how)
{
    *how = (dd_plan_how){.to = DD_FORMAT_CONLLU};
    dd_input_options_init(&how->input);
    dd_parse_options_init(&how->parse);
}

void dd_plan_how_free(dd_plan_how *how)
{
    for (size_t i = 0; i < TEXTS; i++) free(how->texts[i]);
}

/* Keeps a text as long as the plan. */
static dd_status keep_text(dd_plan_how *how, const dd_parse_option *option, dd_text text,
                           dd_error *error)
{
    size_t at = 0;
    while (at < TEXTS && how->texts[at]) at++;
    if (!dd_rule_label(text) || at == TEXTS || memchr(text.data, '\t', text.size))
        return dd_fail(error, DD_ERROR_ARGUMENT, "%s is empty, or has control characters",
                       option->name);
    how->texts[at] = dd_copy_text(text.data, text.size);
    if (!how->texts[at]) return dd_fail_memory(error);
    return dd_parse_option_set_text(option, how->texts[at], &how->input, &how->parse, error);
}

/* The number, or -1. */
static int read_whole(dd_text digits)
{
    int value = 0;
    for (size_t i = 0; i < digits.size; i++) {
        int digit = digits.data[i] - '0';
        if (digit < 0 || digit > 9 || value > (INT_MAX - digit) / 10) return -1;
        value = value * 10 + digit;
    }
    return digits.size > 0 ? value : -1;
}

/* The name of a format or packing, whose value is 1. */
static bool set_named(dd_plan_how *how, dd_text name)
{
    const dd_format_info *format;
    for (dd_packing packing = DD_GZIP; packing <= DD_ZSTD; packing++)
        if (dd_text_is(name, packing_name(packing))) {
            how->packing = packing;
            return true;
        }
    for (size_t i = 0; (format = dd_format_at(i)); i++)
        if (format->is_written && dd_text_is(name, format->name)) {
            how->to = format->format;
            return true;
        }
    return false;
}

/* Sets an option as a line of the plan gives it: the name of a row and its value, or the name of a
 * format or a compression and 1. DD_ERROR_ARGUMENT: there is no such option, or it cannot have this
 * value. */
static dd_status set_option(dd_plan_how *how, dd_text name, dd_text value, dd_error *error)
{
    const dd_parse_option *option;
    for (size_t i = 0; (option = dd_parse_option_at(i)); i++) {
        if (!is_planned(option) || !dd_text_is(name, option->name)) continue;
        if (option->kind == DD_OPTION_TEXT) return keep_text(how, option, value, error);
        return dd_parse_option_set(option, read_whole(value), &how->input, &how->parse, error);
    }
    if (dd_text_is(value, "1") && set_named(how, name)) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT,
                   "there is no such option, or it cannot have this value");
}

bool dd_plan_how_format(const dd_plan_how *how, dd_buffer *out)
{
    const dd_parse_option *option;
    bool ok = true;
    if (how->to != DD_FORMAT_CONLLU)
        ok = dd_buffer_printf(out, "option\t%s\t1\n", dd_format_at(how->to)->name);
    if (ok && how->packing != DD_PLAIN)
        ok = dd_buffer_printf(out, "option\t%s\t1\n", packing_name(how->packing));
    for (size_t i = 0; ok && (option = dd_parse_option_at(i)); i++) {
        int value = is_planned(option) ? dd_parse_option_get(option, &how->input, &how->parse) : 0;
        const char *text = dd_parse_option_text(option, &how->input, &how->parse);
        ok = (value == 0 || dd_buffer_printf(out, "option\t%s\t%d\n", option->name, value)) &&
             (!text || dd_buffer_printf(out, "option\t%s\t%s\n", option->name, text));
    }
    return ok;
}

void dd_plan_options_init_size(dd_plan_options *options, size_t size)
{
    const dd_plan_options defaults = {.task_bytes = UINT64_C(64) << 20};
    dd_options_init(options, size, &defaults, sizeof defaults);
}

/* Callbacks, names and what does not decide about the output are left behind. */
static dd_status copy_planned(dd_plan_how *how, const dd_input_options *input,
                              const dd_parse_options *parse, dd_error *error)
{
    const dd_parse_option *option;
    dd_status status = DD_OK;
    for (size_t i = 0; status == DD_OK && (option = dd_parse_option_at(i)); i++) {
        const char *text = dd_parse_option_text(option, input, parse);
        if (text && !is_planned(option))
            status = dd_fail(error, DD_ERROR_ARGUMENT, "%s is not for plans", option->name);
        else if (text)
            status = keep_text(how, option, (dd_text){text, strlen(text)}, error);
        else if (is_planned(option) && option->kind != DD_OPTION_TEXT)
            status = dd_parse_option_set(option, dd_parse_option_get(option, input, parse),
                                         &how->input, &how->parse, error);
    }
    return status;
}

static dd_status take_packing(dd_plan_how *how, const char *name, dd_error *error)
{
    if (!name) return DD_OK;
    for (how->packing = DD_GZIP; how->packing <= DD_ZSTD; how->packing++)
        if (strcmp(name, packing_name(how->packing)) == 0) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT, "outputs are compressed as gz or zst");
}

dd_status dd_plan_how_take(dd_plan_how *how, const dd_plan_options *options, dd_error *error)
{
    dd_input_options input;
    dd_parse_options parse;
    dd_input_options_init(&input);
    dd_parse_options_init(&parse);
    init_options(how);
    dd_status status =
        DD_OPTIONS_TAKE(&input, options->input, abbreviations, "options were", error);
    if (status == DD_OK)
        status = DD_OPTIONS_TAKE(&parse, options->parse, unbuffered, "options were", error);
    if (status != DD_OK) return status;
    const dd_format_row *format = dd_format_written(options->to);
    if (!format)
        return dd_fail(error, DD_ERROR_ARGUMENT, "sentences cannot be written in this format");
    how->to = format->is.format;
    status = take_packing(how, options->compress, error);
    if (status != DD_OK) return status;
    return copy_planned(how, &input, &parse, error);
}

dd_input_options dd_plan_input_options(const dd_plan *plan, const dd_plan_file *file)
{
    dd_input_options options = plan->how.input;
    options.format = file->format;
    options.paragraphs = file->paragraphs;
    if (file->format <= DD_FORMAT_CONLLX) options.given = DD_GIVEN_AUTO;
    options.document = file->document;
    options.prefix = file->prefix;
    return options;
}

dd_parse_options dd_plan_parse_options(const dd_plan *plan, int threads)
{
    dd_parse_options options = plan->how.parse;
    options.threads = threads;
    return options;
}

/* ---- writing ------------------------------------------------------------------------------ */

static const char *const paragraph_names[] = {"auto", "blank", "line"}; /* by dd_paragraphs */

static bool write_file(const dd_plan_file *file, dd_buffer *out)
{
    return dd_buffer_printf(out, "input\t%s\t%s\t%llu\t%s\t%s\t%s\n",
                            dd_format_at(file->format)->name, paragraph_names[file->paragraphs],
                            (unsigned long long)file->bytes, file->document ? file->document : "",
                            file->prefix ? file->prefix : "", file->path);
}

static bool write_part(const dd_plan_part *part, dd_buffer *out)
{
    const dd_range_place *place = &part->place;
    const char *how = part->whole ? "whole" : place->packed ? "frames" : "plain";
    return dd_buffer_printf(out, "task\t%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%s\n", how,
                            (unsigned long long)place->offset, (unsigned long long)place->bytes,
                            (unsigned long long)part->lines, (unsigned long long)part->characters,
                            (unsigned long long)part->blocks, (unsigned long long)place->frame,
                            (unsigned long long)place->skip, part->checksum);
}

/* Tasks stand behind their input. */
dd_status dd_plan_format(dd_plan *plan, dd_buffer *out, dd_error *error)
{
    bool ok = dd_buffer_printf(out, "dodona plan\t%d\nprogram\t%s\nmodel\t%llu\t%s\t%s\n",
                               DD_PLAN_VERSION, dd_version(), (unsigned long long)plan->model_bytes,
                               plan->model_checksum, plan->model_path) &&
              dd_plan_how_format(&plan->how, out);
    for (size_t i = 0; i < plan->file_count && ok; i++) {
        const dd_plan_file *file = &plan->files[i];
        ok = write_file(file, out);
        for (size_t task = file->first; task <= file->last && ok; task++)
            ok = write_part(&plan->parts[task - 1], out);
    }
    ok = ok && dd_buffer_printf(out, "end\t%zu\n", plan->part_count);
    return ok ? DD_OK : dd_fail_memory(error);
}

/* ---- reading ------------------------------------------------------------------------------ */

typedef struct lines {
    const char *path;
    dd_text rest; /* of the text */
    dd_text line; /* the current one, from which fields are cut off */
    uint64_t number;
    dd_plan *plan;
    dd_error *error;
} lines;

static dd_status fail(const lines *in, const char *reason)
{
    return dd_fail_at(in->error, DD_ERROR_DATA, in->path, in->number, 0, "%s", reason);
}

static bool next_line(lines *in)
{
    in->number++;
    return dd_text_cut_at(&in->rest, '\n', &in->line);
}

/* ---- fields ------------------------------------------------------------------------------- */

static dd_text field(lines *in)
{
    return dd_text_cut(&in->line, '\t');
}

static bool number(lines *in, uint64_t most, uint64_t *out)
{
    dd_text digits = field(in);
    uint64_t value = 0;
    for (size_t i = 0; i < digits.size; i++) {
        unsigned digit = (unsigned)(digits.data[i] - '0');
        if (digit > 9 || value > most / 10 || value * 10 > most - digit) return false;
        value = value * 10 + digit;
    }
    *out = value;
    return digits.size > 0 && value <= most;
}

/* Offsets in files. */
static bool offset(lines *in, uint64_t *out)
{
    return number(in, INT64_MAX, out);
}

static bool checksum(lines *in, char out[DD_CHECKSUM_SIZE])
{
    dd_text digits = field(in);
    if (digits.size != DD_CHECKSUM_SIZE - 1) return false;
    memcpy(out, digits.data, digits.size);
    out[digits.size] = '\0';
    return strspn(out, "0123456789abcdef") == digits.size;
}

/* The rest of the line, which may have tabs. */
static dd_status path(lines *in, char **out)
{
    if (in->line.size == 0 || memchr(in->line.data, '\0', in->line.size))
        return fail(in, "not a path");
    *out = dd_copy_text(in->line.data, in->line.size);
    return *out ? DD_OK : dd_fail_memory(in->error);
}

/* A name, or nothing. */
static dd_status name(lines *in, char **out)
{
    dd_text text = field(in);
    if (text.size == 0) return DD_OK;
    if (!dd_rule_label(text)) return fail(in, "not a name of a document");
    *out = dd_copy_text(text.data, text.size);
    return *out ? DD_OK : dd_fail_memory(in->error);
}

/* ---- lines -------------------------------------------------------------------------------- */

static dd_status read_version(lines *in)
{
    uint64_t version;
    if (!next_line(in) || !dd_text_is(field(in), "dodona plan") ||
        !number(in, UINT32_MAX, &version))
        return fail(in, "not a plan");
    return version == DD_PLAN_VERSION ? DD_OK : fail(in, "the plan is of another version");
}

static dd_status read_model(lines *in)
{
    dd_plan *plan = in->plan;
    if (plan->model_path || !number(in, INT64_MAX, &plan->model_bytes) ||
        !checksum(in, plan->model_checksum))
        return fail(in, "this does not describe a model");
    return path(in, &plan->model_path);
}

static dd_status read_option(lines *in)
{
    dd_text name = field(in);
    if (set_option(&in->plan->how, name, field(in), NULL) != DD_OK)
        return fail(in, "unknown option or value; the plan may be of a newer version");
    return DD_OK;
}

/* What an input was read as is known when the plan is made. */
static bool read_format(lines *in, dd_format *out)
{
    dd_text text = field(in);
    const dd_format_info *known;
    for (size_t i = DD_FORMAT_AUTO + 1; (known = dd_format_at(i)); i++) {
        *out = known->format;
        if (known->is_read && dd_text_is(text, known->name)) return true;
    }
    return false;
}

static bool read_paragraphs(lines *in, dd_paragraphs *out)
{
    dd_text text = field(in);
    for (int i = DD_PARAGRAPHS_AUTO; i <= DD_PARAGRAPHS_LINE; i++) {
        *out = (dd_paragraphs)i;
        if (dd_text_is(text, paragraph_names[i])) return true;
    }
    return false;
}

static dd_status read_input(lines *in)
{
    dd_plan_file *file = dd_plan_add_file(in->plan);
    if (!file) return dd_fail_memory(in->error);
    file->first = in->plan->part_count + 1;
    file->last = in->plan->part_count;
    if (!read_format(in, &file->format) || !read_paragraphs(in, &file->paragraphs) ||
        !offset(in, &file->bytes))
        return fail(in, "this does not describe an input");
    dd_status status = name(in, &file->document);
    if (status == DD_OK) status = name(in, &file->prefix);
    return status == DD_OK ? path(in, &file->path) : status;
}

static bool read_kind(lines *in, dd_plan_part *part)
{
    dd_text kind = field(in);
    part->whole = dd_text_is(kind, "whole");
    part->place.packed = dd_text_is(kind, "frames");
    return part->whole || part->place.packed || dd_text_is(kind, "plain");
}

static dd_status read_task(lines *in)
{
    dd_plan *plan = in->plan;
    if (plan->file_count == 0 || plan->part_count >= DD_PLAN_MOST_TASKS)
        return fail(in, plan->file_count == 0 ? "a task before the first input"
                                              : "there are too many tasks");
    dd_plan_part *part = dd_plan_add_part(plan);
    if (!part) return dd_fail_memory(in->error);
    dd_range_place *place = &part->place;
    part->file = plan->file_count - 1;
    plan->files[part->file].last = plan->part_count;
    if (!read_kind(in, part) || !offset(in, &place->offset) || !offset(in, &place->bytes) ||
        !offset(in, &part->lines) || !offset(in, &part->characters) || !offset(in, &part->blocks) ||
        !offset(in, &place->frame) || !offset(in, &place->skip) || !checksum(in, part->checksum))
        return fail(in, "this does not describe a task");
    return DD_OK;
}

static dd_status read_end(lines *in)
{
    uint64_t count;
    if (!number(in, DD_PLAN_MOST_TASKS, &count) || count != in->plan->part_count ||
        in->rest.size > 0 || !in->plan->model_path)
        return fail(in, "the plan is incomplete");
    return DD_END;
}

static dd_status read_line(lines *in)
{
    dd_text key = field(in);
    if (dd_text_is(key, "task")) return read_task(in);
    if (dd_text_is(key, "input")) return read_input(in);
    if (dd_text_is(key, "option")) return read_option(in);
    if (dd_text_is(key, "model")) return read_model(in);
    if (dd_text_is(key, "program")) return DD_OK;
    if (dd_text_is(key, "end")) return read_end(in);
    return fail(in, "this line is unknown; the plan may be of a newer version");
}

dd_status dd_plan_parse(dd_plan *plan, const char *path, dd_text text, dd_error *error)
{
    lines in = {.path = path, .rest = text, .plan = plan, .error = error};
    init_options(&plan->how);
    dd_status status = read_version(&in);
    while (status == DD_OK)
        status = next_line(&in) ? read_line(&in) : fail(&in, "the plan is truncated");
    return status == DD_END ? DD_OK : status;
}
