#include "dodona_r.h"

#include <stdio.h>
#include <string.h>

/* ---- options -------------------------------------------------------------------------------- */

static int count_options(void)
{
    int count = 0;
    while (dd_parse_option_at((size_t)count)) count++;
    return count;
}

static SEXP choices_of(const dd_parse_option *row)
{
    int count = 0;
    while (row->choices && row->choices[count]) count++;
    SEXP choices = PROTECT(Rf_allocVector(STRSXP, count));
    for (int i = 0; i < count; i++) SET_STRING_ELT(choices, i, Rf_mkChar(row->choices[i]));
    UNPROTECT(1);
    return choices;
}

/* The rows that R offers, as list(name, kind, low, high, zero, choices, help). */
SEXP dr_options(void)
{
    static const char *names[] = {"name", "kind", "low", "high", "zero", "choices", "help", ""};
    int count = count_options(), kept = 0;
    SEXP rows = PROTECT(Rf_allocVector(VECSXP, count));
    for (int i = 0; i < count; i++) {
        const dd_parse_option *row = dd_parse_option_at((size_t)i);
        if (!(row->offers & DD_OFFER_R)) continue;
        SEXP one = PROTECT(Rf_mkNamed(VECSXP, names));
        SET_VECTOR_ELT(one, 0, Rf_mkString(row->name));
        SET_VECTOR_ELT(one, 1, Rf_ScalarInteger((int)row->kind));
        SET_VECTOR_ELT(one, 2, Rf_ScalarInteger(row->low));
        SET_VECTOR_ELT(one, 3, Rf_ScalarInteger(row->high));
        SET_VECTOR_ELT(one, 4, dr_c_text(row->zero));
        SET_VECTOR_ELT(one, 5, choices_of(row));
        SET_VECTOR_ELT(one, 6, dr_c_text(row->help));
        SET_VECTOR_ELT(rows, kept++, one);
        UNPROTECT(1);
    }
    rows = Rf_lengthgets(rows, kept);
    UNPROTECT(1);
    return rows;
}

static const dd_parse_option *find_option(const char *name)
{
    const dd_parse_option *row;
    for (size_t i = 0; (row = dd_parse_option_at(i)); i++)
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}

/* `options` is a named list of whole numbers and texts, as R/options.R makes it of the user's. */
static dd_status set_options(SEXP options, dd_input_options *input, dd_parse_options *parse,
                             dd_error *error)
{
    SEXP names = Rf_getAttrib(options, R_NamesSymbol);
    dd_status status = DD_OK;
    dd_input_options_init(input);
    dd_parse_options_init(parse);
    for (R_xlen_t i = 0; i < XLENGTH(options) && status == DD_OK; i++) {
        const dd_parse_option *row = find_option(CHAR(STRING_ELT(names, i)));
        SEXP value = VECTOR_ELT(options, i);
        if (!row) Rf_error("there is no option '%s'", CHAR(STRING_ELT(names, i)));
        status = row->kind == DD_OPTION_TEXT
                     ? dd_parse_option_set_text(row, dr_path(value), input, parse, error)
                     : dd_parse_option_set(row, Rf_asInteger(value), input, parse, error);
    }
    return status;
}

/* ---- the input ------------------------------------------------------------------------------ */

/* Bytes of the valid character of UTF-8 at the start; 0: it is not valid. */
static size_t character(const unsigned char *at, size_t size)
{
    size_t length = at[0] < 0x80   ? 1
                    : at[0] < 0xC2 ? 0
                    : at[0] < 0xE0 ? 2
                    : at[0] < 0xF0 ? 3
                    : at[0] < 0xF5 ? 4
                                   : 0;
    if (length == 0 || length > size) return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xC0) != 0x80) return 0;
    if ((at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] > 0x9F) ||
        (at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] > 0x8F))
        return 0;
    return length;
}

/* A copy with U+FFFD for each invalid byte, or NULL if all are valid. It belongs to R. */
static const char *repair(const char *text, size_t size, size_t *repaired)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + size;
    size_t bad = 0, length;
    for (const unsigned char *p = at; p < end; p += length ? length : 1)
        if (!(length = character(p, (size_t)(end - p)))) bad++;
    if (bad == 0) return NULL;
    char *copy = R_alloc(size + 2 * bad + 1, 1), *to = copy;
    for (; at < end; at += length ? length : 1) {
        length = character(at, (size_t)(end - at));
        memcpy(to, length ? (const char *)at : "\xEF\xBF\xBD", length ? length : 3);
        to += length ? length : 3;
    }
    *repaired = (size_t)(to - copy);
    return copy;
}

