#include "parse/tidy.h"

#include "core/memory.h"
#include "core/strings.h"
#include "parse/parser.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_FOR_MOVE = 200 }; /* for dd_tick */

static dd_role role_of(dd_text label)
{
    const char *colon = label.size ? memchr(label.data, ':', label.size) : NULL;
    dd_text base = {label.data, colon ? (size_t)(colon - label.data) : label.size};
    if (dd_text_is(base, "obj")) return DD_ROLE_OBJECT;
    if (!dd_text_is(base, "nsubj") && !dd_text_is(base, "csubj")) return DD_ROLE_OTHER;
    bool outer = dd_text_is(label, "nsubj:outer") || dd_text_is(label, "csubj:outer");
    return outer ? DD_ROLE_OUTER_SUBJECT : DD_ROLE_SUBJECT;
}

bool dd_tidier_start(dd_tidier *tidier, const dd_model *model)
{
    dd_text label;
    tidier->model = model;
    for (size_t i = 0; dd_model_label_at(model, i, &label); i++) tidier->n_labels = (int)i + 1;
    tidier->roles = dd_calloc((size_t)tidier->n_labels + 1, sizeof *tidier->roles);
    for (int i = 0; tidier->roles && i < tidier->n_labels; i++)
        tidier->roles[i] = role_of(dd_model_label(model, i));
    return tidier->roles;
}

void dd_tidier_free(dd_tidier *tidier)
{
    free(tidier->roles);
    free(tidier->wished);
    free(tidier->granted);
    free(tidier->scores);
    free(tidier->numbers);
    dd_gold_free(&tidier->gold);
    dd_decoder_free(&tidier->decoder);
    *tidier = (dd_tidier){0};
}

int dd_tidier_wish(dd_tidier *tidier, const dd_sentence *sentence)
{
    size_t nodes = (size_t)sentence->n + 1;
    int count = 0;
    if (!DD_RESERVE(&tidier->wished, &tidier->wished_capacity, nodes) ||
        !DD_RESERVE(&tidier->granted, &tidier->granted_capacity, nodes))
        return -1;
    tidier->wished[0] = false;
    for (int word = 1; word <= sentence->n; word++) {
        tidier->wished[word] = dd_text_is(dd_cell(sentence, word, DD_UPOS), "PUNCT");
        count += tidier->wished[word];
    }
    return count == sentence->n ? 0 : count;
}

/* ---- rivals ------------------------------------------------------------------------------- */

static bool reserve(dd_tidier *t, int n)
{
    size_t nodes = (size_t)n + 1, arrays = DD_ROLES + 3;
    if (!DD_RESERVE(&t->numbers, &t->numbers_capacity, arrays * nodes)) return false;
    for (int role = 0; role < DD_ROLES; role++) t->last[role] = t->numbers + (size_t)role * nodes;
    t->before = t->numbers + DD_ROLES * nodes;
    t->row_of = t->before + nodes;
    t->parsed_heads = t->row_of + nodes;
    return true;
}

/* Lists the dependents with a role, and gives a row to each that is not alone with it. */
static void find_rivals(dd_tidier *t, int n, const int32_t *heads, const int32_t *labels)
{
    memset(t->numbers, 0, DD_ROLES * ((size_t)n + 1) * sizeof *t->numbers);
    t->n_rows = 0;
    for (int word = 1; word <= n; word++) {
        dd_role role = t->roles[labels[word]];
        t->row_of[word] = DD_NONE;
        if (role == DD_ROLE_OTHER || heads[word] == 0) continue;
        int32_t *last = &t->last[role][heads[word]];
        if (*last && t->row_of[*last] == DD_NONE) t->row_of[*last] = t->n_rows++;
        if (*last) t->row_of[word] = t->n_rows++;
        t->before[word] = *last;
        *last = word;
    }
}

/* ---- the scores of their labels ----------------------------------------------------------- */

static int32_t *scores_of(const dd_tidier *t, int word)
{
    return t->scores + (size_t)t->row_of[word] * (size_t)t->n_labels;
}

/* The label of a finished tree that a class stands for. */
static int final_label(const dd_tidier *t, int class_id)
{
    const dd_unlift *unlift = &t->model->unlift;
    int label = t->model->inventory.classes[class_id].label;
    return unlift->scheme == DD_PSEUDO_PROJECTIVE_NONE ? label : unlift->codes[label].label;
}

/* Keeps the scores of the labels before the move that builds the arc into a rival. */
static bool take_scores(dd_tidier *t, void *space, dd_move move)
{
    dd_decoder *decoder = &t->decoder;
    int m = 0;
    dd_decoder_ready(decoder);
    while (!dd_same_move(decoder->view.moves[m], move)) m++;
    if (!dd_model_score_one(t->model, space, decoder, false)) return false;
    int32_t *scores = scores_of(t, decoder->view.arcs[m].dependent);
    dd_class_list list = dd_decoder_classes(decoder, m);
    for (int id = list.first; id < list.first + list.count; id++) {
        int32_t score = dd_decoder_score(decoder, m, id), *kept = &scores[final_label(t, id)];
        if (score > *kept) *kept = score;
    }
    return true;
}

