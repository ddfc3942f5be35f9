#include "experiment/result.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

void result_free(result *r)
{
    free(r->failed);
    free(r->curve);
    free(r->sentences);
    *r = (result){0};
}

static void write_real(output *out, const char *key, double value)
{
    if (isnan(value))
        output_format(out, "\"%s\":null", key);
    else
        output_format(out, "\"%s\":%.10g", key, value);
}

static void write_key(output *out, const plan *p, run_key key, const result *r)
{
    const plan_treebank *data = &p->treebanks[key.treebank];
    const plan_setup *how = &p->setups[key.setup];
    output_format(out,
                  "{\"treebank\":\"%s\",\"system\":\"%s\",\"oracle\":\"%s\",\"loss\":", data->code,
                  how->system, plan_oracles[how->oracle]);
    if (how->loss)
        output_json_string(out, how->loss);
    else
        output_string(out, "null");
    output_format(out, ",\"seed\":%" PRIu64 ",\"iterations\":%d,\"parser_bytes\":%" PRIu64,
                  p->seeds[key.seed], data->iterations, p->parser_bytes);
    if (*p->settings) {
        output_string(out, ",\"settings\":");
        output_json_string(out, p->settings);
    }
    output_string(out, ",\"version\":");
    output_json_string(out, r->version);
}

static void write_data(output *out, const training_data *d)
{
    output_format(out,
                  ",\"data\":{\"sentences\":%" PRIu64 ",\"words\":%" PRIu64 ",\"skipped\":%" PRIu64
                  ",\"all_sentences\":%" PRIu64 ",\"all_words\":%" PRIu64
                  ",\"nonprojective_sentences\":%" PRIu64 ",\"nonprojective_arcs\":%" PRIu64
                  ",\"hash\":",
                  d->sentences, d->words, d->skipped, d->all_sentences, d->all_words,
                  d->nonprojective_sentences, d->nonprojective_arcs);
    output_json_string(out, d->hash);
    output_string(out, "}");
}

static void write_scores(output *out, const char *set, const scores *s)
{
    output_format(out, ",\"%s\":{", set);
    write_real(out, "uas", s->uas);
    output_string(out, ",");
    write_real(out, "las", s->las);
    output_string(out, ",");
    write_real(out, "clas", s->clas);
    output_string(out, "}");
}

static void write_curve(output *out, const result *r)
{
    output_string(out, ",\"curve\":[");
    for (size_t i = 0; i < r->n_curve; i++)
        output_format(out, "%s[%.10g,%.10g]", i ? "," : "", r->curve[i].uas, r->curve[i].las);
    output_string(out, "]");
}

static void write_arc_count(output *out, const char *key, const dd_arc_count *c)
{
    output_format(out, ",\"%s\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", key, c->gold,
                  c->found, c->system, c->right);
}

static void write_arcs(output *out, const dd_arc_counts *arcs)
{
    output_string(out, ",\"arcs\":{\"length\":[");
    for (size_t i = 0; i < DD_ARC_LENGTHS; i++) {
        const dd_arc_count *c = &arcs->length[i];
        output_format(out, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", i ? "," : "",
                      c->gold, c->found, c->system, c->right);
    }
    output_string(out, "]");
    write_arc_count(out, "projective", &arcs->projective);
    write_arc_count(out, "nonprojective", &arcs->nonprojective);
    output_string(out, "}");
}

static void write_breaks(output *out, const result *r)
{
    const breaks *b = &r->breaks;
    if (!r->has_breaks) {
        output_string(out, ",\"nonmonotonic\":null");
        return;
    }
    output_format(out,
                  ",\"nonmonotonic\":{\"arcs\":%" PRIu64 ",\"breaking\":%" PRIu64
                  ",\"gold\":%" PRIu64 ",\"harmful\":%" PRIu64 "}",
                  b->arcs, b->breaking, b->gold, b->harmful);
}

static void write_sentences(output *out, const result *r)
{
    output_string(out, ",\"sentences\":{\"words\":[");
    for (size_t i = 0; i < r->n_sentences; i++)
        output_format(out, "%s%" PRIu32, i ? "," : "", r->sentences[i].words);
    output_string(out, "],\"heads\":[");
    for (size_t i = 0; i < r->n_sentences; i++)
        output_format(out, "%s%" PRIu32, i ? "," : "", r->sentences[i].heads);
    output_string(out, "],\"labelled\":[");
    for (size_t i = 0; i < r->n_sentences; i++)
        output_format(out, "%s%" PRIu32, i ? "," : "", r->sentences[i].labelled);
    output_string(out, "]}");
}

/* Last in the line, so that what must be the same in every run is easily compared. */
static void write_expense(output *out, const expense *e)
{
    output_format(out,
                  ",\"cost\":{\"seconds\":%.2f,\"cpu_seconds\":%.2f,\"train_cpu_seconds\":%.2f"
                  ",\"train_words_per_second\":%.0f,\"parse_words_per_second\":%.0f"
                  ",\"peak_memory_mib\":%.0f}",
                  e->seconds, e->cpu_seconds, e->train_seconds, e->train_speed, e->parse_speed,
                  e->peak_mib);
}

void result_write(output *out, const plan *p, run_key key, const result *r)
{
    write_key(out, p, key, r);
    if (r->failed) {
        output_string(out, ",\"failed\":");
        output_json_string(out, r->failed);
        output_string(out, "}\n");
        return;
    }
    output_format(out, ",\"best_iteration\":%d", r->best_iteration);
    write_data(out, &r->data);
    write_scores(out, "dev", &r->dev);
    write_scores(out, "test", &r->test);
    write_curve(out, r);
    write_arcs(out, &r->arcs);
    write_breaks(out, r);
    write_sentences(out, r);
    write_expense(out, &r->expense);
    output_string(out, "}\n");
}
