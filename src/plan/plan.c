#include "plan/plan.h"

#include "core/memory.h"
#include "core/newfile.h"
#include "text/io.h"

#include <dodona_tools.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files -------------------------------------------------------------------------------- */

/* Two parts of a path in a new one; NULL if allocation fails. */
static char *join(const char *first, const char *second)
{
    size_t size = strlen(first), room = size + strlen(second) + 1;
    char *path = malloc(room);
    if (path) snprintf(path, room, "%s%s", first, second);
    return path;
}

char *dd_plan_path(const char *path)
{
    struct stat facts;
    bool folder = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
    return join(path, folder ? "/plan" : "");
}

/* The folder of the plan at the path. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? dd_copy_text(path, (size_t)(slash - path)) : dd_copy_text(".", 1);
}

char *dd_plan_beside(const dd_plan_part *part, const char *ending)
{
    return join(part->shown.output, ending);
}

static dd_status read_all(int file, const char *path, dd_buffer *out, dd_error *error)
{
    ssize_t got;
    do {
        if (!dd_buffer_reserve(out, DD_IO_CHUNK)) return dd_fail_memory(error);
        got = read(file, out->data + out->size, DD_IO_CHUNK);
        if (got < 0 && errno != EINTR) return dd_fail_io(error, path, errno);
        if (got > 0) out->size += (size_t)got;
    } while (got != 0);
    return DD_OK;
}

dd_status dd_plan_read_file(const char *path, dd_buffer *out, dd_error *error)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return dd_fail_io(error, path, errno);
    dd_status status = read_all(file, path, out, error);
    close(file);
    return status;
}

dd_status dd_plan_write_file(const char *path, dd_text text, dd_error *error)
{
    dd_newfile new;
    if (!dd_newfile_open(&new, path)) return dd_fail_io(error, path, errno);
    bool written = dd_write_all(new.file, text.data, text.size);
    if (!written) dd_newfile_drop(&new);
    if (written && dd_newfile_finish(&new)) return DD_OK;
    return dd_fail_io(error, path, errno);
}

/* ---- the plan ----------------------------------------------------------------------------- */

dd_plan_file *dd_plan_add_file(dd_plan *plan)
{
    if (!DD_RESERVE(&plan->files, &plan->file_capacity, plan->file_count + 1)) return NULL;
    dd_plan_file *file = &plan->files[plan->file_count++];
    *file = (dd_plan_file){.first = 1};
    return file;
}

dd_plan_part *dd_plan_add_part(dd_plan *plan)
{
    if (!DD_RESERVE(&plan->parts, &plan->part_capacity, plan->part_count + 1)) return NULL;
    dd_plan_part *part = &plan->parts[plan->part_count++];
    *part = (dd_plan_part){0};
    return part;
}

static char *output_path(const dd_plan *plan, size_t task)
{
    char name[48];
    snprintf(name, sizeof name, "/task-%06zu%s%s", task, dd_format_at(plan->how.to)->ending,
             dd_packing_ending(plan->how.packing));
    return join(plan->folder, name);
}

dd_status dd_plan_show(dd_plan *plan, dd_error *error)
{
    for (size_t i = 0; i < plan->part_count; i++) {
        dd_plan_part *part = &plan->parts[i];
        part->shown = (dd_plan_task){
            .number = i + 1,
            .input = plan->files[part->file].path,
            .offset = part->place.offset,
            .bytes = part->whole ? 0 : part->place.bytes,
            .output = output_path(plan, i + 1),
        };
        if (!part->shown.output) return dd_fail_memory(error);
    }
    return DD_OK;
}

static dd_status open_at(dd_plan *plan, const char *path, dd_error *error)
{
    dd_buffer text = {0};
    plan->folder = folder_of(path);
    dd_status status = plan->folder ? DD_OK : dd_fail_memory(error);
    if (status == DD_OK) status = dd_plan_read_file(path, &text, error);
    if (status == DD_OK) status = dd_plan_parse(plan, path, (dd_text){text.data, text.size}, error);
    if (status == DD_OK) status = dd_plan_show(plan, error);
    dd_buffer_free(&text);
    return status;
}

dd_status dd_plan_open(dd_plan **out, const char *path, dd_error *error)
{
    char *found = dd_plan_path(path);
    dd_plan *plan = found ? dd_calloc(1, sizeof *plan) : NULL;
    dd_status status = plan ? open_at(plan, found, error) : dd_fail_memory(error);
    free(found);
    if (status == DD_OK)
        *out = plan;
    else
        dd_plan_close(plan);
    return status;
}

void dd_plan_close(dd_plan *plan)
{
    if (!plan) return;
    for (size_t i = 0; i < plan->file_count; i++) {
        free(plan->files[i].path);
        free(plan->files[i].document);
        free(plan->files[i].prefix);
    }
    for (size_t i = 0; i < plan->part_count; i++) free((char *)plan->parts[i].shown.output);
    free(plan->files);
    free(plan->parts);
    free(plan->model_path);
    free(plan->folder);
    dd_plan_how_free(&plan->how);
    dd_model_free(plan->model);
    free(plan);
}

const dd_plan_task *dd_plan_at(const dd_plan *plan, size_t index)
{
    return index < plan->part_count ? &plan->parts[index].shown : NULL;
}

dd_status dd_plan_find(const dd_plan *plan, size_t task, const dd_plan_part **out, dd_error *error)
{
    if (task == 0 || task > plan->part_count)
        return dd_fail(error, DD_ERROR_ARGUMENT, "there is no task %zu; the plan has %zu", task,
                       plan->part_count);
    *out = &plan->parts[task - 1];
    return DD_OK;
}

size_t dd_plan_number(const dd_plan *plan, const dd_plan_part *part)
{
    return (size_t)(part - plan->parts) + 1;
}

dd_status dd_plan_load(dd_plan *plan, dd_error *error)
{
    uint64_t bytes;
    char sum[DD_CHECKSUM_SIZE];
    if (plan->model) return DD_OK;
    dd_status status = dd_checksum_file(plan->model_path, &bytes, sum, error);
    if (status != DD_OK) return status;
    if (bytes != plan->model_bytes || strcmp(sum, plan->model_checksum) != 0)
        return dd_fail(error, DD_ERROR_DATA, "%.300s: is not the model that the plan was made with",
                       plan->model_path);
    return dd_model_load(&plan->model, plan->model_path, error);
}

/* Whether OUTPUT.ENDING exists. */
static bool has_beside(const dd_plan_part *part, const char *ending)
{
    char path[PATH_MAX];
    int size = snprintf(path, sizeof path, "%s%s", part->shown.output, ending);
    return size > 0 && (size_t)size < sizeof path && access(path, F_OK) == 0;
}

/* An output whose record was lost cannot be checked or joined: the task must be done again. */
dd_task_state dd_plan_state(const dd_plan *plan, size_t task)
{
    const dd_plan_part *part = NULL;
    if (dd_plan_find(plan, task, &part, NULL) != DD_OK) return DD_TASK_OPEN;
    if (has_beside(part, "") && has_beside(part, ".record")) return DD_TASK_DONE;
    return has_beside(part, ".failed") ? DD_TASK_FAILED : DD_TASK_OPEN;
}
