/* dodona_r.h - what R calls
 *
 *     character vectors -> bytes -> reader -> parser -> CoNLL-U -> columns of a data frame
 *
 * R ends a function by longjmp when memory runs out, and the library must never be left that way.
 * So the library runs without R: what it needs is taken from R before, and what it gives is handed
 * to R after. In between, a job owns all that has to be freed; R frees it if a longjmp has passed
 * it by.
 *
 * A call that fails returns a "dodona_failure", which R/library.R raises as an error. */
#ifndef DODONA_R_H
#define DODONA_R_H

#include <dodona_tools.h>

#define R_NO_REMAP
#define STRICT_R_HEADERS
#include <R.h>
#include <Rinternals.h>

/* ---- failures, interrupts ------------------------------------------------------------------- */

/* list(status, message, line) of the class dodona_failure. */
SEXP dr_failure(dd_status status, const dd_error *error);
/* Whether the user has asked to stop; asks at each call, and never leaves by longjmp. */
bool dr_is_interrupted(void);

/* ---- texts ---------------------------------------------------------------------------------- */

SEXP dr_string(const char *data, size_t size); /* a CHARSXP in UTF-8 */
SEXP dr_text(dd_text text);                    /* a character vector of one */
SEXP dr_c_text(const char *text);              /* the same; NULL is NA */
const char *dr_path(SEXP path);                /* as the system writes it; NULL for R's NULL */

/* ---- jobs ----------------------------------------------------------------------------------- */

/* All that one call holds of the library; each may be NULL. */
typedef struct dr_job {
    dd_reader *reader;
    dd_writer *writer;
    dd_sentence *sentence;
    dd_cancel *cancel;
    dd_catalogue *catalogue;
    dd_drawing *drawing;
    dd_evaluation *evaluation;
    dd_buffer in, out;
} dr_job;

/* A new job in an external pointer, which the caller protects. */
SEXP dr_job_new(dr_job **out);
void dr_job_end(SEXP pointer);
/* job->cancel, which ends calls when the user interrupts R. */
dd_status dr_open_cancel(dr_job *job, dd_error *error);
dd_status dr_append(dd_buffer *out, const char *data, size_t size, dd_error *error);

/* ---- models --------------------------------------------------------------------------------- */

/* Stops with an error if the pointer is not that of a model in memory. */
dd_model *dr_model(SEXP pointer);
/* A pointer to no model yet, for R_SetExternalPtrAddr; it frees the model. */
SEXP dr_new_model(void);

SEXP dr_load(SEXP path);
SEXP dr_save(SEXP pointer, SEXP path);
SEXP dr_is_loaded(SEXP pointer);
SEXP dr_describe(SEXP pointer);
SEXP dr_list_models(SEXP folders);
SEXP dr_find_model(SEXP wanted, SEXP folders);
SEXP dr_pick_model(SEXP text, SEXP folders);

/* ---- parsing -------------------------------------------------------------------------------- */

SEXP dr_options(void);
/* `texts` are documents, of which ids has the names, or, if `conllu`, pieces of CoNLL-U in which
 * `# newdoc id` counts the documents. Gives the columns of R/frame.R. */
SEXP dr_parse(SEXP pointer, SEXP texts, SEXP ids, SEXP conllu, SEXP parse, SEXP options);
SEXP dr_read(SEXP path, SEXP text);
/* Columns from CoNLL-U; ids NULL: documents and sentences are called as the text calls them. */
SEXP dr_columns(const dd_buffer *conllu, SEXP ids);

/* ---- training, evaluation, drawings --------------------------------------------------------- */

SEXP dr_settings(void);
SEXP dr_train(SEXP train, SEXP dev, SEXP names, SEXP values, SEXP tell);
SEXP dr_evaluate(SEXP gold, SEXP system, SEXP given, SEXP threads, SEXP rule);
SEXP dr_draw(SEXP conllu, SEXP format, SEXP width, SEXP tags);
SEXP dr_version(void);
SEXP dr_interrupt(void);

#endif
