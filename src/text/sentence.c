#include "text/sentence.h"

#include "core/memory.h"
#include "text/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

dd_status dd_sentence_new(dd_sentence **out, dd_error *error)
{
    dd_sentence *sentence = dd_calloc(1, sizeof *sentence);
    if (!sentence) return dd_fail_memory(error);
    *out = sentence;
    return DD_OK;
}

void dd_sentence_free(dd_sentence *sentence)
{
    if (!sentence) return;
    dd_buffer_free(&sentence->origin.raw);
    dd_buffer_free(&sentence->edits.bytes);
    dd_buffer_free(&sentence->edits.lead);
    dd_buffer_free(&sentence->document.members);
    dd_buffer_free(&sentence->edits.list);
    dd_buffer_free(&sentence->constraints.bytes);
    dd_buffer_free(&sentence->constraints.file);
    free(sentence->constraints.items);
    free(sentence->origin.cells);
    free(sentence->origin.lines);
    free(sentence->gold);
    free(sentence->heads);
    free(sentence->edits.deprels);
    free(sentence->edits.scores);
    free(sentence->edits.set);
    free(sentence);
}

void dd_sentence_clear(dd_sentence *sentence)
{
    sentence->origin.raw.size = sentence->edits.bytes.size = sentence->edits.list.size = 0;
    sentence->origin.line = 0;
    sentence->n = sentence->origin.ranges = sentence->origin.empty = 0;
    sentence->origin.id_start = sentence->origin.id_size = 0;
    sentence->origin.position_text[0] = '\0';
    sentence->origin.format = DD_FORMAT_AUTO;
    sentence->edits.any_set = sentence->edits.changed = false;
    sentence->edits.lead.size = 0;
    sentence->document.begins = sentence->document.ends = false;
    sentence->document.members.size = 0;
    dd_sentence_clear_constraints(sentence);
}

void dd_sentence_set_position(dd_sentence *sentence, uint64_t position)
{
    char *at = sentence->origin.position_text + sizeof sentence->origin.position_text;
    char *start = sentence->origin.position_text;
    *--at = '\0';
    do *--at = (char)('0' + position % 10);
    while ((position /= 10) > 0);
    memmove(start, at, (size_t)(start + sizeof sentence->origin.position_text - at));
}

size_t dd_sentence_room(const dd_sentence *sentence)
{
    size_t raw = sentence->origin.raw.capacity, list = sentence->edits.list.capacity;
    size_t most = raw > list ? raw : list, members = sentence->document.members.capacity;
    return most > members ? most : members;
}

/* Room for n words; arrays keep what they held. False if allocation fails. */
static bool reserve_words(dd_sentence *sentence, int n)
{
    size_t need = (size_t)n + 1;
    return DD_RESERVE(&sentence->origin.cells, &sentence->origin.cells_capacity,
                      need * (DD_COLUMNS + 1)) &&
           DD_RESERVE(&sentence->origin.lines, &sentence->origin.lines_capacity, need) &&
           DD_RESERVE(&sentence->gold, &sentence->gold_capacity, need) &&
           DD_RESERVE(&sentence->heads, &sentence->heads_capacity, need) &&
           DD_RESERVE(&sentence->edits.deprels, &sentence->edits.deprels_capacity, need) &&
           DD_RESERVE(&sentence->edits.scores, &sentence->edits.scores_capacity, need);
}

static void set_word(dd_sentence *sentence, int word, const uint32_t *cells, uint32_t line,
                     int head)
{
    size_t width = DD_COLUMNS + 1;
    memcpy(sentence->origin.cells + (size_t)word * width, cells, width * sizeof *cells);
    sentence->origin.lines[word] = line;
    sentence->gold[word] = sentence->heads[word] = head;
    sentence->edits.deprels[word] = (dd_label_view){0, 0};
    sentence->edits.scores[word] = (dd_word_score){NAN, NAN};
}

bool dd_sentence_add_word(dd_sentence *sentence, const uint32_t *cells, uint32_t line, int head)
{
    static const uint32_t none[DD_COLUMNS + 1];
    int word = sentence->n + 1;
    if (!reserve_words(sentence, word)) return false;
    /* Word 0 is unused, but copies of whole arrays must not touch undefined values. */
    if (word == 1) set_word(sentence, 0, none, 0, DD_HEAD_UNKNOWN);
    set_word(sentence, word, cells, line, head);
    sentence->n = word;
    sentence->edits.any_set = false;
    return true;
}

static bool has_word(const dd_sentence *sentence, int word)
{
    return word >= 1 && word <= sentence->n;
}

int dd_sentence_size(const dd_sentence *sentence)
{
    return sentence->n;
}

uint64_t dd_sentence_line(const dd_sentence *sentence)
{
    return sentence->origin.line;
}

dd_text dd_sentence_id(const dd_sentence *sentence)
{
    if (sentence->origin.id_size)
        return (dd_text){sentence->origin.raw.data + sentence->origin.id_start,
                         sentence->origin.id_size};
    return (dd_text){sentence->origin.position_text, strlen(sentence->origin.position_text)};
}

