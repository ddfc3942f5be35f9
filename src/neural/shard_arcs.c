/* shard_arcs.c - what a shard learns of arcs: their labels, and how well two words go together
 *
 * Labels are scored one arc at a time where a configuration is scored, and those of all known arcs
 * at once where they are learnt. How well two words go together is the product of what one brings
 * as a dependent and what the other brings as a head, which a layer over the sum of their rows
 * cannot say (Dozat and Manning 2017). */
#include "core/memory.h"
#include "neural/shard.h"
#include "transition/config.h"

#include <math.h>
#include <string.h>

/* ---- labels ---------------------------------------------------------------------------------- */

static size_t label_hidden(const dd_shard *s)
{
    return (size_t)s->network->shape.label_hidden;
}

/* Where a node's row as a dependent stands; as a head it stands behind that. */
static dd_real *label_row(const dd_shard *s, dd_real *slots, int sentence, int node, bool head)
{
    size_t columns = dd_network_slot_columns(&s->network->shape);
    return slots + (dd_shard_row(s, sentence, node) + 1) * columns -
           (head ? 1 : 2) * label_hidden(s);
}

static void sum_arc(const dd_shard *s, int sentence, int dependent, int head, dd_real *sums)
{
    const dd_real *of_dependent = label_row(s, s->slots, sentence, dependent, false);
    const dd_real *of_head = label_row(s, s->slots, sentence, head, true);
    const dd_real *bias = s->weights + s->network->label_bias.at;
    for (size_t j = 0; j < label_hidden(s); j++) sums[j] = bias[j] + of_dependent[j] + of_head[j];
}

void dd_shard_label(const dd_shard *s, int sentence, int dependent, int head, dd_real *scores)
{
    const dd_network *network = s->network;
    dd_real units[DD_MOST_HIDDEN];
    size_t hidden = label_hidden(s);
    sum_arc(s, sentence, dependent, head, units);
    for (size_t j = 0; j < hidden; j++) units[j] = dd_leaky(units[j]);
    for (size_t l = 0; l < network->labels.rows; l++)
        scores[l] = s->weights[network->labels_bias.at + l] +
                    dd_dot(s->weights + network->labels.at + l * hidden, units, hidden);
}

/* Cross entropy: the derivatives are the probabilities, less 1 for the right label. */
static double derivatives_of_labels(dd_real *scores, size_t count, int right, dd_real scale)
{
    dd_real most = scores[0], sum = 0;
    for (size_t l = 1; l < count; l++) most = scores[l] > most ? scores[l] : most;
    for (size_t l = 0; l < count; l++) sum += scores[l] = (dd_real)exp((double)(scores[l] - most));
    double loss = -log((double)scores[right] / (double)sum);
    for (size_t l = 0; l < count; l++) scores[l] = scores[l] / sum * scale;
    scores[right] -= scale;
    return loss;
}

/* The known arcs, in the order of sentences and words: calls `each` with their numbers. */
typedef void for_arc(dd_shard *s, size_t number, int sentence, int word, const dd_shard_gold *gold,
                     dd_real scale);

static size_t for_known_arcs(dd_shard *s, const dd_shard_gold *gold, for_arc *each, dd_real scale)
{
    size_t count = 0;
    for (int i = 0; i < s->count; i++)
        for (int word = 1; word <= s->sentences[i]->n; word++)
            if (gold[i].heads[word] >= 0 && gold[i].labels[word] >= 0)
                each(s, count++, i, word, &gold[i], scale);
    return count;
}

/* Units and the bias that scores start from. */
static void open_arc(dd_shard *s, size_t number, int sentence, int word, const dd_shard_gold *gold,
                     dd_real scale)
{
    (void)scale;
    size_t hidden = label_hidden(s), labels = s->network->labels.rows;
    dd_real *units = s->label_units + number * hidden;
    sum_arc(s, sentence, word, gold->heads[word], units);
    for (size_t j = 0; j < hidden; j++) units[j] = dd_leaky(units[j]);
    memcpy(s->label_scores + number * labels, s->weights + s->network->labels_bias.at,
           labels * sizeof *s->label_scores);
}

/* Scores become derivatives. */
static void learn_arc(dd_shard *s, size_t number, int sentence, int word, const dd_shard_gold *gold,
                      dd_real scale)
{
    (void)sentence;
    size_t labels = s->network->labels.rows;
    dd_real *scores = s->label_scores + number * labels;
    dd_real weight = gold->weights ? (dd_real)gold->weights[word] / 100 : 1;
    double loss = derivatives_of_labels(scores, labels, gold->labels[word], scale * weight);
    s->label_loss += loss * (double)weight;
    dd_add_scaled(s->gradients + s->network->labels_bias.at, scores, labels, 1);
}

