/* ask_api.c - the paths below /api/v1/: fields have the names of the program's options */
#include "cmd.h"
#include "serve/ask.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Fields that may be given several times. */
static const char *const lists[] = {"constraint", "constraints", NULL};

/* ---- options of the library --------------------------------------------------------------- */

enum { NAME_SIZE = 32, MOST_FIELDS = 64 };

/* The names of the fields that a path takes, which end with NULL. */
typedef struct known_fields {
    const char *names[MOST_FIELDS + 1];
    size_t count;
    char made[MOST_FIELDS][NAME_SIZE];
} known_fields;

/* "max-words" -> "max_words" */
static void name_field(const dd_parse_option *row, char out[NAME_SIZE])
{
    snprintf(out, NAME_SIZE, "%s", row->name);
    for (char *dash; (dash = strchr(out, '-'));) *dash = '_';
}

static bool is_offered(const dd_parse_option *row, bool reading)
{
    return (row->offers & DD_OFFER_SERVER) && reading == (row->stage == DD_STAGE_READ);
}

static void add_name(known_fields *known, const char *name)
{
    known->names[known->count++] = name;
    known->names[known->count] = NULL;
}

static void add_options(known_fields *known, bool reading)
{
    const dd_parse_option *row;
    for (size_t i = 0; (row = dd_parse_option_at(i)); i++) {
        if (!is_offered(row, reading)) continue;
        name_field(row, known->made[known->count]);
        add_name(known, known->made[known->count]);
    }
}

/* What all paths take, and `more`, which ends with NULL. */
static void add_names(known_fields *known, const char *const *more)
{
    static const char *const common[] = {"data", "from", "to", "sentence"};
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) add_name(known, common[i]);
    while (*more) add_name(known, *more++);
}

/* The server's own bound, where it is lower than the library's. */
static int highest(const ask *from, const job *into, const dd_parse_option *row)
{
    if (strcmp(row->name, "beam") != 0 && strcmp(row->name, "nbest") != 0) return row->high;
    int own = dd_model_beam(into->plan.model->model);
    return own > from->limits->beam ? own : from->limits->beam;
}

static bool read_option(const ask *from, job *into, const dd_parse_option *row, refusal *why)
{
    char name[NAME_SIZE];
    bool flag = false;
    int value = 0;
    dd_error error;
    name_field(row, name);
    const field *given = fields_find(&into->asked, name);
    if (!given) return true;
    if (row->kind == DD_OPTION_TEXT)
        return dd_parse_option_set_text(row, given->value, &into->plan.input, &into->plan.how,
                                        &error) == DD_OK ||
               refuse_error(why, &error);
    if (row->kind == DD_OPTION_WHOLE) {
        int high = highest(from, into, row);
        if (!fields_whole(&into->asked, name, row->low, high, &value, why)) return false;
    } else if (row->kind == DD_OPTION_CHOICE) {
        if (!fields_choice(&into->asked, name, row->choices, &value, why)) return false;
    } else {
        if (!fields_flag(&into->asked, name, &flag, why)) return false;
        value = row->kind == DD_OPTION_FLAG ? flag : flag ? DD_TIDY_YES : DD_TIDY_NO;
    }
    return dd_parse_option_set(row, value, &into->plan.input, &into->plan.how, &error) == DD_OK ||
           refuse_error(why, &error);
}

/* Those that are given; the fields that a path does not take have been refused. */
static bool read_options(const ask *from, job *into, bool reading, refusal *why)
{
    const dd_parse_option *row;
    for (size_t i = 0; (row = dd_parse_option_at(i)); i++)
        if (is_offered(row, reading) && !read_option(from, into, row, why)) return false;
    return true;
}

static bool check_trees(const job *into, refusal *why)
{
    const dd_parse_options *how = &into->plan.how;
    int beam = how->beam > 0 ? how->beam : dd_model_beam(into->plan.model->model);
    if (how->nbest <= beam) return true;
    return refuse(why, 400, "nbest: a beam of %d cannot give %d trees; set 'beam' too", beam,
                  how->nbest);
}

