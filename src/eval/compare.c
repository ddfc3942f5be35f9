/* compare.c - approximate randomisation (Yeh 2000, "More accurate tests for the statistical
 * significance of result differences"): if the two systems were equally good, exchanging their
 * answers at random would often make a difference as large as the observed one. Whole sentences are
 * exchanged, because the words of one sentence are not right or wrong independently of each
 * other. */
#include "core/memory.h"
#include "core/random.h"
#include "core/status.h"
#include "eval/evaluation.h"

#include <dodona_tools.h>
#include <stdlib.h>

/* What an exchange of one sentence moves from one system to the other. */
typedef struct difference {
    int32_t heads, labelled;
} difference;

typedef struct sums {
    int64_t heads, labelled;
} sums;

static dd_status check(const dd_evaluation *one, const dd_evaluation *other, dd_error *error)
{
    if (one->options.rule != other->options.rule ||
        one->options.no_punct != other->options.no_punct)
        return dd_fail(error, DD_ERROR_ARGUMENT, "the two files were evaluated by different rules");
    const dd_evaluation *wrong = !one->same_words ? one : !other->same_words ? other : NULL;
    if (wrong)
        return dd_fail(error, DD_ERROR_DATA,
                       "%.300s: cannot compare: its words are not those of the gold file",
                       wrong->system);
    if (one->n_sentences != other->n_sentences)
        return dd_fail(error, DD_ERROR_ARGUMENT,
                       "the two files were evaluated against different gold files");
    return DD_OK;
}

static bool same_lengths(const dd_sentence_score *one, const dd_sentence_score *other, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (one[i].words != other[i].words) return false;
    return true;
}

/* Fills in what is known without shuffling; returns the sums of the differences. */
static sums add_up(dd_comparison *out, difference *differences, const dd_sentence_score *one,
                   const dd_sentence_score *other, size_t count)
{
    sums left = {0, 0}, right = {0, 0};
    for (size_t i = 0; i < count; i++) {
        const dd_sentence_score *a = &one[i], *b = &other[i];
        out->words += a->words;
        left.heads += a->heads;
        left.labelled += a->labelled;
        right.heads += b->heads;
        right.labelled += b->labelled;
        differences[i].heads = (int32_t)a->heads - (int32_t)b->heads;
        differences[i].labelled = (int32_t)a->labelled - (int32_t)b->labelled;
    }
    double words = out->words ? (double)out->words : 1;
    out->uas.one = (double)left.heads / words;
    out->uas.other = (double)right.heads / words;
    out->las.one = (double)left.labelled / words;
    out->las.other = (double)right.labelled / words;
    return (sums){left.heads - right.heads, left.labelled - right.labelled};
}

/* The sums over the sentences that are exchanged; one random number decides for 64 of them. */
static sums draw(dd_random *random, const difference *differences, size_t count)
{
    sums exchanged = {0, 0};
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++, bits >>= 1) {
        if (i % 64 == 0) bits = dd_random_next(random);
        int64_t mask = -(int64_t)(bits & 1); /* a branch here would be mispredicted half the time */
        exchanged.heads += differences[i].heads & mask;
        exchanged.labelled += differences[i].labelled & mask;
    }
    return exchanged;
}

/* An exchange turns a sentence's difference d into -d, hence seen - 2 * exchanged. */
static bool is_as_large(int64_t seen, int64_t exchanged)
{
    return llabs(seen - 2 * exchanged) >= llabs(seen);
}

dd_status dd_compare_scores(dd_comparison *out, const dd_sentence_score *one,
                            const dd_sentence_score *other, size_t sentences, uint64_t shuffles,
                            uint64_t seed, dd_error *error)
{
    if (!same_lengths(one, other, sentences))
        return dd_fail(error, DD_ERROR_ARGUMENT,
                       "the two files were evaluated against different gold files");
    if (shuffles == UINT64_MAX) return dd_fail(error, DD_ERROR_ARGUMENT, "too many shuffles");
    difference *differences = dd_calloc(sentences, sizeof *differences);
    if (!differences) return dd_fail_memory(error);
    *out = (dd_comparison){.sentences = sentences, .shuffles = shuffles};
    sums seen = add_up(out, differences, one, other, sentences);
    dd_random random = {seed};
    for (uint64_t i = 0; i < shuffles; i++) {
        sums exchanged = draw(&random, differences, sentences);
        out->uas.as_large += is_as_large(seen.heads, exchanged.heads);
        out->las.as_large += is_as_large(seen.labelled, exchanged.labelled);
    }
    out->uas.p = (double)(out->uas.as_large + 1) / (double)(shuffles + 1);
    out->las.p = (double)(out->las.as_large + 1) / (double)(shuffles + 1);
    free(differences);
    return DD_OK;
}

dd_status dd_compare(dd_comparison *out, const dd_evaluation *one, const dd_evaluation *other,
                     uint64_t shuffles, uint64_t seed, dd_error *error)
{
    dd_status status = check(one, other, error);
    if (status != DD_OK) return status;
    return dd_compare_scores(out, one->sentences, other->sentences, one->n_sentences, shuffles,
                             seed, error);
}
