/* report.c - evaluation and drawings */
#include "dodona_r.h"

/* ---- evaluation ----------------------------------------------------------------------------- */

static SEXP list_metrics(const dd_evaluation *evaluation)
{
    static const char *names[] = {"metric", "precision", "recall", "f1", "aligned", "rule", ""};
    R_xlen_t count = 0;
    dd_metric metric;
    while (dd_evaluation_metric(evaluation, (size_t)count, &metric)) count++;
    SEXP metrics = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(metrics, 0, Rf_allocVector(STRSXP, count));
    for (int i = 1; i < 5; i++) SET_VECTOR_ELT(metrics, i, Rf_allocVector(REALSXP, count));
    SET_VECTOR_ELT(metrics, 5, dr_c_text(dd_evaluation_rule(evaluation)));
    for (R_xlen_t i = 0; i < count; i++) {
        dd_evaluation_metric(evaluation, (size_t)i, &metric);
        SET_STRING_ELT(VECTOR_ELT(metrics, 0), i, Rf_mkChar(metric.name));
        REAL(VECTOR_ELT(metrics, 1))[i] = 100 * dd_metric_precision(&metric);
        REAL(VECTOR_ELT(metrics, 2))[i] = 100 * dd_metric_recall(&metric);
        REAL(VECTOR_ELT(metrics, 3))[i] = 100 * dd_metric_f1(&metric);
        REAL(VECTOR_ELT(metrics, 4))
        [i] = metric.on_aligned ? 100 * dd_metric_aligned_accuracy(&metric) : NA_REAL;
    }
    UNPROTECT(1);
    return metrics;
}

/* `system` is a file, or a model that parses what is `given` of the gold file. */
SEXP dr_evaluate(SEXP gold, SEXP system, SEXP given, SEXP threads, SEXP rule)
{
    dr_job *job;
    dd_error error = {.status = DD_OK};
    dd_eval_options options;
    dd_eval_given part = (dd_eval_given)Rf_asInteger(given);
    SEXP held = PROTECT(dr_job_new(&job));
    dd_eval_options_init(&options);
    options.rule = (dd_eval_rule)Rf_asInteger(rule);
    dd_status status = dr_open_cancel(job, &error);
    options.cancel = job->cancel;
    if (status == DD_OK)
        status =
            TYPEOF(system) == EXTPTRSXP
                ? dd_evaluate_model(&job->evaluation, dr_model(system), dr_path(gold), &part,
                                    Rf_asInteger(threads), &options, &error)
                : dd_evaluate(&job->evaluation, dr_path(gold), dr_path(system), &options, &error);
    SEXP result =
        PROTECT(status == DD_OK ? list_metrics(job->evaluation) : dr_failure(status, &error));
    dr_job_end(held);
    UNPROTECT(2);
    return result;
}

/* ---- drawings ------------------------------------------------------------------------------- */

static dd_status add_drawing(dr_job *job, dd_text drawing, dd_error *error)
{
    return dr_append(&job->out, drawing.data, drawing.size, error);
}

static dd_status draw_all(dr_job *job, dd_error *error)
{
    dd_text drawing;
    dd_status status = dd_sentence_new(&job->sentence, error);
    if (status == DD_OK) status = dd_draw_begin(job->drawing, &drawing, error);
    while (status == DD_OK) {
        status = add_drawing(job, drawing, error);
        if (status == DD_OK) status = dd_reader_next(job->reader, job->sentence, error);
        if (status == DD_OK) status = dd_draw(job->drawing, job->sentence, NULL, &drawing, error);
    }
    return status == DD_END ? add_drawing(job, dd_draw_end(job->drawing), error) : status;
}

SEXP dr_draw(SEXP conllu, SEXP format, SEXP width, SEXP tags)
{
    dr_job *job;
    dd_error error = {.status = DD_OK};
    dd_draw_options options;
    SEXP text = STRING_ELT(conllu, 0);
    SEXP held = PROTECT(dr_job_new(&job));
    dd_draw_options_init(&options);
    options.format = (dd_draw_format)Rf_asInteger(format);
    options.width = Rf_asInteger(width);
    options.tags = Rf_asLogical(tags);
    options.title = false;
    dd_status status = dr_open_cancel(job, &error);
    options.cancel = job->cancel;
    if (status == DD_OK) status = dd_drawing_new(&job->drawing, &options, &error);
    if (status == DD_OK)
        status = dd_reader_open_memory(&job->reader, "sentence",
                                       (dd_text){CHAR(text), (size_t)LENGTH(text)},
                                       DD_FORMAT_CONLLU, &error);
    if (status == DD_OK) status = draw_all(job, &error);
    SEXP result = PROTECT(status == DD_OK ? dr_text((dd_text){job->out.data, job->out.size})
                                          : dr_failure(status, &error));
    dr_job_end(held);
    UNPROTECT(2);
    return result;
}