static void describe_option(output *out, const dd_parse_option *row, bool parameter)
{
    char name[NAME_SIZE];
    bool whole = row->kind == DD_OPTION_WHOLE, text = row->kind == DD_OPTION_TEXT;
    name_field(row, name);
    output_format(out,
                  parameter ? "{\"name\":\"%s\",\"in\":\"query\",\"required\":false," : "\"%s\":{",
                  name);
    output_string(out, "\"description\":");
    output_json_string(out, row->help);
    bool choice = row->kind == DD_OPTION_CHOICE;
    output_format(out, ",%s\"type\":\"%s\"", parameter ? "\"schema\":{" : "",
                  whole            ? "integer"
                  : choice || text ? "string"
                                   : "boolean");
    if (whole) output_format(out, ",\"minimum\":%d", row->low);
    for (size_t i = 0; choice && row->choices[i]; i++)
        output_format(out, "%s\"%s\"%s", i == 0 ? ",\"enum\":[" : ",", row->choices[i],
                      row->choices[i + 1] ? "" : "]");
    output_string(out, parameter ? "}}" : "}");
}

void ask_describe_options(output *out, bool parameters)
{
    const dd_parse_option *row;
    const char *before = "";
    for (size_t i = 0; (row = dd_parse_option_at(i)); i++) {
        if (!(row->offers & DD_OFFER_SERVER)) continue;
        output_string(out, before);
        describe_option(out, row, parameters);
        before = ",";
    }
}

/* ---- what is answered --------------------------------------------------------------------- */

typedef enum answer_path { PATH_PARSE = 1, PATH_ORACLE = 2, PATH_TRACE = 4 } answer_path;

typedef struct answer_format {
    const char *name, *media;
    job_output to;
    uint32_t paths; /* that answer in it, as bits */
    dd_format format;
} answer_format;

/* The formats of the library stand in the place of TO_SENTENCES. */
static const answer_format answer_formats[] = {
    {"json", "application/json", TO_JSON, PATH_PARSE | PATH_ORACLE | PATH_TRACE, 0},
    {"jsonl", "application/x-ndjson", TO_LINES, PATH_PARSE | PATH_ORACLE | PATH_TRACE, 0},
    {NULL, NULL, TO_SENTENCES, PATH_PARSE, 0},
    {"svg", "image/svg+xml", TO_SVG, PATH_PARSE, 0},
    {"html", "text/html", TO_HTML, PATH_TRACE, 0},
};

/* Other names of types, which are looked for after the formats' own. */
static const struct {
    const char *media, *name;
} other_names[] = {{"application/x-conllu", "conllu"},
                   {"application/conllu", "conllu"},
                   {"text/plain", "conllu"},
                   {"application/*", "json"},
                   {"*/*", "json"}};

/* JSON has its own names here: the library's is that of lines. */
static bool is_offered_format(const dd_format_info *format)
{
    return format && format->is_written && format->format != DD_FORMAT_JSON &&
           format->format != DD_FORMAT_JSONL;
}

enum { MOST_FORMATS = 16 };

static size_t list_formats(answer_path path, answer_format out[MOST_FORMATS])
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof answer_formats / sizeof *answer_formats; i++) {
        const answer_format *row = &answer_formats[i];
        const dd_format_info *format;
        if (!(row->paths & path)) continue;
        if (row->to != TO_SENTENCES) out[count++] = *row;
        for (size_t k = 0; row->to == TO_SENTENCES && (format = dd_format_at(k)); k++)
            if (is_offered_format(format) && count < MOST_FORMATS)
                out[count++] = (answer_format){format->name, format->media_type, TO_SENTENCES, path,
                                               format->format};
    }
    return count;
}

void ask_describe_formats(output *out)
{
    const dd_format_info *format;
    const char *before = "";
    for (size_t k = 0; (format = dd_format_at(k)); k++) {
        if (!is_offered_format(format)) continue;
        output_string(out, before);
        output_json_string(out, format->name);
        before = ",";
    }
}