/* Makes the tree ready, and all scores unknown. */
static bool begin(dd_tidier *t, int sentence, const dd_config *config)
{
    size_t size = (size_t)t->n_rows * (size_t)t->n_labels;
    for (int word = 0; word <= config->n; word++) t->parsed_heads[word] = config->nodes[word].head;
    if (!dd_gold_set(&t->gold, t->parsed_heads, NULL, config->n) ||
        !dd_decoder_begin(&t->decoder, &t->model->inventory, config->n, config->single_root) ||
        !DD_RESERVE(&t->scores, &t->scores_capacity, size))
        return false;
    t->decoder.view.sentence = sentence;
    for (size_t i = 0; i < size; i++) t->scores[i] = INT32_MIN;
    return true;
}

/* Follows the static oracle to the tree, with its labels, and scores the rivals on the way. Few
 * trees have rivals, so this is faster than keeping the scores of every arc. */
static bool score_rivals(dd_tidier *t, void *space, int sentence, const dd_config *config)
{
    const dd_system *system = t->model->system;
    const dd_config *now = &t->decoder.config;
    if (!begin(t, sentence, config)) return false;
    while (!system->final(now)) {
        if (!dd_tick(t->ticker, STEPS_FOR_MOVE)) return false;
        dd_move move = system->oracle.canonical(now, &t->gold);
        int word = dd_system_arc(system, now, move).dependent;
        bool rival = word != DD_NONE && t->row_of[word] != DD_NONE;
        if (rival && !take_scores(t, space, move)) return false;
        dd_system_apply(system, &t->decoder.config, move,
                        word == DD_NONE ? DD_NONE : config->nodes[word].label);
    }
    return true;
}

/* ---- other labels ------------------------------------------------------------------------- */

/* The best label whose role no dependent of the head has yet; DD_NONE: there is none. */
static int other_label(const dd_tidier *t, int word, int head)
{
    const int32_t *scores = scores_of(t, word);
    int best = DD_NONE;
    for (int label = 0; label < t->n_labels; label++) {
        dd_role role = t->roles[label];
        if (scores[label] == INT32_MIN || (role != DD_ROLE_OTHER && t->last[role][head])) continue;
        if (best == DD_NONE || scores[label] > scores[best]) best = label;
    }
    return best;
}

/* By how much a label leads before the one that would take its place; INT64_MAX: it must stay. */
static int64_t lead_of(const dd_tidier *t, const dd_constraints *constraints, int word, int head,
                       int label)
{
    const int32_t *scores = scores_of(t, word);
    if (constraints && constraints->labels[word] != DD_NONE) return INT64_MAX;
    int other = other_label(t, word, head);
    return other == DD_NONE ? INT64_MAX : (int64_t)scores[label] - scores[other];
}

/* The rivals up to `last`: the one whose label leads by most keeps it, of several the first. */
static void settle(dd_tidier *t, const dd_constraints *constraints, int last, const int32_t *heads,
                   int32_t *labels)
{
    int keeper = DD_NONE, head = heads[last];
    int64_t most = INT64_MIN;
    for (int word = last; word; word = t->before[word]) {
        int64_t lead = lead_of(t, constraints, word, head, labels[word]);
        if (keeper != DD_NONE && lead < most) continue;
        most = lead;
        keeper = word;
    }
    for (int word = last; word; word = t->before[word]) {
        int other = word == keeper ? DD_NONE : other_label(t, word, head);
        bool stays = constraints && constraints->labels[word] != DD_NONE;
        if (other == DD_NONE || stays) continue;
        labels[word] = other;
        t->last[t->roles[other]][head] = word; /* no other word may have that role */
    }
    for (int word = last; word; word = t->before[word]) t->row_of[word] = DD_NONE;
}

bool dd_tidier_relabel(dd_tidier *tidier, void *space, int sentence, const dd_config *config,
                       const dd_constraints *constraints, const int32_t *heads, int32_t *labels)
{
    int n = config->n;
    if (!reserve(tidier, n)) return false;
    find_rivals(tidier, n, heads, labels);
    if (tidier->n_rows == 0 || !tidier->model->system->final(config)) return true;
    if (!score_rivals(tidier, space, sentence, config)) return false;
    for (int word = n; word > 0; word--) {
        dd_role role = tidier->roles[labels[word]];
        if (tidier->row_of[word] == DD_NONE || tidier->last[role][heads[word]] != word) continue;
        settle(tidier, constraints, word, heads, labels);
    }
    return true;
}
