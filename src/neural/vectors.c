#include "neural/vectors.h"

#include "core/memory.h"
#include "core/strings.h"
#include "neural/coder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LINE = 1 << 20 };
#define LARGEST     1e6
#define MEAN_LENGTH 3.0
/* Numbers are cut at so many times what they are in the mean: a few large ones would leave the
 * bytes of all others coarse. */
#define MOST_ROOTS 5.0

void dd_vectors_free(dd_vectors *vectors)
{
    dd_vocab_free(&vectors->words);
    free(vectors->numbers);
    *vectors = (dd_vectors){0};
}

/* ---- numbers ------------------------------------------------------------------------------ */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Cuts digits off; how many there were. */
static size_t cut_digits(dd_text *text, double *number)
{
    size_t count = 0;
    for (; text->size > 0 && is_digit(*text->data); count++) {
        *number = *number * 10 + (*text->data - '0');
        *text = (dd_text){text->data + 1, text->size - 1};
    }
    return count;
}

static bool cut_sign(dd_text *text)
{
    bool minus = text->size > 0 && *text->data == '-';
    if (minus || (text->size > 0 && *text->data == '+'))
        *text = (dd_text){text->data + 1, text->size - 1};
    return minus;
}

/* "e-05", or nothing. False if it is neither. */
static bool cut_exponent(dd_text *text, double *exponent)
{
    double number = 0;
    if (text->size == 0) return true;
    if (*text->data != 'e' && *text->data != 'E') return false;
    *text = (dd_text){text->data + 1, text->size - 1};
    bool minus = cut_sign(text);
    if (cut_digits(text, &number) == 0 || text->size > 0) return false;
    *exponent += minus ? -number : number;
    return true;
}

/* Decimal, with a point in every locale; neither infinities nor what is not a number. */
static bool read_number(dd_text text, float *out)
{
    double number = 0, exponent = 0;
    size_t digits, behind = 0;
    bool minus = cut_sign(&text);
    digits = cut_digits(&text, &number);
    if (text.size > 0 && *text.data == '.') {
        text = (dd_text){text.data + 1, text.size - 1};
        behind = cut_digits(&text, &number);
    }
    if (digits + behind == 0 || !cut_exponent(&text, &exponent)) return false;
    number *= pow(10, exponent - (double)behind);
    if (!(number <= LARGEST)) return false;
    *out = (float)(minus ? -number : number);
    return true;
}

/* ---- lines -------------------------------------------------------------------------------- */

typedef struct reading {
    dd_vectors *vectors;
    const char *name;
    uint64_t line;
    size_t most;
    dd_error *error;
} reading;

static dd_status fail(const reading *r, const char *what)
{
    return dd_fail_at(r->error, DD_ERROR_FORMAT, r->name, r->line, 0, "%s", what);
}

/* Cuts the last field off, and the blank in front of it; empty: there is none. */
static dd_text cut_last(dd_text *line)
{
    size_t from = line->size;
    while (from > 0 && line->data[from - 1] != ' ' && line->data[from - 1] != '\t') from--;
    dd_text field = {line->data + from, line->size - from};
    line->size = from > 0 ? from - 1 : 0;
    return field;
}

static size_t count_fields(dd_text line)
{
    size_t count = 1;
    for (size_t i = 0; i < line.size; i++) count += line.data[i] == ' ' || line.data[i] == '\t';
    return count;
}

/* "400000 100": the sizes of what follows. */
static bool is_header(dd_text line, float *size)
{
    float words;
    if (count_fields(line) != 2) return false;
    dd_text second = cut_last(&line);
    return read_number(line, &words) && read_number(second, size) &&
           !memchr(second.data, '.', second.size);
}

static dd_status set_size(reading *r, size_t size)
{
    if (size < 1 || size > DD_MAX_VECTOR)
        return dd_fail_at(r->error, DD_ERROR_FORMAT, r->name, r->line, 0,
                          "vectors of %zu numbers; there can be 1 to %d", size, DD_MAX_VECTOR);
    r->vectors->size = size;
    return DD_OK;
}

static bool add_word(dd_vectors *v, dd_text word, bool *added)
{
    int known = v->words.count, id = dd_vocab_add(&v->words, word);
    if (id < 0 || !DD_RESERVE(&v->numbers, &v->numbers_capacity, ((size_t)id + 1) * v->size))
        return false;
    *added = id == known;
    return true;
}

/* The numbers stand last, so that words may have blanks in them. */
static dd_status read_row(reading *r, dd_text line)
{
    dd_vectors *v = r->vectors;
    float numbers[DD_MAX_VECTOR];
    uint8_t room[DD_MAX_LOWER];
    bool added;
    for (size_t i = v->size; i-- > 0;) {
        dd_text field = cut_last(&line);
        if (line.size == 0 || field.size == 0) return fail(r, "too few numbers after the word");
        if (!read_number(field, &numbers[i]))
            return dd_fail_at(r->error, DD_ERROR_FORMAT, r->name, r->line, 0,
                              "'%.*s' is not a number between -1000000 and 1000000",
                              (int)(field.size < 40 ? field.size : 40), field.data);
    }
    if (!add_word(v, dd_lower(line, room), &added)) return dd_fail_memory(r->error);
    if (added)
        memcpy(v->numbers + ((size_t)v->words.count - 1) * v->size, numbers,
               v->size * sizeof *numbers);
    return DD_OK;
}

