/* merge.c - the outputs of all tasks as one process would have written them */
#include "core/strings.h"
#include "plan/plan.h"
#include "text/io.h"
#include "text/reader.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* ---- ids ---------------------------------------------------------------------------------- */

/* The ids of sentences of plain text start at 1 in each part of a file; here they are counted
 * over all of it:
 *
 *     # sent_id = 7                                          -> # sent_id = 1007
 *     {"sent_id":"a-7", .. "comments":[.. "# sent_id = a-7"  -> a-1007 in both places
 *
 * The library has written all comments of such sentences, and nothing else can look like one of
 * these: a text has no line ends, and quotes within JSON's strings stand behind a '\'. */
typedef struct renumbering {
    bool json;
    dd_text prefix;  /* of the ids, without its '-'; empty: none */
    uint64_t before; /* sentences */
    dd_buffer line;  /* the beginning of a line that is not complete yet */
    dd_buffer out;   /* the complete lines, renumbered */
} renumbering;       /* line and out begin as {0} */

static const char comment[] = "# sent_id = ";

/* The number of an id that the text begins with; 0: there is none, as they begin with 1. */
static uint64_t read_number(const renumbering *ids, dd_text *rest)
{
    size_t prefix = ids->prefix.size;
    uint64_t number = 0;
    if (prefix > 0) {
        dd_text start = {rest->data, rest->size < prefix ? rest->size : prefix};
        if (!dd_text_same(start, ids->prefix) || rest->size == prefix || rest->data[prefix] != '-')
            return 0;
        *rest = dd_text_skip(*rest, prefix + 1);
    }
    while (rest->size > 0 && rest->data[0] >= '0' && rest->data[0] <= '9' &&
           number < UINT64_MAX / 100) {
        number = number * 10 + (uint64_t)(rest->data[0] - '0');
        *rest = dd_text_skip(*rest, 1);
    }
    return number;
}

/* Where the mark is in the text; NULL: nowhere. */
static const char *find_mark(dd_text text, const char *mark)
{
    size_t size = strlen(mark);
    const char *at = text.data;
    for (size_t left = text.size; left >= size; left = text.size - (size_t)(at - text.data)) {
        at = memchr(at, mark[0], left - size + 1);
        if (!at || memcmp(at, mark, size) == 0) return at;
        at++;
    }
    return NULL;
}

/* Copies everything through the mark, and the new id behind it. Copies nothing if there is no mark.
 * False if allocation fails. */
static bool pass_id(renumbering *ids, dd_text *line, const char *mark)
{
    const char *found = find_mark(*line, mark);
    if (!found) return true;
    size_t before = (size_t)(found - line->data) + strlen(mark);
    dd_text rest = dd_text_skip(*line, before);
    uint64_t number = read_number(ids, &rest);
    if (number == 0) return true;
    if (!dd_buffer_append(&ids->out, line->data, before)) return false;
    *line = rest;
    return dd_buffer_printf(&ids->out, "%.*s%s%llu", (int)ids->prefix.size,
                            ids->prefix.size > 0 ? ids->prefix.data : "",
                            ids->prefix.size > 0 ? "-" : "",
                            (unsigned long long)(number + ids->before));
}

/* The comment is the first of the list, or stands behind others, which are "# newdoc.." and
 * "# newpar". */
static bool pass_json(renumbering *ids, dd_text *line)
{
    static const char list[] = "\"comments\":[";
    if (!pass_id(ids, line, "{\"sent_id\":\"")) return false;
    const char *found = find_mark(*line, list);
    if (!found) return true;
    size_t before = (size_t)(found - line->data) + strlen(list);
    bool first = dd_text_begins(dd_text_skip(*line, before), "\"# sent_id = ");
    return pass_id(ids, line, first ? "[\"# sent_id = " : ",\"# sent_id = ");
}

