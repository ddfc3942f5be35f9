/* heads.c - HEAD and DEPREL: whether the words form a tree, and the labels of its arcs */
#include "check/check.h"
#include "core/memory.h"
#include "text/utf8.h"

#include <stdio.h>
#include <string.h>

/* ---- labels -------------------------------------------------------------------------------- */

/* [a-z]+(:[a-z]+)? */
static bool is_relation(dd_text relation)
{
    size_t letters = 0, colons = 0;
    for (size_t i = 0; i < relation.size; i++) {
        char byte = relation.data[i];
        if (byte == ':' && letters > 0 && colons++ == 0)
            letters = 0;
        else if (byte >= 'a' && byte <= 'z')
            letters++;
        else
            return false;
    }
    return letters > 0;
}

static void check_deprel(dd_check *check, const dd_check_row *row)
{
    dd_text deprel = row->cells[DD_DEPREL], universal = dd_check_universal(deprel);
    if (deprel.size == 0) return;
    if (dd_rule_is_blank(deprel)) {
        /* Words that also lack HEAD are not parsed yet, which is reported once. */
        if (!dd_rule_is_blank(row->cells[DD_HEAD]))
            dd_check_found(check, DD_FAULT_DEPREL_FORM, row->line, DD_DEPREL, "DEPREL is missing");
    } else if (!is_relation(deprel)) {
        dd_check_found(check, DD_FAULT_DEPREL_FORM, row->line, DD_DEPREL,
                       "DEPREL '%s' is not of the form relation or relation:subtype",
                       DD_QUOTE(deprel));
    } else if (!dd_is_universal_relation(universal)) {
        dd_check_found(check, DD_FAULT_DEPREL_UNKNOWN, row->line, DD_DEPREL,
                       "DEPREL '%s' is not one of the 37 relations", DD_QUOTE(universal));
    }
}

static void check_root_label(dd_check *check, const dd_check_row *row, int head)
{
    dd_text deprel = row->cells[DD_DEPREL];
    bool root = dd_check_equals(dd_check_universal(deprel), "root");
    if (head == 0 && !root)
        dd_check_found(check, DD_FAULT_ROOT_LABEL, row->line, DD_DEPREL,
                       "HEAD is 0, but DEPREL is '%s'", DD_QUOTE(deprel));
    if (head > 0 && root)
        dd_check_found(check, DD_FAULT_ROOT_HEAD, row->line, DD_HEAD,
                       "DEPREL is '%s', but HEAD is %d", DD_QUOTE(deprel), head);
}

/* ---- heads --------------------------------------------------------------------------------- */

/* The head, or -1 where it cannot be used. */
static int check_head(dd_check *check, const dd_check_row *row)
{
    dd_text cell = row->cells[DD_HEAD];
    if (cell.size == 0) return -1;
    int head = dd_rule_number(cell);
    dd_quote text = dd_quote_text(cell);
    if (dd_rule_is_blank(cell))
        dd_check_found(check, DD_FAULT_HEAD_MISSING, row->line, DD_HEAD, "HEAD is missing");
    else if (head < 0)
        dd_check_found(check, DD_FAULT_HEAD_FORM, row->line, DD_HEAD, "HEAD '%s' is no number",
                       text.text);
    else if (head > check->n)
        dd_check_found(check, DD_FAULT_HEAD_BEYOND, row->line, DD_HEAD,
                       "HEAD %s is beyond the last word, %d", text.text, check->n);
    else
        return head;
    return -1;
}

static void check_roots(dd_check *check)
{
    int roots = 0, first = 0, second = 0;
    for (int word = 1; word <= check->n; word++) {
        if (check->heads[word] != 0) continue;
        roots++;
        if (roots == 1) first = word;
        if (roots == 2) second = word;
    }
    if (roots == 0)
        dd_check_found(check, DD_FAULT_ROOT_NONE, dd_check_word(check, 1)->line, DD_HEAD,
                       "no word has HEAD 0");
    if (roots > 1)
        dd_check_found(check, DD_FAULT_ROOT_SEVERAL, dd_check_word(check, second)->line, DD_HEAD,
                       "%d words have HEAD 0, the first of them word %d", roots, first);
    if (roots != 1) check->is_tree = false;
}

/* ---- circles ------------------------------------------------------------------------------- */

static void report_circle(dd_check *check, int at)
{
    char words[120];
    size_t used = 0;
    int first = at, count = 0;
    for (int word = check->heads[at]; word != at; word = check->heads[word])
        if (word < first) first = word;
    int word = first;
    do {
        const char *before = count == 0 ? "" : ", ";
        if (used + 20 < sizeof words)
            used += (size_t)snprintf(words + used, sizeof words - used, "%s%d", before, word);
        else if (words[used - 1] != '.')
            used += (size_t)snprintf(words + used, sizeof words - used, ", ...");
        word = check->heads[word];
        count++;
    } while (word != first);
    dd_check_found(check, DD_FAULT_HEAD_CYCLE, dd_check_word(check, first)->line, DD_HEAD,
                   "words %s depend on each other in a circle", words);
}

/* Every word is walked over once, and each circle is met by one walk only. */
static void check_circles(dd_check *check)
{
    int32_t *walk = check->marks;
    memset(walk, 0, ((size_t)check->n + 1) * sizeof *walk);
    for (int word = 1; word <= check->n; word++) {
        int at = word;
        for (; at > 0 && walk[at] == 0; at = check->heads[at]) walk[at] = word;
        if (at <= 0 || walk[at] != word) continue;
        check->is_tree = false;
        if (check->heads[at] == at)
            dd_check_found(check, DD_FAULT_HEAD_SELF, dd_check_word(check, at)->line, DD_HEAD,
                           "word %d is its own HEAD", at);
        else
            report_circle(check, at);
    }
}

void dd_check_heads(dd_check *check)
{
    check->is_tree = false;
    if (check->level < 2 || !check->ids_whole) return;
    size_t need = (size_t)check->n + 1;
    if (!dd_check_room(check, DD_RESERVE(&check->heads, &check->heads_capacity, need) &&
                                  DD_RESERVE(&check->marks, &check->marks_capacity, need)))
        return;
    check->is_tree = true;
    check->heads[0] = -1;
    for (int word = 1; word <= check->n; word++) {
        const dd_check_row *row = dd_check_word(check, word);
        int head = check_head(check, row);
        check->heads[word] = head;
        if (head < 0) check->is_tree = false;
        check_deprel(check, row);
        check_root_label(check, row, head);
    }
    if (check->is_tree) check_roots(check);
    check_circles(check);
}
