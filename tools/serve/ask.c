/* ask.c - the bodies of requests, and /process as UDPipe's server has it
 *
 * Documented at https://lindat.mff.cuni.cz/services/udpipe/api-reference.php: `tokenizer`, `tagger`
 * and `parser` ask for these steps by being there, whatever their value. */
#include "serve/ask.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <utf8proc.h>

/* ---- bodies ---------------------------------------------------------------------------------- */

bool ask_is_type(const char *header, const char *type)
{
    size_t size = strlen(type);
    header += strspn(header, " \t");
    return strncasecmp(header, type, size) == 0 && strchr("; \t,", header[size]) != NULL;
}

/* Types of bodies that are texts. */
static const struct {
    const char *type;
    job_input from;
} texts[] = {{"text/plain", FROM_TEXT},
             {"text/x-conllu", FROM_CONLLU},
             {"application/x-conllu", FROM_CONLLU},
             {"application/conllu", FROM_CONLLU}};

static bool take_text(const ask *from, job *into, refusal *why)
{
    if (!*from->type) return true;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!ask_is_type(from->type, texts[i].type)) continue;
        into->plan.from = texts[i].from;
        return true;
    }
    return refuse(why, 415,
                  "a body of the type '%.60s' is not accepted; send application/json, "
                  "application/x-www-form-urlencoded, multipart/form-data, text/plain or "
                  "text/x-conllu",
                  from->type);
}

static bool read_fields(const ask *from, job *into, dd_text body, bool *read, refusal *why)
{
    *read = true;
    if (ask_is_type(from->type, "application/x-www-form-urlencoded"))
        return fields_read_url(&into->asked, body, why);
    if (ask_is_type(from->type, "multipart/form-data"))
        return fields_read_multipart(&into->asked, body, from->type, why);
    if (ask_is_type(from->type, "application/json"))
        return fields_read_json(&into->asked, body, why);
    *read = false;
    return take_text(from, into, why);
}

static bool find_text(job *into, refusal *why)
{
    const field *data = fields_find(&into->asked, "data");
    if (data && into->text.data)
        return refuse(why, 400, "data: it is given both as a field and as the body");
    if (data) into->text = (dd_text){data->value, data->size};
    if (!into->text.data) return refuse(why, 400, "the field 'data', with the text, is missing");
    return text_is_utf8(into->text) || refuse(why, 400, "the text is not UTF-8");
}

bool ask_read_body(const ask *from, job *into, char *body, size_t size, refusal *why)
{
    bool is_fields = false;
    dd_text whole = {body, size};
    bool good = size == 0 || read_fields(from, into, whole, &is_fields, why);
    if (size > 0 && !is_fields) {
        into->body = body;
        into->text = whole;
    } else {
        free(body);
    }
    return good && fields_are_utf8(&into->asked, why) && find_text(into, why);
}

/* ---- texts in another form ------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* A line end becomes two at most, and nothing else grows. */
char *convert_horizontal(dd_text text, size_t *size)
{
    char *out = text.size < SIZE_MAX / 2 ? malloc(2 * text.size + 1) : NULL;
    size_t n = 0;
    if (!out) return NULL;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        bool at_start = n == 0 || out[n - 1] == '\n';
        if (c == '\n' || is_blank(c)) {
            if (!at_start) out[n++] = '\n';
            bool ended = n < 2 || out[n - 2] == '\n';
            if (c == '\n' && !ended) out[n++] = '\n';
        } else if (i + 1 < text.size && memcmp(text.data + i, "\xC2\xA0", 2) == 0) {
            out[n++] = ' ';
            i++;
        } else {
            out[n++] = c;
        }
    }
    *size = n;
    return out;
}

char *convert_nfc(dd_text text, size_t *size)
{
    utf8proc_uint8_t *out = NULL;
    if (text.size > INT_MAX) return NULL;
    utf8proc_ssize_t made =
        utf8proc_map((const utf8proc_uint8_t *)text.data, (utf8proc_ssize_t)text.size, &out,
                     UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    if (made < 0) return NULL;
    *size = (size_t)made;
    return (char *)out;
}

/* ---- UDPipe's path --------------------------------------------------------------------------- */

/* Options stand behind each other with ';' between them, each perhaps with '=VALUE'. */
static bool has_option(const char *list, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = list; at; at = strchr(at, ';') ? strchr(at, ';') + 1 : NULL)
        if (strncmp(at, name, size) == 0 && strchr(";=", at[size])) return true;
    return false;
}