dd_text dd_sentence_cell(const dd_sentence *sentence, int word, dd_column column)
{
    if (!has_word(sentence, word) || (int)column < 0 || column >= DD_COLUMNS)
        return (dd_text){"", 0};
    return dd_cell(sentence, word, (int)column);
}

int dd_sentence_head(const dd_sentence *sentence, int word)
{
    return has_word(sentence, word) ? sentence->heads[word] : DD_HEAD_UNKNOWN;
}

const int32_t *dd_sentence_heads(const dd_sentence *sentence)
{
    static const int32_t none[] = {DD_HEAD_UNKNOWN};
    return sentence->n > 0 ? sentence->heads : none;
}

dd_text dd_sentence_deprel(const dd_sentence *sentence, int word)
{
    if (!has_word(sentence, word)) return (dd_text){"", 0};
    dd_label_view label = sentence->edits.deprels[word];
    if (label.size == 0) return dd_cell(sentence, word, DD_DEPREL);
    return (dd_text){sentence->edits.bytes.data + label.start, label.size};
}

/* A sentence may be parsed repeatedly, so a label replaces the word's last one if it fits. The text
 * may itself be a view of these bytes, which move when they grow. */
static bool copy_label(dd_sentence *sentence, dd_label_view *label, dd_text text)
{
    dd_buffer *bytes = &sentence->edits.bytes;
    if (text.size > label->size) {
        size_t inside = (uintptr_t)text.data - (uintptr_t)bytes->data;
        bool is_view = bytes->data && inside < bytes->size;
        if (text.size > UINT32_MAX - bytes->size || !dd_buffer_reserve(bytes, text.size))
            return false;
        if (is_view) text.data = bytes->data + inside;
        label->start = (uint32_t)bytes->size;
        bytes->size += text.size;
    }
    memmove(bytes->data + label->start, text.data, text.size);
    label->size = (uint32_t)text.size;
    return true;
}

/* Most sentences are only parsed, so the views are allocated when first needed. */
static bool begin_setting(dd_sentence *sentence)
{
    if (sentence->edits.any_set) return true;
    size_t need = ((size_t)sentence->n + 1) * DD_SETTABLE;
    if (!DD_RESERVE(&sentence->edits.set, &sentence->edits.set_capacity, need)) return false;
    memset(sentence->edits.set, 0, need * sizeof *sentence->edits.set);
    sentence->edits.any_set = true;
    return true;
}

bool dd_sentence_put_cell(dd_sentence *sentence, int word, int column, dd_text value)
{
    if (!begin_setting(sentence)) return false;
    size_t at = (size_t)word * DD_SETTABLE + (size_t)(column - DD_LEMMA);
    if (!copy_label(sentence, &sentence->edits.set[at], value)) return false;
    sentence->edits.changed = true;
    return true;
}

dd_status dd_sentence_set_cell(dd_sentence *sentence, int word, dd_column column, dd_text value,
                               dd_error *error)
{
    if (!has_word(sentence, word))
        return dd_fail(error, DD_ERROR_ARGUMENT, "no word %d in a sentence of %d", word,
                       sentence->n);
    if ((int)column < DD_LEMMA || column > DD_FEATS)
        return dd_fail(error, DD_ERROR_ARGUMENT, "only LEMMA, UPOS, XPOS and FEATS can be set");
    const char *fault = dd_rule_cell(value, (int)column, sentence->origin.format);
    if (fault) return dd_fail(error, DD_ERROR_ARGUMENT, "a value to set %s", fault);
    return dd_sentence_put_cell(sentence, word, (int)column, value) ? DD_OK : dd_fail_memory(error);
}

dd_status dd_sentence_attach(dd_sentence *sentence, int word, int head, dd_text deprel,
                             dd_error *error)
{
    if (!has_word(sentence, word))
        return dd_fail(error, DD_ERROR_ARGUMENT, "no word %d in a sentence of %d", word,
                       sentence->n);
    if (head < 0 || head > sentence->n)
        return dd_fail(error, DD_ERROR_ARGUMENT, "no head %d in a sentence of %d words", head,
                       sentence->n);
    if (!dd_rule_label(deprel))
        return dd_fail(error, DD_ERROR_ARGUMENT,
                       "a label is empty, not UTF-8 or has control characters");
    if (!copy_label(sentence, &sentence->edits.deprels[word], deprel)) return dd_fail_memory(error);
    sentence->heads[word] = head;
    sentence->edits.changed = true;
    return DD_OK;
}

void dd_sentence_set_score(dd_sentence *sentence, int word, dd_word_score score)
{
    sentence->edits.scores[word] = score;
    sentence->edits.changed = true;
}

dd_sentence dd_sentence_part(const dd_sentence *sentence, int first, int last)
{
    dd_sentence part = *sentence;
    size_t before = (size_t)first - 1; /* word numbers start at 1 in both */
    part.n = last - first + 1;
    part.gold += before;
    part.heads += before;
    part.origin.ranges = part.origin.empty = part.constraints.count = 0;
    part.origin.cells += before * (DD_COLUMNS + 1);
    part.origin.lines += before;
    part.edits.deprels += before;
    part.edits.scores += before;
    if (part.edits.any_set) part.edits.set += before * DD_SETTABLE;
    return part;
}

