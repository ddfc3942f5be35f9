/* A sentence made of words alone, as a program hands them over. */
#include "text/reader.h"
#include "text/rules.h"
#include "text/sentence.h"

#include <stdio.h>
#include <string.h>

static dd_status check(dd_text form, size_t word, dd_error *error)
{
    /* What LEMMA may hold, FORM may: any text without tabs and line ends. */
    const char *fault = dd_rule_cell(form, DD_LEMMA, DD_FORMAT_CONLLU);
    if (!fault) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT, "the form of word %zu %s", word, fault);
}

/* Its line, and where each column starts. */
static bool add_word(dd_sentence *sentence, int word, dd_text form)
{
    dd_buffer *raw = &sentence->raw;
    uint32_t cells[DD_COLUMNS + 1];
    cells[DD_ID] = (uint32_t)raw->size;
    if (!dd_buffer_printf(raw, "%d\t", word)) return false;
    cells[DD_FORM] = (uint32_t)raw->size;
    if (!dd_buffer_append(raw, form.data, form.size)) return false;
    for (int column = DD_LEMMA; column <= DD_COLUMNS; column++)
        cells[column] = (uint32_t)raw->size + 1 + 2 * (uint32_t)(column - DD_LEMMA);
    return dd_buffer_text(raw, "\t_\t_\t_\t_\t_\t_\t_\t_\n") &&
           dd_sentence_add_word(sentence, cells, (uint32_t)word - 1, DD_HEAD_UNKNOWN);
}

static dd_status add_words(dd_sentence *sentence, const dd_text *forms, size_t count,
                           dd_error *error)
{
    if (count == 0) return dd_fail(error, DD_ERROR_ARGUMENT, "a sentence has at least one word");
    for (size_t i = 0; i < count; i++) {
        dd_status status = check(forms[i], i + 1, error);
        if (status != DD_OK) return status;
        if (sentence->raw.size + forms[i].size > DD_MAX_SENTENCE_BYTES)
            return dd_fail(error, DD_ERROR_ARGUMENT, "the sentence is larger than %zu MiB",
                           (size_t)DD_MAX_SENTENCE_BYTES >> 20);
        if (!add_word(sentence, (int)i + 1, forms[i])) return dd_fail_memory(error);
    }
    return dd_buffer_text(&sentence->raw, "\n") ? DD_OK : dd_fail_memory(error);
}

dd_status dd_sentence_set_words(dd_sentence *sentence, const dd_text *forms, size_t count,
                                dd_error *error)
{
    dd_sentence_clear(sentence);
    sentence->line = 1;
    sentence->format = DD_FORMAT_CONLLU;
    snprintf(sentence->position_text, sizeof sentence->position_text, "1");
    dd_status status = add_words(sentence, forms, count, error);
    if (status != DD_OK) dd_sentence_clear(sentence);
    return status;
}
