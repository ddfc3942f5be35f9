#include "systems/covington_nm/covington_nm.h"

typedef struct scene {
    const dd_constraints *constraints;
    int hub, focus, front;
    const int32_t *now; /* [n + 1] */
    int32_t *heads;     /* [n + 1] */
} scene;

static int span_of(const scene *s, int word)
{
    return s->constraints->span_of[word];
}

int dd_covington_hub(const dd_constraints *constraints, int front)
{
    if (constraints->n_arcs + constraints->n_forbidden > 0) return DD_NONE;
    for (int word = constraints->n; word > front; word--) {
        int span = constraints->span_of[word];
        if (constraints->leaf[word]) continue;
        if (span == DD_NONE || constraints->spans[span].mode != DD_SPAN_NONE) return word;
    }
    return DD_NONE;
}

/* Whether the word has a head in its span. */
static bool is_inside(const scene *s, int word)
{
    int head = s->now[word];
    return head > 0 && span_of(s, word) != DD_NONE && span_of(s, head) == span_of(s, word);
}

static int root_inside(const scene *s, int word)
{
    while (is_inside(s, word)) word = s->now[word];
    return word;
}

/* The word behind the front that takes what has no head in the span: the hub if it is there, else
 * the first that is no leaf; DD_NONE: there is none. */
static int find_taker(const scene *s, const dd_span *span)
{
    if (s->hub >= span->first && s->hub <= span->last) return s->hub;
    int first = span->first > s->front ? span->first : s->front + 1;
    for (int word = first; word <= span->last; word++)
        if (!s->constraints->leaf[word]) return word;
    return DD_NONE;
}

/* The last word of the span up to `last` that is no leaf, with that root in the span (DD_NONE:
 * any); DD_NONE: there is none. */
static int find_head(const scene *s, const dd_span *span, int last, int root)
{
    for (int word = last; word >= span->first; word--)
        if (!s->constraints->leaf[word] && (root == DD_NONE || root_inside(s, word) == root))
            return word;
    return DD_NONE;
}

/* Words with no head in the span hang from there. */
static void hang(const scene *s, int first, int last, int head)
{
    for (int word = first; word <= last; word++)
        s->heads[word] = is_inside(s, word) ? s->now[word] : head;
}

/* The front is the last word of its span that is no leaf. It takes what it can; if it has passed a
 * word that lacks a head there, that is the root. */
static bool close_at_front(const scene *s, const dd_span *span)
{
    int root = DD_NONE, front = s->front;
    hang(s, span->first, s->focus, front);
    for (int word = s->focus < span->first ? span->first : s->focus + 1; word < front; word++) {
        hang(s, word, word, s->hub);
        if (is_inside(s, word)) continue;
        if (root != DD_NONE) return false;
        root = word;
    }
    s->heads[front] = s->hub;
    if (root != DD_NONE)
        s->heads[front] =
            root_inside(s, front) == root ? s->now[front] : find_head(s, span, s->focus, root);
    hang(s, front + 1, span->last, front);
    return s->heads[front] != DD_NONE;
}

/* The front is a leaf, and the last word of its span that is no leaf lies before it. */
static bool close_behind(const scene *s, const dd_span *span)
{
    int head = find_head(s, span, s->front, DD_NONE);
    if (head == DD_NONE) return false;
    hang(s, span->first, s->front - 1, s->hub);
    hang(s, s->front, s->front, find_head(s, span, s->focus, DD_NONE));
    hang(s, s->front + 1, span->last, head);
    return s->heads[s->front] != DD_NONE;
}

static bool fill_span(const scene *s, const dd_span *span)
{
    int taker = find_taker(s, span);
    if (span->first == span->last || span->last < s->front) {
        hang(s, span->first, span->last, s->hub);
    } else if (taker != DD_NONE) {
        hang(s, span->first, span->last, taker);
        s->heads[taker] = s->hub;
    } else {
        return s->constraints->leaf[s->front] ? close_behind(s, span) : close_at_front(s, span);
    }
    return true;
}

bool dd_covington_hub_tree(const dd_constraints *constraints, int hub, int focus, int front,
                           const int32_t *now, int32_t *heads)
{
    scene s = {constraints, hub, focus, front, now, heads};
    hang(&s, 1, constraints->n, hub);
    for (int i = 0; i < constraints->n_spans; i++)
        if (!fill_span(&s, &constraints->spans[i])) return false;
    heads[hub] = 0;
    return dd_constraints_hold(constraints, heads);
}
