#include "dodona_r.h"

#include <stdio.h>

/* ---- in memory ------------------------------------------------------------------------------ */

static void free_model(SEXP pointer)
{
    dd_model_free(R_ExternalPtrAddr(pointer));
    R_ClearExternalPtr(pointer);
}

SEXP dr_new_model(void)
{
    SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, Rf_install("dodona_model"), R_NilValue));
    R_RegisterCFinalizerEx(pointer, free_model, TRUE);
    UNPROTECT(1);
    return pointer;
}

dd_model *dr_model(SEXP pointer)
{
    bool is_model =
        TYPEOF(pointer) == EXTPTRSXP && R_ExternalPtrTag(pointer) == Rf_install("dodona_model");
    dd_model *model = is_model ? R_ExternalPtrAddr(pointer) : NULL;
    if (!model) Rf_error("this is no model in memory");
    return model;
}

SEXP dr_is_loaded(SEXP pointer)
{
    return Rf_ScalarLogical(TYPEOF(pointer) == EXTPTRSXP && R_ExternalPtrAddr(pointer));
}

SEXP dr_load(SEXP path)
{
    dd_model *model = NULL;
    dd_error error;
    SEXP pointer = PROTECT(dr_new_model());
    dd_status status = dd_model_load(&model, dr_path(path), &error);
    R_SetExternalPtrAddr(pointer, model);
    SEXP result = status == DD_OK ? pointer : dr_failure(status, &error);
    UNPROTECT(1);
    return result;
}

SEXP dr_save(SEXP pointer, SEXP path)
{
    dd_error error;
    dd_status status = dd_model_save(dr_model(pointer), dr_path(path), &error);
    return status == DD_OK ? R_NilValue : dr_failure(status, &error);
}

/* ---- what it is ----------------------------------------------------------------------------- */

static SEXP list_facts(const dd_model *model)
{
    R_xlen_t count = 0;
    dd_text key, value;
    while (dd_model_fact(model, (size_t)count, &key, &value)) count++;
    SEXP facts = PROTECT(Rf_allocVector(STRSXP, count));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, count));
    for (R_xlen_t i = 0; i < count; i++) {
        dd_model_fact(model, (size_t)i, &key, &value);
        SET_STRING_ELT(names, i, dr_string(key.data, key.size));
        SET_STRING_ELT(facts, i, dr_string(value.data, value.size));
    }
    Rf_setAttrib(facts, R_NamesSymbol, names);
    UNPROTECT(2);
    return facts;
}

static SEXP list_labels(const dd_model *model)
{
    R_xlen_t count = 0;
    dd_text label;
    while (dd_model_label_at(model, (size_t)count, &label)) count++;
    SEXP labels = PROTECT(Rf_allocVector(STRSXP, count));
    for (R_xlen_t i = 0; i < count; i++) {
        dd_model_label_at(model, (size_t)i, &label);
        SET_STRING_ELT(labels, i, dr_string(label.data, label.size));
    }
    UNPROTECT(1);
    return labels;
}

static SEXP list_components(const dd_model *model)
{
    static const char *names[] = {"tokenizer", "tagger", "lemmatizer", "parser"};
    uint32_t has = dd_model_components(model);
    int count = 0;
    SEXP components = PROTECT(Rf_allocVector(STRSXP, 4));
    for (int i = 0; i < 4; i++)
        if (has >> i & 1) SET_STRING_ELT(components, count++, Rf_mkChar(names[i]));
    components = Rf_lengthgets(components, count);
    UNPROTECT(1);
    return components;
}

SEXP dr_describe(SEXP pointer)
{
    static const char *names[] = {"components", "facts", "labels", "beam", "size", "checksum", ""};
    const dd_model *model = dr_model(pointer);
    char checksum[17];
    snprintf(checksum, sizeof checksum, "%016llx", (unsigned long long)dd_model_checksum(model));
    SEXP about = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(about, 0, list_components(model));
    SET_VECTOR_ELT(about, 1, list_facts(model));
    SET_VECTOR_ELT(about, 2, list_labels(model));
    SET_VECTOR_ELT(about, 3, Rf_ScalarInteger(dd_model_beam(model)));
    SET_VECTOR_ELT(about, 4, Rf_ScalarReal((double)dd_model_bytes(model).size));
    SET_VECTOR_ELT(about, 5, Rf_mkString(checksum));
    UNPROTECT(1);
    return about;
}