/* A unit has the sign of its sum, so that the sum itself need not be kept. */
static void close_arc(dd_shard *s, size_t number, int sentence, int word, const dd_shard_gold *gold,
                      dd_real scale)
{
    (void)scale;
    size_t hidden = label_hidden(s);
    const dd_real *units = s->label_units + number * hidden;
    dd_real *d_units = s->d_label_units + number * hidden;
    for (size_t j = 0; j < hidden; j++) d_units[j] *= dd_leaky_derivative(units[j]);
    dd_add_scaled(s->gradients + s->network->label_bias.at, d_units, hidden, 1);
    dd_add_scaled(label_row(s, s->d_slots, sentence, word, false), d_units, hidden, 1);
    dd_add_scaled(label_row(s, s->d_slots, sentence, gold->heads[word], true), d_units, hidden, 1);
}

void dd_shard_back_labels(dd_shard *s, const dd_shard_gold *gold, dd_real scale)
{
    const dd_network *network = s->network;
    size_t hidden = label_hidden(s), labels = network->labels.rows;
    const dd_real *weights = s->weights + network->labels.at;
    size_t arcs = for_known_arcs(s, gold, open_arc, scale);
    dd_multiply(&s->by, arcs, labels, hidden, dd_rows_of(s->label_units, hidden),
                dd_columns_of(weights, hidden), s->label_scores, labels);
    s->labelled += for_known_arcs(s, gold, learn_arc, scale);
    memset(s->d_label_units, 0, arcs * hidden * sizeof *s->d_label_units);
    dd_multiply(&s->by, arcs, hidden, labels, dd_rows_of(s->label_scores, labels),
                dd_rows_of(weights, hidden), s->d_label_units, hidden);
    dd_multiply(&s->by, labels, hidden, arcs, dd_columns_of(s->label_scores, labels),
                dd_rows_of(s->label_units, hidden), s->gradients + network->labels.at, hidden);
    for_known_arcs(s, gold, close_arc, scale);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static size_t pairs(const dd_shard *s)
{
    return (size_t)s->network->shape.pairs;
}

/* Where a node's row as a dependent stands; as a head it stands behind that. */
static dd_real *pair_row(const dd_shard *s, dd_real *slots, int sentence, int node, bool head)
{
    const dd_network_shape *shape = &s->network->shape;
    size_t columns = dd_network_slot_columns(shape), at = dd_network_pairs_at(shape);
    return slots + dd_shard_row(s, sentence, node) * columns + at + (head ? pairs(s) : 0);
}

static bool is_pair(const dd_shard *s, int dependent, int head)
{
    return pairs(s) > 0 && dependent != DD_NONE && head != DD_NONE;
}

static dd_real one_of(const dd_shard *s)
{
    return (dd_real)(1 / sqrt((double)pairs(s)));
}

dd_real dd_shard_pair(const dd_shard *s, int sentence, int dependent, int head)
{
    if (!is_pair(s, dependent, head)) return 0;
    return one_of(s) * dd_dot(pair_row(s, s->slots, sentence, dependent, false),
                              pair_row(s, s->slots, sentence, head, true), pairs(s));
}

bool dd_shard_decide_pair(dd_shard *s, int sentence, int dependent, int head, dd_real derivative)
{
    if (!is_pair(s, dependent, head)) return true;
    if (!DD_RESERVE(&s->pairings, &s->pairings_capacity, s->n_pairings + 1)) return false;
    s->pairings[s->n_pairings++] = (dd_pairing){sentence, dependent, head, derivative};
    return true;
}

void dd_shard_back_pairs(dd_shard *s, dd_real scale)
{
    for (size_t i = 0; i < s->n_pairings; i++) {
        const dd_pairing *p = &s->pairings[i];
        dd_real derivative = p->derivative * scale * one_of(s);
        dd_add_scaled(pair_row(s, s->d_slots, p->sentence, p->dependent, false),
                      pair_row(s, s->slots, p->sentence, p->head, true), pairs(s), derivative);
        dd_add_scaled(pair_row(s, s->d_slots, p->sentence, p->head, true),
                      pair_row(s, s->slots, p->sentence, p->dependent, false), pairs(s),
                      derivative);
    }
}
