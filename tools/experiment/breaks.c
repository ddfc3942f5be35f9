#include "experiment/breaks.h"

#include "heap.h"

#include <stdlib.h>
#include <string.h>

typedef struct follower {
    breaks *to;
    const dd_sentence *sentence;
    int n;
    int32_t *before;     /* [n + 1] heads before the pending transition */
    int head, dependent; /* its arc; dependent -1: it built none */
} follower;

static bool is_gold(const follower *f, int head, int dependent)
{
    return dd_sentence_head(f->sentence, dependent) == head;
}

/* Compares the heads before and after the pending transition. An arc goes when its dependent gets a
 * new head, and also when it would close a cycle. */
static void settle(follower *f, const int32_t *after)
{
    bool broke = false, broke_gold = false;
    if (f->dependent < 0) return;
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

static bool on_step(void *user, const dd_trace_step *step)
{
    follower *f = user;
    settle(f, step->heads);
    memcpy(f->before, step->heads, ((size_t)f->n + 1) * sizeof *f->before);
    f->dependent = step->chosen < 0 ? -1 : step->moves[step->chosen].dependent;
    f->head = step->chosen < 0 ? -1 : step->moves[step->chosen].head;
    return true;
}

bool breaks_add(breaks *to, dd_trace *trace, const dd_sentence *sentence, dd_error *error)
{
    follower f = {.to = to, .sentence = sentence, .n = dd_sentence_size(sentence), .dependent = -1};
    f.before = heap_zeroed((size_t)f.n + 1, sizeof *f.before);
    bool good = dd_trace_sentence(trace, sentence, on_step, &f, error) == DD_OK;
    free(f.before);
    return good;
}