static bool pass_line(renumbering *ids, dd_text line)
{
    if (ids->json && !pass_json(ids, &line)) return false;
    if (!ids->json && dd_text_begins(line, comment) && !pass_id(ids, &line, comment)) return false;
    return line.size == 0 || dd_buffer_append(&ids->out, line.data, line.size);
}

/* With its line end. */
static dd_text take_line(dd_text *chunk, const char *newline)
{
    dd_text line = {chunk->data, (size_t)(newline - chunk->data) + 1};
    *chunk = dd_text_skip(*chunk, line.size);
    return line;
}

static bool renumber_chunk(renumbering *ids, dd_text chunk)
{
    const char *newline;
    while (chunk.size > 0 && (newline = memchr(chunk.data, '\n', chunk.size))) {
        dd_text line = take_line(&chunk, newline);
        if (ids->line.size > 0) {
            if (!dd_buffer_append(&ids->line, line.data, line.size)) return false;
            line = (dd_text){ids->line.data, ids->line.size};
        }
        if (!pass_line(ids, line)) return false;
        ids->line.size = 0;
    }
    return chunk.size == 0 || dd_buffer_append(&ids->line, chunk.data, chunk.size);
}

static bool renumber_rest(renumbering *ids)
{
    bool passed = ids->line.size == 0 || pass_line(ids, (dd_text){ids->line.data, ids->line.size});
    ids->line.size = 0;
    return passed;
}

static void free_renumbering(renumbering *ids)
{
    dd_buffer_free(&ids->line);
    dd_buffer_free(&ids->out);
}

/* ---- what is joined ----------------------------------------------------------------------- */

typedef struct joining {
    dd_plan *plan;
    dd_writer *file;    /* that all is joined into */
    dd_packing packing; /* of what is written to it */
    dd_writer *writer;  /* of a member of the file, NULL: none is open */
    bool any;           /* something was written */
    const char *owed;   /* line ends to be written before another file's sentences */
    dd_record record;   /* of the current task */
    renumbering ids;
    dd_error *error;
} joining;

static const char byte_order_mark[] = "\xEF\xBB\xBF";

/* ---- what is there ------------------------------------------------------------------------ */

static bool has_failed(const dd_plan *plan, const dd_plan_file *file)
{
    for (size_t task = file->first; task <= file->last; task++)
        if (dd_plan_state(plan, task) == DD_TASK_FAILED) return true;
    return false;
}

static dd_status check_done(const dd_plan *plan, bool without_failed, dd_error *error)
{
    size_t open = 0, failed = 0;
    for (size_t i = 0; i < plan->file_count; i++) {
        const dd_plan_file *file = &plan->files[i];
        if (without_failed && has_failed(plan, file)) continue;
        for (size_t task = file->first; task <= file->last; task++) {
            dd_task_state state = dd_plan_state(plan, task);
            open += state == DD_TASK_OPEN;
            failed += state == DD_TASK_FAILED;
        }
    }
    if (open + failed == 0) return DD_OK;
    return dd_fail(error, DD_ERROR_DATA, "%zu of %zu tasks are not done, and %zu have failed", open,
                   plan->part_count, failed);
}

static dd_status check_record(dd_plan *plan, const dd_plan_part *part, dd_error *error)
{
    struct stat facts;
    dd_record record;
    dd_status status = dd_record_read(plan, part, &record, error);
    if (status != DD_OK) return status;
    if (stat(part->shown.output, &facts) != 0) return dd_fail_io(error, part->shown.output, errno);
    return (uint64_t)facts.st_size == record.bytes ? DD_OK : dd_record_refuse(part, error);
}

/* Checks all records before the first byte is written, because standard output cannot be taken
 * back. What only checksums of outputs can show is noticed while they are copied. */
static dd_status check_records(dd_plan *plan, bool without_failed, dd_error *error)
{
    dd_status status = DD_OK;
    for (size_t i = 0; i < plan->file_count; i++) {
        const dd_plan_file *file = &plan->files[i];
        if (without_failed && has_failed(plan, file)) continue;
        for (size_t task = file->first; task <= file->last && status == DD_OK; task++)
            status = check_record(plan, &plan->parts[task - 1], error);
    }
    return status;
}