/* A line of JSON for each text that there is, with its number as id. */
static dd_status make_documents(dd_buffer *out, SEXP texts, dd_error *error)
{
    dd_status status = DD_OK;
    for (R_xlen_t i = 0; i < XLENGTH(texts) && status == DD_OK; i++) {
        SEXP text = STRING_ELT(texts, i);
        char head[48];
        if (text == NA_STRING) continue;
        dd_text bytes = {CHAR(text), (size_t)LENGTH(text)};
        const void *top = vmaxget();
        const char *repaired = repair(bytes.data, bytes.size, &bytes.size);
        if (repaired) bytes.data = repaired;
        int size = snprintf(head, sizeof head, "{\"id\":%lld,\"text\":", (long long)i + 1);
        status = dr_append(out, head, (size_t)size, error);
        if (status == DD_OK) status = dd_text_json(bytes, out, error);
        if (status == DD_OK) status = dr_append(out, "}\n", 2, error);
        vmaxset(top);
    }
    return status;
}

static dd_status join(dd_buffer *out, SEXP texts, dd_error *error)
{
    dd_status status = DD_OK;
    for (R_xlen_t i = 0; i < XLENGTH(texts) && status == DD_OK; i++) {
        SEXP text = STRING_ELT(texts, i);
        status = dr_append(out, CHAR(text), (size_t)LENGTH(text), error);
    }
    return status;
}

/* ---- the output ----------------------------------------------------------------------------- */

static dd_status take_output(void *user, dd_text bytes, dd_error *error)
{
    return dr_append(user, bytes.data, bytes.size, error);
}

/* Copies sentences without parsing them. A document without text is passed over. */
static dd_status copy_sentences(dr_job *job, bool documents, dd_error *error)
{
    dd_status status = dd_sentence_new(&job->sentence, error);
    while (status == DD_OK) {
        status = dd_cancel_is_due(job->cancel) ? DD_INTERRUPTED
                                               : dd_reader_next(job->reader, job->sentence, error);
        if (status == DD_OK)
            status = dd_sentence_format(job->sentence, DD_FORMAT_AUTO, &job->out, error);
        else if (status == DD_ERROR_FORMAT && documents)
            status = DD_OK;
    }
    return status == DD_END ? DD_OK : status;
}

static dd_status parse_sentences(dr_job *job, const dd_model *model, dd_parse_options *how,
                                 dd_error *error)
{
    dd_parse_report report;
    dd_parse_report_init(&report, model);
    how->cancel = job->cancel;
    dd_status status = dd_writer_open_to(&job->writer, take_output, &job->out, error);
    if (status == DD_OK)
        status = dd_parse_stream(model, job->reader, job->writer, how, &report, error);
    if (status != DD_OK) return status;
    status = dd_writer_close(job->writer, error);
    job->writer = NULL;
    return status;
}

SEXP dr_parse(SEXP pointer, SEXP texts, SEXP ids, SEXP conllu, SEXP parse, SEXP options)
{
    dr_job *job;
    dd_error error = {.status = DD_OK};
    dd_input_options reading;
    dd_parse_options parsing;
    const dd_model *model = dr_model(pointer);
    bool documents = !Rf_asLogical(conllu);
    SEXP held = PROTECT(dr_job_new(&job));
    dd_status status = set_options(options, &reading, &parsing, &error);
    if (status == DD_OK)
        status =
            documents ? make_documents(&job->in, texts, &error) : join(&job->in, texts, &error);
    if (status == DD_OK) status = dr_open_cancel(job, &error);
    reading.format = documents ? DD_FORMAT_JSONL : DD_FORMAT_CONLLU;
    reading.ranges = documents;
    /* Of such documents only those without text can be malformed; they have no rows. */
    parsing.skip_bad = documents;
    dd_input from = {.kind = DD_INPUT_BYTES,
                     .name = documents ? "text" : "tokens",
                     .bytes = {job->in.data, job->in.size}};
    if (status == DD_OK)
        status = dd_reader_open_input(&job->reader, model, &from, &reading, &error);
    if (status == DD_OK)
        status = Rf_asLogical(parse) ? parse_sentences(job, model, &parsing, &error)
                                     : copy_sentences(job, documents, &error);
    SEXP result = status == DD_OK ? dr_columns(&job->out, ids) : dr_failure(status, &error);
    PROTECT(result);
    dr_job_end(held);
    UNPROTECT(2);
    return result;
}

/* ---- reading -------------------------------------------------------------------------------- */

SEXP dr_read(SEXP path, SEXP text)
{
    dr_job *job;
    dd_error error = {.status = DD_OK};
    SEXP held = PROTECT(dr_job_new(&job));
    dd_status status = DD_OK;
    if (Rf_isNull(path)) {
        status = join(&job->in, text, &error);
        if (status == DD_OK)
            status =
                dd_reader_open_memory(&job->reader, "text", (dd_text){job->in.data, job->in.size},
                                      DD_FORMAT_CONLLU, &error);
    } else {
        status = dd_reader_open(&job->reader, dr_path(path), DD_FORMAT_AUTO, &error);
    }
    if (status == DD_OK) status = dr_open_cancel(job, &error);
    if (status == DD_OK) status = copy_sentences(job, false, &error);
    SEXP result = status == DD_OK ? dr_columns(&job->out, R_NilValue) : dr_failure(status, &error);
    PROTECT(result);
    dr_job_end(held);
    UNPROTECT(2);
    return result;
}
