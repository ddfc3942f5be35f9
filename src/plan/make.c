/* make.c - a new plan: what the inputs are, where they are cut, and what each part holds */
#include "core/memory.h"
#include "core/options.h"
#include "parse/input.h"
#include "plan/plan.h"
#include "text/encoding.h"
#include "text/io.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes the path absolute, because workers may run in another folder. A path with a line end could
 * not be written in the plan. */
static dd_status whole_path(const char *path, char **out, uint64_t *bytes, dd_error *error)
{
    struct stat facts;
    char real[PATH_MAX];
    if (!realpath(path, real) || stat(real, &facts) != 0) return dd_fail_io(error, path, errno);
    if (!S_ISREG(facts.st_mode))
        return dd_fail(error, DD_ERROR_ARGUMENT, "%.300s: not a regular file", path);
    if (strchr(real, '\n'))
        return dd_fail(error, DD_ERROR_ARGUMENT, "%.300s: its path has a line end", path);
    *bytes = (uint64_t)facts.st_size;
    *out = dd_copy_text(real, strlen(real));
    return *out ? DD_OK : dd_fail_memory(error);
}

/* ---- one input ---------------------------------------------------------------------------- */

/* Finds the format of the file and where its paragraphs end, as dd_reader_open_input does, and
 * checks its ids. */
static dd_status find_format(dd_plan *plan, dd_plan_file *file, const dd_input_options *wanted,
                             dd_error *error)
{
    dd_reader *reader;
    dd_input_options how = dd_plan_input_options(plan, file);
    how.format = wanted->format;
    how.decided = wanted->decided;
    how.user = wanted->user;
    how.paragraphs = plan->how.input.paragraphs;
    how.given = plan->how.input.given;
    dd_status status =
        dd_reader_open_input(&reader, plan->model, &(dd_input){.name = file->path}, &how, error);
    if (status != DD_OK) return status;
    file->format = dd_reader_format(reader);
    status = dd_reader_paragraphs(reader, &file->paragraphs, error);
    dd_reader_close(reader);
    if (status != DD_OK) return status;
    if (plan->how.to != DD_FORMAT_JSONL || file->format == DD_FORMAT_JSONL) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT,
                   "%.300s: only documents in JSON lines can be written as JSON lines", file->path);
}

static dd_status copy_name(char **out, const char *name, dd_error *error)
{
    if (name) *out = dd_copy_text(name, strlen(name));
    return !name || *out ? DD_OK : dd_fail_memory(error);
}

/* *utf16: it begins with that byte order mark. */
static dd_status find_packing(const char *path, dd_packing *out, bool *utf16, dd_error *error)
{
    dd_range *range = NULL;
    dd_text start = {0};
    dd_status status = dd_range_open(&range, path, &(dd_range_place){.bytes = 4}, error);
    if (status == DD_OK) status = dd_range_next(range, &start, error);
    if (status == DD_OK) *out = dd_packing_of(start);
    *utf16 = status == DD_OK && dd_is_utf16(start);
    if (status == DD_END) *out = DD_PLAIN;
    dd_range_close(range);
    return status == DD_END ? DD_OK : status;
}

static dd_status add_whole(dd_plan *plan, dd_plan_file *file, dd_error *error)
{
    dd_plan_part *part = dd_plan_add_part(plan);
    if (!part) return dd_fail_memory(error);
    part->file = plan->file_count - 1;
    part->whole = true;
    return dd_checksum_file(file->path, &file->bytes, part->checksum, error);
}

/* Adds the next part of the file. A part must have more than white space, because the first one
 * begins the document. */
static dd_status add_part(dd_plan *plan, const dd_cutting *how, uint64_t start, dd_measure *before,
                          uint64_t *end, dd_error *error)
{
    dd_plan_part *part = dd_plan_add_part(plan);
    if (!part) return dd_fail_memory(error);
    dd_measure behind;
    part->file = plan->file_count - 1;
    part->lines = before->lines;
    part->characters = before->characters;
    part->blocks = before->blocks;
    *end = start;
    do {
        dd_status status = dd_cut_find(how, *end, end, error);
        if (status != DD_OK) return status;
        part->place = (dd_range_place){.offset = start, .bytes = *end - start};
        dd_frames_locate(&how->frames, &part->place);
        behind = *before;
        status = dd_measure_add(&behind, how->path, &part->place, error);
        if (status != DD_OK) return status;
    } while (!behind.visible && *end < how->bytes);
    memcpy(part->checksum, behind.checksum, sizeof part->checksum);
    *before = behind;
    return DD_OK;
}

static dd_status add_parts(dd_plan *plan, const dd_cutting *how, dd_error *error)
{
    dd_measure measure = {0};
    dd_status status = DD_OK;
    for (uint64_t at = 0; at < how->bytes && status == DD_OK;) {
        if (plan->part_count >= DD_PLAN_MOST_TASKS)
            return dd_fail(error, DD_ERROR_ARGUMENT, "this makes more than %d tasks",
                           DD_PLAN_MOST_TASKS);
        status = add_part(plan, how, at, &measure, &at, error);
    }
    return status;
}

