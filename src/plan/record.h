/* record.h - what is known of a task that is done, or why it failed; in files beside its output
 *
 * A record begins with what the output was made of (the task's number, the checksums of its input
 * and of the model, the options), so that an output which belongs elsewhere is noticed without
 * reading it or its input. */
#ifndef DODONA_PLAN_RECORD_H
#define DODONA_PLAN_RECORD_H

#include "plan/plan.h"

typedef struct dd_record {
    uint64_t sentences, words, bad; /* as in dd_parse_report */
    uint64_t bytes;                 /* of the output */
    char checksum[DD_CHECKSUM_SIZE];
    char owed[8]; /* line ends missing behind the last sentence, as `n`, `nn`, `rn` or `rnrn` */
} dd_record;

dd_status dd_record_write(dd_plan *plan, const dd_plan_part *part, const dd_record *record,
                          dd_error *error);
/* DD_ERROR_DATA: this is no record, or that of another task or of another plan. */
dd_status dd_record_read(dd_plan *plan, const dd_plan_part *part, dd_record *record,
                         dd_error *error);
/* Whether the output is what the record says. */
dd_status dd_record_check(const dd_plan_part *part, const dd_record *record, dd_error *error);
/* That it is not. */
dd_status dd_record_refuse(const dd_plan_part *part, dd_error *error);

/* Writes OUTPUT.failed. */
dd_status dd_record_failure(const dd_plan_part *part, const char *reason, dd_error *error);
/* Removes OUTPUT.failed, and what processes left behind that were killed while they wrote. */
void dd_record_clear(const dd_plan_part *part);
/* Removes what they left behind of any task. */
void dd_record_clear_all(const dd_plan *plan);

#endif