static bool start_words(dd_vectors *v)
{
    bool added;
    if (!dd_add_common_symbols(&v->words) || !add_word(v, dd_vocab_text(&v->words, 1), &added))
        return false;
    memset(v->numbers, 0, 2 * v->size * sizeof *v->numbers);
    return true;
}

static dd_status read_first(reading *r, dd_text line)
{
    float size = 0;
    bool header = is_header(line, &size);
    dd_status status = set_size(r, header ? (size_t)fmaxf(size, 0) : count_fields(line) - 1);
    if (status != DD_OK) return status;
    if (!start_words(r->vectors)) return dd_fail_memory(r->error);
    return header ? DD_OK : read_row(r, line);
}

/* Trailing blanks are word2vec's, carriage returns Windows'. */
static dd_status read_line(reading *r, dd_text line)
{
    while (line.size > 0 && strchr(" \t\r", line.data[line.size - 1])) line.size--;
    r->line++;
    if (line.size == 0) return fail(r, "an empty line");
    return r->vectors->size == 0 ? read_first(r, line) : read_row(r, line);
}

static bool is_full(const reading *r)
{
    return r->vectors->size > 0 && (size_t)r->vectors->words.count >= r->most + 2;
}

/* Reads the complete lines of what was gathered and leaves the rest. */
static dd_status read_gathered(reading *r, dd_buffer *gathered, bool last)
{
    size_t from = 0;
    while (from < gathered->size && !is_full(r)) {
        const char *at = gathered->data + from;
        const char *end = memchr(at, '\n', gathered->size - from);
        if (!end && !last) break;
        dd_text line = {at, end ? (size_t)(end - at) : gathered->size - from};
        dd_status status = read_line(r, line);
        if (status != DD_OK) return status;
        from += line.size + (end != NULL);
    }
    memmove(gathered->data, gathered->data + from, gathered->size - from);
    gathered->size -= from;
    if (gathered->size > LONGEST_LINE && !is_full(r)) {
        r->line++;
        return fail(r, "a line of more than a megabyte");
    }
    return DD_OK;
}

static dd_status read_lines(reading *r, dd_source *source)
{
    dd_buffer gathered = {0};
    dd_text chunk;
    dd_status status;
    while ((status = dd_source_next(source, &chunk, r->error)) == DD_OK && !is_full(r)) {
        status =
            dd_buffer_append(&gathered, chunk.data, chunk.size) ? DD_OK : dd_fail_memory(r->error);
        if (status == DD_OK) status = read_gathered(r, &gathered, false);
        if (status != DD_OK) break;
    }
    if (status == DD_END) status = gathered.size ? read_gathered(r, &gathered, true) : DD_OK;
    dd_buffer_free(&gathered);
    return status;
}

/* ---- all of them -------------------------------------------------------------------------- */

/* Vectors of all words have much in common, which says nothing (Mu and Viswanath 2018). */
static void centre(dd_vectors *v)
{
    size_t count = (size_t)v->words.count;
    for (size_t j = 0; j < v->size; j++) {
        double sum = 0;
        for (size_t word = 2; word < count; word++) sum += (double)v->numbers[word * v->size + j];
        float mean = (float)(sum / (double)(count - 2));
        for (size_t word = 2; word < count; word++) v->numbers[word * v->size + j] -= mean;
    }
}

static void scale(dd_vectors *v)
{
    double lengths = 0;
    size_t count = (size_t)v->words.count;
    for (size_t word = 2; word < count; word++) {
        double squares = 0;
        for (size_t j = 0; j < v->size; j++) {
            double number = (double)v->numbers[word * v->size + j];
            squares += number * number;
        }
        lengths += sqrt(squares);
    }
    if (lengths == 0) return;
    float factor = (float)(MEAN_LENGTH * (double)(count - 2) / lengths);
    float most = (float)(MOST_ROOTS * MEAN_LENGTH / sqrt((double)v->size));
    for (size_t i = 0; i < count * v->size; i++)
        v->numbers[i] = fmaxf(-most, fminf(most, v->numbers[i] * factor));
}

dd_status dd_vectors_read_from(dd_vectors *vectors, dd_source *source, size_t most, dd_error *error)
{
    reading r = {.vectors = vectors, .name = dd_source_name(source), .most = most, .error = error};
    dd_status status = read_lines(&r, source);
    if (status == DD_OK && vectors->words.count <= 2) {
        r.line++;
        return fail(&r, "no word vectors here");
    }
    if (status == DD_OK) {
        centre(vectors);
        scale(vectors);
    }
    return status;
}

dd_status dd_vectors_read(dd_vectors *vectors, const char *path, size_t most, dd_error *error)
{
    dd_source *source;
    dd_status status = dd_source_open(&source, path, error);
    if (status != DD_OK) return status;
    status = dd_vectors_read_from(vectors, source, most, error);
    dd_source_close(source);
    return status;
}
