/* nbest.c - several trees of one sentence, each a sentence of its own with two comments more */
#include "core/strings.h"
#include "text/block.h"
#include "text/sentence.h"

#include <string.h>

static const char *const comments[] = {"# nbest = ", "# score = "};

static bool is_dos(dd_text text)
{
    const char *newline = memchr(text.data, '\n', text.size);
    return newline && newline > text.data && newline[-1] == '\r';
}

const char *dd_line_end(dd_text text)
{
    return is_dos(text) ? "\r\n" : "\n";
}

const char *dd_missing_line_ends(dd_text text)
{
    static const char *const unix_ends[] = {"", "\n", "\n\n"};
    static const char *const dos_ends[] = {"", "\r\n", "\r\n\r\n"};
    int missing = 2;
    bool dos = is_dos(text);
    while (missing > 0 && text.size > 0 && text.data[text.size - 1] == '\n') {
        missing--;
        text.size--;
        if (text.size > 0 && text.data[text.size - 1] == '\r') text.size--;
    }
    if (text.size == 0) missing = 0; /* a mere empty line */
    return (dos ? dos_ends : unix_ends)[missing];
}

/* Cuts the first line off, its end included. */
static dd_text cut_line(dd_text *text)
{
    const char *newline = memchr(text->data, '\n', text->size);
    size_t size = newline ? (size_t)(newline - text->data) + 1 : text->size;
    dd_text line = {text->data, size};
    *text = (dd_text){text->data + size, text->size - size};
    return line;
}

/* The comments, without those that an earlier list left, cut off the text. */
static bool move_comments(dd_text *text, dd_buffer *out)
{
    while (text->size > 0 && text->data[0] == '#') {
        dd_text line = cut_line(text);
        if (dd_text_begins(line, comments[0]) || dd_text_begins(line, comments[1])) continue;
        if (!dd_buffer_append(out, line.data, line.size)) return false;
    }
    return true;
}

static bool list_text(dd_buffer *out, dd_text text, int rank, double score)
{
    const char *end = dd_line_end(text);
    return move_comments(&text, out) &&
           dd_buffer_printf(out, "%s%d%s%s", comments[0], rank, end, comments[1]) &&
           dd_buffer_real(out, "%.4f", score) && dd_buffer_text(out, end) &&
           dd_buffer_append(out, text.data, text.size);
}

dd_status dd_sentence_list_tree(dd_sentence *sentence, dd_buffer *space, int rank, double score,
                                dd_error *error)
{
    dd_text text;
    dd_buffer *list = &sentence->list;
    if (rank == 1) list->size = 0;
    if (!dd_sentence_tree_text(sentence, space, &text)) return dd_fail_memory(error);
    const char *owed = rank > 1 ? dd_missing_line_ends((dd_text){list->data, list->size}) : "";
    if (dd_has_bom(sentence)) {
        if (rank == 1 && !dd_buffer_append(list, text.data, DD_BOM_SIZE))
            return dd_fail_memory(error);
        text = (dd_text){text.data + DD_BOM_SIZE, text.size - DD_BOM_SIZE};
    }
    if (dd_buffer_text(list, owed) && list_text(list, text, rank, score)) return DD_OK;
    list->size = 0;
    return dd_fail_memory(error);
}
