#include "transition/annotations.h"

#include "core/memory.h"
#include "core/status.h"
#include "text/conll.h"

#include <stdlib.h>
#include <string.h>

enum { PER_CENT = DD_SOFT_ONE / 100 };

void dd_annotations_free(dd_annotations *annotations)
{
    free(annotations->weights);
    free(annotations->sums);
    *annotations = (dd_annotations){0};
}

/* ---- percentages ----------------------------------------------------------------------------- */

/* Takes the digits at the beginning of a text, at most `most`; returns how many there were. */
static int take_digits(dd_text *text, int most, int32_t *number)
{
    int count = 0;
    for (*number = 0; count < most && text->size > 0 && *text->data >= '0' && *text->data <= '9';
         count++) {
        *number = 10 * *number + (*text->data - '0');
        *text = (dd_text){text->data + 1, text->size - 1};
    }
    return count;
}

static bool take_char(dd_text *text, char wanted)
{
    if (text->size == 0 || *text->data != wanted) return false;
    *text = (dd_text){text->data + 1, text->size - 1};
    return true;
}

/* 70, 70.5 or 70.25; it may be above 100. */
static bool take_percentage(dd_text *text, int32_t *weight)
{
    int32_t whole, part = 0;
    if (take_digits(text, 3, &whole) == 0) return false;
    if (take_char(text, '.')) {
        int digits = take_digits(text, 2, &part);
        if (digits == 0) return false;
        part *= digits == 1 ? 10 : 1;
    }
    *weight = whole * PER_CENT + part;
    return true;
}

/* ---- one word, as one annotator has it ------------------------------------------------------- */

static bool add_head(dd_annotations *a, int word, int32_t head, int32_t weight)
{
    if (head > a->n || head == word) return false;
    a->sums[head] += weight;
    return true;
}

static dd_status fail_at_word(int word, const char *what, dd_error *error)
{
    return dd_fail(error, DD_ERROR_DATA, "word %d: %s", word, what);
}

/* The list of HeadProbs. */
static dd_status add_list(dd_annotations *a, int word, dd_text list, dd_error *error)
{
    static const char malformed[] =
        "HeadProbs is not a list of heads and percentages such as 2:70,0:29.5";
    int32_t head, weight, all = 0;
    do {
        if (take_digits(&list, 9, &head) == 0 || !take_char(&list, ':') ||
            !take_percentage(&list, &weight))
            return fail_at_word(word, malformed, error);
        if (!add_head(a, word, head, weight))
            return dd_fail(error, DD_ERROR_DATA,
                           "word %d: HeadProbs has head %d, which is not another word or 0", word,
                           head);
        all += weight;
    } while (all <= DD_SOFT_ONE && take_char(&list, ','));
    if (all > DD_SOFT_ONE)
        return fail_at_word(word, "HeadProbs adds up to more than 100 per cent", error);
    return list.size == 0 ? DD_OK : fail_at_word(word, malformed, error);
}

/* Adds to the sums; *told: whether the word is annotated. */
static dd_status add_word(dd_annotations *a, const dd_sentence *sentence, int word, bool *told,
                          dd_error *error)
{
    dd_text value, misc = dd_cell(sentence, word, DD_MISC);
    int32_t weight = DD_SOFT_ONE, head = sentence->heads[word];
    *told = true;
    if (dd_conll_misc(misc, "HeadProbs=", &value)) return add_list(a, word, value, error);
    *told = head >= 0;
    if (!*told) return DD_OK;
    if (dd_conll_misc(misc, "HeadProb=", &value) &&
        (!take_percentage(&value, &weight) || value.size || weight > DD_SOFT_ONE))
        return fail_at_word(word, "HeadProb is not a number from 0 to 100", error);
    if (add_head(a, word, head, weight)) return DD_OK;
    return fail_at_word(word, "HEAD is not another word or 0", error);
}

bool dd_annotations_has(const dd_sentence *sentence)
{
    dd_text value;
    for (int word = 1; word <= sentence->n; word++) {
        dd_text misc = dd_cell(sentence, word, DD_MISC);
        if (dd_conll_misc(misc, "HeadProbs=", &value) || dd_conll_misc(misc, "HeadProb=", &value))
            return true;
    }
    return false;
}

/* ---- sentences ------------------------------------------------------------------------------- */

static dd_status set_word(dd_annotations *a, const dd_sentence *const *sentences, size_t count,
                          int word, dd_error *error)
{
    size_t nodes = (size_t)a->n + 1;
    int32_t tellers = 0;
    memset(a->sums, 0, nodes * sizeof *a->sums);
    for (size_t i = 0; i < count; i++) {
        bool told;
        dd_status status = add_word(a, sentences[i], word, &told, error);
        if (status != DD_OK) return status;
        tellers += told;
    }
    a->untold += tellers == 0;
    for (size_t head = 0; head < nodes; head++)
        a->weights[(size_t)word * nodes + head] = tellers > 0 ? a->sums[head] / tellers : 0;
    return DD_OK;
}

dd_status dd_annotations_set(dd_annotations *a, const dd_sentence *const *sentences, size_t count,
                             dd_error *error)
{
    size_t nodes = (size_t)sentences[0]->n + 1;
    if (sentences[0]->n > DD_SOFT_MAX_WORDS)
        return dd_fail(error, DD_ERROR_DATA, "more than %d words", DD_SOFT_MAX_WORDS);
    for (size_t i = 1; i < count; i++)
        if (sentences[i]->n != sentences[0]->n)
            return dd_fail(error, DD_ERROR_DATA, "annotators have %d and %d words", sentences[0]->n,
                           sentences[i]->n);
    if (!DD_RESERVE(&a->weights, &a->weights_capacity, nodes * nodes) ||
        !DD_RESERVE(&a->sums, &a->sums_capacity, nodes))
        return dd_fail_memory(error);
    a->n = sentences[0]->n;
    a->untold = 0;
    memset(a->weights, 0, nodes * sizeof *a->weights);
    dd_status status = DD_OK;
    for (int word = 1; word <= a->n && status == DD_OK; word++)
        status = set_word(a, sentences, count, word, error);
    return status;
}

dd_weighed_arc *dd_annotations_list(const dd_annotations *a, int *count)
{
    int nodes = a->n + 1, found = 0;
    for (int cell = 0; cell < nodes * nodes; cell++) found += a->weights[cell] > 0;
    dd_weighed_arc *arcs = dd_calloc((size_t)found + 1, sizeof *arcs);
    if (!arcs) return NULL;
    *count = 0;
    for (int cell = 0; cell < nodes * nodes; cell++)
        if (a->weights[cell] > 0)
            arcs[(*count)++] = (dd_weighed_arc){cell / nodes, cell % nodes, a->weights[cell]};
    return arcs;
}