/* ---- by name -------------------------------------------------------------------------------- */

static dd_status open_catalogue(dr_job *job, SEXP folders, dd_error *error)
{
    R_xlen_t count = XLENGTH(folders);
    const char **more = (const char **)R_alloc((size_t)count + 1, sizeof *more);
    for (R_xlen_t i = 0; i < count; i++) more[i] = Rf_translateChar(STRING_ELT(folders, i));
    return dd_catalogue_new(&job->catalogue, more, (size_t)count, error);
}

static SEXP name_and_path(const char *name, const char *path)
{
    static const char *names[] = {"name", "file", ""};
    SEXP found = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(found, 0, Rf_ScalarString(name ? Rf_mkChar(name) : NA_STRING));
    SET_VECTOR_ELT(found, 1, Rf_mkString(path));
    UNPROTECT(1);
    return found;
}

SEXP dr_list_models(SEXP folders)
{
    static const char *names[] = {"name", "file", "folders", ""};
    dr_job *job;
    dd_error error;
    SEXP pointer = PROTECT(dr_job_new(&job));
    dd_status status = open_catalogue(job, folders, &error);
    R_xlen_t count = 0, n_folders = 0;
    while (status == DD_OK && dd_catalogue_at(job->catalogue, (size_t)count)) count++;
    while (status == DD_OK && dd_catalogue_folder(job->catalogue, (size_t)n_folders)) n_folders++;
    SEXP found = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(found, 0, Rf_allocVector(STRSXP, count));
    SET_VECTOR_ELT(found, 1, Rf_allocVector(STRSXP, count));
    SET_VECTOR_ELT(found, 2, Rf_allocVector(STRSXP, n_folders));
    for (R_xlen_t i = 0; i < count; i++) {
        const dd_catalogue_model *model = dd_catalogue_at(job->catalogue, (size_t)i);
        SET_STRING_ELT(VECTOR_ELT(found, 0), i, Rf_mkChar(model->name));
        SET_STRING_ELT(VECTOR_ELT(found, 1), i, Rf_mkChar(model->path));
    }
    for (R_xlen_t i = 0; i < n_folders; i++)
        SET_STRING_ELT(VECTOR_ELT(found, 2), i,
                       Rf_mkChar(dd_catalogue_folder(job->catalogue, (size_t)i)));
    SEXP result = PROTECT(status == DD_OK ? found : dr_failure(status, &error));
    dr_job_end(pointer);
    UNPROTECT(3);
    return result;
}

SEXP dr_find_model(SEXP wanted, SEXP folders)
{
    dr_job *job;
    dd_error error;
    const char *path = NULL;
    SEXP pointer = PROTECT(dr_job_new(&job));
    dd_status status = open_catalogue(job, folders, &error);
    if (status == DD_OK) status = dd_catalogue_path(job->catalogue, dr_path(wanted), &path, &error);
    SEXP result = PROTECT(status == DD_OK ? name_and_path(NULL, path) : dr_failure(status, &error));
    dr_job_end(pointer);
    UNPROTECT(2);
    return result;
}

SEXP dr_pick_model(SEXP text, SEXP folders)
{
    dr_job *job;
    dd_error error;
    const dd_catalogue_model *model = NULL;
    dd_text bytes = {CHAR(STRING_ELT(text, 0)), (size_t)LENGTH(STRING_ELT(text, 0))};
    SEXP pointer = PROTECT(dr_job_new(&job));
    dd_status status = open_catalogue(job, folders, &error);
    if (status == DD_OK) status = dd_catalogue_pick(job->catalogue, bytes, &model, &error);
    SEXP result = PROTECT(status == DD_OK ? name_and_path(model->name, model->path)
                                          : dr_failure(status, &error));
    dr_job_end(pointer);
    UNPROTECT(2);
    return result;
}
