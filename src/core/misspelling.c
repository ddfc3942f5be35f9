#include "core/misspelling.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 40 /* bytes; longer words get no suggestion */ };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, substitutions and swaps of neighbours (Damerau-Levenshtein, with no edit
 * of a swapped pair). Both sizes are at most LONGEST. */
static int distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
    int table[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= a_size; i++) table[i][0] = (int)i;
    for (size_t j = 0; j <= b_size; j++) table[0][j] = (int)j;
    for (size_t i = 1; i <= a_size; i++) {
        for (size_t j = 1; j <= b_size; j++) {
            int change = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            int best = least(change, least(table[i - 1][j], table[i][j - 1]) + 1);
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) best = least(best, table[i - 2][j - 2] + 1);
            table[i][j] = best;
        }
    }
    return table[a_size][b_size];
}

int dd_misspelling(const char *written, size_t size, const char *known)
{
    size_t known_size = strlen(known);
    if (size > LONGEST || known_size > LONGEST) return -1;
    /* A shortened word is no misspelling, but what was meant is plain. */
    if (size >= 3 && size < known_size && strncmp(known, written, size) == 0) return 1;
    /* One slip in three letters is still a likely misspelling; beyond that a guess misleads. */
    int slips = distance(written, size, known, known_size);
    return slips <= (int)(size + 2) / 3 ? slips : -1;
}

void dd_guess_consider(dd_guess *guess, const char *written, size_t size, const char *known)
{
    int slips = dd_misspelling(written, size, known);
    if (slips < 0 || (guess->word && slips >= guess->slips)) return;
    *guess = (dd_guess){known, slips};
}

dd_hint dd_guess_hint(dd_guess guess, const char *before)
{
    dd_hint hint = {""};
    if (guess.word)
        snprintf(hint.text, sizeof hint.text, "; did you mean %s'%s'?", before, guess.word);
    return hint;
}
