/* run.c - one task: from its part of the input to its output, and whether the output is right
 *
 *     range -> checksum -> reader -> parser -> writer [-> deflate | zstd] -> checksum -> .part
 *     record.part -> rename to .record, then output.part -> rename to the output */
#include "core/options.h"
#include "parse/input.h"
#include "plan/plan.h"
#include "text/io.h"
#include "text/reader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- input -------------------------------------------------------------------------------- */

/* The sentences of a task's input. */
typedef struct task_input {
    const dd_plan_part *part;
    const char *path;
    dd_reader *reader;
    dd_range *range; /* NULL: the file is read as a whole */
    dd_checksum sum; /* of the bytes of the range so far */
} task_input;

static dd_status fail_changed(const char *path, dd_error *error)
{
    return dd_fail(error, DD_ERROR_DATA, "%.300s: has changed since the plan was made", path);
}

static dd_status check_size(const dd_plan_file *file, dd_error *error)
{
    struct stat facts;
    if (stat(file->path, &facts) != 0) return dd_fail_io(error, file->path, errno);
    return (uint64_t)facts.st_size == file->bytes ? DD_OK : fail_changed(file->path, error);
}

static dd_status give(void *user, dd_text *chunk, dd_error *error)
{
    task_input *in = user;
    dd_status status = dd_range_next(in->range, chunk, error);
    if (status == DD_OK) dd_checksum_add(&in->sum, *chunk);
    return status;
}

static dd_status open_part(task_input *in, dd_plan *plan, const dd_plan_file *file, dd_error *error)
{
    const dd_plan_part *part = in->part;
    dd_input_options how = dd_plan_input_options(plan, file);
    dd_part_source from = {
        file->path, give, in, {part->place.offset, part->characters, part->lines, part->blocks}};
    if (!dd_checksum_start(&in->sum)) return dd_fail_memory(error);
    dd_status status = dd_range_open(&in->range, file->path, &part->place, error);
    if (status != DD_OK) return status;
    return dd_reader_open_part(&in->reader, plan->model, &from, &how, error);
}

static dd_status open_whole(task_input *in, dd_plan *plan, const dd_plan_file *file,
                            dd_error *error)
{
    uint64_t bytes;
    char sum[DD_CHECKSUM_SIZE];
    dd_input_options how = dd_plan_input_options(plan, file);
    dd_status status = dd_checksum_file(file->path, &bytes, sum, error);
    if (status != DD_OK) return status;
    if (strcmp(sum, in->part->checksum) != 0) return fail_changed(file->path, error);
    return dd_reader_open_input(&in->reader, plan->model, &(dd_input){.name = file->path}, &how,
                                error);
}

/* DD_ERROR_DATA: the file has changed. To be closed in any case. */
static dd_status open_input(task_input *in, dd_plan *plan, const dd_plan_part *part,
                            dd_error *error)
{
    const dd_plan_file *file = &plan->files[part->file];
    *in = (task_input){.part = part, .path = file->path};
    dd_status status = check_size(file, error);
    if (status != DD_OK) return status;
    return part->whole ? open_whole(in, plan, file, error) : open_part(in, plan, file, error);
}

/* When all was read: whether it is what the plan was made with. */
static dd_status check_input(task_input *in, dd_error *error)
{
    char sum[DD_CHECKSUM_SIZE] = "";
    if (!in->range) return DD_OK;
    dd_checksum_end(&in->sum, sum);
    return strcmp(sum, in->part->checksum) == 0 ? DD_OK : fail_changed(in->path, error);
}

static void close_input(task_input *in)
{
    dd_reader_close(in->reader);
    dd_range_close(in->range);
    dd_checksum_end(&in->sum, NULL);
}

/* ---- output ------------------------------------------------------------------------------- */

typedef struct product {
    dd_writer *file;
    dd_writer *writer; /* of sentences, into the file */
    dd_checksum sum;
    bool failed; /* writing failed, so that the input is not to blame */
    dd_record record;
} product;

static dd_status pass_on(void *user, dd_text bytes, dd_error *error)
{
    product *out = user;
    dd_checksum_add(&out->sum, bytes);
    dd_status status = dd_writer_write(out->file, bytes, error);
    out->failed = status != DD_OK;
    return status;
}