/* ---- bytes -------------------------------------------------------------------------------- */

static dd_status write_to_file(void *user, dd_text bytes, dd_error *error)
{
    return dd_writer_write(((joining *)user)->file, bytes, error);
}

static dd_status put(joining *j, dd_text bytes)
{
    dd_status status = DD_OK;
    if (bytes.size == 0) return DD_OK;
    j->any = true;
    if (!j->writer)
        status = dd_writer_open_packed(&j->writer, j->packing, write_to_file, j, j->error);
    return status == DD_OK ? dd_writer_write(j->writer, bytes, j->error) : status;
}

/* Ends the gzip member or Zstandard frame that is open, if one is. */
static dd_status end_member(joining *j)
{
    dd_writer *writer = j->writer;
    j->writer = NULL;
    return dd_writer_close(writer, j->error);
}

/* Writes what a writer writes between files. */
static dd_status begin_file(joining *j, dd_text *first)
{
    size_t size = strlen(byte_order_mark);
    dd_status status = put(j, (dd_text){j->owed, strlen(j->owed)});
    j->owed = "";
    bool marked = first->size >= size && memcmp(first->data, byte_order_mark, size) == 0;
    if (marked && j->any && j->plan->how.to == DD_FORMAT_CONLLU)
        *first = (dd_text){first->data + size, first->size - size};
    return status;
}

static dd_status pass_on(joining *j, dd_text chunk)
{
    if (j->ids.before == 0) return put(j, chunk);
    j->ids.out.size = 0;
    if (!renumber_chunk(&j->ids, chunk)) return dd_fail_memory(j->error);
    return put(j, (dd_text){j->ids.out.data, j->ids.out.size});
}

static dd_status pass_rest(joining *j)
{
    j->ids.out.size = 0;
    if (!renumber_rest(&j->ids)) return dd_fail_memory(j->error);
    return put(j, (dd_text){j->ids.out.data, j->ids.out.size});
}

/* The output of a task, as it is. */
typedef struct task_output {
    dd_range *range;
    dd_checksum sum;
} task_output;

static dd_status give(void *user, dd_text *chunk, dd_error *error)
{
    task_output *from = user;
    dd_status status = dd_range_next(from->range, chunk, error);
    if (status == DD_OK) dd_checksum_add(&from->sum, *chunk);
    return status;
}

/* Copies the members of a packed output without unpacking them. */
static dd_status copy_packed(joining *j, task_output *from)
{
    dd_text chunk;
    dd_status status = end_member(j);
    while (status == DD_OK && (status = give(from, &chunk, j->error)) == DD_OK)
        status = dd_writer_write(j->file, chunk, j->error);
    j->any = j->any || j->record.sentences > 0;
    return status == DD_END ? DD_OK : status;
}

static dd_status copy(joining *j, dd_source *source, bool *fresh)
{
    dd_text chunk;
    dd_status status;
    while ((status = dd_source_next(source, &chunk, j->error)) == DD_OK) {
        if (*fresh) status = begin_file(j, &chunk);
        *fresh = false;
        if (status == DD_OK) status = pass_on(j, chunk);
        if (status != DD_OK) return status;
    }
    return status == DD_END ? pass_rest(j) : status;
}

/* ---- tasks -------------------------------------------------------------------------------- */

static dd_status copy_unpacked(joining *j, const dd_plan_part *part, task_output *from, bool *fresh)
{
    dd_source *source = NULL;
    dd_status status = dd_source_open_packed(&source, part->shown.output, j->plan->how.packing,
                                             give, from, j->error);
    if (status == DD_OK) status = copy(j, source, fresh);
    dd_source_close(source);
    return status;
}

/* Whether the bytes of an output are those that it adds: nothing is renumbered, and nothing stands
 * between it and the file before. */
