#include "experiment/result.h"
#include "heap.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Where the values of a line are taken from; the first one that is missing or of a wrong kind is
 * remembered, and what follows is read all the same. */
typedef struct taker {
    const dd_value *from;
    const char *wrong; /* its name */
} taker;

static void blame(taker *t, const char *name)
{
    if (!t->wrong) t->wrong = name;
}

static uint64_t take_count(taker *t, const dd_value *value, const char *name)
{
    uint64_t count = 0;
    if (!dd_value_count(value, &count)) blame(t, name);
    return count;
}

static int take_int(taker *t, const dd_value *value, const char *name)
{
    uint64_t count = take_count(t, value, name);
    if (count > INT_MAX) blame(t, name);
    return count > INT_MAX ? 0 : (int)count;
}

static uint32_t take_small(taker *t, const dd_value *value, const char *name)
{
    uint64_t count = take_count(t, value, name);
    if (count > UINT32_MAX) blame(t, name);
    return count > UINT32_MAX ? 0 : (uint32_t)count;
}

static double take_real(taker *t, const dd_value *value, const char *name)
{
    double number = 0;
    if (!dd_value_number(value, &number)) blame(t, name);
    return number;
}

/* An array of exactly, or at most, that many values; NULL otherwise. */
static const dd_value *take_array(taker *t, const dd_value *value, size_t least, size_t most,
                                  const char *name)
{
    if (value && value->kind == DD_JSON_ARRAY && value->count >= least && value->count <= most)
        return value;
    blame(t, name);
    return NULL;
}

static void take_text(taker *t, const dd_value *value, char *out, size_t room, const char *name)
{
    const char *text = dd_value_string(value);
    if (!text || strlen(text) >= room)
        blame(t, name);
    else
        strcpy(out, text);
}

/* ---- which run it is ---- */

static bool find_treebank(const plan *p, const char *code, size_t *out)
{
    for (*out = 0; *out < p->n_treebanks; ++*out)
        if (strcmp(p->treebanks[*out].code, code) == 0) return true;
    return false;
}

static bool find_setup(const plan *p, const char *system, const char *oracle, const char *loss,
                       size_t *out)
{
    for (*out = 0; *out < p->n_setups; ++*out) {
        const plan_setup *s = &p->setups[*out];
        bool same_loss = s->loss && loss ? strcmp(s->loss, loss) == 0 : s->loss == loss;
        if (strcmp(s->system, system) == 0 && strcmp(plan_oracles[s->oracle], oracle) == 0 &&
            same_loss)
            return true;
    }
    return false;
}

static bool find_seed(const plan *p, uint64_t seed, size_t *out)
{
    for (*out = 0; *out < p->n_seeds; ++*out)
        if (p->seeds[*out] == seed) return true;
    return false;
}

static bool find_key(taker *t, const plan *p, run_key *key)
{
    const char *code = dd_value_string(dd_value_at(t->from, "treebank"));
    const char *system = dd_value_string(dd_value_at(t->from, "system"));
    const char *oracle = dd_value_string(dd_value_at(t->from, "oracle"));
    const dd_value *loss = dd_value_at(t->from, "loss");
    uint64_t seed = take_count(t, dd_value_at(t->from, "seed"), "seed");
    int iterations = take_int(t, dd_value_at(t->from, "iterations"), "iterations");
    uint64_t parser_bytes = take_count(t, dd_value_at(t->from, "parser_bytes"), "parser_bytes");
    const dd_value *given = dd_value_at(t->from, "settings"); /* left out where there are none */
    const char *settings = given ? dd_value_string(given) : "";
    if (!settings) blame(t, "settings");
    if (!code) blame(t, "treebank");
    if (!system) blame(t, "system");
    if (!oracle) blame(t, "oracle");
    if (!loss || (loss->kind != DD_JSON_NULL && loss->kind != DD_JSON_STRING)) blame(t, "loss");
    if (t->wrong) return false;
    return find_treebank(p, code, &key->treebank) &&
           p->treebanks[key->treebank].iterations == iterations &&
           p->parser_bytes == parser_bytes && strcmp(p->settings, settings) == 0 &&
           find_setup(p, system, oracle, dd_value_string(loss), &key->setup) &&
           find_seed(p, seed, &key->seed);
}

