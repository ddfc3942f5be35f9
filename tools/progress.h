/* progress.h - what `dodona train` shows on standard error while it works. */
#ifndef TOOLS_PROGRESS_H
#define TOOLS_PROGRESS_H

#include "dodona_tools.h"

/* What is trained one after the other. */
typedef enum progress_stage {
    STAGE_TOKENIZER,
    STAGE_TAGGER,
    STAGE_LEMMATIZER,
    STAGE_FOLDS, /* of jackknifing, tagger and lemmatizer */
    STAGE_PARSER,
    STAGES,
} progress_stage;

typedef struct progress {
    bool terminal;      /* a line may be redrawn */
    bool drawn;         /* a redrawn line stands and must be cleared */
    double last_redraw; /* seconds */
    dd_component shown; /* the component, and the fold, in that line */
    int shown_fold;
    int iteration; /* the one under way, or the last */
    int finished;  /* iterations */
    bool has_dev;
    double planned[STAGES]; /* seconds that each will take, by the plan */
    double planned_done;    /* of these, those of the stages that are done */
    double took;            /* seconds that these took */
    double last_line;       /* seconds: when a line was written of the folds */
    double stage_began;     /* seconds: what is trained now, the folds together */
    double stage_done;      /* of its work, in seconds that the components took before */
    double tagger_time;     /* seconds that they took; 0: not trained */
    double lemmas_time;
} progress;

void progress_plan(progress *show, const dd_train_plan *plan);
void progress_data(const dd_train_data *data, bool named);
void progress_show(progress *show, const dd_train_progress *now, bool quiet);
/* When a component other than the parser is trained, or the folds of jackknifing are, the next
 * stage begins. Writes how much time is left for all that follows, as the end of a line. */
void progress_end_stage(progress *show, progress_stage finished, double seconds);
/* Of a component other than the parser; but for iterations that took some seconds, and for a line
 * now and then of others, on terminals only. The time left is that of the whole training. */
void progress_component(progress *show, const char *name, const dd_component_progress *now);
/* Clears the redrawn line, so that messages start on a line of their own. */
void progress_clear(progress *show);

#endif
