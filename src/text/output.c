/* output.c - a sentence as it is written: raw, with the cells that changed replaced; several trees
 * of one sentence, each a sentence of its own with two comments more */
#include "text/sentence.h"

#include "core/strings.h"
#include "text/conll.h"
#include "text/rules.h"

#include <math.h>
#include <string.h>

static bool append_text(dd_buffer *output, dd_text text)
{
    return dd_buffer_append(output, text.data, text.size);
}

static bool append_head(dd_buffer *output, int head)
{
    char digits[16], *at = digits + sizeof digits;
    if (head < 0) return dd_buffer_text(output, "_");
    do *--at = (char)('0' + head % 10);
    while (head /= 10);
    return dd_buffer_append(output, at, (size_t)(digits + sizeof digits - at));
}

/* Items of MISC that say how sure a parser was. */
enum { ITEMS = 2 };
static const struct {
    const char *name, *format;
} items[ITEMS] = {{"Score=", "%.4g"}, {"Prob=", "%.3f"}};

/* The index of the item; ITEMS: none of them. */
static int find_item(dd_text text)
{
    int i = 0;
    while (i < ITEMS && (text.size < strlen(items[i].name) ||
                         memcmp(text.data, items[i].name, strlen(items[i].name)) != 0))
        i++;
    return i;
}

/* A list of items that is being written. */
typedef struct item_list {
    dd_buffer *output;
    bool any; /* item so far */
    bool ok;
} item_list;

static void add_bar(item_list *list)
{
    list->ok = list->ok && (!list->any || dd_buffer_text(list->output, "|"));
    list->any = true;
}

static void add_item(item_list *list, int item, float value)
{
    if (isnan(value)) return;
    add_bar(list);
    list->ok = list->ok && dd_buffer_text(list->output, items[item].name) &&
               dd_buffer_real(list->output, items[item].format, (double)value);
}

/* Cuts the next item off; false if that was the last one. */
static bool next_item(dd_text *misc, dd_text *part)
{
    const char *bar = memchr(misc->data, '|', misc->size);
    size_t size = bar ? (size_t)(bar - misc->data) : misc->size;
    *part = (dd_text){misc->data, size};
    if (bar) *misc = (dd_text){bar + 1, misc->size - size - 1};
    return bar != NULL;
}

/* Appends an item. When others are removed it may become the first or last one, where a space is
 * not allowed. */
static void add_part(item_list *list, dd_text part)
{
    while (!list->any && part.size > 0 && part.data[0] == ' ') {
        part.data++;
        part.size--;
    }
    add_bar(list);
    list->ok = list->ok && append_text(list->output, part);
}

static void trim_end(dd_buffer *output, size_t start)
{
    while (output->size > start && output->data[output->size - 1] == ' ') output->size--;
}

/* Scores of an earlier parser are replaced in place. */
static bool append_misc(dd_buffer *output, dd_text misc, dd_word_score score)
{
    const float values[ITEMS] = {score.margin, score.probability};
    bool written[ITEMS] = {false}, more = !dd_rule_is_blank(misc);
    item_list list = {.output = output, .ok = true};
    size_t start = output->size;
    if (isnan(score.margin)) return append_text(output, misc);
    while (more) {
        dd_text part;
        more = next_item(&misc, &part);
        int item = find_item(part);
        if (item == ITEMS) {
            add_part(&list, part);
        } else if (!written[item]) {
            add_item(&list, item, values[item]);
            written[item] = true;
        }
    }
    for (int item = 0; item < ITEMS; item++)
        if (!written[item]) add_item(&list, item, values[item]);
    trim_end(output, start);
    return list.ok;
}