static bool is_copied(const joining *j, const dd_plan_part *part, bool fresh)
{
    dd_format format = j->plan->files[part->file].format;
    bool conll = format == DD_FORMAT_CONLLU || format == DD_FORMAT_CONLLX;
    return j->packing != DD_PLAIN && j->packing == j->plan->how.packing && j->ids.before == 0 &&
           !(fresh && j->any && (conll || *j->owed));
}

static dd_status copy_output(joining *j, const dd_plan_part *part, bool *fresh)
{
    task_output from = {0};
    char text[DD_CHECKSUM_SIZE] = "";
    if (!dd_checksum_start(&from.sum)) return dd_fail_memory(j->error);
    dd_status status = dd_range_open(&from.range, part->shown.output,
                                     &(dd_range_place){.bytes = UINT64_MAX}, j->error);
    bool copied = is_copied(j, part, *fresh);
    if (status == DD_OK && copied) status = copy_packed(j, &from);
    if (status == DD_OK && !copied) status = copy_unpacked(j, part, &from, fresh);
    if (j->record.sentences > 0) *fresh = false;
    dd_checksum_end(&from.sum, text);
    dd_range_close(from.range);
    if (status == DD_OK && strcmp(text, j->record.checksum) != 0)
        status = dd_record_refuse(part, j->error);
    return status;
}

static const char *line_ends(const char *noted)
{
    static const char *const names[] = {"n", "nn", "rn", "rnrn"};
    static const char *const ends[] = {"\n", "\n\n", "\r\n", "\r\n\r\n"};
    for (int i = 0; i < 4; i++)
        if (strcmp(noted, names[i]) == 0) return ends[i];
    return "";
}

/* The first well-formed sentence begins the document, so it must be in the first part. */
static dd_status check_beginning(joining *j, const dd_plan_file *file, size_t task)
{
    bool more = task == file->first && task < file->last;
    if (!more || !file->document || j->record.sentences > j->record.bad) return DD_OK;
    return dd_fail(j->error, DD_ERROR_DATA,
                   "%.300s: its first task has no sentence that is well-formed; plan larger tasks",
                   file->path);
}

static dd_status join_file(joining *j, const dd_plan_file *file)
{
    bool plain = file->format == DD_FORMAT_TEXT || file->format == DD_FORMAT_VERTICAL;
    bool fresh = true;
    dd_status status = DD_OK;
    j->ids.json = j->plan->how.to == DD_FORMAT_JSON;
    j->ids.prefix = file->prefix ? (dd_text){file->prefix, strlen(file->prefix)} : (dd_text){"", 0};
    j->ids.before = 0;
    for (size_t task = file->first; task <= file->last && status == DD_OK; task++) {
        const dd_plan_part *part = &j->plan->parts[task - 1];
        status = dd_record_read(j->plan, part, &j->record, j->error);
        if (status == DD_OK) status = check_beginning(j, file, task);
        if (status == DD_OK) status = copy_output(j, part, &fresh);
        if (j->record.sentences > 0) j->owed = line_ends(j->record.owed);
        if (plain) j->ids.before += j->record.sentences;
    }
    return status;
}

dd_status dd_plan_merge(dd_plan *plan, const char *path, bool without_failed, dd_error *error)
{
    joining j = {.plan = plan, .packing = dd_packing_by_name(path), .owed = "", .error = error};
    dd_status status = check_done(plan, without_failed, error);
    if (status == DD_OK) status = check_records(plan, without_failed, error);
    if (status == DD_OK) status = dd_writer_open_plain(&j.file, path, error);
    if (status != DD_OK) return status;
    for (size_t i = 0; i < plan->file_count && status == DD_OK; i++)
        if (!without_failed || !has_failed(plan, &plan->files[i]))
            status = join_file(&j, &plan->files[i]);
    if (status == DD_OK) status = end_member(&j);
    free_renumbering(&j.ids);
    if (status != DD_OK) {
        dd_writer_drop(j.writer);
        dd_writer_drop(j.file);
        return status;
    }
    dd_record_clear_all(plan);
    return dd_writer_close(j.file, error);
}
