/* build.c - sentences that are put together instead of read: their lines and words at once */
#include "text/reader.h"
#include "text/rules.h"
#include "text/sentence.h"

#include <string.h>

void dd_build_start(dd_builder *builder, dd_sentence *sentence, uint64_t line, uint64_t position)
{
    *builder = (dd_builder){.sentence = sentence};
    sentence->origin.line = line;
    sentence->origin.format = DD_FORMAT_CONLLU;
    dd_sentence_set_position(sentence, position);
}

void dd_build_number(dd_builder *builder, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    dd_build_bytes(builder, digits + at, sizeof digits - at);
}

void dd_build_text(dd_builder *builder, const char *text)
{
    dd_build_bytes(builder, text, strlen(text));
}

void dd_build_end_line(dd_builder *builder)
{
    dd_build_bytes(builder, "\n", 1);
    builder->line++;
}

void dd_build_sent_id(dd_builder *builder, dd_text prefix, uint64_t number)
{
    dd_sentence *sentence = builder->sentence;
    dd_build_text(builder, "# sent_id = ");
    size_t start = sentence->origin.raw.size;
    if (prefix.size > 0) {
        dd_build_bytes(builder, prefix.data, prefix.size);
        dd_build_bytes(builder, "-", 1);
    }
    dd_build_number(builder, number);
    if (builder->failed) return;
    while (sentence->origin.raw.data[start] == ' ')
        start++; /* which readers take for white space */
    sentence->origin.id_start = (uint32_t)start;
    sentence->origin.id_size = (uint32_t)(sentence->origin.raw.size - start);
    dd_build_end_line(builder);
}

/* ---- rows --------------------------------------------------------------------------------- */

void dd_build_row(dd_builder *builder, int first, int last)
{
    const dd_buffer *raw = &builder->sentence->origin.raw;
    builder->is_range = last > first;
    builder->cells[DD_ID] = (uint32_t)raw->size;
    dd_build_number(builder, (uint64_t)first);
    if (builder->is_range) {
        dd_build_bytes(builder, "-", 1);
        dd_build_number(builder, (uint64_t)last);
    }
    dd_build_bytes(builder, "\t", 1);
    builder->cells[DD_FORM] = (uint32_t)raw->size;
}

void dd_build_blanks(dd_builder *builder)
{
    static const char blanks[] = "\t_\t_\t_\t_\t_\t_\t_\t";
    uint32_t start = (uint32_t)builder->sentence->origin.raw.size + 1;
    for (int column = DD_LEMMA; column <= DD_MISC; column++)
        builder->cells[column] = start + 2 * (uint32_t)(column - DD_LEMMA);
    dd_build_bytes(builder, blanks, sizeof blanks - 1);
}

void dd_build_end_row(dd_builder *builder)
{
    dd_sentence *sentence = builder->sentence;
    builder->cells[DD_COLUMNS] = (uint32_t)sentence->origin.raw.size + 1;
    if (builder->is_range)
        sentence->origin.ranges++;
    else if (!builder->failed)
        builder->failed =
            !dd_sentence_add_word(sentence, builder->cells, builder->line, DD_HEAD_UNKNOWN);
    dd_build_end_line(builder);
}

/* ---- words alone, as a program hands them over -------------------------------------------- */

static dd_status check_form(dd_text form, size_t word, dd_error *error)
{
    /* What LEMMA may hold, FORM may: any text without tabs and line ends. */
    const char *fault = dd_rule_cell(form, DD_LEMMA, DD_FORMAT_CONLLU);
    if (!fault) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT, "the form of word %zu %s", word, fault);
}

static dd_status add_words(dd_builder *builder, const dd_text *forms, size_t count, dd_error *error)
{
    if (count == 0) return dd_fail(error, DD_ERROR_ARGUMENT, "a sentence has at least one word");
    for (size_t i = 0; i < count; i++) {
        dd_status status = check_form(forms[i], i + 1, error);
        if (status != DD_OK) return status;
        if (builder->sentence->origin.raw.size + forms[i].size > DD_MAX_SENTENCE_BYTES)
            return dd_fail(error, DD_ERROR_ARGUMENT, "the sentence is larger than %zu MiB",
                           (size_t)DD_MAX_SENTENCE_BYTES >> 20);
        dd_build_row(builder, (int)i + 1, (int)i + 1);
        dd_build_bytes(builder, forms[i].data, forms[i].size);
        dd_build_blanks(builder);
        dd_build_bytes(builder, "_", 1);
        dd_build_end_row(builder);
        if (builder->failed) return dd_fail_memory(error);
    }
    dd_build_end_line(builder);
    return builder->failed ? dd_fail_memory(error) : DD_OK;
}

dd_status dd_sentence_set_words(dd_sentence *sentence, const dd_text *forms, size_t count,
                                dd_error *error)
{
    dd_builder builder;
    dd_sentence_clear(sentence);
    dd_build_start(&builder, sentence, 1, 1);
    dd_status status = add_words(&builder, forms, count, error);
    if (status != DD_OK) dd_sentence_clear(sentence);
    return status;
}