static dd_status cut_file(dd_plan *plan, dd_plan_file *file, uint64_t task_bytes, dd_error *error)
{
    bool lines =
        plan->how.input.given >= DD_GIVEN_SENTENCES || file->paragraphs == DD_PARAGRAPHS_LINE;
    dd_cutting how = {
        .path = file->path,
        .bytes = file->bytes,
        .task_bytes = task_bytes,
        .at_lines = file->format == DD_FORMAT_JSONL || (lines && file->format == DD_FORMAT_TEXT),
        .before_comments = file->format == DD_FORMAT_CONLLU,
    };
    dd_packing packing;
    bool utf16;
    dd_status status = find_packing(file->path, &packing, &utf16, error);
    if (status == DD_OK && packing == DD_ZSTD)
        status = dd_frames_find(&how.frames, file->path, error);
    if (status != DD_OK) return status;
    if (packing == DD_ZSTD) how.bytes = how.frames.bytes;
    /* In other encodings a line end may be other bytes, or within a character. */
    bool whole = packing == DD_GZIP || (packing == DD_ZSTD && how.frames.count < 2) || utf16 ||
                 plan->how.input.encoding;
    status = whole ? add_whole(plan, file, error) : add_parts(plan, &how, error);
    dd_frames_free(&how.frames);
    return status;
}

static dd_status add_input(dd_plan *plan, const dd_plan_input *input,
                           const dd_input_options *wanted, uint64_t task_bytes, dd_error *error)
{
    dd_plan_file *file = dd_plan_add_file(plan);
    if (!file) return dd_fail_memory(error);
    file->first = plan->part_count + 1;
    dd_status status = whole_path(input->path, &file->path, &file->bytes, error);
    if (status == DD_OK) status = copy_name(&file->document, input->document, error);
    if (status == DD_OK) status = copy_name(&file->prefix, input->prefix, error);
    if (status == DD_OK) status = find_format(plan, file, wanted, error);
    if (status == DD_OK) status = cut_file(plan, file, task_bytes, error);
    file->last = plan->part_count;
    return status;
}

/* ---- the plan ----------------------------------------------------------------------------- */

static dd_status take_model(dd_plan *plan, const char *model, dd_error *error)
{
    uint64_t bytes;
    dd_status status = whole_path(model, &plan->model_path, &bytes, error);
    if (status == DD_OK)
        status =
            dd_checksum_file(plan->model_path, &plan->model_bytes, plan->model_checksum, error);
    if (status == DD_OK) status = dd_model_load(&plan->model, plan->model_path, error);
    if (status != DD_OK) return status;
    int beam = plan->how.parse.beam > 0 ? plan->how.parse.beam : dd_model_beam(plan->model);
    if (plan->how.parse.nbest > beam)
        return dd_fail(error, DD_ERROR_ARGUMENT, "a beam of %d cannot give %d trees", beam,
                       plan->how.parse.nbest);
    return DD_OK;
}

/* Refuses a folder with outputs of another plan, which would be taken for those of this one. */
static dd_status check_outputs(const dd_plan *plan, dd_error *error)
{
    for (size_t task = 1; task <= plan->part_count; task++)
        if (dd_plan_state(plan, task) != DD_TASK_OPEN ||
            access(plan->parts[task - 1].shown.output, F_OK) == 0)
            return dd_fail(error, DD_ERROR_ARGUMENT, "%.300s: the folder has outputs already",
                           plan->folder);
    return DD_OK;
}

static dd_status write_plan(dd_plan *plan, const char *path, dd_error *error)
{
    dd_buffer text = {0};
    dd_status status = dd_plan_format(plan, &text, error);
    if (status == DD_OK) status = dd_plan_write_file(path, (dd_text){text.data, text.size}, error);
    dd_buffer_free(&text);
    return status;
}

/* Makes the folder, so that the path of its plan can be built. */
static dd_status make_folder(const char *folder, char **path, dd_error *error)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return dd_fail_io(error, folder, errno);
    *path = dd_plan_path(folder);
    if (!*path) return dd_fail_memory(error);
    if (access(*path, F_OK) == 0)
        return dd_fail(error, DD_ERROR_ARGUMENT, "%.300s: there is a plan already", *path);
    return DD_OK;
}

static dd_status fill(dd_plan *plan, const char *model, const dd_plan_input *inputs, size_t count,
                      const dd_plan_options *how, dd_error *error)
{
    dd_status status = dd_plan_how_take(&plan->how, how, error);
    if (status == DD_OK) status = take_model(plan, model, error);
    dd_input_options wanted;
    dd_input_options_init(&wanted);
    if (status == DD_OK)
        status = DD_OPTIONS_TAKE(&wanted, how->input, decided, "options were", error);
    for (size_t i = 0; i < count && status == DD_OK; i++)
        status = add_input(plan, &inputs[i], &wanted, how->task_bytes, error);
    return status == DD_OK ? dd_plan_show(plan, error) : status;
}

static dd_status make(dd_plan *plan, const char *folder, const char *model,
                      const dd_plan_input *inputs, size_t count, const dd_plan_options *how,
                      dd_error *error)
{
    char *path = NULL;
    plan->folder = dd_copy_text(folder, strlen(folder));
    dd_status status = plan->folder ? make_folder(folder, &path, error) : dd_fail_memory(error);
    if (status == DD_OK) status = fill(plan, model, inputs, count, how, error);
    if (status == DD_OK) status = check_outputs(plan, error);
    if (status == DD_OK) status = write_plan(plan, path, error);
    free(path);
    return status;
}

dd_status dd_plan_make(const char *folder, const char *model, const dd_plan_input *inputs,
                       size_t count, const dd_plan_options *options, dd_error *error)
{
    dd_plan_options how;
    dd_plan_options_init(&how);
    dd_status status = DD_OPTIONS_TAKE(&how, options, parse, "options were", error);
    if (status != DD_OK) return status;
    if (count == 0 || how.task_bytes == 0)
        return dd_fail(error, DD_ERROR_ARGUMENT,
                       "a plan needs an input, and a task at least one byte");
    dd_plan *plan = dd_calloc(1, sizeof *plan);
    if (!plan) return dd_fail_memory(error);
    status = make(plan, folder, model, inputs, count, &how, error);
    dd_plan_close(plan);
    return status;
}
