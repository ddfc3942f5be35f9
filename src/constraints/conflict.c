/* conflict.c - whether constraints can hold together, and which of them cannot; leaves that are
 * wished for */
#include "constraints/constraints.h"
#include "core/memory.h"
#include "text/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a tree that was not found may exist. */
static bool is_unsure(const dd_constraints *c)
{
    return dd_effort_is_over(&c->effort) || dd_constraints_gave_up(c);
}

/* What to say then. */
static dd_status give_up(const dd_constraints *c, const dd_sentence *sentence, dd_error *error)
{
    if (c->effort.no_memory || dd_is_cancelled(c->effort.ticker))
        return dd_fail_unfinished(c->effort.ticker, error);
    if (dd_constraint_count(sentence) == 0)
        return dd_fail(error, DD_ERROR_DATA, "keeping words without dependents takes too long");
    if (dd_effort_is_over(&c->effort))
        return dd_constraint_fail(sentence, 0, error,
                                  "obeying the constraints of this sentence takes too long: it has "
                                  "%d words and %d constraints",
                                  c->n, dd_constraint_count(sentence));
    return dd_constraint_fail(sentence, 0, error,
                              "no tree was found that satisfies all constraints of the sentence; "
                              "the search was given up");
}

/* Constraints to be tried without some of them. */
typedef struct trial {
    dd_constraints *c;
    const dd_sentence *sentence;
    const dd_inventory *inventory;
    bool single_root;
    bool *left_out; /* [n_constraints] */
    int *kept;      /* [n_kept] the others */
    int n_kept;
} trial;

/* 1: what is kept conflicts; 0: it does not, as far as is known; -1: allocation failed. */
static int conflicts(const trial *t)
{
    t->c->left_out = t->left_out;
    dd_status status = dd_constraints_build(t->c, t->sentence, t->inventory, t->single_root, NULL);
    int satisfiable = status == DD_OK ? dd_constraints_satisfiable(t->c) : -1;
    t->c->left_out = NULL;
    if (satisfiable == 0 && is_unsure(t->c)) return 0;
    return satisfiable < 0 ? -1 : !satisfiable;
}

/* Tries without `count` of the kept constraints, from `at` on. */
static int try_without(trial *t, int at, int count)
{
    for (int i = at; i < at + count; i++) t->left_out[t->kept[i]] = true;
    int conflict = conflicts(t);
    if (conflict == 1) {
        int behind = t->n_kept - at - count;
        memmove(t->kept + at, t->kept + at + count, (size_t)behind * sizeof *t->kept);
        t->n_kept -= count;
    } else {
        for (int i = at; i < at + count; i++) t->left_out[t->kept[i]] = false;
    }
    return conflict;
}

/* Delta debugging: leaves out constraints as long as the rest still conflicts, large parts first,
 * then one at a time, so that in the end none can be left out, unless the effort is over before.
 * False if allocation fails. */
enum { STEPS_FOR_WORD = 32 };
static bool shrink(trial *t)
{
    for (int size = (t->n_kept + 1) / 2;; size = (size + 1) / 2) {
        for (int at = 0; at < t->n_kept;) {
            int count = t->n_kept - at < size ? t->n_kept - at : size;
            if (!dd_effort_spend(&t->c->effort, STEPS_FOR_WORD * (uint64_t)t->c->n))
                return !dd_is_cancelled(t->c->effort.ticker);
            int conflict = try_without(t, at, count);
            if (conflict < 0) return false;
            if (conflict == 0) at += count;
        }
        if (size <= 1) return true;
    }
}

static dd_status tell(const trial *t, dd_error *error)
{
    enum { MOST = 4 };
    char list[MOST * 56] = "";
    size_t used = 0;
    for (int i = 1; i < t->n_kept && i <= MOST; i++) {
        dd_text text = {"", 0};
        dd_sentence_constraint(t->sentence, (size_t)t->kept[i], &text);
        used += (size_t)snprintf(list + used, sizeof list - used, "%s'%s'", i > 1 ? ", " : "",
                                 dd_quote_text(text).text);
    }
    int first = t->kept[0];
    if (t->n_kept == 1)
        return dd_constraint_fail(t->sentence, first, error, "no tree satisfies it");
    if (t->n_kept <= MOST + 1)
        return dd_constraint_fail(t->sentence, first, error, "cannot hold together with %s", list);
    return dd_constraint_fail(t->sentence, first, error, "cannot hold together with %s and %d more",
                              list, t->n_kept - 1 - MOST);
}

static dd_status explain(dd_constraints *constraints, const dd_sentence *sentence,
                         const dd_inventory *inventory, bool single_root, dd_error *error)
{
    size_t count = (size_t)dd_constraint_count(sentence);
    trial t = {constraints,
               sentence,
               inventory,
               single_root,
               dd_calloc(count, sizeof *t.left_out),
               dd_calloc(count, sizeof *t.kept),
               (int)count};
    bool ok = t.left_out && t.kept;
    for (int i = 0; ok && i < t.n_kept; i++) t.kept[i] = i;
    dd_status status =
        ok && shrink(&t) ? tell(&t, error) : dd_fail_unfinished(constraints->effort.ticker, error);
    free(t.left_out);
    free(t.kept);
    return status;
}