static dd_status open_product(product *out, const dd_plan *plan, const dd_plan_part *part,
                              dd_error *error)
{
    *out = (product){.failed = true};
    if (!dd_checksum_start(&out->sum)) return dd_fail_memory(error);
    dd_status status = dd_writer_open_plain(&out->file, part->shown.output, error);
    if (status == DD_OK)
        status = dd_writer_open_packed(&out->writer, plan->how.packing, pass_on, out, error);
    if (status == DD_OK) status = dd_writer_set_format(out->writer, plan->how.to, error);
    out->failed = status != DD_OK;
    return status;
}

static void note_owed(dd_record *record, const char *owed)
{
    size_t size = 0;
    for (; owed[size] && size + 1 < sizeof record->owed; size++)
        record->owed[size] = owed[size] == '\r' ? 'r' : 'n';
    record->owed[size] = '\0';
}

/* Whether another worker has done the same task meanwhile; its output is then the same. */
static bool was_overtaken(const product *out, dd_plan *plan, const dd_plan_part *part)
{
    dd_record found;
    return dd_record_read(plan, part, &found, NULL) == DD_OK &&
           strcmp(found.checksum, out->record.checksum) == 0 &&
           dd_record_check(part, &found, NULL) == DD_OK;
}

/* Puts the record in place first, so that an output always has a record. If file locks do not reach
 * other machines, a faster worker there may have removed these files. */
static dd_status put_in_place(product *out, dd_plan *plan, const dd_plan_part *part,
                              dd_error *error)
{
    dd_status status = dd_record_write(plan, part, &out->record, error);
    if (status == DD_OK) {
        status = dd_writer_close(out->file, error);
        out->file = NULL;
    }
    return status == DD_ERROR_IO && was_overtaken(out, plan, part) ? DD_OK : status;
}

static dd_status finish(product *out, dd_plan *plan, const dd_plan_part *part, dd_error *error)
{
    note_owed(&out->record, dd_writer_owed(out->writer));
    dd_status status = dd_writer_close(out->writer, error);
    out->writer = NULL;
    out->failed = true;
    out->record.bytes = out->sum.bytes;
    dd_checksum_end(&out->sum, out->record.checksum);
    return status == DD_OK ? put_in_place(out, plan, part, error) : status;
}

static void drop_product(product *out)
{
    dd_writer_drop(out->writer);
    dd_writer_drop(out->file);
    dd_checksum_end(&out->sum, NULL);
}

/* ---- the task ----------------------------------------------------------------------------- */

static dd_status parse(dd_plan *plan, const dd_plan_part *part, int threads, product *out,
                       dd_parse_report *report, dd_error *error)
{
    task_input in;
    dd_parse_options how = dd_plan_parse_options(plan, threads);
    dd_status status = open_input(&in, plan, part, error);
    if (status == DD_OK)
        status = dd_parse_stream(plan->model, in.reader, out->writer, &how, report, error);
    if (status == DD_OK) status = check_input(&in, error);
    close_input(&in);
    out->record.sentences = report->sentences;
    out->record.words = report->words;
    out->record.bad = report->bad;
    return status;
}

static bool is_of_input(dd_status status)
{
    return status == DD_ERROR_IO || status == DD_ERROR_FORMAT || status == DD_ERROR_DATA;
}

static dd_status run(dd_plan *plan, const dd_plan_part *part, int threads, dd_parse_report *report,
                     dd_error *error)
{
    product out;
    dd_status status = open_product(&out, plan, part, error);
    if (status == DD_OK) status = parse(plan, part, threads, &out, report, error);
    if (status == DD_OK) status = finish(&out, plan, part, error);
    drop_product(&out);
    if (status == DD_OK) dd_record_clear(part);
    if (!out.failed && is_of_input(status)) dd_record_failure(part, error->message, NULL);
    return status;
}

dd_status dd_plan_run(dd_plan *plan, size_t task, int threads, dd_parse_report *report,
                      dd_error *error)
{
    dd_error own;
    dd_parse_report made;
    const dd_plan_part *part;
    if (!error) error = &own;
    dd_status status = dd_plan_find(plan, task, &part, error);
    if (status == DD_OK) status = dd_plan_load(plan, error);
    if (status != DD_OK) return status;
    dd_parse_report_init(&made, plan->model);
    status = run(plan, part, threads, &made, error);
    if (report) dd_options_give(report, &made, sizeof made);
    return status;
}