const char *ask_type(const job_plan *plan, char out[ASK_TYPE_SIZE])
{
    bool text = strncmp(plan->media, "text/", 5) == 0;
    snprintf(out, ASK_TYPE_SIZE, "%s%s", plan->media, text ? "; charset=utf-8" : "");
    return out;
}

static bool accepts(const char *header, const char *type)
{
    for (const char *at = header; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (ask_is_type(at, type)) return true;
    return false;
}

/* By Accept, of which qualities are passed over; -1: none. */
static int choose_accepted(const char *accept, const answer_format *formats, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (accepts(accept, formats[i].media)) return (int)i;
    for (size_t k = 0; k < sizeof other_names / sizeof *other_names; k++)
        for (size_t i = 0; i < count; i++)
            if (strcmp(formats[i].name, other_names[k].name) == 0 &&
                accepts(accept, other_names[k].media))
                return (int)i;
    return -1;
}

/* By the field `to`, or else by Accept. */
static bool read_output(const ask *from, job *into, answer_path path, refusal *why)
{
    answer_format formats[MOST_FORMATS];
    const char *names[MOST_FORMATS + 1] = {NULL};
    size_t count = list_formats(path, formats);
    int chosen = -1;
    for (size_t i = 0; i < count; i++) names[i] = formats[i].name;
    if (!fields_choice(&into->asked, "to", names, &chosen, why)) return false;
    if (chosen < 0) chosen = *from->accept ? choose_accepted(from->accept, formats, count) : 0;
    if (chosen < 0)
        return refuse(why, 406, "none of the types in Accept can be answered; see /openapi.json");
    into->plan.to = formats[chosen].to;
    into->plan.format = formats[chosen].format;
    into->plan.media = formats[chosen].media;
    return true;
}

/* ---- what is read ------------------------------------------------------------------------- */

static bool read_input(const ask *from, job *into, refusal *why)
{
    static const char *const names[] = {"auto",       "conllu", "text", "vertical",
                                        "horizontal", "jsonl",  NULL};
    int chosen = (int)into->plan.from;
    if (!fields_choice(&into->asked, "from", names, &chosen, why) ||
        !read_options(from, into, true, why) ||
        !fields_whole(&into->asked, "sentence", 1, INT_MAX, &into->plan.sentence, why))
        return false;
    into->plan.from = (job_input)chosen;
    return true;
}

/* Of pictures. */
static bool read_width(job *into, refusal *why)
{
    enum { LEAST = 300 }; /* as for dd_draw_options */
    return fields_whole(&into->asked, "width", LEAST, DD_DRAW_MAX_WIDTH, &into->plan.width, why);
}

static bool read_drawing(job *into, refusal *why)
{
    job_plan *plan = &into->plan;
    if (!fields_flag(&into->asked, "draw", &plan->draw, why) || !read_width(into, why))
        return false;
    if (plan->draw && plan->to != TO_JSON && plan->to != TO_LINES)
        return refuse(why, 400, "draw: only JSON can have pictures beside the words");
    if (plan->to == TO_SVG && plan->how.nbest > 1)
        return refuse(why, 400,
                      "nbest: SVG shows one tree; ask for JSON with the field 'draw', which has a "
                      "picture of each");
    return true;
}

bool ask_parse(const ask *from, job *into, refusal *why)
{
    static const char *const more[] = {"model", "draw", "width", NULL};
    known_fields known = {.count = 0};
    job_plan *plan = &into->plan;
    add_names(&known, more);
    add_options(&known, true);
    add_options(&known, false);
    plan->parse = true;
    plan->model =
        model_store_pick(from->models, fields_string(&into->asked, "model"), into->text, why);
    return plan->model && fields_known(&into->asked, known.names, lists, why) &&
           read_input(from, into, why) && read_output(from, into, PATH_PARSE, why) &&
           read_options(from, into, false, why) && check_trees(into, why) &&
           read_drawing(into, why);
}

bool ask_draw(const ask *from, job *into, refusal *why)
{
    static const char *const names[] = {"data", "sentence", "width", NULL};
    into->plan.from = FROM_CONLLU;
    into->plan.to = TO_SVG;
    into->plan.media = "image/svg+xml";
    into->plan.model = &from->models->models[0];
    return fields_known(&into->asked, names, NULL, why) && read_input(from, into, why) &&
           read_width(into, why);
}

/* ---- steps -------------------------------------------------------------------------------- */

static bool read_system(const fields *asked, const char **system, refusal *why)
{
    dd_system_info info;
    const char *wanted = fields_string(asked, "system");
    for (size_t i = 0; wanted && dd_system_at(i, &info); i++)
        if (strcmp(info.name, wanted) == 0) *system = info.name;
    return !wanted || *system ||
           refuse(why, 400, "system: '%.40s' is none of those that 'dodona systems' lists", wanted);
}

static bool read_steps(const ask *from, job *into, const known_fields *known, refusal *why)
{
    bool trace = into->plan.kind == JOB_TRACE;
    return fields_known(&into->asked, known->names, trace ? lists : NULL, why) &&
           read_input(from, into, why) &&
           read_output(from, into, trace ? PATH_TRACE : PATH_ORACLE, why);
}

bool ask_oracle(const ask *from, job *into, refusal *why)
{
    static const char *const more[] = {"system",      "loss",    "walk", "seed",
                                       "single_root", "partial", NULL};
    static const char *const walks[] = {"gold", "random", NULL};
    dd_oracle_options *how = &into->plan.oracle;
    int walk = 0, seed = 1;
    known_fields known = {.count = 0};
    add_names(&known, more);
    into->plan.kind = JOB_ORACLE;
    into->plan.from = FROM_CONLLU;
    if (!read_steps(from, into, &known, why) || !read_system(&into->asked, &how->system, why) ||
        !fields_choice(&into->asked, "walk", walks, &walk, why) ||
        !fields_whole(&into->asked, "seed", 0, INT_MAX, &seed, why) ||
        !fields_flag(&into->asked, "single_root", &how->single_root, why) ||
        !fields_flag(&into->asked, "partial", &how->partial, why))
        return false;
    how->walk = (dd_walk)walk;
    how->seed = (uint64_t)seed;
    how->loss = fields_string(&into->asked, "loss");
    return how->system || refuse(why, 400, "the field 'system' is missing");
}

/* Without a system it is the parse of a model. */
static bool read_traced(const ask *from, job *into, refusal *why)
{
    dd_trace_options *how = &into->plan.trace;
    static const char *const golds[] = {"auto", "no", "yes", NULL};
    int gold = 0;
    if (how->system) {
        const char *model = fields_string(&into->asked, "model");
        return !model || refuse(why, 400, "'model' and 'system' cannot be combined");
    }
    into->plan.model =
        model_store_pick(from->models, fields_string(&into->asked, "model"), into->text, why);
    if (!into->plan.model || !read_options(from, into, false, why) ||
        !fields_choice(&into->asked, "gold", golds, &gold, why))
        return false;
    how->model = into->plan.model->model;
    how->beam = into->plan.how.beam;
    how->tidy = into->plan.how.tidy;
    how->gold = (dd_trace_gold)gold;
    return true;
}

bool ask_trace(const ask *from, job *into, refusal *why)
{
    static const char *const more[] = {"model", "system",      "loss", "beam",
                                       "gold",  "single_root", "tidy", NULL};
    dd_trace_options *how = &into->plan.trace;
    known_fields known = {.count = 0};
    add_names(&known, more);
    add_options(&known, true);
    into->plan.kind = JOB_TRACE;
    if (!read_steps(from, into, &known, why) || !read_system(&into->asked, &how->system, why) ||
        !fields_flag(&into->asked, "single_root", &how->single_root, why) ||
        !read_traced(from, into, why))
        return false;
    how->loss = fields_string(&into->asked, "loss");
    if (how->system && into->plan.from == FROM_AUTO) into->plan.from = FROM_CONLLU;
    return true;
}
