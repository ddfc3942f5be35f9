/* cells.c - cells one by one: white space, UPOS, FEATS, MISC, and what ranges and empty nodes leave
 * out. */
#include "check/check.h"
#include "core/memory.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>

/* ---- what several steps need ---------------------------------------------------------------- */

bool dd_check_equals(dd_text text, const char *word)
{
    return text.size == strlen(word) && memcmp(text.data, word, text.size) == 0;
}

/* Cuts off what stands before the separator; false behind the last part. */
static bool next_part(dd_text *rest, char separator, dd_text *part)
{
    if (!rest->data) return false;
    const char *at = rest->size ? memchr(rest->data, separator, rest->size) : NULL;
    *part = (dd_text){rest->data, at ? (size_t)(at - rest->data) : rest->size};
    *rest = at ? (dd_text){at + 1, rest->size - part->size - 1} : (dd_text){NULL, 0};
    return true;
}

int dd_check_split(dd_check *check, dd_text cell, char separator)
{
    size_t count = 0;
    for (dd_text part; next_part(&cell, separator, &part); count++) {
        if (!dd_check_room(check, DD_RESERVE(&check->items, &check->items_capacity, count + 1)))
            return -1;
        check->items[count] = part;
    }
    return (int)count;
}

bool dd_check_has(dd_text cell, const char *item)
{
    for (dd_text part; next_part(&cell, '|', &part);)
        if (dd_check_equals(part, item)) return true;
    return false;
}

dd_text dd_check_universal(dd_text relation)
{
    dd_text part;
    return next_part(&relation, ':', &part) ? part : relation;
}

/* ---- white space ---------------------------------------------------------------------------- */

static bool may_have_spaces(const dd_check_row *row, int column)
{
    if (column == DD_MISC) return true;
    return (column == DD_FORM || column == DD_LEMMA) && row->kind != DD_ID_RANGE;
}

/* Why the white space of a cell is wrong; NULL if it is not. */
static const char *space_fault(dd_text cell, bool allowed, bool last)
{
    bool before = false;
    if (allowed && dd_white_size(cell)) return "starts with white space";
    if (allowed && !last && dd_check_white_end(cell)) return "ends with white space";
    for (size_t size; cell.size; cell = (dd_text){cell.data + size, cell.size - size}) {
        size_t white = dd_white_size(cell);
        size = white ? white : 1;
        if (white && !allowed) return "has white space";
        if (white && before) return "has white space twice in a row";
        before = white > 0;
    }
    return NULL;
}

static void check_spaces(dd_check *check, const dd_check_row *row)
{
    for (int column = 0; column < DD_COLUMNS; column++) {
        dd_text cell = row->cells[column];
        if (cell.size == 0) {
            dd_check_found(check, DD_FAULT_EMPTY_CELL, row->line, column,
                           "%s is empty; a missing value is written _", dd_column_name(column));
            continue;
        }
        /* White space at the end of the line is reported there. */
        const char *fault =
            space_fault(cell, may_have_spaces(row, column), column == DD_COLUMNS - 1);
        if (fault)
            dd_check_found(check, DD_FAULT_SPACE, row->line, column, "%s '%s' %s",
                           dd_column_name(column), DD_QUOTE(cell), fault);
    }
}

/* ---- features ------------------------------------------------------------------------------- */

static char lower(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char)(byte + 'a' - 'A') : byte;
}

/* As UD sorts: capital letters are like small ones. */
static int by_small_letters(const void *left, const void *right)
{
    const dd_text *a = left, *b = right;
    size_t size = a->size < b->size ? a->size : b->size;
    for (size_t i = 0; i < size; i++) {
        unsigned char one = (unsigned char)lower(a->data[i]);
        unsigned char other = (unsigned char)lower(b->data[i]);
        if (one != other) return one < other ? -1 : 1;
    }
    return (a->size > b->size) - (a->size < b->size);
}

static bool in_order(const dd_text *items, int count)
{
    for (int i = 1; i < count; i++)
        if (by_small_letters(&items[i - 1], &items[i]) > 0) return false;
    return true;
}

static dd_text name_of(dd_text feature)
{
    dd_text name;
    return next_part(&feature, '=', &name) ? name : feature;
}

