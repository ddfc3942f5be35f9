/* report_oracle.h - configurations of an oracle's walk and optimal derivations, as lines of JSON.
 */
#ifndef TOOLS_REPORT_ORACLE_H
#define TOOLS_REPORT_ORACLE_H

#include "output.h"

/* Before the first one, where only a part of the tree is walked, a line that says so. */
void report_oracle_json(output *out, const dd_sentence *sentence, const dd_oracle_step *step);
/* How many derivations there are, after the same line. */
void report_oracle_total(output *out, const dd_sentence *sentence, const dd_oracle_total *total);
void report_oracle_derivation(output *out, const dd_oracle_derivation *derivation);
/* A sentence that cannot be walked, and why; a trace says it in the same way. */
void report_oracle_skipped(output *out, const dd_sentence *sentence, const char *reason);

#endif
