#include "segment/layout.h"

#include "core/memory.h"
#include "text/rules.h"

#include <stdlib.h>
#include <string.h>

void dd_text_layout_free(dd_text_layout *layout)
{
    free(layout->tokens);
    *layout = (dd_text_layout){0};
}

static bool begins(dd_text text, const char *word)
{
    size_t size = strlen(word);
    return text.size >= size && memcmp(text.data, word, size) == 0;
}

static dd_text skip(dd_text text, size_t size)
{
    return (dd_text){text.data + size, text.size - size};
}

static dd_text skip_spaces(dd_text text)
{
    while (text.size && text.data[0] == ' ') text = skip(text, 1);
    return text;
}

static void read_comment(dd_text_layout *layout, dd_text line)
{
    dd_text comment = skip_spaces(skip(line, 1));
    if (begins(comment, "newpar") || begins(comment, "newdoc")) layout->paragraph = true;
    if (!begins(comment, "text")) return;
    dd_text rest = skip_spaces(skip(comment, 4));
    if (begins(rest, "=")) layout->text = skip_spaces(skip(rest, 1));
}

static dd_text column(dd_text line, int wanted)
{
    for (; wanted > 0; wanted--) {
        const char *tab = memchr(line.data, '\t', line.size);
        if (!tab) return (dd_text){"", 0};
        line = skip(line, (size_t)(tab - line.data) + 1);
    }
    const char *tab = memchr(line.data, '\t', line.size);
    return tab ? (dd_text){line.data, (size_t)(tab - line.data)} : line;
}

/* Whether one of the items parted by bars is just this one. */
static bool has_item(dd_text misc, const char *item)
{
    size_t size = strlen(item);
    while (misc.size >= size) {
        const char *bar = memchr(misc.data, '|', misc.size);
        size_t length = bar ? (size_t)(bar - misc.data) : misc.size;
        if (length == size && memcmp(misc.data, item, size) == 0) return true;
        if (!bar) break;
        misc = skip(misc, length + 1);
    }
    return false;
}

static bool read_token(dd_text_layout *layout, dd_text line, int *covered)
{
    int first, second;
    dd_id_kind kind = dd_rule_id(column(line, DD_ID), &first, &second);
    if (kind != DD_ID_WORD && kind != DD_ID_RANGE) return true;
    if (kind == DD_ID_WORD && first <= *covered) return true;
    if (!DD_RESERVE(&layout->tokens, &layout->capacity, (size_t)layout->count + 1)) return false;
    *covered = kind == DD_ID_RANGE ? second : first;
    layout->tokens[layout->count++] = (dd_text_layout_token){
        .form = column(line, DD_FORM),
        .first = first,
        .last = *covered,
        .space_after = !has_item(column(line, DD_MISC), "SpaceAfter=No"),
    };
    return true;
}

bool dd_text_layout_set(dd_text_layout *layout, const dd_sentence *sentence)
{
    const char *at = sentence->raw.data, *end = at + sentence->raw.size;
    int covered = 0;
    layout->count = 0;
    layout->paragraph = false;
    layout->text = (dd_text){NULL, 0};
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        dd_text line = {at, (size_t)(stop - at)};
        at = newline ? newline + 1 : end;
        if (line.size && line.data[line.size - 1] == '\r') line.size--;
        if (line.size == 0) continue;
        if (line.data[0] == '#')
            read_comment(layout, line);
        else if (!read_token(layout, line, &covered))
            return false;
    }
    return true;
}
