#include "dodona_r.h"

#include <R_ext/Rdynload.h>
#include <R_ext/Utils.h>
#include <R_ext/Visibility.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ---- failures, interrupts ------------------------------------------------------------------- */

SEXP dr_failure(dd_status status, const dd_error *error)
{
    static const char *names[] = {"status", "message", "line", ""};
    SEXP failure = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(failure, 0, Rf_mkString(dd_status_name(status)));
    SET_VECTOR_ELT(failure, 1, dr_text((dd_text){error->message, strlen(error->message)}));
    SET_VECTOR_ELT(failure, 2, Rf_ScalarReal(error->line > 0 ? (double)error->line : NA_REAL));
    Rf_setAttrib(failure, R_ClassSymbol, Rf_mkString("dodona_failure"));
    UNPROTECT(1);
    return failure;
}

static void check_interrupt(void *unused)
{
    (void)unused;
    R_CheckUserInterrupt();
}

bool dr_is_interrupted(void)
{
    return !R_ToplevelExec(check_interrupt, NULL);
}

/* The interrupt was taken to end the library's call; now that nothing is left to free, R gets it
 * back. */
SEXP dr_interrupt(void)
{
    raise(SIGINT);
    R_CheckUserInterrupt();
    return R_NilValue;
}

/* ---- texts ---------------------------------------------------------------------------------- */

SEXP dr_string(const char *data, size_t size)
{
    if (size > INT_MAX) Rf_error("a text of more than 2 GiB cannot be a string of R");
    return Rf_mkCharLenCE(data, (int)size, CE_UTF8);
}

SEXP dr_text(dd_text text)
{
    SEXP string = PROTECT(dr_string(text.data, text.size));
    SEXP vector = Rf_ScalarString(string);
    UNPROTECT(1);
    return vector;
}

SEXP dr_c_text(const char *text)
{
    return text ? dr_text((dd_text){text, strlen(text)}) : Rf_ScalarString(NA_STRING);
}

const char *dr_path(SEXP path)
{
    return Rf_isNull(path) ? NULL : Rf_translateChar(STRING_ELT(path, 0));
}

/* ---- jobs ----------------------------------------------------------------------------------- */

static void end_job(SEXP pointer)
{
    dr_job *job = R_ExternalPtrAddr(pointer);
    if (!job) return;
    R_ClearExternalPtr(pointer);
    dd_writer_drop(job->writer);
    dd_reader_close(job->reader);
    dd_sentence_free(job->sentence);
    dd_cancel_free(job->cancel);
    dd_catalogue_free(job->catalogue);
    dd_drawing_free(job->drawing);
    dd_evaluation_free(job->evaluation);
    dd_buffer_free(&job->in);
    dd_buffer_free(&job->out);
    R_Free(job);
}

SEXP dr_job_new(dr_job **out)
{
    SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
    R_RegisterCFinalizer(pointer, end_job);
    dr_job *job = R_Calloc(1, dr_job);
    R_SetExternalPtrAddr(pointer, job);
    UNPROTECT(1);
    *out = job;
    return pointer;
}

void dr_job_end(SEXP pointer)
{
    end_job(pointer);
}

static bool go_on(void *unused)
{
    (void)unused;
    return !dr_is_interrupted();
}

dd_status dr_open_cancel(dr_job *job, dd_error *error)
{
    dd_status status = dd_cancel_new(&job->cancel, error);
    if (status == DD_OK) dd_cancel_when(job->cancel, go_on, NULL);
    return status;
}

dd_status dr_append(dd_buffer *out, const char *data, size_t size, dd_error *error)
{
    if (size > out->capacity - out->size) {
        size_t capacity = 2 * out->capacity + size + 4096;
        char *grown = realloc(out->data, capacity);
        if (!grown) {
            *error = (dd_error){.status = DD_ERROR_MEMORY, .message = "out of memory"};
            return DD_ERROR_MEMORY;
        }
        out->data = grown;
        out->capacity = capacity;
    }
    if (size > 0) memcpy(out->data + out->size, data, size);
    out->size += size;
    return DD_OK;
}

/* ---- what R sees ---------------------------------------------------------------------------- */

SEXP dr_version(void)
{
    return Rf_mkString(dd_version());
}

#define CALL(name, arguments)                                                                      \
    {                                                                                              \
        "C_" #name, (DL_FUNC)(void (*)(void)) & dr_##name, arguments                               \
    }

static const R_CallMethodDef calls[] = {
    CALL(version, 0),    CALL(interrupt, 0), CALL(load, 1),        CALL(save, 2),
    CALL(is_loaded, 1),  CALL(describe, 1),  CALL(list_models, 1), CALL(find_model, 2),
    CALL(pick_model, 2), CALL(options, 0),   CALL(parse, 6),       CALL(read, 2),
    CALL(settings, 0),   CALL(train, 5),     CALL(evaluate, 5),    CALL(draw, 4),
    {NULL, NULL, 0},
};

attribute_visible void R_init_dodona(DllInfo *dll);

void R_init_dodona(DllInfo *dll)
{
    R_registerRoutines(dll, NULL, calls, NULL, NULL);
    R_useDynamicSymbols(dll, FALSE);
    R_forceSymbols(dll, TRUE);
}
