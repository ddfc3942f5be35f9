#include "serve/ask.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
                  "a body of the type '%.60s' is not taken; send application/json, "
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
