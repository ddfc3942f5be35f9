/* The column ID: words 1, 2, 3, ..., ranges before their first word, empty nodes after a word. */
#include "check/check.h"
#include "core/memory.h"
#include "text/utf8.h"

typedef struct sequence {
    dd_check *check;
    int64_t word;                /* the last number seen, which may be the largest int */
    int64_t node;                /* the last empty node since that word */
    int range_first, range_last; /* the last good range; 0: none */
    uint64_t range_line;
} sequence;

static void take_word(sequence *s, const dd_check_row *row)
{
    if (row->first != s->word + 1) {
        s->check->ids_whole = false;
        dd_check_found(s->check, DD_FAULT_ID_ORDER, row->line, DD_ID, "word %s follows word %lld",
                       DD_QUOTE(row->cells[DD_ID]), (long long)s->word);
    }
    s->word = row->first;
    s->node = 0;
    s->check->n++;
}

static bool check_range(sequence *s, const dd_check_row *row)
{
    dd_quote id = dd_quote_text(row->cells[DD_ID]);
    dd_check *check = s->check;
    if (row->second <= row->first) {
        dd_check_found(check, DD_FAULT_RANGE_BACKWARD, row->line, DD_ID,
                       "range %s has fewer than two words", id.text);
        return false;
    }
    if (row->first <= s->range_last && row->second >= s->range_first) {
        dd_check_found(check, DD_FAULT_RANGE_OVERLAP, row->line, DD_ID,
                       "range %s overlaps range %d-%d", id.text, s->range_first, s->range_last);
        return false;
    }
    if (row->first != s->word + 1) {
        dd_check_found(check, DD_FAULT_RANGE_PLACE, row->line, DD_ID,
                       "range %s does not stand before its first word, but after word %lld",
                       id.text, (long long)s->word);
        return false;
    }
    return true;
}

static void take_range(sequence *s, const dd_check_row *row)
{
    s->node = 0;
    if (!check_range(s, row)) {
        s->check->ranges_whole = false;
        return;
    }
    s->range_first = row->first;
    s->range_last = row->second;
    s->range_line = row->line;
}

static void take_empty_node(sequence *s, const dd_check_row *row)
{
    dd_quote id = dd_quote_text(row->cells[DD_ID]);
    if (row->first != s->word || row->second != s->node + 1) {
        s->check->ids_whole = false;
        dd_check_found(s->check, DD_FAULT_EMPTY_NODE_ORDER, row->line, DD_ID,
                       "empty node %s stands where %lld.%lld is expected", id.text,
                       (long long)s->word, (long long)s->node + 1);
    } else if (s->range_first == s->word + 1) {
        dd_check_found(s->check, DD_FAULT_EMPTY_NODE_PLACE, row->line, DD_ID,
                       "empty node %s stands between range %d-%d and its first word", id.text,
                       s->range_first, s->range_last);
    }
    s->node = row->second;
}

static void take_row(sequence *s, const dd_check_row *row)
{
    switch (row->kind) {
    case DD_ID_WORD: take_word(s, row); break;
    case DD_ID_RANGE: take_range(s, row); break;
    case DD_ID_EMPTY: take_empty_node(s, row); break;
    case DD_ID_NONE:
        s->check->ids_whole = false;
        if (row->cells[DD_ID].size) /* else reported as an empty cell */
            dd_check_found(s->check, DD_FAULT_ID, row->line, DD_ID,
                           "'%s' is no word number, range or empty node",
                           DD_QUOTE(row->cells[DD_ID]));
    }
}

/* Where words and empty nodes stand. */
static void list_nodes(dd_check *check)
{
    size_t need = (size_t)check->n + 2, rows = (size_t)check->n_rows;
    if (!dd_check_room(check, DD_RESERVE(&check->words, &check->words_capacity, need) &&
                                  DD_RESERVE(&check->empties, &check->empties_capacity, need) &&
                                  DD_RESERVE(&check->nodes, &check->nodes_capacity, rows)))
        return;
    int n = 0, nodes = 0;
    check->words[0] = -1;
    check->empties[0] = 0;
    for (int i = 0; i < check->n_rows; i++) {
        if (check->rows[i].kind == DD_ID_EMPTY) check->nodes[nodes++] = i;
        if (check->rows[i].kind != DD_ID_WORD) continue;
        check->words[++n] = i;
        check->empties[n] = nodes;
    }
    check->empties[n + 1] = nodes;
}

void dd_check_ids(dd_check *check)
{
    sequence s = {.check = check};
    check->n = 0;
    check->ids_whole = check->ranges_whole = check->rows_whole;
    for (int i = 0; i < check->n_rows; i++) take_row(&s, &check->rows[i]);
    if (s.range_last > s.word) {
        check->ranges_whole = false;
        dd_check_found(check, DD_FAULT_RANGE_END, s.range_line, DD_ID,
                       "range %d-%d ends beyond the last word, %lld", s.range_first, s.range_last,
                       (long long)s.word);
    }
    if (check->n == 0) check->ids_whole = false;
    if (check->ids_whole) list_nodes(check);
}
