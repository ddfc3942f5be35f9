/* ask_api.c - the paths below /api/v1/: fields have the names of the program's options */
#include "cmd.h"
#include "serve/ask.h"

#include <limits.h>
#include <string.h>

#define COMMON_FIELDS "data", "from", "to", "sentence"

/* Fields that may be given several times. */
static const char *const lists[] = {"constraint", "constraints", NULL};

/* ---- what is answered --------------------------------------------------------------------- */

/* In the order of preference, where a client takes several. */
static const struct {
    const char *type;
    job_output to;
} answers[] = {{"application/json", TO_JSON},
               {"application/x-ndjson", TO_LINES},
               {"text/x-conllu", TO_CONLLU},
               {"application/x-conllu", TO_CONLLU},
               {"application/conllu", TO_CONLLU},
               {"image/svg+xml", TO_SVG},
               {"text/html", TO_HTML},
               {"text/plain", TO_CONLLU},
               {"application/*", TO_JSON},
               {"*/*", TO_JSON}};

static const char *const formats[] = {[TO_JSON] = "json",
                                      [TO_LINES] = "jsonl",
                                      [TO_CONLLU] = "conllu",
                                      [TO_SVG] = "svg",
                                      [TO_HTML] = "html"};

const char *ask_type(const job_plan *plan)
{
    if (plan->udpipe) return "application/json";
    switch (plan->to) {
    case TO_JSON: return "application/json";
    case TO_LINES: return "application/x-ndjson";
    case TO_SVG: return "image/svg+xml";
    case TO_HTML: return "text/html; charset=utf-8";
    default: return "text/x-conllu; charset=utf-8";
    }
}

static bool accepts(const char *header, const char *type)
{
    for (const char *at = header; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (ask_is_type(at, type)) return true;
    return false;
}

static bool offers(const char *const *names, const char *format)
{
    while (*names && strcmp(*names, format) != 0) names++;
    return *names != NULL;
}

/* By the field `to`, which has one of the names, or else by Accept; qualities are passed over. */
static bool read_output(const ask *from, job *into, const char *const *names, refusal *why)
{
    int chosen = -1;
    if (!fields_choice(&into->asked, "to", names, &chosen, why)) return false;
    into->plan.to = TO_JSON;
    for (size_t to = 0; chosen >= 0 && to < sizeof formats / sizeof *formats; to++)
        if (strcmp(formats[to], names[chosen]) == 0) into->plan.to = (job_output)to;
    if (chosen >= 0 || !*from->accept) return true;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        if (!offers(names, formats[answers[i].to]) || !accepts(from->accept, answers[i].type))
            continue;
        into->plan.to = answers[i].to;
        return true;
    }
    return refuse(why, 406, "none of the types in Accept can be answered; see /openapi.json");
}

/* ---- what is read ------------------------------------------------------------------------- */

static bool read_input(job *into, refusal *why)
{
    static const char *const names[] = {"auto", "conllu", "text", "vertical", "horizontal", NULL};
    int from = (int)into->plan.from;
    if (!fields_choice(&into->asked, "from", names, &from, why) ||
        !fields_flag(&into->asked, "presegmented", &into->plan.input.presegmented, why) ||
        !fields_flag(&into->asked, "ranges", &into->plan.input.ranges, why) ||
        !fields_whole(&into->asked, "sentence", 1, INT_MAX, &into->plan.sentence, why))
        return false;
    into->plan.from = (job_input)from;
    return true;
}

static bool read_tidy(const fields *asked, dd_tidy *out, refusal *why)
{
    bool tidy = false;
    if (!fields_find(asked, "tidy")) return true;
    if (!fields_flag(asked, "tidy", &tidy, why)) return false;
    *out = tidy ? DD_TIDY_YES : DD_TIDY_NO;
    return true;
}

