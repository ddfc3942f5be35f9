/* plan.h - inputs cut into tasks
 *
 *     inputs -> cuts -> plan -> one task after the other, anywhere -> outputs -> one file
 *
 * The plan is a text file of lines with tabs between their parts; docs/cluster.md describes it. In
 * its folder are, for each task, task-000001.conllu (or .json), the output; .record beside it, what
 * is known of the output; or .failed, why there is none. */
#ifndef DODONA_PLAN_PLAN_H
#define DODONA_PLAN_PLAN_H

#include "core/strings.h"
#include "plan/range.h"
#include "text/io.h"

#include <dodona_tools.h>

enum { DD_PLAN_VERSION = 2, DD_PLAN_MOST_TASKS = 10000000 };

/* The options that affect the output: all rows of parse/option_rows.c except those of
 * DD_STAGE_RUN. */
typedef struct dd_plan_how {
    dd_format to;       /* CONLLU: the CoNLL of the input */
    dd_packing packing; /* of the outputs */
    char *texts[4];     /* of options, owned; NULL: no more */
    dd_input_options input;
    dd_parse_options parse;
} dd_plan_how;

typedef struct dd_plan_file {
    char *path;
    char *document, *prefix;  /* NULL: none */
    dd_format format;         /* neither AUTO nor JSON */
    dd_paragraphs paragraphs; /* of text: not AUTO */
    uint64_t bytes;           /* of the file, packed or not */
    size_t first, last;       /* its tasks, from 1; last < first: none */
} dd_plan_file;

typedef struct dd_plan_part {
    dd_plan_task shown;
    size_t file;                        /* index of its input */
    bool whole;                         /* a packed file as it is, of unknown size unpacked */
    dd_range_place place;               /* unless it is whole */
    uint64_t lines, characters, blocks; /* of the file before it */
    char checksum[DD_CHECKSUM_SIZE];    /* of its bytes, or of the whole file as it is */
} dd_plan_part;

struct dd_plan {
    char *folder;
    char *model_path;
    uint64_t model_bytes;
    char model_checksum[DD_CHECKSUM_SIZE];
    dd_plan_how how;
    dd_plan_file *files; /* [file_count] */
    size_t file_count, file_capacity;
    dd_plan_part *parts; /* [part_count] the tasks */
    size_t part_count, part_capacity;
    dd_model *model; /* NULL: not loaded yet */
};

void dd_plan_how_free(dd_plan_how *how);
/* Appends a line "option<TAB>NAME<TAB>VALUE" for each option that is not the default; false if
 * allocation fails. */
bool dd_plan_how_format(const dd_plan_how *how, dd_buffer *out);
dd_status dd_plan_how_take(dd_plan_how *how, const dd_plan_options *options, dd_error *error);
dd_input_options dd_plan_input_options(const dd_plan *plan, const dd_plan_file *file);
dd_parse_options dd_plan_parse_options(const dd_plan *plan, int threads);

/* One more; NULL if allocation fails. */
dd_plan_file *dd_plan_add_file(dd_plan *plan);
dd_plan_part *dd_plan_add_part(dd_plan *plan);
/* Fills in `shown` of all parts, when they are complete. */
dd_status dd_plan_show(dd_plan *plan, dd_error *error);
dd_status dd_plan_find(const dd_plan *plan, size_t task, const dd_plan_part **out, dd_error *error);
/* The number of the part's task, from 1. */
size_t dd_plan_number(const dd_plan *plan, const dd_plan_part *part);

/* The plan as text, and back: `text` is what the file at `path` holds. */
dd_status dd_plan_format(dd_plan *plan, dd_buffer *out, dd_error *error);
dd_status dd_plan_parse(dd_plan *plan, const char *path, dd_text text, dd_error *error);

/* FOLDER/plan of a folder, or the path itself; to be freed. */
char *dd_plan_path(const char *path);
/* OUTPUT.ENDING, to be freed. */
char *dd_plan_beside(const dd_plan_part *part, const char *ending);
/* Loads the model if it is still that of the plan. */
dd_status dd_plan_load(dd_plan *plan, dd_error *error);
/* Reads and writes small files as a whole; reading appends to *out. */
dd_status dd_plan_read_file(const char *path, dd_buffer *out, dd_error *error);
dd_status dd_plan_write_file(const char *path, dd_text text, dd_error *error);

/* ---- records ------------------------------------------------------------------------------ */

/* What is known of a task that is done, in a file beside its output. A record begins with what the
 * output was made of (the task's number, the checksums of its input and of the model, the options),
 * so that an output which belongs elsewhere is noticed without reading it or its input. */

typedef struct dd_record {
    uint64_t sentences, words, bad; /* as in dd_parse_report */
    uint64_t bytes;                 /* of the output */
    char checksum[DD_CHECKSUM_SIZE];
    char owed[8]; /* line ends missing after the last sentence, as `n`, `nn`, `rn` or `rnrn` */
} dd_record;

dd_status dd_record_write(dd_plan *plan, const dd_plan_part *part, const dd_record *record,
                          dd_error *error);
/* DD_ERROR_DATA: the file is no record, or that of another task or plan. */
dd_status dd_record_read(dd_plan *plan, const dd_plan_part *part, dd_record *record,
                         dd_error *error);
/* Compares the output with its record. */
dd_status dd_record_check(const dd_plan_part *part, const dd_record *record, dd_error *error);
/* Fails with the message that they differ. */
dd_status dd_record_refuse(const dd_plan_part *part, dd_error *error);

/* Writes OUTPUT.failed. */
dd_status dd_record_failure(const dd_plan_part *part, const char *reason, dd_error *error);
/* Removes OUTPUT.failed, and files of the task that killed processes left behind. */
void dd_record_clear(const dd_plan_part *part);
/* Removes the files of all tasks that killed processes left behind. */
void dd_record_clear_all(const dd_plan *plan);

/* ---- cutting files (cut.c) ---------------------------------------------------------------- */

/* A file can be cut where its parts give the same result as the whole:
 *
 *     CoNLL, one token a line: behind an empty line
 *     text: where a paragraph ends: behind an empty line, or behind any line; one sentence a line:
 *         behind any line
 *
 * Paragraphs of text are not cut, because where a sentence ends depends on the text around it. */
typedef struct dd_cutting {
    const char *path;
    dd_frames frames;
    uint64_t bytes;       /* of the file, unpacked */
    uint64_t task_bytes;  /* at least so many before a cut */
    bool at_lines;        /* behind any line */
    bool before_comments; /* CoNLL-U: prefer a cut before # newdoc or # newpar, if one follows soon
                           */
} dd_cutting;

/* The first place, task_bytes or more behind `start`, where the file can be cut, or its end. */
dd_status dd_cut_find(const dd_cutting *cutting, uint64_t start, uint64_t *end, dd_error *error);

/* ---- what a plan has to know of a part, in one pass over its bytes ------------------------ */

typedef struct dd_measure {
    uint64_t lines;
    uint64_t characters; /* as plain text is read */
    uint64_t blocks;     /* through empty lines: sentences of CoNLL, well-formed or not */
    bool visible;        /* there is surely more than white space */
    char checksum[DD_CHECKSUM_SIZE];
} dd_measure;

/* Adds what `place` has to lines, characters and blocks; the rest is of the place alone. */
dd_status dd_measure_add(dd_measure *measure, const char *path, const dd_range_place *place,
                         dd_error *error);

#endif