dd_status dd_plan_fail(dd_plan *plan, size_t task, const char *reason, dd_error *error)
{
    const dd_plan_part *part;
    dd_status status = dd_plan_find(plan, task, &part, error);
    return status == DD_OK ? dd_record_failure(part, reason, error) : status;
}

/* ---- verifying ---------------------------------------------------------------------------- */

typedef struct sentence_count {
    uint64_t sentences; /* malformed ones too, */
    uint64_t words;     /* which have none */
} sentence_count;

/* Of all that the reader has left. */
static dd_status count_sentences(dd_reader *reader, sentence_count *count, dd_error *error)
{
    dd_sentence *sentence;
    dd_status status = dd_sentence_new(&sentence, error);
    *count = (sentence_count){0};
    if (status != DD_OK) return status;
    do {
        status = dd_reader_next(reader, sentence, error);
        count->sentences += status == DD_OK || status == DD_ERROR_FORMAT;
        if (status == DD_OK) count->words += (uint64_t)dd_sentence_size(sentence);
    } while (status == DD_OK || status == DD_ERROR_FORMAT);
    dd_sentence_free(sentence);
    return status == DD_END ? DD_OK : status;
}

static dd_status fail_output(const dd_plan_part *part, const char *reason, dd_error *error)
{
    return dd_fail(error, DD_ERROR_DATA, "%.300s: %s", part->shown.output, reason);
}

static dd_status count_input(dd_plan *plan, const dd_plan_part *part, sentence_count *count,
                             dd_error *error)
{
    task_input in;
    dd_status status = dd_plan_load(plan, error);
    if (status != DD_OK) return status;
    status = open_input(&in, plan, part, error);
    if (status == DD_OK) status = count_sentences(in.reader, count, error);
    if (status == DD_OK) status = check_input(&in, error);
    close_input(&in);
    return status;
}

static dd_status count_output(dd_plan *plan, const dd_plan_part *part, sentence_count *count,
                              dd_error *error)
{
    dd_reader *reader;
    bool old = plan->files[part->file].format == DD_FORMAT_CONLLX;
    dd_status status = dd_reader_open(&reader, part->shown.output,
                                      old ? DD_FORMAT_CONLLX : DD_FORMAT_CONLLU, error);
    if (status != DD_OK) return status;
    status = count_sentences(reader, count, error);
    dd_reader_close(reader);
    return status;
}

/* Outputs in JSON or with several trees a sentence are checked by their records alone. */
static dd_status check_counts(dd_plan *plan, const dd_plan_part *part, const dd_record *record,
                              dd_error *error)
{
    sentence_count read, written;
    dd_status status = count_input(plan, part, &read, error);
    if (status != DD_OK) return status;
    if (read.sentences != record->sentences || read.words != record->words)
        return fail_output(part, "does not have the sentences and words of its input", error);
    if (plan->how.to != DD_FORMAT_CONLLU || plan->how.parse.nbest > 1) return DD_OK;
    status = count_output(plan, part, &written, error);
    if (status != DD_OK) return status;
    if (written.sentences == read.sentences && written.words == read.words) return DD_OK;
    return fail_output(part, "does not have as many sentences and words as its input", error);
}

static dd_status fail_open(const dd_plan_part *part, dd_error *error)
{
    bool there = access(part->shown.output, F_OK) == 0;
    return fail_output(part, there ? "has no record; run the task again" : "is not there", error);
}

dd_status dd_plan_verify(dd_plan *plan, size_t task, bool quick, dd_error *error)
{
    const dd_plan_part *part;
    dd_record record;
    dd_status status = dd_plan_find(plan, task, &part, error);
    if (status != DD_OK) return status;
    if (dd_plan_state(plan, task) != DD_TASK_DONE) return fail_open(part, error);
    status = dd_record_read(plan, part, &record, error);
    if (status == DD_OK) status = dd_record_check(part, &record, error);
    return status != DD_OK || quick ? status : check_counts(plan, part, &record, error);
}
