/* work_read.c - reads the sentences of a job, and the constraints that a request has beside its
 * text: "arc 3 nsubj 2", or "2: arc 3 nsubj 2" for the second sentence. Constraints become comments
 * of the sentence, so that the library reads them, the answer shows them, and a client can send the
 * answer again. */
#include "constrained.h"
#include "number.h"
#include "serve/ask.h"
#include "serve/work.h"

#include <stdlib.h>
#include <string.h>

/* ---- constraints ----------------------------------------------------------------------------- */

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
        size_t sentence;
        const field *asked = &one->asked.at[i];
        const char *rest = is_constraint(asked) ? constraint_of(asked->value, &sentence) : NULL;
        if (!rest || sentence != n) continue;
        if (strlen(rest) < (size_t)(asked->value + asked->size - rest) || !constraint_is_line(rest))
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

/* ---- sentences ------------------------------------------------------------------------------- */

static const char name[] = "data"; /* of what is read, in messages */

static dd_format format_of(job_input from)
{
    static const dd_format formats[] = {
        [FROM_AUTO] = DD_FORMAT_AUTO,           [FROM_CONLLU] = DD_FORMAT_CONLLU,
        [FROM_TEXT] = DD_FORMAT_TEXT,           [FROM_VERTICAL] = DD_FORMAT_VERTICAL,
        [FROM_HORIZONTAL] = DD_FORMAT_VERTICAL, [FROM_JSONL] = DD_FORMAT_JSONL,
    };
    return formats[from];
}

static bool open_reader(job *one, dd_reader **reader)
{
    dd_error error;
    const dd_model *model = one->plan.model ? one->plan.model->model : NULL;
    dd_input_options from = one->plan.input;
    if (one->plan.from == FROM_HORIZONTAL && !one->converted) {
        size_t size;
        one->converted = convert_horizontal(one->text, &size);
        if (!one->converted) return refuse_memory(&one->why);
        one->text = (dd_text){one->converted, size};
    }
    from.format = format_of(one->plan.from);
    return dd_reader_open_input(
               reader, model, &(dd_input){.name = name, .kind = DD_INPUT_BYTES, .bytes = one->text},
               &from, &error) == DD_OK ||
           refuse_error(&one->why, &error);
}

/* Time and memory of a beam grow with both. */
static void check_beam(job *one, int words)
{
    int own = dd_model_beam(one->plan.model->model), wanted = one->plan.how.beam;
    int beam = wanted ? wanted : own, most = MOST_BEAM_WORDS / (beam > 0 ? beam : 1);
    if (beam > 1 && words > most)
        refuse(&one->why, 413, "a sentence has %d words; with a beam of %d this server takes %d",
               words, beam, most);
}

/* DD_OK, DD_END, or any other status where the request is refused. */
static dd_status read_sentence(const workspace *own, job *one, dd_reader *reader,
                               dd_sentence *sentence)
{
    dd_error error;
    dd_status status = dd_reader_next(reader, sentence, &error);
    if (status == DD_END) return status;
    if (status != DD_OK) {
        refuse_error(&one->why, &error);
        return status;
    }
    int words = dd_sentence_size(sentence);
    if (words > own->limits->sentence)
        refuse(&one->why, 413, "a sentence has %d words; this server takes %d", words,
               own->limits->sentence);
    else if (one->plan.parse)
        check_beam(one, words);
    return one->why.status == 0 ? DD_OK : DD_ERROR_DATA;
}

/* Constraints of the text, and those of the request. */
static bool constrain(workspace *own, job *one, size_t n, dd_sentence *sentence)
{
    dd_text constraint;
    int words = dd_sentence_size(sentence);
    if (!work_constrain(own, one, n, sentence)) return false;
    bool constrained = one->plan.model && dd_sentence_constraint(sentence, 0, &constraint);
    return !constrained || words <= MOST_CONSTRAINED_WORDS ||
           refuse(&one->why, 413, "a sentence with constraints has %d words; this server takes %d",
                  words, MOST_CONSTRAINED_WORDS);
}

/* ---- the whole of a long text ------------------------------------------------------------- */

static bool check_sentence(workspace *own, job *one, size_t n, dd_sentence *sentence)
{
    dd_text constraint;
    dd_error error;
    if (!constrain(own, one, n, sentence)) return false;
    if (!one->plan.parse || !dd_sentence_constraint(sentence, 0, &constraint)) return true;
    dd_parser *parser = workspace_parser(own, one->plan.model, &one->why);
    return parser &&
           (dd_parser_check(parser, sentence, &error) == DD_OK || work_refuse(one, &error));
}

static bool check_all(workspace *own, job *one)
{
    dd_reader *reader;
    dd_error error;
    if (!own->sentence && dd_sentence_new(&own->sentence, &error) != DD_OK)
        return refuse_error(&one->why, &error);
    if (!open_reader(one, &reader)) return false;
    dd_status status = DD_OK;
    for (size_t n = 1; status == DD_OK; n++) {
        status = read_sentence(own, one, reader, own->sentence);
        if (status == DD_OK && !check_sentence(own, one, n, own->sentence)) status = DD_ERROR_DATA;
        if (number_seconds_now() > one->deadline) {
            refuse(&one->why, 503, "reading the text takes too long; send it in parts");
            status = DD_INTERRUPTED;
        }
    }
    dd_reader_close(reader);
    return status == DD_END;
}

/* ---- a slice ------------------------------------------------------------------------------ */

static bool make_room(job *one)
{
    dd_error error;
    if (one->held < one->room) return true;
    size_t room = one->room ? 2 * one->room : 4;
    dd_sentence **more = realloc(one->sentences, room * sizeof *more);
    if (!more) return refuse_memory(&one->why);
    one->sentences = more;
    for (; one->room < room; one->room++)
        if (dd_sentence_new(&more[one->room], &error) != DD_OK)
            return refuse_error(&one->why, &error);
    return true;
}

static bool fill_slice(workspace *own, job *one)
{
    uint64_t words = 0;
    one->held = 0;
    while (one->held < SLICE_SENTENCES && words < SLICE_WORDS) {
        if (!make_room(one)) return false;
        dd_sentence *sentence = one->sentences[one->held];
        dd_status status = read_sentence(own, one, one->reader, sentence);
        one->at_end = status == DD_END;
        if (one->at_end) break;
        if (status != DD_OK || !constrain(own, one, one->passed + one->held + 1, sentence))
            return false;
        words += (uint64_t)dd_sentence_size(sentence);
        one->held++;
    }
    one->words += words;
    return true;
}

bool work_read(workspace *own, job *one)
{
    bool first = !one->reader;
    if (first && !open_reader(one, &one->reader)) return false;
    if (!fill_slice(own, one)) return false;
    return !first || one->at_end || one->whole || check_all(own, one);
}