/* ---- what it holds ---- */

static void take_data(taker *t, training_data *d)
{
    const dd_value *from = dd_value_at(t->from, "data");
    d->sentences = take_count(t, dd_value_at(from, "sentences"), "data.sentences");
    d->words = take_count(t, dd_value_at(from, "words"), "data.words");
    d->skipped = take_count(t, dd_value_at(from, "skipped"), "data.skipped");
    d->all_sentences = take_count(t, dd_value_at(from, "all_sentences"), "data.all_sentences");
    d->all_words = take_count(t, dd_value_at(from, "all_words"), "data.all_words");
    d->nonprojective_sentences =
        take_count(t, dd_value_at(from, "nonprojective_sentences"), "data.nonprojective_sentences");
    d->nonprojective_arcs =
        take_count(t, dd_value_at(from, "nonprojective_arcs"), "data.nonprojective_arcs");
    take_text(t, dd_value_at(from, "hash"), d->hash, sizeof d->hash, "data.hash");
}

static void take_scores(taker *t, const char *set, scores *s)
{
    const dd_value *from = dd_value_at(t->from, set), *clas = dd_value_at(from, "clas");
    s->uas = take_real(t, dd_value_at(from, "uas"), set);
    s->las = take_real(t, dd_value_at(from, "las"), set);
    s->clas = clas && clas->kind == DD_JSON_NULL ? NAN : take_real(t, clas, set);
}

static void take_curve(taker *t, result *r, int iterations)
{
    const dd_value *from = take_array(t, dd_value_at(t->from, "curve"), (size_t)iterations,
                                      (size_t)iterations, "curve");
    if (!from) return;
    r->n_curve = from->count;
    r->curve = heap_zeroed(r->n_curve, sizeof *r->curve);
    for (size_t i = 0; i < r->n_curve; i++) {
        const dd_value *point = take_array(t, &from->values[i], 2, 2, "curve");
        if (!point) return;
        r->curve[i].uas = take_real(t, &point->values[0], "curve");
        r->curve[i].las = take_real(t, &point->values[1], "curve");
    }
}

static void take_arc_count(taker *t, const dd_value *value, dd_arc_count *c, const char *name)
{
    const dd_value *from = take_array(t, value, 4, 4, name);
    if (!from) return;
    c->gold = take_count(t, &from->values[0], name);
    c->found = take_count(t, &from->values[1], name);
    c->system = take_count(t, &from->values[2], name);
    c->right = take_count(t, &from->values[3], name);
}

static void take_arcs(taker *t, dd_arc_counts *arcs)
{
    const dd_value *from = dd_value_at(t->from, "arcs");
    const dd_value *length =
        take_array(t, dd_value_at(from, "length"), DD_ARC_LENGTHS, DD_ARC_LENGTHS, "arcs.length");
    for (size_t i = 0; length && i < DD_ARC_LENGTHS; i++)
        take_arc_count(t, &length->values[i], &arcs->length[i], "arcs.length");
    take_arc_count(t, dd_value_at(from, "projective"), &arcs->projective, "arcs.projective");
    take_arc_count(t, dd_value_at(from, "nonprojective"), &arcs->nonprojective,
                   "arcs.nonprojective");
}

static void take_breaks(taker *t, result *r)
{
    const dd_value *from = dd_value_at(t->from, "nonmonotonic");
    if (!from) blame(t, "nonmonotonic");
    if (!from || from->kind == DD_JSON_NULL) return;
    r->has_breaks = true;
    r->breaks.arcs = take_count(t, dd_value_at(from, "arcs"), "nonmonotonic.arcs");
    r->breaks.breaking = take_count(t, dd_value_at(from, "breaking"), "nonmonotonic.breaking");
    r->breaks.gold = take_count(t, dd_value_at(from, "gold"), "nonmonotonic.gold");
    r->breaks.harmful = take_count(t, dd_value_at(from, "harmful"), "nonmonotonic.harmful");
}

