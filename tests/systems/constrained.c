#include "constrained.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(bool holds)
{
    if (!holds) abort();
}

void constrained_begin(constrained *s, const dd_system *system, bool single_root)
{
    *s = (constrained){.single_root = single_root};
    require(dd_inventory_see(&s->inventory, (dd_text){"root", 4}, DD_SEEN_ROOT) == 0);
    require(dd_inventory_see(&s->inventory, (dd_text){"a", 1}, DD_SEEN_LEFT | DD_SEEN_RIGHT) == 1);
    require(dd_inventory_see(&s->inventory, (dd_text){"b", 1}, DD_SEEN_LEFT) == 2);
    require(dd_inventory_close(&s->inventory, system, NULL) == DD_OK);
    require(dd_sentence_new(&s->sentence, NULL) == DD_OK);
}

void constrained_end(constrained *s)
{
    dd_inventory_free(&s->inventory);
    dd_sentence_free(s->sentence);
    dd_constraints_free(&s->constraints);
}

void constrained_words(constrained *s, int n)
{
    static const uint32_t none[DD_COLUMNS + 1];
    dd_sentence_clear(s->sentence);
    for (int word = 1; word <= n; word++)
        require(dd_sentence_add_word(s->sentence, none, 0, DD_HEAD_UNKNOWN));
}

void constrained_add(constrained *s, const char *texts)
{
    while (*texts) {
        const char *end = strchr(texts, ';');
        size_t size = end ? (size_t)(end - texts) : strlen(texts);
        require(dd_sentence_add_constraint(s->sentence, (dd_text){texts, size}, 0));
        texts += size;
        while (*texts == ';' || *texts == ' ') texts++;
    }
}

dd_status constrained_set(constrained *s)
{
    return dd_constraints_set(&s->constraints, s->sentence, &s->inventory, s->single_root,
                              &s->error);
}

const char *constrained_text(const constrained *s, char *room, size_t size)
{
    size_t used = 0;
    room[0] = '\0';
    dd_text text;
    for (size_t i = 0; used < size && dd_sentence_constraint(s->sentence, i, &text); i++)
        used += (size_t)snprintf(room + used, size - used, "%s%.*s", i ? "; " : "", (int)text.size,
                                 text.data);
    return room;
}

/* ---- meaning ------------------------------------------------------------------------------ */

static bool inside(const dd_constraint *span, int node)
{
    return span->first <= node && node <= span->last;
}

static bool span_satisfied(const dd_constraint *span, const int32_t *heads, int n)
{
    int root = 0;
    for (int word = span->first; word <= span->last; word++) {
        if (inside(span, heads[word])) continue;
        if (root) return false;
        root = word;
    }
    for (int word = 1; word <= n; word++) {
        if (inside(span, word) || !inside(span, heads[word])) continue;
        if (span->mode == DD_SPAN_NONE) return false;
        if (span->mode == DD_SPAN_ROOT && heads[word] != root) return false;
    }
    return root != 0;
}

static bool has_dependents(int word, const int32_t *heads, int n)
{
    for (int other = 1; other <= n; other++)
        if (heads[other] == word) return true;
    return false;
}

bool constrained_satisfied(const constrained *s, const int32_t *heads)
{
    dd_text text;
    for (size_t i = 0; dd_sentence_constraint(s->sentence, i, &text); i++) {
        dd_constraint it;
        char reason[DD_REASON_SIZE];
        require(dd_constraint_read(&it, text, reason));
        if (it.kind == DD_REQUIRE_ARC && heads[it.dependent] != it.head) return false;
        if (it.kind == DD_FORBID_ARC && heads[it.dependent] == it.head) return false;
        if (it.kind == DD_REQUIRE_SPAN && !span_satisfied(&it, heads, s->sentence->n)) return false;
        if (it.kind == DD_REQUIRE_LEAF && has_dependents(it.word, heads, s->sentence->n))
            return false;
    }
    return true;
}

/* ---- drawing ------------------------------------------------------------------------------ */

void constrained_draw_arcs(constrained *s, dd_random *random, const int32_t *heads, int arcs,
                           int forbidden)
{
    int n = s->sentence->n;
    for (int word = 1; word <= n; word++)
        if ((int)dd_random_below(random, 8) < arcs)
            require(dd_sentence_require_arc(s->sentence, heads[word], (dd_text){"", 0}, word,
                                            NULL) == DD_OK);
    for (int i = 0; i < forbidden; i++) {
        int word = 1 + (int)dd_random_below(random, (uint32_t)n);
        int head = (int)dd_random_below(random, (uint32_t)n + 1);
        if (head != heads[word])
            require(dd_sentence_forbid_arc(s->sentence, head, word, NULL) == DD_OK);
    }
}

void constrained_draw_leaves(constrained *s, dd_random *random, const int32_t *heads, int share)
{
    int n = s->sentence->n;
    for (int word = 1; word <= n; word++)
        if (!has_dependents(word, heads, n) && (int)dd_random_below(random, 8) < share)
            require(dd_sentence_require_leaf(s->sentence, word, NULL) == DD_OK);
}

void constrained_draw_spans(constrained *s, dd_random *random, const int32_t *heads)
{
    int n = s->sentence->n;
    for (int first = 1; first <= n; first++) {
        if (dd_random_below(random, 2)) continue;
        dd_constraint span = {.kind = DD_REQUIRE_SPAN, .first = first};
        int most = n - first < 5 ? n - first : 5;
        span.last = first + (int)dd_random_below(random, (uint32_t)most + 1);
        span.mode = (dd_span_mode)dd_random_below(random, 3);
        if (!span_satisfied(&span, heads, n)) continue;
        require(dd_sentence_require_span(s->sentence, first, span.last, span.mode, NULL) == DD_OK);
        first = span.last;
    }
}
