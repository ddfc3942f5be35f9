#include "constrained.h"

#include "cmd.h"

#include <stdlib.h>
#include <string.h>

static const char comment[] = "# constraint = ";

const char *constraint_of(const char *given, size_t *sentence)
{
    char *end;
    *sentence = 1;
    if (*given < '0' || *given > '9') return given;
    unsigned long number = strtoul(given, &end, 10);
    if (*end != ':') return given;
    *sentence = number;
    return end + 1 + strspn(end + 1, " ");
}

bool constraint_is_line(const char *given)
{
    for (; *given; given++)
        if ((unsigned char)*given < ' ') return false;
    return true;
}

/* Of the n-th sentence. */
static void put_comments(const option_list *constraints, size_t n, output *out)
{
    for (size_t i = 0; i < constraints->count; i++) {
        size_t sentence;
        const char *rest = constraint_of(constraints->at[i], &sentence);
        if (sentence == n) output_format(out, "%s%s\n", comment, rest);
    }
}

static size_t last_sentence(const option_list *constraints)
{
    size_t last = 0;
    for (size_t i = 0; i < constraints->count; i++) {
        size_t sentence;
        constraint_of(constraints->at[i], &sentence);
        if (sentence > last) last = sentence;
    }
    return last;
}

/* Each must have had its sentence. */
static int check_sentences(const option_list *constraints, size_t sentences)
{
    for (size_t i = 0; i < constraints->count; i++) {
        size_t sentence;
        constraint_of(constraints->at[i], &sentence);
        if (sentence >= 1 && sentence <= sentences) continue;
        say("constraint '%s': there is no such sentence", constraints->at[i]);
        return STATUS_PROBLEM;
    }
    return STATUS_OK;
}

static dd_status keep_sentence(dd_reader *reader, dd_sentence *sentence, dd_buffer *text,
                               dd_error *error)
{
    text->size = 0;
    dd_status status = dd_reader_next(reader, sentence, error);
    return status == DD_OK ? dd_sentence_format(sentence, DD_FORMAT_AUTO, text, error) : status;
}

/* Bytes of the comments that the sentence has. */
static size_t size_of_comments(const dd_buffer *text)
{
    const char *at = text->data, *end = at + text->size, *line;
    while (at < end && *at == '#' && (line = memchr(at, '\n', (size_t)(end - at)))) at = line + 1;
    return (size_t)(at - text->data);
}

int constrain_input(dd_reader *reader, const option_list *constraints, output *out)
{
    dd_error error;
    dd_buffer text = {0};
    dd_sentence *sentence;
    size_t last = last_sentence(constraints), n = 0;
    output_keep(out);
    dd_status status = dd_sentence_new(&sentence, &error);
    while (status == DD_OK && n < last) {
        status = keep_sentence(reader, sentence, &text, &error);
        if (status != DD_OK) break;
        size_t comments = size_of_comments(&text);
        output_bytes(out, text.data, comments);
        put_comments(constraints, ++n, out);
        output_bytes(out, text.data + comments, text.size - comments);
    }
    dd_sentence_free(sentence);
    dd_buffer_free(&text);
    if (status != DD_OK && status != DD_END) return say_error(&error);
    return check_sentences(constraints, n);
}