static void read_tokenizer(job_plan *plan, const char *options)
{
    plan->from = FROM_TEXT;
    plan->input.paragraphs = DD_PARAGRAPHS_BLANK; /* as UDPipe has it */
    if (has_option(options, "presegmented")) plan->input.given = DD_GIVEN_SENTENCES;
    plan->input.ranges = has_option(options, "ranges");
}

/* "NAME" or "NAME=OPTIONS". */
static bool is_format(const char *format, const char *name)
{
    size_t size = strlen(name);
    return strncmp(format, name, size) == 0 && (format[size] == '\0' || format[size] == '=');
}

static bool read_input(job *into, refusal *why)
{
    job_plan *plan = &into->plan;
    const char *tokenizer = fields_string(&into->asked, "tokenizer");
    const char *input = fields_string(&into->asked, "input");
    plan->from = FROM_CONLLU;
    if (tokenizer)
        read_tokenizer(plan, tokenizer);
    else if (input && is_format(input, "generic_tokenizer"))
        read_tokenizer(plan, input + strcspn(input, "=") + (strchr(input, '=') != NULL));
    else if (input && is_format(input, "horizontal"))
        plan->from = FROM_HORIZONTAL;
    else if (input && is_format(input, "vertical"))
        plan->from = FROM_VERTICAL;
    else if (input && !is_format(input, "conllu"))
        return refuse(
            why, 400,
            "input: '%.40s' is not one of conllu, generic_tokenizer, horizontal, vertical", input);
    if (plan->from == FROM_TEXT && !(plan->model->components & DD_TOKENIZER))
        return refuse(why, 400, "the model '%s' has no tokenizer", plan->model->names[0]);
    return true;
}

static bool read_output(job *into, refusal *why)
{
    const char *format = fields_string(&into->asked, "output");
    into->plan.to = TO_SENTENCES;
    into->plan.media = "application/json";
    if (format && is_format(format, "horizontal"))
        into->plan.to = TO_HORIZONTAL;
    else if (format && is_format(format, "vertical"))
        into->plan.to = TO_VERTICAL;
    else if (format && !is_format(format, "conllu"))
        return refuse(why, 400, "output: '%.40s' is not one of conllu, horizontal, vertical",
                      format);
    return true;
}

/* `none` is UDPipe's word for not asking. */
static bool read_step(const job *into, const char *name, uint32_t component, bool *out,
                      refusal *why)
{
    const char *value = fields_string(&into->asked, name);
    *out = value && strcmp(value, "none") != 0;
    if (!*out || into->plan.model->components & component) return true;
    return refuse(why, 400, "the model '%s' has no %s", into->plan.model->names[0], name);
}

/* The text in the form that UDPipe's models were trained on, and others too. */
static bool normalize(job *into, refusal *why)
{
    size_t size;
    for (size_t i = 0; i < into->text.size; i++) {
        if ((unsigned char)into->text.data[i] < 0x80) continue;
        char *text = convert_nfc(into->text, &size);
        if (!text) return refuse_memory(why);
        free(into->body);
        into->body = text;
        into->text = (dd_text){text, size};
        break;
    }
    return true;
}

bool ask_process(const ask *from, job *into, refusal *why)
{
    static const char *const once[] = {"data",   "model",  "tokenizer", "input",
                                       "tagger", "parser", "output",    NULL};
    job_plan *plan = &into->plan;
    plan->udpipe = true;
    plan->model =
        model_store_pick(from->models, fields_string(&into->asked, "model"), into->text, why);
    if (!plan->model || !fields_once(&into->asked, once, why) || !read_input(into, why) ||
        !read_output(into, why) || !read_step(into, "tagger", DD_TAGGER, &plan->how.tag, why) ||
        !read_step(into, "parser", DD_PARSER, &plan->parse, why))
        return false;
    return normalize(into, why);
}
