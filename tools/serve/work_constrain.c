/* work_constrain.c - constraints that stand beside the text: "arc 3 nsubj 2" or "2: arc 3 nsubj 2",
 * of the second sentence. They become comments of the sentence, so that the library reads them, the
 * answer shows them, and what was answered can be sent again. */
#include "serve/work.h"

#include <stdlib.h>
#include <string.h>

/* Of which sentence it is; *rest is what follows the number. */
static size_t sentence_of(const char *constraint, const char **rest)
{
    char *end;
    *rest = constraint;
    if (*constraint < '0' || *constraint > '9') return 1;
    unsigned long number = strtoul(constraint, &end, 10);
    if (*end != ':') return 1;
    *rest = end + 1 + strspn(end + 1, " ");
    return number;
}

static bool is_constraint(const field *one)
{
    return strcmp(one->name, "constraint") == 0 || strcmp(one->name, "constraints") == 0;
}

static bool append(dd_buffer *text, const char *bytes, size_t size)
{
    if (text->capacity - text->size < size) {
        size_t capacity = 2 * text->capacity + size;
        char *data = realloc(text->data, capacity);
        if (!data) return false;
        text->data = data;
        text->capacity = capacity;
    }
    memcpy(text->data + text->size, bytes, size);
    text->size += size;
    return true;
}

/* As comments; control characters would end the line. */
static bool append_constraints(job *one, size_t n, dd_buffer *text)
{
    static const char before[] = "# constraint = ";
    for (size_t i = 0; i < one->asked.count; i++) {
        const char *rest;
        const field *asked = &one->asked.at[i];
        if (!is_constraint(asked) || sentence_of(asked->value, &rest) != n) continue;
        for (const char *at = rest; at < asked->value + asked->size; at++)
            if ((unsigned char)*at < ' ')
                return refuse(&one->why, 400, "%s: it has a control character", asked->name);
        if (!append(text, before, sizeof before - 1) || !append(text, rest, strlen(rest)) ||
            !append(text, "\n", 1))
            return refuse_memory(&one->why);
    }
    return true;
}

static bool read_again(job *one, dd_text text, dd_sentence *sentence)
{
    dd_reader *reader;
    dd_error error;
    dd_status status =
        dd_reader_open_memory(&reader, "constraints", text, DD_FORMAT_CONLLU, &error);
    if (status != DD_OK) return refuse_error(&one->why, &error);
    status = dd_reader_next(reader, sentence, &error);
    dd_reader_close(reader);
    return status == DD_OK || refuse_error(&one->why, &error);
}

bool work_constrain(workspace *own, job *one, size_t n, dd_sentence *sentence)
{
    dd_error error;
    bool any = false;
    for (size_t i = 0; i < one->asked.count && !any; i++) any = is_constraint(&one->asked.at[i]);
    if (!any) return true;
    own->text.size = 0;
    if (!append_constraints(one, n, &own->text)) return false;
    if (own->text.size == 0) return true;
    return (dd_sentence_format(sentence, DD_FORMAT_AUTO, &own->text, &error) == DD_OK ||
            refuse_error(&one->why, &error)) &&
           read_again(one, (dd_text){own->text.data, own->text.size}, sentence);
}