static bool same(dd_text a, dd_text b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/* An item that occurs twice, found beside its equal in the sorted list; NULL: none does. */
static const dd_text *find_twice(dd_text *items, int count, bool names)
{
    if (!in_order(items, count)) qsort(items, (size_t)count, sizeof *items, by_small_letters);
    for (int i = 1; i < count; i++) {
        if (same(items[i - 1], items[i])) return &items[i];
        if (names && same(name_of(items[i - 1]), name_of(items[i]))) return &items[i];
    }
    return NULL;
}

static bool is_letter_or_digit(char byte, bool small, bool capital)
{
    return (byte >= '0' && byte <= '9') || (small && byte >= 'a' && byte <= 'z') ||
           (capital && byte >= 'A' && byte <= 'Z');
}

/* [A-Z0-9][A-Za-z0-9]* */
static bool is_value(dd_text value)
{
    if (value.size == 0 || !is_letter_or_digit(value.data[0], false, true)) return false;
    for (size_t i = 1; i < value.size; i++)
        if (!is_letter_or_digit(value.data[i], true, true)) return false;
    return true;
}

/* A name with or without a layer, as Number[psor]. */
static bool is_name(dd_text name)
{
    size_t end = 0;
    while (end < name.size && name.data[end] != '[') end++;
    if (!is_value((dd_text){name.data, end}) || name.data[0] <= '9') return false;
    if (end == name.size) return true;
    if (name.size - end < 3 || name.data[name.size - 1] != ']') return false;
    for (size_t i = end + 1; i < name.size - 1; i++)
        if (!is_letter_or_digit(name.data[i], true, false)) return false;
    return true;
}

static bool is_feature(dd_text feature)
{
    dd_text name = name_of(feature), value;
    if (name.size == feature.size || !is_name(name)) return false;
    dd_text values = {feature.data + name.size + 1, feature.size - name.size - 1};
    while (next_part(&values, ',', &value))
        if (!is_value(value)) return false;
    return true;
}

static void check_values(dd_check *check, const dd_check_row *row, dd_text feature)
{
    dd_text name = name_of(feature);
    if (name.size == feature.size || !memchr(feature.data, ',', feature.size)) return;
    dd_text values = {feature.data + name.size + 1, feature.size - name.size - 1};
    int count = dd_check_split(check, values, ',');
    if (count < 0) return;
    if (!in_order(check->items, count))
        dd_check_found(check, DD_FAULT_VALUE_ORDER, row->line, DD_FEATS,
                       "the values of '%s' are not in alphabetical order", DD_QUOTE(feature));
    const dd_text *twice = find_twice(check->items, count, false);
    if (twice)
        dd_check_found(check, DD_FAULT_VALUE_REPEATED, row->line, DD_FEATS,
                       "the value '%s' occurs twice in '%s'", DD_QUOTE(*twice), DD_QUOTE(feature));
}

static void check_feats(dd_check *check, const dd_check_row *row)
{
    dd_text cell = row->cells[DD_FEATS], rest = cell;
    if (cell.size == 0 || dd_rule_is_blank(cell)) return;
    for (dd_text feature; next_part(&rest, '|', &feature);) {
        if (!is_feature(feature))
            dd_check_found(check, DD_FAULT_FEATS_FORM, row->line, DD_FEATS,
                           "'%s' is no feature of the form Name=Value", DD_QUOTE(feature));
        check_values(check, row, feature);
    }
    int count = dd_check_split(check, cell, '|');
    if (count < 0) return;
    if (!in_order(check->items, count))
        dd_check_found(check, DD_FAULT_FEATS_ORDER, row->line, DD_FEATS,
                       "the features '%s' are not in alphabetical order", DD_QUOTE(cell));
    const dd_text *twice = find_twice(check->items, count, true);
    if (twice)
        dd_check_found(check, DD_FAULT_FEATS_REPEATED, row->line, DD_FEATS,
                       "the feature '%s' occurs twice", DD_QUOTE(name_of(*twice)));
}

/* ---- other columns -------------------------------------------------------------------------- */

static void check_upos(dd_check *check, const dd_check_row *row)
{
    dd_text upos = row->cells[DD_UPOS];
    if (upos.size == 0 || dd_is_universal_tag(upos)) return;
    if (!dd_rule_is_blank(upos))
        dd_check_found(check, DD_FAULT_UPOS, row->line, DD_UPOS,
                       "UPOS '%s' is not one of the 17 tags", DD_QUOTE(upos));
    else if (row->kind != DD_ID_EMPTY)
        dd_check_found(check, DD_FAULT_UPOS, row->line, DD_UPOS, "UPOS is missing");
}

static void check_filled(dd_check *check, const dd_check_row *row, dd_fault_code code,
                         const char *what, int column)
{
    dd_text cell = row->cells[column];
    if (cell.size && !dd_rule_is_blank(cell))
        dd_check_found(check, code, row->line, column, "%s has %s '%s'; only _ can stand there",
                       what, dd_column_name(column), DD_QUOTE(cell));
}

static void check_range(dd_check *check, const dd_check_row *row)
{
    for (int column = DD_LEMMA; column <= DD_DEPS; column++)
        if (column != DD_FEATS || !dd_check_equals(row->cells[column], "Typo=Yes"))
            check_filled(check, row, DD_FAULT_RANGE_CELLS, "a range", column);
}

static void check_misc(dd_check *check, const dd_check_row *row)
{
    static const char *const once[] = {"SpaceAfter", "Lang", "Translit", "LTranslit",
                                       "Gloss",      "LId",  "LDeriv",   "Ref"};
    enum { ATTRIBUTES = sizeof once / sizeof *once };
    int counts[ATTRIBUTES] = {0};
    dd_text rest = row->cells[DD_MISC];
    for (dd_text item; next_part(&rest, '|', &item);) {
        dd_text name = name_of(item);
        if (name.size == item.size) continue;
        for (int i = 0; i < ATTRIBUTES; i++)
            if (dd_check_equals(name, once[i]) && ++counts[i] == 2)
                dd_check_found(check, DD_FAULT_MISC_REPEATED, row->line, DD_MISC,
                               "MISC has the attribute '%s' twice", once[i]);
    }
}

static void check_row(dd_check *check, const dd_check_row *row)
{
    check_spaces(check, row);
    if (check->level < 2) return;
    check_misc(check, row);
    if (row->kind == DD_ID_RANGE) {
        check_range(check, row);
        return;
    }
    if (row->kind == DD_ID_EMPTY) {
        check_filled(check, row, DD_FAULT_EMPTY_NODE_CELLS, "an empty node", DD_HEAD);
        check_filled(check, row, DD_FAULT_EMPTY_NODE_CELLS, "an empty node", DD_DEPREL);
    }
    check_upos(check, row);
    check_feats(check, row);
}

void dd_check_cells(dd_check *check)
{
    for (int i = 0; i < check->n_rows && check->status == DD_OK; i++)
        check_row(check, &check->rows[i]);
}
