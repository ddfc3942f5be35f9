#include "plan/renumber.h"

#include "core/strings.h"

static const char comment[] = "# sent_id = ";

/* The number of an id that the text begins with; 0: there is none, as they begin with 1. */
static uint64_t read_number(const dd_renumber *ids, dd_text *rest)
{
    size_t prefix = ids->prefix.size;
    uint64_t number = 0;
    if (prefix > 0) {
        dd_text start = {rest->data, rest->size < prefix ? rest->size : prefix};
        if (!dd_text_same(start, ids->prefix) || rest->size == prefix || rest->data[prefix] != '-')
            return 0;
        *rest = dd_text_skip(*rest, prefix + 1);
    }
    while (rest->size > 0 && rest->data[0] >= '0' && rest->data[0] <= '9' &&
           number < UINT64_MAX / 100) {
        number = number * 10 + (uint64_t)(rest->data[0] - '0');
        *rest = dd_text_skip(*rest, 1);
    }
    return number;
}

/* Where the mark is in the text; NULL: nowhere. */
static const char *find_mark(dd_text text, const char *mark)
{
    size_t size = strlen(mark);
    const char *at = text.data;
    for (size_t left = text.size; left >= size; left = text.size - (size_t)(at - text.data)) {
        at = memchr(at, mark[0], left - size + 1);
        if (!at || memcmp(at, mark, size) == 0) return at;
        at++;
    }
    return NULL;
}

/* Copies what stands before the mark and the mark, and the id behind it as it is to be; false only
 * if allocation fails. Where there is no such mark nothing is copied. */
static bool pass_id(dd_renumber *ids, dd_text *line, const char *mark)
{
    const char *found = find_mark(*line, mark);
    if (!found) return true;
    size_t before = (size_t)(found - line->data) + strlen(mark);
    dd_text rest = dd_text_skip(*line, before);
    uint64_t number = read_number(ids, &rest);
    if (number == 0) return true;
    if (!dd_buffer_append(&ids->out, line->data, before)) return false;
    *line = rest;
    return dd_buffer_printf(&ids->out, "%.*s%s%llu", (int)ids->prefix.size,
                            ids->prefix.size > 0 ? ids->prefix.data : "",
                            ids->prefix.size > 0 ? "-" : "",
                            (unsigned long long)(number + ids->before));
}

/* The comment is the first of the list, or stands behind others, which are "# newdoc.." and
 * "# newpar". */
static bool pass_json(dd_renumber *ids, dd_text *line)
{
    static const char list[] = "\"comments\":[";
    if (!pass_id(ids, line, "{\"sent_id\":\"")) return false;
    const char *found = find_mark(*line, list);
    if (!found) return true;
    size_t before = (size_t)(found - line->data) + strlen(list);
    bool first = dd_text_begins(dd_text_skip(*line, before), "\"# sent_id = ");
    return pass_id(ids, line, first ? "[\"# sent_id = " : ",\"# sent_id = ");
}

static bool pass_line(dd_renumber *ids, dd_text line)
{
    if (ids->json && !pass_json(ids, &line)) return false;
    if (!ids->json && dd_text_begins(line, comment) && !pass_id(ids, &line, comment)) return false;
    return line.size == 0 || dd_buffer_append(&ids->out, line.data, line.size);
}

/* With its line end. */
static dd_text take_line(dd_text *chunk, const char *newline)
{
    dd_text line = {chunk->data, (size_t)(newline - chunk->data) + 1};
    *chunk = dd_text_skip(*chunk, line.size);
    return line;
}

bool dd_renumber_add(dd_renumber *ids, dd_text chunk)
{
    const char *newline;
    while (chunk.size > 0 && (newline = memchr(chunk.data, '\n', chunk.size))) {
        dd_text line = take_line(&chunk, newline);
        if (ids->line.size > 0) {
            if (!dd_buffer_append(&ids->line, line.data, line.size)) return false;
            line = (dd_text){ids->line.data, ids->line.size};
        }
        if (!pass_line(ids, line)) return false;
        ids->line.size = 0;
    }
    return chunk.size == 0 || dd_buffer_append(&ids->line, chunk.data, chunk.size);
}

bool dd_renumber_end(dd_renumber *ids)
{
    bool passed = ids->line.size == 0 || pass_line(ids, (dd_text){ids->line.data, ids->line.size});
    ids->line.size = 0;
    return passed;
}

void dd_renumber_free(dd_renumber *ids)
{
    dd_buffer_free(&ids->line);
    dd_buffer_free(&ids->out);
}
