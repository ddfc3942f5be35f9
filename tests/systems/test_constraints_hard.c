/* Whether a tree satisfies constraints is NP-complete where spans of mode root come together with
 * forbidden arcs: formulas as constraints, after the proof in docs/theory/constraints.md, against
 * all assignments. Both Covington systems must tell exactly which formulas can be satisfied. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "constrained.h"
#include "systems/registry.h"

enum { MOST_VARIABLES = 12, MOST_CLAUSES = 120, LITERALS = 3 };

/* Literals are words: 2v + 1 is variable v, 2v + 2 its negation. */
typedef struct formula {
    int variables, clauses;
    int literals[MOST_CLAUSES][LITERALS];
} formula;

static formula draw_formula(dd_random *random)
{
    formula f = {.variables = 1 + (int)dd_random_below(random, MOST_VARIABLES)};
    f.clauses = 1 + (int)dd_random_below(random, 10 * (uint32_t)f.variables);
    for (int c = 0; c < f.clauses; c++)
        for (int i = 0; i < LITERALS; i++)
            f.literals[c][i] = 1 + (int)dd_random_below(random, 2 * (uint32_t)f.variables);
    return f;
}

static bool is_true(unsigned assignment, int literal)
{
    return (assignment >> (literal - 1) / 2 & 1) == (unsigned)(literal % 2);
}

static bool satisfies(const formula *f, unsigned assignment)
{
    for (int c = 0; c < f->clauses; c++) {
        bool holds = false;
        for (int i = 0; i < LITERALS; i++) holds = holds || is_true(assignment, f->literals[c][i]);
        if (!holds) return false;
    }
    return true;
}

static bool is_satisfiable(const formula *f)
{
    for (unsigned assignment = 0; assignment < 1U << f->variables; assignment++)
        if (satisfies(f, assignment)) return true;
    return false;
}

static bool is_literal_of(const formula *f, int clause, int word)
{
    for (int i = 0; i < LITERALS; i++)
        if (f->literals[clause][i] == word) return true;
    return false;
}

/* Variables, then clauses, then a word that can take all roots of the spans. */
static void write_constraints(constrained *s, const formula *f)
{
    char text[64];
    constrained_words(s, 2 * f->variables + f->clauses + 1);
    for (int v = 0; v < f->variables; v++) {
        snprintf(text, sizeof text, "span %d %d root", 2 * v + 1, 2 * v + 2);
        constrained_add(s, text);
    }
    for (int c = 0; c < f->clauses; c++) {
        int word = 2 * f->variables + 1 + c;
        for (int head = 0; head <= s->sentence->n; head++) {
            if (head == word || is_literal_of(f, c, head)) continue;
            snprintf(text, sizeof text, "not-arc %d %d", head, word);
            constrained_add(s, text);
        }
    }
}

static void check(const dd_system *system, bool single_root, int rounds)
{
    constrained s;
    dd_random random = {single_root + 23};
    int found = 0, refused = 0;
    constrained_begin(&s, system, single_root);
    for (int round = 0; round < rounds; round++) {
        formula f = draw_formula(&random);
        write_constraints(&s, &f);
        assert_int_equal(
            dd_constraints_build(&s.constraints, s.sentence, &s.inventory, single_root, NULL),
            DD_OK);
        s.constraints.effort = (dd_effort){0};
        int satisfiable = dd_constraints_satisfiable(&s.constraints);
        assert_false(dd_effort_is_over(&s.constraints.effort));
        assert_int_equal(satisfiable, is_satisfiable(&f));
        found += satisfiable;
        refused += !satisfiable;
    }
    print_message("# %s%s: %d formulas can be satisfied, %d cannot\n", system->name,
                  single_root ? " (single root)" : "", found, refused);
    assert_true(found > rounds / 5 && refused > rounds / 5);
    constrained_end(&s);
}

static void formulas(void **state)
{
    (void)state;
    for (int single_root = 0; single_root <= 1; single_root++) {
        check(dd_system_find("covington"), single_root, 1000);
        check(dd_system_find("pointer"), single_root, 1000);
        check(dd_system_find("covington-nm"), single_root, 200);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(formulas)};
    return cmocka_run_group_tests_name("constraints-hard", tests, NULL, NULL);
}
