/* explorer.h - a page to step through parses with, whole in one file: `dodona trace --to html`
 *
 *     {"system", "source", "sentences": [
 *       {"id", "words": [[FORM, UPOS], ..], "steps": [step, ..], and at the end of the parse:
 *        "mistake": step or -1, "why": no costs, "gold": [[HEAD, DEPREL], ..],
 *        "right": [heads, labels, known]},
 *       {"id", "skipped": reason}]}
 *
 *     step: "s" stack, "p" passed and "b" buffer as runs [first, last]; "d" arcs that are new,
 *           [word, head, label]; "m" moves, [name, head, dependent, cost, score, label]; "c" the
 *           chosen one, "l" its label, "r" the head it replaces, "g" margin, "o" loss, "w" whether
 *           the label is wrong
 */
#ifndef TOOLS_EXPLORER_H
#define TOOLS_EXPLORER_H

#include "output.h"

typedef struct explorer {
    output *out;
    const dd_trace *trace;
    int32_t *heads; /* [room] of the step before */
    size_t room;
    bool several; /* a sentence has been written */
} explorer;

/* The source of a page that was made without a model. */
extern const char explorer_oracle[];

void explorer_begin(explorer *page, output *out, const char *system, const char *source);
/* Each step of a sentence, the final one included. Returns false when the output has failed. */
bool explorer_step(explorer *page, const dd_sentence *sentence, const dd_trace_step *step);
void explorer_skipped(explorer *page, const dd_sentence *sentence, const char *reason);
void explorer_end(explorer *page);

#endif
