#include "plan/record.h"

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

dd_status dd_record_write(const dd_plan_part *part, const dd_record *record, dd_error *error)
{
    dd_buffer text = {0};
    bool made = dd_buffer_printf(
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

static dd_status read_path(const char *path, dd_record *out, dd_error *error)
{
    dd_buffer text = {0};
    dd_status status = dd_plan_read_file(path, &text, error);
    if (status == DD_OK && !dd_buffer_append(&text, "", 1)) status = dd_fail_memory(error);
    if (status == DD_OK && !read_values(text.data, out))
        status = dd_fail(error, DD_ERROR_DATA, "%.300s: this is no record of a task", path);
    dd_buffer_free(&text);
    return status;
}

dd_status dd_record_read(const dd_plan_part *part, dd_record *record, dd_error *error)
{
    char *path = dd_plan_beside(part, ".record");
    dd_status status = path ? read_path(path, record, error) : dd_fail_memory(error);
    free(path);
    return status;
}

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

/* core/newfile.h: NAME.RANDOM.part */
static bool is_left_behind(const char *name, const char *output)
{
    size_t size = strlen(name), start = strlen(output);
    return size > start + 5 && strncmp(name, output, start) == 0 && name[start] == '.' &&
           strcmp(name + size - 5, ".part") == 0;
}

static bool is_failure(const char *name, const char *output)
{
    size_t start = strlen(output);
    return strncmp(name, output, start) == 0 && strcmp(name + start, ".failed") == 0;
}

/* Nothing is allocated, so that nothing can go wrong. */
void dd_record_clear(const dd_plan_part *part)
{
    const char *output = part->shown.output, *slash = strrchr(output, '/');
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - output), output);
    DIR *list = opendir(folder);
    const struct dirent *entry;
    while (list && (entry = readdir(list)))
        if (is_left_behind(entry->d_name, slash + 1) || is_failure(entry->d_name, slash + 1))
            unlinkat(dirfd(list), entry->d_name, 0);
    if (list) closedir(list);
}