uint32_t dd_sentence_columns(const dd_sentence *sentence, uint32_t columns)
{
    uint32_t found = 0;
    for (int column = 0; column < DD_COLUMNS; column++) {
        if (!(columns >> column & 1)) continue;
        int word = 1;
        while (word <= sentence->n && dd_is_missing(dd_cell(sentence, word, column))) word++;
        if (word <= sentence->n) found |= UINT32_C(1) << column;
    }
    return found;
}

/* ---- constraints, kept as the texts that comments have: "arc 3 nsubj 2" ------------------- */

bool dd_sentence_add_constraint(dd_sentence *sentence, dd_text text, uint32_t line)
{
    dd_buffer *bytes = &sentence->constraints.bytes;
    size_t count = (size_t)sentence->constraints.count;
    if (text.size > UINT32_MAX - bytes->size || count >= INT32_MAX) return false;
    if (!DD_RESERVE(&sentence->constraints.items, &sentence->constraints.capacity, count + 1))
        return false;
    dd_constraint_text entry = {(uint32_t)bytes->size, (uint32_t)text.size, line};
    if (!dd_buffer_append(bytes, text.data, text.size)) return false;
    sentence->constraints.items[sentence->constraints.count++] = entry;
    return true;
}

void dd_sentence_clear_constraints(dd_sentence *sentence)
{
    sentence->constraints.count = 0;
    sentence->constraints.bytes.size = sentence->constraints.file.size = 0;
}

bool dd_sentence_constraint(const dd_sentence *sentence, size_t index, dd_text *out)
{
    if (index >= (size_t)sentence->constraints.count) return false;
    dd_constraint_text entry = sentence->constraints.items[index];
    *out = (dd_text){"", 0};
    if (entry.size) *out = (dd_text){sentence->constraints.bytes.data + entry.start, entry.size};
    return true;
}

static dd_status add_constraint(dd_sentence *sentence, dd_text text, dd_error *error)
{
    return dd_sentence_add_constraint(sentence, text, 0) ? DD_OK : dd_fail_memory(error);
}

static dd_status check_word(const dd_sentence *sentence, int word, int least, dd_error *error)
{
    if (word >= least && word <= sentence->n) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT, "no word %d in a sentence of %d", word, sentence->n);
}

dd_status dd_sentence_require_arc(dd_sentence *sentence, int head, dd_text deprel, int dependent,
                                  dd_error *error)
{
    dd_status status = check_word(sentence, head, 0, error);
    if (status == DD_OK) status = check_word(sentence, dependent, 1, error);
    if (status != DD_OK) return status;
    if (deprel.size > 0 && !dd_rule_label(deprel))
        return dd_fail(error, DD_ERROR_ARGUMENT, "a label is not UTF-8 or has control characters");
    if (deprel.size == 0) deprel = (dd_text){"_", 1};
    dd_buffer text = {0};
    bool made = dd_buffer_printf(&text, "arc %d ", head) &&
                dd_buffer_append(&text, deprel.data, deprel.size) &&
                dd_buffer_printf(&text, " %d", dependent);
    status = made ? add_constraint(sentence, (dd_text){text.data, text.size}, error)
                  : dd_fail_memory(error);
    dd_buffer_free(&text);
    return status;
}

dd_status dd_sentence_forbid_arc(dd_sentence *sentence, int head, int dependent, dd_error *error)
{
    dd_status status = check_word(sentence, head, 0, error);
    if (status == DD_OK) status = check_word(sentence, dependent, 1, error);
    if (status != DD_OK) return status;
    char text[40];
    int size = snprintf(text, sizeof text, "not-arc %d %d", head, dependent);
    return add_constraint(sentence, (dd_text){text, (size_t)size}, error);
}

dd_status dd_sentence_require_span(dd_sentence *sentence, int first, int last, dd_span_mode mode,
                                   dd_error *error)
{
    static const char *const names[] = {
        [DD_SPAN_ANY] = "any", [DD_SPAN_ROOT] = "root", [DD_SPAN_NONE] = "none"};
    dd_status status = check_word(sentence, first, 1, error);
    if (status == DD_OK) status = check_word(sentence, last, 1, error);
    if (status != DD_OK) return status;
    if (first > last || (int)mode < DD_SPAN_ANY || mode > DD_SPAN_NONE)
        return dd_fail(error, DD_ERROR_ARGUMENT, "%s",
                       first > last ? "the span's last word lies before its first"
                                    : "no such span mode");
    char text[48];
    int size = snprintf(text, sizeof text, "span %d %d %s", first, last, names[mode]);
    return add_constraint(sentence, (dd_text){text, (size_t)size}, error);
}

dd_status dd_sentence_require_leaf(dd_sentence *sentence, int word, dd_error *error)
{
    dd_status status = check_word(sentence, word, 1, error);
    if (status != DD_OK) return status;
    char text[24];
    int size = snprintf(text, sizeof text, "leaf %d", word);
    return add_constraint(sentence, (dd_text){text, (size_t)size}, error);
}
