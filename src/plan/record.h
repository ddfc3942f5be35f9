/* record.h - what is known of a task that is done, or why it failed; in files beside its output */
#ifndef DODONA_PLAN_RECORD_H
#define DODONA_PLAN_RECORD_H

#include "plan/plan.h"

typedef struct dd_record {
    uint64_t sentences, words, bad; /* as in dd_parse_report */
    uint64_t bytes;                 /* of the output */
    char checksum[DD_CHECKSUM_SIZE];
    char owed[8]; /* line ends missing behind the last sentence, as `n`, `nn`, `rn` or `rnrn` */
} dd_record;

dd_status dd_record_write(const dd_plan_part *part, const dd_record *record, dd_error *error);
dd_status dd_record_read(const dd_plan_part *part, dd_record *record, dd_error *error);

/* Writes OUTPUT.failed. */
dd_status dd_record_failure(const dd_plan_part *part, const char *reason, dd_error *error);
/* Removes OUTPUT.failed, and what processes left behind that were killed while they wrote. */
void dd_record_clear(const dd_plan_part *part);

#endif
