/* read.c - a plan from its text, of which everything is checked */
#include "core/memory.h"
#include "core/strings.h"
#include "plan/plan.h"
#include "text/rules.h"

#include <stdio.h>

typedef struct lines {
    const char *path;
    dd_text rest; /* of the text */
    dd_text line; /* the one at hand, of which fields are cut off */
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
        return fail(in, "this is no path");
    *out = dd_copy_text(in->line.data, in->line.size);
    return *out ? DD_OK : dd_fail_memory(in->error);
}

/* A name, or nothing. */
static dd_status name(lines *in, char **out)
{
    dd_text text = field(in);
    if (text.size == 0) return DD_OK;
    if (!dd_rule_label(text)) return fail(in, "this is no name of a document");
    *out = dd_copy_text(text.data, text.size);
    return *out ? DD_OK : dd_fail_memory(in->error);
}

/* ---- lines -------------------------------------------------------------------------------- */

static dd_status read_version(lines *in)
{
    uint64_t version;
    if (!next_line(in) || !dd_text_is(field(in), "dodona plan") ||
        !number(in, UINT32_MAX, &version))
        return fail(in, "this is no plan");
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
    dd_text wanted = field(in);
    int *value, most;
    const char *known;
    for (size_t i = 0; (known = dd_plan_option(&in->plan->how, i, &value, &most)); i++) {
        uint64_t given;
        if (!dd_text_is(wanted, known)) continue;
        if (!number(in, (uint64_t)most, &given)) return fail(in, "the option has no such value");
        *value = (int)given;
        return DD_OK;
    }
    return fail(in, "the option is unknown; the plan may be of a newer version");
}

static bool read_format(lines *in, dd_format *out)
{
    static const char *const known[] = {"conllu", "conllx", "text", "vertical"};
    dd_text text = field(in);
    for (int i = 0; i < 4; i++) {
        *out = (dd_format)(DD_FORMAT_CONLLU + i);
        if (dd_text_is(text, known[i])) return true;
    }
    return false;
}

static dd_status read_input(lines *in)
{
    dd_plan_file *file = dd_plan_add_file(in->plan);
    if (!file) return dd_fail_memory(in->error);
    file->first = in->plan->part_count + 1;
    file->last = in->plan->part_count;
    if (!read_format(in, &file->format) || !offset(in, &file->bytes))
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
        return fail(in, plan->file_count == 0 ? "a task of no input" : "there are too many tasks");
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
        return fail(in, "the plan is not whole");
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
    dd_status status = read_version(&in);
    while (status == DD_OK) status = next_line(&in) ? read_line(&in) : fail(&in, "the plan is cut");
    return status == DD_END ? DD_OK : status;
}