static void take_sentences(taker *t, result *r)
{
    const dd_value *from = dd_value_at(t->from, "sentences");
    const dd_value *words =
        take_array(t, dd_value_at(from, "words"), 0, SIZE_MAX, "sentences.words");
    if (!words) return;
    size_t count = words->count;
    const dd_value *heads =
        take_array(t, dd_value_at(from, "heads"), count, count, "sentences.heads");
    const dd_value *labelled =
        take_array(t, dd_value_at(from, "labelled"), count, count, "sentences.labelled");
    if (!heads || !labelled) return;
    r->n_sentences = count;
    r->sentences = heap_zeroed(count, sizeof *r->sentences);
    for (size_t i = 0; i < count; i++) {
        dd_sentence_score *s = &r->sentences[i];
        s->words = take_small(t, &words->values[i], "sentences.words");
        s->heads = take_small(t, &heads->values[i], "sentences.heads");
        s->labelled = take_small(t, &labelled->values[i], "sentences.labelled");
    }
}

static void take_expense(taker *t, expense *e)
{
    const dd_value *from = dd_value_at(t->from, "cost");
    e->seconds = take_real(t, dd_value_at(from, "seconds"), "cost.seconds");
    e->cpu_seconds = take_real(t, dd_value_at(from, "cpu_seconds"), "cost.cpu_seconds");
    e->train_seconds =
        take_real(t, dd_value_at(from, "train_cpu_seconds"), "cost.train_cpu_seconds");
    e->train_speed =
        take_real(t, dd_value_at(from, "train_words_per_second"), "cost.train_words_per_second");
    e->parse_speed =
        take_real(t, dd_value_at(from, "parse_words_per_second"), "cost.parse_words_per_second");
    e->peak_mib = take_real(t, dd_value_at(from, "peak_memory_mib"), "cost.peak_memory_mib");
}

static void take_result(taker *t, result *r, int iterations)
{
    take_text(t, dd_value_at(t->from, "version"), r->version, sizeof r->version, "version");
    const dd_value *failed = dd_value_at(t->from, "failed");
    if (failed) {
        const char *reason = dd_value_string(failed);
        if (!reason) blame(t, "failed");
        r->failed = heap_copy(reason ? reason : "", reason ? strlen(reason) : 0);
        return;
    }
    r->best_iteration = take_int(t, dd_value_at(t->from, "best_iteration"), "best_iteration");
    take_data(t, &r->data);
    take_scores(t, "dev", &r->dev);
    take_scores(t, "test", &r->test);
    take_curve(t, r, iterations);
    take_arcs(t, &r->arcs);
    take_breaks(t, r);
    take_sentences(t, r);
    take_expense(t, &r->expense);
}

result_fit result_read(result *out, run_key *key, const plan *p, const char *line, size_t size,
                       char reason[RESULT_REASON_SIZE])
{
    dd_value text;
    dd_error problem;
    *out = (result){0};
    if (dd_value_read(&text, (dd_text){line, size}, DD_JSON_MOST_VALUES, &problem) != DD_OK) {
        snprintf(reason, RESULT_REASON_SIZE, "%.*s", RESULT_REASON_SIZE - 1, problem.message);
        return RESULT_BAD;
    }
    taker t = {.from = &text};
    result_fit fit = find_key(&t, p, key) ? RESULT_OF_PLAN : RESULT_OTHER;
    if (fit == RESULT_OF_PLAN) take_result(&t, out, p->treebanks[key->treebank].iterations);
    dd_value_free(&text);
    if (!t.wrong) return fit;
    snprintf(reason, RESULT_REASON_SIZE, "'%s' is missing or not what it should be", t.wrong);
    result_free(out);
    return RESULT_BAD;
}
