/* A sentence's constraints, kept as the texts that comments have: "arc 3 nsubj 2". */
#include "core/memory.h"
#include "text/rules.h"
#include "text/sentence.h"

#include <stdio.h>
#include <string.h>

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

static dd_status add(dd_sentence *sentence, dd_text text, dd_error *error)
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
    status = made ? add(sentence, (dd_text){text.data, text.size}, error) : dd_fail_memory(error);
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
    return add(sentence, (dd_text){text, (size_t)size}, error);
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
    return add(sentence, (dd_text){text, (size_t)size}, error);
}

dd_status dd_sentence_require_leaf(dd_sentence *sentence, int word, dd_error *error)
{
    dd_status status = check_word(sentence, word, 1, error);
    if (status != DD_OK) return status;
    char text[24];
    int size = snprintf(text, sizeof text, "leaf %d", word);
    return add(sentence, (dd_text){text, (size_t)size}, error);
}
