/* ask.h - from what a client sent to what is to be done: a request's body into fields, and fields
 * into the plan of a job */
#ifndef SERVE_ASK_H
#define SERVE_ASK_H

#include "dodona_tools.h"
#include "serve/job.h"
#include "serve/limits.h"

typedef struct ask {
    const model_store *models;
    const serve_limits *limits;
    const char *type;            /* Content-Type; "": there is none */
    const char *accept;          /* Accept; "": anything */
    const char *path;            /* that was asked for */
    struct annotator *annotator; /* NULL: nothing is trained */
} ask;

/* Takes the body, of which the job becomes the owner: into fields if it is a form or JSON, else as
 * the text itself. Fields of the query are in job.asked already. */
bool ask_read_body(const ask *from, job *into, char *body, size_t size, refusal *why);

/* One for each path. */
bool ask_process(const ask *from, job *into, refusal *why); /* UDPipe's */
bool ask_parse(const ask *from, job *into, refusal *why);
bool ask_draw(const ask *from, job *into, refusal *why);
bool ask_oracle(const ask *from, job *into, refusal *why);
bool ask_trace(const ask *from, job *into, refusal *why);

enum { ASK_TYPE_SIZE = 64 };
/* The Content-Type of the answer. */
const char *ask_type(const job_plan *plan, char out[ASK_TYPE_SIZE]);
/* Writes the properties of an OpenAPI description for the library's options of a parse, or, with
 * `parameters`, the parameters of a query. */
void ask_describe_options(output *out, bool parameters);
/* Writes the library's formats in which /api/v1/parse answers, as items of a JSON array. */
void ask_describe_formats(output *out);
/* Whether the header names this type; without its parameters, and in any case of letters. */
bool ask_is_type(const char *header, const char *type);

/* ---- texts that the library reads only in another form --------------------------------------- */

/* Horizontal text, a sentence a line and blanks between its tokens, as vertical text; a no-break
 * space stands for a blank within a token. NULL: out of memory. To be freed. */
char *convert_horizontal(dd_text text, size_t *size);
/* In Unicode's normalization form C, as UDPipe's server takes it. `text` is UTF-8. NULL: out of
 * memory. To be freed; NUL-terminated. */
char *convert_nfc(dd_text text, size_t *size);

#endif
