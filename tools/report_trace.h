/* report_trace.h - one step of a parse, for people or as a line of JSON. */
#ifndef TOOLS_REPORT_TRACE_H
#define TOOLS_REPORT_TRACE_H

#include "output.h"

void report_trace_text(output *out, const dd_sentence *sentence, const dd_trace_step *step);
void report_trace_json(output *out, const dd_sentence *sentence, const dd_trace_step *step);

#endif
