#include "experiment/breaks.h"

#include "heap.h"

#include <stdlib.h>
#include <string.h>

static bool is_gold(const breaks_follower *f, int head, int dependent)
{
    return dd_sentence_head(f->sentence, dependent) == head;
}

/* Compares the heads before and after the pending transition. An arc goes when its dependent gets a
 * new head, and also when it would close a cycle. */
static void settle(breaks_follower *f, const int32_t *after)
{
    bool broke = false, broke_gold = false;
    if (!f->pending) return;
    for (int word = 1; word <= f->n; word++) {
        if (f->before[word] < 0 || f->before[word] == after[word]) continue;
        broke = true;
        broke_gold |= is_gold(f, f->before[word], word);
    }
    bool gold = is_gold(f, f->head, f->dependent);
    f->to->arcs++;
    f->to->breaking += broke;
    f->to->gold += broke && gold;
    f->to->harmful += broke_gold && !gold;
}

void breaks_step(breaks_follower *f, const dd_trace_step *step)
{
    settle(f, step->heads);
    memcpy(f->before, step->heads, ((size_t)f->n + 1) * sizeof *f->before);
    f->pending = step->chosen >= 0 && step->moves[step->chosen].dependent >= 0;
    if (!f->pending) return;
    f->head = step->moves[step->chosen].head;
    f->dependent = step->moves[step->chosen].dependent;
}

static bool on_step(void *user, const dd_trace_step *step)
{
    breaks_step(user, step);
    return true;
}

bool breaks_add(breaks *to, dd_trace *trace, const dd_sentence *sentence, dd_error *error)
{
    breaks_follower f = {.to = to, .sentence = sentence, .n = dd_sentence_size(sentence)};
    f.before = heap_zeroed((size_t)f.n + 1, sizeof *f.before);
    bool good = dd_trace_sentence(trace, sentence, on_step, &f, error) == DD_OK;
    free(f.before);
    return good;
}
