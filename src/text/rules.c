#include "text/rules.h"

#include "text/utf8.h"

#include <string.h>

int dd_rule_number(dd_text cell)
{
    if (cell.size == 0 || (cell.size > 1 && cell.data[0] == '0')) return -1;
    int64_t value = 0;
    for (size_t i = 0; i < cell.size; i++) {
        unsigned digit = (unsigned)(unsigned char)cell.data[i] - '0';
        if (digit > 9) return -1;
        value = value * 10 + digit;
        if (value > INT32_MAX) value = INT32_MAX;
    }
    return (int)value;
}

dd_id_kind dd_rule_id(dd_text cell, int *first, int *second)
{
    *first = dd_rule_number(cell);
    if (*first > 0) return DD_ID_WORD;
    size_t digits = 0;
    while (digits < cell.size && cell.data[digits] >= '0' && cell.data[digits] <= '9') digits++;
    if (digits == cell.size) return DD_ID_NONE;
    *first = dd_rule_number((dd_text){cell.data, digits});
    *second = dd_rule_number((dd_text){cell.data + digits + 1, cell.size - digits - 1});
    if (*first < 0 || *second <= 0) return DD_ID_NONE;
    if (cell.data[digits] == '-') return *first > 0 ? DD_ID_RANGE : DD_ID_NONE;
    return cell.data[digits] == '.' ? DD_ID_EMPTY : DD_ID_NONE;
}

bool dd_rule_label(dd_text label)
{
    for (size_t i = 0; i < label.size; i++)
        if ((unsigned char)label.data[i] < 0x20) return false;
    return label.size > 0 && dd_utf8_check(label) == label.size;
}

static bool is_feature(dd_text item)
{
    const char *equals = item.size ? memchr(item.data, '=', item.size) : NULL;
    return equals && equals > item.data && equals + 1 < item.data + item.size;
}

static bool is_enhanced_head(dd_text item)
{
    const char *colon = item.size ? memchr(item.data, ':', item.size) : NULL;
    if (!colon || colon + 1 == item.data + item.size) return false;
    int word, node;
    dd_text head = {item.data, (size_t)(colon - item.data)};
    return dd_rule_number(head) == 0 || dd_rule_id(head, &word, &node) == DD_ID_WORD ||
           dd_rule_id(head, &word, &node) == DD_ID_EMPTY;
}

static bool all_items(dd_text cell, bool (*holds)(dd_text), dd_text *bad)
{
    if (dd_rule_is_blank(cell)) return true;
    const char *at = cell.data, *end = cell.data + cell.size;
    for (;;) {
        const char *bar = at < end ? memchr(at, '|', (size_t)(end - at)) : NULL;
        dd_text item = {at, (size_t)((bar ? bar : end) - at)};
        if (!holds(item)) {
            *bad = item;
            return false;
        }
        if (!bar) return true;
        at = bar + 1;
    }
}

bool dd_rule_feats(dd_text cell, dd_text *bad)
{
    return all_items(cell, is_feature, bad);
}

bool dd_rule_deps(dd_text cell, dd_text *bad)
{
    return all_items(cell, is_enhanced_head, bad);
}

const char *dd_rule_cell(dd_text value, int column, dd_format format)
{
    dd_text bad;
    if (value.size == 0) return "is empty; a missing value is written _";
    if (memchr(value.data, '\t', value.size) || memchr(value.data, '\n', value.size))
        return "has a tab or newline";
    if (dd_utf8_check(value) != value.size) return "is not UTF-8 or has a NUL";
    if (format == DD_FORMAT_CONLLX) return NULL;
    if (value.data[0] == ' ') return "starts with a space";
    if (value.data[value.size - 1] == ' ') return "ends with a space";
    if (column != DD_LEMMA && memchr(value.data, ' ', value.size)) return "has a space inside";
    return column != DD_FEATS || dd_rule_feats(value, &bad) ? NULL : "is not Name=Value";
}