static bool read_beam(const ask *from, job *into, refusal *why)
{
    dd_parse_options *how = &into->plan.how;
    int own = dd_model_beam(into->plan.model->model);
    int most = own > from->limits->beam ? own : from->limits->beam;
    if (!fields_whole(&into->asked, "beam", 1, most, &how->beam, why) ||
        !fields_whole(&into->asked, "nbest", 1, most, &how->nbest, why))
        return false;
    int beam = how->beam > 0 ? how->beam : own;
    if (how->nbest <= beam) return true;
    return refuse(why, 400, "nbest: a beam of %d cannot give %d trees; set 'beam' too", beam,
                  how->nbest);
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
    static const char *const names[] = {COMMON_FIELDS, "model", "presegmented", "ranges",
                                        "tag",         "beam",  "nbest",        "scores",
                                        "tidy",        "draw",  "width",        NULL};
    static const char *const outputs[] = {"json", "jsonl", "conllu", "svg", NULL};
    job_plan *plan = &into->plan;
    plan->parse = true;
    plan->model = model_store_find(from->models, fields_string(&into->asked, "model"), why);
    if (!plan->model || !fields_known(&into->asked, names, lists, why) || !read_input(into, why) ||
        !read_output(from, into, outputs, why) || !read_beam(from, into, why) ||
        !fields_flag(&into->asked, "tag", &plan->tag, why) ||
        !fields_flag(&into->asked, "scores", &plan->how.scores, why) ||
        !read_tidy(&into->asked, &plan->how.tidy, why))
        return false;
    plan->how.tag = plan->tag;
    return read_drawing(into, why);
}

bool ask_draw(const ask *from, job *into, refusal *why)
{
    static const char *const names[] = {"data", "sentence", "width", NULL};
    into->plan.from = FROM_CONLLU;
    into->plan.to = TO_SVG;
    into->plan.model = &from->models->models[0];
    return fields_known(&into->asked, names, NULL, why) && read_input(into, why) &&
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

static bool read_steps(const ask *from, job *into, const char *const *names, refusal *why)
{
    static const char *const with_page[] = {"json", "jsonl", "html", NULL};
    static const char *const lines[] = {"json", "jsonl", NULL};
    bool trace = into->plan.kind == JOB_TRACE;
    const char *const *outputs = trace ? with_page : lines;
    return fields_known(&into->asked, names, trace ? lists : NULL, why) && read_input(into, why) &&
           read_output(from, into, outputs, why);
}

bool ask_oracle(const ask *from, job *into, refusal *why)
{
    static const char *const names[] = {COMMON_FIELDS, "system",      "loss",    "walk",
                                        "seed",        "single_root", "partial", NULL};
    static const char *const walks[] = {"gold", "random", NULL};
    dd_oracle_options *how = &into->plan.oracle;
    int walk = 0, seed = 1;
    into->plan.kind = JOB_ORACLE;
    into->plan.from = FROM_CONLLU;
    if (!read_steps(from, into, names, why) || !read_system(&into->asked, &how->system, why) ||
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
    into->plan.model = model_store_find(from->models, fields_string(&into->asked, "model"), why);
    if (!into->plan.model || !read_beam(from, into, why) ||
        !read_tidy(&into->asked, &how->tidy, why) ||
        !fields_choice(&into->asked, "gold", golds, &gold, why))
        return false;
    how->model = into->plan.model->model;
    how->beam = into->plan.how.beam;
    how->gold = (dd_trace_gold)gold;
    return true;
}

bool ask_trace(const ask *from, job *into, refusal *why)
{
    static const char *const names[] = {COMMON_FIELDS, "model", "presegmented", "system", "loss",
                                        "beam",        "gold",  "single_root",  "tidy",   "ranges",
                                        NULL};
    dd_trace_options *how = &into->plan.trace;
    into->plan.kind = JOB_TRACE;
    if (!read_steps(from, into, names, why) || !read_system(&into->asked, &how->system, why) ||
        !fields_flag(&into->asked, "single_root", &how->single_root, why) ||
        !read_traced(from, into, why))
        return false;
    how->loss = fields_string(&into->asked, "loss");
    if (how->system && into->plan.from == FROM_AUTO) into->plan.from = FROM_CONLLU;
    return true;
}
