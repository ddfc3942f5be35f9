/* verify.c - whether the output of a task is what was written, and as much as was read */
#include "plan/count.h"
#include "plan/record.h"
#include "plan/run.h"

#include <unistd.h>

static dd_status fail(const dd_plan_part *part, const char *reason, dd_error *error)
{
    return dd_fail(error, DD_ERROR_DATA, "%.300s: %s", part->shown.output, reason);
}

static dd_status count_input(dd_plan *plan, const dd_plan_part *part, dd_count *count,
                             dd_error *error)
{
    dd_task_input in;
    dd_status status = dd_plan_load(plan, error);
    if (status != DD_OK) return status;
    status = dd_task_open(&in, plan, part, error);
    if (status == DD_OK) status = dd_count_sentences(in.reader, count, error);
    if (status == DD_OK) status = dd_task_check(&in, error);
    dd_task_close(&in);
    return status;
}

static dd_status count_output(dd_plan *plan, const dd_plan_part *part, dd_count *count,
                              dd_error *error)
{
    dd_reader *reader;
    bool old = plan->files[part->file].format == DD_FORMAT_CONLLX;
    dd_status status = dd_reader_open(&reader, part->shown.output,
                                      old ? DD_FORMAT_CONLLX : DD_FORMAT_CONLLU, error);
    if (status != DD_OK) return status;
    status = dd_count_sentences(reader, count, error);
    dd_reader_close(reader);
    return status;
}

/* Of several trees a sentence, and of JSON, only the record tells. */
static dd_status check_counts(dd_plan *plan, const dd_plan_part *part, const dd_record *record,
                              dd_error *error)
{
    dd_count read, written;
    dd_status status = count_input(plan, part, &read, error);
    if (status != DD_OK) return status;
    if (read.sentences != record->sentences || read.words != record->words)
        return fail(part, "has not the sentences and words of its input", error);
    if (plan->how.json || plan->how.nbest > 1) return DD_OK;
    status = count_output(plan, part, &written, error);
    if (status != DD_OK) return status;
    if (written.sentences == read.sentences && written.words == read.words) return DD_OK;
    return fail(part, "has not as many sentences and words as its input", error);
}

static dd_status fail_open(const dd_plan_part *part, dd_error *error)
{
    bool there = access(part->shown.output, F_OK) == 0;
    return fail(part, there ? "has no record; run the task again" : "is not there", error);
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