/* Copies raw from *from to the end of the word's FEATS, with the cells that were set. */
static bool append_set(dd_buffer *output, const dd_sentence *sentence, int word, const char **from)
{
    const dd_label_view *set = sentence->edits.set + (size_t)word * DD_SETTABLE;
    for (int column = DD_LEMMA; column <= DD_FEATS; column++) {
        dd_label_view view = set[column - DD_LEMMA];
        if (!view.size) continue;
        dd_text raw = dd_raw_cell(sentence, word, column);
        if (!dd_buffer_append(output, *from, (size_t)(raw.data - *from)) ||
            !dd_buffer_append(output, sentence->edits.bytes.data + view.start, view.size))
            return false;
        *from = raw.data + raw.size;
    }
    return true;
}

/* Copies raw from *from to the end of the word's MISC, with what changed. */
static bool append_word(dd_buffer *output, const dd_sentence *sentence, int word, const char **from)
{
    if (sentence->edits.any_set && !append_set(output, sentence, word, from)) return false;
    dd_text head = dd_cell(sentence, word, DD_HEAD), deps = dd_cell(sentence, word, DD_DEPS);
    dd_text misc = dd_cell(sentence, word, DD_MISC);
    const char *start = *from, *behind_head = head.data + head.size;
    dd_text deprel = dd_sentence_deprel(sentence, word);
    *from = misc.data + misc.size;
    return dd_buffer_append(output, start, (size_t)(head.data - start)) &&
           append_head(output, sentence->heads[word]) && dd_buffer_append(output, behind_head, 1) &&
           append_text(output, deprel) &&
           dd_buffer_append(output, deps.data - 1, (size_t)(misc.data - deps.data + 1)) &&
           append_misc(output, misc, sentence->edits.scores[word]);
}

/* Appends the comment that is not in raw, after raw's byte order mark. */
static bool append_lead(dd_buffer *output, const dd_sentence *sentence, const char **from)
{
    const dd_buffer *lead = &sentence->edits.lead, *raw = &sentence->origin.raw;
    size_t mark = dd_has_bom(sentence) ? DD_BOM_SIZE : 0;
    if (lead->size == 0) return true;
    if (!dd_buffer_append(output, *from, mark)) return false;
    *from += mark;
    return dd_buffer_append(output, lead->data, lead->size) &&
           dd_buffer_text(output, dd_line_end((dd_text){raw->data, raw->size}));
}

/* Appends raw with all changes. */
static bool append_tree(dd_buffer *output, const dd_sentence *sentence)
{
    const dd_buffer *raw = &sentence->origin.raw;
    const char *from = raw->data;
    if (!append_lead(output, sentence, &from)) return false;
    for (int word = 1; word <= sentence->n; word++)
        if (!append_word(output, sentence, word, &from)) return false;
    return dd_buffer_append(output, from, (size_t)(raw->data + raw->size - from));
}

bool dd_sentence_tree_text(const dd_sentence *sentence, dd_buffer *space, dd_text *out)
{
    *out = (dd_text){sentence->origin.raw.data, sentence->origin.raw.size};
    if (!sentence->edits.changed) return true;
    space->size = 0;
    if (!append_tree(space, sentence)) return false;
    *out = (dd_text){space->data, space->size};
    return true;
}

bool dd_sentence_text(const dd_sentence *sentence, dd_buffer *space, dd_text *out)
{
    if (sentence->edits.list.size == 0) return dd_sentence_tree_text(sentence, space, out);
    *out = (dd_text){sentence->edits.list.data, sentence->edits.list.size};
    return true;
}

bool dd_sentence_append_conll(const dd_sentence *sentence, dd_buffer *out)
{
    const dd_buffer *list = &sentence->edits.list, *raw = &sentence->origin.raw;
    size_t before = out->size;
    bool made = list->size > 0            ? dd_buffer_append(out, list->data, list->size)
                : sentence->edits.changed ? append_tree(out, sentence)
                                          : dd_buffer_append(out, raw->data, raw->size);
    if (!made) out->size = before;
    return made;
}

/* ---- several trees of one sentence -------------------------------------------------------- */

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

/* Moves the comments from the text to the output, without those of an earlier list. */
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
    dd_buffer *list = &sentence->edits.list;
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
