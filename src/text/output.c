/* A sentence as it is written: raw, with the cells that changed replaced. */
#include "text/sentence.h"

#include "text/block.h"
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

static bool append_score(dd_buffer *output, float score)
{
    return dd_buffer_text(output, "Score=") && dd_buffer_real(output, "%.4g", (double)score);
}

/* The first item of MISC that starts with `Score=`, or nothing at its end. */
static dd_text find_score(dd_text misc)
{
    const char *at = misc.data, *end = misc.data + misc.size;
    while (at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        if (!bar) bar = end;
        if (bar - at >= 6 && memcmp(at, "Score=", 6) == 0) return (dd_text){at, (size_t)(bar - at)};
        at = bar + 1;
    }
    return (dd_text){end, 0};
}

static bool append_misc(dd_buffer *output, dd_text misc, float score)
{
    if (isnan(score)) return append_text(output, misc);
    if (dd_rule_is_blank(misc)) return append_score(output, score);
    dd_text old = find_score(misc);
    const char *behind = old.data + old.size;
    return dd_buffer_append(output, misc.data, (size_t)(old.data - misc.data)) &&
           (old.size || dd_buffer_text(output, "|")) && append_score(output, score) &&
           dd_buffer_append(output, behind, (size_t)(misc.data + misc.size - behind));
}

/* Copies raw from *from to the end of the word's FEATS, with the cells that were set. */
static bool append_set(dd_buffer *output, const dd_sentence *sentence, int word, const char **from)
{
    const dd_label_view *set = sentence->set + (size_t)word * DD_SETTABLE;
    for (int column = DD_LEMMA; column <= DD_FEATS; column++) {
        dd_label_view view = set[column - DD_LEMMA];
        if (!view.size) continue;
        dd_text raw = dd_raw_cell(sentence, word, column);
        if (!dd_buffer_append(output, *from, (size_t)(raw.data - *from)) ||
            !dd_buffer_append(output, sentence->labels.data + view.start, view.size))
            return false;
        *from = raw.data + raw.size;
    }
    return true;
}

/* Copies raw from *from to the end of the word's MISC, with what changed. */
static bool append_word(dd_buffer *output, const dd_sentence *sentence, int word, const char **from)
{
    if (sentence->any_set && !append_set(output, sentence, word, from)) return false;
    dd_text head = dd_cell(sentence, word, DD_HEAD), deps = dd_cell(sentence, word, DD_DEPS);
    dd_text misc = dd_cell(sentence, word, DD_MISC);
    const char *start = *from, *behind_head = head.data + head.size;
    dd_text deprel = dd_sentence_deprel(sentence, word);
    *from = misc.data + misc.size;
    return dd_buffer_append(output, start, (size_t)(head.data - start)) &&
           append_head(output, sentence->heads[word]) && dd_buffer_append(output, behind_head, 1) &&
           append_text(output, deprel) &&
           dd_buffer_append(output, deps.data - 1, (size_t)(misc.data - deps.data + 1)) &&
           append_misc(output, misc, sentence->scores[word]);
}

/* The comment that is not in raw, behind a byte order mark, which it takes from raw. */
static bool append_lead(dd_buffer *output, const dd_sentence *sentence, const char **from)
{
    const dd_buffer *lead = &sentence->lead, *raw = &sentence->raw;
    size_t mark = dd_has_bom(sentence) ? DD_BOM_SIZE : 0;
    if (lead->size == 0) return true;
    if (!dd_buffer_append(output, *from, mark)) return false;
    *from += mark;
    return dd_buffer_append(output, lead->data, lead->size) &&
           dd_buffer_text(output, dd_line_end((dd_text){raw->data, raw->size}));
}

/* Appends raw with what changed. */
static bool append_tree(dd_buffer *output, const dd_sentence *sentence)
{
    const dd_buffer *raw = &sentence->raw;
    const char *from = raw->data;
    if (!append_lead(output, sentence, &from)) return false;
    for (int word = 1; word <= sentence->n; word++)
        if (!append_word(output, sentence, word, &from)) return false;
    return dd_buffer_append(output, from, (size_t)(raw->data + raw->size - from));
}

bool dd_sentence_tree_text(const dd_sentence *sentence, dd_buffer *space, dd_text *out)
{
    *out = (dd_text){sentence->raw.data, sentence->raw.size};
    if (!sentence->changed) return true;
    space->size = 0;
    if (!append_tree(space, sentence)) return false;
    *out = (dd_text){space->data, space->size};
    return true;
}

bool dd_sentence_text(const dd_sentence *sentence, dd_buffer *space, dd_text *out)
{
    if (sentence->list.size == 0) return dd_sentence_tree_text(sentence, space, out);
    *out = (dd_text){sentence->list.data, sentence->list.size};
    return true;
}

dd_status dd_sentence_format(const dd_sentence *sentence, dd_buffer *out, dd_error *error)
{
    const dd_buffer *list = &sentence->list, *raw = &sentence->raw;
    size_t before = out->size;
    bool made = list->size > 0      ? dd_buffer_append(out, list->data, list->size)
                : sentence->changed ? append_tree(out, sentence)
                                    : dd_buffer_append(out, raw->data, raw->size);
    if (made) return DD_OK;
    out->size = before;
    return dd_fail_memory(error);
}