dd_status dd_constraints_set(dd_constraints *constraints, const dd_sentence *sentence,
                             const dd_inventory *inventory, bool single_root, dd_error *error)
{
    dd_status status = dd_constraints_build(constraints, sentence, inventory, single_root, error);
    if (status == DD_OK) status = dd_constraints_check(constraints, sentence, error);
    if (status != DD_OK) return status;
    dd_effort_reset(&constraints->effort);
    int satisfiable = dd_constraints_satisfiable(constraints);
    if (satisfiable < 0) return dd_fail_unfinished(constraints->effort.ticker, error);
    if (satisfiable) return DD_OK;
    if (is_unsure(constraints)) return give_up(constraints, sentence, error);
    return explain(constraints, sentence, inventory, single_root, error);
}

dd_status dd_constraints_end(const dd_constraints *constraints, const dd_sentence *sentence,
                             const int32_t *heads, dd_error *error)
{
    if (dd_constraint_count(sentence) == 0 && constraints->only_leaves)
        return DD_OK; /* no effort */
    bool whole = !dd_effort_is_over(&constraints->effort);
    if (whole && dd_constraints_hold(constraints, heads)) return DD_OK;
    return give_up(constraints, sentence, error);
}

/* ---- wishes --------------------------------------------------------------------------------- */

/* Leaves that are wished for are granted as far as the sentence's constraints let them; a wish that
 * contradicts these is dropped. */

typedef struct wishes {
    dd_constraints *c;
    const dd_sentence *sentence;
    const dd_inventory *inventory;
    bool single_root;
    const bool *wished; /* [n + 1] */
    bool *granted;      /* [n + 1] */
} wishes;

/* Whether leaves can be had with what the sentence's constraints ask for: 1 or 0, -1 if allocation
 * fails. These have passed all checks before. */
static int can_have(const wishes *w, const bool *leaves)
{
    w->c->wished = leaves;
    dd_status status = dd_constraints_build(w->c, w->sentence, w->inventory, w->single_root, NULL);
    w->c->wished = NULL;
    return status == DD_OK ? dd_constraints_satisfiable(w->c) : -1;
}

/* Grants the wishes from word to word. A word that must have dependents cannot be a leaf, which is
 * by far the most frequent contradiction. Returns how many. */
static int grant(const wishes *w, int first, int last)
{
    int count = 0;
    for (int word = first; word <= last; word++) {
        w->granted[word] = w->wished[word] && w->c->leftmost[word] == DD_NONE;
        count += w->granted[word];
    }
    return count;
}

/* Grants as many of them as can be had with what is granted already: all, or some of either half.
 * False if allocation fails. */
static bool grant_some(const wishes *w, int first, int last)
{
    if (grant(w, first, last) == 0) return true;
    int can = can_have(w, w->granted);
    if (can != 0) return can > 0;
    memset(w->granted + first, 0, (size_t)(last - first + 1) * sizeof *w->granted);
    if (first == last) return true;
    int middle = first + (last - first) / 2;
    return grant_some(w, first, middle) && grant_some(w, middle + 1, last);
}

static dd_status grant_what_can_be(const wishes *w, dd_error *error)
{
    memset(w->granted, 0, ((size_t)w->c->n + 1) * sizeof *w->granted);
    if (!grant_some(w, 1, w->c->n)) return dd_fail_unfinished(w->c->effort.ticker, error);
    dd_effort_reset(&w->c->effort);
    int can = can_have(w, w->granted);
    if (can < 0) return dd_fail_unfinished(w->c->effort.ticker, error);
    return can ? DD_OK : dd_constraints_set(w->c, w->sentence, w->inventory, w->single_root, error);
}

/* Tries all wishes at once, which mostly succeeds. *can as in can_have. */
static dd_status try_all(const wishes *w, int *can, dd_error *error)
{
    const bool *leaves = w->wished;
    if (dd_constraint_count(w->sentence) > 0) {
        dd_status status =
            dd_constraints_build(w->c, w->sentence, w->inventory, w->single_root, error);
        if (status == DD_OK) status = dd_constraints_check(w->c, w->sentence, error);
        if (status != DD_OK) return status;
        grant(w, 1, w->sentence->n);
        leaves = w->granted;
    }
    dd_effort_reset(&w->c->effort);
    *can = can_have(w, leaves);
    return *can < 0 ? dd_fail_unfinished(w->c->effort.ticker, error) : DD_OK;
}

dd_status dd_constraints_set_wishing(dd_constraints *constraints, const dd_sentence *sentence,
                                     const dd_inventory *inventory, bool single_root,
                                     const bool *wished, bool *granted, dd_error *error)
{
    wishes w = {constraints, sentence, inventory, single_root, wished, granted};
    int can = 0;
    granted[0] = false;
    dd_status status = try_all(&w, &can, error);
    if (status != DD_OK || can) return status;
    status = dd_constraints_set(constraints, sentence, inventory, single_root, error);
    return status == DD_OK ? grant_what_can_be(&w, error) : status;
}
