/* ask_udpipe.c - /process as UDPipe's server has it
 *
 * Documented at https://lindat.mff.cuni.cz/services/udpipe/api-reference.php: `tokenizer`, `tagger`
 * and `parser` ask for these steps by being there, whatever their value. */
#include "serve/ask.h"
#include "serve/convert.h"

#include <stdlib.h>
#include <string.h>

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
    plan->input.presegmented = has_option(options, "presegmented");
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
    plan->model = model_store_find(from->models, fields_string(&into->asked, "model"), why);
    if (!plan->model || !fields_once(&into->asked, once, why) || !read_input(into, why) ||
        !read_output(into, why) || !read_step(into, "tagger", DD_TAGGER, &plan->how.tag, why) ||
        !read_step(into, "parser", DD_PARSER, &plan->parse, why))
        return false;
    return normalize(into, why);
}
