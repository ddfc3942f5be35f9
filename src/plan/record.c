#include "plan/plan.h"

#include "core/newfile.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static dd_status write_beside(const dd_plan_part *part, const char *ending, dd_buffer *text,
                              dd_error *error)
{
    char *path = dd_plan_beside(part, ending);
    dd_status status = path ? dd_plan_write_file(path, (dd_text){text->data, text->size}, error)
                            : dd_fail_memory(error);
    free(path);
    return status;
}

/* ---- records ------------------------------------------------------------------------------ */

static const char first_word[] = "task\t";

/* The beginning of a record: what the output was made of. */
static bool describe(dd_plan *plan, const dd_plan_part *part, dd_buffer *out)
{
    return dd_buffer_printf(out, "%s%zu\n", first_word, dd_plan_number(plan, part)) &&
           dd_plan_how_format(&plan->how, out) &&
           dd_buffer_printf(out, "model\t%s\ninput\t%s\n", plan->model_checksum, part->checksum);
}

dd_status dd_record_write(dd_plan *plan, const dd_plan_part *part, const dd_record *record,
                          dd_error *error)
{
    dd_buffer text = {0};
    bool made =
        describe(plan, part, &text) &&
        dd_buffer_printf(
            &text, "sentences\t%llu\nwords\t%llu\nbad\t%llu\nbytes\t%llu\nchecksum\t%s\nowed\t%s\n",
            (unsigned long long)record->sentences, (unsigned long long)record->words,
            (unsigned long long)record->bad, (unsigned long long)record->bytes, record->checksum,
            record->owed);
    dd_status status = made ? write_beside(part, ".record", &text, error) : dd_fail_memory(error);
    dd_buffer_free(&text);
    return status;
}

static bool read_values(const char *text, dd_record *out)
{
    unsigned long long sentences, words, bad, bytes;
    int used = 0;
    if (sscanf(text, "sentences\t%19llu\nwords\t%19llu\nbad\t%19llu\nbytes\t%19llu\n%n", &sentences,
               &words, &bad, &bytes, &used) != 4)
        return false;
    out->sentences = sentences;
    out->words = words;
    out->bad = bad;
    out->bytes = bytes;
    out->owed[0] = '\0';
    return sscanf(text + used, "checksum\t%32[0-9a-f]\nowed\t%7[rn]", out->checksum, out->owed) >=
           1;
}

/* Both texts end in a NUL. */
static dd_status take(const char *path, const char *text, const char *start, dd_record *out,
                      dd_error *error)
{
    size_t size = strlen(start);
    bool own = strncmp(text, start, size) == 0;
    bool other = !own && strncmp(text, first_word, strlen(first_word)) == 0;
    if (own && read_values(text + size, out)) return DD_OK;
    return dd_fail(error, DD_ERROR_DATA, "%.300s: %s; remove it, and run the task again", path,
                   other ? "is the record of another task or plan" : "is not the record of a task");
}

dd_status dd_record_read(dd_plan *plan, const dd_plan_part *part, dd_record *record,
                         dd_error *error)
{
    dd_buffer text = {0}, start = {0};
    char *path = dd_plan_beside(part, ".record");
    bool made = path && describe(plan, part, &start) && dd_buffer_append(&start, "", 1);
    dd_status status = made ? dd_plan_read_file(path, &text, error) : dd_fail_memory(error);
    if (status == DD_OK && !dd_buffer_append(&text, "", 1)) status = dd_fail_memory(error);
    if (status == DD_OK) status = take(path, text.data, start.data, record, error);
    dd_buffer_free(&start);
    dd_buffer_free(&text);
    free(path);
    return status;
}

dd_status dd_record_refuse(const dd_plan_part *part, dd_error *error)
{
    return dd_fail(error, DD_ERROR_DATA,
                   "%.300s: is not what was written; remove it, and run the task again",
                   part->shown.output);
}

dd_status dd_record_check(const dd_plan_part *part, const dd_record *record, dd_error *error)
{
    uint64_t bytes;
    char sum[DD_CHECKSUM_SIZE];
    dd_status status = dd_checksum_file(part->shown.output, &bytes, sum, error);
    if (status != DD_OK) return status;
    bool same = bytes == record->bytes && strcmp(sum, record->checksum) == 0;
    return same ? DD_OK : dd_record_refuse(part, error);
}

/* ---- failures, and what is left behind ---------------------------------------------------- */

dd_status dd_record_failure(const dd_plan_part *part, const char *reason, dd_error *error)
{
    dd_buffer text = {0};
    bool made = dd_buffer_printf(&text, "%s\n", part->shown.input) &&
                (part->whole || dd_buffer_printf(&text, "bytes %llu to %llu\n",
                                                 (unsigned long long)part->place.offset,
                                                 (unsigned long long)part->place.offset +
                                                     (unsigned long long)part->place.bytes)) &&
                dd_buffer_printf(&text, "%s\n", reason);
    dd_status status = made ? write_beside(part, ".failed", &text, error) : dd_fail_memory(error);
    dd_buffer_free(&text);
    return status;
}

/* Sweeps the files whose names begin so. Nothing is allocated, so that nothing can fail. */
static void sweep(const char *folder, const char *start)
{
    DIR *list = opendir(folder);
    const struct dirent *entry;
    while (list && (entry = readdir(list)))
        if (strncmp(entry->d_name, start, strlen(start)) == 0)
            dd_newfile_sweep(dirfd(list), entry->d_name);
    if (list) closedir(list);
}

void dd_record_clear(const dd_plan_part *part)
{
    const char *output = part->shown.output, *slash = strrchr(output, '/');
    char path[PATH_MAX];
    int size = snprintf(path, sizeof path, "%s.failed", output);
    if (size > 0 && (size_t)size < sizeof path) unlink(path);
    snprintf(path, sizeof path, "%.*s", (int)(slash - output), output);
    sweep(path, slash + 1);
}

void dd_record_clear_all(const dd_plan *plan)
{
    sweep(plan->folder, "task-");
}
